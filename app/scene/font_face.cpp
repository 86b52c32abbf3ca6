#include "scene/font_face.h"

#include "base/embedded.h"
#include "base/files.h"
#include "base/text.h"
#include "scene/text.h"

#include <stb_truetype.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <memory>
#include <string>

namespace lanescope::scene {
namespace {

constexpr std::array<std::string_view, 5> k_files = {
    "fonts/Inter-Regular.otf",         "fonts/Inter-Medium.otf",       "fonts/Inter-SemiBold.otf",
    "fonts/JetBrainsMono-Regular.ttf", "fonts/JetBrainsMono-Bold.ttf",
};
constexpr std::uint16_t k_fallback = k_files.size();

/// A font file, read once and never changed: safe from any thread.
class Face {
  public:
    explicit Face(std::string_view bytes) : bytes_(bytes) {
        const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
        valid_ = !bytes.empty() && stbtt_InitFont(&info_, data, stbtt_GetFontOffsetForIndex(data, 0)) != 0;
        if (!valid_) return;
        em_ = stbtt_ScaleForMappingEmToPixels(&info_, 1.0F);
        for (int code = 0; code < static_cast<int>(ascii_.size()); ++code)
            ascii_[static_cast<std::size_t>(code)] = static_cast<std::uint16_t>(stbtt_FindGlyphIndex(&info_, code));
        advances_.resize(static_cast<std::size_t>(info_.numGlyphs));
        for (int index = 0; index < info_.numGlyphs; ++index) {
            int advance = 0;
            stbtt_GetGlyphHMetrics(&info_, index, &advance, nullptr);
            advances_[static_cast<std::size_t>(index)] = static_cast<float>(advance) * em_;
        }
    }

    [[nodiscard]] std::string_view bytes() const { return bytes_; }
    [[nodiscard]] const stbtt_fontinfo* info() const { return &info_; }
    [[nodiscard]] float em() const { return em_; }

    [[nodiscard]] std::uint16_t index_of(char32_t code) const {
        if (!valid_) return 0;
        if (code < ascii_.size()) return ascii_[code];
        return static_cast<std::uint16_t>(stbtt_FindGlyphIndex(&info_, static_cast<int>(code)));
    }
    [[nodiscard]] float advance(std::uint16_t index) const {
        return index < advances_.size() ? advances_[index] : 0.0F;
    }

  private:
    std::string_view bytes_;
    stbtt_fontinfo info_{};
    bool valid_ = false;
    float em_ = 0;  ///< ems a font unit
    std::array<std::uint16_t, 128> ascii_{};
    std::vector<float> advances_;  ///< ems, by glyph
};

const Face& face(std::uint16_t index) {
    static const auto embedded = [] {
        std::array<std::unique_ptr<Face>, k_files.size()> faces;
        for (std::size_t i = 0; i < k_files.size(); ++i) {
            const auto bytes = embedded_file(k_files[i]);
            assert(bytes && "the build embeds every font");
            faces[i] = std::make_unique<Face>(bytes.value_or(std::string_view()));
        }
        return faces;
    }();
    if (index < k_files.size()) return *embedded[index];
    // Large and rarely needed: read when the first character needs it.
    static const std::string bytes = read_file(LANESCOPE_CJK_FONT).value_or("");
    static const Face fallback(bytes);
    return fallback;
}

std::uint16_t face_index(Font font) { return static_cast<std::uint16_t>(font); }

bool blank(char32_t code) { return code <= U' ' || code == 0x7F || code == 0xA0; }

struct FaceMetrics {
    float ascent = 0, descent = 0, cap_height = 0;  ///< ems
};

const FaceMetrics& metrics_of(Font font) {
    static const auto extents = [] {
        std::array<FaceMetrics, k_files.size()> all;
        for (std::size_t i = 0; i < k_files.size(); ++i) {
            const Face& f = face(static_cast<std::uint16_t>(i));
            int up = 0, down = 0, gap = 0, x0 = 0, y0 = 0, x1 = 0, y1 = 0;
            stbtt_GetFontVMetrics(f.info(), &up, &down, &gap);
            stbtt_GetCodepointBox(f.info(), 'H', &x0, &y0, &x1, &y1);
            all[i] = {static_cast<float>(up) * f.em(), static_cast<float>(-down) * f.em(),
                      static_cast<float>(y1) * f.em()};
        }
        return all;
    }();
    return extents[face_index(font)];
}

}  // namespace

Glyph glyph_of(Font font, char32_t code) {
    if (const auto own = face(face_index(font)).index_of(code); own != 0) return {face_index(font), own};
    // The code face has no superscript minus.
    const Font similar = font == Font::code ? Font::words : font == Font::code_bold ? Font::words_bold : Font::code;
    if (const auto other = face(face_index(similar)).index_of(code); other != 0) return {face_index(similar), other};
    if (const auto other = face(k_fallback).index_of(code); other != 0) return {k_fallback, other};
    return {face_index(font), 0};
}

float advance_of(Glyph glyph, float size) { return face(glyph.face).advance(glyph.index) * size; }

std::vector<PlacedGlyph> place(Font font, float size, std::string_view utf8) {
    std::vector<PlacedGlyph> placed;
    placed.reserve(utf8.size());
    float x = 0;
    for (std::size_t at = 0; at < utf8.size();) {
        const char32_t code = next_code_point(utf8, at);
        const Glyph glyph = glyph_of(font, blank(code) ? U' ' : code);
        if (!blank(code)) placed.push_back({glyph, x});
        x += advance_of(glyph, size);
    }
    return placed;
}

std::vector<OutlinePiece> outline_of(Glyph glyph) {
    const Face& f = face(glyph.face);
    stbtt_vertex* vertices = nullptr;
    const int count = stbtt_GetGlyphShape(f.info(), glyph.index, &vertices);
    std::vector<OutlinePiece> pieces;
    pieces.reserve(static_cast<std::size_t>(count));
    const auto em = [&](short unit) { return static_cast<float>(unit) * f.em(); };
    for (int i = 0; i < count; ++i) {
        const stbtt_vertex& v = vertices[i];
        using Kind = OutlinePiece::Kind;
        const Kind kind = v.type == STBTT_vmove    ? Kind::move
                          : v.type == STBTT_vline  ? Kind::line
                          : v.type == STBTT_vcurve ? Kind::quadratic
                                                   : Kind::cubic;
        pieces.push_back({kind, em(v.x), em(v.y), em(v.cx), em(v.cy), em(v.cx1), em(v.cy1)});
    }
    stbtt_FreeShape(f.info(), vertices);
    return pieces;
}

GlyphBitmap bitmap_of(Glyph glyph, float pixels, float shift) {
    const Face& f = face(glyph.face);
    const float scale = f.em() * pixels;
    GlyphBitmap bitmap;
    int right = 0, bottom = 0;
    stbtt_GetGlyphBitmapBoxSubpixel(f.info(), glyph.index, scale, scale, shift, 0, &bitmap.left, &bitmap.top, &right,
                                    &bottom);
    bitmap.width = right - bitmap.left;
    bitmap.height = bottom - bitmap.top;
    if (bitmap.width <= 0 || bitmap.height <= 0) return {};
    bitmap.coverage.resize(static_cast<std::size_t>(bitmap.width) * static_cast<std::size_t>(bitmap.height));
    stbtt_MakeGlyphBitmapSubpixel(f.info(), bitmap.coverage.data(), bitmap.width, bitmap.height, bitmap.width, scale,
                                  scale, shift, 0, glyph.index);
    return bitmap;
}

float text_width(Font font, float size, std::string_view utf8) {
    float ems = 0;
    for (std::size_t at = 0; at < utf8.size();) {
        const char32_t code = next_code_point(utf8, at);
        ems += advance_of(glyph_of(font, blank(code) ? U' ' : code), 1.0F);
    }
    return ems * size;
}

float left_of(const Text& text) {
    if (text.anchor == Anchor::start) return text.x;
    const float width = text_width(text.font, text.size, text.text);
    return text.anchor == Anchor::middle ? text.x - width / 2 : text.x - width;
}

float ascent(Font font, float size) { return metrics_of(font).ascent * size; }
float descent(Font font, float size) { return metrics_of(font).descent * size; }
float cap_height(Font font, float size) { return metrics_of(font).cap_height * size; }

std::string fitted(Font font, float size, std::string_view utf8, float width) {
    if (text_width(font, size, utf8) <= width) return std::string(utf8);
    constexpr std::string_view ellipsis = "\u2026";
    float used = text_width(font, size, ellipsis);
    if (used > width) return {};
    std::size_t kept = 0;
    for (std::size_t at = 0; at < utf8.size(); kept = at) {
        const std::size_t begin = at;
        static_cast<void>(next_code_point(utf8, at));
        used += text_width(font, size, utf8.substr(begin, at - begin));
        if (used > width) break;
    }
    while (kept > 0 && utf8[kept - 1] == ' ') --kept;
    return std::string(utf8.substr(0, kept)).append(ellipsis);
}

std::string fitted_in_middle(Font font, float size, std::string_view utf8, float width) {
    if (text_width(font, size, utf8) <= width) return std::string(utf8);
    constexpr std::string_view ellipsis = "\u2026";
    std::vector<std::size_t> begins;  // of each code point
    for (std::size_t at = 0; at < utf8.size(); static_cast<void>(next_code_point(utf8, at))) begins.push_back(at);
    // Leaves out one more code point at a time, from the middle on.
    for (std::size_t kept = begins.size(); kept-- > 0;) {
        const std::size_t head = (kept + 1) / 2, tail = kept / 2;
        const std::size_t resumes = tail == 0 ? utf8.size() : begins[begins.size() - tail];
        std::string text = std::string(utf8.substr(0, begins[head])).append(ellipsis).append(utf8.substr(resumes));
        if (text_width(font, size, text) <= width) return text;
    }
    return {};
}

std::vector<std::string> wrapped(Font font, float size, std::string_view text, float width) {
    std::vector<std::string> lines;
    std::string line;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::string longer = line.empty() ? std::string(word) : line + " " + std::string(word);
        if (!line.empty() && text_width(font, size, longer) > width) {
            lines.push_back(line);
            line = word;
        } else {
            line = longer;
        }
    }
    if (!line.empty()) lines.push_back(line);
    return lines;
}

std::string_view font_bytes(Font font) { return face(face_index(font)).bytes(); }
std::string_view fallback_font_bytes() { return face(k_fallback).bytes(); }

}  // namespace lanescope::scene
