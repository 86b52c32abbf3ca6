#include "compile/entry_names.h"

#include "base/demangle.h"

namespace lanescope::compile {

std::map<std::string, std::string> entry_names(std::string_view ptx) {
    std::map<std::string, std::string> names;
    constexpr std::string_view directive = ".entry ";
    for (std::size_t at = 0; (at = ptx.find(directive, at)) != std::string_view::npos;) {
        at += directive.size();
        const std::string mangled(ptx.substr(at, ptx.find_first_of("( \t\r\n", at) - at));
        names.emplace(source_name_of(mangled), mangled);
    }
    return names;
}

}  // namespace lanescope::compile
