// The steps of a trace in their order -> the line of the user's source that each runs for. A library's code, and the
// compiler's, runs for the line that its warp came from.
#pragma once

#include "analysis/dataflow/instruction_table.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <map>
#include <tuple>

namespace lanescope::analysis {

class StepLines {
  public:
    /// Both must outlive it.
    StepLines(const ptx::Module& module, const InstructionTable& instructions);
    /// Of the next step: all of a warp's steps, in their order. 0: its warp has been in no line yet.
    [[nodiscard]] std::uint32_t next(const trace::Step& step);

  private:
    const ptx::Module& module_;
    const InstructionTable& instructions_;
    std::uint32_t file_;
    std::map<std::tuple<std::uint32_t, BlockId, WarpId>, std::uint32_t> last_;
};

}  // namespace lanescope::analysis
