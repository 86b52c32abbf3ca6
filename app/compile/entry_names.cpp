#include "compile/entry_names.h"

#include <cxxabi.h>
#include <cstdlib>
#include <memory>

namespace lanescope::compile {

namespace {

/// "void reduce<128u>(int const*, int*)" -> "reduce<128u>": without the return type that templates' names carry, and without
/// parameters.
std::string function_name(std::string_view demangled) {
    std::size_t depth = 0, begin = 0;
    for (std::size_t i = 0; i < demangled.size(); ++i) {
        const char c = demangled[i];
        if (c == '<') ++depth;
        if (c == '>' && depth > 0) --depth;
        if (depth != 0) continue;
        if (c == ' ') begin = i + 1;
        constexpr std::string_view anonymous = "(anonymous namespace)::";
        if (c == '(' && demangled.substr(i, anonymous.size()) == anonymous) {
            i += anonymous.size() - 1;
            begin = i + 1;  // as the source names it
        } else if (c == '(') {
            return std::string(demangled.substr(begin, i - begin));
        }
    }
    return std::string(demangled.substr(begin));
}

}  // namespace

std::map<std::string, std::string> entry_names(std::string_view ptx) {
    std::map<std::string, std::string> names;
    constexpr std::string_view directive = ".entry ";
    for (std::size_t at = 0; (at = ptx.find(directive, at)) != std::string_view::npos;) {
        at += directive.size();
        const std::string mangled(ptx.substr(at, ptx.find_first_of("( \t\r\n", at) - at));
        int status = 0;
        const std::unique_ptr<char, void (*)(void*)> demangled(
            abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
        names.emplace(status == 0 ? function_name(demangled.get()) : mangled, mangled);
    }
    return names;
}

}  // namespace lanescope::compile
