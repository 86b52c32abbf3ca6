// Scene -> vertex data: instances of three kinds, batched without changing the drawing order. No OpenGL calls.
#pragma once

#include "render/gl/glyph_atlas.h"
#include "scene/scene.h"
#include "scene/theme.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::render {

using Rgba8 = std::array<std::uint8_t, 4>;  ///< straight alpha

/// Rectangles, and circles as rectangles whose corner radius is half their size. Layout of shaders/rect.vert.
struct RectInstance {
    float x, y, width, height;  ///< points
    float radius, stroke_width, dashed;
    Rgba8 fill, stroke, hatch;
};
/// Layout of shaders/curve.vert.
struct CurveInstance {
    float points[8];  ///< x0 y0 x1 y1 x2 y2 x3 y3
    float width, dashed;
    Rgba8 color;
};
/// Layout of shaders/glyph.vert.
struct GlyphInstance {
    float x, y, width, height;  ///< pixels from the scene's origin
    float texel_x, texel_y;
    Rgba8 color;
};

enum class BatchKind : std::uint8_t { rects, curves, glyphs };

/// Pixels from the scene's origin.
struct PixelBox {
    int left = 0, top = 0, right = 0, bottom = 0;
    friend bool operator==(const PixelBox&, const PixelBox&) = default;
};

/// A run of instances of one kind, drawn at once.
struct Batch {
    BatchKind kind = BatchKind::rects;
    std::uint32_t first = 0, count = 0;
    std::uint32_t segments = 1;  ///< of curves: the straight pieces of each; 1 only where all are straight
    std::optional<PixelBox> clip;
};

struct Batches {
    std::vector<RectInstance> rects;
    std::vector<CurveInstance> curves;
    std::vector<GlyphInstance> glyphs;
    std::vector<Batch> batches;
    std::uint32_t atlas_generation = 0;  ///< the atlas generation of the glyphs' texels
};

[[nodiscard]] Batches batches_of(const scene::Scene& scene, scene::Theme theme, float pixels_per_point,
                                 GlyphAtlas& atlas);

}  // namespace lanescope::render
