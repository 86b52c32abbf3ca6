// A trace -> the program that made it, to be run once more.
#pragma once

#include "execute/emulator/emulator.h"

namespace lanescope::execute {

/// `module`: what the trace's PTX is, with what the host put into its variables. What the host wrote between launches
/// is taken from the trace; it must all be in there.
[[nodiscard]] Program rerun_of(const trace::Trace& trace, const ptx::Module& module);

}  // namespace lanescope::execute
