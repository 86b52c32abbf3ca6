#include "session/host_arithmetic.h"

#include "session/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

namespace lanescope::session {

namespace {

using trace::Element;

bool is_signed(Element element) {
    return element == Element::s8 || element == Element::s16 || element == Element::s32 || element == Element::s64;
}

/// The least of the types, in their order, that holds the value.
HostValue least(std::uint64_t value, bool decimal, bool without_sign, bool is_long) {
    constexpr std::uint64_t most_int = 0x7fff'ffff, most_unsigned = 0xffff'ffff, most_long = ~std::uint64_t{0} >> 1;
    Element type = Element::u64;
    if (!without_sign && !is_long && value <= most_int) {
        type = Element::s32;
    } else if (!is_long && value <= most_unsigned && (without_sign || !decimal)) {
        type = Element::u32;
    } else if (!without_sign && value <= most_long) {
        type = Element::s64;
    }
    return HostValue::of(std::int64_t(value), type);
}

HostValue truth_of(bool truth) { return HostValue::of(std::int64_t{truth}, Element::s32); }

template <typename T>
std::optional<bool> compared(std::string_view op, T x, T y) {
    if (op == "<") return x < y;
    if (op == ">") return x > y;
    if (op == "<=") return x <= y;
    if (op == ">=") return x >= y;
    if (op == "==") return x == y;
    if (op == "!=") return x != y;
    return std::nullopt;
}

std::optional<Arithmetic> floating(std::string_view op, double x, double y, Element type) {
    if (const auto truth = compared(op, x, y)) return Arithmetic{truth_of(*truth)};
    // Of floats, too: a double has more than twice their digits, so that rounding twice is rounding once.
    const auto rounded = [type](double value) {
        return Arithmetic{HostValue::of(type == Element::f32 ? double(static_cast<float>(value)) : value, type)};
    };
    if (op == "+") return rounded(x + y);
    if (op == "-") return rounded(x - y);
    if (op == "*") return rounded(x * y);
    if (op == "/") return rounded(x / y);
    return std::nullopt;
}

/// The exact result of a sum, difference or product of two numbers, as far as it matters whether the type holds it.
bool past_type(std::string_view op, std::int64_t x, std::int64_t y, Element type) {
    std::int64_t exact = 0;
    const bool wide = op == "+"   ? __builtin_add_overflow(x, y, &exact)
                      : op == "-" ? __builtin_sub_overflow(x, y, &exact)
                      : op == "*" ? __builtin_mul_overflow(x, y, &exact)
                                  : false;
    return wide || (type == Element::s32 && op != "<<" && exact != std::int64_t(std::int32_t(exact)));
}

}  // namespace

HostValue literal_of(std::string_view text) {
    std::string digits;
    std::ranges::copy_if(text, std::back_inserter(digits), [](char c) { return c != '\''; });
    const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
    const bool binary = digits.starts_with("0b") || digits.starts_with("0B");
    const bool single = !hex && !binary && (digits.ends_with('f') || digits.ends_with('F'));
    if (single || digits.find_first_of(hex ? ".pP" : ".eE") != std::string::npos) {
        if (single) return HostValue::of(double(std::strtof(digits.c_str(), nullptr)), Element::f32);
        return HostValue::of(std::strtod(digits.c_str(), nullptr));
    }
    const bool octal = !hex && !binary && digits.size() > 1 && digits.front() == '0';
    const std::uint64_t value = std::strtoull(digits.c_str() + (hex || binary ? 2 : 0), nullptr,
                                              hex      ? 16
                                              : binary ? 2
                                              : octal  ? 8
                                                       : 10);
    return least(value, !hex && !binary && !octal, digits.find_first_of("uU") != std::string::npos,
                 digits.find_first_of("lL") != std::string::npos);
}

HostValue character_of(std::string_view text) {
    text.remove_prefix(std::min(text.find('\''), text.size()));  // L'a'
    if (text.size() < 3) return HostValue::of(std::int64_t{0}, Element::s8);
    char c = text[1];
    if (c == '\\' && text.size() > 3) {
        constexpr std::string_view names = "abfnrtv", meant = "\a\b\f\n\r\t\v";
        const char name = text[2];
        const std::string digits(text.substr(name == 'x' ? 3 : 2));
        const std::size_t at = names.find(name);
        c = at != std::string_view::npos ? meant[at] : name;
        if (name == 'x' || (name >= '0' && name <= '7'))
            c = char(std::strtoul(digits.c_str(), nullptr, name == 'x' ? 16 : 8));
    }
    return HostValue::of(std::int64_t{c}, Element::s8);
}

std::optional<std::string> string_of(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
    text = text.substr(1, text.size() - 2);
    std::string bytes;
    while (!text.empty()) {
        std::size_t length = 1;
        const auto goes_on = [&](std::string_view digits, std::size_t most) {
            while (length < std::min(most, text.size()) && digits.contains(text[length])) ++length;
        };
        if (text.front() == '\\' && text.size() > 1) {
            length = 2;
            if (text[1] == 'x') goes_on("0123456789abcdefABCDEF", text.size());
            if (text[1] >= '0' && text[1] <= '7') goes_on("01234567", 4);
        }
        bytes += char(character_of(fmt::format("'{}'", text.substr(0, length))).whole);
        text.remove_prefix(length);
    }
    bytes += '\0';
    return bytes;
}

Element common_type(Element a, Element b) {
    if (a == Element::f64 || b == Element::f64) return Element::f64;
    if (is_float(a) || is_float(b)) return Element::f32;
    for (const Element wide : {Element::u64, Element::s64, Element::u32})
        if (a == wide || b == wide) return wide;
    return Element::s32;
}

HostValue in_type(const HostValue& number, Element type) {
    if (is_float(type)) {
        const double value = number.number();
        return HostValue::of(type == Element::f32 ? double(static_cast<float>(value)) : value, type);
    }
    std::array<std::byte, 8> cell{};
    store_number(cell.data(), type, number);
    return load_number(cell.data(), type);
}

std::optional<Arithmetic> arithmetic(std::string_view op, const HostValue& a, const HostValue& b) {
    const bool shifts = op == "<<" || op == ">>";
    const Element type = shifts ? common_type(a.type, a.type) : common_type(a.type, b.type);
    if (is_float(type)) return floating(op, in_type(a, type).real, in_type(b, type).real, type);
    if (shifts && b.kind != HostValue::Kind::whole) return std::nullopt;
    const std::int64_t x = in_type(a, type).whole;
    const std::int64_t y = shifts ? b.whole : in_type(b, type).whole;
    const std::uint64_t ux = std::uint64_t(x), uy = std::uint64_t(y);
    if (const auto truth = is_signed(type) ? compared(op, x, y) : compared(op, ux, uy))
        return Arithmetic{truth_of(*truth)};
    const auto kept = [&](std::uint64_t value) {
        return Arithmetic{in_type(HostValue::of(std::int64_t(value), type), type),
                          is_signed(type) && past_type(op, x, y, type)};
    };
    if (op == "+") return kept(ux + uy);
    if (op == "-") return kept(ux - uy);
    if (op == "*") return kept(ux * uy);
    if (op == "/" || op == "%") {
        if (y == 0) return std::nullopt;
        if (!is_signed(type)) return kept(op == "/" ? ux / uy : ux % uy);
        if (y == -1) return kept(op == "/" ? 0 - ux : 0);
        return kept(std::uint64_t(op == "/" ? x / y : x % y));
    }
    if (shifts) {  // by the count's low bits, as x86 does where C++ leaves it undefined
        const std::uint64_t count = uy & (trace::bytes_of(type) * 8 - 1);
        if (op == "<<") return kept(ux << count);
        return kept(is_signed(type) ? std::uint64_t(x >> count) : ux >> count);
    }
    if (op == "&") return kept(ux & uy);
    if (op == "|") return kept(ux | uy);
    if (op == "^") return kept(ux ^ uy);
    return std::nullopt;
}

}  // namespace lanescope::session
