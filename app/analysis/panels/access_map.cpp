#include "analysis/panels/access_map.h"

#include "analysis/launch_shape.h"
#include "analysis/panels/bank_picture.h"
#include "analysis/panels/excess_counts.h"
#include "analysis/panels/sector_picture.h"
#include "analysis/source/source_line.h"
#include "trace/record_extent.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::Space;

/// A column's place among the others: by line of the source, then by line of the PTX. A function's code stands
/// elsewhere in the PTX than the line that calls it.
struct ColumnKey {
    std::uint32_t source_line = 0;
    PtxLine line;
    Space space = Space::shared;
    trace::EffectKind kind = trace::EffectKind::load;
    std::uint32_t execution = 0;
    friend auto operator<=>(const ColumnKey&, const ColumnKey&) = default;
};

/// The cells of a warp, filled before all columns are known.
struct WarpCells {
    BlockId block;
    WarpId warp;
    std::map<ColumnKey, MapCell> cells;
    std::map<ColumnKey, std::uint32_t> executions;  // so far, by instruction
};

void add(MapCell& sum, const MapCell& more) {
    sum.executions += more.executions;
    sum.used += more.used;
    sum.least += more.least;
    sum.first = std::min(sum.first, more.first);
    sum.first_excess = std::min(sum.first_excess, more.first_excess);
    sum.most_excess = std::max(sum.most_excess, more.most_excess);
}

void name_column(MapColumn& column, const Analysis& analysis, std::uint32_t launch) {
    const trace::Step& step = analysis.trace->step(column.sum.first);
    const BlockView block = analysis.view(launch, step.block);
    const std::size_t index = block.passes.position_of(column.sum.first);
    if (index >= block.passes.steps.size()) return;
    // A step that copies from global to shared memory has one access of each.
    if (column.space == Space::shared) {
        const auto picture = named_bank_picture(block, index);
        if (picture) column.access = picture->access.empty() ? picture->array : picture->access;
    } else {
        const auto picture = sector_picture(block, index);
        if (picture) column.access = picture->access.empty() ? picture->array : picture->access;
    }
}

std::size_t row_of(const trace::Launch& launch, const trace::Step& step) {
    const auto block = std::ranges::lower_bound(launch.recorded, step.block);
    return static_cast<std::size_t>(block - launch.recorded.begin()) * warps_of(launch) + step.warp.index();
}

/// The cells of the launch's steps, one row a warp.
std::vector<WarpCells> cells_of(const Analysis& analysis, AccessMap& map, bool by_execution, Progress& progress) {
    const trace::Trace& trace = *analysis.trace;
    const trace::Launch& launch = trace.launches[map.launch];
    std::vector<WarpCells> warps;
    warps.reserve(launch.recorded.size() * warps_of(launch));
    for (const BlockId block : launch.recorded)
        for (std::uint32_t warp = 0; warp < warps_of(launch); ++warp) warps.push_back({block, WarpId(warp), {}, {}});

    StepLines lines(*analysis.module, analysis.provenance->instructions());
    const std::uint32_t first = launch.first_step.value, past_last = launch.past_last_step.value;
    constexpr std::uint32_t steps_between_reports = 1U << 14U;
    for (std::uint32_t i = first; i < past_last && !progress.cancelled(); ++i) {
        if ((i - first) % steps_between_reports == 0)
            progress.report(static_cast<float>(i - first) / static_cast<float>(past_last - first));
        const trace::Step& step = trace.step(StepId(i));
        const std::size_t row = row_of(launch, step);
        if (step.launch != map.launch || row >= warps.size()) continue;
        const std::uint32_t source_line = lines.next(step);
        const InstructionInfo* const line = analysis.provenance->instructions().at(step.line);
        for (const Effect& effect : trace.effects(step)) {
            if (!trace::is_access(effect.kind) || effect.lanes.none()) continue;
            const std::optional<AccessNeed> need = access_need(trace, effect, line);
            if (!need) {
                if (effect.space == Space::local) ++map.other_memory;
                continue;
            }
            ColumnKey key{source_line, step.line, effect.space, effect.kind, 0};
            const std::uint32_t execution = ++warps[row].executions[key];
            map.largest_execution = std::max<std::uint64_t>(map.largest_execution, execution);
            if (by_execution) key.execution = std::min(execution, most_executions_apart);
            MapCell own{
                .executions = 1, .used = need->used, .least = need->least.value_or(need->used), .first = StepId(i)};
            if (own.excess() > 0) own.first_excess = StepId(i);
            add(warps[row].cells[key], own);
        }
    }
    return warps;
}

bool equal_blocks(std::span<const MapRow> one, std::span<const MapRow> other) {
    return std::ranges::equal(one, other, [](const MapRow& a, const MapRow& b) {
        return std::ranges::equal(a.cells, b.cells,
                                  [](const MapCell& x, const MapCell& y) { return x.same_counts(y); });
    });
}

MapRow sum_of(std::span<const MapRow> warps) {
    MapRow row{.block = warps.front().block, .cells = std::vector<MapCell>(warps.front().cells.size())};
    for (const MapRow& warp : warps)
        for (std::size_t column = 0; column < row.cells.size(); ++column) add(row.cells[column], warp.cells[column]);
    return row;
}

}  // namespace

AccessMap access_map(const Analysis& analysis, std::uint32_t number, bool by_execution) {
    Progress progress;
    return access_map(analysis, number, by_execution, progress);
}

AccessMap access_map(const Analysis& analysis, std::uint32_t number, bool by_execution, Progress& progress) {
    const trace::Launch& launch = analysis.trace->launches[number];
    AccessMap map{.launch = number, .blocks = launch.grid.count(), .recorded = launch.recorded.size()};
    if (!launch.all_recorded()) map.extent = trace::recorded_text(*analysis.trace, number);
    std::vector<WarpCells> warps = cells_of(analysis, map, by_execution, progress);
    if (progress.cancelled()) return map;

    std::map<ColumnKey, std::size_t> places;
    for (const WarpCells& warp : warps)
        for (const auto& [key, cell] : warp.cells) places.try_emplace(key, 0);
    const auto has_more = [&](ColumnKey key) {
        key.execution = 0;
        return std::ranges::any_of(warps, [&](const WarpCells& warp) {
            const auto own = warp.executions.find(key);
            return own != warp.executions.end() && own->second > most_executions_apart;
        });
    };
    for (auto& [key, place] : places) {
        place = map.columns.size();
        map.columns.push_back({.line = key.line,
                               .space = key.space,
                               .kind = key.kind,
                               .execution = key.execution,
                               .and_later = key.execution == most_executions_apart && has_more(key),
                               .source_line = key.source_line});
    }
    map.rows.reserve(warps.size());
    for (const WarpCells& warp : warps) {
        MapRow row{.block = warp.block, .warp = warp.warp, .cells = std::vector<MapCell>(map.columns.size())};
        for (const auto& [key, cell] : warp.cells) {
            MapCell& own = row.cells[places.at(key)];
            own = cell;
            own.most_excess = cell.excess();
            add(map.columns[places.at(key)].sum, own);
        }
        map.rows.push_back(std::move(row));
    }
    for (MapColumn& column : map.columns) name_column(column, analysis, number);
    return map;
}

std::optional<std::size_t> column_of(const AccessMap& map, PtxLine line, std::uint32_t source_line) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < map.columns.size(); ++i)
        if (map.columns[i].line == line) found.push_back(i);
    const auto here = std::ranges::find(found, source_line, [&](std::size_t i) { return map.columns[i].source_line; });
    if (here != found.end()) return *here;
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

MapView map_view(const AccessMap& map, MapRows kind) {
    MapView view{.kind = kind, .rows = {}};
    std::uint64_t next = 0;  // block
    const auto unrecorded_until = [&](std::uint64_t block) {
        if (block > next)
            view.rows.push_back({.block = BlockId(static_cast<std::uint32_t>(next)),
                                 .blocks = block - next,
                                 .warp = {},
                                 .recorded = false});
    };
    std::span<const MapRow> last;  // the block of the last row
    const std::span<const MapRow> rows = map.rows;
    for (std::size_t first = 0; first < rows.size();) {
        std::size_t past = first;
        while (past < rows.size() && rows[past].block == rows[first].block) ++past;
        const std::span<const MapRow> block = rows.subspan(first, past - first);
        const bool adjacent = !last.empty() && next == block.front().block.value;
        unrecorded_until(block.front().block.value);
        if (kind == MapRows::warps)
            view.rows.insert(view.rows.end(), block.begin(), block.end());
        else if (kind == MapRows::runs && adjacent && equal_blocks(last, block))
            ++view.rows.back().blocks;
        else
            view.rows.push_back(sum_of(block));
        next = std::uint64_t{block.front().block.value} + 1;
        last = block;
        first = past;
    }
    unrecorded_until(map.blocks);
    return view;
}

MapView map_view_within(const AccessMap& map, std::size_t most) {
    for (const MapRows kind : {MapRows::warps, MapRows::blocks}) {
        // Beside rows of warps or blocks, blocks that are not recorded are rows of runs.
        if ((kind == MapRows::warps ? map.rows.size() : map.recorded) > most) continue;
        MapView view = map_view(map, kind);
        if (view.rows.size() <= most) return view;
    }
    return map_view(map, MapRows::runs);
}

std::string csv_of(const AccessMap& map) {
    std::string text = "block,warp,source line,PTX line,access,memory,execution,executions,used,least,excess\r\n";
    for (const MapRow& row : map.rows) {
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const MapCell& cell = row.cells[i];
            const MapColumn& column = map.columns[i];
            if (cell.executions == 0) continue;
            std::string access = column.access;
            for (std::size_t at = 0; (at = access.find('"', at)) != std::string::npos; at += 2)
                access.insert(at, 1, '"');
            text += fmt::format(
                "{},{},{},{},\"{}\",{},{},{},{},{},{}\r\n", row.block.value, row.warp->value, column.source_line,
                column.line.value, access, column.space == Space::shared ? "shared" : "global",
                column.execution == 0 ? "" : std::to_string(column.execution), cell.executions, cell.used,
                column.rated() ? std::to_string(cell.least) : "", column.rated() ? std::to_string(cell.excess()) : "");
        }
    }
    return text;
}

}  // namespace lanescope::analysis
