// A branch on a condition -> the instructions on each of its two ways, up to where they meet again.
#pragma once

#include "ptx/module.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lanescope::analysis {

struct BranchRegion {
    /// Instructions of the function, by way: not taken, taken. Only as far as they follow without a further condition.
    std::array<std::vector<std::uint32_t>, 2> ways;
    /// Registers that an instruction on that way writes, and at least one other instruction, too.
    std::array<std::vector<RegisterId>, 2> merged;
    std::uint32_t past = ptx::no_instruction;  ///< where the ways meet; none: at the function's exit
    bool loops = false;                        ///< a way leads back to the branch
};

/// Keeps its results, because every step asks for them.
class BranchRegions {
  public:
    /// `branch`: a guarded bra of `function`.
    [[nodiscard]] const BranchRegion& of(const ptx::Function& function, const ptx::Instruction& branch);
    /// Do several instructions write the register? Its value then depends on the way that was taken.
    [[nodiscard]] bool merges(const ptx::Function& function, RegisterId reg);

  private:
    std::unordered_map<const ptx::Instruction*, BranchRegion> regions_;
    std::unordered_map<const ptx::Function*, std::vector<std::uint8_t>> writers_;  ///< by register: 0, 1, 2 and more
};

}  // namespace lanescope::analysis
