// The processes in which `lanescope time` measures, one for each kernel, so that a kernel that faults, hangs or
// exhausts the memory costs only that measurement.
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

    /// Measures the device's launch overhead and its ceilings at these sizes. Fails if there is no usable GPU.
    [[nodiscard]] Result<void> ceilings(const std::vector<std::uint64_t>& n, bool residency);

    /// Every job of the group yields a point, or an omission with its reason; fewer if it was cancelled.
    void measure(const TimeGroup& group);

    /// Measures cub::DeviceReduce and cub::DeviceScan by a program that nvcc builds from execute/gpu/cub_helper.cu.
    /// Fails without nvcc. Skips points that the recording has.
    [[nodiscard]] Result<void> cub(const timing::Recording& recording);

  private:
    /// Reads each line of the worker's output until it ends, or prints nothing for the limit while it uses the GPU.
    /// nullopt if it was cancelled.
    Result<std::optional<Ending>> follow(const ChildProcess::Command& command, const OnEvent& on_event,
                                         std::string& errors) const;
    Result<std::optional<Ending>> follow_worker(std::vector<std::string> arguments, const OnEvent& on_event,
                                                std::string& errors);
    /// The forms in which cub_helper.cu is built; each is built once and cached.
    enum class CubBuild : std::uint8_t { program, library };
    Result<std::filesystem::path> built_cub_helper(CubBuild build);
    [[nodiscard]] std::chrono::milliseconds limit() const { return std::chrono::seconds(options_.limit_seconds); }

    const TimeOptions& options_;
    Environment& environment_;
    OnEvent on_event_;
    std::optional<Result<std::filesystem::path>> cub_library_;  // set on the first request
};

/// How a worker ended, if not normally: "it did not end on the GPU within 60 s and was terminated".
[[nodiscard]] std::string what_happened(const Ending& ending, unsigned limit_seconds, const std::string& errors);

}  // namespace lanescope::cli
