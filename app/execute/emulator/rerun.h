// A trace -> the program that made it, to run again.
#pragma once

#include "execute/emulator/emulator.h"

namespace lanescope::execute {

/// `module`: the module of the trace's PTX, with the variables that the host set. Host writes between launches come
/// from the trace, which must hold all of them.
[[nodiscard]] Program rerun_of(const trace::Trace& trace, const ptx::Module& module);

}  // namespace lanescope::execute
