// Calls every query of a module, so that a test that feeds the parser damaged text can check that an accepted module is
// consistent. Used by the mutation tests and by the fuzzer.
#pragma once

#include "ptx/module.h"

namespace lanescope::ptx {

/// Prints and looks up every part of the module. Aborts at an invalid index or a violated invariant.
void exercise(const Module& module);

}  // namespace lanescope::ptx
