// Limits on the memory and the time that parsing a text takes. They are far above any compiler's output and guard
// against damaged and hostile text.
#pragma once

#include <cstdint>

namespace lanescope::ptx::limits {

inline constexpr std::uint64_t text_bytes = std::uint64_t{32} << 20;
inline constexpr std::uint32_t units = 1U << 12;
inline constexpr std::uint32_t registers = 1U << 20;     ///< of a module
inline constexpr std::uint32_t instructions = 1U << 19;  ///< of a module
inline constexpr std::uint32_t functions = 1U << 14;
inline constexpr std::uint32_t shared_variables = 1U << 12;
inline constexpr std::uint32_t branch_edges = 1U << 21;  ///< of a module: brx.idx may name a long table again and again
inline constexpr std::uint32_t labels = 1U << 19;        ///< of a module
inline constexpr std::uint32_t variables = 1U << 18;     ///< of a module, its functions' and their parameters included
inline constexpr std::uint32_t scopes = 1U << 17;        ///< { ... } of a function
inline constexpr std::uint32_t scopes_deep = 64;         ///< { { ... } }
inline constexpr std::uint32_t call_arguments = 1024;
inline constexpr std::uint64_t variable_bytes = std::uint64_t{1} << 36;
inline constexpr std::uint64_t alignment = std::uint64_t{1} << 12;

}  // namespace lanescope::ptx::limits
