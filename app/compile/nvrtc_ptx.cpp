#include "compile/nvrtc_ptx.h"

#include "base/demangle.h"
#include "compile/nvrtc.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace lanescope::compile {

std::string without_folders(std::string ptx, const std::vector<std::filesystem::path>& include,
                            const std::map<std::filesystem::path, std::filesystem::path>& others) {
    std::vector<std::pair<std::string, std::string>> folders{{virtual_folder, ""}};  // and what stands for them
    for (const std::filesystem::path& path : include) folders.emplace_back((path / "").string(), "");
    for (const auto& [path, instead] : others) folders.emplace_back((path / "").string(), (instead / "").string());
    std::ranges::stable_sort(folders, std::greater(), [](const auto& folder) { return folder.first.size(); });

    // `\t.file\t1 "/usr/local/cuda/include/cooperative_groups.h"`; in a fat binary without the first tab
    for (std::size_t at = 0; (at = ptx.find(".file\t", at)) != std::string::npos; ++at) {
        const std::size_t begin = at > 0 && ptx[at - 1] == '\t' ? at - 1 : at;
        if (begin == 0 || ptx[begin - 1] != '\n') continue;
        const std::size_t quote = ptx.find('"', at);
        const std::size_t newline = ptx.find('\n', at);
        if (quote == std::string::npos || quote > newline) continue;
        for (const auto& [folder, instead] : folders) {
            if (ptx.compare(quote + 1, folder.size(), folder) != 0) continue;
            ptx.replace(quote + 1, folder.size(), instead);
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
