// What a kernel would take, estimated from the emulator's counts: a sum of what each thing counted costs on a device,
// fitted to a recording of that device. An estimate is never a measurement: it is drawn hollow, and stands beside its
// own error.
#pragma once

#include "model/device_limits.h"
#include "timing/measurement.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::timing {

/// What is counted, and taken to cost a fixed time each. Time is a sum of what the whole machine has to get through
/// (the first four), of what one multiprocessor starts one after the other, and of what one block waits for by itself,
/// as often as blocks have to wait for others to end before they find room: a warp issues its instructions in turn, and
/// mostly waits for memory.
inline constexpr std::array<std::string_view, 8> cost_terms = {"launches",
                                                               "instructions issued",
                                                               "shared wavefronts",
                                                               "sectors",
                                                               "blocks of one multiprocessor",
                                                               "instructions of one warp",
                                                               "sectors of one warp",
                                                               "barriers of one block"};

/// What it is fitted to and used for: how many blocks run at once.
struct Machine {
    unsigned processors = 1;  ///< multiprocessors
    model::DeviceLimits limits = model::limits_of(0);
};
[[nodiscard]] Machine machine_of(const Recording& recording);

struct CostModel {
    Machine machine;
    std::array<double, cost_terms.size()> nanoseconds{};  ///< each; 0 where the fit found none
    std::size_t points = 0;                               ///< that it was fitted to
};

struct ModelError {
    double median_relative = 0;   ///< of |estimate - median time| / median time
    double p90_relative = 0;      ///< nine of ten are not further off than that
    double rank_correlation = 0;  ///< Spearman's over all points, -1..1
    /// The same over the variants that were measured at one size, in the mean of all sizes with at least five: are they
    /// in the right order? Nothing where there is no such size.
    std::optional<double> rank_of_variants;
    std::size_t points = 0;
    std::string farthest;       ///< the kernel that it is farthest off for, by the median of its points
    double farthest_ratio = 1;  ///< estimate / time there
};

/// Non-negative least absolute error of the logarithm, near enough, by weighted least squares of the relative one: a
/// small n counts as much as a large one, and one kernel that no count explains does not bend the rest. Points without
/// counts are left out; nothing where too few remain.
[[nodiscard]] std::optional<CostModel> fit(std::span<const Point> points, const Machine& machine);

/// Microseconds. The point needs counts.
[[nodiscard]] double estimate(const CostModel& model, const Point& point);

/// Nothing with fewer than three points with counts.
[[nodiscard]] std::optional<ModelError> error_of(const CostModel& model, std::span<const Point> points);

/// A model fitted to all of a recording, and its error on kernels that it has not seen: each left out of a fit in its
/// turn.
struct JudgedModel {
    CostModel model;
    std::size_t kernels = 0;  ///< each left out in turn
    ModelError error;
    /// "Estimated from counts: ..., in error by 17 % (median), rank correlation 0.95 ..."
    [[nodiscard]] std::string sentence() const;
};
/// Counts of sizes too large to emulate are extended from smaller ones (extrapolated_counts.h). Nothing where the
/// recording has too few points with counts, or of fewer than three kernels.
[[nodiscard]] std::optional<JudgedModel> judged_model(const Recording& recording);

}  // namespace lanescope::timing
