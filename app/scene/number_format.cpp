// Numbers in the notation that the user wants.
#include "scene/labels.h"

#include "base/grouped.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace lanescope::scene {
namespace {

using trace::Element;

bool is_unsigned(Element element) {
    return element == Element::u8 || element == Element::u16 || element == Element::u32 || element == Element::u64;
}

bool is_floating(Element element) {
    return element == Element::f16 || element == Element::bf16 || element == Element::f32 || element == Element::f64;
}

/// The integer with the element's bits.
Element integer_for(Element element) {
    if (!is_floating(element)) return element;
    switch (trace::bytes_of(element)) {
        case 2: return Element::s16;
        case 4: return Element::s32;
        default: return Element::s64;
    }
}

Element floating_for(Element element) {
    if (is_floating(element)) return element;
    switch (trace::bytes_of(element)) {
        case 2: return Element::f16;
        case 4: return Element::f32;
        case 8: return Element::f64;
        default: return element;
    }
}

std::string binary(unsigned bytes, std::uint64_t bits) {
    std::string text;
    for (unsigned byte = bytes; byte-- > 0;) {
        text += fmt::format("{}{:08b}", text.empty() ? "" : " ", (bits >> (8 * byte)) & 0xFF);
    }
    return text;
}

}  // namespace

std::string written(NumberFormat format, Element element, std::uint64_t bits) {
    const unsigned bytes = trace::bytes_of(element);
    if (bytes < 8) bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
    switch (format) {
        case NumberFormat::natural: return trace::text_of(element, bits);
        case NumberFormat::decimal: return trace::text_of(integer_for(element), bits);
        case NumberFormat::hexadecimal: return fmt::format("{:0{}X}", bits, 2 * bytes);
        case NumberFormat::floating: return trace::text_of(floating_for(element), bits);
        case NumberFormat::binary: return binary(bytes, bits);
    }
    return {};
}

std::string number_text(double value) {
    const double size = std::abs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-3) || !std::isfinite(value)) return fmt::format("{:.4g}", value);
    if (value != std::floor(value) && size < 999.95) return fmt::format("{:.4g}", value);
    const std::string digits = grouped(fmt::format("{:.0f}", size), ",");
    return value < 0 ? "-" + digits : digits;
}

std::string ShortCount::text() const { return unit.empty() ? digits : fmt::format("{} {}", digits, unit); }

ShortCount short_count(double value) {
    if (value < 99'999.5) return {grouped(fmt::format("{:.0f}", value)), {}};
    struct Unit {
        double of;
        std::string_view name;
    };
    constexpr Unit largest{1e12, "T"};
    for (const Unit& unit : {Unit{1e3, "k"}, Unit{1e6, "M"}, Unit{1e9, "G"}, largest}) {
        const double part = value / unit.of;
        // 999.5 of a unit would be rounded to 1000 of it.
        if (part >= 999.5 && unit.of < largest.of) continue;
        const int decimals = part < 9.995 ? 2 : part < 99.95 ? 1 : 0;
        return {grouped(fmt::format("{:.{}f}", part, decimals), ",", part < 999.5 ? 99 : 4), unit.name};
    }
    std::unreachable();
}

unsigned usual_length(NumberFormat format, Element element) {
    const unsigned bytes = trace::bytes_of(element);
    const bool floating = format == NumberFormat::floating || (format == NumberFormat::natural && is_floating(element));
    if (format == NumberFormat::hexadecimal) return 2 * bytes;
    if (format == NumberFormat::binary) return 9 * bytes - 1;
    if (floating && bytes > 1) return bytes == 8 ? 7 : 6;
    if (is_floating(element)) return bytes == 2 ? 6 : 10;  // a float's bits make a large integer
    return bytes == 1 && is_unsigned(element) ? 3 : 4;
}

}  // namespace lanescope::scene
