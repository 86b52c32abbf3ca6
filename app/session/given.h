// What a run was given.
#pragma once

#include "trace/trace.h"

namespace lanescope::session {

/// Whether anything lay in the buffer at the start: it holds input, and is no place for results.
[[nodiscard]] bool holds_input(const trace::Buffer& buffer);

}  // namespace lanescope::session
