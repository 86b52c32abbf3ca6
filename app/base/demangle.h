// Linker names -> source names (Itanium C++ ABI, 5.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lanescope {

/// "reduce(int const*, int*)" for "_Z6reducePKiPi"; nothing if the name is not mangled.
[[nodiscard]] std::optional<std::string> demangled(const std::string& linked);

/// A function's name without return type and parameters: "warp_sum" for "_Z8warp_sumi", "reduce<128u>" for an instance
/// of a template. A name that is not mangled stays as it is.
[[nodiscard]] std::string source_name_of(const std::string& linked);

/// A variable's name without the function or namespace that contains it: "sdata" for "_ZZ6reducePKiPiE5sdata".
/// "initializer in scan" for "_Z4scanP3Map$4", the bytes that a structure in the function is initialized with.
[[nodiscard]] std::string variable_name_of(const std::string& linked);
/// Whether the variable is such an initializer: its bytes are constants of the source, not input.
[[nodiscard]] bool is_initializer(std::string_view variable);

/// Functions as the source calls them: "_Z1kPi is launched" -> "k is launched".
[[nodiscard]] std::string with_source_names(std::string_view text);

}  // namespace lanescope
