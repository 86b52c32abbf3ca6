// All accesses of one launch at a glance: a row for each warp, a column for each instruction that accesses shared or
// global memory, and in each cell the excessive wavefronts or sectors. The Map panel draws it.
#pragma once

#include "analysis/analysis.h"
#include "base/progress.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::analysis {

/// The executions of one access by one warp, or summed over several.
struct MapCell {
    std::uint64_t executions = 0;   ///< by at least one lane
    std::uint64_t used = 0;         ///< wavefronts of shared memory, sectors of global memory
    std::uint64_t least = 0;        ///< ideal number; as `used` where the column is not rated
    StepId first = {};              ///< the first execution; invalid: none
    StepId first_excess = {};       ///< the first one with excess; invalid: none
    std::uint64_t most_excess = 0;  ///< of one warp

    [[nodiscard]] std::uint64_t excess() const { return used - least; }
    /// The execution that a click goes to.
    [[nodiscard]] StepId target() const { return first_excess.valid() ? first_excess : first; }
    /// Are the numbers the same, whatever the steps?
    [[nodiscard]] bool same_counts(const MapCell& other) const {
        return executions == other.executions && used == other.used && least == other.least;
    }
};

/// One instruction, once for each line that calls its function; or one of its executions by each warp.
struct MapColumn {
    PtxLine line;
    trace::Space space = trace::Space::shared;
    trace::EffectKind kind = trace::EffectKind::load;
    std::uint32_t execution = 0;    ///< the warp's n-th, from 1; 0: all of them
    bool and_later = false;         ///< and all executions after it
    std::uint32_t source_line = 0;  ///< of the user's source that it runs for; 0: unknown
    std::string access;  ///< in the source's words, "sdata[tid + s]", of the first execution; else its array; or empty
    MapCell sum;         ///< of all recorded blocks

    /// No number is known to be ideal for atomics of global memory.
    [[nodiscard]] bool rated() const { return space != trace::Space::global || kind != trace::EffectKind::atomic; }
};

struct MapRow {
    BlockId block;                 ///< the first
    std::uint64_t blocks = 1;      ///< adjacent ones; the cells are of each
    std::optional<WarpId> warp;    ///< nothing: all warps of the block, summed
    bool recorded = true;          ///< false: nothing is known and there are no cells
    std::vector<MapCell> cells{};  ///< by column
};

struct AccessMap {
    std::uint32_t launch = 0;
    std::uint64_t blocks = 0;             ///< of the grid
    std::uint64_t recorded = 0;           ///< of these; the map knows only these
    std::string extent = {};              ///< trace::recorded_text, where not every step is recorded; else empty
    std::vector<MapColumn> columns;       ///< in the order of the source, within a line of the PTX
    std::vector<MapRow> rows;             ///< the warps of the recorded blocks, by block
    std::uint64_t largest_execution = 0;  ///< of an instruction by a warp
    std::uint64_t other_memory = 0;  ///< executed accesses of memory that has neither wavefronts nor sectors: local
};

/// Executions of an instruction that have a column of their own where they are distinguished; the last has the rest.
inline constexpr std::uint32_t most_executions_apart = 24;

/// Takes long for a trace with millions of steps. The map of a cancelled call is incomplete and must be dropped.
[[nodiscard]] AccessMap access_map(const Analysis& analysis, std::uint32_t launch, bool by_execution,
                                   Progress& progress);
[[nodiscard]] AccessMap access_map(const Analysis& analysis, std::uint32_t launch, bool by_execution = false);

/// The column of the access on that line of the PTX where a warp runs for that line of the source (0: unknown). Nothing
/// where several columns have the PTX line and none of them the source line: a step that copies to shared memory has a
/// column for each side, a function has one for each calling line. The map must have been made without `by_execution`.
[[nodiscard]] std::optional<std::size_t> column_of(const AccessMap& map, PtxLine line, std::uint32_t source_line);

/// The subject of a row.
enum class MapRows : std::uint8_t {
    warps,
    blocks,  ///< sums of the block's warps
    runs,    ///< adjacent blocks that are equal warp by warp; each block's sums
};
struct MapView {
    MapRows kind = MapRows::warps;
    std::vector<MapRow> rows;  ///< with one for each run of blocks that are not recorded
};
[[nodiscard]] MapView map_view(const AccessMap& map, MapRows kind);
/// The finest rows that are at most `most`; otherwise runs of equal blocks.
[[nodiscard]] MapView map_view_within(const AccessMap& map, std::size_t most);

/// A line for each warp and column: block, warp, source line, PTX line, access, executions, used, least, excess.
[[nodiscard]] std::string csv_of(const AccessMap& map);

}  // namespace lanescope::analysis
