// A Passes picture of arrays with rows and columns: a strip of frames, one a pass, left to right and then down. A frame
// has a grid for every array that has a value by then; only the arcs of the selected value are drawn.
#pragma once

#include "analysis/passes_picture/picture.h"
#include "scene/passes/state.h"
#include "scene/passes_scene.h"

namespace lanescope::scene {

/// The whole picture except its title.
[[nodiscard]] Scene draw_grids(const analysis::Picture& picture, const PassesState& state,
                               const PassesOptions& options);

}  // namespace lanescope::scene
