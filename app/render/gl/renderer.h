// Scene -> OpenGL 3.3: one instanced draw for each run of like shapes, shaders from shaders/, glyphs from an atlas.
// Also reads the framebuffer back for pictures of the window.
#pragma once

#include "base/result.h"
#include "scene/scene.h"
#include "scene/theme.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::render {

/// Needs a current OpenGL 3.3 context with its functions loaded (load_gl) as long as it lives.
class GlRenderer {
  public:
    /// Compiles the shaders; fails with the driver's log.
    [[nodiscard]] static Result<std::unique_ptr<GlRenderer>> create();
    ~GlRenderer();

    /// Where a scene is drawn: its origin is at (x, y) of the framebuffer, in pixels from the top left; shapes are
    /// clipped to [clip_x, clip_x + clip_width) ...; `pixels_per_point` scales.
    struct Target {
        int framebuffer_width = 0, framebuffer_height = 0;
        float x = 0, y = 0, pixels_per_point = 1;
        float clip_x = 0, clip_y = 0, clip_width = 0, clip_height = 0;
    };
    /// Draws into the bound framebuffer and leaves the GL state that ImGui's backend restores anyway.
    /// The scene is uploaded again only when `scene_id` changes from the last draw of the same `slot`.
    void draw(const scene::Scene& scene, std::uint64_t scene_id, unsigned slot, scene::Theme theme,
              const Target& target);

    GlRenderer(const GlRenderer&) = delete;
    GlRenderer& operator=(const GlRenderer&) = delete;

  private:
    GlRenderer();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

using GlLoader = void (*(*)(const char* name))();
/// Loads the OpenGL functions (glad). Fails below version 3.3, and names the version found.
[[nodiscard]] Result<void> load_gl(GlLoader loader);

/// RGBA of the bound framebuffer, of the frame not yet swapped; rows top down, alpha opaque. Needs a current context.
[[nodiscard]] std::vector<std::uint8_t> read_framebuffer(int width, int height);

}  // namespace lanescope::render
