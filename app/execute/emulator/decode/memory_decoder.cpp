// An access takes its space, base and offset from the memory operand, and its order from the modifiers.
#include "execute/emulator/decode/memory_decoder.h"

#include "execute/emulator/decode/register_facts.h"
#include "ptx/access.h"

#include <algorithm>

namespace lanescope::execute {

using ptx::Instruction;
using ptx::Operand;

void MemoryDecoder::enter_function() {
    used_ = used_bits(state_.module, *state_.function);
    definitions_.assign(state_.function->registers.size(), 0);
    for (const Instruction& instruction : state_.function->instructions) {
        for (const RegisterId reg : ptx::definitions_of(*state_.function, instruction)) ++definitions_[reg.index()];
    }
}

void MemoryDecoder::note_use(MemoryAccess& load, unsigned element, RegisterId reg) const {
    std::uint64_t used = used_[reg.index()];
    const unsigned bits = 8U * load.bytes;
    // A sign extension copies the highest bit, so that bit represents the extended ones.
    if (load.sign_extends && bits < 64 && used >> bits != 0) used |= std::uint64_t{1} << (bits - 1U);
    for (unsigned byte = 0; byte < load.bytes; ++byte) {
        if ((used >> (8 * byte) & 0xFFU) != 0) load.used_bytes |= 1U << (element * load.bytes + byte);
    }
    const bool again = state_.frame().reentrant;  // an inner call has its own values in the same registers
    if (!again && definitions_[reg.index()] == 1) load.keeps_uninitialized |= static_cast<std::uint8_t>(1U << element);
}

bool MemoryDecoder::memory(Micro& micro, const Instruction& instruction, Kind kind) {
    const bool loads = kind == Kind::load;
    MemoryAccess access;
    access.type = instruction.modifiers.type;
    access.bytes = static_cast<std::uint8_t>(ptx::bytes_of(access.type));
    if (access.bytes > 8) return state_.refuse(instruction, "it moves 128 bits into one register");
    access.elements = instruction.modifiers.vector;
    access.sign_extends = ptx::is_signed(access.type);
    access.access = loads ? ptx::access_of_load(instruction) : model::Access::store;
    if (loads) access.used_bytes = 0;
    order(access, instruction);
    if (!place(access, instruction, instruction.operands[loads ? 1 : 0])) return false;

    const std::vector<Operand> values = loads ? operands_.flat(instruction, 0, 1) : operands_.flat(instruction, 1, 2);
    for (unsigned element = 0; element < access.elements; ++element) {
        const Operand& operand = values[element];
        if (loads && operand.kind == Operand::Kind::sink) continue;
        if (loads) {
            if (!operands_.add_destination(micro, operand))
                return state_.refuse(instruction, "its destination is not a register");
            const Destination& destination = state_.code.destinations.back();
            access.values[element] = {
                .row = destination.row, .slot = destination.slot, .input_dependent = destination.input_dependent};
            access.value_bytes[element] = destination.bytes;
            note_use(access, element, operand.reg);
            continue;
        }
        const Row row = operand.kind == Operand::Kind::reg ? state_.file.value(state_.number, operand.reg).row
                                                           : row_of_bytes(access.bytes);
        const std::optional<Value> value = operands_.source(operand, row);
        if (!value) return state_.refuse(instruction, "its value is neither a register nor a constant");
        access.values[element] = *value;
    }
    micro.kind = kind;
    micro.access = add(access);
    return true;
}

bool MemoryDecoder::place(MemoryAccess& access, const Instruction& instruction, const Operand& operand) {
    access.space = instruction.modifiers.space;
    if (operand.reg.valid()) {
        access.base = state_.file.value(state_.number, operand.reg);
        if (access.base->row != Row::narrow && access.base->row != Row::wide) {
            return state_.refuse(instruction, "its address is neither 32 nor 64 bits wide");
        }
    }
    access.offset = operands_.address_of(operand);
    if (operand.variable == Operand::no_variable) return true;
    access.base = operands_.base_of(operand);
    const ptx::Variable& variable = *ptx::variable_of(state_.module, *state_.function, operand);
    if (variable.space == ptx::Space::shared && !variable.dynamic()) access.array = &variable;
    access.call_parameter =
        variable.space == ptx::Space::param && !(state_.function->entry && operand.owner == Operand::Owner::parameter);
    // A generic access may name a variable: its operand is the generic address.
    if (access.space == ptx::Space::generic) access.offset += window_of(variable.space);
    return true;
}

void MemoryDecoder::order(MemoryAccess& access, const Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    const bool is_atomic = access.atomic != ptx::Atomic::none;
    access.strong = is_atomic || modifiers.is_volatile || modifiers.order != ptx::Order::weak;
    const bool both = modifiers.order == ptx::Order::acq_rel || modifiers.order == ptx::Order::sc;
    access.acquires = both || modifiers.order == ptx::Order::acquire;
    access.releases = both || modifiers.order == ptx::Order::release;
    access.within_block = modifiers.scope == ptx::Scope::cta || modifiers.scope == ptx::Scope::cluster;
    state_.code.releases = state_.code.releases || access.releases;
    state_.arrives_at_grid = state_.arrives_at_grid || (is_atomic && access.releases && !access.within_block);
    const bool reads = instruction.destination_count > 0;
    const bool beyond_block = access.space == ptx::Space::global || access.space == ptx::Space::generic;
    state_.code.communicates = state_.code.communicates || (access.strong && reads && beyond_block);
    state_.code.signals_other_blocks = state_.code.signals_other_blocks || (access.strong && beyond_block);
}

std::uint32_t MemoryDecoder::add(MemoryAccess access) {
    state_.code.accesses.push_back(access);
    return static_cast<std::uint32_t>(state_.code.accesses.size() - 1);
}

bool MemoryDecoder::atomic(Micro& micro, const Instruction& instruction) {
    const bool has_result = instruction.destination_count > 0;
    const unsigned address = has_result ? 1 : 0;
    MemoryAccess access;
    access.atomic = instruction.modifiers.atomic;
    access.type = instruction.modifiers.type;
    access.bytes = static_cast<std::uint8_t>(ptx::bytes_of(access.type));
    if (access.bytes > 8 || access.bytes < 2) return state_.refuse(instruction, {});
    if (!place(access, instruction, instruction.operands[address])) return false;
    order(access, instruction);
    access.has_result = has_result && instruction.operands[0].kind == Operand::Kind::reg;
    if (access.has_result) {
        if (!operands_.add_destination(micro, instruction.operands[0])) return state_.refuse(instruction, {});
        const Destination& destination = state_.code.destinations.back();
        access.values[1] = {
            .row = destination.row, .slot = destination.slot, .input_dependent = destination.input_dependent};
    }
    const Row row = row_of_bytes(access.bytes);
    const bool compares = access.atomic == ptx::Atomic::cas;
    const Operand& operand = instruction.operands[address + (compares ? 2U : 1U)];
    const std::optional<Value> value = operands_.source(operand, row);
    const std::optional<Value> compare =
        compares ? operands_.source(instruction.operands[address + 1U], row) : std::optional<Value>(Value{});
    if (!value || !compare) return state_.refuse(instruction, "its operands do not have the instruction's width");
    access.values[0] = *value;
    access.compare = *compare;
    access.access = ptx::access_of_atomic(*state_.function, instruction);
    micro.kind = Kind::atomic;
    micro.access = add(access);
    return true;
}

bool MemoryDecoder::copy(Micro& micro, const Instruction& instruction) {
    const std::uint64_t bytes = instruction.operands[2].immediate;
    if (bytes != 4 && bytes != 8 && bytes != 16) return state_.refuse(instruction, "it copies 4, 8 or 16 bytes only");
    // Word by word, so that a trace says which word came from where.
    MemoryAccess load;
    load.type = ptx::Type::b32;
    load.elements = static_cast<std::uint8_t>(bytes / load.bytes);
    for (unsigned element = 0; element < load.elements; ++element) {
        load.values[element] = state_.file.temporary(element);
        load.value_bytes[element] = 8;
    }
    MemoryAccess store = load;
    if (!place(load, instruction, instruction.operands[1]) || !place(store, instruction, instruction.operands[0]))
        return false;
    load.space = ptx::Space::global;
    load.access = model::Access::load;
    store.access = model::Access::store;
    if (instruction.operand_count > 3) {
        const std::optional<Value> read = operands_.source(instruction.operands[3], Row::narrow);
        if (!read) return state_.refuse(instruction, {});
        micro.operands[0] = *read;
        micro.operands[1] = state_.file.temporary(load.elements);
    }
    micro.kind = Kind::copy;
    micro.access = add(load);
    add(store);
    // Parts of the load, for lanes that read fewer bytes: by halves.
    for (std::uint64_t part = bytes / 2; part > 0 && instruction.operand_count > 3; part /= 2) {
        load.bytes = static_cast<std::uint8_t>(std::min<std::uint64_t>(part, 4));
        load.type = part >= 4 ? ptx::Type::b32 : part == 2 ? ptx::Type::b16 : ptx::Type::b8;
        load.elements = static_cast<std::uint8_t>(part / load.bytes);
        add(load);
    }
    return true;
}

bool MemoryDecoder::barrier_object(Micro& micro, const Instruction& instruction) {
    const unsigned address = instruction.destination_count;
    MemoryAccess access;
    access.type = ptx::Type::b64;
    access.bytes = 8;
    access.barrier_object = &instruction;
    // An arrival releases and a wait acquires, at the scope of the block (9.7.13.15.13, 9.7.13.15.16).
    // Initializing or invalidating the object orders nothing and is not ordered (9.7.13.15.9, 9.7.13.15.10).
    const ptx::Action action = instruction.action();
    const bool makes = action == ptx::Action::mbarrier_init || action == ptx::Action::mbarrier_inval;
    const bool waits = action == ptx::Action::mbarrier_wait;
    access.strong = !makes;
    access.acquires = waits;
    access.releases = !makes && !waits;
    access.within_block = true;
    access.access = model::Access::atomic;
    if (!place(access, instruction, instruction.operands[address])) return false;
    access.values[0] = state_.file.constant(Row::narrow, 1);
    if (instruction.operand_count > address + 1U) {
        const Operand& operand = instruction.operands[address + 1U];
        const bool token = operand.type == ptx::Type::b64;
        const std::optional<Value> value = operands_.source(operand, token ? Row::wide : Row::narrow);
        if (!value) return state_.refuse(instruction, "its operand does not have the instruction's width");
        access.values[0] = *value;
    }
    access.has_result = address == 1 && instruction.operands[0].kind == Operand::Kind::reg;
    if (access.has_result) {
        if (!operands_.add_destination(micro, instruction.operands[0])) return state_.refuse(instruction, {});
        const Destination& destination = state_.code.destinations.back();
        access.values[1] = {
            .row = destination.row, .slot = destination.slot, .input_dependent = destination.input_dependent};
    }
    micro.kind = Kind::atomic;
    micro.access = add(access);
    return true;
}

std::optional<TexelAccess> MemoryDecoder::texels(const Instruction& instruction, const Operand& operand) {
    TexelAccess texels;
    texels.handle = state_.file.value(state_.number, operand.reg);
    texels.address = state_.file.temporary(0);
    texels.dimensions = instruction.modifiers.dimensions;
    for (unsigned i = 0; i < texels.dimensions; ++i) {
        const Operand& coordinate = state_.function->vector_elements[operand.first + i];
        const std::optional<Value> value = operands_.source(coordinate, Row::narrow);
        if (!value) return std::nullopt;
        texels.coordinates[i] = *value;
    }
    return texels;
}

std::optional<Value> MemoryDecoder::destination(Micro& micro, const Operand& operand) {
    if (operand.kind == Operand::Kind::sink) return Value{};
    if (!operands_.add_destination(micro, operand)) return std::nullopt;
    const Destination& to = state_.code.destinations.back();
    return Value{.row = to.row, .slot = to.slot, .input_dependent = to.input_dependent};
}

/// The size of a texel is a property of the texture object, so the interpreter sets it in each access.
bool MemoryDecoder::texture(Micro& micro, const Instruction& instruction) {
    std::optional<TexelAccess> fetch = texels(instruction, instruction.operands[1]);
    if (!fetch) return state_.refuse(instruction, "a coordinate is neither a register nor a constant");
    fetch->real_coordinates = ptx::is_float(instruction.modifiers.source_type);
    const std::vector<Operand> results = operands_.flat(instruction, 0, 1);
    MemoryAccess access{.space = ptx::Space::global, .base = fetch->address, .access = model::Access::load};
    for (unsigned i = 0; i < fetch->results.size(); ++i) {
        const std::optional<Value> to = destination(micro, results[i]);
        if (!to) return state_.refuse(instruction, "its destination is not a register");
        fetch->results[i] = *to;
        access.values[i] = state_.file.temporary(1 + i);
        access.value_bytes[i] = 8;
    }
    micro.kind = Kind::texture;
    micro.access = add(access);
    micro.texels = static_cast<std::uint32_t>(state_.code.texels.size());
    state_.code.texels.push_back(*fetch);
    return true;
}

bool MemoryDecoder::surface(Micro& micro, const Instruction& instruction, bool stores) {
    std::optional<TexelAccess> texel = texels(instruction, instruction.operands[stores ? 0 : 1]);
    if (!texel) return state_.refuse(instruction, "a coordinate is neither a register nor a constant");
    texel->stores = stores;
    texel->outside = instruction.modifiers.bound;
    MemoryAccess access{.space = ptx::Space::global, .base = texel->address};
    access.access = stores ? model::Access::store : model::Access::load;
    access.type = instruction.modifiers.type;
    access.bytes = static_cast<std::uint8_t>(ptx::bytes_of(access.type));
    access.elements = instruction.modifiers.vector;
    const std::vector<Operand> values = stores ? operands_.flat(instruction, 1, 2) : operands_.flat(instruction, 0, 1);
    for (unsigned i = 0; i < access.elements; ++i) {
        const Operand& operand = values[i];
        const Row row = operand.kind == Operand::Kind::reg ? state_.file.value(state_.number, operand.reg).row
                                                           : row_of_bytes(access.bytes);
        const std::optional<Value> value = stores ? operands_.source(operand, row) : destination(micro, operand);
        if (!value) return state_.refuse(instruction, "its value is neither a register nor a constant");
        access.values[i] = *value;
        access.value_bytes[i] = value->row == Row::wide ? 8 : 4;
        if (!stores && value->row != Row::none) access.value_bytes[i] = state_.code.destinations.back().bytes;
    }
    micro.kind = Kind::surface;
    micro.access = add(access);
    micro.texels = static_cast<std::uint32_t>(state_.code.texels.size());
    state_.code.texels.push_back(*texel);
    return true;
}

}  // namespace lanescope::execute
