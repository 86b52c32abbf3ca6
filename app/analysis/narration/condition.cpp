// From a predicate to its condition, as the source would write it.
#include "analysis/narration/narrator.h"

#include "analysis/expressions/operator_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace lanescope::analysis {
namespace {

/// How two conditions are joined.
enum class Joined : std::uint8_t { no, by_and, by_or };

struct Part {
    std::string text;  ///< empty: not known
    bool inverted = false;
    Joined joined = Joined::no;
};

constexpr unsigned most_parts = 6;
constexpr std::size_t most_letters = 64;  // more do not fit into a sentence

Part part_of(const Narrator& t, RegisterId reg, std::size_t index, LaneMask lanes, unsigned parts);

/// The two sides of a comparison, by names where all lanes agree on them; `numbers`: with their values. Nothing where a
/// side is known for only one of several lanes.
std::optional<std::string> comparison_text(const Narrator& t, std::size_t index, unsigned lane, bool numbers) {
    const InstructionInfo* const line = t.instruction_at(index);
    if (line == nullptr) return {};
    const ptx::Instruction& compare = *line->instruction;
    const std::string_view sign = comparison_sign(compare.modifiers.compare);
    const unsigned first = compare.destination_count;
    if (sign.empty() || compare.modifiers.combine != ptx::Combine::none || compare.operand_count < first + 2U)
        return {};
    const FormulaFinder formulas(t, FormulaFinder::Elements::by_index);
    const Formula left = formulas.of_operand(first, index, lane);
    const Formula right = formulas.of_operand(first + 1, index, lane);
    const auto side = [](const Formula& part, const std::string& of_part) {
        return part.loose ? fmt::format("({})", of_part) : of_part;
    };
    const auto text = [&](const std::string& of_left, const std::string& of_right) {
        return applied({OperatorText::Form::infix, sign}, std::array{of_left, of_right});
    };
    const bool own = (left.own || right.own) && t.step_at(index).executed.count() > 1;
    if (left.uniform && right.uniform) {
        const std::string values = text(left.value, right.value);
        const std::string names = text(side(left, left.names), side(right, right.names));
        if (own || names == values) return values;
        return numbers ? fmt::format("{} ({})", names, values) : names;
    }
    if (own) return {};
    return text(side(left, left.folded), side(right, right.folded));
}

/// "a && b", "(a || b) && c", "!(a) && b"
Part join(const Part& one, const Part& other, Joined by) {
    if (one.text.empty() || other.text.empty()) return {};
    const auto side = [&](const Part& part) {
        if (part.inverted) return fmt::format("!({})", part.text);
        const bool looser = part.joined == Joined::by_or && by == Joined::by_and;
        return looser ? fmt::format("({})", part.text) : part.text;
    };
    std::string text = fmt::format("{} {} {}", side(one), by == Joined::by_and ? "&&" : "||", side(other));
    if (text.size() > most_letters) return {};
    return {.text = std::move(text), .joined = by};
}

/// The constant that the step gives a lane's predicate, itself or by a copy, and the step that sets it.
struct Constant {
    std::size_t set_at = 0;
    bool value = false;
};
std::optional<Constant> constant_at(const Narrator& t, std::size_t index, unsigned lane) {
    for (const InstructionInfo* line = t.instruction_at(index); line != nullptr; line = t.instruction_at(index)) {
        if (operator_text(*line->instruction).form != OperatorText::Form::transparent) return {};
        const auto sources = t.provenance.instructions().data(*line);
        if (sources.size() != 1) return {};
        if (!sources.front().valid()) {
            const trace::Step& step = t.step_at(index);
            for (const trace::Effect& effect : t.trace.effects(step))
                if (effect.kind == trace::EffectKind::register_write && effect.lanes.has(lane))
                    return Constant{index, t.trace.after(effect, lane) != 0};
            return {};
        }
        const auto definition = t.formulas.definition(sources.front(), index, lane);
        if (!definition) return {};
        index = *definition;
    }
    return {};
}

/// The first part of `a && b` and `a || b`: code sets a constant, and branches past b for the lanes whose result it is.
/// Returns the part of the condition that the branch decides, with the constant as its value for these lanes.
Part part_before(const Narrator& t, const Constant& constant, LaneMask lanes, unsigned parts) {
    constexpr std::size_t most_steps = 4;  // of the warp: a few copies stand between
    std::size_t seen = 0;
    for (std::size_t at = constant.set_at + 1; at < t.index && seen < most_steps; ++at) {
        const trace::Step& step = t.step_at(at);
        if (step.warp != t.step.warp) continue;
        ++seen;
        const InstructionInfo* const line = t.instruction_at(at);
        if (line == nullptr) return {};
        const ptx::Instruction& branch = *line->instruction;
        if (branch.action() != ptx::Action::jump || !branch.guard) continue;
        Part part = part_of(t, line->guard, at, step.active, parts);
        if (part.text.empty()) return {};
        part.inverted = part.inverted != branch.guard->negated;
        LaneMask taken;
        for (const trace::Effect& effect : t.trace.effects(step))
            if (effect.kind == trace::EffectKind::branch) taken = effect.lanes;
        const LaneMask jump = lanes & taken;
        if (jump.any() && jump != lanes) return {};
        // The text must have the constant's value for these lanes: it is inverted where the guard has the opposite one.
        part.inverted = part.inverted != (jump.any() != constant.value);
        return part;
    }
    return {};
}

/// The part of the condition that the step which writes the predicate decides for those lanes.
Part part_at(const Narrator& t, std::size_t index, LaneMask lanes, unsigned parts) {
    const InstructionInfo* const line = t.instruction_at(index);
    if (line == nullptr) return {};
    const ptx::Instruction& instruction = *line->instruction;
    const auto sources = t.provenance.instructions().data(*line);
    const unsigned lane = choose_lane(t.step_at(index), lanes, lanes.has(t.lane) ? t.lane : warp_size);
    using Bits = ptx::ResultBits;
    const Bits bits = instruction.meaning().bits;
    if (bits == Bits::complement && sources.size() == 1 && sources[0].valid()) {
        Part part = part_of(t, sources[0], index, lanes, parts);
        part.inverted = !part.inverted;
        return part;
    }
    if (operator_text(instruction).form == OperatorText::Form::transparent && sources.size() == 1) {
        if (sources[0].valid()) return part_of(t, sources[0], index, lanes, parts);
        const auto constant = constant_at(t, index, lane);
        return constant ? part_before(t, *constant, lanes, parts) : Part{};
    }
    if (auto text = comparison_text(t, index, lane, parts == most_parts)) return {.text = *std::move(text)};
    if ((bits == Bits::conjunction || bits == Bits::disjunction) && sources.size() == 2 && sources[0].valid() &&
        sources[1].valid())
        return join(part_of(t, sources[0], index, lanes, parts - 1), part_of(t, sources[1], index, lanes, parts - 1),
                    bits == Bits::conjunction ? Joined::by_and : Joined::by_or);
    return {};
}

/// The value of a predicate before the step `index` for those lanes of the narrator's warp.
Part part_of(const Narrator& t, RegisterId reg, std::size_t index, LaneMask lanes, unsigned parts) {
    if (parts == 0 || lanes.none()) return {};
    std::vector<std::pair<std::size_t, LaneMask>> ways;  // the steps that wrote it, in their order
    for (const unsigned lane : lanes) {
        const auto definition = t.formulas.definition(reg, index, lane);
        if (!definition) return {};
        const auto known = std::ranges::find(ways, *definition, [](const auto& way) { return way.first; });
        if (known != ways.end()) {
            known->second |= LaneMask::only(lane);
        } else {
            ways.emplace_back(*definition, LaneMask::only(lane));
        }
    }
    std::ranges::sort(ways, {}, [](const auto& way) { return way.first; });
    // Where several parts are joined, each has one level less, and a comparison in it leaves out its numbers.
    const unsigned rest = ways.size() == 1 ? parts : parts - 1;
    Part part = part_at(t, ways.back().first, ways.back().second, rest);
    ways.pop_back();
    for (; !ways.empty(); ways.pop_back()) {
        const auto& [definition, whose] = ways.back();
        const auto constant = constant_at(t, definition, whose.lowest());
        if (!constant) return {};
        part = join(part_before(t, *constant, whose, rest), part, constant->value ? Joined::by_or : Joined::by_and);
    }
    return part;
}

}  // namespace

bool copies_constant(const Narrator& t) {
    for (const unsigned lane : t.step.executed)
        if (!constant_at(t, t.index, lane)) return false;
    return true;
}

std::optional<std::string> comparison_of(const Narrator& t, std::size_t index) {
    return comparison_text(t, index, t.lane, true);
}

Condition condition_of(const Narrator& t, RegisterId reg, bool negated, bool numbers) {
    const Part part = part_of(t, reg, t.index, t.step.active, numbers ? most_parts : most_parts - 1);
    return {.text = part.text.empty() ? std::string(unknown_condition) : part.text,
            .inverted = part.inverted != negated};
}

}  // namespace lanescope::analysis
