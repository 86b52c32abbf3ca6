#include "analysis/bank_picture.h"
#include "analysis/code.h"
#include "analysis/formula.h"
#include "analysis/source_line.h"
#include "analysis/teller.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::analysis {

namespace {

/// What stands inside brackets that enclose all of the text; else the text.
std::string_view unwrapped(std::string_view text) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') return text;
    int depth = 0;
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
        depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        if (depth == 0) return text;
    }
    return text.substr(1, text.size() - 2);
}

/// The index in "(index << 2)" or "(index * 4)", where that is the size of an element.
std::optional<std::string_view> scaled_index(std::string_view text, std::uint64_t size) {
    text = unwrapped(text);
    for (const std::string_view by : {std::string_view(" << "), std::string_view(" * ")}) {
        const std::size_t at = text.rfind(by);
        if (at == std::string_view::npos) continue;
        const std::string_view number = text.substr(at + by.size());
        std::uint64_t scale = 0;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), scale);
        if (error != std::errc() || end != number.data() + number.size()) continue;
        if (by == " << ") scale = scale < 8 ? std::uint64_t{1} << scale : 0;
        if (scale == size) return unwrapped(text.substr(0, at));
    }
    return std::nullopt;
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

}  // namespace

std::string access_text(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance,
                        const BlockPasses& passes, std::size_t index, const std::string& array) {
    const StepId id = passes.steps[index];
    const trace::Step& step = trace.step(id);
    const CodeLine* const line = provenance.code().at(step.line);
    if (line == nullptr || line->instruction == nullptr || step.executed.none() || array.empty()) return {};
    const auto operand =
        std::ranges::find(line->instruction->operands, ptx::Operand::Kind::memory, &ptx::Operand::kind);
    if (operand == line->instruction->operands.end() || !operand->reg.valid() || operand->offset != 0) return {};
    std::uint64_t size = 0;
    for (const trace::Effect& effect : trace.effects(step)) {
        if (effect.space == trace::Space::shared && effect.kind != trace::EffectKind::register_write)
            size = effect.bytes;
    }
    const FormulaFinder formulas(trace, module, provenance, passes);
    const auto text_of = [&](unsigned lane) -> std::string {
        const std::string names =
            formulas.of_register(RegisterId(line->first_register + operand->reg.value), index, lane).names;
        const std::size_t plus = names.find(" + ");
        if (!names.starts_with('&') || plus == std::string::npos) return {};
        const auto found = scaled_index(std::string_view(names).substr(plus + 3), size);
        return found ? fmt::format("{}[{}]", array, without_zero(*found)) : std::string();
    };
    const unsigned lane = choose_lane(step, provenance.useful(id));
    const std::string text = text_of(lane);
    const std::uint32_t source_line = source_line_of(module, *line->instruction);
    if (without_blanks(trimmed_line(trace.origin.source, source_line)).find(without_blanks(text)) != std::string::npos)
        return text;
    // Else it must hold for every lane alike: what is one lane's own number is no expression.
    for (const unsigned other : step.executed) {
        if (text_of(other) != text) return {};
    }
    return step.executed.count() > 1 ? text : std::string();
}

std::optional<BankPicture> named_bank_picture(const trace::Trace& trace, const ptx::Module& module,
                                              const Provenance& provenance, const BlockPasses& passes,
                                              std::size_t index) {
    std::optional<BankPicture> picture = bank_picture(trace, provenance, passes.steps[index]);
    if (picture) picture->access = access_text(trace, module, provenance, passes, index, picture->array);
    return picture;
}

}  // namespace lanescope::analysis
