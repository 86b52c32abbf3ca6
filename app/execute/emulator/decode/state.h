// Shared by the parts of the decoder: the code as far as it is decoded, and the current function.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/decode/frames.h"
#include "execute/emulator/decode/register_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::execute {

struct DecodeState {
    /// `frames`: of the functions reached, the kernel's first. Module and addresses must outlive the state.
    DecodeState(const ptx::Module& module, const VariableAddresses& addresses, Frames frames);

    const ptx::Module& module;
    const VariableAddresses& addresses;
    Frames frames;
    RegisterFile file;
    Code code;
    std::vector<Pc> begins;    ///< of each function reached
    std::uint32_t number = 0;  ///< of the function being decoded, among those reached
    const ptx::Function* function = nullptr;
    bool knows_workspace = false;  ///< reads %envreg1 or %envreg2
    bool arrives_at_grid = false;  ///< has an atomic that releases beyond the block, as at a grid barrier
    Problem problem;               ///< why the last instruction was refused

    [[nodiscard]] const Frame& frame() const { return frames.frames[number]; }

    /// Sets the problem: the emulator does not support the instruction, because of `why`. Returns false, as decoders
    /// do.
    bool refuse(const ptx::Instruction& instruction, const std::string& why);
};

}  // namespace lanescope::execute
