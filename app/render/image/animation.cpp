#include "render/image/animation.h"

#include "base/grouped.h"
#include "base/text.h"
#include "render/image/encoders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace lanescope::render {

namespace {

std::string ending_of(const std::filesystem::path& path) { return in_small_letters(path.extension().string()); }

Result<std::unique_ptr<FrameEncoder>> encoder_of(const std::filesystem::path& path, double seconds) {
    const std::string ending = ending_of(path);
    if (ending == ".gif") return gif_encoder(path, seconds);
    if (ending == ".mp4") return mp4_encoder(path, seconds);
    return fail(fmt::format("animations are written as .gif or .mp4, not as \"{}\"", ending), {path.string()},
                "Choose one of the two endings.");
}

/// The next larger size in points that is an even number of pixels.
float even(float points, float scale) { return 2 * std::ceil(points * scale / 2) / scale; }

std::unexpected<Problem> cancelled() { return fail("cancelled"); }

}  // namespace

bool is_animation(const std::filesystem::path& path) {
    const std::string ending = ending_of(path);
    return ending == ".gif" || ending == ".mp4";
}

Result<void> can_animate(const std::filesystem::path& path) {
    if (const auto encoder = encoder_of(path, 1); !encoder) return std::unexpected(encoder.error());
    return {};
}

Result<void> write_animation(const Frames& frames, const AnimationOptions& options, const std::filesystem::path& path,
                             Progress& progress) {
    if (frames.count == 0) return fail("the animation would have no frames", {path.string()});
    if (frames.count > most_frames)
        return fail(fmt::format("the animation would have {}; the limit is {}", counted(frames.count, "frame"),
                                grouped(most_frames)),
                    {path.string()}, "Choose a smaller launch.");
    auto encoder = encoder_of(path, options.seconds);
    if (!encoder) return std::unexpected(encoder.error());

    const auto say = [&](const char* what, std::size_t frame, float share) {
        progress.say(fmt::format("{} frame {} of {}", what, grouped(frame + 1), grouped(frames.count)));
        progress.report(share);
    };
    const auto share_of = [&](std::size_t frame) {
        return static_cast<float>(frame) / static_cast<float>(2 * frames.count);
    };
    scene::Scene largest;
    for (std::size_t frame = 0; frame < frames.count; ++frame) {
        if (progress.cancelled()) return cancelled();
        say("measuring", frame, share_of(frame));
        const scene::Scene scene = frames.draw(frame);
        largest.width = std::max(largest.width, scene.width);
        largest.height = std::max(largest.height, scene.height);
    }
    if (ending_of(path) == ".mp4") {
        // The codec halves the resolution of the colors, which takes an even size.
        largest.width = even(largest.width, options.scale);
        largest.height = even(largest.height, options.scale);
    }
    if (auto fits = check_size(largest, options.scale, false); !fits) return fits;
    for (std::size_t frame = 0; frame < frames.count; ++frame) {
        if (progress.cancelled()) return cancelled();
        say("drawing", frame, share_of(frames.count + frame));
        scene::Scene scene = frames.draw(frame);
        scene.width = largest.width;
        scene.height = largest.height;
        if (auto added = (*encoder)->add(rasterize(scene, options.theme, options.scale)); !added) return added;
    }
    if (progress.cancelled()) return cancelled();
    if (auto finished = (*encoder)->finish(); !finished) return finished;
    progress.report(1);
    return {};
}

}  // namespace lanescope::render
