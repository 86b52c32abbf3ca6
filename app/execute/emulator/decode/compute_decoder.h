// Computations -> a Micro of kind compute: an operation between rows of the register file.
#pragma once

#include "execute/emulator/decode/operands.h"

#include <vector>

namespace lanescope::execute {

class ComputeDecoder {
  public:
    ComputeDecoder(DecodeState& state, Operands& operands) : state_(state), operands_(operands) {}

    /// False: the instruction or an operand is refused. The functions below do likewise.
    bool compute(Micro& micro, const ptx::Instruction& instruction);

  private:
    /// mov of the address of a variable in a reentrant function's frame: adds the frame's start and an offset.
    bool address_in_frame(Micro& micro, const ptx::Instruction& instruction);
    bool destinations(Micro& micro, const ptx::Instruction& instruction, const Operation& operation,
                      const std::vector<ptx::Operand>& written);
    bool sources(Micro& micro, const ptx::Instruction& instruction, const Operation& operation,
                 const std::vector<ptx::Operand>& read);

    DecodeState& state_;
    Operands& operands_;
};

}  // namespace lanescope::execute
