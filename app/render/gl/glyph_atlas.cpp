#include "render/gl/glyph_atlas.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanescope::render {

GlyphAtlas::GlyphAtlas(int side, int most_side) : first_side_(side), most_side_(most_side), side_(side) { clear(); }

void GlyphAtlas::clear() {
    side_ = first_side_;
    texels_.assign(static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_), 0);
    shelves_.clear();
    entries_.clear();
    changed_ = {0, side_};
    ++generation_;
}

std::optional<GlyphAtlas::Entry> GlyphAtlas::find(scene::Glyph glyph, float pixels, int quarters) {
    const Key key{glyph.face, glyph.index, static_cast<std::int32_t>(std::lround(pixels * 64)), quarters};
    if (const auto known = entries_.find(key); known != entries_.end()) return known->second;

    const scene::GlyphBitmap bitmap = bitmap_of(glyph, pixels, static_cast<float>(quarters) / 4);
    Entry entry{0, 0, bitmap.width, bitmap.height, bitmap.left, bitmap.top};
    if (bitmap.width > 0) {
        const auto place = allocate(bitmap.width, bitmap.height);
        if (!place) return std::nullopt;
        std::tie(entry.x, entry.y) = *place;
        for (int row = 0; row < bitmap.height; ++row) {
            const auto* from = bitmap.coverage.data() + static_cast<std::ptrdiff_t>(row) * bitmap.width;
            std::copy_n(from, bitmap.width,
                        texels_.begin() + static_cast<std::ptrdiff_t>(entry.y + row) * side_ + entry.x);
        }
        changed_ = changed_.first == changed_.past_last
                       ? Rows{entry.y, entry.y + entry.height}
                       : Rows{std::min(changed_.first, entry.y), std::max(changed_.past_last, entry.y + entry.height)};
    }
    entries_.emplace(key, entry);
    return entry;
}

std::optional<std::pair<int, int>> GlyphAtlas::allocate(int width, int height) {
    if (width > most_side_ || height > most_side_) return std::nullopt;
    for (;;) {
        // The lowest shelf that is high enough, so that small glyphs do not fill the shelves of large ones.
        Shelf* best = nullptr;
        for (Shelf& shelf : shelves_)
            if (shelf.height >= height && side_ - shelf.used >= width &&
                (best == nullptr || shelf.height < best->height))
                best = &shelf;
        const int bottom = shelves_.empty() ? 0 : shelves_.back().y + shelves_.back().height;
        const bool room_below = side_ - bottom >= height && width <= side_;
        if (best != nullptr && (best->height <= height + height / 4 + 2 || !room_below)) {
            const int x = std::exchange(best->used, best->used + width);
            return std::pair{x, best->y};
        }
        if (room_below) {
            shelves_.push_back({bottom, height, width});
            return std::pair{0, bottom};
        }
        if (!grow()) return std::nullopt;
    }
}

bool GlyphAtlas::grow() {
    if (side_ * 2 > most_side_) return false;
    std::vector<std::uint8_t> larger(static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_) * 4);
    for (int row = 0; row < side_; ++row)
        std::copy_n(texels_.begin() + static_cast<std::ptrdiff_t>(row) * side_, side_,
                    larger.begin() + static_cast<std::ptrdiff_t>(row) * side_ * 2);
    texels_ = std::move(larger);
    side_ *= 2;
    changed_ = {0, side_};
    return true;
}

GlyphAtlas::Rows GlyphAtlas::take_changed_rows() { return std::exchange(changed_, {}); }

}  // namespace lanescope::render
