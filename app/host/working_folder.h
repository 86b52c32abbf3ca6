// A program's folder -> a copy of it within the scratch folder, which is the program's current folder: what it writes
// beside its sources it finds again, and the person's own files stay as they are.
#pragma once

#include <filesystem>

namespace lanescope::host {

/// Small files are copied, others and what lies above the folder are linked to: they can be read, as "../data" too.
/// Returns the copy; `folder` itself where it cannot be made.
[[nodiscard]] std::filesystem::path working_folder(const std::filesystem::path& folder,
                                                   const std::filesystem::path& scratch);

}  // namespace lanescope::host
