// Ways in the walk of a DataFlow: which way of a branch on the data a lane is on, and what the other one would have
// moved.
#include "analysis/dataflow/data_flow.h"

#include <algorithm>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using Kind = ptx::Operand::Kind;

constexpr std::size_t most_ways = 8;  // nested branches of a lane; of more, the innermost

std::uint64_t extended(std::uint64_t bits, ptx::Type type) {
    const unsigned width = 8 * ptx::bytes_of(type);
    if (width == 0 || width >= 64) return bits;
    bits &= (std::uint64_t{1} << width) - 1;
    if (ptx::is_signed(type) && ((bits >> (width - 1)) & 1U) != 0) bits |= ~std::uint64_t{0} << width;
    return bits;
}

}  // namespace

/// Lanes that arrive where the ways of their branch meet are on neither any more. What orders threads ends the
/// knowledge of the latest comparison: the same values compared again are compared once more.
void DataFlow::leave_ways(const trace::Step& step) {
    if (block_->lanes.empty()) return;
    const ptx::Group group = line_->instruction->meaning().group;
    const bool orders = group == ptx::Group::barrier || group == ptx::Group::shuffle;
    const auto at = static_cast<std::uint32_t>(line_->instruction - line_->function->instructions.data());
    for (const unsigned lane : step.active) {
        LaneState& state = lane_state(lane);
        if (orders) state.latest = {};
        const bool returns = line_->instruction->action() == ptx::Action::return_;
        std::erase_if(state.ways,
                      [&](const Way& way) { return way.function == line_->function && (way.past == at || returns); });
    }
}

void DataFlow::follow_branch(const trace::Step& step) {
    LaneMask taken;
    for (const Effect& effect : trace_.effects(step))
        if (effect.kind == trace::EffectKind::branch) taken = effect.lanes;
    const BranchRegion* region = nullptr;
    for (const unsigned lane : step.active) {
        const ValueId predicate = held(line_->guard, lane);
        if (!predicate.valid() || !lineage(predicate).conditional) continue;
        if (region == nullptr) region = &regions_.of(*line_->function, *line_->instruction);
        branched_ = true;
        std::vector<Way>& ways = lane_state(lane).ways;
        std::erase_if(ways,
                      [&](const Way& way) { return way.function == line_->function && way.past == region->past; });
        if (ways.size() == most_ways) ways.erase(ways.begin());
        ways.push_back({.test = lineage(predicate).test,
                        .function = line_->function,
                        .past = region->past,
                        .once = !region->loops});
        Flags flags = decide(lane, predicate, {region->ways[0], region->ways[1]},
                             region->merged[taken.has(lane) ? 0 : 1], taken.has(lane), !region->loops);
        lane_state(lane).ways.back().flags = std::move(flags);
    }
}

/// An instruction with a guard is a way of its own.
void DataFlow::follow_guard(const trace::Step& step) {
    const auto at = static_cast<std::uint32_t>(line_->instruction - line_->function->instructions.data());
    for (const unsigned lane : step.active) {
        const ValueId predicate = held(line_->guard, lane);
        if (!predicate.valid() || !lineage(predicate).conditional) continue;
        const bool executes = step.executed.has(lane);
        std::vector<RegisterId> not_written;
        for (unsigned i = 0; !executes && i < line_->instruction->destination_count; ++i) {
            const ptx::Operand& to = line_->instruction->operands[i];
            if (to.kind == Kind::reg) not_written.push_back(to.reg);
        }
        // The first way is the instruction's; who executes it goes it, and has not taken the second.
        decide(lane, predicate, {std::span(&at, 1), {}}, not_written, !executes, true);
    }
}

/// Reads the instructions of a way as a lane would execute them: copies and whole-number addresses are followed,
/// everything else is unknown.
class DataFlow::WayReader {
  public:
    WayReader(DataFlow& flow, unsigned lane, ValueId first, ValueId second)
        : flow_(flow), lane_(lane), first_(first), second_(second) {}

    Moves read(std::span<const std::uint32_t> way) {
        for (const std::uint32_t at : way) {
            const ptx::Instruction& instruction = flow_.line_->function->instructions[at];
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
        const MemoryHistory* loaded_from = nullptr;
        bool literal = false;
    };

    ValueId held(RegisterId reg) const {
        return reg.valid() ? flow_.held(RegisterId(reg.value + flow_.line_->first_register), lane_) : ValueId{};
    }
    Known known(RegisterId reg) const {
        for (auto at = written_.rbegin(); at != written_.rend(); ++at)
            if (at->first == reg) return at->second;
        const ValueId value = held(reg);
        if (!value.valid()) return {};
        const Lineage& like = flow_.lineage(value);
        return {true, flow_.out_.values_[value.index()].bits, value, like.loaded_from, like.literal};
    }
    Known operand(const ptx::Operand& of) const {
        if (of.kind == Kind::reg) return known(of.reg);
        if (of.kind == Kind::immediate) return {true, of.immediate, {}, nullptr, true};
        if (of.kind == Kind::address) {
            const auto found = flow_.symbols_.find(symbol_of(of));
            if (found != flow_.symbols_.end())
                return {true, found->second + static_cast<std::uint64_t>(of.offset), {}, nullptr, false};
        }
        return {};
    }
    std::pair<const ptx::Function*, std::uint64_t> symbol_of(const ptx::Operand& of) const {
        return {flow_.line_->function, std::uint64_t{of.variable} << 8U | static_cast<std::uint64_t>(of.owner)};
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
                const auto& window = modifiers.space == ptx::Space::local ? flow_.local_window_ : flow_.shared_window_;
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

    std::optional<Place> place(const ptx::Operand& memory, const ptx::Modifiers& modifiers) const {
        std::uint64_t address = static_cast<std::uint64_t>(memory.offset);
        if (memory.reg.valid()) {
            const Known base = known(memory.reg);
            if (!base.bits_known) return std::nullopt;
            address += base.bits;
        } else {
            const auto found = flow_.symbols_.find(symbol_of(memory));
            if (found == flow_.symbols_.end()) return std::nullopt;
            address += found->second;
        }
        const unsigned bytes = std::max(ptx::bytes_of(modifiers.type), 1U);
        const auto in = [&](trace::Space space, std::uint64_t at) -> std::optional<Place> {
            const Place found = flow_.place_at(space, at, bytes, lane_);
            return found.memory != nullptr ? std::optional(found) : std::nullopt;
        };
        switch (modifiers.space) {
            case ptx::Space::shared: return in(trace::Space::shared, address);
            case ptx::Space::local: return in(trace::Space::local, address);
            case ptx::Space::global: return in(trace::Space::global, address);
            case ptx::Space::generic: break;
            default: return std::nullopt;
        }
        if (flow_.shared_window_ && address - *flow_.shared_window_ < window_bytes)
            return in(trace::Space::shared, address - *flow_.shared_window_);
        if (flow_.local_window_ && address - *flow_.local_window_ < window_bytes)
            return in(trace::Space::local, address - *flow_.local_window_);
        return in(trace::Space::global, address);
    }

    Known loaded(const ptx::Instruction& instruction) const {
        if (instruction.modifiers.vector > 1) return {};
        const auto from = place(instruction.operands[1], instruction.modifiers);
        if (!from) return {};
        const ValueId value = from->memory->newest(from->offset);
        if (!value.valid()) return {};
        const TracedValue& there = flow_.out_.values_[value.index()];
        return {there.bytes == ptx::bytes_of(instruction.modifiers.type), there.bits, value, from->memory,
                flow_.lineage(value).literal};
    }

    void move(const Known& value, ValueId holder, const MemoryHistory* into) {
        if (holder.valid() && into != nullptr) moves_.replaced.push_back(holder);
        if (!value.copy_of.valid()) return;
        const ValueId is = flow_.root(value.copy_of);
        if (is != first_ && is != second_) return;
        moves_.first = moves_.first || is == first_;
        moves_.second = moves_.second || is == second_;
        const ValueId was = holder.valid() ? flow_.root(holder) : ValueId{};
        if (was.valid() && (was == first_ || was == second_)) moves_.replaces = true;
        if (into != nullptr && into == value.loaded_from) moves_.replaces = true;
    }
    void write(RegisterId reg, const Known& value) {
        written_.emplace_back(reg, value);
        const bool guarded = flow_.line_->instruction->action() != ptx::Action::jump;
        if (!guarded && !flow_.regions_.merges(*flow_.line_->function, reg)) return;
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
        if (holder.valid() && value.literal && flow_.is_literal_flag(holder) &&
            flow_.out_.values_[holder.index()].bits != value.bits)
            moves_.flag_cells.push_back(holder);
    }

    static constexpr std::uint64_t window_bytes = std::uint64_t{1} << 24U;

    DataFlow& flow_;
    unsigned lane_;
    ValueId first_, second_;
    std::vector<std::pair<RegisterId, Known>> written_;
    Moves moves_;
};

/// A lane branches: does its condition decide that one of the compared values moves? Then it is an operation, also
/// where the lane goes the other way, and what that way leaves in place depends on it.
DataFlow::Flags DataFlow::decide(unsigned lane, ValueId predicate,
                                 const std::array<std::span<const std::uint32_t>, 2>& ways,
                                 std::span<const RegisterId> not_written, bool second_taken, bool once) {
    const ValueId test = lineage(predicate).test;
    const std::array<ValueId, 2> compared = test.valid() ? compared_by(test) : std::array<ValueId, 2>{};
    const bool both = compared[0].valid() && compared[1].valid();
    const ValueId first = both ? root(compared[0]) : ValueId{}, second = both ? root(compared[1]) : ValueId{};
    std::array<Moves, 2> moves;
    for (std::size_t way = 0; way < 2; ++way) moves[way] = WayReader(*this, lane, first, second).read(ways[way]);
    if (both && (moves[0].replaces || moves[1].replaces || (moves[0].first && moves[1].second) ||
                 (moves[0].second && moves[1].first)))
        confirm(test);
    // What the lane leaves as it is, because it does not go the other way.
    const Moves& own = moves[second_taken ? 1 : 0];
    const Moves& other = moves[second_taken ? 0 : 1];
    std::vector<ValueId> kept = other.replaced;
    for (const RegisterId reg : not_written) {
        const ValueId holder = held(RegisterId(reg.value + line_->first_register), lane);
        if (holder.valid()) kept.push_back(holder);
    }
    const bool decides = test.valid() && out_.values_[test.index()].operations > 0;
    for (const ValueId holder : kept) {
        const TracedValue& value = out_.values_[holder.index()];
        if (value.bytes == 0 && value.kind != TracedValue::Kind::memory)
            mark_conditional(holder, test);
        else if (decides)
            lineage_of(holder).kept_by = test;
    }
    if (!once) return {};
    // 0 on one way and 1 on the other: a flag.
    Flags flags{.registers = {}, .cells = !own.flag_cells.empty()};
    for (const ValueId cell : other.flag_cells) mark_flag(cell, test);
    for (const Moves* const way : {&own, &other}) {
        for (const auto& [reg, bits] : way->written) {
            const auto meets = std::ranges::find(way == &own ? other.written : own.written, reg,
                                                 &std::pair<RegisterId, std::optional<std::uint64_t>>::first);
            const bool on_both = meets != (way == &own ? other.written : own.written).end();
            const ValueId holder = held(RegisterId(reg.value + line_->first_register), lane);
            std::optional<std::uint64_t> against;
            if (on_both)
                against = meets->second;
            else if (holder.valid() && is_literal_flag(holder))
                against = out_.values_[holder.index()].bits;
            if (!bits || !against || *bits == *against || std::min(*bits, *against) != 0) continue;
            if (way == &own)
                flags.registers.push_back(reg);
            else if (!on_both)
                mark_flag(holder, test);
        }
    }
    return flags;
}

void DataFlow::mark_conditional(ValueId id, ValueId test) {
    Lineage& like = lineage_of(id);
    like.conditional = true;
    if (!like.test.valid()) like.test = test;
}

void DataFlow::mark_flag(ValueId id, ValueId test) {
    mark_conditional(id, test);
    lineage_of(id).flag = true;
}

/// Remembers where variables and windows of addresses begin, which a way that is not executed needs.
void DataFlow::learn_address(ValueId id, unsigned lane) {
    const ptx::Instruction& instruction = *line_->instruction;
    if (instruction.opcode == ptx::Opcode::mov && instruction.operands[1].kind == Kind::address) {
        const ptx::Operand& of = instruction.operands[1];
        symbols_[{line_->function, std::uint64_t{of.variable} << 8U | static_cast<std::uint64_t>(of.owner)}] =
            out_.values_[id.index()].bits - static_cast<std::uint64_t>(of.offset);
    }
    if (instruction.opcode != ptx::Opcode::cvta || data_.empty()) return;
    const ValueId from = held(data_.front(), lane);
    if (!from.valid()) return;
    const std::uint64_t distance = out_.values_[id.index()].bits - out_.values_[from.index()].bits;
    const std::uint64_t window = instruction.modifiers.to ? ~distance + 1 : distance;
    if (instruction.modifiers.space == ptx::Space::shared) shared_window_ = window;
    if (instruction.modifiers.space == ptx::Space::local) local_window_ = window;
}

}  // namespace lanescope::analysis
