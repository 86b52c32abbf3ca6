// The number types of CUDA C++ by their many names: the one table for all readers of source or debug information.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope {

struct NumberType {
    enum class Kind : std::uint8_t { signed_whole, unsigned_whole, ieee, bfloat };
    Kind kind = Kind::signed_whole;
    unsigned bytes = 4;       ///< of one component
    unsigned components = 1;  ///< 4 of int4
    friend bool operator==(const NumberType&, const NumberType&) = default;
};

/// "unsigned long long int" in any order of its words, "std::size_t", "uchar", "__half", "float4"; nothing if the name
/// is no number type. Sizes are those of 64-bit Linux, and of device code (CUDA C++ Programming Guide, "Built-in Vector
/// Types").
[[nodiscard]] std::optional<NumberType> number_type(std::string_view name);

/// The type itself, without const, volatile and restrict, and what a pointer points to: "const float4*" -> "float4".
[[nodiscard]] std::string_view bare_type(std::string_view type);

/// Whether a value of the type points to others: "const float*", "int* __restrict__", "int&", "int[4]". A structure
/// that holds pointers, a closure among them, does not.
[[nodiscard]] bool is_pointer_type(std::string_view type);

/// "float", "double", "__half", and "long double" of host code.
[[nodiscard]] bool is_floating_point(std::string_view type);

/// The types that a kernel template is mostly instantiated with.
inline constexpr std::array<std::string_view, 4> common_types{"int", "unsigned", "float", "double"};

/// Whether the word is a keyword of number types: "unsigned", "long", "double".
[[nodiscard]] bool is_number_keyword(std::string_view word);

}  // namespace lanescope
