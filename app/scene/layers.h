// How panels put a scene together: shapes collected by kind, so that renderers draw each kind in one batch, and the
// conventions that all panels share (text in the middle of a box, a ring around one, labels that fit).
#pragma once

#include "scene/scene.h"
#include "scene/text.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::scene {

struct Style {
    Font font = Font::words;
    float size = 13;
    Paint fill{Role::text, 1.0F};
};

/// One layer of a picture: rectangles under curves under circles under rings under text. Shapes over a layer's text
/// belong to the next layer.
struct Layer {
    std::vector<Rect> rects;
    std::vector<Curve> curves;
    std::vector<Circle> circles;
    std::vector<Rect> rings;
    std::vector<Text> texts;

    /// Adds a line of text; capitals and digits are centered on `y`.
    void put(float x, float y, Anchor anchor, const Style& style, std::string text, const TraceRef& ref = {});
    /// Moves its shapes to the end of the scene; invisible shapes without a reference are left out.
    void flush(Scene& scene);
};

[[nodiscard]] Rect rect(const Box& box, float radius, Paint fill, Paint stroke = {}, float stroke_width = 1);
/// An outline around a box, at a distance of `gap` points.
[[nodiscard]] Rect ring(const Box& box, float radius, float gap, Paint stroke, float width);

/// From a panel's edge to its content, points.
inline constexpr float panel_padding = 14;

/// No text in any picture is smaller.
inline constexpr float smallest_text = 10;

/// Capitals and digits are centered on `y`.
[[nodiscard]] Text text_at(float x, float y, Anchor anchor, const Style& style, std::string text);
[[nodiscard]] Text text_in(const Box& box, const Style& style, std::string text);

/// The largest size from `most` down to `least` at which the text is at most `width` wide; 0: it does not fit.
[[nodiscard]] float size_to_fit(Font font, std::string_view text, float width, float most, float least);

/// Puts lines one below the other into a box, at the largest size up to the style's at which all fit.
void put_lines(Layer& layer, const Box& box, Style style, const std::vector<std::string>& lines, float room);

/// Adds a scene's shapes to another one, `scale` times as large, with the corner at (x, y).
void place_scene(Scene& into, const Scene& part, float x, float y, float scale);

/// A reference to the subject of a shape.
[[nodiscard]] TraceRef ref_to(TraceRef::Kind kind, std::size_t row, std::size_t column = 0);

/// Draws a sign of agreement before a line of text: a check, a cross, or a ring where nothing was compared.
void draw_verdict(Layer& layer, float x, float y, std::optional<bool> agrees);

/// Rounded to a whole point, so that edges of boxes are sharp at every whole scale.
[[nodiscard]] float snapped(float value);

}  // namespace lanescope::scene
