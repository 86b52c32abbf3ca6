// Where variables and the windows of generic addresses begin, learned from the instructions that compute these
// addresses. The way of a branch that a lane does not take is read without executing it, and needs them.
#pragma once

#include "analysis/dataflow/flow_step.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace lanescope::analysis {

class LearnedAddresses {
  public:
    /// The lane's step made the register value `id`.
    void learn(const FlowStep& step, const ValueGraph& values, ValueId id, unsigned lane);

    /// The address of the operand's variable, plus its offset.
    [[nodiscard]] std::optional<std::uint64_t> of(const ptx::Function& function, const ptx::Operand& operand) const;
    /// Where generic addresses of shared or local memory begin.
    [[nodiscard]] std::optional<std::uint64_t> window(ptx::Space space) const {
        return space == ptx::Space::local ? local_window_ : shared_window_;
    }
    /// The space of a generic address, and the address in it.
    [[nodiscard]] std::pair<trace::Space, std::uint64_t> in_space(std::uint64_t generic) const;

  private:
    using Variable = std::pair<const ptx::Function*, std::uint64_t>;
    [[nodiscard]] static Variable variable_of(const ptx::Function& function, const ptx::Operand& operand) {
        return {&function, std::uint64_t{operand.variable} << 8U | static_cast<std::uint64_t>(operand.owner)};
    }

    std::map<Variable, std::uint64_t> variables_;
    std::optional<std::uint64_t> shared_window_, local_window_;
};

}  // namespace lanescope::analysis
