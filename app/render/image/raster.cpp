// Scene -> pixels by Anti-Grain Geometry: the same geometry as the shaders', exact coverage, blended as ImGui blends
// (in the display's own space, not linear light).
#include "render/image/image.h"
#include "scene/font_face.h"
#include "scene/text.h"

#include <agg_conv_curve.h>
#include <agg_conv_dash.h>
#include <agg_conv_stroke.h>
#include <agg_ellipse.h>
#include <agg_path_storage.h>
#include <agg_pixfmt_rgba.h>
#include <agg_rasterizer_scanline_aa.h>
#include <agg_renderer_base.h>
#include <agg_renderer_scanline.h>
#include <agg_rendering_buffer.h>
#include <agg_scanline_p.h>
#include <agg_span_allocator.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace lanescope::render {
namespace {

using scene::Paint;
using PixelFormat = agg::pixfmt_rgba32;
using RendererBase = agg::renderer_base<PixelFormat>;

/// Colors of a hatching, pixel by pixel: full on lines x + y = multiple of the period, fading over one pixel.
class HatchSpans {
  public:
    HatchSpans(agg::rgba8 color, float scale) : color_(color), scale_(scale) {}
    void prepare() {}
    void generate(agg::rgba8* span, int x, int y, unsigned length) const {
        for (unsigned i = 0; i < length; ++i) {
            const float along = (static_cast<float>(x) + static_cast<float>(i) + static_cast<float>(y) + 1.0F) / scale_;
            const float from_line = std::abs(along - scene::hatch_period * std::round(along / scene::hatch_period));
            const float inside = scene::hatch_width / 2 - from_line / std::numbers::sqrt2_v<float>;
            const float coverage = std::clamp(inside * scale_ + 0.5F, 0.0F, 1.0F);
            span[i] = color_;
            span[i].a = static_cast<agg::int8u>(std::lround(static_cast<float>(color_.a) * coverage));
        }
    }

  private:
    agg::rgba8 color_;
    float scale_;
};

class Canvas {
  public:
    Canvas(Pixels& pixels, scene::Theme theme, float scale)
        : buffer_(pixels.rgba.data(), pixels.width, pixels.height, static_cast<int>(pixels.width) * 4),
          format_(buffer_),
          base_(format_),
          theme_(theme),
          scale_(scale) {
        rasterizer_.clip_box(0, 0, pixels.width, pixels.height);
    }

    void background(Paint paint) {
        agg::rgba8 color = rgba(paint);
        color.a = 255;
        base_.clear(color);
    }

    void operator()(const scene::Rect& r) {
        if (r.fill.visible()) {
            rounded(r, 0);
            fill(path_, r.fill);
        }
        if (r.hatch.visible()) {
            rounded(r, 0);
            hatch(r.hatch);
        }
        if (r.stroke.visible()) {
            rounded(r, r.stroke_width / 2);
            stroke(r.stroke, r.stroke_width, r.dashed);
        }
    }

    void operator()(const scene::Circle& c) {
        const auto disc = [&](float radius) {
            return agg::ellipse(pixel(c.x), pixel(c.y), pixel(radius), pixel(radius), 64);
        };
        if (c.fill.visible()) {
            auto path = disc(c.radius);
            fill(path, c.fill);
        }
        if (c.stroke.visible()) {
            auto path = disc(c.radius - c.stroke_width / 2);
            agg::conv_stroke<agg::ellipse> outline(path);
            outline.width(pixel(c.stroke_width));
            fill(outline, c.stroke);
        }
    }

    void operator()(const scene::Curve& c) {
        if (!c.stroke.visible()) return;
        path_.remove_all();
        path_.move_to(pixel(c.x0), pixel(c.y0));
        path_.curve4(pixel(c.x1), pixel(c.y1), pixel(c.x2), pixel(c.y2), pixel(c.x3), pixel(c.y3));
        stroke(c.stroke, c.stroke_width, c.dashed);
    }

    void operator()(const scene::Text& t) {
        if (!t.fill.visible() || t.text.empty()) return;
        const float left = scene::left_of(t);
        // Baselines are on whole pixels so that text is sharp, and glyphs at quarter pixels along the line, as on the
        // screen.
        const double baseline = std::round(pixel(t.y));
        const double em = pixel(t.size);
        path_.remove_all();
        for (const auto& [glyph, x] : scene::place(t.font, t.size, t.text)) {
            const double origin = std::round(pixel(left + x) * 4) / 4;
            const auto px = [&](float ems) { return origin + em * static_cast<double>(ems); };
            const auto py = [&](float ems) { return baseline - em * static_cast<double>(ems); };
            for (const scene::OutlinePiece& o : scene::outline_of(glyph)) {
                using Kind = scene::OutlinePiece::Kind;
                switch (o.kind) {
                    case Kind::move:
                        path_.close_polygon();
                        path_.move_to(px(o.x), py(o.y));
                        break;
                    case Kind::line: path_.line_to(px(o.x), py(o.y)); break;
                    case Kind::quadratic: path_.curve3(px(o.x1), py(o.y1), px(o.x), py(o.y)); break;
                    case Kind::cubic: path_.curve4(px(o.x1), py(o.y1), px(o.x2), py(o.y2), px(o.x), py(o.y)); break;
                }
            }
            path_.close_polygon();
        }
        agg::conv_curve<agg::path_storage> curves(path_);
        fill(curves, t.fill);
    }

    void operator()(const scene::ClipBegin& c) {
        const auto edge = [&](float points) { return static_cast<int>(std::lround(pixel(points))); };
        agg::rect_i box(edge(c.x), edge(c.y), edge(c.x + c.width) - 1, edge(c.y + c.height) - 1);
        if (!clips_.empty()) box = agg::intersect_rectangles(box, clips_.back());
        clips_.push_back(box);
        apply_clip();
    }
    void operator()(const scene::ClipEnd&) {
        assert(!clips_.empty());
        clips_.pop_back();
        apply_clip();
    }

  private:
    [[nodiscard]] double pixel(float points) const { return static_cast<double>(points) * static_cast<double>(scale_); }

    [[nodiscard]] agg::rgba8 rgba(Paint paint) const {
        const scene::Color c = color_of(theme_, paint);
        return {c.r, c.g, c.b, static_cast<unsigned>(std::lround(c.a * 255.0F))};
    }

    void apply_clip() {
        if (clips_.empty()) {
            base_.reset_clipping(true);
        } else if (const agg::rect_i& box = clips_.back(); box.x1 > box.x2 || box.y1 > box.y2) {
            base_.reset_clipping(false);
        } else {
            base_.clip_box(box.x1, box.y1, box.x2, box.y2);
        }
    }

    /// Adds the rectangle's outline to path_, clockwise from the end of the top left corner.
    void rounded(const scene::Rect& r, float inset) {
        const double x0 = pixel(r.x + inset), y0 = pixel(r.y + inset);
        const double x1 = pixel(r.x + r.width - inset), y1 = pixel(r.y + r.height - inset);
        const double radius = std::max(0.0, pixel(r.radius - inset));
        constexpr double kappa = 0.5522847498307936;  // a quarter circle as a cubic: 4/3 (sqrt 2 - 1)
        const double c = radius * (1 - kappa);
        path_.remove_all();
        path_.move_to(x0 + radius, y0);
        path_.line_to(x1 - radius, y0);
        if (radius > 0) path_.curve4(x1 - c, y0, x1, y0 + c, x1, y0 + radius);
        path_.line_to(x1, y1 - radius);
        if (radius > 0) path_.curve4(x1, y1 - c, x1 - c, y1, x1 - radius, y1);
        path_.line_to(x0 + radius, y1);
        if (radius > 0) path_.curve4(x0 + c, y1, x0, y1 - c, x0, y1 - radius);
        path_.line_to(x0, y0 + radius);
        if (radius > 0) path_.curve4(x0, y0 + c, x0 + c, y0, x0 + radius, y0);
        path_.close_polygon();
    }

    template <class Path>
    void fill(Path& path, Paint paint) {
        agg::conv_curve<Path> curves(path);
        rasterizer_.reset();
        rasterizer_.add_path(curves);
        agg::render_scanlines_aa_solid(rasterizer_, scanline_, base_, rgba(paint));
    }

    void hatch(Paint paint) {
        agg::conv_curve<agg::path_storage> curves(path_);
        rasterizer_.reset();
        rasterizer_.add_path(curves);
        HatchSpans spans(rgba(paint), scale_);
        agg::render_scanlines_aa(rasterizer_, scanline_, base_, span_memory_, spans);
    }

    void stroke(Paint paint, float width, bool dashed) {
        using Curves = agg::conv_curve<agg::path_storage>;
        Curves curves(path_);
        if (dashed) {
            agg::conv_dash<Curves> dashes(curves);
            dashes.add_dash(pixel(scene::dash_on), pixel(scene::dash_off));
            agg::conv_stroke<agg::conv_dash<Curves>> outline(dashes);
            outline.width(pixel(width));
            fill(outline, paint);
        } else {
            agg::conv_stroke<Curves> outline(curves);
            outline.width(pixel(width));
            fill(outline, paint);
        }
    }

    agg::rendering_buffer buffer_;
    PixelFormat format_;
    RendererBase base_;
    scene::Theme theme_;
    float scale_;
    std::vector<agg::rect_i> clips_;
    agg::path_storage path_;
    agg::rasterizer_scanline_aa<> rasterizer_;
    agg::scanline_p8 scanline_;
    agg::span_allocator<agg::rgba8> span_memory_;
};

}  // namespace

Pixels rasterize(const scene::Scene& scene, scene::Theme theme, float scale) {
    assert(check_size(scene, scale));
    Pixels pixels;
    pixels.width = static_cast<unsigned>(std::ceil(scene.width * scale));
    pixels.height = static_cast<unsigned>(std::ceil(scene.height * scale));
    pixels.rgba.resize(std::size_t{pixels.width} * pixels.height * 4);
    Canvas canvas(pixels, theme, scale);
    canvas.background(scene.background);
    for (const scene::Shape& shape : scene.shapes) std::visit(canvas, shape);
    return pixels;
}

}  // namespace lanescope::render
