// A kernel alone on guesses: run until the guesses fit it. A guess is no evidence of an error: a finding stands only if
// no other guess makes it disappear, and never if its cause is that a guessed buffer is too small.
#pragma once

#include "session/kernel_run.h"

namespace lanescope::session {

/// Whether the launch or an argument is guessed in part. Never for built-in kernels.
[[nodiscard]] bool is_guessed(const Plan& plan);

/// Runs the plan. A guessed buffer that the kernel reaches past grows to what it reaches, up to 64 MiB. Where findings
/// are left, other guesses are tried (block, sizes, contents, numbers), and the one with the fewest is kept: `plan`
/// becomes its plan. Findings that depend on the guess become notes of the trace that say what is not known.
[[nodiscard]] std::expected<KernelRun, Refusal> run_guessed(const Request& request, Plan& plan,
                                                            const execute::Limits& limits, Progress& progress);

}  // namespace lanescope::session
