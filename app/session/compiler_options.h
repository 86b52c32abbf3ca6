// The options that a person gives the compiler, as a command line has them -> what of them nvcc and NVRTC are told.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lanescope::session {

struct CompilerOptions {
    std::vector<std::filesystem::path> include;  ///< of -I; relative ones to the folder that is given
    std::map<std::string, std::string> defines;  ///< of -D; without a value: 1
    std::vector<std::string> others;             ///< "--std=c++20", "--use_fast_math": as the words stand

    [[nodiscard]] bool empty() const { return include.empty() && defines.empty() && others.empty(); }
};

/// Options that change what the source means: include folders, macros, the standard, and flags of CUDA's front end.
/// Others (outputs, optimization, other compilers) are Lanescope's to choose, and are refused by name.
[[nodiscard]] Result<CompilerOptions> read_compiler_options(const std::vector<std::string>& words,
                                                            const std::filesystem::path& folder = {});

}  // namespace lanescope::session
