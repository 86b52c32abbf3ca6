#include "analysis/narration/narration.h"

#include "analysis/dataflow/instruction_table.h"
#include "analysis/dataflow/usefulness.h"
#include "analysis/launch_shape.h"
#include "analysis/narration/narrator.h"
#include "analysis/passes_picture/picture.h"
#include "analysis/source/source_line.h"
#include "base/grouped.h"
#include "ptx/module.h"
#include "trace/record_extent.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;
using trace::Space;

/// "Pass 3, s = 4. "
std::string introduction(const Pass& pass) {
    switch (pass.role) {
        case Pass::Role::load: return "Load. ";
        case Pass::Role::store: return "Store. ";
        case Pass::Role::whole: return "";
        case Pass::Role::step: break;
    }
    return pass.label.starts_with("pass") ? fmt::format("Pass {}. ", pass.id.value)
                                          : fmt::format("Pass {}, {}. ", pass.id.value, pass.label);
}

/// Has the step's warp given a variable of the pass's label its next value? The steps after the pass's accesses decide
/// about the next round of the loop.
bool past_the_label(const BlockView& block, const Pass& pass, std::size_t index) {
    const ptx::Function* const function = block.module.find(block.launch().kernel);
    if (pass.variables.empty() || function == nullptr) return false;
    const std::uint32_t first = first_register_of(*function, block.trace.registers);
    const WarpId warp = block.trace.step(block.passes.steps[index]).warp;
    bool accessed = false;
    for (std::size_t i = pass.first; i <= index; ++i) {
        const trace::Step& step = block.trace.step(block.passes.steps[i]);
        if (step.warp != warp) continue;
        for (const Effect& effect : block.trace.effects(step)) {
            accessed = accessed || trace::is_access(effect.kind);
            const RegisterId reg(effect.id - first);
            if (!accessed || effect.kind != EffectKind::register_write || reg.index() >= function->registers.size())
                continue;
            const ptx::SourceVariable* const variable = ptx::variable_in(*function, reg, PtxLine(step.line.value + 1));
            if (variable != nullptr &&
                std::ranges::find(pass.variables, variable->name, &LoopVariable::name) != pass.variables.end())
                return true;
        }
    }
    return false;
}

/// The last value that a block stored at each address of global memory; `in_outputs`: of what the host reads back.
std::map<std::uint64_t, ValueId> last_stored(const BlockView& block, bool in_outputs) {
    std::map<std::uint64_t, ValueId> last;
    for (const StepId id : block.passes.steps) {
        const ValueRange written = block.provenance.values_of(id);
        for (std::uint32_t i = written.first; i < written.past_last; ++i) {
            const TracedValue& value = block.provenance[ValueId(i)];
            if (value.kind != TracedValue::Kind::memory || value.space != Space::global) continue;
            const trace::Buffer* const buffer = block.trace.buffer_at(value.address);
            if (buffer != nullptr && (buffer->output || !in_outputs)) last[value.address] = ValueId(i);
        }
    }
    return last;
}

/// Did the block end, rather than stop with its launch: waiting forever, or ended by another block's fault?
bool has_ended(const BlockView& block) {
    if (!block.trace.is_cut_short()) return true;
    std::vector<LaneMask> exited(warps_of(block.launch()));
    for (const StepId id : block.passes.steps) {
        const trace::Step& step = block.trace.step(id);
        if (step.warp.index() >= exited.size()) continue;
        exited[step.warp.index()] |= exiting_lanes(block.trace, step);
    }
    for (unsigned warp = 0; warp < exited.size(); ++warp)
        if (exited[warp] != lanes_of(block.launch(), WarpId(warp))) return false;
    return true;
}

std::string describe_result(const BlockView& block) {
    constexpr std::size_t shown = 8;
    auto last = last_stored(block, true);
    // The host may read nothing back, or only what later launches make of these values.
    if (last.empty()) last = last_stored(block, false);
    std::string text = block.launch().cut == block.passes.block
                           ? trace::cut_text(block.trace, block.passes.launch) + "; until there"
                       : has_ended(block) ? "The block is done"
                                          : "The launch was stopped before the block ended";
    if (last.empty()) return text + "; it stored nothing in global memory.";
    const auto name = [&](std::uint64_t address) {
        return global_name(block.trace, block.module, block.passes.launch, address,
                           trace::bytes_of(block.trace.buffer_at(address)->element));
    };
    const auto number = [&](std::uint64_t address, ValueId id) {
        const trace::Buffer* const buffer = block.trace.buffer_at(address);
        const bool whole = trace::bytes_of(buffer->element) == block.provenance[id].bytes;
        if (!whole) return number_of(block.trace, block.provenance, id);
        const auto member = member_element(block.trace, block.module, block.passes.launch, Space::global, address,
                                           block.provenance[id].bytes);
        return trace::text_of(member.value_or(buffer->element), block.provenance[id].bits);
    };
    if (last.size() == 1) {
        return fmt::format("{}: {} = {}.", text, name(last.begin()->first),
                           number(last.begin()->first, last.begin()->second));
    }
    // Adjacent elements are one range; others have a name each.
    bool together = true;
    for (auto each = last.begin(), next = std::next(each); next != last.end(); ++each, ++next)
        together = together && next->first == each->first + block.provenance[each->second].bytes;
    text += ':';
    if (together) text += fmt::format(" {} to {} =", name(last.begin()->first), name(last.rbegin()->first));
    const std::size_t most = together ? shown : shown / 2;
    std::size_t listed = 0;
    for (const auto& [address, id] : last) {
        if (listed == most) return together ? text + " ..." : text + fmt::format(" and {} more.", last.size() - listed);
        text +=
            fmt::format("{} {}{}", listed > 0 ? "," : "", together ? "" : name(address) + " = ", number(address, id));
        ++listed;
    }
    return text + ".";
}

std::string describe_step(const Narrator& narrator) {
    if (narrator.line == nullptr) return fmt::format("line {} of the PTX", narrator.step.line.value);
    const bool has_result = narrator.line->flow != Flow::control && narrator.line->flow != Flow::copy;
    if (narrator.step.executed.none() && has_result) {
        return fmt::format("{} skip this instruction: the predicate is false",
                           narrator.group_named(narrator.step.active));
    }
    switch (narrator.line->flow) {
        case Flow::load:
        case Flow::store:
        case Flow::atomic: return describe_memory(narrator);
        case Flow::copy:
        case Flow::control: return describe_control(narrator);
        default: return describe_compute(narrator);
    }
}

/// A sentence after a colon: "lane 1 adds ..."
std::string within(std::string text) {
    constexpr std::array<std::string_view, 6> our_words = {"Lane", "Thread", "All ", "The ", "None ", "Warp "};
    if (std::ranges::any_of(our_words, [&](std::string_view word) { return text.starts_with(word); }))
        text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    return text;
}

/// A sentence about single lanes names those that execute the step; one about the whole warp has said so already.
bool counts_lanes(const Narrator& narrator) {
    if (narrator.line == nullptr || narrator.step.executed.none()) return false;
    switch (narrator.line->flow) {
        case Flow::copy:
        case Flow::control: return false;
        case Flow::load:
        case Flow::store:
        case Flow::atomic:
            return std::ranges::any_of(narrator.trace.effects(narrator.step), [](const Effect& effect) {
                return effect.kind != EffectKind::register_write && effect.space != Space::param;
            });
        default: {
            const ValueId result = narrator.provenance.written_by(narrator.id, narrator.lane);
            return result.valid() && narrator.provenance[result].input_dependent &&
                   narrator.provenance[result].bytes != 0;
        }
    }
}

}  // namespace

std::string narrate(const BlockView& block, std::size_t index, unsigned lane) {
    if (block.passes.steps.empty()) return "This block was not recorded.";
    if (index >= block.passes.steps.size()) return describe_result(block);
    const std::optional<Fault> fault = fault_at(block, block.passes.steps[index]);
    if (fault && lane >= warp_size) lane = fault->lane;
    const Narrator narrator(block, index, lane);
    const Pass& pass = block.passes.passes[block.passes.pass_of(index).index()];
    std::string text =
        past_the_label(block, pass, index) ? fmt::format("End of pass {}. ", pass.id.value) : introduction(pass);
    if (fault) text += describe_fault(block, narrator.id) + " ";
    // At a barrier that not all threads reach, no thread can rely on the others' writes.
    if (fault && !fault->earlier_side && fault->finding->kind == trace::Finding::Kind::barrier_divergence)
        return text.substr(0, text.size() - 1);
    const bool of_lanes = !fault && counts_lanes(narrator);
    const std::string idle = of_lanes ? narrator.idle_lanes() : "";
    if (const std::string cost = narrator.line == nullptr ? "" : describe_cost(narrator); !cost.empty())
        text += sentence(cost) + " ";
    if (!idle.empty()) text += sentence(idle) + " ";
    if (const auto call = library_call_of(block, index, narrator.lane)) {
        text += fmt::format("In {}, called at line {}: {}", call->function.empty() ? "a library" : call->function,
                            call->line, within(sentence(describe_step(narrator))));
    } else {
        text += sentence(describe_step(narrator));
    }
    return of_lanes && idle.empty() ? text + " " + sentence(narrator.all_take_part()) : text;
}

std::string narrate_pass(const BlockView& block, PassId id) {
    if (id.index() >= block.passes.passes.size()) return describe_result(block);
    const Pass& pass = block.passes.passes[id.index()];
    constexpr std::size_t examples = 2;
    std::string stored;
    std::size_t stores = 0;
    for (std::size_t i = pass.first; i < pass.past_last; ++i) {
        const ValueRange written = block.provenance.values_of(block.passes.steps[i]);
        for (std::uint32_t v = written.first; v < written.past_last; ++v) {
            const TracedValue& value = block.provenance[ValueId(v)];
            if (!value.is_cell()) continue;
            if (pass.role == Pass::Role::store && value.space != Space::global) continue;
            if (++stores > examples) continue;
            const auto origin = origin_of(block.trace, block.module, block.provenance, block.passes.launch, ValueId(v));
            stored += fmt::format(
                "{}{} = {}", stores > 1 ? ", " : "",
                memory_name(block.trace, block.module, block.passes.launch, value.space, value.address, value.bytes),
                origin ? fmt::format("{} = {}", *origin, number_of(block.trace, block.provenance, ValueId(v)))
                       : number_of(block.trace, block.provenance, ValueId(v)));
        }
    }
    if (stores > examples) stored += fmt::format(" and {} more", stores - examples);
    const unsigned threads = threads_of(block.launch());
    const std::string word = threads > warp_size ? "threads" : "lanes";
    // Unrecorded blocks may or may not have read what this one wrote.
    const std::string_view bound = pass.unknown_lanes > 0 ? "at most " : "";
    std::string text = introduction(pass) + fmt::format("{}{} of {} {} {} useful work", bound, pass.lanes, threads,
                                                        word, verb(pass.lanes, "do"));
    if (pass.work > 0) text += fmt::format(", {}{}", bound, counted(pass.work, "operation"));
    text += stored.empty() ? "." : ": " + stored + ".";
    const std::string faults = describe_faults(block, pass);
    return faults.empty() ? text : text + " " + faults;
}

}  // namespace lanescope::analysis
