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

/// One of the runs; the others are compared with the first.
struct Multiple {
    std::string name;
    std::string place;               ///< position of its picture: "after s = 8"; empty: at the end
    const Scene* picture = nullptr;  ///< of its passes, at most multiple_width() wide; null: there is none yet
    std::string instead;             ///< why there is no picture
    const analysis::Comparison* comparison = nullptr;  ///< with the first; null: not known yet, or it is the first
    const timing::ComparedTimes* times = nullptr;      ///< the same for times
    std::string caveat;  ///< why it is not the same task as the first; empty: it may be the same
};

struct MultiplesOptions {
    float width = 900;                   ///< points
    std::optional<std::size_t> hovered;  ///< the run under the mouse
    bool beside = false;  ///< all in one row, in columns as narrow as their counts allow: the window shows all at once
    bool sentences = true;  ///< with what changed in each, below
    bool tight = false;     ///< for larger pictures: low rows of counts, and sentences without times, which counts have
    /// Shows only this run's picture, beside a table of the counts of all. Needs `beside` and `height`.
    std::optional<std::size_t> enlarged;
    float height = 0;          ///< of everything, where a run is enlarged, points
    float picture_height = 0;  ///< higher pictures are drawn smaller; 0: never
};

/// The width of one column, points. `beside`: as in MultiplesOptions.
[[nodiscard]] float multiple_width(float width, std::size_t runs, bool beside = false);

/// The height of everything except the pictures, points; each row of pictures adds its own. The blank part at a
/// picture's top and bottom overlaps its neighbors and is counted as theirs.
struct HeightOfMultiples {
    float without_pictures = 0;
    std::size_t rows = 1;
};
[[nodiscard]] HeightOfMultiples height_of_multiples(std::span<const Multiple> runs, const MultiplesOptions& options);

/// The room for the enlarged run's picture, points.
struct RoomOfMultiple {
    float width = 0, height = 0;
};
[[nodiscard]] RoomOfMultiple room_of_enlarged(std::span<const Multiple> runs, const MultiplesOptions& options);

/// References: heading (row = the run with this name), row (row = the run; elsewhere in its column), note (row = the
/// run that the sentences are about).
[[nodiscard]] Scene multiples_scene(std::span<const Multiple> runs, const MultiplesOptions& options);

}  // namespace lanescope::scene
