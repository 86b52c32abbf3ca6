#include "golden/golden.h"
#include "places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb_image.h>

namespace lanescope::golden {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const fs::path& path, std::span<const std::byte> bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

fs::path difference_path(const std::string& name) { return fs::absolute("golden-differences") / name; }

std::optional<render::Pixels> decoded(const std::string& png) {
    int width = 0, height = 0, channels = 0;
    unsigned char* data = stbi_load_from_memory(reinterpret_cast<const unsigned char*>(png.data()),
                                                static_cast<int>(png.size()), &width, &height, &channels, 4);
    if (data == nullptr) return std::nullopt;
    render::Pixels pixels;
    pixels.width = static_cast<unsigned>(width), pixels.height = static_cast<unsigned>(height);
    pixels.rgba.assign(data, data + std::size_t{pixels.width} * pixels.height * 4);
    stbi_image_free(data);
    return pixels;
}

constexpr const char* how_to_write = "; it is written by: golden --rebaseline --gtest_filter=*";

}  // namespace

fs::path golden_path(const std::string& name) { return fs::path(LANESCOPE_SOURCE_DIR) / "tests/golden" / name; }

std::string check_svg(const std::string& name, const std::string& actual, bool rebaseline) {
    const std::string file = name + ".svg";
    const auto bytes = std::as_bytes(std::span(actual));
    if (rebaseline) {
        write_file(golden_path(file), bytes);
        return {};
    }
    if (!fs::exists(golden_path(file))) return golden_path(file).string() + " is missing" + how_to_write + name;
    const std::string expected = read_file(golden_path(file));
    if (expected == actual) return {};
    write_file(difference_path(file), bytes);
    const auto [mine, theirs] = std::ranges::mismatch(actual, expected);
    const auto line = std::count(actual.begin(), mine, '\n') + 1;
    return fmt::format("the picture differs from {} from line {} on; the new picture is {}", golden_path(file).string(),
                       line, difference_path(file).string());
}

fs::path keep_difference(const std::string& file, const std::string& content) {
    write_file(difference_path(file), std::as_bytes(std::span(content)));
    return difference_path(file);
}

Distance distance_of(const render::Pixels& expected, const render::Pixels& actual) {
    Distance distance;
    distance.picture = actual;
    double sum = 0;
    std::size_t far = 0;
    for (std::size_t pixel = 0; pixel < actual.rgba.size(); pixel += 4) {
        int most = 0;
        for (std::size_t channel = pixel; channel < pixel + 3; ++channel) {
            const int difference = std::abs(int{expected.rgba[channel]} - int{actual.rgba[channel]});
            sum += difference;
            most = std::max(most, difference);
            distance.picture.rgba[channel] = static_cast<std::uint8_t>(std::min(255, 4 * difference));
        }
        if (most > 64) ++far;
    }
    const auto pixels = static_cast<double>(actual.rgba.size()) / 4;
    distance.mean = sum / (3 * pixels);
    distance.far_share = static_cast<double>(far) / pixels;
    return distance;
}

bool close_enough(const Distance& distance) {
    // Another libm or compiler may round the coverage of edges differently; a changed digit differs by more.
    return distance.mean <= 0.05 && distance.far_share <= 0.00003;
}

std::string check_png(const std::string& name, const render::Pixels& actual, bool rebaseline) {
    const std::string file = name + ".png";
    if (rebaseline) {
        write_file(golden_path(file), render::to_png(actual));
        return {};
    }
    if (!fs::exists(golden_path(file))) return golden_path(file).string() + " is missing" + how_to_write + name;
    const auto expected = decoded(read_file(golden_path(file)));
    if (!expected) return golden_path(file).string() + " is not a readable PNG";
    if (expected->width != actual.width || expected->height != actual.height) {
        write_file(difference_path(file), render::to_png(actual));
        return fmt::format("the picture is {} x {}, not {} x {}; the new picture is {}", actual.width, actual.height,
                           expected->width, expected->height, difference_path(file).string());
    }
    const Distance distance = distance_of(*expected, actual);
    if (close_enough(distance)) return {};
    write_file(difference_path(file), render::to_png(actual));
    write_file(difference_path(name + ".difference.png"), render::to_png(distance.picture));
    return fmt::format(
        "the picture differs by {:.3f} on average, and by much in {:.3f} % of it; the new picture is {}, the "
        "differences are {}",
        distance.mean, 100 * distance.far_share, difference_path(file).string(),
        difference_path(name + ".difference.png").string());
}

}  // namespace lanescope::golden
