#include "scene/labels.h"

#include "scene/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::scene {
namespace {

using trace::Element;

TEST(Numbers, AreWrittenAsTheirTypeSaysOrAsTheirBits) {
    EXPECT_EQ(written(NumberFormat::natural, Element::s32, 0xFFFFFFFD), "-3");
    EXPECT_EQ(written(NumberFormat::natural, Element::f32, 0x40200000), "2.5");
    EXPECT_EQ(written(NumberFormat::decimal, Element::f32, 0x40200000), "1075838976");
    EXPECT_EQ(written(NumberFormat::hexadecimal, Element::s32, 0xFFFFFFFD), "FFFFFFFD");
    EXPECT_EQ(written(NumberFormat::hexadecimal, Element::u8, 0x1234), "34") << "the low bytes";
    EXPECT_EQ(written(NumberFormat::floating, Element::s32, 0x40200000), "2.5");
    EXPECT_EQ(written(NumberFormat::floating, Element::u8, 7), "7") << "no float has one byte";
    EXPECT_EQ(written(NumberFormat::binary, Element::s16, 5), "00000000 00000101");
}

TEST(Numbers, OfCountsHaveAUnitFromAHundredThousandOn) {
    EXPECT_EQ(short_count(0).text(), "0");
    EXPECT_EQ(short_count(99'999).text(), "99,999");
    EXPECT_EQ(short_count(100'000).text(), "100 k");
    EXPECT_EQ(short_count(999'499).text(), "999 k");
    EXPECT_EQ(short_count(999'500).text(), "1.00 M") << "and not 1,000 k";
    EXPECT_EQ(short_count(12'345'678).text(), "12.3 M");
    EXPECT_EQ(short_count(9'996'000).text(), "10.0 M") << "three digits after rounding, too";
    EXPECT_EQ(short_count(1'073'741'824).text(), "1.07 G");
    EXPECT_EQ(short_count(7.2e15).text(), "7,200 T");
}

TEST(Numbers, OfMeasurementsHaveFourDigitsAndNoExponentInBetween) {
    EXPECT_EQ(number_text(0), "0");
    EXPECT_EQ(number_text(0.0012345), "0.001234");
    EXPECT_EQ(number_text(753.61), "753.6");
    EXPECT_EQ(number_text(12345.6), "12,346");
    EXPECT_EQ(number_text(-1048576), "-1,048,576");
    EXPECT_EQ(number_text(1073741824), "1,073,741,824");
}

TEST(Charts, HaveARoundEndAndNoHalfCounts) {
    Chart chart;
    chart.labels = {"a", "b"};
    chart.series = {Series{.name = "x", .values = {0, 0}, .whole = {24, 7}}};
    EXPECT_EQ(chart.top(), 24);
    EXPECT_THAT(chart.ticks(), testing::ElementsAre(0, 12, 24));
    chart.series[0].whole = {3, 1};
    EXPECT_THAT(chart.ticks(), testing::ElementsAre(0, 3));
    chart.percent = true;
    EXPECT_THAT(chart.ticks(), testing::ElementsAre(0, 50, 100));
}

TEST(Charts, NameAsManyCategoriesAsHaveRoom) {
    const std::vector<std::string> labels = {"load", "s = 1", "s = 2", "s = 4", "s = 8", "store"};
    EXPECT_EQ(labels_that_fit(labels, 0, 100, 10.5F).size(), 6U);
    EXPECT_THAT(labels_that_fit(labels, 0, 25, 10.5F), testing::ElementsAre(0, 2, 4));
    EXPECT_THAT(labels_that_fit(labels, 0, 14, 10.5F), testing::ElementsAre(0, 3)) << "at even distances";
}

TEST(PassNames, SayOnceWhatTheyShare) {
    const std::vector<std::string> sweeps = {"load", "s = 1 \u2191", "s = 2", "s = 1 \u2193", "store"};
    EXPECT_EQ(short_names(sweeps).head, "s");
    EXPECT_THAT(short_names(sweeps).names, testing::ElementsAre("load", "1 \u2191", "2", "1 \u2193", "store"));
    const std::vector<std::string> sort = {"load", "size = 4, gap = 2", "size = 4, gap = 1 (2)", "store"};
    EXPECT_EQ(short_names(sort).head, "size, gap");
    EXPECT_THAT(short_names(sort).names, testing::ElementsAre("load", "4, 2", "4, 1 (2)", "store"));
    for (const std::vector<std::string>& names : {std::vector<std::string>{"load", "s = 1", "t = 2"},
                                                  {"s = 1, t = 2", "s = 2"},
                                                  {"s = 1, t = 2", "t = 1, s = 2"},
                                                  {"load", "s = 1"},
                                                  {}}) {
        EXPECT_EQ(short_names(names).head, "");
        EXPECT_EQ(short_names(names).names, names);
    }
}

}  // namespace
}  // namespace lanescope::scene
