// The programs that Lanescope knows, and files opened from disk.
#pragma once

#include "session/program.h"
#include "timing/families.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

[[nodiscard]] const std::vector<Program>& catalog();  ///< built in, in teaching order
/// The names of those that are not faulty.
[[nodiscard]] std::vector<std::string> sound_programs();
/// The programs as charts of recordings name them.
[[nodiscard]] const std::vector<timing::Variant>& catalog_variants();
/// The program of that name, or with that last part of its name where it is unique; null: none.
[[nodiscard]] const Program* find_program(std::string_view name);
/// Reads a file, with the lesson beside it where there is one.
[[nodiscard]] Result<Program> read_program(const std::filesystem::path& path, compile::CompilerOptions options = {});

}  // namespace lanescope::session
