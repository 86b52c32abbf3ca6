// The names of a plot's rules do not cover its points.
#include "scene/rule_names.h"

#include <gtest/gtest.h>

namespace lanescope::scene {
namespace {

constexpr Box plot_box{0, 0, 400, 200};
constexpr NamedLine across{.x0 = 0, .y0 = 100, .x1 = 400, .y1 = 100, .width = 80};

TEST(RuleNames, StandAtTheLeftAboveTheirLineWhereNothingIs) {
    const auto boxes = places_of_names(plot_box, 12, std::span(&across, 1), {});
    ASSERT_TRUE(boxes[0]);
    EXPECT_LT(boxes[0]->x, 10);
    EXPECT_LE(boxes[0]->bottom(), 100);
    EXPECT_GT(boxes[0]->bottom(), 90);
}

TEST(RuleNames, KeepOffWhatWasMeasured) {
    // Points at the left, above the line and below it.
    const std::vector<std::vector<Place>> series = {{{20, 92}, {60, 92}, {100, 92}},
                                                    {{20, 108}, {60, 108}, {100, 108}}};
    const auto boxes = places_of_names(plot_box, 12, std::span(&across, 1), series);
    ASSERT_TRUE(boxes[0]);
    EXPECT_GT(boxes[0]->x, 100);
}

TEST(RuleNames, AreBriefWhereTheFullOneHasNoRoom) {
    NamedLine line = across;
    line.width = 390;
    line.brief_width = 100;
    const std::vector<std::vector<Place>> series = {{{20, 92}, {60, 92}, {100, 92}},
                                                    {{20, 108}, {60, 108}, {100, 108}}};
    const auto free = places_of_names(plot_box, 12, std::span(&line, 1), {}),
               covered = places_of_names(plot_box, 12, std::span(&line, 1), series);
    ASSERT_TRUE(free[0] && covered[0]);
    EXPECT_EQ(free[0]->width, line.width);
    EXPECT_EQ(covered[0]->width, line.brief_width);
    EXPECT_GT(covered[0]->x, 100);
}

TEST(RuleNames, DoNotCoverOneAnother) {
    std::vector<NamedLine> lines = {across, across};
    lines[1].y0 = lines[1].y1 = 104;
    const auto boxes = places_of_names(plot_box, 12, lines, {});
    ASSERT_TRUE(boxes[0]);
    ASSERT_TRUE(boxes[1]);
    EXPECT_TRUE(boxes[1]->y >= boxes[0]->bottom() || boxes[1]->bottom() <= boxes[0]->y ||
                boxes[1]->x >= boxes[0]->right());
}

TEST(RuleNames, AreNoneOfLinesOutOfSight) {
    NamedLine far = across;
    far.y0 = far.y1 = 900;
    EXPECT_FALSE(places_of_names(plot_box, 12, std::span(&far, 1), {})[0]);
}

TEST(PointNames, StandAtTheRightWhereThatIsFree) {
    const std::vector<NamedPoint> points = {{.at = {100, 100}, .width = 80},  // another point at its right
                                            {.at = {150, 102}, .width = 80},  // free
                                            {.at = {390, 50}, .width = 80}};  // the edge
    const auto boxes = places_of_point_names(plot_box, 12, 8, points);
    ASSERT_EQ(boxes.size(), 3U);
    ASSERT_TRUE(boxes[0] && boxes[1] && boxes[2]);
    EXPECT_LT(boxes[0]->right(), 100);
    EXPECT_GT(boxes[1]->x, 150);
    EXPECT_LT(boxes[2]->right(), 390);
}

TEST(PointNames, StandWhereNoLineRuns) {
    const std::vector<NamedPoint> points = {{.at = {200, 100}, .width = 80}};
    const std::vector<std::vector<Place>> line = {{{210, 150}, {260, 50}}};  // past the point's right
    const auto free = places_of_point_names(plot_box, 12, 8, points),
               crossed = places_of_point_names(plot_box, 12, 8, points, line);
    ASSERT_TRUE(free[0] && crossed[0]);
    EXPECT_GT(free[0]->x, 200);
    EXPECT_LT(crossed[0]->right(), 200);
}

TEST(PointNames, AreLeftOutWhereTheyWouldBeCutOffOrCoverAnother) {
    const std::vector<NamedPoint> wide = {{.at = {200, 100}, .width = 2 * plot_box.width}};
    EXPECT_FALSE(places_of_point_names(plot_box, 12, 8, wide)[0]);
    const std::vector<NamedPoint> crowd(12, {.at = {200, 100}, .width = 80});
    const auto boxes = places_of_point_names(plot_box, 12, 8, crowd);
    EXPECT_TRUE(boxes.front());
    EXPECT_FALSE(boxes.back());
}

}  // namespace
}  // namespace lanescope::scene
