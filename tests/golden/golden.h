// Golden pictures: the pictures of real runs, compared with files beside this one.
//
//   tests/golden/<picture>.svg, .png        what must come out; SVG to the byte, PNG within a tolerance
//   tests/golden/lectures/<lecture>.txt     of each step: what its picture says, and digests of what it draws
//
//   golden                                  compares them all
//   golden --rebaseline                     writes what comes out now: look at the pictures before they are committed
//
// Pictures that differ are kept under golden-differences/ in the folder where the tests run, and the message names
// them.
#pragma once

#include "render/image/image.h"
#include "scene/theme.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

namespace lanescope::golden {

/// A file beside the golden pictures, or among the differences.
[[nodiscard]] std::filesystem::path golden_path(const std::string& name);

/// Compares or, on request, rebaselines; returns what is wrong, or nothing.
[[nodiscard]] std::string check_svg(const std::string& name, const std::string& actual, bool rebaseline);
/// Keeps a picture without a golden file of its own among the differences, and returns its path.
[[nodiscard]] std::filesystem::path keep_difference(const std::string& file, const std::string& content);
[[nodiscard]] std::string check_png(const std::string& name, const render::Pixels& actual, bool rebaseline);

/// For the name of a test, which must not have a "-": in a filter, also ctest's, it excludes all that follows.
[[nodiscard]] inline std::string without_hyphens(std::string_view text) {
    std::string name(text);
    std::ranges::replace(name, '-', '_');
    return name;
}
[[nodiscard]] inline std::string test_name(std::string_view picture, scene::Theme theme) {
    return without_hyphens(picture) + (theme == scene::Theme::dark ? "_dark" : "_light");
}

/// The tests of the panels other than Passes.
void register_panels(bool rebaseline);
/// The tests of the Grid panel.
void register_grids(bool rebaseline);
/// The tests of the Map panel.
void register_maps(bool rebaseline);
/// The tests of the Sectors panel.
void register_sectors(bool rebaseline);
/// The tests of the Theory panel.
void register_theories(bool rebaseline);
/// The tests of Passes where arrays have rows and columns.
void register_array_grids(bool rebaseline);
/// The tests of the Timing panel.
void register_timings(bool rebaseline);
/// The tests of two runs side by side.
void register_comparisons(bool rebaseline);
/// The tests of handouts.
void register_lectures(bool rebaseline);

/// How much two pictures differ.
struct Distance {
    double mean = 0;         ///< of the differences of all channels, 0 to 255
    double far_share = 0;    ///< of pixels with a channel that differs by more than 64
    render::Pixels picture;  ///< the differences, four times as bright
};
[[nodiscard]] bool close_enough(const Distance& distance);
/// The pictures must have the same size.
[[nodiscard]] Distance distance_of(const render::Pixels& expected, const render::Pixels& actual);

}  // namespace lanescope::golden
