// analysis::ProgramLine -> shapes: the Program panel. One row for each step of the host code, with its line of the
// source; launches stand out, and printed text is set in the code font and wrapped.
#pragma once

#include "analysis/panels/program_lines.h"
#include "scene/scene.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::scene {

/// The lines, broken to fit a width.
struct ProgramRow {
    std::size_t line = 0;  ///< index in the lines
    bool first = false;    ///< the first row of its line
    std::string text;
};
[[nodiscard]] std::vector<ProgramRow> program_rows(std::span<const analysis::ProgramLine> lines, float width);

struct ProgramOptions {
    float width = 480, height = 0;        ///< points available; height 0: as high as it needs
    double top = 0;                       ///< points scrolled away at the top
    std::optional<std::uint32_t> launch;  ///< the shown one
};

/// References: row (row = the launch), line (column = the line of the source).
[[nodiscard]] Scene program_scene(std::span<const analysis::ProgramLine> lines, std::span<const ProgramRow> rows,
                                  const ProgramOptions& options);

/// Height of all rows, points.
[[nodiscard]] double program_height(std::span<const ProgramRow> rows);

/// The place of a launch's row from the top of the content, points; nothing where it has none.
struct ProgramRowExtent {
    double top = 0, bottom = 0;
};
[[nodiscard]] std::optional<ProgramRowExtent> program_row(std::span<const analysis::ProgramLine> lines,
                                                          std::span<const ProgramRow> rows, std::uint32_t launch);

}  // namespace lanescope::scene
