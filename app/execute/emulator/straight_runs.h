// Instructions in a row that a warp executes with the same lanes, one after the other, with nothing to decide between them.
#pragma once

#include "execute/emulator/code.h"

namespace lanescope::execute {

/// Sets Micro::straight: how many computations and accesses without a guard follow one another from there, none but the
/// first of them where paths join. What they count is known before they execute.
void mark_straight_runs(Code& code);

}  // namespace lanescope::execute
