// PTX as NVRTC writes it -> the same without the paths of the machine it was made on, and the source names of its
// kernels.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// Names in `.file` lines lose the folder in front of them: NVRTC's virtual one, or one of `include`, absolute paths.
/// Those in a folder of `others` begin with what that has instead.
[[nodiscard]] std::string without_folders(std::string ptx, const std::vector<std::filesystem::path>& include,
                                          const std::map<std::filesystem::path, std::filesystem::path>& others = {});

/// "demo::reduce" -> "_ZN4demo6reduceEPKiPi" for every `.entry`; instances of templates as "reduce<128u>". For
/// overloads, the first. extern "C" names are unchanged.
[[nodiscard]] std::map<std::string, std::string> entry_names(std::string_view ptx);

}  // namespace lanescope::compile
