#include "analysis/dataflow/branch_ways.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lanescope::analysis {
namespace {

constexpr std::size_t most_ways = 8;  // nested branches of a lane that are kept: the innermost

}  // namespace

void BranchWays::leave(const FlowStep& step) {
    const std::uint32_t at = step.at();
    const bool returns = step.instruction().action() == ptx::Action::return_;
    for (const unsigned lane : step.active) {
        std::vector<Way>* const ways = ways_.find(step.thread(lane));
        if (ways == nullptr) return;
        std::erase_if(*ways,
                      [&](const Way& way) { return way.function == &step.function() && (way.past == at || returns); });
    }
}

void BranchWays::branch(const FlowStep& step, LaneMask taken) {
    const BranchRegion* region = nullptr;
    for (const unsigned lane : step.active) {
        const ValueId predicate = guarding(step, lane);
        if (!predicate.valid()) continue;
        if (region == nullptr) region = &regions_.of(step.function(), step.instruction());
        any_ = true;
        std::vector<Way>& ways = ways_.at(step.thread(lane));
        std::erase_if(ways,
                      [&](const Way& way) { return way.function == &step.function() && way.past == region->past; });
        if (ways.size() == most_ways) ways.erase(ways.begin());
        WayFlags flags = decide(step, lane, predicate, {region->ways[0], region->ways[1]},
                                region->merged[taken.has(lane) ? 0 : 1], taken.has(lane), !region->loops);
        ways.push_back({.test = lineages_[predicate].test,
                        .function = &step.function(),
                        .past = region->past,
                        .once = !region->loops,
                        .flags = std::move(flags)});
    }
}

void BranchWays::guard(const FlowStep& step) {
    const std::uint32_t at = step.at();
    for (const unsigned lane : step.active) {
        const ValueId predicate = guarding(step, lane);
        if (!predicate.valid()) continue;
        const bool executes = step.executed.has(lane);
        std::vector<RegisterId> not_written;
        for (unsigned i = 0; !executes && i < step.instruction().destination_count; ++i) {
            const ptx::Operand& to = step.instruction().operands[i];
            if (to.kind == ptx::Operand::Kind::reg) not_written.push_back(to.reg);
        }
        // The first way is the instruction itself: a lane that executes it has not taken the second.
        decide(step, lane, predicate, {std::span(&at, 1), {}}, not_written, !executes, true);
    }
}

ValueId BranchWays::guarding(const FlowStep& step, unsigned lane) const {
    const ValueId predicate = step.line->guard.valid() ? step.held(step.line->guard, lane) : ValueId{};
    return predicate.valid() && lineages_[predicate].conditional ? predicate : ValueId{};
}

/// Null: none, or not known.
const Way* BranchWays::innermost(const FlowStep& step, unsigned lane) const {
    if (step.line->guard.valid() && !step.held(step.line->guard, lane).valid()) return nullptr;
    const std::vector<Way>* const ways = ways_.find(step.thread(lane));
    return ways == nullptr || ways->empty() ? nullptr : &ways->back();
}

Way BranchWays::way_of(const FlowStep& step, unsigned lane) const {
    if (const ValueId predicate = guarding(step, lane); predicate.valid())
        return {.test = lineages_[predicate].test, .function = &step.function(), .once = true, .flags = {}};
    const Way* const way = innermost(step, lane);
    return way != nullptr ? *way : Way{};
}

bool BranchWays::once(const FlowStep& step, unsigned lane) const {
    if (guarding(step, lane).valid()) return true;
    const Way* const way = innermost(step, lane);
    return way != nullptr && way->once;
}

/// Where the condition of a lane's branch decides whether a compared value moves, the comparison is an operation, even
/// if the lane goes the other way; the values that the other way leaves in place depend on it.
WayFlags BranchWays::decide(const FlowStep& step, unsigned lane, ValueId predicate,
                            const std::array<std::span<const std::uint32_t>, 2>& ways,
                            std::span<const RegisterId> not_written, bool second_taken, bool once) {
    const ValueId test = lineages_[predicate].test;
    std::array<ValueId, 2> compared = test.valid() ? values_.compared_by(test) : std::array<ValueId, 2>{};
    const bool both = compared[0].valid() && compared[1].valid();
    for (ValueId& value : compared) value = both ? lineages_.root(value) : ValueId{};
    const WayKnowledge known{
        .values = values_, .lineages = lineages_, .addresses = addresses_, .memory = memory_, .regions = regions_};
    const std::array<WayMoves, 2> moves = {moves_on_way(known, step, lane, compared, ways[0]),
                                           moves_on_way(known, step, lane, compared, ways[1])};
    if (both && (moves[0].replaces || moves[1].replaces || (moves[0].first && moves[1].second) ||
                 (moves[0].second && moves[1].first)))
        values_.confirm(test);
    // The lane leaves these unchanged because it does not go the other way.
    const WayMoves& own = moves[second_taken ? 1 : 0];
    const WayMoves& other = moves[second_taken ? 0 : 1];
    std::vector<ValueId> kept = other.replaced;
    for (const RegisterId reg : not_written) {
        const ValueId holder = step.held_by_own(reg, lane);
        if (holder.valid()) kept.push_back(holder);
    }
    const bool decides = test.valid() && values_[test].operations > 0;
    for (const ValueId holder : kept) {
        const TracedValue& value = values_[holder];
        if (value.bytes == 0 && value.kind != TracedValue::Kind::memory)
            lineages_.mark_conditional(holder, test);
        else if (decides)
            lineages_.change(holder).kept_by = test;
    }
    return once ? flags_of(step, lane, test, own, other) : WayFlags{};
}

/// A register or cell that is 0 on one way and 1 on the other is a flag.
WayFlags BranchWays::flags_of(const FlowStep& step, unsigned lane, ValueId test, const WayMoves& own,
                              const WayMoves& other) {
    WayFlags flags{.registers = {}, .cells = !own.flag_cells.empty()};
    for (const ValueId cell : other.flag_cells) lineages_.mark_flag(cell, test);
    for (const WayMoves* const way : {&own, &other}) {
        const auto& others = way == &own ? other.written : own.written;
        for (const auto& [reg, bits] : way->written) {
            const auto meets =
                std::ranges::find(others, reg, &std::pair<RegisterId, std::optional<std::uint64_t>>::first);
            const bool on_both = meets != others.end();
            const ValueId holder = step.held_by_own(reg, lane);
            std::optional<std::uint64_t> against;
            if (on_both)
                against = meets->second;
            else if (holder.valid() && lineages_.is_literal_flag(holder))
                against = values_[holder].bits;
            if (!bits || !against || *bits == *against || std::min(*bits, *against) != 0) continue;
            if (way == &own)
                flags.registers.push_back(reg);
            else if (!on_both)
                lineages_.mark_flag(holder, test);
        }
    }
    return flags;
}

}  // namespace lanescope::analysis
