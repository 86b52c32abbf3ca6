// The launches that host code names, in the order of the text. Their arguments are not read: they are known
// when the host code, compiled by nvcc, runs.
#pragma once

#include "compile/declarations.h"
#include "compile/source.h"

#include <vector>

namespace lanescope::compile {

[[nodiscard]] std::vector<NamedLaunch> launches_of(const std::vector<Token>& code,
                                                   const std::vector<Declaration>& declarations);

}  // namespace lanescope::compile
