// The encoders that write_animation gives its frames to: all of one size, in their order.
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
    /// The file is complete then, and replaces what was there. Without it there is no file.
    [[nodiscard]] virtual Result<void> finish() = 0;

  protected:
    FrameEncoder() = default;
};

/// By giflib; fails where the program was built without it. `seconds`: that a frame stays.
[[nodiscard]] Result<std::unique_ptr<FrameEncoder>> gif_encoder(const std::filesystem::path& path, double seconds);
/// By ffmpeg, as a program beside this one; fails where PATH has none.
[[nodiscard]] Result<std::unique_ptr<FrameEncoder>> mp4_encoder(const std::filesystem::path& path, double seconds);

}  // namespace lanescope::render
