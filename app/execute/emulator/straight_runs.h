// Runs of instructions that a warp executes with the same lanes, with no decision in between.
#pragma once

#include "execute/emulator/code.h"

namespace lanescope::execute {

/// Sets Micro::straight: how many computations and accesses without a guard follow one another from there, none but the
/// first of them at a reconvergence point. What they count is known before they execute.
void mark_straight_runs(Code& code);

}  // namespace lanescope::execute
