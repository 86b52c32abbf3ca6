// Instructions -> basic blocks, their post-dominators, and where each divergent branch reconverges.
#pragma once

#include "ptx/module.h"

namespace lanescope::ptx {

/// Fills Function::blocks and Instruction::reconvergence. Labels must be resolved.
///
/// A guarded branch and brx.idx reconverge at the first instruction of the immediate post-dominator of their block
/// (Fung et al. 2007). Control that passes the last instruction returns. A call is an ordinary instruction.
void analyse_control_flow(Function& function);

}  // namespace lanescope::ptx
