// Adjacent cells as one shape, because an outline around each would hide the cells.
#pragma once

#include "scene/scene.h"

#include <span>
#include <vector>

namespace lanescope::scene {

/// The boxes around cells that touch. The cells are given from left to right, line by line: first the runs of a line,
/// then lines above each other that begin and end at the same places, become one box.
[[nodiscard]] std::vector<Box> runs_of(std::span<const Box> cells);

}  // namespace lanescope::scene
