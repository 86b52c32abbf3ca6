#include "analysis/narration/narrator.h"

#include "analysis/launch_shape.h"
#include "analysis/source/source_line.h"
#include "base/grouped.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace lanescope::analysis {

unsigned choose_lane(const trace::Step& step, LaneMask useful, unsigned wanted) {
    if (wanted < warp_size && step.active.has(wanted)) return wanted;
    for (const LaneMask lanes : {useful & step.executed, step.executed, step.active}) {
        if (lanes.none()) continue;
        const LaneMask rest(lanes.bits() & (lanes.bits() - 1));
        return rest.any() ? rest.lowest() : lanes.lowest();
    }
    return 0;
}

Narrator::Narrator(const BlockView& block, std::size_t number, unsigned wanted)
    : BlockView(block),
      index(number),
      id(block.passes.steps[number]),
      step(block.step_at(number)),
      line(block.instruction_at(number)),
      lane(choose_lane(step, block.provenance.useful(id), wanted)),
      formulas(block) {}

bool Narrator::wide() const { return threads_of(launch()) > warp_size; }

std::string Narrator::actor() const {
    return wide() ? fmt::format("Thread {}", thread_of(step.warp, lane)) : fmt::format("Lane {}", lane);
}

std::string Narrator::lanes_named(LaneMask lanes) const {
    const char* const word = wide() ? "thread" : "lane";
    const auto list = lanes_in_words(lanes, wide() ? thread_of(step.warp, 0) : 0);
    if (!list) return counted(lanes.count(), word);
    return fmt::format("{} {}", noun(lanes.count(), word), *list);
}

LaneMask Narrator::lanes_of_warp() const { return lanes_of(launch(), step.warp); }

std::string Narrator::group_named(LaneMask lanes) const {
    const LaneMask present = lanes_of_warp() & ~provenance.exited(id);
    if (lanes != present || lanes.count() < 2) return lanes_named(lanes);
    return wide() ? fmt::format("all {} of warp {}", counted(lanes.count(), "lane"), step.warp.value)
                  : fmt::format("all {}", counted(lanes.count(), "lane"));
}

std::string Narrator::none_of(LaneMask lanes) const {
    return wide() ? fmt::format("none of the {} of warp {}", counted(lanes.count(), "lane"), step.warp.value)
                  : fmt::format("none of the {}", counted(lanes.count(), "lane"));
}

/// The reason why lanes at other instructions wait: the warp's next step that the first of them executes.
std::string Narrator::waiting(LaneMask others) const {
    for (std::size_t i = index + 1; i < passes.steps.size(); ++i) {
        const trace::Step& later = trace.step(passes.steps[i]);
        if (later.warp != step.warp || (later.active & others).none()) continue;
        const InstructionInfo* const at = provenance.instructions().at(later.line);
        if (at == nullptr) break;
        switch (at->instruction->meaning().group) {
            case ptx::Group::barrier: return verb(others.count(), "wait") + " at the barrier";
            case ptx::Group::exit: return verb(others.count(), "have", "has") + " no work left";
            default: return verb(others.count(), "wait");
        }
    }
    return verb(others.count(), "wait");
}

std::string Narrator::idle_lanes() const {
    const LaneMask gone = provenance.exited(id);
    const LaneMask off = step.active & ~step.executed;
    const LaneMask others = lanes_of_warp() & ~step.active & ~gone;
    std::string text;
    const auto add = [&](LaneMask lanes, const std::string& what) {
        if (lanes.none()) return;
        const bool listed = lanes_in_words(lanes).has_value();
        const std::string of_warp = wide() ? fmt::format(" of warp {}", step.warp.value) : "";
        text += text.empty() ? "" : "; ";
        text += listed ? lanes_named(lanes)
                       : fmt::format("{} of {}{}", lanes.count(), counted(lanes_of_warp().count(), "lane"), of_warp);
        text += " " + what;
    };
    add(off, verb(off.count(), "are", "is") + " predicated off");
    add(others, others.any() ? waiting(others) : "");
    add(gone, verb(gone.count(), "have", "has") + " exited");
    return text;
}

std::string Narrator::all_take_part() const {
    return group_named(lanes_of_warp()) + " " + verb(lanes_of_warp().count(), "take") + " part";
}

std::string Narrator::described(ValueId value) const {
    if (!value.valid()) return "an unknown value";
    const auto origin = origin_of(trace, module, provenance, step.launch, value);
    if (origin) return fmt::format("{} = {}", *origin, number(value));
    // The digits of an address mean nothing to a reader.
    const TracedValue& made = provenance[value];
    const trace::Buffer* const buffer = made.bytes == 8 ? trace.buffer_at(made.bits) : nullptr;
    if (buffer == nullptr) return number(value);
    return "the address of " + global_name(trace, module, step.launch, made.bits, trace::bytes_of(buffer->element));
}

ValueId Narrator::held(RegisterId reg) const {
    const auto definition = formulas.definition(reg, index, lane);
    return definition ? provenance.written_to(reg, passes.steps[*definition], lane) : ValueId{};
}

const trace::Effect* Narrator::effect(trace::EffectKind kind) const {
    for (const trace::Effect& each : trace.effects(step)) {
        if (each.kind == kind) return &each;
    }
    return nullptr;
}

std::string Narrator::callee_of(const ptx::Instruction& call) const {
    const ptx::Operand& target = call.operands[1];
    const bool known = target.kind == ptx::Operand::Kind::function && target.function < module.functions.size();
    return known ? library_name_of(module.functions[target.function].name) : "a function";
}

std::uint32_t Narrator::past_jumps(std::uint32_t at) const {
    const auto& instructions = line->function->instructions;
    for (std::size_t hops = 0; hops < instructions.size() && at < instructions.size(); ++hops) {
        const ptx::Instruction& next = instructions[at];
        if (next.action() != ptx::Action::jump || next.guard) break;
        at = next.target;
    }
    return at;
}

std::string Narrator::destination(std::uint32_t instruction) const {
    const std::uint32_t at = past_jumps(instruction);
    const auto& instructions = line->function->instructions;
    if (at >= instructions.size()) return "the end";
    const ptx::Group group = instructions[at].meaning().group;
    if (group == ptx::Group::barrier) return "the barrier";
    if (group == ptx::Group::exit) return "the end";
    const std::uint32_t source_line = source_line_of(module, instructions[at]);
    if (source_line != 0) return fmt::format("line {}", source_line);
    // A library's source is not shown, and its lines of PTX mean nothing to a reader of CUDA.
    const std::uint32_t place = instructions[at].place;
    const bool known = place < module.places.size();
    if (known ? module.places[place].file != own_file(module) : !module.places.empty() && !line->function->entry)
        return instructions[at].line < step.line ? "an earlier place there" : "a later place there";
    return fmt::format("line {} of the PTX", instructions[at].line.value);
}

std::string Narrator::quoted(std::uint32_t instruction) const {
    constexpr std::size_t longest = 64;
    const std::uint32_t at = past_jumps(instruction);
    const auto& instructions = line->function->instructions;
    if (at >= instructions.size() || !destination(instruction).starts_with("line")) return {};
    const std::uint32_t source_line = source_line_of(module, instructions[at]);
    const std::string_view text = trimmed_line(trace.origin.source, source_line);
    if (text.empty() || text.size() > longest || source_line == source_line_of(module, *line->instruction)) return {};
    return fmt::format(": {}", text);
}

std::string sentence(std::string text) {
    constexpr std::array<std::string_view, 8> own_words = {"all ",     "lane ", "lanes ", "thread ",
                                                           "threads ", "the ",  "none ",  "line "};
    // A variable of that name stands before an operator: "lane == 0".
    const bool own = std::ranges::any_of(own_words, [&](std::string_view word) {
        return text.starts_with(word) && text.size() > word.size() &&
               std::isalnum(static_cast<unsigned char>(text[word.size()])) != 0;
    });
    if (own) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text.ends_with('.') || text.ends_with(';') || text.ends_with('{') ? text : text + ".";
}

std::string filled(std::string_view phrase, const std::vector<std::string>& operands, const std::string& result) {
    std::string text;
    for (std::size_t at = 0; at < phrase.size(); ++at) {
        if (phrase[at] != '{') {
            text += phrase[at];
            continue;
        }
        const char place = phrase[at + 1];
        if (place == 'r') {
            text += result;
        } else {
            const auto index = static_cast<std::size_t>(place - '0');
            text += index < operands.size() ? operands[index] : "a value";
        }
        at += 2;
    }
    return text;
}

}  // namespace lanescope::analysis
