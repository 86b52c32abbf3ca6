// CUDA source -> PTX text, by NVRTC, loaded at run time; cached on disk by content.
#pragma once

#include "base/result.h"
#include "model/device_limits.h"

#include <array>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

enum class View : std::uint8_t {
    written,   ///< NVRTC -G: every access of the source survives, DWARF names variables by register
    compiled,  ///< NVRTC -lineinfo: what the hardware runs
    types,     ///< as written, but with static shared variables made local, because NVRTC writes no DWARF for shared
               ///< ones. Only for reading types, not for execution
};

struct Diagnostic {
    enum class Severity : std::uint8_t { note, warning, error };
    Severity severity = Severity::error;
    unsigned line = 0, column = 0;  ///< of the CUDA source, from 1; 0: not known
    std::string text;
};

/// The targets tried in turn for a source that needs a newer one than requested.
inline constexpr std::array newer_targets{80U, 90U};

struct CompileRequest {
    std::string source;              ///< CUDA C++ as the user wrote it, with host code
    std::string name = "kernel.cu";  ///< for messages; the PTX has only its last component, so that it does not depend
                                     ///< on the machine's paths
    View view = View::written;
    unsigned arch = model::
        least_capability;  ///< compute_75 and up; a kernel that needs more gets 80 or 90, see CompileOutput::arch
    std::vector<std::filesystem::path> include;  ///< where the user's own quoted headers lie: the file's folder
    std::map<std::string, std::string> defines;
    std::vector<std::string> options;      ///< further NVRTC options: "--std=c++20"; those of nvcc alone are ignored
    std::vector<std::string> instantiate;  ///< template kernels to instantiate, "reduce6<128>"
};

struct CompileOutput {
    std::string ptx;
    std::vector<Diagnostic> diagnostics;       ///< warnings
    std::map<std::string, std::string> names;  ///< instantiation or kernel's source name -> its name in the PTX
    unsigned arch = model::least_capability;   ///< what it was compiled for
    bool cached = false;
    bool kept = false;  ///< without a compiler: this is the PTX that ships with the built-in kernel
};

/// A failed compilation: `problem` for one line of text, `diagnostics` for the editor.
struct CompileFailure {
    Problem problem;
    std::vector<Diagnostic> diagnostics;
};

/// The NVRTC in use.
struct Compiler {
    int major = 0, minor = 0;
    std::filesystem::path library;
    std::vector<std::filesystem::path> include;
};
/// The NVRTC found (LANESCOPE_NVRTC, CUDA_HOME, /usr/local/cuda*, the project's venv, the dynamic loader's path), or
/// the reason why none is usable and what to install. Searched once; thread-safe.
[[nodiscard]] const Result<Compiler>& compiler();

/// Compiles the source, or returns the cached result. Host code is masked first (source.h); declarations that only host
/// code can need are omitted if the compiler rejects them. Without a compiler, built-in kernels come from the PTX that
/// ships with them, and other sources fail with what to install. Thread-safe.
[[nodiscard]] std::expected<CompileOutput, CompileFailure> compile(const CompileRequest& request);

/// The file name suffix of the PTX that ships with a built-in kernel: ".written.ptx" of "sequential.written.ptx".
[[nodiscard]] std::string_view kept_suffix(View view);

class Cache;
class Nvrtc;
/// compile() with the compiler and the cache given, for tests.
[[nodiscard]] std::expected<CompileOutput, CompileFailure> compile_with(const Result<Nvrtc>& nvrtc, const Cache& cache,
                                                                        const CompileRequest& request);

}  // namespace lanescope::compile
