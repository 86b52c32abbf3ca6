// NVIDIA's runtime compiler, loaded when it is wanted: which one is there, and one compilation by it.
// Nothing here needs CUDA's headers: the few functions used are declared in nvrtc.cpp, as in the NVRTC documentation.
#pragma once

#include "base/result.h"
#include "compile/compile.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::compile {

/// Where to look for the library, in order.
struct NvrtcPlaces {
    std::optional<std::string> given;  ///< LANESCOPE_NVRTC: the only library to try; "none": as if none is installed
    std::vector<std::filesystem::path> toolkits;  ///< roots with lib64/ and include/
    std::vector<std::filesystem::path> venvs;     ///< Python environments with NVIDIA's packages
    bool loader = true;                           ///< the loader's own path
    std::optional<std::pair<int, int>> newest;    ///< LANESCOPE_NEWEST_CUDA, "12.4": what the driver takes PTX of

    /// From the environment: LANESCOPE_NVRTC, CUDA_HOME, CUDA_PATH, /usr/local/cuda*, the build's and the program's
    /// venv.
    static NvrtcPlaces of_environment();
};

/// The folder under which NVRTC compiles sources: it does not exist, so quoted includes find nothing by accident, and
/// line tables and DWARF are the same on every machine.
inline constexpr const char* virtual_folder = "/lanescope/";

/// One program for NVRTC.
struct NvrtcJob {
    std::string source;
    std::string name;                  ///< what messages and line tables call it, an absolute path
    std::vector<std::string> options;  ///< paths in them are absolute
    std::vector<std::pair<std::string, std::string>> headers;  ///< name, text
    std::vector<std::string> expressions;                      ///< names to instantiate
};

struct NvrtcAnswer {
    bool ok = false;
    std::string log;
    std::string ptx;
    std::vector<std::string> lowered;  ///< of the expressions
};

/// The oldest CUDA whose compiler Lanescope can use.
inline constexpr std::pair<int, int> oldest_cuda{12, 4};
/// "12.4".
[[nodiscard]] std::string oldest_cuda_text();

class Nvrtc {
  public:
    /// Loads the first library that is new enough; otherwise says for each one found why it was refused.
    [[nodiscard]] static Result<Nvrtc> find(const NvrtcPlaces& places);

    [[nodiscard]] const Compiler& compiler() const { return compiler_; }
    /// Thread-safe. NVRTC writes the working directory into DWARF: it runs on a thread of its own whose working
    /// directory is "/". Where the system forbids a thread that (unshare(2)), DWARF names the process's.
    [[nodiscard]] NvrtcAnswer run(const NvrtcJob& job) const;

  private:
    struct Functions;
    [[nodiscard]] NvrtcAnswer run_here(const NvrtcJob& job) const;
    static Result<Nvrtc> load(const std::string& library, const std::vector<std::filesystem::path>& include,
                              std::optional<std::pair<int, int>> newest);

    Compiler compiler_;
    std::shared_ptr<const Functions> functions_;
};

}  // namespace lanescope::compile
