// A program's sources -> an executable on Lanescope's CUDA runtime, by nvcc: host and device code compiled at once, PTX
// kept as text.
#pragma once

#include "base/progress.h"
#include "compile/compile.h"
#include "compile/compiler_options.h"
#include "host/toolchain.h"
#include "model/device_limits.h"

#include <expected>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lanescope::host {

struct BuildRequest {
    std::vector<std::filesystem::path> sources;  ///< .cu, .cpp, .c; the first names the program
    std::vector<std::filesystem::path> include;
    std::map<std::string, std::string> defines;
    std::vector<std::string> options;  ///< further nvcc options: "-std=c++20"
    /// Options of single sources, beside those above, as a compile_commands.json has them. A source that has none is
    /// compiled as the first one.
    std::map<std::filesystem::path, compile::CompilerOptions> own_options;
    compile::View view = compile::View::written;
    unsigned arch = model::least_capability;
    /// Finds overruns of host memory (FaultKind::host_overrun); the program is started with ProgramStart::sanitized.
    bool address_sanitizer = false;
    /// Calls of functions by host code can be seen (ProgramStart::functions): none is inlined, each has room at its
    /// entry.
    bool host_calls = false;
    bool keep_device_functions = false;  ///< in the PTX, also those that no kernel calls
    /// Compiles the device code of each file separately, as nvcc does without -rdc. Needed where a header defines
    /// variables in several files.
    bool apart = false;
    friend bool operator==(const BuildRequest&, const BuildRequest&) = default;
};

struct Built {
    std::filesystem::path program;
    std::vector<compile::Diagnostic> diagnostics;  ///< warnings
    bool cached = false;
    bool apart = false;  ///< compiled as BuildRequest::apart says, whether requested or found necessary
};

struct BuildError {
    Problem problem;
    std::vector<compile::Diagnostic> diagnostics;
    bool no_main = false;  ///< no source defines main after preprocessing: an #if may exclude it
};

/// Compiles and links, or finds what was built before from the same sources and headers. Device code of several .cu is
/// linked by symbol: each brings its own PTX, a translation unit of the module (ptx/module.h).
[[nodiscard]] std::expected<Built, BuildError> build(const BuildRequest& request, Progress& progress);

/// The PTX of all sources, without a program; empty where one does not compile.
[[nodiscard]] std::string device_code_of(const BuildRequest& request, Progress& progress);

/// The files that the sources of a request consist of, headers included; not the toolkit's and the system's. Objects
/// that sources_of() has compiled are not compiled again.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const BuildRequest& request, Progress& progress);

}  // namespace lanescope::host
