// A plan -> its one launch of a kernel: compiled, parsed, emulated.
#pragma once

#include "base/progress.h"
#include "execute/emulator/emulation.h"
#include "ptx/module.h"
#include "session/launch_plan.h"

#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace lanescope::session {

/// A launch that has ended. Its trace is the emulation's, which finish() hands over.
struct KernelRun {
    std::string kernel;  ///< its name in the PTX
    std::shared_ptr<const ptx::Module> module;
    std::unique_ptr<execute::Emulation> emulation;
    std::vector<compile::Diagnostic> diagnostics;
    std::vector<std::string> notes;
    double seconds = 0;  ///< that the launch took
};

/// Runs the plan's kernel, and moves the plan's buffers into the run.
[[nodiscard]] std::expected<KernelRun, Refusal> run_kernel(const Request& request, Plan& plan, execute::Limits limits,
                                                           Progress& progress);

}  // namespace lanescope::session
