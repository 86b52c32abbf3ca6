// A checker of the tree's include rules: text of sources in, violations out. app/CMakeLists.txt defines which folder
// may include which; the table of include_rules.cpp defines which folder may use which foreign header.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::tree {

/// Folder of app/ -> folders whose headers its sources may include, beside its own.
using FolderRules = std::map<std::string, std::set<std::string>, std::less<>>;

/// The rules that the build was made with.
FolderRules folder_rules();

/// The checks of one source. `path` is relative to the repository ("app/ptx/parser.cpp"); `headers` are all headers
/// under app/, as they are included ("ptx/module.h"). A violation reads "path:line: what, and the rule it breaks".
std::vector<std::string> check_includes(std::string_view path, std::string_view text, const FolderRules& rules,
                                        const std::set<std::string>& headers);

/// Marks of unfinished work, in any text file.
std::vector<std::string> check_marks(std::string_view path, std::string_view text);

}  // namespace lanescope::tree
