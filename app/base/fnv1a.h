// FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv): names files by their content and finds damage. It does
// not resist deliberate collisions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lanescope {

inline constexpr std::uint64_t fnv1a_basis = 0xCBF2'9CE4'8422'2325;

/// `hash` is the hash of the text before it, so that a text can be hashed in parts.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = fnv1a_basis) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3;
    return hash;
}
[[nodiscard]] inline std::uint64_t fnv1a(std::span<const std::byte> bytes) {
    return fnv1a(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace lanescope
