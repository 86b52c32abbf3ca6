// PTX of a whole file -> the module that the launches need. Unsupported instructions in functions that no launch
// reaches are ignored.
#pragma once

#include "base/result.h"
#include "ptx/module.h"

#include <map>
#include <string>
#include <vector>

namespace lanescope::session {

/// The module of `ptx`. Where it is refused because of a function that none of `entries` (names as linked) reaches, the
/// unreached functions are removed from it; every line keeps its number. An error in a reached function is reported
/// with the line of the CUDA source that it comes from, by the .loc before it (PTX ISA 11.5.3) in the file `source`,
/// beside the line of PTX.
[[nodiscard]] Result<ptx::Module> launched_module(const std::string& ptx, const std::string& name,
                                                  const std::vector<std::string>& entries, const std::string& source);

/// The module of a program whose launches are not known yet: functions that are refused are left out, with the reason
/// by their name.
struct RunnableModule {
    ptx::Module module;
    std::map<std::string, Problem> refused;
};
[[nodiscard]] Result<RunnableModule> runnable_module(const std::string& ptx, const std::string& name,
                                                     const std::string& source);

}  // namespace lanescope::session
