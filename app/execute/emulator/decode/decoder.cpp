// The functions that a kernel reaches, one after the other, and the part of the decoder that each instruction goes to.
#include "execute/emulator/decode/compute_decoder.h"
#include "execute/emulator/decode/control_decoder.h"
#include "execute/emulator/decode/marks.h"
#include "execute/emulator/decode/memory_decoder.h"
#include "execute/emulator/variable_names.h"

#include <fmt/format.h>

#include <utility>

namespace lanescope::execute {

namespace {

using ptx::Action;
using ptx::Instruction;

bool is_of_words(const MemoryAccess& access) {
    const bool plain = access.atomic == ptx::Atomic::none && access.barrier_object == nullptr && !access.strong;
    const bool of_space =
        access.space == ptx::Space::shared || access.space == ptx::Space::global || access.space == ptx::Space::generic;
    return plain && of_space && access.base && access.moves_words();
}

/// The file of the kernel's first line.
std::uint32_t file_of(const ptx::Module& module, const ptx::Function& kernel) {
    for (const Instruction& instruction : kernel.instructions) {
        std::uint32_t at = instruction.place;
        if (at == ptx::SourcePlace::none || module.places[at].line == 0) continue;
        while (module.places[at].inlined_at != ptx::SourcePlace::none) at = module.places[at].inlined_at;
        return module.places[at].file;
    }
    return 0;
}

/// Turns a kernel, and every function that it reaches, into one Code: a Micro for each instruction and one for each
/// function's end, function after function, the kernel first. Larger parts are in the Code's other lists.
class Decoder {
  public:
    Decoder(const ptx::Module& module, const ptx::Function& kernel, const VariableAddresses& addresses, Frames frames)
        : state_(module, addresses, std::move(frames)) {
        state_.code.kernel = &kernel;
        state_.code.users_file = file_of(module, kernel);
    }

    /// Call once. Refuses an instruction that the emulator does not support: by name, with its place in the PTX.
    [[nodiscard]] Result<Code> run();

  private:
    void describe_callees();
    void add_builtin(const Frame& frame);
    /// Decodes the instruction into the next Micro. False: the instruction or an operand is refused; the same below.
    bool decode_one(const Instruction& instruction);
    bool dispatch(Micro& micro, const Instruction& instruction);

    DecodeState state_;
    Operands operands_{state_};
    ComputeDecoder compute_{state_, operands_};
    MemoryDecoder memory_{state_, operands_};
    ControlDecoder control_{state_, operands_};
};

Result<Code> Decoder::run() {
    Pc begin = 0;
    for (const Frame& frame : state_.frames.frames) {
        state_.begins.push_back(begin);
        begin += static_cast<Pc>(frame.function->instructions.size()) + (frame.function->defined ? 1 : 2);
    }
    describe_callees();
    for (state_.number = 0; state_.number < state_.frames.frames.size(); ++state_.number) {
        state_.function = state_.frame().function;
        memory_.enter_function();
        for (const Instruction& instruction : state_.function->instructions) {
            if (!decode_one(instruction)) return std::unexpected(state_.problem);
        }
        if (!state_.function->defined) add_builtin(state_.frame());
        Micro end;
        end.kind = control_.kind_of_return();
        end.access = state_.number;
        end.line =
            state_.function->instructions.empty() ? state_.function->line : state_.function->instructions.back().line;
        state_.code.micros.push_back(end);
    }
    // A kernel that only asks cg::this_grid() for a rank reads the workspace's address, too, but does not use it.
    state_.code.cooperates = state_.knows_workspace && state_.arrives_at_grid;
    state_.code.addresses = state_.addresses;
    state_.file.finish(state_.code);
    mark_input_dependence(state_.code);
    mark_straight_runs(state_.code);
    mark_arrays_meant(state_.code, state_.frames);
    for (MemoryAccess& access : state_.code.accesses) access.of_words = is_of_words(access);
    return std::move(state_.code);
}

void Decoder::describe_callees() {
    for (std::uint32_t number = 0; number < state_.frames.frames.size(); ++number) {
        const Frame& frame = state_.frames.frames[number];
        const ptx::Function& function = *frame.function;
        Callee callee{
            .function = &function,
            .begin = state_.begins[number],
            .address = address_of_function(static_cast<std::uint32_t>(&function - state_.module.functions.data())),
            .reentrant = frame.reentrant,
            .frame_bytes = frame.bytes};
        for (const ptx::Variable& parameter : function.parameters) {
            callee.parameters.push_back({frame.parameters + parameter.offset, parameter.bytes});
        }
        for (const ptx::Variable& result : function.results) {
            callee.results.push_back({frame.results + result.offset, result.bytes});
        }
        if (frame.reentrant) {
            callee.base = state_.file.hidden_row(number);
            state_.code.stack_pointer = state_.file.stack_pointer();
            for (std::uint32_t reg = 0; reg < function.registers.size(); ++reg) {
                callee.registers.push_back(state_.file.destination(number, RegisterId(reg)));
            }
        }
        state_.code.callees.push_back(std::move(callee));
    }
}

void Decoder::add_builtin(const Frame& frame) {
    Micro micro;
    micro.kind = Kind::builtin;
    micro.line = state_.function->line;
    micro.access = static_cast<std::uint32_t>(state_.code.builtins.size());
    state_.code.builtins.push_back({.builtin = *builtin_named(state_.function->name),
                                    .function = state_.function,
                                    .parameters = frame.parameters,
                                    .results = frame.results});
    state_.code.micros.push_back(micro);
}

bool Decoder::decode_one(const Instruction& instruction) {
    Micro micro;
    micro.instruction = &instruction;
    micro.line = instruction.line;
    micro.first_destination = static_cast<std::uint32_t>(state_.code.destinations.size());
    micro.combines = ptx::combines_values(instruction);
    if (instruction.guard) {
        micro.guard = state_.file.value(state_.number, instruction.guard->predicate).slot;
        micro.guard_invert = instruction.guard->negated ? ~0U : 0U;
    }
    micro.slots.modifiers = &instruction.modifiers;
    if (!dispatch(micro, instruction)) return false;
    state_.code.micros.push_back(micro);
    return true;
}

bool Decoder::dispatch(Micro& micro, const Instruction& instruction) {
    switch (instruction.action()) {
        case Action::load: return memory_.memory(micro, instruction, Kind::load);
        case Action::store: return memory_.memory(micro, instruction, Kind::store);
        case Action::atomic: return memory_.atomic(micro, instruction);
        case Action::jump: return control_.branch(micro, instruction);
        case Action::jump_table: return control_.branch_indexed(micro, instruction);
        case Action::call: return control_.call(micro, instruction);
        case Action::return_:
            micro.kind = control_.kind_of_return();
            micro.access = state_.number;
            return true;
        case Action::exit:
            micro.kind = Kind::exit;
            return state_.function->entry || state_.refuse(instruction, "exit inside a called function");
        case Action::trap: micro.kind = Kind::trap; return true;
        case Action::block_barrier: return control_.barrier(micro, instruction);
        case Action::warp_barrier: return control_.across_lanes(micro, instruction, Kind::warp_barrier);
        case Action::shuffle: return control_.across_lanes(micro, instruction, Kind::shuffle);
        case Action::vote: return control_.across_lanes(micro, instruction, Kind::vote);
        case Action::match: return control_.across_lanes(micro, instruction, Kind::match);
        case Action::texture_fetch: return memory_.texture(micro, instruction);
        case Action::surface_load: return memory_.surface(micro, instruction, false);
        case Action::surface_store: return memory_.surface(micro, instruction, true);
        case Action::copy: return memory_.copy(micro, instruction);
        case Action::copy_group:
        case Action::copy_wait: micro.kind = Kind::await_copies; return true;
        case Action::mbarrier_init:
        case Action::mbarrier_inval:
        case Action::mbarrier_arrive:
        case Action::mbarrier_drop:
        case Action::mbarrier_wait:
        case Action::mbarrier_copies: return memory_.barrier_object(micro, instruction);
        case Action::active_mask: return control_.across_lanes(micro, instruction, Kind::active_mask);
        case Action::warp_reduce: return control_.across_lanes(micro, instruction, Kind::reduce);
        case Action::fence:
            micro.kind = Kind::fence;
            state_.code.releases = true;
            return true;
        case Action::hint: micro.kind = Kind::nothing; return true;
        case Action::compute: break;
    }
    return compute_.compute(micro, instruction);
}

}  // namespace

Result<Code> decode(const ptx::Module& module, const ptx::Function& kernel, const VariableAddresses& addresses) {
    Result<Frames> frames = lay_out_frames(module, kernel);
    if (!frames) return std::unexpected(std::move(frames.error()));
    return Decoder(module, kernel, addresses, std::move(*frames)).run();
}

}  // namespace lanescope::execute
