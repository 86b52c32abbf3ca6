#include "analysis/panels/counts_picture.h"

#include "analysis/comparison/comparison.h"
#include "analysis/dataflow/usefulness.h"
#include "analysis/launch_shape.h"
#include "base/grouped.h"
#include "model/device_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lanescope::analysis {
namespace {

using Unit = CountColumn::Unit;
using Total = CountColumn::Total;

double share(std::uint64_t part, std::uint64_t whole) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(whole);  // NaN where the whole is 0
}

/// Infinity where the use of a result is unknown; it is shown as "?".
double if_known(const Pass& pass, double value) {
    return pass.unknown_lanes == 0 ? value : std::numeric_limits<double>::infinity();
}

double number(std::uint64_t value) { return static_cast<double>(value); }

constexpr CountColumn operations{
    "operations", "ops", "operations", "operation", Unit::number, Total::sum, [](const Pass& pass, unsigned) {
        return number(pass.counts.operations);
    }};
constexpr CountColumn useful{"useful threads", "useful thr.", "useful threads: with a useful lane, % of the block",
                             "useful threads", Unit::percent, Total::largest,
                             // Unknown, and not 0, for a pass that has not begun.
                             [](const Pass& pass, unsigned threads) {
                                 return if_known(pass,
                                                 share(pass.lanes, pass.counts.warp_instructions > 0 ? threads : 0));
                             }};
constexpr CountColumn efficiency{"efficiency",
                                 "efficiency",
                                 "efficiency: useful lanes, % of 32 per warp instruction",
                                 "efficiency",
                                 Unit::percent,
                                 Total::share,
                                 [](const Pass& pass, unsigned) {
                                     return if_known(
                                         pass, percent_of_lanes(pass.useful_lanes, pass.counts.warp_instructions));
                                 }};
constexpr CountColumn load_wavefronts{
    "load wavefronts",
    "load wf",
    "shared load wavefronts",
    "wavefront",
    Unit::number,
    Total::sum,
    [](const Pass& pass, unsigned) { return number(pass.counts.shared_load_wavefronts); }};
constexpr CountColumn store_wavefronts{
    "store wavefronts",
    "store wf",
    "shared store wavefronts",
    "wavefront",
    Unit::number,
    Total::sum,
    [](const Pass& pass, unsigned) { return number(pass.counts.shared_store_wavefronts); }};
constexpr CountColumn atomics{"atomic wavefronts",
                              "atomic wf",
                              "shared atomic wavefronts",
                              "wavefront",
                              Unit::number,
                              Total::sum,
                              [](const Pass& pass, unsigned) { return number(pass.counts.shared_atomic_wavefronts); }};
constexpr CountColumn ways{"ways",
                           "ways",
                           "ways of the worst bank conflict",
                           "ways",
                           Unit::number,
                           Total::largest,
                           [](const Pass& pass, unsigned) { return number(pass.ways); }};
constexpr CountColumn sectors{"sectors",
                              "sectors",
                              "sectors of global memory",
                              "sector",
                              Unit::number,
                              Total::sum,
                              [](const Pass& pass, unsigned) {
                                  return number(pass.counts.global_load_sectors + pass.counts.global_store_sectors +
                                                pass.counts.global_atomic_sectors);
                              },
                              &Excess::sectors};
constexpr CountColumn instructions{"instructions",
                                   "instr.",
                                   "warp instructions",
                                   "instruction",
                                   Unit::number,
                                   Total::sum,
                                   [](const Pass& pass, unsigned) { return number(pass.counts.warp_instructions); }};
constexpr CountColumn active{"active lanes",
                             "active",
                             "active lanes: useful or not, % of 32 per warp instruction",
                             "active lanes",
                             Unit::percent,
                             Total::share,
                             [](const Pass& pass, unsigned) {
                                 return percent_of_lanes(pass.counts.thread_instructions,
                                                         pass.counts.warp_instructions);
                             }};
constexpr CountColumn wavefronts{"wavefronts",
                                 "wf",
                                 "shared wavefronts",
                                 "wavefront",
                                 Unit::number,
                                 Total::sum,
                                 [](const Pass& pass, unsigned) {
                                     return number(pass.counts.shared_load_wavefronts +
                                                   pass.counts.shared_store_wavefronts +
                                                   pass.counts.shared_atomic_wavefronts);
                                 },
                                 &Excess::wavefronts};
constexpr CountColumn work{"work",
                           "work",
                           "work: operations that reach an output",
                           "work",
                           Unit::number,
                           Total::sum,
                           [](const Pass& pass, unsigned) { return if_known(pass, number(pass.work)); }};
constexpr CountColumn address_work{
    "address work",
    "addr. work",
    "address work: combinations of two values that only decide an address or a condition",
    "address work",
    Unit::number,
    Total::sum,
    [](const Pass& pass, unsigned) { return if_known(pass, number(pass.address_work)); }};
constexpr CountColumn span{"span",
                           "span",
                           "span: the longest chain of operations within the pass",
                           "span",
                           Unit::number,
                           Total::chain,
                           [](const Pass& pass, unsigned) { return if_known(pass, number(pass.span)); }};

}  // namespace

std::vector<CountColumn> count_columns(const BlockPasses& passes, unsigned banks) {
    const bool has_atomics =
        std::ranges::any_of(passes.passes, [](const Pass& pass) { return pass.counts.shared_atomic_wavefronts != 0; });
    std::vector<CountColumn> columns{operations, useful, efficiency, wavefronts, load_wavefronts, store_wavefronts};
    if (has_atomics) columns.push_back(atomics);
    // Lectures about devices with 16 banks count conflicts in ways.
    if (banks == model::half_warp_banks()) columns.push_back(ways);
    columns.insert(columns.end(), {sectors, instructions, work});
    const auto counts = [](const Pass& pass) { return pass.address_work != 0; };
    if (std::ranges::any_of(passes.passes, counts)) columns.push_back(address_work);
    columns.push_back(span);
    return columns;
}

std::vector<CountColumn> compared_columns(std::span<const Pass* const> totals) {
    const bool known =
        std::ranges::all_of(totals, [](const Pass* total) { return total == nullptr || total->unknown_lanes == 0; });
    return {instructions, known ? efficiency : active, wavefronts, sectors};
}

CountsPicture counts_picture(const BlockView& block, PassUnderWay& under_way, const ExcessCounts& excess,
                             std::size_t position) {
    CountsPicture picture;
    picture.columns = count_columns(block.passes, block.trace.origin.banks);
    picture.threads = threads_of(block.launch());
    for (const Pass& pass : block.passes.passes) {
        CountRow row;
        row.whole = pass;
        if (position >= pass.past_last) {
            row.pass = pass;
        } else if (position >= pass.first) {
            row.state = CountRow::State::under_way;
            row.pass = under_way.at(position);
        } else {
            row.state = CountRow::State::ahead;
        }
        row.whole_excess = excess.of(pass.first, pass.past_last);
        row.excess = excess.of(pass.first, std::clamp(position, pass.first, pass.past_last));
        picture.total_excess.wavefronts += row.excess.wavefronts;
        picture.total_excess.sectors += row.excess.sectors;
        Pass& total = picture.total;
        total.counts += row.pass.counts;
        total.work += row.pass.work;
        total.address_work += row.pass.address_work;
        total.span += row.pass.span;
        total.depth = std::max(total.depth, row.pass.depth);
        total.useful_lanes += row.pass.useful_lanes;
        total.unknown_lanes += row.pass.unknown_lanes;
        total.ways = std::max(total.ways, row.pass.ways);
        total.lanes = std::max(total.lanes, row.pass.lanes);
        picture.rows.push_back(std::move(row));
    }
    return picture;
}

Excess CountsPicture::whole_excess() const {
    Excess all;
    for (const CountRow& row : rows) {
        all.wavefronts += row.whole_excess.wavefronts;
        all.sectors += row.whole_excess.sectors;
    }
    return all;
}

std::vector<CountColumn> table_columns(const CountsPicture& picture) {
    if (picture.baseline_total)
        return compared_columns(std::array<const Pass*, 2>{&picture.total, &*picture.baseline_total});
    if (picture.all_columns) return picture.columns;
    return {efficiency, wavefronts, sectors, instructions, work};
}

std::string excess_text(const CountColumn& column, const Excess& excess) {
    return column.excess == nullptr ? std::string() : text_of(column, number(excess.*column.excess));
}

bool has_excess(const CountColumn& column, const CountsPicture& picture) {
    return column.excess != nullptr &&
           std::ranges::any_of(picture.rows, [&](const CountRow& row) { return row.whole_excess.*column.excess != 0; });
}

void add_baseline(CountsPicture& picture, const BlockPasses& baseline,
                  std::span<const std::optional<std::size_t>> counterparts) {
    Pass total;
    for (const Pass& pass : baseline.passes) {
        total.counts += pass.counts;
        total.useful_lanes += pass.useful_lanes;
        total.unknown_lanes += pass.unknown_lanes;
    }
    picture.baseline_total = total;
    for (std::size_t at = 0; at < std::min(picture.rows.size(), counterparts.size()); ++at)
        if (counterparts[at]) picture.rows[at].baseline = baseline.passes[*counterparts[at]];
}

std::string change_text(const CountColumn& column, const CountRow& row) {
    if (!row.baseline || row.state != CountRow::State::done) return {};
    return delta_text(column, column.value(*row.baseline, 0), column.value(row.pass, 0));
}

std::string text_of(const CountColumn& column, double value) {
    if (std::isnan(value)) return "–";
    if (std::isinf(value)) return "?";
    if (column.unit == Unit::percent) {
        // A share above 0 is not shown as 0 %.
        return value > 0 && value < 0.5 ? "<1 %" : fmt::format("{:.0f} %", value);
    }
    if (value == 0) return "–";
    return grouped(fmt::format("{:.0f}", value));
}

double largest_value(const CountColumn& column, const CountsPicture& picture) {
    if (column.unit == Unit::percent) return 100;
    Pass all;
    for (const CountRow& row : picture.rows) {
        all.counts += row.whole.counts;
        all.work += row.whole.work;
        all.address_work += row.whole.address_work;
        all.span += row.whole.span;
        all.ways = std::max(all.ways, row.whole.ways);
    }
    // The last row has the largest number.
    return column.value(all, picture.threads);
}

std::optional<double> total_of(const CountColumn& column, const CountsPicture& picture) {
    // The shares of useful threads have no common sum over passes.
    if (column.unit == Unit::percent && column.total == Total::largest) return {};
    const double sum = column.value(picture.total, picture.threads);
    // The longest chain of a pass need not continue the one of the pass before.
    return column.total == CountColumn::Total::chain ? std::min(sum, number(picture.total.depth)) : sum;
}

std::string counts_csv(const BlockView& block) {
    struct Field {
        const char* heading;
        std::uint64_t (*value)(const Pass& pass);
    };
    constexpr std::array fields = {
        Field{"operations", [](const Pass& pass) { return pass.counts.operations; }},
        Field{"work", [](const Pass& pass) { return pass.work; }},
        Field{"span", [](const Pass& pass) { return pass.span; }},
        Field{"useful threads", [](const Pass& pass) { return std::uint64_t{pass.lanes}; }},
        Field{"useful lanes", [](const Pass& pass) { return pass.useful_lanes; }},
        Field{"address work", [](const Pass& pass) { return pass.address_work; }},
        Field{"warp instructions", [](const Pass& pass) { return pass.counts.warp_instructions; }},
        Field{"thread instructions", [](const Pass& pass) { return pass.counts.thread_instructions; }},
        Field{"shared load wavefronts", [](const Pass& pass) { return pass.counts.shared_load_wavefronts; }},
        Field{"shared store wavefronts", [](const Pass& pass) { return pass.counts.shared_store_wavefronts; }},
        Field{"shared atomic wavefronts", [](const Pass& pass) { return pass.counts.shared_atomic_wavefronts; }},
        Field{"conflict ways", [](const Pass& pass) { return std::uint64_t{pass.ways}; }},
        Field{"global load sectors", [](const Pass& pass) { return pass.counts.global_load_sectors; }},
        Field{"global store sectors", [](const Pass& pass) { return pass.counts.global_store_sectors; }},
        Field{"global atomic sectors", [](const Pass& pass) { return pass.counts.global_atomic_sectors; }},
    };
    std::string text = "pass,name,threads";
    for (const Field& field : fields) text += fmt::format(",{}", field.heading);
    text += ",efficiency\r\n";
    const unsigned threads = threads_of(block.launch());
    for (const Pass& pass : block.passes.passes) {
        std::string name = pass.label;
        for (std::size_t at = 0; (at = name.find('"', at)) != std::string::npos; at += 2) name.insert(at, 1, '"');
        text += fmt::format("{},\"{}\",{}", pass.id.value, name, threads);
        for (const Field& field : fields) text += fmt::format(",{}", field.value(pass));
        const double share = efficiency.value(pass, threads) / 100;
        text += !std::isfinite(share) ? ",\r\n" : fmt::format(",{:.4f}\r\n", share);
    }
    return text;
}

}  // namespace lanescope::analysis
