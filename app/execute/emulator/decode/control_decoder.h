// Control flow and cross-lane instructions -> a Micro: branches, calls, returns, barriers, shuffles, votes.
#pragma once

#include "execute/emulator/decode/operands.h"

namespace lanescope::execute {

class ControlDecoder {
  public:
    ControlDecoder(DecodeState& state, Operands& operands) : state_(state), operands_(operands) {}

    [[nodiscard]] Kind kind_of_return() const;

    // False: the instruction or an operand is refused.
    bool branch(Micro& micro, const ptx::Instruction& instruction) const;
    bool branch_indexed(Micro& micro, const ptx::Instruction& instruction);
    bool call(Micro& micro, const ptx::Instruction& instruction);
    bool barrier(Micro& micro, const ptx::Instruction& instruction);
    bool across_lanes(Micro& micro, const ptx::Instruction& instruction, Kind kind);

  private:
    [[nodiscard]] Pc reconvergence_of(const ptx::Instruction& instruction) const;

    DecodeState& state_;
    Operands& operands_;
};

}  // namespace lanescope::execute
