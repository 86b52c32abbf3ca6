// A fault at the step where it happens: the finding's own words, and the remedy.
#include "analysis/narration/narration.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace lanescope::analysis {
namespace {

using trace::Finding;

/// The first words of the sentence.
std::string_view title_of(Finding::Kind kind) {
    switch (kind) {
        case Finding::Kind::out_of_bounds: return "Out of bounds";
        case Finding::Kind::misaligned: return "Misaligned access";
        case Finding::Kind::uninitialized_read: return "Uninitialized read";
        case Finding::Kind::race: return "Race";
        case Finding::Kind::barrier_divergence: return "Barrier divergence";
        case Finding::Kind::shuffle_inactive: return "Inactive source lane";
        case Finding::Kind::wrong_mask: return "Wrong member mask";
        case Finding::Kind::deadlock: return "Deadlock";
        case Finding::Kind::step_budget: return "Step limit";
        case Finding::Kind::trap: return "Trap";
        case Finding::Kind::assertion: return "Assertion";
        case Finding::Kind::out_of_memory: return "Out of memory";
        case Finding::Kind::null_access: return "Null pointer";
        case Finding::Kind::use_after_free: return "Use after free";
        case Finding::Kind::double_free: return "Double free";
        case Finding::Kind::invalid_free: return "Invalid free";
        case Finding::Kind::invalid_launch: return "Invalid launch";
        case Finding::Kind::wrong_direction: return "Wrong copy direction";
        case Finding::Kind::host_access: return "Host access to device memory";
        case Finding::Kind::leak: return "Leak";
        case Finding::Kind::unchecked_error: return "Unchecked error";
        case Finding::Kind::missing_synchronization: return "Missing synchronization";
        case Finding::Kind::infinite_loop: return "Infinite loop";
    }
    return "Fault";
}

/// The finding's message without the block where that is the one shown: "block 0, thread 3 reads" -> "thread 3 reads".
std::string without_block(const Finding& finding, BlockId shown) {
    std::string_view text = finding.message;
    const std::string own = fmt::format("block {}, ", finding.block.value);
    if (finding.block == shown && text.starts_with(own)) text.remove_prefix(own.size());
    return std::string(text);
}

/// The remedy; empty where the finding's own message has it.
std::string remedy(const Finding& finding) {
    switch (finding.kind) {
        case Finding::Kind::out_of_bounds:
            return finding.variable.empty() ? "" : "Guard the access with a bounds check on the index.";
        case Finding::Kind::misaligned: return "An access must be aligned to its size.";
        case Finding::Kind::uninitialized_read: return "Write it first, with a barrier between the write and the read.";
        case Finding::Kind::race:
            if (!finding.other) return "";
            if (finding.other->block != finding.block) return "Blocks need an atomic operation here, or a launch each.";
            return finding.other->warp == finding.warp
                       ? "Order the two with a __syncthreads() or __syncwarp() that every thread reaches."
                       : "Order the two with a __syncthreads() that every thread reaches.";
        case Finding::Kind::barrier_divergence: return "All threads of the block must reach the same barrier.";
        case Finding::Kind::shuffle_inactive:
            return "The value is undefined: every lane of the mask must execute the instruction.";
        case Finding::Kind::wrong_mask: return "The mask must name exactly the lanes that execute the instruction.";
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
    std::string text = fmt::format("{}: {}", fault->earlier_side ? "First access of a race" : title_of(finding.kind),
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
