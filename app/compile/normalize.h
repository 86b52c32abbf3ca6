// PTX as NVRTC writes it -> the same with no trace of the machine it was made on.
#pragma once

#include <filesystem>
#include <string>
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

}  // namespace lanescope::compile
