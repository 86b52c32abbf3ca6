// The steps of a built-in program's host code at its default launch, kept as text beside its PTX
// ("kernels/scan/three_launches.steps") and replayed on machines that cannot run host code.
//
// A line a step, numbers decimal, content and parameters hexadecimal, pointers as allocation + offset:
//
//   host steps 1
//   of SOURCE n=16 block=4 input=lecture-scan        SOURCE: hash of the .cu
//   allocate OFFSET BYTES LINE NAME TYPE             OFFSET: from the beginning of device memory; - : not known
//   write a0+0 LINE CONTENT                          a0: the first allocation
//   fill a0+0 LINE CONTENT                           cudaMemset
//   copy a0+0 LINE CONTENT a1+0                      on the device: to, and from
//   read a0+0 BYTES LINE
//   launch LINE KERNEL 4,1,1 4,1,1 SHARED 0=a0+0 8=10000000       grid, block, shared bytes, parameters by offset
//   launch-cooperative ...                           likewise, of a grid whose blocks may wait for one another
//   free a0 LINE
//   synchronize LINE
//   end STATUS
//   checksum HASH                                    of all lines before
#pragma once

#include "base/result.h"
#include "host/program.h"
#include "ptx/module.h"
#include "session/launch_plan.h"
#include "session/program.h"

#include <string>
#include <string_view>

namespace lanescope::session {

/// The remedy where the kept steps do not match the program any more.
inline constexpr const char* reinstall = "Install Lanescope again, or nvcc, which runs the host code itself.";

/// Its file: "kernels/scan/three_launches.steps".
[[nodiscard]] std::string kept_steps_path(const Program& program);

/// The text of a run of the plan's host function. Refuses what the text cannot hold: faults, managed memory, ...
[[nodiscard]] Result<std::string> steps_text(const Plan& plan, const ptx::Module& module, const host::ProgramRun& run);

/// The run again. Refuses a text that is damaged, or another source's or launch's than the plan's. `file`: what
/// messages call it.
[[nodiscard]] Result<host::ProgramRun> steps_from_text(std::string_view text, const Plan& plan,
                                                       const std::string& file);

}  // namespace lanescope::session
