#include "analysis/expressions/access_text.h"

#include "analysis/expressions/formula.h"
#include "analysis/expressions/operator_text.h"
#include "analysis/narration/narrator.h"
#include "analysis/source/source_line.h"
#include "base/whole_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::analysis {
namespace {

/// The text inside brackets that enclose all of it; otherwise the text.
std::string_view unwrapped(std::string_view text) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') return text;
    int depth = 0;
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
        depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        if (depth == 0) return text;
    }
    return text.substr(1, text.size() - 2);
}

/// A summand of an address: an index times its stride in bytes. `index` is empty for a plain number of bytes.
struct Term {
    std::string_view index;
    std::uint64_t scale = 0;
};

/// "(index << 2)", "(index * 4)", "16"
std::optional<Term> term_of(std::string_view text) {
    text = unwrapped(text);
    if (const auto bytes = whole_number<std::uint64_t>(text)) return Term{{}, *bytes};
    for (const std::string_view by : {std::string_view(" << "), std::string_view(" * ")}) {
        const std::size_t at = text.rfind(by);
        if (at == std::string_view::npos) continue;
        const auto number = whole_number<std::uint64_t>(text.substr(at + by.size()));
        if (!number || (by == " << " && *number > 20)) continue;
        return Term{unwrapped(text.substr(0, at)), by == " << " ? std::uint64_t{1} << *number : *number};
    }
    return std::nullopt;
}

/// The summands of an address beside the array's own, "&tile", or `array` where it is a pointer: of
/// "(&tile + (y << 7)) + (x << 2)" the other two. Nothing where it is not such a sum.
std::optional<std::vector<std::string_view>> summands_of(std::string_view address, const std::string& array) {
    const auto is_base = [&](std::string_view text) {
        return text == array || (text.starts_with('&') && text.find(' ') == std::string_view::npos);
    };
    std::vector<std::string_view> summands;
    for (;;) {
        address = unwrapped(address);
        if (is_base(address)) break;
        // The last summand added comes last; in brackets it is one summand.
        std::size_t at = address.size();
        for (int depth = 0; at > 0; --at) {
            depth += address[at - 1] == ')' ? 1 : address[at - 1] == '(' ? -1 : 0;
            if (depth == 0 && address.substr(at - 1).starts_with(" + ")) break;
        }
        if (at == 0) return std::nullopt;
        const std::string_view left = address.substr(0, at - 1), right = address.substr(at + 2);
        const bool swapped = is_base(unwrapped(right));
        summands.push_back(swapped ? left : right);
        address = swapped ? right : left;
    }
    std::ranges::reverse(summands);
    return summands;
}

/// Without a zero that padding or a first buffer adds.
std::string_view without_zero(std::string_view index) {
    if (index.starts_with("0 + ")) index.remove_prefix(4);
    if (index.ends_with(" + 0")) index.remove_suffix(4);
    return index;
}

std::string without_blanks(std::string_view text) {
    std::string rest(text);
    std::erase(rest, ' ');
    return rest;
}

/// The element at the lane's address, in the names that the address was computed from: "sdata[index + s]",
/// "tile[y][x]". Empty where it is not the array plus indices times sizes, the last an element's `size` in bytes.
/// Without `size`, the last index may have any: that of a structure whose member is accessed.
std::string element_text(const InstructionInfo& line, std::optional<std::uint64_t> size, const FormulaFinder& formulas,
                         std::size_t index, unsigned lane, const std::string& array) {
    constexpr unsigned deep = 8;  // nested operators: two indices, each scaled and added
    const auto operand = std::ranges::find(line.instruction->operands, ptx::Operand::Kind::memory, &ptx::Operand::kind);
    if (operand == line.instruction->operands.end() || !operand->reg.valid() || operand->offset < 0) return {};
    const RegisterId reg(line.first_register + operand->reg.value);
    const std::string names = formulas.of_register(reg, index, lane, deep).names;
    const auto summands = summands_of(names, array);
    if (!summands) return {};
    auto bytes = static_cast<std::uint64_t>(operand->offset);
    std::vector<Term> indices;
    for (const std::string_view summand : *summands) {
        const auto term = term_of(summand);
        if (!term || (!indices.empty() && !term->index.empty() && term->scale >= indices.back().scale)) return {};
        if (term->index.empty()) {
            bytes += term->scale;
        } else {
            indices.push_back(*term);
        }
    }
    if (indices.empty()) return {};
    const std::uint64_t element = indices.back().scale;
    if (size && (element != *size || bytes % *size != 0)) return {};
    const std::uint64_t further = bytes / element;  // elements
    std::string text = array;
    for (const Term& each : indices) {
        const std::string in_elements(without_zero(each.index));
        const bool moved = further != 0 && each.scale == element;
        const OperatorText plus{OperatorText::Form::infix, "+"};
        text +=
            fmt::format("[{}]", moved ? applied(plus, std::array{in_elements, std::to_string(further)}) : in_elements);
    }
    return text;
}

/// The only subscript that such an access can mean; empty where there are several.
std::string only_one(const std::vector<Subscript>& written, trace::EffectKind kind) {
    using Use = Subscript::Use;
    std::string only;
    for (const Subscript& each : written) {
        const bool fits = kind == trace::EffectKind::load    ? each.use == Use::read || each.use == Use::changed
                          : kind == trace::EffectKind::store ? each.use == Use::assigned || each.use == Use::changed
                                                             : each.use == Use::address;
        if (!fits || each.text == only) continue;
        if (!only.empty()) return {};
        only = each.text;
    }
    return only;
}

}  // namespace

std::string access_text(const BlockView& block, std::size_t index, const std::string& array, trace::Space space) {
    const StepId id = block.passes.steps[index];
    const trace::Step& step = block.trace.step(id);
    const InstructionInfo* const line = block.provenance.instructions().at(step.line);
    if (line == nullptr || line->instruction == nullptr || step.executed.none() || array.empty()) return {};
    const trace::Effect* access = nullptr;
    for (const trace::Effect& effect : block.trace.effects(step)) {
        if (effect.space == space && effect.kind != trace::EffectKind::register_write) access = &effect;
    }
    if (access == nullptr) return {};
    const unsigned lane = choose_lane(step, block.provenance.useful(id));
    const std::vector<Subscript> written =
        subscripts_of(trimmed_line(block.trace.origin.source, user_line_of(block, index, lane)), array);

    const FormulaFinder formulas(block);
    const auto computed = [&](unsigned of, std::optional<std::uint64_t> size) {
        return element_text(*line, size, formulas, index, of, array);
    };
    const std::string text = computed(lane, access->bytes);
    // A float4 is one element of its array; elements that the compiler merged are several.
    const std::string wide = computed(lane, std::uint64_t{access->bytes} * access->elements);
    const std::string member = computed(lane, std::nullopt);
    for (const Subscript& subscript : written) {
        const std::string bare = without_blanks(subscript.text);
        if (bare == without_blanks(text) || bare == without_blanks(wide) || bare == without_blanks(member))
            return subscript.text;
    }
    if (std::string only = only_one(written, access->kind); !only.empty()) return only;
    // Otherwise it must hold for every lane: one lane's own number is not an expression.
    for (const unsigned other : step.executed) {
        if (computed(other, access->bytes) != text) return {};
    }
    return step.executed.count() > 1 ? text : std::string();
}

}  // namespace lanescope::analysis
