#include "render/image/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace lanescope::render {
namespace {

using scene::Paint;
using scene::Role;
using scene::Scene;
using scene::Theme;
using Rgb = std::array<int, 3>;

constexpr Rgb panel = {0x18, 0x1B, 0x20}, useful = {0x56, 0xB4, 0xE9}, cursor = {0xF0, 0xE4, 0x42};

Scene small_page(float width = 40, float height = 40) {
    Scene scene;
    scene.width = width, scene.height = height;
    return scene;
}

scene::Rect filled(float x, float y, float width, float height, Role role = Role::useful) {
    scene::Rect r;
    r.x = x, r.y = y, r.width = width, r.height = height;
    r.fill = {role, 1};
    return r;
}

Rgb at(const Pixels& pixels, unsigned x, unsigned y) {
    const auto* p = pixels.rgba.data() + (std::size_t{y} * pixels.width + x) * 4;
    return {p[0], p[1], p[2]};
}

double share_painted(const Pixels& pixels) {
    std::size_t painted = 0;
    for (unsigned y = 0; y < pixels.height; ++y)
        for (unsigned x = 0; x < pixels.width; ++x) painted += at(pixels, x, y) != panel ? 1U : 0U;
    return static_cast<double>(painted) / static_cast<double>(pixels.width * pixels.height);
}

TEST(Raster, HasTheScenesSizeTimesTheScaleAndIsOpaque) {
    const Pixels pixels = rasterize(small_page(40.5F, 20), Theme::dark, 2);
    EXPECT_EQ(pixels.width, 81);
    EXPECT_EQ(pixels.height, 40);
    EXPECT_EQ(at(pixels, 80, 39), panel);
    for (std::size_t i = 3; i < pixels.rgba.size(); i += 4) ASSERT_EQ(pixels.rgba[i], 255);
}

TEST(Raster, FillsRectanglesToTheirEdgesAndNotBeyond) {
    Scene scene = small_page();
    scene.shapes = {filled(10, 10, 20, 5)};
    const Pixels pixels = rasterize(scene, Theme::dark, 1);
    EXPECT_EQ(at(pixels, 10, 10), useful);
    EXPECT_EQ(at(pixels, 29, 14), useful);
    EXPECT_EQ(at(pixels, 9, 10), panel);
    EXPECT_EQ(at(pixels, 30, 14), panel);
    EXPECT_EQ(at(pixels, 10, 15), panel);
}

TEST(Raster, PaintsInOrder) {
    Scene scene = small_page();
    scene.shapes = {filled(0, 0, 20, 20), filled(10, 10, 20, 20, Role::cursor)};
    const Pixels pixels = rasterize(scene, Theme::dark, 1);
    EXPECT_EQ(at(pixels, 5, 5), useful);
    EXPECT_EQ(at(pixels, 15, 15), cursor);
}

TEST(Raster, BlendsByAlpha) {
    Scene scene = small_page();
    scene::Rect half = filled(0, 0, 40, 40);
    half.fill.alpha = 0.5F;
    scene.shapes = {half};
    const Rgb mixed = at(rasterize(scene, Theme::dark, 1), 20, 20);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(mixed[i], (panel[i] + useful[i]) / 2, 2);
}

TEST(Raster, KeepsStrokesInside) {
    Scene scene = small_page();
    scene::Rect r;
    r.x = 10, r.y = 10, r.width = 20, r.height = 20, r.stroke = {Role::cursor, 1}, r.stroke_width = 3;
    scene.shapes = {r};
    const Pixels pixels = rasterize(scene, Theme::dark, 1);
    EXPECT_EQ(at(pixels, 10, 20), cursor);
    EXPECT_EQ(at(pixels, 12, 20), cursor);
    EXPECT_EQ(at(pixels, 9, 20), panel);
    EXPECT_EQ(at(pixels, 13, 20), panel);
}

TEST(Raster, RoundsCorners) {
    Scene scene = small_page();
    scene::Rect r = filled(0, 0, 40, 40);
    r.radius = 20;
    scene.shapes = {r};
    const Pixels pixels = rasterize(scene, Theme::dark, 1);
    EXPECT_EQ(at(pixels, 1, 1), panel);
    EXPECT_EQ(at(pixels, 20, 1), useful);
    EXPECT_NEAR(share_painted(pixels), 3.14159 / 4, 0.05);  // with the pixels that are partly covered
}

TEST(Raster, HatchesPartOfTheAreaAndContinuesFromShapeToShape) {
    Scene whole = small_page(60, 60), split = small_page(60, 60);
    scene::Rect r;
    r.width = 60, r.height = 60, r.hatch = {Role::useful, 1};
    whole.shapes = {r};
    r.width = 30;
    split.shapes = {r};
    r.x = 30;
    split.shapes.emplace_back(r);
    EXPECT_EQ(rasterize(whole, Theme::dark, 2).rgba, rasterize(split, Theme::dark, 2).rgba);
    const double share = share_painted(rasterize(whole, Theme::dark, 4));
    EXPECT_GT(share, 0.2);
    EXPECT_LT(share, 0.5);
}

TEST(Raster, DrawsCurvesThroughTheirEnds) {
    Scene scene = small_page();
    scene::Curve c;
    c.x0 = 5, c.y0 = 5, c.x1 = 5, c.y1 = 30, c.x2 = 35, c.y2 = 10, c.x3 = 35, c.y3 = 35;
    c.stroke = {Role::useful, 1};
    c.stroke_width = 4;
    scene.shapes = {c};
    const Pixels pixels = rasterize(scene, Theme::dark, 1);
    EXPECT_EQ(at(pixels, 5, 6), useful);
    EXPECT_EQ(at(pixels, 35, 33), useful);
    EXPECT_EQ(at(pixels, 20, 20), useful);
    EXPECT_EQ(at(pixels, 35, 5), panel);
}

TEST(Raster, LeavesGapsBetweenDashes) {
    Scene scene = small_page();
    scene::Curve c = scene::line(20, 0, 20, 40, {Role::useful, 1}, 2);
    c.dashed = true;
    scene.shapes = {c};
    const Pixels pixels = rasterize(scene, Theme::dark, 1);
    EXPECT_EQ(at(pixels, 20, 0), useful);
    EXPECT_EQ(at(pixels, 20, 3), panel);
    EXPECT_EQ(at(pixels, 20, 6), useful);
}

TEST(Raster, DrawsTextWhereItsAnchorSays) {
    const auto columns = [](scene::Anchor anchor) {
        Scene scene = small_page(100, 40);
        scene::Text t;
        t.x = 50, t.y = 30, t.size = 20, t.anchor = anchor, t.text = "HH", t.fill = {Role::useful, 1};
        scene.shapes = {t};
        const Pixels pixels = rasterize(scene, Theme::dark, 1);
        unsigned first = 100, last = 0;
        for (unsigned x = 0; x < 100; ++x)
            for (unsigned y = 0; y < 40; ++y)
                if (at(pixels, x, y) != panel) first = std::min(first, x), last = std::max(last, x);
        return std::pair(first, last);
    };
    EXPECT_GE(columns(scene::Anchor::start).first, 50);
    EXPECT_LE(columns(scene::Anchor::end).second, 50);
    const auto middle = columns(scene::Anchor::middle);
    EXPECT_NEAR((middle.first + middle.second) / 2.0, 50, 1.5);
}

TEST(Raster, StandsTextOnItsBaseline) {
    Scene scene = small_page();
    scene::Text t;
    t.x = 5, t.y = 30.3F, t.size = 20, t.text = "H", t.fill = {Role::useful, 1};
    scene.shapes = {t};
    const Pixels pixels = rasterize(scene, Theme::dark, 1);
    bool foot = false, below = false;
    for (unsigned x = 0; x < 40; ++x) foot |= at(pixels, x, 29) == useful, below |= at(pixels, x, 30) != panel;
    EXPECT_TRUE(foot);
    EXPECT_FALSE(below);
}

TEST(Raster, ClipsToNestedRectangles) {
    Scene scene = small_page();
    scene.shapes = {scene::ClipBegin{10, 10, 20, 20},
                    scene::ClipBegin{0, 0, 15, 40},
                    filled(0, 0, 40, 40),
                    scene::ClipEnd{},
                    scene::ClipEnd{},
                    filled(35, 35, 5, 5)};
    const Pixels pixels = rasterize(scene, Theme::dark, 1);
    EXPECT_EQ(at(pixels, 12, 12), useful);
    EXPECT_EQ(at(pixels, 14, 29), useful);
    EXPECT_EQ(at(pixels, 15, 12), panel);
    EXPECT_EQ(at(pixels, 12, 30), panel);
    EXPECT_EQ(at(pixels, 37, 37), useful);
}

TEST(Raster, IgnoresShapesOutsideThePage) {
    Scene scene = small_page();
    scene.shapes = {filled(-100, -100, 50, 50), filled(1e6F, 0, 10, 10),
                    scene::line(-1e5F, -1e5F, -10, -10, {Role::useful, 1}, 3)};
    EXPECT_EQ(share_painted(rasterize(scene, Theme::dark, 1)), 0);
}

TEST(Raster, IsTheSameTwice) {
    Scene scene = small_page();
    scene::Text t;
    t.x = 20, t.y = 30, t.text = "1.5e+07", t.anchor = scene::Anchor::middle;
    scene.shapes = {filled(3.3F, 4.4F, 20.5F, 10), t};
    EXPECT_EQ(rasterize(scene, Theme::light, 1.5F).rgba, rasterize(scene, Theme::light, 1.5F).rgba);
}

}  // namespace
}  // namespace lanescope::render
