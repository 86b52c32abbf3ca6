// What is wrong at a step, told where it happens: the finding's own words, and what should have been.
#include "analysis/narration/narration.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace lanescope::analysis {
namespace {

using trace::Finding;

/// Shortly, as a sentence begins.
std::string_view title_of(Finding::Kind kind) {
    switch (kind) {
        case Finding::Kind::out_of_bounds: return "Out of bounds";
        case Finding::Kind::misaligned: return "Misaligned";
        case Finding::Kind::uninitialized_read: return "Never written";
        case Finding::Kind::race: return "Race";
        case Finding::Kind::barrier_divergence: return "Barrier divergence";
        case Finding::Kind::shuffle_inactive: return "Nobody there";
        case Finding::Kind::wrong_mask: return "Wrong mask";
        case Finding::Kind::deadlock: return "Deadlock";
        case Finding::Kind::step_budget: return "No end";
        case Finding::Kind::trap: return "Trap";
        case Finding::Kind::assertion: return "Assertion";
        case Finding::Kind::out_of_memory: return "Out of memory";
        case Finding::Kind::null_access: return "Null pointer";
        case Finding::Kind::use_after_free: return "Used after free";
        case Finding::Kind::double_free: return "Freed twice";
        case Finding::Kind::invalid_free: return "Wrong free";
        case Finding::Kind::invalid_launch: return "Wrong launch";
    }
    return "Fault";
}

/// The finding's words without the block where that is the one shown: "block 0, thread 3 reads" -> "thread 3 reads".
std::string without_block(const Finding& finding, BlockId shown) {
    std::string_view text = finding.message;
    const std::string own = fmt::format("block {}, ", finding.block.value);
    if (finding.block == shown && text.starts_with(own)) text.remove_prefix(own.size());
    return std::string(text);
}

/// What would have been in order; empty where the finding's own words say it.
std::string remedy(const Finding& finding) {
    switch (finding.kind) {
        case Finding::Kind::out_of_bounds:
            return finding.variable.empty() ? "" : "A condition on the index should keep that thread out.";
        case Finding::Kind::misaligned: return "A wide access must start at a multiple of its width.";
        case Finding::Kind::uninitialized_read: return "It should be written first, with a barrier between the two.";
        case Finding::Kind::race:
            if (!finding.other) return "";
            if (finding.other->block != finding.block)
                return "Blocks need atomics for it, or the end of the launch between them.";
            return finding.other->warp == finding.warp
                       ? "A __syncthreads() or __syncwarp() between the two, reached by every thread, would order them."
                       : "A __syncthreads() between the two, reached by every thread, would order them.";
        case Finding::Kind::barrier_divergence: return "All threads of the block should come to the same barrier.";
        case Finding::Kind::shuffle_inactive: return "What it gets is undefined: all lanes named should come.";
        case Finding::Kind::wrong_mask: return "The mask should name just those that come.";
        default: return "";
    }
}

/// Ends with a full stop.
std::string stopped(const std::string& text) { return text.ends_with('.') ? text : text + "."; }

}  // namespace

std::optional<Fault> fault_at(const BlockView& block, StepId step) {
    std::optional<Fault> earlier;
    for (const Finding& finding : block.trace.findings) {
        if (finding.launch != block.passes.launch) continue;
        if (finding.step == step && finding.block == block.passes.block)
            return Fault{&finding, finding.lane.value, false};
        if (!earlier && finding.other && finding.other->step == step)
            earlier = Fault{&finding, finding.other->lane.value, true};
    }
    return earlier;
}

std::string describe_fault(const BlockView& block, StepId step) {
    const std::optional<Fault> fault = fault_at(block, step);
    if (!fault) return {};
    const Finding& finding = *fault->finding;
    std::string text = fmt::format("{}: {}", fault->earlier_side ? "One side of a race" : title_of(finding.kind),
                                   stopped(without_block(finding, block.passes.block)));
    if (const std::string should = remedy(finding); !should.empty()) text += " " + should;
    return text;
}

std::string describe_faults(const BlockView& block, const Pass& pass) {
    std::vector<std::string> faults;
    for (const Finding& finding : block.trace.findings) {
        if (finding.launch != block.passes.launch || finding.block != block.passes.block || !finding.step) continue;
        const auto step = std::ranges::lower_bound(block.passes.steps, *finding.step);
        if (step == block.passes.steps.end() || *step != *finding.step) continue;
        const auto index = static_cast<std::size_t>(step - block.passes.steps.begin());
        if (index < pass.first || index >= pass.past_last) continue;
        const std::string_view kind = trace::name_of(finding.kind);
        std::string fault =
            finding.variable.empty() ? std::string(kind) : fmt::format("{} ({})", kind, finding.variable);
        if (std::ranges::find(faults, fault) == faults.end()) faults.push_back(std::move(fault));
    }
    if (faults.empty()) return {};
    std::string text = faults.size() == 1 ? "Fault in this pass: " : "Faults in this pass: ";
    for (std::size_t i = 0; i < faults.size(); ++i) text += (i > 0 ? ", " : "") + faults[i];
    return text + ".";
}

}  // namespace lanescope::analysis
