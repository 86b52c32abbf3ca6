#include "render/image/image.h"

#include "base/files.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <system_error>

namespace lanescope::render {
namespace {

Result<void> write_picture(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    if (const auto written = write_file(path, bytes); !written)
        return fail("the picture cannot be written: " + written.error(), {path.string(), 0, 0},
                    "Choose a folder that exists and is writable");
    return {};
}

}  // namespace

Result<void> check_size(const scene::Scene& scene, float scale, bool or_svg) {
    const double width = std::ceil(static_cast<double>(scene.width) * static_cast<double>(scale));
    const double height = std::ceil(static_cast<double>(scene.height) * static_cast<double>(scale));
    if (!(width >= 1) || !(height >= 1)) return fail("the picture would have no pixels", {}, "Choose a larger scale");
    const auto side = static_cast<double>(most_pixels_a_side);
    if (width > side || height > side || width * height > static_cast<double>(most_pixels)) {
        const double most =
            std::min({side / static_cast<double>(scene.width), side / static_cast<double>(scene.height),
                      std::sqrt(static_cast<double>(most_pixels) /
                                (static_cast<double>(scene.width) * static_cast<double>(scene.height)))});
        return fail(
            fmt::format("the picture would be {:.0f} x {:.0f} pixels; the limit is {} per side and {} million in total",
                        width, height, most_pixels_a_side, most_pixels / 1'000'000),
            {},
            fmt::format("Choose a scale of at most {:.2f}{}", std::floor(most * 100) / 100,
                        or_svg ? ", or SVG, which has no such limit" : ""));
    }
    return {};
}

Result<void> write_image(const scene::Scene& scene, scene::Theme theme, const std::filesystem::path& path,
                         float scale) {
    const std::string ending = in_small_letters(path.extension().string());
    if (ending == ".svg") {
        const std::string svg = to_svg(scene, theme);
        return write_picture(path, std::as_bytes(std::span(svg)));
    }
    if (ending == ".png") {
        if (auto fits = check_size(scene, scale); !fits) return fits;
        return write_picture(path, to_png(rasterize(scene, theme, scale)));
    }
    return fail(fmt::format("pictures are written as .svg or .png, not as \"{}\"", ending), {path.string(), 0, 0},
                "Choose one of the two endings");
}

}  // namespace lanescope::render
