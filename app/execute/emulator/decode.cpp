// Module -> Code: every operand becomes an offset in the register file, every label a number, every variable an address.
#include "execute/emulator/builtins.h"
#include "execute/emulator/code.h"
#include "execute/emulator/derivation.h"
#include "execute/emulator/frames.h"
#include "execute/emulator/names.h"
#include "execute/emulator/pointers.h"
#include "execute/emulator/register_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace lanescope::execute {

namespace {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

Row row_of_bytes(unsigned bytes) { return bytes == 8 ? Row::wide : Row::narrow; }

bool reads_clock(const Instruction& instruction) {
    if (instruction.opcode != Opcode::mov || instruction.operands[1].kind != Operand::Kind::special) return false;
    switch (instruction.operands[1].special) {
        case ptx::Special::clock:
        case ptx::Special::clock64:
        case ptx::Special::globaltimer: return true;
        default: return false;
    }
}

class Decoder {
  public:
    Decoder(const ptx::Module& module, const ptx::Function& kernel, const VariableAddresses& addresses, Frames frames)
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

    Result<Code> run() {
        Pc begin = 0;
        for (const Frame& frame : frames_.frames) {
            begins_.push_back(begin);
            begin += static_cast<Pc>(frame.function->instructions.size()) + (frame.function->defined ? 1 : 2);
        }
        describe_callees();
        for (number_ = 0; number_ < frames_.frames.size(); ++number_) {
            function_ = frames_.frames[number_].function;
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
        file_.finish(code_);
        mark_derivation(code_);
        name_local_arrays();
        if (code_.shared_variables.size() > 1) find_arrays_meant();
        return std::move(code_);
    }

  private:
    static std::vector<const ptx::Function*> functions_of(const Frames& frames) {
        std::vector<const ptx::Function*> functions;
        for (const Frame& frame : frames.frames) functions.push_back(frame.function);
        return functions;
    }

    /// The file that the kernel's own first line is in.
    std::uint32_t file_of(const ptx::Function& kernel) const {
        for (const Instruction& instruction : kernel.instructions) {
            std::uint32_t at = instruction.place;
            if (at == ptx::SourcePlace::none || module_.places[at].line == 0) continue;
            while (module_.places[at].inlined_at != ptx::SourcePlace::none) at = module_.places[at].inlined_at;
            return module_.places[at].file;
        }
        return 0;
    }

    // Failures ------------------------------------------------------------------------------------------------

    bool refuse(const Instruction& instruction, std::string why) {
        std::string what = fmt::format("{} is not supported by the emulator", ptx::mnemonic(instruction));
        if (!why.empty()) what += ": " + why;
        problem_ = {.what = std::move(what),
                    .where = {.file = "PTX", .line = instruction.line.value, .column = instruction.column},
                    .remedy = {}};
        return false;
    }

    void add_builtin(const Frame& frame) {
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

    void name_local_arrays() {
        for (const Frame& frame : frames_.frames) {
            if (frame.reentrant) continue;  // it is at several places
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

    // Functions -----------------------------------------------------------------------------------------------

    void describe_callees() {
        for (std::uint32_t number = 0; number < frames_.frames.size(); ++number) {
            const Frame& frame = frames_.frames[number];
            const ptx::Function& function = *frame.function;
            Callee callee{
                .begin = begins_[number],
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

    /// The row to which the offsets of a variable are added: where the frame of a reentrant function begins.
    std::optional<Value> base_of(const Operand& operand) const {
        if (operand.variable == Operand::no_variable || !code_.callees[number_].reentrant) return std::nullopt;
        const ptx::Space space = ptx::variable_of(module_, *function_, operand)->space;
        if (space != ptx::Space::local && space != ptx::Space::param) return std::nullopt;
        return Value{.row = Row::wide, .slot = code_.callees[number_].base, .derived = not_derived_slot};
    }

    /// Which shared array each access through a register means: the only one that its address was made from.
    void find_arrays_meant() {
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

    // Operands ------------------------------------------------------------------------------------------------

    /// Operands with vectors taken apart, beginning at `first`.
    std::vector<Operand> flat(const Instruction& instruction, unsigned first, unsigned last) const {
        std::vector<Operand> result;
        for (unsigned i = first; i < last; ++i) {
            const Operand& operand = instruction.operands[i];
            if (operand.kind != Operand::Kind::vector) {
                result.push_back(operand);
                continue;
            }
            for (std::uint32_t element = 0; element < operand.elements; ++element) {
                result.push_back(function_->vector_elements[operand.first + element]);
            }
        }
        return result;
    }

    /// The address that a variable has in its own space; for a function's .param variables the place in the frame.
    std::uint64_t address_of(const Operand& operand) {
        if (operand.variable == Operand::no_variable) return static_cast<std::uint64_t>(operand.offset);
        const ptx::Variable& variable = *ptx::variable_of(module_, *function_, operand);
        const Frame& frame = frames_.frames[number_];
        std::uint64_t begin = 0;
        switch (variable.space) {
            case ptx::Space::shared:
                if (std::ranges::find(code_.shared_variables, &variable) == code_.shared_variables.end()) {
                    code_.shared_variables.push_back(&variable);
                }
                begin = variable.dynamic() ? code_.kernel->dynamic_shared_offset : variable.offset;
                break;
            case ptx::Space::local: begin = frame.locals + variable.offset; break;
            case ptx::Space::param:
                begin = variable.offset;
                if (operand.owner == Operand::Owner::function) begin += frame.call_parameters;
                if (operand.owner == Operand::Owner::result) begin += frame.results;
                if (operand.owner == Operand::Owner::parameter && !function_->entry) begin += frame.parameters;
                break;
            default: begin = addresses_[operand.variable]; break;
        }
        return begin + static_cast<std::uint64_t>(operand.offset);
    }

    /// A source of that row; nothing where the operand is no value of it.
    std::optional<Value> source(const Operand& operand, Row row) {
        switch (operand.kind) {
            case Operand::Kind::reg: {
                Value value = file_.value(number_, operand.reg);
                if (value.row != row) return std::nullopt;
                value.invert = operand.negated ? ~0U : 0U;
                return value;
            }
            case Operand::Kind::immediate:
                return file_.constant(row, row == Row::predicate && operand.immediate != 0 ? ~0U : operand.immediate);
            case Operand::Kind::special:
                code_.cooperates = code_.cooperates || operand.special == ptx::Special::envreg1 ||
                                   operand.special == ptx::Special::envreg2;
                code_.reserves_shared =
                    code_.reserves_shared || operand.special == ptx::Special::reserved_smem_offset_1;
                return file_.special(row, operand.special);
            case Operand::Kind::address:
                if (base_of(operand)) return std::nullopt;
                return file_.constant(row, address_of(operand));
            case Operand::Kind::function: return file_.constant(row, address_of_function(operand.function));
            default: return std::nullopt;
        }
    }

    bool add_destination(Micro& micro, const Operand& operand) {
        if (operand.kind != Operand::Kind::reg) return false;
        code_.destinations.push_back(file_.destination(number_, operand.reg));
        ++micro.destination_count;
        return true;
    }

    // Instructions --------------------------------------------------------------------------------------------

    bool decode_one(const Instruction& instruction) {
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

    bool dispatch(Micro& micro, const Instruction& instruction) {
        switch (instruction.opcode) {
            case Opcode::ld:
            case Opcode::ldu: return memory(micro, instruction, Kind::load);
            case Opcode::st: return memory(micro, instruction, Kind::store);
            case Opcode::atom:
            case Opcode::red: return atomic(micro, instruction);
            case Opcode::bra:
                micro.kind = Kind::branch;
                micro.target = begins_[number_] + instruction.target;
                micro.join = join_of(instruction);
                return true;
            case Opcode::brx: return branch_indexed(micro, instruction);
            case Opcode::call: return call(micro, instruction);
            case Opcode::ret:
                micro.kind = kind_of_return();
                micro.access = number_;
                return true;
            case Opcode::exit:
                micro.kind = Kind::exit;
                return function_->entry || refuse(instruction, "exit within a function that is called");
            case Opcode::trap: micro.kind = Kind::trap; return true;
            case Opcode::bar:
            case Opcode::barrier: return barrier(micro, instruction);
            case Opcode::bar_warp_sync: return across_lanes(micro, instruction, Kind::warp_barrier);
            case Opcode::shfl: return across_lanes(micro, instruction, Kind::shuffle);
            case Opcode::vote: return across_lanes(micro, instruction, Kind::vote);
            case Opcode::match: return across_lanes(micro, instruction, Kind::match);
            case Opcode::cp_async: return copy(micro, instruction);
            case Opcode::mbarrier_init:
            case Opcode::mbarrier_inval:
            case Opcode::mbarrier_arrive:
            case Opcode::mbarrier_arrive_drop:
            case Opcode::mbarrier_test_wait:
            case Opcode::mbarrier_try_wait:
            case Opcode::cp_async_mbarrier_arrive:
            case Opcode::cp_async_mbarrier_arrive_noinc: return barrier_object(micro, instruction);
            case Opcode::activemask: return across_lanes(micro, instruction, Kind::active_mask);
            case Opcode::redux: return across_lanes(micro, instruction, Kind::reduce);
            case Opcode::membar:
            case Opcode::fence:
                micro.kind = Kind::fence;
                code_.releases = true;
                return true;
            case Opcode::prefetch:
            case Opcode::prefetchu:
            case Opcode::nanosleep:
            case Opcode::cp_async_commit_group:
            case Opcode::cp_async_wait_group:
            case Opcode::cp_async_wait_all:
            case Opcode::brkpt: micro.kind = Kind::nothing; return true;
            default: return compute(micro, instruction);
        }
    }

    Kind kind_of_return() const { return function_->entry ? Kind::exit : Kind::give_back; }

    Pc join_of(const Instruction& instruction) const {
        return instruction.reconvergence == ptx::no_instruction ? no_pc : begins_[number_] + instruction.reconvergence;
    }

    bool compute(Micro& micro, const Instruction& instruction) {
        if (reads_clock(instruction)) {
            micro.kind = Kind::clock;
            return add_destination(micro, instruction.operands[0]) || refuse(instruction, {});
        }
        if (const Operand& operand = instruction.operands[1];
            operand.kind == Operand::Kind::address && base_of(operand)) {
            return address_in_frame(micro, instruction);
        }
        const std::optional<Operation> operation = find_operation(*function_, instruction);
        if (!operation) return refuse(instruction, {});
        micro.kind = Kind::compute;
        micro.function = operation->function;
        micro.slots.constant = operation->constant;

        std::vector<Operand> written = flat(instruction, 0, instruction.destination_count);
        if (instruction.operands[0].paired.valid()) {
            Operand paired;
            paired.kind = Operand::Kind::reg;
            paired.reg = instruction.operands[0].paired;
            written.push_back(paired);
        }
        std::vector<Operand> read = flat(instruction, instruction.destination_count, instruction.operand_count);
        Operand carry;
        carry.kind = Operand::Kind::reg;
        carry.reg = function_->carry;
        if (instruction.modifiers.carry_in) read.push_back(carry);
        if (instruction.modifiers.carry_out) written.push_back(carry);
        return destinations(micro, instruction, *operation, written) && sources(micro, instruction, *operation, read);
    }

    /// mov of the address of a variable in a reentrant function's frame: the frame's begin and an offset, added.
    bool address_in_frame(Micro& micro, const Instruction& instruction) {
        const Operand& variable = instruction.operands[1];
        Instruction sum;
        sum.opcode = Opcode::add;
        sum.modifiers.type = ptx::Type::u64;
        const std::optional<Operation> operation = find_operation(*function_, sum);
        if (instruction.opcode != Opcode::mov || !operation) return refuse(instruction, {});
        micro.kind = Kind::compute;
        micro.function = operation->function;
        if (!destinations(micro, instruction, *operation, {instruction.operands[0]})) return false;
        micro.derived_source.fill(not_derived_slot);
        micro.slots.source[0] = base_of(variable)->slot;
        micro.slots.source[1] = file_.constant(Row::wide, address_of(variable)).slot;
        return true;
    }

    bool destinations(Micro& micro, const Instruction& instruction, const Operation& operation,
                      const std::vector<Operand>& written) {
        micro.derived_destination = scratch_word_slot;
        for (std::size_t i = 0; i < operation.destination.size(); ++i) {
            micro.slots.destination[i] = scratch_word_slot;
            if (operation.destination[i] == Row::none || i >= written.size()) continue;
            if (written[i].kind == Operand::Kind::sink && operation.destination[i] == Row::predicate) continue;
            if (!add_destination(micro, written[i])) return refuse(instruction, "its destination is no register");
            const Destination& destination = code_.destinations.back();
            if (destination.row != operation.destination[i]) {
                return refuse(instruction, "its destination is not of the instruction's width");
            }
            micro.slots.destination[i] = destination.slot;
            if (micro.destination_count == 1) micro.derived_destination = destination.derived;
        }
        micro.simple = micro.destination_count <= 1;
        return true;
    }

    bool sources(Micro& micro, const Instruction& instruction, const Operation& operation,
                 const std::vector<Operand>& read) {
        micro.derived_source.fill(not_derived_slot);
        for (std::size_t i = 0; i < operation.source.size(); ++i) {
            if (operation.source[i] == Row::none) continue;
            if (i >= read.size()) return refuse(instruction, "it lacks an operand");
            const std::optional<Value> value = source(read[i], operation.source[i]);
            if (!value)
                return refuse(instruction, fmt::format("its source {} is not of the instruction's width", i + 1));
            micro.slots.source[i] = value->slot;
            micro.slots.invert |= value->invert;
            micro.derived_source[i] = value->derived;
            if (i >= 3) micro.simple = false;
        }
        return true;
    }

    // Memory --------------------------------------------------------------------------------------------------

    /// Fills space, base and offset from the memory operand.
    bool place(MemoryAccess& access, const Instruction& instruction, const Operand& operand) {
        access.space = instruction.modifiers.space;
        if (operand.reg.valid()) {
            access.base = file_.value(number_, operand.reg);
            if (access.base->row != Row::narrow && access.base->row != Row::wide) {
                return refuse(instruction, "its address is neither 32 nor 64 bits wide");
            }
        }
        access.offset = address_of(operand);
        if (operand.variable == Operand::no_variable) return true;
        access.base = base_of(operand);
        const ptx::Variable& variable = *ptx::variable_of(module_, *function_, operand);
        access.call_parameter =
            variable.space == ptx::Space::param && !(function_->entry && operand.owner == Operand::Owner::parameter);
        // A generic access may name a variable: its address there is the generic one.
        if (access.space == ptx::Space::generic) access.offset += window_of(variable.space);
        return true;
    }

    bool memory(Micro& micro, const Instruction& instruction, Kind kind) {
        const bool loads = kind == Kind::load;
        MemoryAccess access;
        access.type = instruction.modifiers.type;
        access.bytes = static_cast<std::uint8_t>(ptx::bytes_of(access.type));
        if (access.bytes > 8) return refuse(instruction, "128 bits in one register");
        access.elements = instruction.modifiers.vector;
        access.sign_extends = ptx::is_signed(access.type);
        access.access = loads ? model::Access::load : model::Access::store;
        order(access, instruction);
        if (!place(access, instruction, instruction.operands[loads ? 1 : 0])) return false;

        const std::vector<Operand> values = loads ? flat(instruction, 0, 1) : flat(instruction, 1, 2);
        for (unsigned element = 0; element < access.elements; ++element) {
            const Operand& operand = values[element];
            if (loads && operand.kind == Operand::Kind::sink) continue;
            if (loads) {
                if (!add_destination(micro, operand)) return refuse(instruction, "its destination is no register");
                const Destination& destination = code_.destinations.back();
                access.values[element] = {
                    .row = destination.row, .slot = destination.slot, .derived = destination.derived};
                access.value_bytes[element] = destination.bytes;
                continue;
            }
            const Row row =
                operand.kind == Operand::Kind::reg ? file_.value(number_, operand.reg).row : row_of_bytes(access.bytes);
            const std::optional<Value> value = source(operand, row);
            if (!value) return refuse(instruction, "its value is none");
            access.values[element] = *value;
        }
        micro.kind = kind;
        micro.access = add(std::move(access));
        return true;
    }

    /// What the access means to other threads (PTX ISA 8.4, 9.7.9.8, 9.7.13.5): an atomic is relaxed where it says nothing.
    void order(MemoryAccess& access, const Instruction& instruction) {
        const ptx::Modifiers& modifiers = instruction.modifiers;
        const bool is_atomic = access.atomic != ptx::Atomic::none;
        access.strong = is_atomic || modifiers.is_volatile || modifiers.order != ptx::Order::weak;
        const bool both = modifiers.order == ptx::Order::acq_rel || modifiers.order == ptx::Order::sc;
        access.acquires = both || modifiers.order == ptx::Order::acquire;
        access.releases = both || modifiers.order == ptx::Order::release;
        code_.releases = code_.releases || access.releases;
        const bool reads = instruction.opcode == Opcode::ld || instruction.opcode == Opcode::atom;
        const bool beyond_block = access.space == ptx::Space::global || access.space == ptx::Space::generic;
        code_.communicates = code_.communicates || (access.strong && reads && beyond_block);
        code_.speaks = code_.speaks || (access.strong && beyond_block);
    }

    std::uint32_t add(MemoryAccess access) {
        code_.accesses.push_back(std::move(access));
        return static_cast<std::uint32_t>(code_.accesses.size() - 1);
    }

    bool atomic(Micro& micro, const Instruction& instruction) {
        const bool has_result = instruction.opcode == Opcode::atom;
        const unsigned address = has_result ? 1 : 0;
        MemoryAccess access;
        access.atomic = instruction.modifiers.atomic;
        access.type = instruction.modifiers.type;
        access.bytes = static_cast<std::uint8_t>(ptx::bytes_of(access.type));
        if (access.bytes > 8 || access.bytes < 2) return refuse(instruction, {});
        if (!place(access, instruction, instruction.operands[address])) return false;
        order(access, instruction);
        access.has_result = has_result && instruction.operands[0].kind == Operand::Kind::reg;
        if (access.has_result) {
            if (!add_destination(micro, instruction.operands[0])) return refuse(instruction, {});
            const Destination& destination = code_.destinations.back();
            access.values[1] = {.row = destination.row, .slot = destination.slot, .derived = destination.derived};
        }
        const Row row = row_of_bytes(access.bytes);
        const bool compares = access.atomic == ptx::Atomic::cas;
        const Operand& operand = instruction.operands[address + (compares ? 2U : 1U)];
        const std::optional<Value> value = source(operand, row);
        const std::optional<Value> compare =
            compares ? source(instruction.operands[address + 1U], row) : std::optional<Value>(Value{});
        if (!value || !compare) return refuse(instruction, "its operands are not of the instruction's width");
        access.values[0] = *value;
        access.compare = *compare;
        access.access = ptx_atomic_access(*function_, instruction);
        micro.kind = Kind::atomic;
        micro.access = add(std::move(access));
        return true;
    }

    /// cp.async {dst}, {src}, bytes {, bytes read}: through rows that no register has.
    bool copy(Micro& micro, const Instruction& instruction) {
        const std::uint64_t bytes = instruction.operands[2].immediate;
        if (bytes != 4 && bytes != 8 && bytes != 16) return refuse(instruction, "it copies 4, 8 or 16 bytes");
        MemoryAccess load;
        load.type = bytes == 4 ? ptx::Type::b32 : ptx::Type::b64;
        load.bytes = static_cast<std::uint8_t>(ptx::bytes_of(load.type));
        load.elements = bytes == 16 ? 2 : 1;
        for (unsigned element = 0; element < load.elements; ++element) {
            load.values[element] = file_.temporary(element);
            load.value_bytes[element] = 8;
        }
        MemoryAccess store = load;
        if (!place(load, instruction, instruction.operands[1]) || !place(store, instruction, instruction.operands[0]))
            return false;
        load.space = ptx::Space::global;
        load.access = model::Access::load;
        store.access = model::Access::store;
        if (instruction.operand_count > 3) {
            const std::optional<Value> read = source(instruction.operands[3], Row::narrow);
            if (!read) return refuse(instruction, {});
            micro.operands[0] = *read;
        }
        micro.kind = Kind::copy;
        micro.access = add(std::move(load));
        add(std::move(store));
        return true;
    }

    bool barrier_object(Micro& micro, const Instruction& instruction) {
        const unsigned address = instruction.destination_count;
        MemoryAccess access;
        access.type = ptx::Type::b64;
        access.bytes = 8;
        access.barrier_object = &instruction;
        // An arrival releases and a wait acquires, at the scope of the block at least (9.7.13.15.13, 9.7.13.15.16).
        access.strong = access.acquires = access.releases = true;
        access.access = model::Access::atomic;
        if (!place(access, instruction, instruction.operands[address])) return false;
        access.values[0] = file_.constant(Row::narrow, 1);
        if (instruction.operand_count > address + 1U) {
            const Operand& operand = instruction.operands[address + 1U];
            const bool token = operand.type == ptx::Type::b64;
            const std::optional<Value> value = source(operand, token ? Row::wide : Row::narrow);
            if (!value) return refuse(instruction, "its operand is not of the instruction's width");
            access.values[0] = *value;
        }
        access.has_result = address == 1 && instruction.operands[0].kind == Operand::Kind::reg;
        if (access.has_result) {
            if (!add_destination(micro, instruction.operands[0])) return refuse(instruction, {});
            const Destination& destination = code_.destinations.back();
            access.values[1] = {.row = destination.row, .slot = destination.slot, .derived = destination.derived};
        }
        micro.kind = Kind::atomic;
        micro.access = add(std::move(access));
        return true;
    }

    /// How the hardware does it (README, "How conflicts are counted").
    static model::Access ptx_atomic_access(const ptx::Function& function, const Instruction& instruction) {
        const ptx::Modifiers& modifiers = instruction.modifiers;
        if (modifiers.atomic == ptx::Atomic::cas) return model::Access::compare_and_swap;
        if (modifiers.atomic != ptx::Atomic::add) return model::Access::atomic;
        if (ptx::is_float(modifiers.type) || ptx::bytes_of(modifiers.type) == 8) return model::Access::atomic_loop;
        const Operand& added = instruction.operands[instruction.operand_count - 1U];
        const bool drops_result = instruction.opcode == Opcode::red || !is_read(function, instruction.operands[0]);
        return drops_result && is_one(function, added) ? model::Access::atomic_add_one : model::Access::atomic;
    }

    static bool is_read(const ptx::Function& function, const Operand& destination) {
        if (destination.kind != Operand::Kind::reg) return false;
        return std::ranges::any_of(function.instructions, [&](const Instruction& other) {
            const ptx::Uses uses = ptx::uses_of(function, other);
            return std::ranges::find(uses.data, destination.reg) != uses.data.end() ||
                   std::ranges::find(uses.address, destination.reg) != uses.address.end();
        });
    }

    /// The constant 1, or a register that is nothing else.
    static bool is_one(const ptx::Function& function, const Operand& operand) {
        if (operand.kind == Operand::Kind::immediate) return operand.immediate == 1;
        if (operand.kind != Operand::Kind::reg) return false;
        for (const Instruction& other : function.instructions) {
            const std::vector<RegisterId> defined = ptx::definitions_of(function, other);
            if (std::ranges::find(defined, operand.reg) == defined.end()) continue;
            if (other.opcode != Opcode::mov || other.guard || !is_one_immediate(other.operands[1])) return false;
        }
        return true;
    }
    static bool is_one_immediate(const Operand& operand) {
        return operand.kind == Operand::Kind::immediate && operand.immediate == 1;
    }

    // Control and what works across lanes ---------------------------------------------------------------------

    bool branch_indexed(Micro& micro, const Instruction& instruction) {
        const std::optional<Value> index = source(instruction.operands[0], Row::narrow);
        if (!index) return refuse(instruction, {});
        micro.kind = Kind::branch_indexed;
        micro.operands[0] = *index;
        micro.join = join_of(instruction);
        micro.first_target = static_cast<std::uint32_t>(code_.targets.size());
        const Operand& labels = instruction.operands[1];
        micro.target_count = labels.elements;
        for (std::uint32_t label = 0; label < labels.elements; ++label) {
            code_.targets.push_back(begins_[number_] + function_->vector_elements[labels.first + label].target);
        }
        return true;
    }

    bool call(Micro& micro, const Instruction& instruction) {
        const auto places = [&](const Operand& list) {
            std::vector<FramePlace> result;
            for (const Operand& element : std::span(function_->vector_elements).subspan(list.first, list.elements)) {
                result.push_back({address_of(element), ptx::variable_of(module_, *function_, element)->bytes});
            }
            return result;
        };
        Call result{.caller = number_,
                    .arguments = places(instruction.operands[2]),
                    .results = places(instruction.operands[0])};
        const Operand& target = instruction.operands[1];
        if (target.kind == Operand::Kind::function) {
            result.callee = file_.number_of(module_.functions[target.function]);
        } else {
            const std::optional<Value> pointer = source(target, Row::wide);
            if (!pointer) return refuse(instruction, "its pointer is not of 64 bits");
            result.target = *pointer;
        }
        micro.kind = Kind::call;
        micro.access = static_cast<std::uint32_t>(code_.calls.size());
        code_.calls.push_back(std::move(result));
        return true;
    }

    bool barrier(Micro& micro, const Instruction& instruction) {
        micro.kind = Kind::barrier;
        const bool reduces = instruction.modifiers.barrier == ptx::Barrier::red;
        unsigned next = 0;
        if (reduces && !add_destination(micro, instruction.operands[next++])) return refuse(instruction, {});
        const unsigned last = instruction.operand_count - (reduces ? 1U : 0U);
        for (unsigned i = 0; next < last; ++i, ++next) {
            const std::optional<Value> value = source(instruction.operands[next], Row::narrow);
            if (!value || i > 1) return refuse(instruction, {});
            micro.operands[i] = *value;
        }
        if (!reduces) return true;
        const std::optional<Value> predicate = source(instruction.operands[last], Row::predicate);
        if (!predicate) return refuse(instruction, {});
        micro.operands[2] = *predicate;
        return true;
    }

    bool across_lanes(Micro& micro, const Instruction& instruction, Kind kind) {
        micro.kind = kind;
        for (unsigned i = 0; i < instruction.destination_count; ++i) {
            if (!add_destination(micro, instruction.operands[i])) return refuse(instruction, {});
        }
        if (instruction.destination_count > 0 && instruction.operands[0].paired.valid()) {
            code_.destinations.push_back(file_.destination(number_, instruction.operands[0].paired));
            ++micro.destination_count;
        }
        for (unsigned i = instruction.destination_count; i < instruction.operand_count; ++i) {
            const bool predicate = kind == Kind::vote && i == instruction.destination_count;
            const bool value = kind == Kind::match && i == instruction.destination_count;
            const Row row = predicate ? Row::predicate
                            : value   ? row_of_bytes(ptx::bytes_of(instruction.modifiers.type))
                                      : Row::narrow;
            const std::optional<Value> operand = source(instruction.operands[i], row);
            if (!operand) return refuse(instruction, "its operands are not of the instruction's width");
            micro.operands[i - instruction.destination_count] = *operand;
        }
        micro.gathers = kind != Kind::active_mask;
        micro.mask_operand = static_cast<std::uint8_t>(instruction.operand_count - instruction.destination_count - 1U);
        return true;
    }

    const ptx::Module& module_;
    const VariableAddresses& addresses_;
    Frames frames_;
    RegisterFile file_;
    Code code_;
    std::vector<Pc> begins_;  ///< of each function reached
    std::uint32_t number_ = 0;
    const ptx::Function* function_ = nullptr;
    Problem problem_;
};

}  // namespace

std::uint32_t Code::source_line(const Micro& micro) const {
    if (micro.instruction == nullptr) return 0;
    for (std::uint32_t at = micro.instruction->place; at != ptx::SourcePlace::none;) {
        const ptx::SourcePlace& place = module->places[at];
        if (place.file == users_file || users_file == 0) return place.line;
        at = place.inlined_at;
    }
    return 0;
}

bool Code::in_users_file(const Micro& micro) const {
    if (users_file == 0) return true;
    if (micro.instruction == nullptr || micro.instruction->place == ptx::SourcePlace::none) return false;
    return module->places[micro.instruction->place].file == users_file;
}

Pc Code::blamed(const Paths& paths, Pc pc, const Paths::Waiting* waiting) const {
    if (source_line(micros[pc]) != 0) return pc;
    Pc found = pc;
    paths.for_each_call(waiting, [&](Pc call) {
        if (found == pc && source_line(micros[call]) != 0) found = call;
    });
    return found;
}

Result<Code> decode(const ptx::Module& module, const ptx::Function& kernel, const VariableAddresses& addresses) {
    Result<Frames> frames = lay_out_frames(module, kernel);
    if (!frames) return std::unexpected(std::move(frames.error()));
    return Decoder(module, kernel, addresses, std::move(*frames)).run();
}

}  // namespace lanescope::execute
