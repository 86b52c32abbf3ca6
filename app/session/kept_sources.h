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

/// The source with the main that calls a host function of a built-in program: it is not a source of the program.
inline constexpr std::string_view driver_name = "lanescope_main.cu";

/// "kernels/reduce.cuh", "../gpu/scan.cu": relative to the first of the folders; empty where it is in none of them.
[[nodiscard]] std::string name_of_source(const std::string& file, const std::vector<std::filesystem::path>& folders);

/// The name as above where the file is not the main one of `origin`, else empty: as steps of a trace name sources.
[[nodiscard]] std::string name_of_other_source(const std::string& file,
                                               const std::vector<std::filesystem::path>& folders,
                                               const trace::Origin& origin);

/// Stores in the trace the sources of its kernels and the `files` of host steps, each as it is now. The main one is
/// that of the first kernel. Without a module, which a program without launches has not: those of the steps alone.
/// `texts`: sources that are in no file.
void keep_sources(trace::Trace& trace, const ptx::Module* module, const std::vector<std::filesystem::path>& folders,
                  std::span<const std::string> files, std::span<const trace::SourceText> texts = {});

/// Makes remarks of findings of uninitialized shared memory in kernels of libraries, which are in no file of the
/// folders: CUB and Thrust move whole tiles, the last of which may be partly filled, and use only the filled part.
void remark_on_library_kernels(trace::Trace& trace, const ptx::Module& module,
                               const std::vector<std::filesystem::path>& folders);

}  // namespace lanescope::session
