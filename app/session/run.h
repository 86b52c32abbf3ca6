// A request -> a finished run: everything that a panel or a command reads.
#pragma once

#include "analysis/analysis.h"
#include "base/progress.h"
#include "compile/compile.h"
#include "execute/simt/block_runner.h"
#include "session/catalog.h"
#include "session/refusal.h"
#include "session/request.h"
#include "session/verdict.h"
#include "trace/trace.h"

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lanescope::session {

class LiveSteps;

/// One finished run: everything that a panel or a command reads.
struct Run {
    Request request;  ///< as asked
    Program program;  ///< as read
    std::string kernel;
    std::uint64_t n = 0;
    std::uint32_t block = 0;  ///< threads; the launch in the trace has the dimensions
    std::uint64_t grid = 0;   ///< blocks
    std::string input;
    GuessedParts guessed;                          ///< of the launch: neither the request nor the file states them
    std::vector<ArgumentPlan> arguments;           ///< as they were made; empty for a saved trace
    std::vector<OtherKernel> other_kernels;        ///< of the program's other sources
    std::vector<std::string> notes;                ///< guesses and choices made, a sentence each
    std::vector<compile::Diagnostic> diagnostics;  ///< warnings of the compiler
    std::shared_ptr<const analysis::Analysis> analysis;
    Verdict verdict;
    double seconds = 0;  ///< of emulation of the launches; 0: not known

    [[nodiscard]] const trace::Trace& trace() const { return *analysis->trace; }
    [[nodiscard]] const ptx::Module& module() const { return *analysis->module; }
};

/// Whether the run of a faulty kernel shows the fault that it demonstrates.
[[nodiscard]] bool shows_fault(const Run& run);

/// A catalog name, or the kernel of a file.
[[nodiscard]] std::string display_name(const Run& run);

/// Receives a program's first launch as soon as its chosen blocks have run, while the rest still runs (Trace::running).
using FirstPicture = std::function<void(std::shared_ptr<const Run>)>;

/// Runs a request from source to analysis, on the calling thread. Errors of the kernel are in the run's findings.
/// `steps` receives the steps of a program's host code as they are made.
[[nodiscard]] std::expected<std::shared_ptr<const Run>, Refusal> run(const Request& request, Progress& progress,
                                                                     const FirstPicture& first = {},
                                                                     LiveSteps* steps = nullptr);

/// The same for a program whose host code makes the launches, with `gpu` in the emulator's place and n up to
/// most_gpu_elements: the trace has the launches, and memory before and after them; nothing is recorded, counted or
/// checked.
[[nodiscard]] std::expected<std::shared_ptr<const Run>, Refusal> run_on_gpu(Request request, execute::BlockRunner& gpu,
                                                                            Progress& progress);

}  // namespace lanescope::session
