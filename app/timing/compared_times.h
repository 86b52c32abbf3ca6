// The measured and the estimated times of two launches, each labeled as such, with the share of each count.
#pragma once

#include "timing/cost_model.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::timing {

/// One of the two: its counts as the hardware executes it, or why there are none.
struct CompiledCounts {
    std::optional<Point> point;  ///< with the counts of the code as compiled; without a time
    std::string why;             ///< a sentence where there are no such counts
    bool of_passes = false;      ///< its passes are counted in the same code, so each has its part of the estimate
};

struct LaunchTime {
    std::optional<Point> counted;    ///< the point that the estimate is for
    std::optional<Point> measured;   ///< of the whole algorithm (Point::until_one), as compiled
    std::optional<CostParts> parts;  ///< of the estimate of this launch, microseconds; nothing: see `why`
    double least = 0;                ///< the least time that it can take on the device, microseconds; 0: unknown
    std::string why;
    bool of_passes = false;  ///< CompiledCounts::of_passes
    /// Microseconds; `least` where the sum of the parts is below it.
    [[nodiscard]] std::optional<double> estimated() const;
};

/// The other time minus the one, microseconds, as written with two decimals and rated.
struct TimeChange {
    double delta = 0;                        ///< 0 where it would be written as 0
    bool noticed = false;                    ///< larger than the estimates' error
    [[nodiscard]] std::string text() const;  ///< "+1.20", "−0.31", "0"
};
/// `error`: relative error of the estimates.
[[nodiscard]] TimeChange change_between(double one, double other, double error);

/// Estimated parts of two passes, microseconds; nothing where there is no pass or no estimate of it.
struct PassTimes {
    std::optional<double> one, other;
};

struct ComparedTimes {
    std::string recording;  ///< label() of the recording with both; empty: there is none
    std::string device;     ///< its GPU: "NVIDIA H200"
    std::string method;     ///< how the estimates are made, with the model's error; empty: there are none
    std::optional<CostModel> model;
    double median_error = 0;  ///< of the model for such launches, relative: the larger of the two
    LaunchTime one, other;
    std::vector<PassTimes> passes;  ///< by row of a comparison of all blocks; empty where no pass has an estimate

    /// "Measured on NVIDIA H200, ...: 61.2 µs and 28.5 µs, 2.15 times as fast (whole algorithm, ...)."; empty where
    /// the recording does not have both.
    [[nodiscard]] std::string measured_sentence() const;
    /// "Estimated: 5.0 µs and 4.2 µs, 1.19 times as fast; within the model's median error of 15 %."; the reason where
    /// one of them has no estimate. `letter`: the other program's.
    [[nodiscard]] std::string estimated_sentence(char letter = 'B') const;
};

/// The launch to look up in recordings; it needs no counts.
struct LaunchKey {
    std::string kernel, element;
    std::uint64_t n = 0;
    std::uint32_t block = 0;
    std::uint64_t grid = 0;
};
/// Takes the recording with the most points, of those that have measured both or, if there is none, of all.
/// `recordings` as a RecordingLibrary has them.
[[nodiscard]] ComparedTimes compared_times(std::span<const Recording* const> recordings, const LaunchKey& one,
                                           const CompiledCounts& one_counted, const LaunchKey& other,
                                           const CompiledCounts& other_counted);

}  // namespace lanescope::timing
