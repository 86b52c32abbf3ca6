// A compile_commands.json, as CMake and Bear write it -> how a file of it is compiled.
#pragma once

#include "compile/compiler_options.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace lanescope::host {

struct CompileCommand {
    std::filesystem::path file;  ///< absolute
    compile::CompilerOptions options;
    std::vector<std::string> not_taken;  ///< options that may change the file's meaning and are not passed to nvcc
};

/// The nearest compile_commands.json: of the folder, of a folder build/ in it, or of its parents likewise.
[[nodiscard]] std::optional<std::filesystem::path> find_compile_commands(const std::filesystem::path& folder);

/// The commands of the file; entries that cannot be parsed are skipped.
[[nodiscard]] std::vector<CompileCommand> read_compile_commands(const std::filesystem::path& file);

}  // namespace lanescope::host
