// NVIDIA's runtime compiler, loaded on first use: finds the library, and runs one compilation.
// CUDA's headers are not needed: nvrtc.cpp declares the few functions used, as in the NVRTC documentation.
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
    std::optional<std::pair<int, int>> newest;    ///< LANESCOPE_NEWEST_CUDA, "12.4": the newest PTX the driver accepts

    /// From the environment: LANESCOPE_NVRTC, CUDA_HOME, CUDA_PATH, /usr/local/cuda*, the build's and the program's
    /// venv.
    static NvrtcPlaces of_environment();
};

/// The folder under which NVRTC compiles sources: it does not exist, so quoted includes find nothing by accident, and
/// line tables and DWARF are the same on every machine.
inline constexpr const char* virtual_folder = "/lanescope/";

/// One compilation.
struct NvrtcJob {
    std::string source;
    std::string name;                  ///< the absolute path by which messages and line tables name it
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
    /// Loads the first library that is new enough; otherwise the error says why each one found was refused.
    [[nodiscard]] static Result<Nvrtc> find(const NvrtcPlaces& places);

    [[nodiscard]] const Compiler& compiler() const { return compiler_; }
    /// Thread-safe. NVRTC writes the working directory into DWARF, so that it runs on its own thread, whose working
    /// directory is "/". If unshare(2) is not permitted, DWARF has the working directory of the process.
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
