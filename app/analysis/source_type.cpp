#include "analysis/source_type.h"

namespace lanescope::analysis {

std::optional<trace::Element> element_of_type(std::string_view type, std::uint64_t bytes) {
    using enum trace::Element;
    const auto names = [&](std::string_view word) { return type.find(word) != std::string_view::npos; };
    if (names("*") || names("&") || names("struct") || names("bool")) return {};
    if (names("double")) return bytes == 8 ? std::optional(f64) : std::nullopt;
    if (names("float")) return bytes == 4 ? std::optional(f32) : std::nullopt;
    if (!names("int") && !names("long") && !names("short") && !names("char") && !names("unsigned") &&
        !names("size_t")) {
        return {};
    }
    const bool is_unsigned = names("unsigned") || names("uint") || names("size_t");
    switch (bytes) {
        case 1: return is_unsigned ? u8 : s8;
        case 2: return is_unsigned ? u16 : s16;
        case 4: return is_unsigned ? u32 : s32;
        case 8: return is_unsigned ? u64 : s64;
        default: return {};
    }
}

}  // namespace lanescope::analysis
