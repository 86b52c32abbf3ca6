// The output of nvcc, g++ and the linker -> what is wrong, at its line, and what is missing.
#pragma once

#include "compile/compile.h"
#include "host/build.h"

#include <string>
#include <vector>

namespace lanescope::host {

struct BuildFailure {
    BuildError error;
    std::string missing_header;        ///< as an #include names it
    std::vector<std::string> missing;  ///< names that the linker lacks, mangled
    bool defined_twice = false;        ///< the linker met a name in several objects
    bool redefined = false;            ///< the compiler met a variable twice in one source
    bool newer_target = false;         ///< a newer compute capability may have what the compiler does not find
    std::string wanted_flag;           ///< the nvcc flag that its error asks for: "--extended-lambda"
};

[[nodiscard]] BuildFailure failure(std::string what, std::string remedy = {});
[[nodiscard]] BuildFailure failure_of_compiler(const std::string& log, const std::string& source);
[[nodiscard]] BuildFailure failure_of_linker(const std::string& log);
/// The warnings of a compilation that succeeded.
[[nodiscard]] std::vector<compile::Diagnostic> warnings_of(const std::string& log, const std::string& source);
/// Device variables that a source declares extern, which nvcc takes for static ones without -rdc: it warns of each.
[[nodiscard]] std::vector<std::string> extern_variables_of(const std::string& log);

}  // namespace lanescope::host
