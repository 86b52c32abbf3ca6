// Properties of a whole Code, noted at its instructions and accesses once it is decoded.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/decode/frames.h"

namespace lanescope::execute {

/// Sets Micro::tracks of every operation whose result may derive from input data (app/README.md, Terms). Index
/// arithmetic and loop counters never do, so that nothing need be kept for them.
void mark_input_dependence(Code& code);

/// Sets Micro::straight: how many computations and accesses without a guard follow one another from there, none but the
/// first of them at a reconvergence point. A warp executes them with the same lanes, so what they count is known before
/// they execute.
void mark_straight_runs(Code& code);

/// Sets the array that an access through a register refers to: the only one that its address is based on. Also lists
/// the source's arrays in local memory, and sets the accesses that refer to them.
void mark_arrays_meant(Code& code, const Frames& frames);

}  // namespace lanescope::execute
