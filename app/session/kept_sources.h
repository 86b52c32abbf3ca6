// A program's sources -> those that its trace keeps, named without the folders of this machine.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

/// The source with the main that calls a host function of a built-in program: it is none of the program's own.
inline constexpr std::string_view driver_name = "lanescope_main.cu";

/// "kernels/reduce.cuh", "../gpu/scan.cu": relative to the first of the folders; empty where it is in none of them.
[[nodiscard]] std::string name_of_source(const std::string& file, const std::vector<std::filesystem::path>& folders);

/// The name as above where the file is not the main one of `origin`, else empty: as steps of a trace name sources.
[[nodiscard]] std::string name_of_other_source(const std::string& file,
                                               const std::vector<std::filesystem::path>& folders,
                                               const trace::Origin& origin);

/// Into the trace the sources that kernels stand in, and the `files` of host steps, each as it is now. The main one is
/// that of the first kernel. Without a module, that of no launch: those of the steps alone. `texts`: sources that are
/// in no file.
void keep_sources(trace::Trace& trace, const ptx::Module* module, const std::vector<std::filesystem::path>& folders,
                  std::span<const std::string> files, std::span<const trace::SourceText> texts = {});

/// Makes remarks of the findings that kernels of libraries, which stand in no file of the folders, read shared memory
/// that no thread has written: CUB and Thrust move whole tiles, of which the last may be partly filled, and use what is
/// filled.
void remark_on_library_kernels(trace::Trace& trace, const ptx::Module& module,
                               const std::vector<std::filesystem::path>& folders);

}  // namespace lanescope::session
