// Which registers may hold values that depend on input data (app/README.md, Terms), found once for all runs. Index
// arithmetic and loop counters never do, so nothing is tracked for them.
#pragma once

#include "execute/emulator/code.h"

namespace lanescope::execute {

/// Sets Micro::tracks of every operation whose result may depend on input data.
void mark_derivation(Code& code);

}  // namespace lanescope::execute
