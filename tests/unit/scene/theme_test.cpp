#include "scene/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace lanescope::scene {
namespace {

// WCAG 2.1: relative luminance and contrast ratio.
double linear(std::uint8_t value) {
    const double share = value / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
}
double luminance(Color c) { return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b); }

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

// How a color appears with a color vision deficiency: Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
using Matrix = std::array<std::array<double, 3>, 3>;
constexpr std::array<Matrix, 4> visions = {{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
}};

std::array<double, 3> lab(Color color, const Matrix& vision) {
    const std::array<double, 3> of{linear(color.r), linear(color.g), linear(color.b)};
    std::array<double, 3> seen{};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) seen[row] += vision[row][column] * of[column];
        seen[row] = std::clamp(seen[row], 0.0, 1.0);
    }
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const auto [r, g, b] = seen;
    const double x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047), y = f(0.2126 * r + 0.7152 * g + 0.0722 * b),
                 z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

TEST_P(ThemeContrast, ComparedProgramsAreToldApartWithAnyColorVision) {
    constexpr std::array programs = {Role::program_a, Role::program_b, Role::program_c, Role::program_d};
    constexpr double apart = 25;  // CIE 1976: 2.3 is just noticeable
    for (std::size_t one = 0; one < programs.size(); ++one) {
        EXPECT_GE(contrast(GetParam(), programs[one], Role::panel), 4.5) << one;
        EXPECT_GE(contrast(GetParam(), Role::on_useful, programs[one]), 4.5) << one;
        for (std::size_t other = one + 1; other < programs.size(); ++other) {
            for (std::size_t vision = 0; vision < visions.size(); ++vision) {
                const auto [l, a, b] = lab(color_of(GetParam(), {programs[one], 1}), visions[vision]);
                const auto [m, c, d] = lab(color_of(GetParam(), {programs[other], 1}), visions[vision]);
                EXPECT_GE(std::hypot(l - m, a - c, b - d), apart) << one << ", " << other << " in vision " << vision;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Both, ThemeContrast, testing::Values(Theme::dark, Theme::light));

}  // namespace
}  // namespace lanescope::scene
