#include "analysis/comparison/comparison.h"

#include "base/grouped.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

namespace lanescope::analysis {
namespace {

using Unit = CountColumn::Unit;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double noticeable = 1.005;  // a smaller ratio reads "1.00 times"

void add(Pass& total, const Pass& pass) {
    total.counts += pass.counts;
    total.work += pass.work;
    total.address_work += pass.address_work;
    total.useful_lanes += pass.useful_lanes;
    total.unknown_lanes += pass.unknown_lanes;
    total.ways = std::max(total.ways, pass.ways);
    total.lanes = std::max(total.lanes, pass.lanes);
}

/// The weight of a change in the sentence: the logarithm of its ratio.
double weight(double before, double after) {
    if (before == after) return 0;
    if (before == 0 || after == 0) return 1e9;  // beyond any ratio
    return std::abs(std::log(before / after));
}

std::string number_change(const CountColumn& column, double before, double after) {
    const std::string from = exact_text(column, before), to = exact_text(column, after);
    if (after == 0) return fmt::format("no {} ({} before)", column.name, from);
    if (before == 0) return fmt::format("{} {} where there were none", to, column.name);
    const double ratio = before / after;
    if (ratio >= noticeable) return fmt::format("{:.2f} times fewer {} ({} to {})", ratio, column.name, from, to);
    if (1 / ratio >= noticeable)
        return fmt::format("{:.2f} times as many {} ({} to {})", 1 / ratio, column.name, from, to);
    return fmt::format("{} {} instead of {}", to, column.name, from);
}

std::string share_change(const CountColumn& column, double before, double after) {
    return fmt::format("{} {} to {}", column.heading, exact_text(column, before), exact_text(column, after));
}

}  // namespace

Comparison compared(std::span<const MeasuredPass> one, std::span<const MeasuredPass> other) {
    Comparison comparison;
    const AlignedPasses found = aligned(one, other);
    comparison.alignment = found.alignment;
    for (const PassPair& pair : found.pairs) {
        ComparedPass& row = comparison.passes.emplace_back();
        if (pair.one) row.one = one[*pair.one];
        if (pair.other) row.other = other[*pair.other];
    }
    for (const MeasuredPass& each : one) add(comparison.one_total, each.pass);
    for (const MeasuredPass& each : other) add(comparison.other_total, each.pass);
    comparison.columns = compared_columns(std::array<const Pass*, 2>{&comparison.one_total, &comparison.other_total});
    std::erase_if(comparison.columns, [&](const CountColumn& column) {
        return !std::isfinite(column.value(comparison.one_total, 0)) &&
               !std::isfinite(column.value(comparison.other_total, 0));
    });
    return comparison;
}

double value_of(const CountColumn& column, const std::optional<MeasuredPass>& pass) {
    return pass ? column.value(pass->pass, 0) : nothing;
}

Change change_of(const CountColumn& column, double before, double after) {
    if (!std::isfinite(before) || !std::isfinite(after)) return Change::unknown;
    if (before == after) return Change::none;
    const bool more_is_better = column.unit == Unit::percent;
    return (after > before) == more_is_better ? Change::better : Change::worse;
}

std::string exact_text(const CountColumn& column, double value) {
    if (std::isnan(value)) return "–";
    if (std::isinf(value)) return "?";
    return column.unit == Unit::percent ? fmt::format("{:.1f} %", value) : grouped(fmt::format("{:.0f}", value));
}

std::string delta_text(const CountColumn& column, double before, double after) {
    if (!std::isfinite(before) || !std::isfinite(after)) return {};
    const double delta = after - before;
    const std::string digits = column.unit == Unit::percent ? fmt::format("{:.1f}", std::abs(delta))
                                                            : grouped(fmt::format("{:.0f}", std::abs(delta)));
    if (digits == "0" || digits == "0.0") return "0";
    return (delta > 0 ? "+" : "−") + digits;
}

std::string change_sentence(const Comparison& comparison, bool with_unchanged, std::size_t most) {
    struct Part {
        double weight;
        std::string text;
    };
    std::vector<Part> changed;
    std::vector<std::string> same;
    for (const CountColumn& column : comparison.columns) {
        const double before = column.value(comparison.one_total, 0), after = column.value(comparison.other_total, 0);
        if (!std::isfinite(before) || !std::isfinite(after)) continue;
        if (before == after) {
            if (before != 0)
                same.push_back(fmt::format("{} ({})", column.unit == Unit::percent ? column.heading : column.name,
                                           exact_text(column, before)));
        } else if (column.unit == Unit::percent) {
            if (exact_text(column, before) != exact_text(column, after))
                changed.push_back({weight(before, after), share_change(column, before, after)});
        } else {
            changed.push_back({weight(before, after), number_change(column, before, after)});
        }
    }
    if (changed.empty()) return "No count differs.";
    std::ranges::stable_sort(changed, std::ranges::greater{}, &Part::weight);
    std::string text;
    const std::size_t left_out = changed.size() > most ? changed.size() - most : 0;
    changed.resize(changed.size() - left_out);
    for (const Part& part : changed) text += (text.empty() ? "" : ", ") + part.text;
    if (left_out > 0)
        text += fmt::format("; {} {}", counted(left_out, "more count"), verb(left_out, "differ", "differs"));
    if (with_unchanged && !same.empty()) text += fmt::format("; unchanged: {}", fmt::join(same, ", "));
    text += '.';
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

std::string label_of(const std::optional<MeasuredPass>& pass, bool several_launches) {
    if (!pass) return "no counterpart";
    return several_launches ? fmt::format("{}: {}", pass->launch, pass->pass.label) : pass->pass.label;
}

std::string alignment_sentence(const Comparison& comparison) {
    const auto alone = static_cast<std::uint64_t>(
        std::ranges::count_if(comparison.passes, [](const ComparedPass& each) { return !each.one || !each.other; }));
    std::string text = comparison.alignment == Alignment::by_variable ? "Passes are aligned by the loop's variable"
                                                                      : "Passes are aligned in order";
    if (alone > 0) text += fmt::format("; {} {} no counterpart", counted(alone, "pass"), verb(alone, "have", "has"));
    return text + ". Changes of shares are in percentage points.";
}

}  // namespace lanescope::analysis
