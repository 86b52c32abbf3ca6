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

/// A longer one takes minutes to write, and is too long to watch.
inline constexpr std::size_t most_frames = 2000;

struct Frames {
    std::size_t count = 0;
    /// The scene of frame 0, 1, ... Called twice for each: the largest scene determines the size of all frames.
    std::function<scene::Scene(std::size_t)> draw;
};

struct AnimationOptions {
    scene::Theme theme = scene::Theme::dark;
    float scale = 2;     ///< pixels a point
    double seconds = 1;  ///< duration of a frame
};

/// Is the file's ending .gif or .mp4?
[[nodiscard]] bool is_animation(const std::filesystem::path& path);
/// Call it before drawing any frame. Fails for another ending, or if this build or machine lacks the encoder; the
/// remedy says what to install.
[[nodiscard]] Result<void> can_animate(const std::filesystem::path& path);

/// Writes all frames in order; a GIF repeats without end. Fails as can_animate does, without a frame, with more than
/// most_frames, for a size beyond check_size, and with "cancelled" if it was cancelled. An existing file is replaced
/// only by a complete new one.
[[nodiscard]] Result<void> write_animation(const Frames& frames, const AnimationOptions& options,
                                           const std::filesystem::path& path, Progress& progress);

}  // namespace lanescope::render
