#include "analysis/panels/warp_progress.h"

#include "analysis/costs.h"
#include "analysis/dataflow/instruction_table.h"
#include "analysis/launch_shape.h"
#include "analysis/source/source_line.h"

#include <algorithm>

namespace lanescope::analysis {

WarpProgress::WarpProgress(const BlockView& block) {
    courses_.resize(warps_of(block.launch()));
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
        const trace::Step& step = block.step_at(index);
        Course& course = courses_[step.warp.index()];
        course.steps.push_back(index);
        for (const trace::Effect& effect : block.trace.effects(step)) {
            if (effect.kind == trace::EffectKind::barrier) course.arrivals.push_back({index, effect.id});
        }
    }
}

std::optional<std::size_t> WarpProgress::next(WarpId warp, std::size_t position) const {
    const std::vector<std::size_t>& steps = courses_[warp.index()].steps;
    const auto found = std::ranges::lower_bound(steps, position);
    return found == steps.end() ? std::nullopt : std::optional(*found);
}

std::optional<std::size_t> WarpProgress::last(WarpId warp, std::size_t position) const {
    const std::vector<std::size_t>& steps = courses_[warp.index()].steps;
    const auto found = std::ranges::lower_bound(steps, position);
    return found == steps.begin() ? std::nullopt : std::optional(*std::prev(found));
}

std::optional<std::vector<WarpId>> WarpProgress::waits_for(WarpId warp, std::size_t position) const {
    const std::optional<std::size_t> before = last(warp, position);
    if (!before) return std::nullopt;
    const auto arrived_at = [](const Course& course, std::size_t step) {
        return std::ranges::lower_bound(course.arrivals, step, {}, &Arrival::step);
    };
    const Course& own = courses_[warp.index()];
    const auto arrival = arrived_at(own, *before);
    if (arrival == own.arrivals.end() || arrival->step != *before) return std::nullopt;
    const std::size_t released = next(warp, position).value_or(~std::size_t{0});

    std::vector<WarpId> missing;
    for (std::uint32_t other = 0; other < courses_.size(); ++other) {
        const Course& course = courses_[other];
        if (other == warp.value) continue;
        for (auto to_come = arrived_at(course, position); to_come != course.arrivals.end() && to_come->step < released;
             ++to_come) {
            if (to_come->barrier != arrival->barrier) continue;
            missing.emplace_back(other);
            break;
        }
    }
    // All warps have arrived; this one only has not executed its next step yet.
    if (missing.empty() && next(warp, position)) return std::nullopt;
    return missing;
}

std::vector<WarpsAtLine> warps_by_line(const BlockView& block, const WarpProgress& progress, std::size_t position,
                                       WarpId except) {
    std::vector<WarpsAtLine> found;
    for (std::uint32_t number = 0; number < progress.warps(); ++number) {
        const WarpId warp(number);
        if (warp == except) continue;
        const bool waiting = progress.waits_for(warp, position).has_value();
        const auto step = waiting ? progress.last(warp, position) : progress.next(warp, position);
        if (!step) continue;
        const PtxLine line = block.step_at(*step).line;
        const auto same = std::ranges::find_if(
            found, [&](const WarpsAtLine& other) { return other.line == line && other.waiting == waiting; });
        if (same != found.end()) {
            same->warps.push_back(warp);
        } else {
            found.push_back({line, *step, {warp}, waiting});
        }
    }
    return found;
}

std::optional<std::size_t> execution_of(const BlockView& block, WarpId warp, unsigned lane, PtxLine line,
                                        std::uint64_t nth) {
    std::optional<std::size_t> found;
    std::uint64_t times = 0;
    for (std::size_t index = 0; index < block.passes.steps.size() && times <= nth; ++index) {
        const trace::Step& step = block.step_at(index);
        if (step.warp != warp || step.line != line || !step.executed.has(lane)) continue;
        found = index;
        ++times;
    }
    return found;
}

std::vector<InstructionRow> instruction_rows(const BlockView& block, PassId id, WarpId warp, bool by_line) {
    const Pass& pass = block.passes.passes[id.index()];
    std::vector<InstructionRow> rows;
    for (std::size_t index = pass.first; index < pass.past_last; ++index) {
        const trace::Step& step = block.step_at(index);
        if (step.warp != warp) continue;
        const InstructionInfo* const code = block.provenance.instructions().at(step.line);
        std::uint32_t line =
            code == nullptr || code->instruction == nullptr ? 0 : source_line_of(block.module, *code->instruction);
        const StepFacts facts = facts_of(block.trace, block.provenance, block.passes.steps[index]);
        const LaneMask unknown = block.provenance.unknown_use(block.passes.steps[index]) & step.executed;
        const auto goes_on = [&](const InstructionRow& row) {
            return (line == 0 || row.source_line == line) && row.executed == step.executed &&
                   row.predicated_off == facts.predicated_off && row.inactive == facts.inactive;
        };
        if (by_line && !rows.empty() && goes_on(rows.back())) {
            rows.back().last = index;
            ++rows.back().instructions;
            InstructionRow& row = rows.back();
            const LaneMask known = (row.useful & ~row.unknown) | (facts.useful & ~unknown);
            row.unknown = (row.unknown | unknown) & ~known;
            row.useful |= facts.useful;
            continue;
        }
        // Compiler-generated instructions belong to the line before them, as the source panel marks them.
        if (line == 0 && !rows.empty()) line = rows.back().source_line;
        rows.push_back({.first = index,
                        .last = index,
                        .instructions = 1,
                        .source_line = line,
                        .line = step.line,
                        .executed = step.executed,
                        .useful = facts.useful,
                        .unknown = unknown,
                        .predicated_off = facts.predicated_off,
                        .inactive = facts.inactive,
                        .exited = facts.exited});
    }
    return rows;
}

}  // namespace lanescope::analysis
