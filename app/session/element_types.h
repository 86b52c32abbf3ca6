// The C++ types of buffers and numbers -> elements; and a kernel over ints as the same kernel over floats or doubles,
// or the other way round, by the names that its recipe lists as `elements`.
#pragma once

#include "session/program.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::session {

/// A C++ type as buffers store it: "float4" is four f32.
struct ElementType {
    trace::Element element = trace::Element::s32;
    unsigned components = 1;
};
/// Follows the chosen template arguments and, by the compiler, the file's aliases; nothing for types that are not
/// numbers.
[[nodiscard]] std::optional<ElementType> element_type(const Program& program, std::string_view type);

/// The types of elements that a kernel is run and timed with instead of its own.
inline constexpr std::array<std::string_view, 3> element_types{"int", "float", "double"};
/// Whether `type` is one of these.
[[nodiscard]] bool is_element_type(std::string_view type);
/// "typename T", "class T": a parameter of a template that stands for a type.
[[nodiscard]] bool is_type_parameter(std::string_view parameter);
/// Whether the kernel is a template over a type.
[[nodiscard]] bool takes_types(const compile::KernelDeclaration& kernel);
/// The source with `type`, one of these, in the declarations of the recipe's elements and in `sizeof` of their type;
/// nothing else changes. Fails where a listed name is not declared. For a kernel that is not a template over a type,
/// "reduce<float>" is this source.
[[nodiscard]] Result<std::string> with_elements_of(const Program& program, std::string_view type);
/// Replaces the sizeof of `one` in an expression of the recipe, "block * sizeof(int)", by that of `other`; does nothing
/// if either is empty.
void replace_size_of(std::string& expression, std::string_view one, std::string_view other);

}  // namespace lanescope::session
