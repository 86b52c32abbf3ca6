// Runs of instructions that a warp executes with the same lanes, with no decision in between.
#pragma once

#include "execute/emulator/code.h"

namespace lanescope::execute {

/// Sets Micro::straight: how many computations and accesses without a guard follow each other from there, only the
/// first possibly at a reconvergence point. Their counts are known before they execute.
void mark_straight_runs(Code& code);

}  // namespace lanescope::execute
