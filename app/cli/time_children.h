// The processes that `lanescope time` measures in: each for one kernel, so that one that faults, hangs or exhausts the
// memory costs only that measurement.
#pragma once

#include "base/child_process.h"
#include "cli/time_jobs.h"
#include "timing/stream.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::cli {

using OnEvent = std::function<void(const timing::Event&)>;

class TimeChildren {
  public:
    TimeChildren(const TimeOptions& options, Environment& environment, OnEvent on_event)
        : options_(options), environment_(environment), on_event_(std::move(on_event)) {}

    /// The device, its launch overhead, and its ceilings at these sizes. Fails where there is no usable GPU.
    [[nodiscard]] Result<void> ceilings(const std::vector<std::uint64_t>& n, bool residency);

    /// Every job of the group gives a point, or an omission with the reason; fewer where it was cancelled.
    void measure(const TimeGroup& group);

    /// cub::DeviceReduce and cub::DeviceScan, by a program that nvcc builds from execute/gpu/cub_helper.cu. Fails where
    /// there is no nvcc. Skips points that the recording has.
    [[nodiscard]] Result<void> cub(const timing::Recording& recording);

  private:
    /// Every line of its output, until it ends or is silent for the limit while it uses the GPU; nothing where it was
    /// cancelled.
    Result<std::optional<Ending>> follow(const ChildProcess::Command& command, const OnEvent& on_event,
                                         std::string& errors) const;
    Result<std::optional<Ending>> follow_worker(std::vector<std::string> arguments, const OnEvent& on_event,
                                                std::string& errors);
    /// The form of cub_helper.cu: each is built once and kept.
    enum class CubBuild : std::uint8_t { program, library };
    Result<std::filesystem::path> built_cub_helper(CubBuild build);
    [[nodiscard]] std::chrono::milliseconds limit() const { return std::chrono::seconds(options_.limit_seconds); }

    const TimeOptions& options_;
    Environment& environment_;
    OnEvent on_event_;
    std::optional<Result<std::filesystem::path>> cub_library_;  // once it was asked for
};

/// The fate of a worker that did not end normally, as text: "it did not end on the GPU within 60 s and was terminated".
[[nodiscard]] std::string what_happened(const Ending& ending, unsigned limit_seconds, const std::string& errors);

}  // namespace lanescope::cli
