// A structure that a kernel takes by value: where its members lie, and what fills them.
#pragma once

#include "base/result.h"
#include "session/catalog.h"

#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::session {

/// As the source declares it, its numbers placed by the rules of C++ (each at a multiple of its size), members of arrays and
/// inner structures one after the other. Nothing where there is no such structure, or where it has a member that is no
/// number, a base or a constructor.
[[nodiscard]] std::optional<Structure> structure_of(const Program& program, std::string_view type);

/// `{n, 0.5}` -> an expression for each of the members, in their order; those behind the last one given are 0, as in C++.
[[nodiscard]] Result<std::vector<std::string>> member_values(const Structure& structure, std::string_view text);

/// What a member is taken to be where nobody says: n for integers of 4 bytes or more, 1 for floating numbers, else 0.
[[nodiscard]] std::string guessed_members(const Structure& structure);

}  // namespace lanescope::session
