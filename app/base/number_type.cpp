#include "base/number_type.h"

#include <algorithm>
#include <array>

namespace lanescope {

namespace {

using Kind = NumberType::Kind;

struct Named {
    std::string_view name;
    NumberType type;
};
constexpr std::array names{
    Named{"int8_t", {Kind::signed_whole, 1}},
    Named{"uint8_t", {Kind::unsigned_whole, 1}},
    Named{"int16_t", {Kind::signed_whole, 2}},
    Named{"uint16_t", {Kind::unsigned_whole, 2}},
    Named{"int32_t", {Kind::signed_whole, 4}},
    Named{"uint32_t", {Kind::unsigned_whole, 4}},
    Named{"int64_t", {Kind::signed_whole, 8}},
    Named{"uint64_t", {Kind::unsigned_whole, 8}},
    Named{"ptrdiff_t", {Kind::signed_whole, 8}},
    Named{"size_t", {Kind::unsigned_whole, 8}},
    Named{"ssize_t", {Kind::signed_whole, 8}},
    Named{"uchar", {Kind::unsigned_whole, 1}},
    Named{"ushort", {Kind::unsigned_whole, 2}},
    Named{"uint", {Kind::unsigned_whole, 4}},
    Named{"ulong", {Kind::unsigned_whole, 8}},
    Named{"longlong", {Kind::signed_whole, 8}},
    Named{"ulonglong", {Kind::unsigned_whole, 8}},
    Named{"half", {Kind::ieee, 2}},
    Named{"__half", {Kind::ieee, 2}},
    Named{"nv_bfloat16", {Kind::bfloat, 2}},
    Named{"__nv_bfloat16", {Kind::bfloat, 2}},
};

constexpr std::array<std::string_view, 9> keywords{"bool",  "char",   "short",  "int",     "long",
                                                   "float", "double", "signed", "unsigned"};

/// Keywords separated by spaces, in any order.
std::optional<NumberType> spelled(std::string_view words) {
    std::array<unsigned, keywords.size()> count{};
    while (!words.empty()) {
        const std::string_view word = words.substr(0, words.find(' '));
        words.remove_prefix(std::min(words.size(), word.size() + 1));
        if (word.empty()) continue;
        const auto* const found = std::ranges::find(keywords, word);
        if (found == keywords.end()) return std::nullopt;
        ++count[static_cast<std::size_t>(found - keywords.begin())];
    }
    const auto [bools, chars, shorts, ints, longs, floats, doubles, signs, no_signs] = count;
    const unsigned others = shorts + ints + longs + signs + no_signs;
    if (bools + floats + doubles == 1 && chars + others == 0) {
        if (bools == 1) return NumberType{Kind::unsigned_whole, 1};
        return NumberType{Kind::ieee, floats == 1 ? 4U : 8U};
    }
    const bool once = bools + floats + doubles == 0 && ints <= 1 && signs + no_signs <= 1;
    const bool one_width = chars <= 1 && shorts <= 1 && longs <= 2 && unsigned{chars > 0} + shorts + (longs > 0) <= 1;
    if (!once || !one_width || (chars == 1 && ints == 1) || chars + others == 0) return std::nullopt;
    const unsigned bytes = chars == 1 ? 1 : shorts == 1 ? 2 : longs > 0 ? 8 : 4;
    return NumberType{no_signs == 1 ? Kind::unsigned_whole : Kind::signed_whole, bytes};
}

std::optional<NumberType> scalar(std::string_view name) {
    const auto* const found = std::ranges::find(names, name, &Named::name);
    return found != names.end() ? std::optional(found->type) : spelled(name);
}

}  // namespace

bool is_number_keyword(std::string_view word) { return std::ranges::find(keywords, word) != keywords.end(); }

bool is_floating_point(std::string_view type) {
    const auto number = number_type(bare_type(type));
    if (!number) return bare_type(type) == "long double";
    return number->kind == Kind::ieee || number->kind == Kind::bfloat;
}

bool is_pointer_type(std::string_view type) {
    // Brackets hold arguments of a template, or of a function.
    const std::size_t brackets = type.find_last_of(">)}");
    if (brackets != std::string_view::npos) type.remove_prefix(brackets + 1);
    return type.find_first_of("*&[") != std::string_view::npos;
}

std::string_view bare_type(std::string_view type) {
    constexpr std::string_view restricted = "__restrict__";
    while (type.ends_with('*') || type.ends_with(' ') || type.ends_with(restricted))
        type.remove_suffix(type.ends_with('_') ? restricted.size() : 1);
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view word : {std::string_view("const "), std::string_view("volatile ")}) {
            if (!type.starts_with(word)) continue;
            type.remove_prefix(word.size());
            found = true;
        }
    }
    return type;
}

std::optional<NumberType> number_type(std::string_view name) {
    constexpr std::string_view standard = "std::";
    if (name.starts_with(standard)) name.remove_prefix(standard.size());
    if (const auto found = scalar(name)) return found;
    // Built-in vectors: the component type as one word, and the number of components.
    if (name.empty() || name.back() < '2' || name.back() > '4' || name.find(' ') != std::string_view::npos) return {};
    std::optional<NumberType> component = scalar(name.substr(0, name.size() - 1));
    if (component) component->components = static_cast<unsigned>(name.back() - '0');
    return component;
}

}  // namespace lanescope
