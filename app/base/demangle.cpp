#include "base/demangle.h"

#include "base/text.h"

#include <cxxabi.h>

#include <charconv>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace lanescope {
namespace {

/// "void reduce<128u>(int const*, int*)" -> "reduce<128u>": without the return type that templates' names carry, and
/// without parameters.
std::string function_name(std::string_view whole) {
    std::size_t depth = 0, begin = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const char c = whole[i];
        if (c == '<') ++depth;
        if (c == '>' && depth > 0) --depth;
        if (depth != 0) continue;
        if (c == ' ') begin = i + 1;
        // nvcc puts names with internal linkage into a namespace of the file.
        constexpr std::string_view of_file = "_INTERNAL_";
        if (const std::size_t end = whole.find("::", i);
            i == begin && end != std::string_view::npos && whole.substr(i, of_file.size()) == of_file) {
            i = end + 1;
            begin = i + 1;
            continue;
        }
        constexpr std::string_view anonymous = "(anonymous namespace)::";
        if (c == '(' && whole.substr(i, anonymous.size()) == anonymous) {
            i += anonymous.size() - 1;
            begin = i + 1;  // as the source names it
        } else if (c == '(') {
            return std::string(whole.substr(begin, i - begin));
        }
    }
    return std::string(whole.substr(begin));
}

/// When several files are linked together, nvcc adds the file to the names of static functions and variables:
/// "_Z5scalePf" of "__nv_static_28__1c9ff20f_8_first_cu_counter__Z5scalePf"; 28 is the length of the file's name in
/// bytes.
std::string without_file(const std::string& linked) {
    constexpr std::string_view prefix = "__nv_static_";
    if (!linked.starts_with(prefix)) return linked;
    std::size_t bytes = 0;
    const char* const end = linked.data() + linked.size();
    const auto [past, error] = std::from_chars(linked.data() + prefix.size(), end, bytes);
    const auto digits_end = static_cast<std::size_t>(past - linked.data());
    if (error != std::errc() || bytes > linked.size()) return linked;
    // An underscore separates the number, the file's name and the name itself.
    const std::size_t name = digits_end + 1 + bytes + 1;
    if (name >= linked.size() || linked[digits_end] != '_' || linked[name - 1] != '_') return linked;
    return linked.substr(name);
}

}  // namespace

std::optional<std::string> demangled(const std::string& symbol) {
    const std::string linked = without_file(symbol);
    // __cxa_demangle accepts types, too: a kernel named f would become "float". Functions and variables begin with _Z
    // (5.1.2).
    if (!linked.starts_with("_Z")) return std::nullopt;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(linked.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    if (status != 0 || name == nullptr) return std::nullopt;
    return std::string(name.get());
}

std::string source_name_of(const std::string& linked) {
    const std::optional<std::string> whole = demangled(linked);
    return whole ? function_name(*whole) : without_file(linked);
}

constexpr std::string_view initializer = "initializer in ";

std::string variable_name_of(const std::string& linked) {
    // The initializer of a structure in a function has no name in the source: nvcc gives it the function's name and a
    // number.
    if (const std::size_t dollar = linked.rfind('$'); dollar != std::string::npos && dollar + 1 < linked.size()) {
        const std::string function = linked.substr(0, dollar);
        const bool numbered = linked.find_first_not_of("0123456789", dollar + 1) == std::string::npos;
        // "$str$1" is a string literal.
        if (numbered && !function.empty() && function.front() != '$')
            return std::string(initializer) + source_name_of(function);
    }
    const std::string whole = demangled(linked).value_or(without_file(linked));
    const std::size_t colons = whole.rfind("::");
    return colons == std::string::npos ? whole : whole.substr(colons + 2);
}

bool is_initializer(std::string_view variable) { return variable.starts_with(initializer); }

std::string with_source_names(std::string_view text) {
    std::string named;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = end_of_identifier(text, at);
        const std::string_view word = text.substr(at, end - at);
        named += word.starts_with("_Z") || word.starts_with("__nv_static_") ? source_name_of(std::string(word))
                                                                            : std::string(word);
        if (end < text.size()) named += text[end];
        at = end + 1;
    }
    return named;
}

}  // namespace lanescope
