// Is the result of a program correct? The oracle is compared with the buffers in the trace; a fault makes it doubtful.
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

/// The first finding that makes a result doubtful; null: none. Memory that is never freed does not.
[[nodiscard]] const trace::Finding* first_fault(const trace::Trace& trace);

}  // namespace lanescope::session
