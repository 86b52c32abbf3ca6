// Is what a program computed right? The oracle is asked about the buffers as the trace has them.
#pragma once

#include "session/catalog.h"
#include "session/session.h"
#include "trace/trace.h"

#include <string>
#include <vector>

namespace lanescope::session {

/// `plans` are the arguments as they were made: those of kind input are what the oracle reads. Where the oracle cannot
/// be asked, `notes` says why.
[[nodiscard]] Verdict judge(const Program& program, const std::vector<ArgumentPlan>& plans, const trace::Trace& trace,
                            std::vector<std::string>& notes);

}  // namespace lanescope::session
