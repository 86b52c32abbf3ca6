// A whole program's run as lines to read: the steps of its host code in their order, what it printed among them, and
// how it ended.
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::analysis {

/// Trace::host_end of a program whose last launch waits for something that can only happen while it runs; no error.
inline constexpr std::string_view unknown_end = "terminated in its last launch, whose end is not known";

struct ProgramLine {
    enum class Kind : std::uint8_t {
        step,     ///< a call of the CUDA runtime
        launch,   ///< of a kernel
        printed,  ///< a line that the program printed
        problem,  ///< an error that the runtime returned, or a fault of the host code
        remark,
        call,  ///< of a function by host code, which is also run as a launch of one thread
        end,   ///< of the program
    };
    Kind kind = Kind::step;
    std::uint32_t source_line = 0;        ///< of the host code, 0: unknown
    std::string source_file = {};         ///< of Origin::other_sources; empty: the main one
    std::optional<std::uint32_t> launch;  ///< index in Trace::launches; of a refused launch: nothing
    std::string text;                     ///< "copy to d_in, 400 bytes"
    std::string function = {};            ///< the called function, if its run can be shown
    friend bool operator==(const ProgramLine&, const ProgramLine&) = default;
};

/// Is the trace of a whole program, with its host code?
[[nodiscard]] bool is_program(const trace::Trace& trace);

/// Empty where the trace is of kernels alone.
[[nodiscard]] std::vector<ProgramLine> program_lines(const trace::Trace& trace);

/// For each host step, the launch that it made, as an index in Trace::launches; nothing for other steps and for
/// launches that were refused.
[[nodiscard]] std::vector<std::optional<std::uint32_t>> launches_made(const trace::Trace& trace);

/// Everything that the program printed.
[[nodiscard]] std::string printed_by(const trace::Trace& trace);

/// Appends a program's output as lines. The first part continues the printed line before it if that has not ended.
class PrintedLines {
  public:
    void print(std::string_view text, std::vector<ProgramLine>& lines);

  private:
    bool open_ = false;  ///< the last line has no newline yet
};

/// The line of a step that is neither print nor launch; `buffer`: the name of the buffer it concerns, empty where
/// unknown.
[[nodiscard]] ProgramLine line_of(const trace::HostStep& step, std::string_view buffer);
/// "scale<float><<<4, 256>>>"; `kernel`: the linked name.
[[nodiscard]] std::string launch_text(const std::string& kernel, const trace::Dim3& grid, const trace::Dim3& block,
                                      std::uint64_t dynamic_shared_bytes);

/// Why the last launch ended before all of its blocks had: "cancelled", "stopped at the step limit". Empty if all had
/// ended.
[[nodiscard]] std::string_view end_of_partial_launch(const trace::Trace& trace);

/// "Partial: the run was cancelled in launch 1, spin.": belongs beside any verdict on the run. Empty while the run goes
/// on, after it has run to its end, and where a fault ended it, which is among the findings.
[[nodiscard]] std::string partial_run_text(const trace::Trace& trace);

/// Did the program end by itself with exit status 0? A trace of kernels alone counts as such.
[[nodiscard]] bool ended_well(const trace::Trace& trace);

}  // namespace lanescope::analysis
