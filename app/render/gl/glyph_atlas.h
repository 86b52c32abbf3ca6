// Glyph bitmaps of every size in use, packed into one image: rows of glyphs, filled from left to right. Grows up to a
// limit. When it is full it is cleared and its generation is incremented: earlier entries are invalid.
#pragma once

#include "scene/font_face.h"

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace lanescope::render {

class GlyphAtlas {
  public:
    /// `side`: of the image in texels, at the start and at most; powers of two.
    explicit GlyphAtlas(int side = 512, int most_side = 4096);

    struct Entry {
        int x = 0, y = 0;           ///< top left texel
        int width = 0, height = 0;  ///< 0: nothing to draw
        int left = 0, top = 0;      ///< of the bitmap relative to the origin on the baseline, y down
    };
    /// The glyph at an em size in pixels, its origin `quarters` / 4 of a pixel right of a whole one. Nothing when it is
    /// larger than the whole atlas, or when there is no room left: call `clear` and place everything again.
    [[nodiscard]] std::optional<Entry> find(scene::Glyph glyph, float pixels, int quarters);
    void clear();

    [[nodiscard]] std::uint32_t generation() const { return generation_; }
    [[nodiscard]] int side() const { return side_; }
    [[nodiscard]] const std::vector<std::uint8_t>& texels() const { return texels_; }  ///< side x side, a byte each

    /// Rows [first, past_last) changed since the last call; empty when none.
    struct Rows {
        int first = 0, past_last = 0;
    };
    [[nodiscard]] Rows take_changed_rows();

  private:
    [[nodiscard]] std::optional<std::pair<int, int>> allocate(int width, int height);
    bool grow();

    struct Shelf {
        int y = 0, height = 0, used = 0;
    };
    using Key = std::tuple<std::uint16_t, std::uint16_t, std::int32_t, int>;  ///< face, glyph, 1/64 pixels, quarters

    int first_side_, most_side_, side_;
    std::vector<std::uint8_t> texels_;
    std::vector<Shelf> shelves_;
    std::map<Key, Entry> entries_;
    Rows changed_;
    std::uint32_t generation_ = 0;
};

}  // namespace lanescope::render
