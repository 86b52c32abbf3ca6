// The path that a user opens, one source with a main or a folder -> all files that the program is built from.
//
// A file that links is built alone. Otherwise files that define its missing symbols are added, those beside it first,
// then those of its program's folder (the one opened, the parent of `src`, or that of the CMakeLists.txt, Makefile or
// repository), and nearby folders that have the headers it includes. A compile_commands.json, if there is one, supplies
// options and sources.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "host/build.h"

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::host {

/// The one source with a main in the folder, else in its subfolders.
[[nodiscard]] Result<std::filesystem::path> source_with_main(const std::filesystem::path& folder);

/// Sources and headers in the folder and in the one of `source`, with their inner folders.
[[nodiscard]] std::vector<std::filesystem::path> sources_beside(const std::filesystem::path& source,
                                                                const std::filesystem::path& folder);

struct ProgramSources {
    BuildRequest request;            ///< builds the program
    std::vector<std::string> notes;  ///< parts of compile_commands.json that the build does not apply, a sentence each
};

/// Returns `wanted` with the sources found; its own include folders, macros and options come first. Fails with what is
/// missing. build() reuses the objects that this compiles. `folder`: the program's, if known.
[[nodiscard]] std::expected<ProgramSources, BuildError> sources_of(const std::filesystem::path& opened,
                                                                   const BuildRequest& wanted, Progress& progress,
                                                                   const std::filesystem::path& folder = {});

}  // namespace lanescope::host
