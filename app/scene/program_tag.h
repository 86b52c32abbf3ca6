// The letter and the colour of a compared program: the same wherever it is named.
#pragma once

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

/// The letter on its colour. A dark letter is legible on the colours of the dark theme, a light one on the light's.
void draw_program_tag(Layer& layer, const Box& box, std::size_t program, float em);

}  // namespace lanescope::scene
