#include "analysis/dataflow/way_reader.h"

#include <algorithm>
#include <array>

namespace lanescope::analysis {
namespace {

using Kind = ptx::Operand::Kind;

std::uint64_t extended(std::uint64_t bits, ptx::Type type) {
    const unsigned width = 8 * ptx::bytes_of(type);
    if (width == 0 || width >= 64) return bits;
    bits &= (std::uint64_t{1} << width) - 1;
    if (ptx::is_signed(type) && ((bits >> (width - 1)) & 1U) != 0) bits |= ~std::uint64_t{0} << width;
    return bits;
}

class WayReader {
  public:
    WayReader(const WayKnowledge& known, const FlowStep& step, unsigned lane, const std::array<ValueId, 2>& compared)
        : known_(known), step_(step), lane_(lane), first_(compared[0]), second_(compared[1]) {}

    WayMoves read(std::span<const std::uint32_t> way) {
        for (const std::uint32_t at : way) {
            const ptx::Instruction& instruction = step_.function().instructions[at];
            if (instruction.meaning().group == ptx::Group::store)
                store(instruction);
            else if (instruction.destination_count > 0 && instruction.operands[0].kind == Kind::reg)
                write(instruction.operands[0].reg, result_of(instruction));
        }
        return std::move(moves_);
    }

  private:
    struct Known {
        bool bits_known = false;
        std::uint64_t bits = 0;
        ValueId copy_of;
        const ByteHistory* loaded_from = nullptr;
        bool literal = false;
    };

    ValueId held(RegisterId reg) const { return reg.valid() ? step_.held_by_own(reg, lane_) : ValueId{}; }
    Known value_in(RegisterId reg) const {
        for (auto at = written_.rbegin(); at != written_.rend(); ++at)
            if (at->first == reg) return at->second;
        const ValueId value = held(reg);
        if (!value.valid()) return {};
        const Lineage& like = known_.lineages[value];
        return {true, known_.values[value].bits, value, like.loaded_from, like.literal};
    }
    Known operand(const ptx::Operand& of) const {
        if (of.kind == Kind::reg) return value_in(of.reg);
        if (of.kind == Kind::immediate) return {true, of.immediate, {}, nullptr, true};
        if (of.kind == Kind::address) {
            if (const auto address = known_.addresses.of(step_.function(), of))
                return {true, *address, {}, nullptr, false};
        }
        return {};
    }
    Known result_of(const ptx::Instruction& instruction) const {
        const ptx::Modifiers& modifiers = instruction.modifiers;
        const auto source = [&](unsigned i) { return operand(instruction.operands[1 + i]); };
        const auto whole = [&](auto compute) {
            Known result;
            const unsigned sources = instruction.operand_count - 1U;
            std::array<std::uint64_t, 3> bits{};
            for (unsigned i = 0; i < std::min(sources, 3U); ++i) {
                const Known from = source(i);
                if (!from.bits_known) return result;
                bits[i] = extended(from.bits, modifiers.type);
            }
            result.bits_known = true;
            result.bits = compute(bits);
            if (modifiers.width != ptx::Width::wide) {
                const unsigned width = 8 * ptx::bytes_of(modifiers.type);
                if (width < 64) result.bits &= (std::uint64_t{1} << width) - 1;
            }
            return result;
        };
        if (instruction.guard || ptx::is_float(modifiers.type)) {
            const bool moves = !instruction.guard && (instruction.opcode == ptx::Opcode::mov ||
                                                      instruction.meaning().group == ptx::Group::load);
            if (!moves) return {};
        }
        switch (instruction.opcode) {
            case ptx::Opcode::mov: return source(0);
            case ptx::Opcode::cvt: {
                Known result = source(0);
                result.bits = extended(result.bits, modifiers.source_type);
                const unsigned width = 8 * ptx::bytes_of(modifiers.type);
                if (width < 64) result.bits &= (std::uint64_t{1} << width) - 1;
                return result;
            }
            case ptx::Opcode::cvta: {
                Known result = source(0);
                const auto window = known_.addresses.window(modifiers.space);
                if (modifiers.space == ptx::Space::shared || modifiers.space == ptx::Space::local) {
                    result.bits_known = result.bits_known && window.has_value();
                    if (window) result.bits += modifiers.to ? ~*window + 1 : *window;
                }
                return result;
            }
            case ptx::Opcode::add: return whole([](const auto& of) { return of[0] + of[1]; });
            case ptx::Opcode::sub: return whole([](const auto& of) { return of[0] - of[1]; });
            case ptx::Opcode::mul:
                if (modifiers.width == ptx::Width::hi) return {};
                return whole([](const auto& of) { return of[0] * of[1]; });
            case ptx::Opcode::and_: return whole([](const auto& of) { return of[0] & of[1]; });
            case ptx::Opcode::or_: return whole([](const auto& of) { return of[0] | of[1]; });
            case ptx::Opcode::xor_: return whole([](const auto& of) { return of[0] ^ of[1]; });
            case ptx::Opcode::shl: return whole([](const auto& of) { return of[1] < 64 ? of[0] << of[1] : 0; });
            case ptx::Opcode::ld: return loaded(instruction);
            default: return {};
        }
    }

    std::optional<MemoryPlace> place(const ptx::Operand& memory, const ptx::Modifiers& modifiers) const {
        std::uint64_t address = static_cast<std::uint64_t>(memory.offset);
        if (memory.reg.valid()) {
            const Known base = value_in(memory.reg);
            if (!base.bits_known) return std::nullopt;
            address += base.bits;
        } else {
            const auto variable = known_.addresses.of(step_.function(), memory);
            if (!variable) return std::nullopt;
            address = *variable;
        }
        const unsigned bytes = std::max(ptx::bytes_of(modifiers.type), 1U);
        const auto in = [&](trace::Space space, std::uint64_t at) -> std::optional<MemoryPlace> {
            const MemoryPlace found = known_.memory.place_at(space, at, bytes, step_.thread(lane_));
            return found.memory != nullptr ? std::optional(found) : std::nullopt;
        };
        switch (modifiers.space) {
            case ptx::Space::shared: return in(trace::Space::shared, address);
            case ptx::Space::local: return in(trace::Space::local, address);
            case ptx::Space::global: return in(trace::Space::global, address);
            case ptx::Space::generic: break;
            default: return std::nullopt;
        }
        const auto [space, at] = known_.addresses.in_space(address);
        return in(space, at);
    }

    Known loaded(const ptx::Instruction& instruction) const {
        if (instruction.modifiers.vector > 1) return {};
        const auto from = place(instruction.operands[1], instruction.modifiers);
        if (!from) return {};
        const ValueId value = from->memory->newest(from->offset);
        if (!value.valid()) return {};
        const TracedValue& there = known_.values[value];
        return {there.bytes == ptx::bytes_of(instruction.modifiers.type), there.bits, value, from->memory,
                known_.lineages[value].literal};
    }

    void move(const Known& value, ValueId holder, const ByteHistory* into) {
        if (holder.valid() && into != nullptr) moves_.replaced.push_back(holder);
        if (!value.copy_of.valid()) return;
        const ValueId is = known_.lineages.root(value.copy_of);
        if (is != first_ && is != second_) return;
        moves_.first = moves_.first || is == first_;
        moves_.second = moves_.second || is == second_;
        const ValueId was = holder.valid() ? known_.lineages.root(holder) : ValueId{};
        if (was.valid() && (was == first_ || was == second_)) moves_.replaces = true;
        if (into != nullptr && into == value.loaded_from) moves_.replaces = true;
    }
    void write(RegisterId reg, const Known& value) {
        written_.emplace_back(reg, value);
        const bool guarded = step_.instruction().action() != ptx::Action::jump;
        if (!guarded && !known_.regions.merges(step_.function(), reg)) return;
        move(value, held(reg), nullptr);
        std::erase_if(moves_.written, [&](const auto& earlier) { return earlier.first == reg; });
        moves_.written.emplace_back(reg, value.literal ? std::optional(value.bits) : std::nullopt);
    }
    void store(const ptx::Instruction& instruction) {
        const ptx::Operand& data = instruction.operands[1];
        const auto to = place(instruction.operands[0], instruction.modifiers);
        if (data.kind == Kind::vector) return;
        const Known value = operand(data);
        const ValueId holder = to ? to->memory->newest(to->offset) : ValueId{};
        move(value, holder, to ? to->memory : nullptr);
        if (holder.valid() && value.literal && known_.lineages.is_literal_flag(holder) &&
            known_.values[holder].bits != value.bits)
            moves_.flag_cells.push_back(holder);
    }

    const WayKnowledge& known_;
    const FlowStep& step_;
    unsigned lane_;
    ValueId first_, second_;
    std::vector<std::pair<RegisterId, Known>> written_;
    WayMoves moves_;
};

}  // namespace

WayMoves moves_on_way(const WayKnowledge& known, const FlowStep& step, unsigned lane,
                      const std::array<ValueId, 2>& compared, std::span<const std::uint32_t> way) {
    return WayReader(known, step, lane, compared).read(way);
}

}  // namespace lanescope::analysis
