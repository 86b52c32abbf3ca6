// Asks everything that can be asked of a module: a test that feeds the parser damaged text checks that what it let
// through is consistent. Used by the mutations and by the fuzzer.
#pragma once

#include "ptx/module.h"

namespace lanescope::ptx {

/// Walks all of it, printing and looking up. Aborts where an index points nowhere or an invariant does not hold.
void exercise(const Module& module);

}  // namespace lanescope::ptx
