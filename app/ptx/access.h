// A memory instruction and the function around it -> how the memory unit carries it out (app/model/README.md).
#pragma once

#include "model/model.h"
#include "ptx/module.h"

namespace lanescope::ptx {

/// Whether the PTX names the state space decides. `instruction`: ld, or one that loads likewise.
[[nodiscard]] model::Access access_of_load(const Instruction& instruction);

/// Whether its result is read, and whether it adds the constant 1 (an immediate, or a register that always holds it),
/// decides: ptxas knows both. `instruction`: atom, red, or one that updates an mbarrier object.
[[nodiscard]] model::Access access_of_atomic(const Function& function, const Instruction& instruction);

}  // namespace lanescope::ptx
