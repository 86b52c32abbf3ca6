// A structure of the source: the offsets of its members, and their values. Kernels take structures by value, and
// pointers to them.
#pragma once

#include "base/result.h"
#include "session/catalog.h"
#include "session/element_types.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

/// The structure as the compiler lays it out; members of bases, arrays and inner structures one after the other.
/// Nothing where there is no such structure, or where it has a virtual function, a bit field, a union or a member of an
/// unknown type.
[[nodiscard]] std::optional<Structure> structure_of(const Program& program, std::string_view type);

/// How a buffer of such structures is shown: members of one size one by one, others as words or bytes; and how many
/// make one.
[[nodiscard]] ElementType elements_of_buffer(const Structure& structure);

/// `{n, 0.5, input(n)}` -> an expression or a plan for each of the members, in their order; members after the last one
/// given are 0, as in C++.
[[nodiscard]] Result<std::vector<std::string>> member_values(const Structure& structure, std::string_view text);

/// The default of a member: n for integers of 4 bytes or more, 1 for floating-point numbers, `pointers` for pointers to
/// numbers, otherwise 0.
[[nodiscard]] std::string guessed_members(const Structure& structure, std::string_view pointers);

}  // namespace lanescope::session
