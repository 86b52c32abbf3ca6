#include "analysis/panels/notable_steps.h"

#include "analysis/costs.h"
#include "analysis/panels/bank_picture.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace lanescope::analysis {
namespace {

bool is_notable(const BlockView& block, Notable what, std::size_t index) {
    if (what == Notable::divergent_branch)
        return facts_of(block.trace, block.provenance, block.passes.steps[index]).divergent;
    const auto picture = bank_picture(block, index);
    return picture && picture->conflict();
}

/// Is the target only declared, like printf, assert and malloc?
bool calls_outside(const ptx::Module& module, const ptx::Instruction& call) {
    const auto operands = std::span(call.operands).first(call.operand_count);
    const auto target = std::ranges::find(operands, ptx::Operand::Kind::function, &ptx::Operand::kind);
    return target != operands.end() && target->function < module.functions.size() &&
           !module.functions[target->function].defined;
}

}  // namespace

bool is_event(const ptx::Module& module, const InstructionInfo* line, const trace::Step& step) {
    if (line == nullptr) return false;
    const ptx::Instruction& instruction = *line->instruction;
    switch (instruction.action()) {
        case ptx::Action::jump:
        case ptx::Action::return_:
        case ptx::Action::exit: return instruction.guard.has_value();
        case ptx::Action::jump_table: return true;
        case ptx::Action::compute:
        case ptx::Action::copy_group:
        case ptx::Action::hint: return false;
        case ptx::Action::call: return step.executed.any() && calls_outside(module, instruction);
        case ptx::Action::load:
        case ptx::Action::store: return step.executed.any() && instruction.modifiers.space != ptx::Space::param;
        case ptx::Action::atomic:
        case ptx::Action::shuffle:
        case ptx::Action::vote:
        case ptx::Action::match:
        case ptx::Action::active_mask:
        case ptx::Action::warp_reduce:
        case ptx::Action::block_barrier:
        case ptx::Action::warp_barrier:
        case ptx::Action::fence:
        case ptx::Action::texture_fetch:
        case ptx::Action::surface_load:
        case ptx::Action::surface_store:
        case ptx::Action::copy:
        case ptx::Action::copy_wait:
        case ptx::Action::mbarrier_init:
        case ptx::Action::mbarrier_inval:
        case ptx::Action::mbarrier_arrive:
        case ptx::Action::mbarrier_drop:
        case ptx::Action::mbarrier_wait:
        case ptx::Action::mbarrier_copies:
        case ptx::Action::trap: return step.executed.any();
    }
    return false;
}

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

std::map<std::uint32_t, std::size_t> first_findings(const trace::Trace& trace, std::string_view file) {
    std::map<std::uint32_t, std::size_t> found;
    for (std::size_t index = 0; index < trace.findings.size(); ++index) {
        const trace::Finding& finding = trace.findings[index];
        if (finding.source_file == file && finding.source_line != 0) found.try_emplace(finding.source_line, index);
    }
    return found;
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
