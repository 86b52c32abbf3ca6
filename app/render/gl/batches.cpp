#include "render/gl/batches.h"

#include "scene/text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <variant>

namespace lanescope::render {
namespace {

/// The number of straight pieces that approximate a cubic to a tenth of a pixel (Wang's formula), rounded up so that
/// neighbors share a batch.
std::uint32_t segments_of(const scene::Curve& c, float scale) {
    const float first = std::hypot(c.x0 - 2 * c.x1 + c.x2, c.y0 - 2 * c.y1 + c.y2);
    const float second = std::hypot(c.x1 - 2 * c.x2 + c.x3, c.y1 - 2 * c.y2 + c.y3);
    constexpr float tolerance = 0.1F;
    const float pieces = std::sqrt(6 * std::max(first, second) * scale / (8 * tolerance));
    if (pieces < 0.5F) return 1;
    return std::clamp(std::bit_ceil(static_cast<std::uint32_t>(std::ceil(pieces))), 4U, 64U);
}

class Builder {
  public:
    Builder(scene::Theme theme, float pixels_per_point, GlyphAtlas& atlas)
        : theme_(theme), scale_(pixels_per_point), atlas_(atlas) {}

    /// False if the atlas was too full for all of the scene's glyphs.
    bool build(const scene::Scene& scene) {
        for (const scene::Shape& shape : scene.shapes) std::visit(*this, shape);
        out_.atlas_generation = atlas_.generation();
        return complete_;
    }
    Batches take() { return std::move(out_); }

    void operator()(const scene::Rect& r) {
        if (!r.fill.visible() && !r.stroke.visible() && !r.hatch.visible()) return;
        const float radius = std::min({r.radius, r.width / 2, r.height / 2});
        out_.rects.push_back({r.x, r.y, r.width, r.height, radius, r.stroke_width, r.dashed ? 1.0F : 0.0F, rgba(r.fill),
                              rgba(r.stroke), rgba(r.hatch)});
        extend(BatchKind::rects, out_.rects.size());
    }

    void operator()(const scene::Circle& c) {
        if (!c.fill.visible() && !c.stroke.visible()) return;
        out_.rects.push_back({c.x - c.radius,
                              c.y - c.radius,
                              2 * c.radius,
                              2 * c.radius,
                              c.radius,
                              c.stroke_width,
                              0,
                              rgba(c.fill),
                              rgba(c.stroke),
                              {}});
        extend(BatchKind::rects, out_.rects.size());
    }

    void operator()(const scene::Curve& c) {
        if (!c.stroke.visible()) return;
        out_.curves.push_back(
            {{c.x0, c.y0, c.x1, c.y1, c.x2, c.y2, c.x3, c.y3}, c.stroke_width, c.dashed ? 1.0F : 0.0F, rgba(c.stroke)});
        extend(BatchKind::curves, out_.curves.size(), segments_of(c, scale_));
    }

    void operator()(const scene::Text& t) {
        if (!t.fill.visible() || t.text.empty()) return;
        const float left = scene::left_of(t);
        const float baseline = std::round(t.y * scale_);
        const Rgba8 color = rgba(t.fill);
        for (const auto& [glyph, x] : scene::place(t.font, t.size, t.text)) {
            const float quarters = std::round((left + x) * scale_ * 4);
            const float whole = std::floor(quarters / 4);
            const auto entry = atlas_.find(glyph, t.size * scale_, static_cast<int>(quarters - whole * 4));
            complete_ = complete_ && entry;
            if (!entry || entry->width == 0) continue;
            out_.glyphs.push_back({whole + static_cast<float>(entry->left), baseline + static_cast<float>(entry->top),
                                   static_cast<float>(entry->width), static_cast<float>(entry->height),
                                   static_cast<float>(entry->x), static_cast<float>(entry->y), color});
            extend(BatchKind::glyphs, out_.glyphs.size());
        }
    }

    void operator()(const scene::ClipBegin& c) {
        const auto edge = [&](float points) { return static_cast<int>(std::lround(points * scale_)); };
        PixelBox box{edge(c.x), edge(c.y), edge(c.x + c.width), edge(c.y + c.height)};
        if (!clips_.empty()) {
            const PixelBox& around = clips_.back();
            box = {std::max(box.left, around.left), std::max(box.top, around.top), std::min(box.right, around.right),
                   std::min(box.bottom, around.bottom)};
        }
        clips_.push_back(box);
    }
    void operator()(const scene::ClipEnd&) { clips_.pop_back(); }

  private:
    [[nodiscard]] Rgba8 rgba(scene::Paint paint) const {
        const scene::Color c = color_of(theme_, paint);
        return {c.r, c.g, c.b, static_cast<std::uint8_t>(std::lround(c.a * 255))};
    }

    /// Adds the newest instance of the kind to the last batch if possible. Straight lines have batches of their own,
    /// because they are cheap.
    void extend(BatchKind kind, std::size_t size, std::uint32_t segments = 1) {
        const std::optional<PixelBox> clip = clips_.empty() ? std::nullopt : std::optional(clips_.back());
        const auto joins = [&](const Batch& last) {
            return last.kind == kind && last.clip == clip && (last.segments == 1) == (segments == 1);
        };
        if (out_.batches.empty() || !joins(out_.batches.back()))
            out_.batches.push_back({kind, static_cast<std::uint32_t>(size - 1), 0, segments, clip});
        Batch& batch = out_.batches.back();
        batch.segments = std::max(batch.segments, segments);
        ++batch.count;
    }

    scene::Theme theme_;
    float scale_;
    GlyphAtlas& atlas_;
    Batches out_;
    std::vector<PixelBox> clips_;
    bool complete_ = true;
};

}  // namespace

Batches batches_of(const scene::Scene& scene, scene::Theme theme, float pixels_per_point, GlyphAtlas& atlas) {
    Builder first(theme, pixels_per_point, atlas);
    if (first.build(scene)) return first.take();
    // Sizes that are no longer in use fill the atlas: begin a new one for this scene.
    atlas.clear();
    Builder second(theme, pixels_per_point, atlas);
    second.build(scene);
    return second.take();
}

}  // namespace lanescope::render
