// Adjacent cells as one shape, because an outline around each would hide the cells.
#pragma once

#include "scene/scene.h"

#include <span>
#include <vector>

namespace lanescope::scene {

/// The boxes around cells that touch. Cells are given line by line, from left to right: those of a line become one box,
/// then lines above each other that begin and end at the same places do.
[[nodiscard]] std::vector<Box> runs_of(std::span<const Box> cells);

}  // namespace lanescope::scene
