// The functions that a kernel reaches, one after the other, and the part of the decoder that each instruction goes to.
#include "execute/emulator/decoder.h"
#include "execute/emulator/register_facts.h"
#include "execute/emulator/variable_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lanescope::execute {

namespace {

using ptx::Action;
using ptx::Instruction;

std::vector<const ptx::Function*> functions_of(const Frames& frames) {
    std::vector<const ptx::Function*> functions;
    functions.reserve(frames.frames.size());
    for (const Frame& frame : frames.frames) functions.push_back(frame.function);
    return functions;
}

bool is_of_words(const MemoryAccess& access) {
    const bool plain = access.atomic == ptx::Atomic::none && access.barrier_object == nullptr && !access.strong;
    const bool of_space =
        access.space == ptx::Space::shared || access.space == ptx::Space::global || access.space == ptx::Space::generic;
    return plain && of_space && access.base && access.moves_words();
}

}  // namespace

Decoder::Decoder(const ptx::Module& module, const ptx::Function& kernel, const VariableAddresses& addresses,
                 Frames frames)
    : module_(module),
      addresses_(addresses),
      frames_(std::move(frames)),
      file_(functions_of(frames_), frames_.bytes > frames_.stack) {
    code_.module = &module;
    code_.kernel = &kernel;
    code_.local_bytes = frames_.bytes;
    code_.stack = frames_.stack;
    code_.users_file = file_of(kernel);
}

Result<Code> Decoder::run() {
    Pc begin = 0;
    for (const Frame& frame : frames_.frames) {
        begins_.push_back(begin);
        begin += static_cast<Pc>(frame.function->instructions.size()) + (frame.function->defined ? 1 : 2);
    }
    describe_callees();
    for (number_ = 0; number_ < frames_.frames.size(); ++number_) {
        function_ = frames_.frames[number_].function;
        find_uses();
        for (const Instruction& instruction : function_->instructions) {
            if (!decode_one(instruction)) return std::unexpected(problem_);
        }
        if (!function_->defined) add_builtin(frames_.frames[number_]);
        Micro end;
        end.kind = kind_of_return();
        end.access = number_;
        end.line = function_->instructions.empty() ? function_->line : function_->instructions.back().line;
        code_.micros.push_back(end);
    }
    // A kernel that asks cg::this_grid() for a rank finds the workspace, too, and uses it for nothing.
    code_.cooperates = knows_workspace_ && arrives_at_grid_;
    code_.addresses = addresses_;
    file_.finish(code_);
    mark_input_dependence(code_);
    mark_straight_runs(code_);
    name_local_arrays();
    find_local_arrays_meant();
    if (!code_.shared_variables.empty()) find_arrays_meant();
    for (MemoryAccess& access : code_.accesses) access.of_words = is_of_words(access);
    return std::move(code_);
}

void Decoder::describe_callees() {
    for (std::uint32_t number = 0; number < frames_.frames.size(); ++number) {
        const Frame& frame = frames_.frames[number];
        const ptx::Function& function = *frame.function;
        Callee callee{.begin = begins_[number],
                      .address = address_of_function(static_cast<std::uint32_t>(&function - module_.functions.data())),
                      .reentrant = frame.reentrant,
                      .frame_bytes = frame.bytes};
        for (const ptx::Variable& parameter : function.parameters) {
            callee.parameters.push_back({frame.parameters + parameter.offset, parameter.bytes});
        }
        for (const ptx::Variable& result : function.results) {
            callee.results.push_back({frame.results + result.offset, result.bytes});
        }
        if (frame.reentrant) {
            callee.base = file_.hidden_row(number);
            code_.stack_pointer = file_.stack_pointer();
            for (std::uint32_t reg = 0; reg < function.registers.size(); ++reg) {
                callee.registers.push_back(file_.destination(number, RegisterId(reg)));
            }
        }
        code_.callees.push_back(std::move(callee));
    }
}

void Decoder::add_builtin(const Frame& frame) {
    Micro micro;
    micro.kind = Kind::builtin;
    micro.line = function_->line;
    micro.access = static_cast<std::uint32_t>(code_.builtins.size());
    code_.builtins.push_back({.builtin = *builtin_named(function_->name),
                              .function = function_,
                              .parameters = frame.parameters,
                              .results = frame.results});
    code_.micros.push_back(micro);
}

bool Decoder::decode_one(const Instruction& instruction) {
    Micro micro;
    micro.instruction = &instruction;
    micro.line = instruction.line;
    micro.first_destination = static_cast<std::uint32_t>(code_.destinations.size());
    micro.combines = ptx::combines_values(instruction);
    if (instruction.guard) {
        micro.guard = file_.value(number_, instruction.guard->predicate).slot;
        micro.guard_invert = instruction.guard->negated ? ~0U : 0U;
    }
    micro.slots.modifiers = &instruction.modifiers;
    if (!dispatch(micro, instruction)) return false;
    code_.micros.push_back(micro);
    return true;
}

bool Decoder::dispatch(Micro& micro, const Instruction& instruction) {
    switch (instruction.action()) {
        case Action::load: return memory(micro, instruction, Kind::load);
        case Action::store: return memory(micro, instruction, Kind::store);
        case Action::atomic: return atomic(micro, instruction);
        case Action::jump:
            micro.kind = Kind::branch;
            micro.target = begins_[number_] + instruction.target;
            micro.reconvergence = reconvergence_of(instruction);
            return true;
        case Action::jump_table: return branch_indexed(micro, instruction);
        case Action::call: return call(micro, instruction);
        case Action::return_:
            micro.kind = kind_of_return();
            micro.access = number_;
            return true;
        case Action::exit:
            micro.kind = Kind::exit;
            return function_->entry || refuse(instruction, "exit inside a called function");
        case Action::trap: micro.kind = Kind::trap; return true;
        case Action::block_barrier: return barrier(micro, instruction);
        case Action::warp_barrier: return across_lanes(micro, instruction, Kind::warp_barrier);
        case Action::shuffle: return across_lanes(micro, instruction, Kind::shuffle);
        case Action::vote: return across_lanes(micro, instruction, Kind::vote);
        case Action::match: return across_lanes(micro, instruction, Kind::match);
        case Action::copy: return copy(micro, instruction);
        case Action::copy_group:
        case Action::copy_wait: micro.kind = Kind::await_copies; return true;
        case Action::mbarrier_init:
        case Action::mbarrier_inval:
        case Action::mbarrier_arrive:
        case Action::mbarrier_drop:
        case Action::mbarrier_wait:
        case Action::mbarrier_copies: return barrier_object(micro, instruction);
        case Action::active_mask: return across_lanes(micro, instruction, Kind::active_mask);
        case Action::warp_reduce: return across_lanes(micro, instruction, Kind::reduce);
        case Action::fence:
            micro.kind = Kind::fence;
            code_.releases = true;
            return true;
        case Action::hint: micro.kind = Kind::nothing; return true;
        case Action::compute: break;
    }
    return compute(micro, instruction);
}

bool Decoder::refuse(const Instruction& instruction, const std::string& why) {
    std::string what = fmt::format("{} is not supported by the emulator", ptx::mnemonic(instruction));
    if (!why.empty()) what += ": " + why;
    problem_ = {.what = std::move(what),
                .where = {.file = "PTX", .line = instruction.line.value, .column = instruction.column},
                .remedy = {}};
    return false;
}

void Decoder::find_arrays_meant() {
    std::size_t pc = 0;
    for (const Frame& frame : frames_.frames) {
        const std::vector<const ptx::Variable*> arrays = shared_arrays_in_registers(module_, *frame.function);
        for (const Instruction& instruction : frame.function->instructions) {
            const Micro& micro = code_.micros[pc++];
            if (micro.kind != Kind::load && micro.kind != Kind::store && micro.kind != Kind::atomic) continue;
            const std::vector<RegisterId> base = ptx::uses_of(*frame.function, instruction).address;
            if (base.size() == 1) code_.accesses[micro.access].array = arrays[base.front().index()];
        }
        pc += frame.function->defined ? 1 : 2;
    }
}

void Decoder::name_local_arrays() {
    for (const Frame& frame : frames_.frames) {
        if (frame.reentrant) continue;  // its address differs from call to call
        for (const ptx::SourceArray& array : module_.arrays) {
            if (array.space != ptx::Space::local || array.function >= module_.functions.size() ||
                &module_.functions[array.function] != frame.function) {
                continue;
            }
            trace::SharedArray named{.name = array.name, .bytes = array.element_bytes};
            named.offset = frame.locals + frame.function->variables[array.variable].offset + array.offset;
            for (const std::uint64_t extent : array.extents) named.bytes *= extent;
            named.element = element_of(array);
            code_.local_arrays.push_back(std::move(named));
        }
    }
    std::ranges::stable_sort(code_.local_arrays, {}, &trace::SharedArray::offset);
}

void Decoder::find_local_arrays_meant() {
    if (code_.local_arrays.empty()) return;
    std::size_t pc = 0;
    for (const Frame& frame : frames_.frames) {
        const ptx::Function& function = *frame.function;
        const std::size_t begin = std::exchange(pc, pc + function.instructions.size() + (function.defined ? 1 : 2));
        if (frame.reentrant) continue;
        const std::vector<std::uint32_t> arrays = local_arrays_in_registers(module_, function);
        for (std::size_t i = 0; i < function.instructions.size(); ++i) {
            const Micro& micro = code_.micros[begin + i];
            if (micro.kind != Kind::load && micro.kind != Kind::store && micro.kind != Kind::atomic) continue;
            const std::vector<RegisterId> base = ptx::uses_of(function, function.instructions[i]).address;
            if (base.size() != 1 || arrays[base.front().index()] == ptx::Operand::no_variable) continue;
            const ptx::SourceArray& meant = module_.arrays[arrays[base.front().index()]];
            const std::uint64_t offset = frame.locals + function.variables[meant.variable].offset + meant.offset;
            const auto found = std::ranges::find_if(code_.local_arrays, [&](const trace::SharedArray& array) {
                return array.offset == offset && array.name == meant.name;
            });
            if (found == code_.local_arrays.end()) continue;
            code_.accesses[micro.access].local_array =
                static_cast<std::uint32_t>(found - code_.local_arrays.begin()) + 1;
        }
    }
}

Result<Code> decode(const ptx::Module& module, const ptx::Function& kernel, const VariableAddresses& addresses) {
    Result<Frames> frames = lay_out_frames(module, kernel);
    if (!frames) return std::unexpected(std::move(frames.error()));
    return Decoder(module, kernel, addresses, std::move(*frames)).run();
}

}  // namespace lanescope::execute
