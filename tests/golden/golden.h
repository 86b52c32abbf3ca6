// Golden pictures: what real runs look like, held to files beside this one.
//
//   tests/golden/<picture>.svg, .png        what must come out; SVG to the byte, PNG within a tolerance
//   tests/golden/lectures/<lecture>.txt     of each step: what its picture says, and digests of what it draws
//
//   golden                                  compares them all
//   golden --rebaseline                     writes what comes out now: look at the pictures before they are committed
//
// Pictures that differ are kept under golden-differences/ in the folder that the tests run in, and the message names
// it.
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

/// Compares or, when asked to, rebaselines; returns what is wrong, or nothing.
[[nodiscard]] std::string check_svg(const std::string& name, const std::string& actual, bool rebaseline);
/// Keeps a picture that has no file of its own among the differences, and returns where.
[[nodiscard]] std::filesystem::path keep_difference(const std::string& file, const std::string& content);
[[nodiscard]] std::string check_png(const std::string& name, const render::Pixels& actual, bool rebaseline);

/// For the name of a test, which has no "-": in a filter, ctest's too, that leaves out all that follows.
[[nodiscard]] inline std::string without_hyphens(std::string_view text) {
    std::string name(text);
    std::ranges::replace(name, '-', '_');
    return name;
}
[[nodiscard]] inline std::string test_name(std::string_view picture, scene::Theme theme) {
    return without_hyphens(picture) + (theme == scene::Theme::dark ? "_dark" : "_light");
}

/// The tests of the panels beside Passes.
void register_panels(bool rebaseline);
/// The tests of the Grid panel.
void register_grids(bool rebaseline);
void register_maps(bool rebaseline);
/// The tests of the Theory panel.
void register_sectors(bool rebaseline);
void register_theories(bool rebaseline);
/// The tests of Passes where arrays have rows and columns.
void register_array_grids(bool rebaseline);
/// The tests of the Timing panel.
void register_timings(bool rebaseline);
/// The tests of two runs beside each other.
void register_comparisons(bool rebaseline);
/// The tests of handouts.
void register_lectures(bool rebaseline);

/// How far two pictures are apart.
struct Distance {
    double mean = 0;         ///< of all channels' differences, 0 to 255
    double far_share = 0;    ///< of pixels with a channel that differs by more than 64
    render::Pixels picture;  ///< where, four times as bright as it is
};
[[nodiscard]] bool close_enough(const Distance& distance);
/// The pictures must be of one size.
[[nodiscard]] Distance distance_of(const render::Pixels& expected, const render::Pixels& actual);

}  // namespace lanescope::golden
