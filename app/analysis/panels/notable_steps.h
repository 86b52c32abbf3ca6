// Steps worth a look: which steps are events, the nearest step of a block with a bank conflict or a divergent branch,
// and the nearest finding.
#pragma once

#include "analysis/block_view.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace lanescope::analysis {

enum class Notable : std::uint8_t {
    conflict,          ///< an access of shared memory that needs more wavefronts than its lanes would without conflicts
    divergent_branch,  ///< a branch that only some of the active lanes take
};

/// Does Next step stop at the step? An event accesses memory, branches, exchanges values among lanes, synchronizes, or
/// calls a function outside the program (printf, assert). A step that only computes, copies a register, fetches a
/// parameter or jumps unconditionally is no event; nor is one that no lane executes, except a branch that no lane
/// takes.
[[nodiscard]] bool is_event(const ptx::Module& module, const InstructionInfo* line, const trace::Step& step);

/// The nearest such step after `index`, or before it; numbers in BlockPasses::steps. Nothing where there is none.
[[nodiscard]] std::optional<std::size_t> nearest(const BlockView& block, Notable what, std::size_t index,
                                                 bool forwards);

/// The first finding of each line of a source, by line: a number in Trace::findings. `file`: as Finding::source_file
/// has it, empty: the main source.
[[nodiscard]] std::map<std::uint32_t, std::size_t> first_findings(const trace::Trace& trace, std::string_view file);

/// The nearest finding after the step `index` of the block, or before it, in the order of execution: launch by launch,
/// block by block. A number in Trace::findings. Those whose step is not recorded are left out.
[[nodiscard]] std::optional<std::size_t> nearest_finding(const BlockView& block, std::size_t index, bool forwards);

}  // namespace lanescope::analysis
