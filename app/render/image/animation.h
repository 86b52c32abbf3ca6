// A sequence of scenes -> an animated GIF, or an MP4 that ffmpeg writes.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "render/image/image.h"
#include "scene/scene.h"
#include "scene/theme.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

namespace lanescope::render {

/// A longer one would hardly be watched, and takes minutes.
inline constexpr std::size_t most_frames = 2000;

struct Frames {
    std::size_t count = 0;
    /// The scene of a frame, from 0. Called twice for each: the largest one determines the size of all.
    std::function<scene::Scene(std::size_t)> draw;
};

struct AnimationOptions {
    scene::Theme theme = scene::Theme::dark;
    float scale = 2;     ///< pixels a point
    double seconds = 1;  ///< that each frame stays
};

/// Whether the file's ending is .gif or .mp4.
[[nodiscard]] bool is_animation(const std::filesystem::path& path);
/// Before any frame is drawn: a problem when the ending is another one, or this build or machine lacks what writes it,
/// saying what to install.
[[nodiscard]] Result<void> can_animate(const std::filesystem::path& path);

/// As many frames as there are, in their order; a GIF repeats without end. Fails as can_animate does, for no frame, for
/// more than most_frames, for a size beyond check_size, and with "cancelled" when it was. An existing file is replaced
/// only by a complete new one.
[[nodiscard]] Result<void> write_animation(const Frames& frames, const AnimationOptions& options,
                                           const std::filesystem::path& path, Progress& progress);

}  // namespace lanescope::render
