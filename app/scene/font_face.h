// The faces of text: the glyph of a character, its width, its outline, its bitmap. Every renderer takes its glyphs from
// here, so that a text has the same width and look everywhere. No drawing library is visible outside.
#pragma once

#include "scene/scene.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanescope::scene {

/// A glyph of one face: `index` as the font file numbers it.
struct Glyph {
    std::uint16_t face = 0;  ///< opaque: the face of a Font, or the fallback
    std::uint16_t index = 0;
    friend bool operator==(const Glyph&, const Glyph&) = default;
};

/// The font's own glyph; otherwise the fallback face's; otherwise the font's "missing" box.
[[nodiscard]] Glyph glyph_of(Font font, char32_t code);
[[nodiscard]] float advance_of(Glyph glyph, float size);  ///< points, at an em size in points

/// A glyph of a line of text at `x` points right of the line's start.
struct PlacedGlyph {
    Glyph glyph;
    float x = 0;
};
/// The line's glyphs from its start, whatever its anchor; spaces are left out. No kerning, no ligatures: a number's
/// digits are aligned with its neighbors', and code reads as it was typed.
[[nodiscard]] std::vector<PlacedGlyph> place(Font font, float size, std::string_view utf8);

/// One piece of an outline, in ems, y up, relative to the glyph's origin on the baseline.
struct OutlinePiece {
    enum class Kind : std::uint8_t { move, line, quadratic, cubic } kind = Kind::move;
    float x = 0, y = 0;    ///< its end
    float x1 = 0, y1 = 0;  ///< control points
    float x2 = 0, y2 = 0;
};
/// Closed contours, each begun by a move.
[[nodiscard]] std::vector<OutlinePiece> outline_of(Glyph glyph);

/// Coverage of a glyph rasterized at an exact size: rows top down, 255 = covered.
struct GlyphBitmap {
    int width = 0, height = 0;
    int left = 0, top = 0;  ///< of the bitmap's top left pixel, relative to the origin, y down
    std::vector<std::uint8_t> coverage;
};
/// `pixels`: em size in pixels; `shift`: the offset of the origin from a whole pixel to the right, 0 to 1.
[[nodiscard]] GlyphBitmap bitmap_of(Glyph glyph, float pixels, float shift);

}  // namespace lanescope::scene
