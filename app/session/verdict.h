// Judges the result of a program: compares the oracle with the buffers in the trace. A fault makes a result doubtful.
#pragma once

#include "session/catalog.h"
#include "trace/trace.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// Whether the result is right, and where it first differs.
struct Verdict {
    std::optional<bool> ok;  ///< nothing without an oracle
    std::string oracle;      ///< "the sum of each block's elements"
    std::string output;      ///< the buffer that it checks
    trace::Element element = trace::Element::s32;
    std::size_t compared = 0;                   ///< elements
    std::size_t first_difference = 0;           ///< where !ok
    std::vector<std::string> expected, actual;  ///< as text, the first elements, `most_shown` at most
    std::string expected_there, actual_there;   ///< at the first difference; actual empty where the output is too short

    static constexpr std::size_t most_shown = 4096;
};

/// `plans` are the arguments as made: the oracle reads those of kind input. Where the oracle cannot run, `notes` has
/// the reason.
[[nodiscard]] Verdict judge(const Program& program, const std::vector<ArgumentPlan>& plans, const trace::Trace& trace,
                            std::vector<std::string>& notes);

/// The first finding that makes a result doubtful; null: none. Memory that is never freed does not.
[[nodiscard]] const trace::Finding* first_fault(const trace::Trace& trace);

/// Why a run of the emulator cannot be compared with a GPU: it ended before the program did; or its first fault.
inline constexpr const char* emulator_stopped = "the emulator stopped before its end";
[[nodiscard]] std::string emulator_found(const trace::Finding& fault);

}  // namespace lanescope::session
