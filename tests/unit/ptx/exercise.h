// Asks everything that can be asked of a module: whoever feeds the parser damaged text wants to know that what it let
// through holds together. Used by the mutations and by the fuzzer.
#pragma once

#include "ptx/module.h"

namespace lanescope::ptx {

/// Walks all of it, printing and looking up. Aborts where an index points nowhere or an invariant does not hold.
void exercise(const Module& module);

}  // namespace lanescope::ptx
