// A structure of the source: where its members lie, and what fills them. Kernels take structures by value, and pointers
// to them.
#pragma once

#include "base/result.h"
#include "compile/lexer.h"
#include "session/catalog.h"
#include "session/element_types.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

/// What a structure's layout asks of who reads it.
struct StructureNames {
    std::function<std::optional<ElementType>(const std::string& type)> element;  ///< numbers; nothing for other types
    std::function<std::optional<std::int64_t>(const std::string& extent)>
        extent;  ///< of an array: a constant expression
};

/// As the source declares it, placed by the rules of C++ (each at a multiple of its size), members of arrays and inner
/// structures one after the other. Its functions and constructors take no place. Nothing where there is no such
/// structure, or where it has a base, a virtual function, a bit field, a reference or a member of a type that is not
/// known.
[[nodiscard]] std::optional<Structure> structure_in(const std::vector<compile::Token>& code, std::string_view type,
                                                    const StructureNames& names);
[[nodiscard]] std::optional<Structure> structure_of(const Program& program, std::string_view type);

/// float4 and the like as a structure of x, y, z, w.
[[nodiscard]] Structure vector_structure(std::string_view type, const ElementType& element);

/// What a buffer of such structures is seen as: members of one size one by one, others as words or bytes; how many make
/// one.
[[nodiscard]] ElementType elements_of_buffer(const Structure& structure);

/// `{n, 0.5, input(n)}` -> an expression or a plan for each of the members, in their order; those behind the last one
/// given are 0, as in C++.
[[nodiscard]] Result<std::vector<std::string>> member_values(const Structure& structure, std::string_view text);

/// What a member is taken to be where nobody says: n for integers of 4 bytes or more, 1 for floating numbers,
/// `pointers` for pointers to numbers, else 0.
[[nodiscard]] std::string guessed_members(const Structure& structure, std::string_view pointers);

}  // namespace lanescope::session
