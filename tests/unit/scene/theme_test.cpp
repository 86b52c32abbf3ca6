#include "scene/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lanescope::scene {
namespace {

// WCAG 2.1: relative luminance and contrast ratio.
double luminance(Color c) {
    const auto linear = [](std::uint8_t value) {
        const double share = value / 255.0;
        return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

double contrast(Theme theme, Role a, Role b) {
    const auto [low, high] = std::minmax({luminance(color_of(theme, {a, 1})), luminance(color_of(theme, {b, 1}))});
    return (high + 0.05) / (low + 0.05);
}

std::tuple<int, int, int> rgb(Theme theme, Role role) {
    const Color c = color_of(theme, {role, 1});
    return {c.r, c.g, c.b};
}

TEST(Theme, HasTheNumbersOfTheLook) {
    EXPECT_EQ(rgb(Theme::dark, Role::useful), std::tuple(0x56, 0xB4, 0xE9));
    EXPECT_EQ(rgb(Theme::light, Role::useful), std::tuple(0x00, 0x72, 0xB2));
    EXPECT_EQ(rgb(Theme::dark, Role::cost), std::tuple(0xFF, 0x7A, 0x33));
    EXPECT_EQ(rgb(Theme::light, Role::read), std::tuple(0xA8, 0x6F, 0x00));
    EXPECT_EQ(rgb(Theme::dark, Role::selected), std::tuple(0xE8, 0x8B, 0xC4));
    EXPECT_EQ(rgb(Theme::light, Role::cursor), std::tuple(0xFF, 0xD4, 0x00));
    EXPECT_EQ(rgb(Theme::light, Role::agrees), std::tuple(0x00, 0x79, 0x5A));
    EXPECT_EQ(rgb(Theme::dark, Role::panel), std::tuple(0x18, 0x1B, 0x20));
    EXPECT_EQ(rgb(Theme::light, Role::soft), std::tuple(0x55, 0x60, 0x6E));
}

TEST(Theme, KeepsThePaintsAlpha) { EXPECT_FLOAT_EQ(color_of(Theme::dark, {Role::read, 0.25F}).a, 0.25F); }

TEST(Theme, PaintsNothingForNoRole) { EXPECT_EQ(color_of(Theme::dark, {Role::none, 1}).a, 0); }

class ThemeContrast : public testing::TestWithParam<Theme> {};

TEST_P(ThemeContrast, IsEnoughForTextOnEveryGround) {
    for (const Role ground : {Role::ground, Role::panel, Role::raised}) {
        EXPECT_GE(contrast(GetParam(), Role::text, ground), 12);
        EXPECT_GE(contrast(GetParam(), Role::soft, ground), 4.5);
    }
    EXPECT_GE(contrast(GetParam(), Role::on_useful, Role::useful), 4.5);
    EXPECT_GE(contrast(GetParam(), Role::on_cursor, Role::cursor), 4.5);
    EXPECT_GE(contrast(GetParam(), Role::on_cost, Role::cost), 4.5);
}

TEST_P(ThemeContrast, IsEnoughForArcsAndCells) {
    for (const Role role : {Role::useful, Role::cost, Role::read, Role::selected, Role::agrees})
        EXPECT_GE(contrast(GetParam(), role, Role::panel), 3) << static_cast<int>(role);
}

INSTANTIATE_TEST_SUITE_P(Both, ThemeContrast, testing::Values(Theme::dark, Theme::light));

}  // namespace
}  // namespace lanescope::scene
