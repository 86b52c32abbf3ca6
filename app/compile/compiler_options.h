// The words of a compiler's command line -> the options that change the meaning of a source. Lanescope itself chooses
// architecture, debugging, outputs and linking. Options for the host compiler (-Xcompiler) are read as nvcc's.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct CompilerOptions {
    std::vector<std::filesystem::path> include;  ///< of -I, -isystem and -iquote
    std::map<std::string, std::string> defines;  ///< of -D; without a value: 1
    std::vector<std::string> others;             ///< "-std=c++20", "-fmad=false", "-UNAME", "--pre-include=/a/b.h"
    friend bool operator==(const CompilerOptions&, const CompilerOptions&) = default;
};

struct ReadOptions {
    CompilerOptions options;
    std::vector<std::string> passed_over;  ///< all other words, and options without their value
};

/// Relative paths are relative to `folder`. Reads option files, which CMake writes for nvcc.
[[nodiscard]] ReadOptions read_compiler_options(const std::vector<std::string>& words,
                                                const std::filesystem::path& folder = {});

/// The options in `passed_over` that may change the meaning of a source, such as -ffast-math: not those for warnings,
/// debugging, optimization, architecture, outputs and linking.
[[nodiscard]] std::vector<std::string> meaningful(const std::vector<std::string>& passed_over);

/// Passes -fopenmp to the host compiler. Without it g++ ignores OpenMP pragmas, and the loops run in one thread.
inline constexpr std::string_view openmp_option = "--compiler-options=-fopenmp";

/// "-std=c++20", "--std=c++20"
[[nodiscard]] bool states_standard(std::string_view option);
/// Whether NVRTC has the same option: the standard, floating-point arithmetic, undefined macros, preincluded headers.
[[nodiscard]] bool is_known_to_nvrtc(std::string_view option);

}  // namespace lanescope::compile
