// A memory instruction and the function around it -> how the memory unit carries it out (app/model/README.md).
#pragma once

#include "model/model.h"
#include "ptx/module.h"

namespace lanescope::ptx {

/// How a load is carried out depends on whether the PTX names its state space. `instruction`: ld, or another that
/// loads.
[[nodiscard]] model::Access access_of_load(const Instruction& instruction);

/// How an atomic is carried out depends on whether its result is read and whether it adds the constant 1 (an immediate,
/// or a register that always holds it); ptxas knows both. `instruction`: atom, red, or one that updates an mbarrier
/// object.
[[nodiscard]] model::Access access_of_atomic(const Function& function, const Instruction& instruction);

}  // namespace lanescope::ptx
