// The estimated time of a kernel from the emulator's counts: the sum of what each counted quantity costs on a device,
// fitted to a recording of that device. An estimate is never shown as a measurement: it is drawn hollow, beside its
// error.
#pragma once

#include "model/device_limits.h"
#include "timing/least_time.h"
#include "timing/measurement.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::timing {

/// The counted quantities, each with a fixed cost in time. Time is a sum over: the launches, the first one separately
/// because it finds the device idle, while others are prepared during the previous one; the work of the whole machine;
/// what one multiprocessor starts one after the other; the latency of one block, times the number of waves of blocks,
/// because a warp issues its instructions in order and mostly waits for memory; and the atomic operations on one word
/// of global memory, which are serialized.
inline constexpr std::array<std::string_view, 10> cost_terms = {"first launch",
                                                                "further launches",
                                                                "instructions issued",
                                                                "shared wavefronts",
                                                                "sectors",
                                                                "blocks of one multiprocessor",
                                                                "instructions of one warp",
                                                                "sectors of one warp",
                                                                "barriers of one block",
                                                                "atomics at one word"};

/// The GPU that the cost model is fitted to and used for: how many blocks run at once.
struct ModeledGpu {
    unsigned processors = 1;  ///< multiprocessors
    model::DeviceLimits limits = model::limits_of(0);
};
[[nodiscard]] ModeledGpu modeled_gpu_of(const Recording& recording);

struct CostModel {
    ModeledGpu machine;
    std::array<double, cost_terms.size()> nanoseconds{};  ///< each; 0 where the fit found none
    std::size_t points = 0;                               ///< number of points in the fit
    std::array<double, cost_terms.size()> largest{};      ///< of each quantity in these points
};

struct ModelError {
    double median_relative = 0;   ///< of |estimate - median time| / median time
    double p90_relative = 0;      ///< nine of ten errors are at most this
    double rank_correlation = 0;  ///< Spearman's over all points, -1..1
    /// The same over the variants measured at one size, averaged over all sizes with at least five variants: are they
    /// in the right order? Nothing where there is no such size.
    std::optional<double> rank_of_variants;
    std::size_t points = 0;
    std::string farthest;       ///< the kernel with the largest error, by the median of its points
    double farthest_ratio = 1;  ///< estimate / time there
};

/// Approximately the non-negative least absolute error of the logarithm, by weighted least squares of the relative
/// error: a small n counts as much as a large one, and one kernel that the counts do not explain does not distort the
/// rest. Points without counts are left out; nothing where too few remain.
[[nodiscard]] std::optional<CostModel> fit(std::span<const Point> points, const ModeledGpu& machine);

/// Microseconds. The point needs counts.
[[nodiscard]] double estimate(const CostModel& model, const Point& point);

/// The terms of an estimate, microseconds, in the order of cost_terms; their sum is the estimate.
using CostParts = std::array<double, cost_terms.size()>;
[[nodiscard]] CostParts parts_of(const CostModel& model, const Point& point);
/// The contribution of `counts`, a part of the point's counts such as those of a pass, to its estimate. Without
/// launches, blocks and atomics at one word, which belong to no pass.
[[nodiscard]] double estimate_of_part(const CostModel& model, const Point& point, const CostCounts& counts);

/// The largest part of an estimate. Errors depend on it: where launches take most of the time, little is left to
/// estimate.
enum class CostKind : std::uint8_t {
    launches,
    throughput,  ///< instructions, shared wavefronts and blocks of one multiprocessor
    memory,      ///< sectors of the whole device
    latency,     ///< of one block: instructions and sectors of a warp, barriers
    contention,  ///< atomics at one word
    count
};
[[nodiscard]] CostKind kind_of(const CostParts& parts);
[[nodiscard]] std::string_view name_of(CostKind kind);  ///< "memory traffic"

/// The terms that make up at least a tenth of the estimate and of which the point has more than twice as much as any
/// measurement in the fit: there, the model extrapolates.
[[nodiscard]] std::vector<std::string_view> outside_of_fit(const CostModel& model, const Point& point);

/// Nothing where fewer than three points have counts.
[[nodiscard]] std::optional<ModelError> error_of(const CostModel& model, std::span<const Point> points);

/// Left out of each fit in turn: a kernel, or all kernels of a folder, such as all scans.
enum class LeaveOut : std::uint8_t { kernel, folder };

/// A model fitted to a whole recording, and its error for unseen kernels: each kernel is left out of a fit in turn.
struct JudgedModel {
    CostModel model;
    DeviceLimit limit;        ///< no estimate is below it
    std::size_t kernels = 0;  ///< number of kernels left out in turn
    ModelError error;
    /// The error of the points whose estimate is of that kind, by a model that has not seen their kernel; nothing where
    /// these points are of fewer than three kernels.
    std::array<std::optional<ModelError>, static_cast<std::size_t>(CostKind::count)> by_kind;
    /// The median error for points such as this one; that of all points where its kind has none.
    [[nodiscard]] double median_error_of(const Point& point) const;
    /// The errors for the kinds of the points, and a warning where a point is outside of the fit. Follows sentence();
    /// empty without points.
    [[nodiscard]] std::string sentence_for(std::span<const Point> points) const;
    /// "Estimated from counts: ..., in error by 17 % (median), rank correlation 0.95 ..."
    [[nodiscard]] std::string sentence() const;
};
/// Counts of sizes too large to emulate are extrapolated from smaller ones (extrapolated_counts.h). Nothing where too
/// few points have counts, or where these are of fewer than three kernels.
[[nodiscard]] std::optional<JudgedModel> judged_model(const Recording& recording,
                                                      LeaveOut leave_out = LeaveOut::kernel);

}  // namespace lanescope::timing
