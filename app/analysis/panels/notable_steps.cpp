#include "analysis/panels/notable_steps.h"

#include "analysis/costs.h"
#include "analysis/panels/bank_picture.h"

#include <algorithm>
#include <tuple>

namespace lanescope::analysis {
namespace {

bool is_notable(const BlockView& block, Notable what, std::size_t index) {
    if (what == Notable::divergent_branch)
        return facts_of(block.trace, block.provenance, block.passes.steps[index]).divergent;
    const auto picture = bank_picture(block, index);
    return picture && picture->conflict();
}

}  // namespace

std::optional<std::size_t> nearest(const BlockView& block, Notable what, std::size_t index, bool forwards) {
    const std::size_t count = block.passes.steps.size();
    if (forwards) {
        for (std::size_t at = index + 1; at < count; ++at)
            if (is_notable(block, what, at)) return at;
        return std::nullopt;
    }
    for (std::size_t at = std::min(index, count); at-- > 0;)
        if (is_notable(block, what, at)) return at;
    return std::nullopt;
}

std::optional<std::size_t> nearest_finding(const BlockView& block, std::size_t index, bool forwards) {
    using Place = std::tuple<std::uint32_t, BlockId, StepId>;
    const auto& steps = block.passes.steps;
    if (steps.empty()) return std::nullopt;
    // Past the end, the last step has been executed.
    const bool past_end = index >= steps.size();
    const Place here(block.passes.launch, block.passes.block, past_end ? steps.back() : steps[index]);
    std::optional<std::size_t> found;
    std::optional<Place> place;
    const auto& findings = block.trace.findings;
    for (std::size_t at = 0; at < findings.size(); ++at) {
        const trace::Finding& finding = findings[at];
        if (!finding.step || !block.trace.recorded(finding.launch, finding.block)) continue;
        const Place its(finding.launch, finding.block, *finding.step);
        const bool is_there = forwards ? its > here : its < here || (past_end && its == here);
        if (!is_there || (place && (forwards ? its >= *place : its <= *place))) continue;
        found = at;
        place = its;
    }
    return found;
}

}  // namespace lanescope::analysis
