#include "trace/element.h"

namespace lanescope::trace {

Element element_of(const NumberType& type) {
    const bool is_signed = type.kind == NumberType::Kind::signed_whole;
    if (type.kind == NumberType::Kind::bfloat) return Element::bf16;
    if (type.kind == NumberType::Kind::ieee) {
        return type.bytes == 2 ? Element::f16 : type.bytes == 4 ? Element::f32 : Element::f64;
    }
    switch (type.bytes) {
        case 1: return is_signed ? Element::s8 : Element::u8;
        case 2: return is_signed ? Element::s16 : Element::u16;
        case 4: return is_signed ? Element::s32 : Element::u32;
        default: return is_signed ? Element::s64 : Element::u64;
    }
}

NumberType number_of(Element element) {
    using enum NumberType::Kind;
    const auto kind = [&] {
        switch (element) {
            case Element::s8:
            case Element::s16:
            case Element::s32:
            case Element::s64: return signed_whole;
            case Element::u8:
            case Element::u16:
            case Element::u32:
            case Element::u64: return unsigned_whole;
            case Element::bf16: return bfloat;
            default: return ieee;
        }
    };
    return {kind(), bytes_of(element)};
}

std::optional<Element> element_named(std::string_view name) {
    const std::optional<NumberType> type = number_type(name);
    return type ? std::optional(element_of(*type)) : std::nullopt;
}

}  // namespace lanescope::trace
