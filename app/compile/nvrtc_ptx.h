// PTX as NVRTC writes it -> the same without the paths of the machine it was made on, and the source names of its kernels.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// The folder that sources are said to lie in while NVRTC has them: it does not exist, so quoted includes find nothing by
/// accident.
inline constexpr const char* virtual_folder = "/lanescope/";

/// Names in `.file` lines lose the folders in front of them: the virtual one, those of `include`, and the working directory,
/// which NVRTC puts before the names of headers that came from memory. In DWARF's compilation unit the source's name becomes
/// `name` and the working directory ".". Lines stay where they are, except after that unit's head.
[[nodiscard]] std::string normalize_ptx(std::string ptx, const std::string& name,
                                        const std::vector<std::filesystem::path>& include,
                                        const std::filesystem::path& working_directory);

/// "demo::reduce" -> "_ZN4demo6reduceEPKiPi" for every `.entry`; instances of templates as "reduce<128u>".
/// Of overloads the first stands. extern "C" names stand for themselves.
[[nodiscard]] std::map<std::string, std::string> entry_names(std::string_view ptx);

}  // namespace lanescope::compile
