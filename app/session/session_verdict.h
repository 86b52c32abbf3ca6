// Is the result of a program correct? The oracle is compared with the buffers in the trace.
#pragma once

#include "session/catalog.h"
#include "session/session.h"
#include "trace/trace.h"

#include <string>
#include <vector>

namespace lanescope::session {

/// `plans` are the arguments as made: the oracle reads those of kind input. Where the oracle cannot run, `notes` has
/// the reason.
[[nodiscard]] Verdict judge(const Program& program, const std::vector<ArgumentPlan>& plans, const trace::Trace& trace,
                            std::vector<std::string>& notes);

}  // namespace lanescope::session
