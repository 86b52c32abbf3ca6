// PTX of NVRTC -> the same PTX without this machine's paths, and the source names of its kernels.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// Removes leading folders from the names in `.file` lines: NVRTC's virtual folder and those of `include`, absolute
/// paths. Folders of `others` are replaced by their second string.
[[nodiscard]] std::string without_folders(std::string ptx, const std::vector<std::filesystem::path>& include,
                                          const std::map<std::filesystem::path, std::filesystem::path>& others = {});

/// "demo::reduce" -> "_ZN4demo6reduceEPKiPi" for every `.entry`; instances of templates as "reduce<128u>". For
/// overloads, the first. extern "C" names are unchanged.
[[nodiscard]] std::map<std::string, std::string> entry_names(std::string_view ptx);

}  // namespace lanescope::compile
