// One step as the rules of data flow see it: the instruction, its lanes, and the values that their registers hold.
#pragma once

#include "analysis/dataflow/instruction_table.h"
#include "analysis/dataflow/per_thread.h"
#include "analysis/dataflow/value_graph.h"

#include <span>

namespace lanescope::analysis {

class ByteHistory;

struct FlowStep {
    StepId id;
    std::size_t block = 0;  ///< index in Launch::recorded
    unsigned warp = 0;
    LaneMask active, executed;
    const InstructionInfo* line = nullptr;
    std::span<const RegisterId> data, steering;  ///< InstructionTable::data(), steering()
    std::span<const ValueId> registers;          ///< of the warp, before the step: by Trace::registers, then lane
    const ByteHistory* loaded_from = nullptr;    ///< the memory that the step reads

    /// Invalid: nothing is known to be there.
    [[nodiscard]] ValueId held(RegisterId reg, unsigned lane) const {
        const std::size_t at = reg.index() * warp_size + lane;
        return at < registers.size() ? registers[at] : ValueId{};
    }
    /// A register of the instruction's function, by its number there.
    [[nodiscard]] ValueId held_by_own(RegisterId reg, unsigned lane) const { return held(traced(reg), lane); }
    /// Its number in Trace::registers.
    [[nodiscard]] RegisterId traced(RegisterId own) const { return RegisterId(own.value + line->first_register); }
    [[nodiscard]] FlowThread thread(unsigned lane) const { return {block, std::size_t{warp} * warp_size + lane}; }
    [[nodiscard]] const ptx::Function& function() const { return *line->function; }
    [[nodiscard]] const ptx::Instruction& instruction() const { return *line->instruction; }
    /// The instruction's index in its function.
    [[nodiscard]] std::uint32_t at() const {
        return static_cast<std::uint32_t>(line->instruction - line->function->instructions.data());
    }
};

}  // namespace lanescope::analysis
