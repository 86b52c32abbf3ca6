// The letter and the color of a compared program, and the color of a change between two: the same wherever they appear.
#pragma once

#include "analysis/comparison/comparison.h"
#include "scene/layers.h"
#include "scene/scene.h"

#include <array>
#include <cstddef>

namespace lanescope::scene {

/// 'A' for the first.
[[nodiscard]] constexpr char letter_of_program(std::size_t program) { return static_cast<char>('A' + program); }
/// At most four are compared.
[[nodiscard]] constexpr Role role_of_program(std::size_t program) {
    constexpr std::array roles = {Role::program_a, Role::program_b, Role::program_c, Role::program_d};
    return roles[program % roles.size()];
}

[[nodiscard]] constexpr Role role_of(analysis::Change change) {
    switch (change) {
        case analysis::Change::better: return Role::agrees;
        case analysis::Change::worse: return Role::cost;
        default: return Role::soft;
    }
}

/// Draws the letter on its color. A dark letter is legible on the colors of the dark theme, a light one on the light's.
void draw_program_tag(Layer& layer, const Box& box, std::size_t program, float em);

}  // namespace lanescope::scene
