#include "compile/nvrtc_ptx.h"

#include "base/demangle.h"
#include "compile/dwarf_unit.h"

#include <algorithm>

namespace lanescope::compile {

std::string normalize_ptx(std::string ptx, const std::string& name, const std::vector<std::filesystem::path>& include,
                          const std::filesystem::path& working_directory) {
    std::vector<std::string> folders{virtual_folder};
    const auto add = [&](const std::filesystem::path& path) {
        std::string folder = (working_directory / path).lexically_normal().string();
        if (!folder.ends_with('/')) folder += '/';
        folders.push_back(folder);
    };
    for (const std::filesystem::path& path : include) add(path);
    add(working_directory);
    std::ranges::sort(folders, [](const std::string& a, const std::string& b) { return a.size() > b.size(); });

    // `\t.file\t1 "/usr/local/cuda/include/cooperative_groups.h"`
    for (std::size_t at = 0; (at = ptx.find("\n\t.file\t", at)) != std::string::npos; ++at) {
        const std::size_t quote = ptx.find('"', at);
        const std::size_t newline = ptx.find('\n', at + 1);
        if (quote == std::string::npos || quote > newline) continue;
        for (const std::string& folder : folders) {
            if (ptx.compare(quote + 1, folder.size(), folder) != 0) continue;
            ptx.erase(quote + 1, folder.size());
            break;
        }
    }
    return with_unit_strings(std::move(ptx), name, ".");
}

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
