// The launches that host code names, in the order of the text. What they are given is not read: host code that nvcc
// compiles tells it by running.
#pragma once

#include "compile/declarations.h"
#include "compile/source.h"

#include <vector>

namespace lanescope::compile {

[[nodiscard]] std::vector<NamedLaunch> launches_of(const std::vector<Token>& code,
                                                   const std::vector<Declaration>& declarations);

}  // namespace lanescope::compile
