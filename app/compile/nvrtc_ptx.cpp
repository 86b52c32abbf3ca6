#include "compile/nvrtc_ptx.h"

#include "base/demangle.h"
#include "compile/nvrtc.h"

#include <algorithm>

namespace lanescope::compile {

std::string without_folders(std::string ptx, const std::vector<std::filesystem::path>& include) {
    std::vector<std::string> folders{virtual_folder};
    for (const std::filesystem::path& path : include) {
        folders.push_back(path.string());
        if (!folders.back().ends_with('/')) folders.back() += '/';
    }
    std::ranges::sort(folders, [](const std::string& a, const std::string& b) { return a.size() > b.size(); });

    // `\t.file\t1 "/usr/local/cuda/include/cooperative_groups.h"`; in a fat binary without the first tab
    for (std::size_t at = 0; (at = ptx.find(".file\t", at)) != std::string::npos; ++at) {
        const std::size_t begin = at > 0 && ptx[at - 1] == '\t' ? at - 1 : at;
        if (begin == 0 || ptx[begin - 1] != '\n') continue;
        const std::size_t quote = ptx.find('"', at);
        const std::size_t newline = ptx.find('\n', at);
        if (quote == std::string::npos || quote > newline) continue;
        for (const std::string& folder : folders) {
            if (ptx.compare(quote + 1, folder.size(), folder) != 0) continue;
            ptx.erase(quote + 1, folder.size());
            break;
        }
    }
    return ptx;
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
