// Values in the registers of a hand-made kernel, and its steps, for tests of the data flow rules.
#pragma once

#include "analysis/dataflow/branch_ways.h"
#include "analysis/dataflow/decisions.h"
#include "analysis/dataflow/flag_sums.h"

#include "unit/analysis/hand_made.h"

#include <algorithm>
#include <stdexcept>

namespace lanescope::analysis {

class HandMadeFlow {
  public:
    explicit HandMadeFlow(const std::string& body)
        : made_(body),
          trace_(made_.finish()),
          instructions_(made_.module(), trace_->registers),
          registers_(trace_->registers.size() * warp_size),
          histories(*trace_),
          lineages(values),
          builder(values, lineages),
          memory(*trace_, instructions_, histories, values),
          ways(values, lineages, addresses, memory),
          decisions(values, lineages),
          flags(values, lineages, builder) {
        memory.begin_launch(0);
        ways.begin_launch(1, warp_size);
        decisions.begin_launch(1, warp_size);
        flags.begin_launch(1, 1, 4);
    }

    [[nodiscard]] const trace::Trace& trace() const { return *trace_; }

    /// Puts a new value into the lane's register.
    ValueId hold(std::string_view reg, const TracedValue& value, unsigned lane = 0) {
        const ValueId id = values.add(value);
        set(reg, id, lane);
        return id;
    }
    /// A new value of the input data, of 4 bytes.
    ValueId input(std::string_view reg, std::uint64_t bits, unsigned lane = 0) {
        return hold(reg, {.kind = TracedValue::Kind::input, .input_dependent = true, .bits = bits}, lane);
    }
    /// A new literal of the code.
    ValueId literal(std::string_view reg, std::uint64_t bits, unsigned lane = 0) {
        const ValueId id = hold(reg, {.bits = bits}, lane);
        lineages.change(id).literal = true;
        return id;
    }
    /// A new flag: 0 or 1, decided by a condition on the data.
    ValueId flag(std::string_view reg, std::uint64_t bits, unsigned lane = 0) {
        const ValueId id = hold(reg, {.bits = bits}, lane);
        lineages.mark_flag(id, {});
        return id;
    }
    /// A new result of the lane in that step, computed from the instruction's data operands.
    ValueId result(const FlowStep& step, std::uint64_t bits, unsigned bytes = 4, unsigned lane = 0) {
        const ValueId id = builder.begin(step, TracedValue::Kind::reg, lane, bytes, bits);
        unsigned input_dependent = 0;
        if (bytes > 0)
            for (const RegisterId reg : step.data) input_dependent += builder.take(step.held(reg, lane)) ? 1 : 0;
        builder.end(input_dependent);
        return id;
    }
    void set(std::string_view reg, ValueId id, unsigned lane = 0) {
        const auto found = std::ranges::find(trace_->registers, reg, &trace::RegisterName::name);
        if (found == trace_->registers.end()) throw std::runtime_error("no such register");
        registers_[static_cast<std::size_t>(found - trace_->registers.begin()) * warp_size + lane] = id;
    }

    /// Of the line of the body that holds `text`: lane 0 is active, and executes it unless `executed` says otherwise.
    FlowStep step(std::string_view text, LaneMask executed = LaneMask::only(0)) const {
        for (const ptx::Instruction& instruction : made_.module().find("k")->instructions) {
            if (made_.module().text_line(instruction.line).find(text) == std::string_view::npos) continue;
            const InstructionInfo* const line = instructions_.at(instruction.line);
            return {.id = {},
                    .active = LaneMask::only(0) | executed,
                    .executed = executed,
                    .line = line,
                    .data = instructions_.data(*line),
                    .steering = instructions_.steering(*line),
                    .registers = registers_};
        }
        throw std::runtime_error("no such line");
    }

  private:
    HandMade made_;
    std::shared_ptr<const trace::Trace> trace_;
    InstructionTable instructions_;
    std::vector<ValueId> registers_;

  public:
    MemoryHistories histories;
    ValueGraph values;
    Lineages lineages;
    ValueBuilder builder;
    TracedMemory memory;
    LearnedAddresses addresses;
    BranchWays ways;
    Decisions decisions;
    FlagSums flags;
};

}  // namespace lanescope::analysis
