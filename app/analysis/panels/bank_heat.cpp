#include "analysis/panels/bank_heat.h"

#include "analysis/costs.h"
#include "analysis/dataflow/instruction_table.h"
#include "analysis/source/source_line.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanescope::analysis {

unsigned BankHeat::most_degree() const {
    unsigned most = 0;
    for (const BankHeatRow& row : rows) most = std::max(most, *std::ranges::max_element(row.degree));
    return most;
}

std::optional<std::size_t> BankHeat::row_of(std::size_t step) const {
    const auto found = std::ranges::find(rows, step, &BankHeatRow::step);
    return found == rows.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - rows.begin()));
}

BankHeat bank_heat(const BlockView& block, PassId id, std::optional<model::BankModel> banks) {
    const Pass& pass = block.passes.passes[id.index()];
    BankHeat heat;
    heat.banks = banks.value_or(banks_of(block.trace)).banks;

    // Warps execute the same instruction in turn: the accesses of one loop iteration are adjacent.
    std::map<std::pair<PtxLine, WarpId>, std::size_t> times;
    std::map<std::pair<PtxLine, std::size_t>, std::size_t> orders;
    std::vector<std::size_t> order;
    for (std::size_t index = pass.first; index < pass.past_last; ++index) {
        const trace::Step& step = block.step_at(index);
        auto picture = bank_picture(block, index, banks);
        if (!picture) continue;
        const std::size_t time = times[{step.line, step.warp}]++;
        order.push_back(orders.try_emplace({step.line, time}, orders.size()).first->second);
        heat.rows.push_back({.step = index,
                             .kind = picture->kind,
                             .warp = step.warp,
                             .source_line = user_line_of(block, index, picture->lanes.lowest()),
                             .line = step.line,
                             .degree = std::move(picture->degree),
                             .by_word = picture->by_word,
                             .wavefronts = picture->wavefronts.size(),
                             .conflict = picture->conflict()});
    }
    std::vector<std::size_t> sorted(heat.rows.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = i;
    std::ranges::stable_sort(sorted, {}, [&](std::size_t i) { return std::pair(order[i], heat.rows[i].warp); });
    std::vector<BankHeatRow> rows;
    rows.reserve(sorted.size());
    for (const std::size_t i : sorted) rows.push_back(std::move(heat.rows[i]));
    heat.rows = std::move(rows);
    return heat;
}

}  // namespace lanescope::analysis
