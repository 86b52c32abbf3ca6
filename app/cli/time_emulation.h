// Emulates the timed launches: their results are compared with the GPU's, and the recording contains their counts.
#pragma once

#include "base/progress.h"
#include "cli/options.h"
#include "cli/time_jobs.h"
#include "session/gpu_plan.h"
#include "session/run.h"
#include "session/small_run.h"

#include <cstdint>
#include <map>
#include <memory>

namespace lanescope::cli {

class TimeEmulation {
  public:
    using Small = std::expected<std::shared_ptr<const session::Run>, session::Refusal>;

    /// Emulates one program, kernel and type for a GPU with that many multiprocessors. The references must outlive it.
    TimeEmulation(const TimeOptions& options, std::string program, std::string kernel, unsigned multiprocessors,
                  Progress& progress)
        : options_(options),
          program_(std::move(program)),
          kernel_(std::move(kernel)),
          multiprocessors_(multiprocessors),
          progress_(progress) {}

    [[nodiscard]] session::Request request_for(const TimeJob& job, std::uint64_t n) const;

    /// Whether the launches can be emulated at the job's size. Host code cannot run at a smaller size instead; its
    /// limit is session::most_elements.
    [[nodiscard]] static bool takes(const TimeJob& job, const session::Program& program);

    /// The program unchanged, with its block, on the emulator: at a size of a few blocks, or at the full size where
    /// host code makes the launches and the emulator takes that many elements. Run once for each block and instance of
    /// a template, unless the size was too small for several blocks.
    const Small& small_run(const TimeJob& job, const session::Program& program);

    /// The same launches on the emulator; null if that would take too long, or if n is too large.
    [[nodiscard]] std::shared_ptr<const trace::Trace> emulate(const session::Run& run, const session::GpuPlan& plan,
                                                              double longest_seconds);

  private:
    const TimeOptions& options_;
    std::string program_, kernel_;
    unsigned multiprocessors_;
    Progress& progress_;
    std::map<std::uint32_t, Small> small_;  // by block
    Small whole_ = nullptr;                 // of host code, at the size of the last job
    double seconds_an_element_ = 0;         // of the emulator's last run
};

}  // namespace lanescope::cli
