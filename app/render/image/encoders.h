// The encoders that write_animation passes its frames to: all of one size, in order.
#pragma once

#include "base/result.h"
#include "render/image/image.h"

#include <filesystem>
#include <memory>

namespace lanescope::render {

class FrameEncoder {
  public:
    virtual ~FrameEncoder() = default;
    FrameEncoder(const FrameEncoder&) = delete;
    FrameEncoder& operator=(const FrameEncoder&) = delete;
    [[nodiscard]] virtual Result<void> add(const Pixels& frame) = 0;
    /// Completes the file, which replaces an earlier one. Without this call there is no file.
    [[nodiscard]] virtual Result<void> finish() = 0;

  protected:
    FrameEncoder() = default;
};

/// Encodes with giflib; fails where the program was built without it. `seconds`: duration of a frame.
[[nodiscard]] Result<std::unique_ptr<FrameEncoder>> gif_encoder(const std::filesystem::path& path, double seconds);
/// Encodes with the program ffmpeg; fails where PATH has none.
[[nodiscard]] Result<std::unique_ptr<FrameEncoder>> mp4_encoder(const std::filesystem::path& path, double seconds);

}  // namespace lanescope::render
