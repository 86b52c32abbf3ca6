// Types and extents of variables in memory, for a module whose debug information lacks them: PTX as compiled has arrays
// of bytes, and NVRTC describes no static __shared__ variable of a function. The compiler is asked in another view, and
// its answers are matched by the variables' names in PTX.
#pragma once

#include "compile/compile.h"
#include "ptx/module.h"
#include "session/program.h"

#include <string>
#include <vector>

namespace lanescope::session {

/// Adds to Module::arrays the types and extents that the compiler gives the source's variables, and to
/// Module::structures their structures and those that the kernels' parameters point to. `instances` are the kernels to
/// instantiate, "reduce<128>"; `view` is the module's. A variable that the compiler does not describe, or describes in
/// another size, stays undescribed.
void describe_variables(const Program& program, const std::vector<std::string>& instances, compile::View view,
                        ptx::Module& module);

/// Whether the module has variables of the source's own text whose types it does not state. Headers have hundreds more.
[[nodiscard]] bool has_undescribed(const ptx::Module& module, const std::string& text);

/// The part without a compiler: copies the descriptions in `source` to the variables of `module` that have none.
void describe_variables(ptx::Module& module, const ptx::Module& source);

}  // namespace lanescope::session
