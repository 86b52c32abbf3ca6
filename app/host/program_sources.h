// The path that a user opens, one source with a main or a folder -> all files that the program is built from.
//
// A file alone is built alone where it links. Otherwise files join that define what it lacks, those beside it first,
// then those of its program's folder (the one opened, the parent of `src`, or that of the CMakeLists.txt, Makefile or
// repository), and folders near it that have the headers it includes. A compile_commands.json says more where there is
// one.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "host/build.h"

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::host {

/// The one source of a folder with a main, else of its inner ones.
[[nodiscard]] Result<std::filesystem::path> source_with_main(const std::filesystem::path& folder);

/// Sources and headers in the folder and in the one of `source`, with their inner folders.
[[nodiscard]] std::vector<std::filesystem::path> sources_beside(const std::filesystem::path& source,
                                                                const std::filesystem::path& folder);

struct ProgramSources {
    BuildRequest request;            ///< builds the program
    std::vector<std::string> notes;  ///< what a compile_commands.json says of the sources and the build does not do
};

/// The request is `wanted`, whose own include folders, macros and options come first, with the sources found. Or it
/// fails with what is missing. build() finds again the objects that it compiles for this. `folder`: the program's,
/// where it is known.
[[nodiscard]] std::expected<ProgramSources, BuildError> sources_of(const std::filesystem::path& opened,
                                                                   const BuildRequest& wanted, Progress& progress,
                                                                   const std::filesystem::path& folder = {});

}  // namespace lanescope::host
