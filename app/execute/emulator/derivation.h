// Which registers may hold what derives from input data (app/README.md, Terms), found once for all runs:
// index arithmetic and loop counters never do, so that nothing need be kept for them.
#pragma once

#include "execute/emulator/code.h"

namespace lanescope::execute {

/// Sets Micro::tracks of every operation whose result may derive from input data.
void mark_derivation(Code& code);

}  // namespace lanescope::execute
