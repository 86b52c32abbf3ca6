#include "analysis/bank_picture.h"
#include "analysis/code.h"
#include "analysis/formula.h"
#include "analysis/teller.h"

#include <charconv>
#include <optional>
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

}  // namespace

std::string access_text(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance,
                        const BlockPasses& passes, std::size_t index) {
    const StepId id = passes.steps[index];
    const trace::Step& step = trace.step(id);
    const CodeLine* const line = provenance.code().at(step.line);
    if (line == nullptr || line->instruction == nullptr || step.executed.none()) return {};
    const FormulaFinder formulas(trace, module, provenance, passes);
    const unsigned lane = choose_lane(step, provenance.useful(id));
    std::uint64_t size = 0;
    for (const trace::Effect& effect : trace.effects(step)) {
        if (effect.space == trace::Space::shared && effect.kind != trace::EffectKind::register_write)
            size = effect.bytes;
    }
    for (const ptx::Operand& operand : line->instruction->operands) {
        if (operand.kind != ptx::Operand::Kind::memory || !operand.reg.valid() || operand.offset != 0) continue;
        const std::string names =
            formulas.of_register(RegisterId(line->first_register + operand.reg.value), index, lane).names;
        const std::size_t plus = names.find(" + ");
        if (!names.starts_with('&') || plus == std::string::npos) return {};
        const auto found = scaled_index(std::string_view(names).substr(plus + 3), size);
        if (!found) return {};
        return names.substr(1, plus - 1) + "[" + std::string(without_zero(*found)) + "]";
    }
    return {};
}

}  // namespace lanescope::analysis
