// A fault at the step where it happens: the finding's own words, and the remedy.
#include "analysis/narration/narration.h"

#include "base/grouped.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace lanescope::analysis {
namespace {

using trace::Finding;

/// The finding's message without its block, where that block is shown: "block 0, thread 3 reads" -> "thread 3 reads".
std::string without_block(const Finding& finding, BlockId shown) {
    std::string_view text = finding.message;
    const std::string own = fmt::format("block {}, ", finding.block.value);
    if (finding.block == shown && text.starts_with(own)) text.remove_prefix(own.size());
    return std::string(text);
}

/// Shorter than the finding's message, which names all accesses and a schedule.
std::string missing_fence(const BlockView& block, const Fault& fault) {
    const Finding& finding = *fault.finding;
    const auto line = [](std::uint32_t source_line, PtxLine ptx) { return source_line != 0 ? source_line : ptx.value; };
    const bool of_reads = finding.step && std::ranges::any_of(block.trace.effects(block.trace.step(*finding.step)),
                                                              [](const trace::Effect& effect) {
                                                                  return effect.kind == trace::EffectKind::load;
                                                              });
    if (of_reads && !fault.earlier_side)
        return fmt::format("Missing fence: this read may return an older value than the read in line {} announces.",
                           line(finding.other->source_line, finding.other->line));
    if (of_reads)
        return fmt::format("First of two reads without a fence: the second, in line {}, may return an older value.",
                           line(finding.source_line, finding.line));
    if (!fault.earlier_side)
        return fmt::format("Missing fence: another block may see this store before the one in line {}.",
                           line(finding.other->source_line, finding.other->line));
    return fmt::format("First of two stores without a fence: another block may see the second, in line {}, before it.",
                       line(finding.source_line, finding.line));
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
    std::string text =
        finding.kind == Finding::Kind::missing_fence && finding.other
            ? missing_fence(block, *fault)
            : fmt::format("{}: {}", fault->earlier_side ? "First access of a race" : trace::title_of(finding.kind),
                          stopped(without_block(finding, block.passes.block)));
    if (const std::string_view remedy = trace::remedy_of(finding); !remedy.empty()) text += fmt::format(" {}", remedy);
    return text;
}

std::string describe_faults(const BlockView& block, const Pass& pass) {
    std::vector<std::string> faults;
    for (const Finding& finding : block.trace.findings) {
        if (finding.launch != block.passes.launch || finding.block != block.passes.block || !finding.step) continue;
        const auto index = block.passes.find(*finding.step);
        if (!index || *index < pass.first || *index >= pass.past_last) continue;
        const std::string_view kind = trace::name_of(finding.kind);
        std::string fault =
            finding.variable.empty() ? std::string(kind) : fmt::format("{} ({})", kind, finding.variable);
        if (std::ranges::find(faults, fault) == faults.end()) faults.push_back(std::move(fault));
    }
    if (faults.empty()) return {};
    std::string text = noun(faults.size(), "Fault") + " in this pass: ";
    for (std::size_t i = 0; i < faults.size(); ++i) text += (i > 0 ? ", " : "") + faults[i];
    return text + ".";
}

}  // namespace lanescope::analysis
