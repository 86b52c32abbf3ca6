#include "scene/scene.h"

#include <gtest/gtest.h>

namespace lanescope::scene {
namespace {

TraceRef cell(std::uint32_t column) { return {TraceRef::Kind::cell, 0, column, {}}; }

Rect box(float x, float y, float width, float height, TraceRef ref) {
    Rect r;
    r.x = x, r.y = y, r.width = width, r.height = height;
    r.ref = ref;
    return r;
}

TEST(Hit, FindsNothingInAnEmptyScene) { EXPECT_EQ(hit(Scene{}, 5, 5), TraceRef{}); }

TEST(Hit, FindsTheTopmostShape) {
    Scene scene;
    scene.shapes = {box(0, 0, 20, 20, cell(1)), box(10, 10, 20, 20, cell(2))};
    EXPECT_EQ(hit(scene, 15, 15), cell(2));
    EXPECT_EQ(hit(scene, 5, 5), cell(1));
    EXPECT_EQ(hit(scene, 40, 5), TraceRef{});
}

TEST(Hit, LooksThroughShapesThatAreAboutNothing) {
    Scene scene;
    scene.shapes = {box(0, 0, 20, 20, cell(1)), box(0, 0, 20, 20, {})};
    EXPECT_EQ(hit(scene, 5, 5), cell(1));
}

TEST(Hit, DistinguishesTheColumnsOfAShape) {
    TraceRef ref = cell(8);
    ref.span = 4;
    Scene scene;
    scene.shapes = {box(100, 0, 40, 10, ref)};
    EXPECT_EQ(hit(scene, 101, 5), cell(8));
    EXPECT_EQ(hit(scene, 125, 5), cell(10));
    EXPECT_EQ(hit(scene, 139.9F, 5), cell(11));
}

TEST(Hit, FindsCirclesByTheirRadius) {
    Circle circle;
    circle.x = 50, circle.y = 50, circle.radius = 10;
    circle.ref = {TraceRef::Kind::node, 1, 3, {}};
    Scene scene;
    scene.shapes = {circle};
    EXPECT_EQ(hit(scene, 57, 57), circle.ref);
    EXPECT_EQ(hit(scene, 58, 58), TraceRef{});
}

TEST(Hit, FindsArcsWithinTheTolerance) {
    Curve arc = line(0, 0, 100, 100, {Role::read, 1}, 2);
    arc.ref = {TraceRef::Kind::arc, 1, 3, {}};
    Scene scene;
    scene.shapes = {arc};
    EXPECT_EQ(hit(scene, 50, 54), arc.ref);
    EXPECT_EQ(hit(scene, 50, 60), TraceRef{});
    EXPECT_EQ(hit(scene, 50, 60, 10), arc.ref);
}

TEST(Hit, FindsTextByItsLine) {
    Text text;
    text.x = 100, text.y = 50, text.size = 20, text.anchor = Anchor::end, text.text = "pass 3";
    text.ref = {TraceRef::Kind::row, 3, 0, {}};
    Scene scene;
    scene.shapes = {text};
    EXPECT_EQ(hit(scene, 90, 45), text.ref);
    EXPECT_EQ(hit(scene, 110, 45), TraceRef{});
}

TEST(Hit, IgnoresWhatIsClippedAway) {
    Scene scene;
    scene.shapes = {box(0, 0, 100, 100, cell(1)),
                    ClipBegin{0, 0, 50, 50},
                    box(0, 0, 100, 100, cell(2)),
                    ClipBegin{0, 0, 10, 100},
                    box(0, 0, 100, 100, cell(3)),
                    ClipEnd{},
                    ClipEnd{}};
    EXPECT_EQ(hit(scene, 5, 5), cell(3));
    EXPECT_EQ(hit(scene, 20, 20), cell(2));
    EXPECT_EQ(hit(scene, 5, 70), cell(1));
    EXPECT_EQ(hit(scene, 70, 70), cell(1));
}

TEST(Nearest, TakesTheMiddleThatIsNearestAmongShapesOfTheKind) {
    Circle circle;
    circle.x = 50, circle.y = 50, circle.radius = 3;
    circle.ref = {TraceRef::Kind::point, 1, 3, {}};
    const Rect square = box(60, 45, 10, 10, {TraceRef::Kind::point, 2, 0, {}});
    Scene scene;
    scene.shapes = {circle, square, box(0, 0, 100, 100, cell(1))};
    EXPECT_EQ(nearest(scene, TraceRef::Kind::point, 55, 50, 12), circle.ref);
    EXPECT_EQ(nearest(scene, TraceRef::Kind::point, 59, 50, 12), square.ref);
    EXPECT_EQ(nearest(scene, TraceRef::Kind::point, 80, 50, 12), TraceRef{}) << "too far from both";
}

TEST(BoxOf, IsWhereTheFirstShapeLiesThatRefersToIt) {
    Scene scene;
    scene.shapes = {box(0, 0, 20, 10, cell(1)), box(30, 5, 20, 10, cell(2))};
    const auto found = box_of(scene, TraceRef::Kind::cell, 0, 2);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->x, 30);
    EXPECT_EQ(found->bottom(), 15);
    EXPECT_FALSE(box_of(scene, TraceRef::Kind::cell, 0, 3));
    EXPECT_EQ(box_of(scene, TraceRef::Kind::cell)->x, 0) << "of any column";
    TraceRef several = cell(8);
    several.span = 4;
    scene.shapes = {box(100, 0, 40, 10, several)};
    EXPECT_EQ(box_of(scene, TraceRef::Kind::cell, 0, 10)->x, 120) << "the part that is the column's";
    EXPECT_EQ(box_of(scene, TraceRef::Kind::cell, 0, 10)->width, 10);
}

TEST(Line, PutsItsControlPointsOnItself) {
    const Curve c = line(0, 0, 30, 60, {Role::soft, 1});
    EXPECT_FLOAT_EQ(c.x1, 10);
    EXPECT_FLOAT_EQ(c.y1, 20);
    EXPECT_FLOAT_EQ(c.x2, 20);
    EXPECT_FLOAT_EQ(c.y2, 40);
}

}  // namespace
}  // namespace lanescope::scene
