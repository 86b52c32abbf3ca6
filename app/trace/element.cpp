#include "trace/element.h"

#include "base/number_type.h"

namespace lanescope::trace {

std::optional<Element> element_named(std::string_view name) {
    const std::optional<NumberType> type = number_type(name);
    if (!type) return std::nullopt;
    const bool is_signed = type->kind == NumberType::Kind::signed_whole;
    if (type->kind == NumberType::Kind::bfloat) return Element::bf16;
    if (type->kind == NumberType::Kind::ieee) {
        return type->bytes == 2 ? Element::f16 : type->bytes == 4 ? Element::f32 : Element::f64;
    }
    switch (type->bytes) {
        case 1: return is_signed ? Element::s8 : Element::u8;
        case 2: return is_signed ? Element::s16 : Element::u16;
        case 4: return is_signed ? Element::s32 : Element::u32;
        default: return is_signed ? Element::s64 : Element::u64;
    }
}

}  // namespace lanescope::trace
