#include "render/image/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::render {
namespace {

using scene::Paint;
using scene::Role;
using scene::Scene;
using scene::Theme;
using testing::HasSubstr;
using testing::Not;

Scene with(scene::Shape shape) {
    Scene scene;
    scene.width = 100, scene.height = 50;
    scene.shapes.push_back(std::move(shape));
    return scene;
}

scene::Text text(std::string words) {
    scene::Text t;
    t.x = 10, t.y = 20;
    t.text = std::move(words);
    return t;
}

TEST(Svg, IsOneDocumentWithASizeAndWordsForThoseWhoCannotSeeIt) {
    Scene scene = with(text("8 of 16"));
    scene.title = "Passes over sdata";
    scene.description = "pass 1: 8 of 16 lanes wrote.";
    const std::string svg = to_svg(scene, Theme::dark);
    EXPECT_THAT(svg, testing::StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_THAT(svg, HasSubstr("width=\"100\" height=\"50\" viewBox=\"0 0 100 50\""));
    EXPECT_THAT(svg, HasSubstr("<title id=\"title\">Passes over sdata</title>"));
    EXPECT_THAT(svg, HasSubstr("<desc id=\"desc\">pass 1: 8 of 16 lanes wrote.</desc>"));
    EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
}

TEST(Svg, TakesItsColorsFromTheTheme) {
    scene::Rect rect;
    rect.width = 10, rect.height = 10;
    rect.fill = {Role::useful, 0.5F};
    EXPECT_THAT(to_svg(with(rect), Theme::dark), HasSubstr("fill=\"#56B4E9\" fill-opacity=\".5\""));
    EXPECT_THAT(to_svg(with(rect), Theme::light), HasSubstr("fill=\"#0072B2\" fill-opacity=\".5\""));
}

TEST(Svg, EscapesText) {
    EXPECT_THAT(to_svg(with(text("a<b && \"c\" > d")), Theme::dark),
                HasSubstr(">a&lt;b &amp;&amp; &quot;c&quot; &gt; d</text>"));
}

TEST(Svg, LetsNoFontJoinTheCharactersOfCode) {
    const std::string code = to_svg(with(text("d <<= 1; a != b; x -> y")), Theme::dark);
    EXPECT_THAT(code,
                HasSubstr(">d &lt;<tspan>&lt;</tspan>= 1; a !<tspan>=</tspan> b; x -<tspan>&gt;</tspan> y</text>"));
    EXPECT_THAT(code, HasSubstr("font-variant-ligatures:none"));
    EXPECT_THAT(to_svg(with(text("a < b, i++")), Theme::dark), Not(HasSubstr("ligatures")));
}

TEST(Svg, ReplacesWhatAnXmlDocumentCannotHold) {
    EXPECT_THAT(to_svg(with(text(std::string("a\x01z\xFF", 4))), Theme::dark), HasSubstr(">a\uFFFDz\uFFFD</text>"));
}

TEST(Svg, KeepsChinese) {
    EXPECT_THAT(to_svg(with(text("\u6C42\u548C")), Theme::dark), HasSubstr(">\u6C42\u548C</text>"));
}

TEST(Svg, WritesShortNumbers) {
    scene::Circle circle;
    circle.x = 1.0F / 3, circle.y = -0.004F, circle.radius = 12.50001F;
    circle.fill = {Role::panel, 1};
    EXPECT_THAT(to_svg(with(circle), Theme::dark), HasSubstr("cx=\".33\" cy=\"0\" r=\"12.5\""));
}

TEST(Svg, KeepsStrokesInsideTheirShapes) {
    scene::Rect rect;
    rect.x = 10, rect.y = 10, rect.width = 40, rect.height = 20, rect.radius = 5;
    rect.stroke = {Role::cursor, 1};
    rect.stroke_width = 2;
    EXPECT_THAT(to_svg(with(rect), Theme::dark),
                HasSubstr("<rect x=\"11\" y=\"11\" width=\"38\" height=\"18\" rx=\"4\" fill=\"none\""));
}

TEST(Svg, HatchesWithOnePatternForEachPaint) {
    scene::Rect rect;
    rect.width = 10, rect.height = 10;
    rect.hatch = {Role::soft, 0.3F};
    Scene scene = with(rect);
    scene.shapes.emplace_back(rect);
    rect.hatch = {Role::useful, 0.8F};
    scene.shapes.emplace_back(rect);
    const std::string svg = to_svg(scene, Theme::dark);
    std::size_t patterns = 0;
    for (std::size_t at = svg.find("<pattern"); at != std::string::npos; at = svg.find("<pattern", at + 1)) ++patterns;
    EXPECT_EQ(patterns, 2);
    EXPECT_THAT(svg, HasSubstr("fill=\"url(#hatch"));
}

TEST(Svg, ClipsByNestedGroups) {
    Scene scene = with(scene::ClipBegin{1, 2, 30, 40});
    scene.shapes.emplace_back(text("inside"));
    scene.shapes.emplace_back(scene::ClipEnd{});
    const std::string svg = to_svg(scene, Theme::dark);
    EXPECT_THAT(svg, HasSubstr("<clipPath id=\"clip1\"><rect x=\"1\" y=\"2\" width=\"30\" height=\"40\"/></clipPath>"));
    EXPECT_THAT(svg, HasSubstr("<g clip-path=\"url(#clip1)\">"));
    EXPECT_LT(svg.find("inside"), svg.find("</g>"));
}

TEST(Svg, LeavesOutWhatPaintsNothing) {
    scene::Rect rect;
    rect.width = 77, rect.height = 10;
    EXPECT_THAT(to_svg(with(rect), Theme::dark), Not(HasSubstr("77")));
}

TEST(Svg, DashesCurves) {
    scene::Curve curve = scene::line(0, 0, 0, 30, {Role::soft, 1}, 1.5F);
    curve.dashed = true;
    EXPECT_THAT(to_svg(with(curve), Theme::dark), HasSubstr("stroke-width=\"1.5\" stroke-dasharray=\"2 3\""));
}

}  // namespace
}  // namespace lanescope::render
