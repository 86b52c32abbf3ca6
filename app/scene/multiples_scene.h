// Two to four runs as small multiples -> shapes: the passes of each in a column of its own, and below them its counts
// and times with the change from the first. The Compare panel and `lanescope compare` draw it.
#pragma once

#include "analysis/comparison/comparison.h"
#include "scene/scene.h"
#include "timing/compared_times.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace lanescope::scene {

/// One of the runs; the first is what the others are compared with.
struct Multiple {
    std::string name;
    std::string place;               ///< of its picture: "after s = 8"; empty: at the end
    const Scene* picture = nullptr;  ///< of its passes, at most multiple_width() wide; null: there is none yet
    std::string instead;             ///< where there is no picture: why
    const analysis::Comparison* comparison = nullptr;  ///< with the first; null: not known yet, or it is the first
    const timing::ComparedTimes* times = nullptr;      ///< likewise
    std::string caveat;                                ///< why it is not the same task as the first; empty: it may be
};

struct MultiplesOptions {
    float width = 900;                   ///< points
    std::optional<std::size_t> hovered;  ///< the run under the mouse
    bool beside = false;  ///< all in one row, in columns as narrow as their counts allow: the window shows all at once
    bool sentences = true;  ///< what changed in each, below
    bool tight = false;     ///< for larger pictures: low rows of counts, and sentences without times, which counts have
    /// This run's picture alone, beside a table of the counts of all. With `beside` and `height`.
    std::optional<std::size_t> enlarged;
    float height = 0;          ///< of the enlarged one: of everything, points
    float picture_height = 0;  ///< higher pictures are drawn smaller; 0: none is
};

/// The width of one column, points. `beside`: as in MultiplesOptions.
[[nodiscard]] float multiple_width(float width, std::size_t runs, bool beside = false);

/// The height of everything but the pictures, points; each row of pictures adds its own. What a picture leaves blank at
/// its top and bottom lies under its neighbors and counts for these.
struct HeightOfMultiples {
    float without_pictures = 0;
    std::size_t rows = 1;
};
[[nodiscard]] HeightOfMultiples height_of_multiples(std::span<const Multiple> runs, const MultiplesOptions& options);

/// The room for the picture of the enlarged run, points.
struct RoomOfMultiple {
    float width = 0, height = 0;
};
[[nodiscard]] RoomOfMultiple room_of_enlarged(std::span<const Multiple> runs, const MultiplesOptions& options);

/// References: heading (row = the run whose name it is), row (row = the run, elsewhere in its column), note (row = the
/// run whose sentences they are).
[[nodiscard]] Scene multiples_scene(std::span<const Multiple> runs, const MultiplesOptions& options);

}  // namespace lanescope::scene
