#include "render/image/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <span>
#include <system_error>

namespace lanescope::render {
namespace {

Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    // Beside its place first: a full disk or a kill leaves the old picture as it was.
    std::filesystem::path beside = path;
    beside += ".part";
    const Place place{path.string(), 0, 0};
    errno = 0;
    {
        std::ofstream file(beside, std::ios::binary | std::ios::trunc);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        file.close();
        if (!file) {
            const std::string why = errno != 0 ? std::strerror(errno) : "the disk does not take it";
            std::error_code ignored;
            std::filesystem::remove(beside, ignored);
            return fail("the picture cannot be written: " + why, place, "Choose a folder that exists and is writable");
        }
    }
    std::error_code error;
    std::filesystem::rename(beside, path, error);
    if (error) {
        std::error_code ignored;
        std::filesystem::remove(beside, ignored);
        return fail("the picture cannot be written: " + error.message(), place, "Choose another name");
    }
    return {};
}

}  // namespace

Result<void> check_size(const scene::Scene& scene, float scale) {
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
            fmt::format("Choose a scale of at most {:.2f}, or SVG, which has no such limit",
                        std::floor(most * 100) / 100));
    }
    return {};
}

Result<void> write_image(const scene::Scene& scene, scene::Theme theme, const std::filesystem::path& path,
                         float scale) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (ending == ".svg") {
        const std::string svg = to_svg(scene, theme);
        return write_file(path, std::as_bytes(std::span(svg)));
    }
    if (ending == ".png") {
        if (auto fits = check_size(scene, scale); !fits) return fits;
        return write_file(path, to_png(rasterise(scene, theme, scale)));
    }
    return fail(fmt::format("pictures are written as .svg or .png, not as \"{}\"", ending), {path.string(), 0, 0},
                "Choose one of the two endings");
}

}  // namespace lanescope::render
