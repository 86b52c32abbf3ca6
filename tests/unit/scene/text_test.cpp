#include "scene/text.h"

#include "base/text.h"
#include "scene/font_face.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::scene {
namespace {

std::u32string decoded(std::string_view utf8) {
    std::u32string text;
    for (std::size_t at = 0; at < utf8.size();) text += next_code_point(utf8, at);
    return text;
}

TEST(Utf8, DecodesEveryLength) { EXPECT_EQ(decoded("a\u00E9\u4E2D\U0001F600"), U"a\u00E9\u4E2D\U0001F600"); }

TEST(Utf8, TurnsWhatIsMalformedIntoReplacementsAndGoesOn) {
    EXPECT_EQ(decoded("a\xFFz"), U"a\uFFFDz");
    EXPECT_EQ(decoded("\xE4\xB8"), U"\uFFFD");      // cut off
    EXPECT_EQ(decoded("\xC0\x80"), U"\uFFFD");      // overlong
    EXPECT_EQ(decoded("\xED\xA0\x80"), U"\uFFFD");  // surrogate
    EXPECT_EQ(decoded("\xE4"
                      "a"),
              U"\uFFFDa");
}

TEST(TextWidth, IsNothingForNothing) { EXPECT_EQ(text_width(Font::words, 13, ""), 0); }

TEST(TextWidth, GrowsWithTheSize) {
    EXPECT_FLOAT_EQ(text_width(Font::words, 26, "pass 3"), 2 * text_width(Font::words, 13, "pass 3"));
}

TEST(TextWidth, IsTheSameForEveryCodeCharacter) {
    EXPECT_FLOAT_EQ(text_width(Font::code, 10, "1111"), text_width(Font::code, 10, "-0.5"));
    EXPECT_FLOAT_EQ(text_width(Font::code, 10, "1"), 6);  // JetBrains Mono: 600 of 1000 units
    EXPECT_FLOAT_EQ(text_width(Font::code_bold, 10, "W"), 6);
}

TEST(TextWidth, IsLargerInBold) {
    EXPECT_GT(text_width(Font::words_bold, 13, "lanes"), text_width(Font::words, 13, "lanes"));
}

TEST(Metrics, AreOrdered) {
    for (const Font font : {Font::words, Font::words_medium, Font::words_bold, Font::code, Font::code_bold}) {
        EXPECT_GT(cap_height(font, 10), 6);
        EXPECT_GT(ascent(font, 10), cap_height(font, 10));
        EXPECT_GT(descent(font, 10), 0);
    }
}

TEST(Fitted, LeavesWhatFits) { EXPECT_EQ(fitted(Font::words, 13, "load", 100), "load"); }

TEST(Fitted, EndsWithAnEllipsisAndFits) {
    const std::string text = fitted(Font::words, 13, "a rather long name of an array", 80);
    EXPECT_TRUE(text.ends_with("\u2026"));
    EXPECT_LE(text_width(Font::words, 13, text), 80);
    EXPECT_GT(text_width(Font::words, 13, text), 55);
}

TEST(Fitted, CutsBetweenCharactersOnly) {
    for (float width = 0; width < 70; width += 1) {
        const std::string text = fitted(Font::words, 13, "\u00E4\u00F6\u00FC\u00DF\u00E9\u00E8\u00E2\u00F1", width);
        EXPECT_EQ(decoded(text).find(replacement_character), std::u32string::npos);
    }
}

TEST(Fitted, IsEmptyWhereNothingFits) { EXPECT_EQ(fitted(Font::words, 13, "load", 3), ""); }

TEST(Glyphs, AreFoundInEveryFace) {
    for (const Font font : {Font::words, Font::words_medium, Font::words_bold, Font::code, Font::code_bold})
        for (char32_t code = U'!'; code <= U'~'; ++code) EXPECT_NE(glyph_of(font, code).index, 0);
}

TEST(Glyphs, ComeFromTheFallbackFaceForChinese) {
    if (fallback_font_bytes().empty()) GTEST_SKIP() << "no Chinese face is installed";
    const Glyph glyph = glyph_of(Font::code, U'\u6C42');
    EXPECT_NE(glyph.index, 0);
    EXPECT_NE(glyph.face, glyph_of(Font::code, U'a').face);
    EXPECT_FALSE(outline_of(glyph).empty());
}

TEST(Glyphs, OfASuperscriptMinusAreInEveryFace) {
    for (const Font font : {Font::words, Font::words_medium, Font::words_bold, Font::code, Font::code_bold}) {
        const Glyph glyph = glyph_of(font, U'\u207B');
        EXPECT_NE(glyph.index, 0);
        EXPECT_FALSE(outline_of(glyph).empty());
    }
}

TEST(Glyphs, AreTheMissingBoxWhereNoFaceHasThem) {
    EXPECT_EQ(glyph_of(Font::words, U'\U000F1234').index, 0);
    EXPECT_GT(text_width(Font::words, 13, "\U000F1234"), 0);
}

TEST(Outlines, AreClosedContoursWithinAnEm) {
    const auto pieces = outline_of(glyph_of(Font::words, U'8'));
    ASSERT_FALSE(pieces.empty());
    EXPECT_EQ(pieces.front().kind, OutlinePiece::Kind::move);
    EXPECT_EQ(std::ranges::count(pieces, OutlinePiece::Kind::move, &OutlinePiece::kind), 3);
    for (const OutlinePiece& piece : pieces) {
        EXPECT_GE(piece.x, -0.1F);
        EXPECT_LE(piece.x, 1);
        EXPECT_GE(piece.y, -0.1F);
        EXPECT_LE(piece.y, 1);
    }
}

TEST(Bitmaps, CoverAboutTheAreaOfTheGlyph) {
    const GlyphBitmap bitmap = bitmap_of(glyph_of(Font::code, U'l'), 32, 0.5F);
    EXPECT_GT(bitmap.height, 20);
    EXPECT_LT(bitmap.top, -20);
    EXPECT_EQ(bitmap.coverage.size(), static_cast<std::size_t>(bitmap.width * bitmap.height));
    EXPECT_THAT(bitmap.coverage, testing::Contains(255));
}

TEST(Bitmaps, AreEmptyForASpace) { EXPECT_EQ(bitmap_of(glyph_of(Font::words, U' '), 20, 0).width, 0); }

TEST(FittedInMiddle, KeepsBothEndsOfATextThatIsTooLong) {
    const std::string text = "s[threadIdx.y + offset][threadIdx.x]", other = "s[threadIdx.y + offset][threadIdx.z]";
    const float width = text_width(Font::code, 11, text) * 0.6F;
    const std::string cut = fitted_in_middle(Font::code, 11, text, width);
    EXPECT_LE(text_width(Font::code, 11, cut), width);
    EXPECT_TRUE(cut.starts_with("s[thr") && cut.ends_with("x]")) << cut;
    EXPECT_NE(cut, fitted_in_middle(Font::code, 11, other, width));
    EXPECT_EQ(fitted_in_middle(Font::code, 11, text, 1000), text);
}

}  // namespace
}  // namespace lanescope::scene
