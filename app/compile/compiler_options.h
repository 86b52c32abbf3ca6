// The words of a compiler's command line -> the options that change the meaning of a source. Architecture, debugging,
// outputs and linking are Lanescope's own. Words for the host compiler (-Xcompiler) are read as nvcc's own.
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
    std::vector<std::string> passed_over;  ///< words that are none of these, or lack their value
};

/// Relative folders are relative to `folder`. Files of options are read, as CMake writes them for nvcc.
[[nodiscard]] ReadOptions read_compiler_options(const std::vector<std::string>& words,
                                                const std::filesystem::path& folder = {});

/// The options in `passed_over` that may change the meaning of a source, as -ffast-math does, not those for warnings,
/// debugging, optimization, architecture, outputs and linking.
[[nodiscard]] std::vector<std::string> meaningful(const std::vector<std::string>& passed_over);

/// -fopenmp of the host compiler, as nvcc passes it on. Without it g++ takes OpenMP's pragmas for comments: the loops
/// run in one thread.
inline constexpr std::string_view openmp_option = "--compiler-options=-fopenmp";

/// "-std=c++20", "--std=c++20"
[[nodiscard]] bool states_standard(std::string_view option);
/// Options that NVRTC knows as nvcc does: the standard, how floats are computed, macros undefined, headers read first.
[[nodiscard]] bool is_known_to_nvrtc(std::string_view option);

}  // namespace lanescope::compile
