// Cells beside each other as one shape: an outline around each would be nothing but outlines.
#pragma once

#include "scene/scene.h"

#include <span>
#include <vector>

namespace lanescope::scene {

/// The boxes around cells that touch, of cells from left to right, line by line: those of a line, then lines above each
/// other that begin and end at the same places.
[[nodiscard]] std::vector<Box> runs_of(std::span<const Box> cells);

}  // namespace lanescope::scene
