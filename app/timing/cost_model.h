// The estimated time of a kernel, from the emulator's counts: a sum of each counted quantity's cost on a device, fitted
// to a recording of that device. An estimate is never a measurement: it is drawn hollow, beside its own error.
#pragma once

#include "model/device_limits.h"
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

/// The counted quantities, each with a fixed cost in time. Time is the sum of the launches, the first apart: it finds
/// the device idle, while the others are prepared during the one before; of the work of the whole machine; of what one
/// multiprocessor starts one after the other; of the latency of one block, times the number of waves of blocks: a warp
/// issues its instructions in order, and mostly waits for memory; and of the atomic operations on one word of global
/// memory, which happen one after the other.
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
    std::size_t points = 0;                               ///< that it is fitted to
    std::array<double, cost_terms.size()> largest{};      ///< of each quantity among them
};

struct ModelError {
    double median_relative = 0;   ///< of |estimate - median time| / median time
    double p90_relative = 0;      ///< nine of ten errors are at most this
    double rank_correlation = 0;  ///< Spearman's over all points, -1..1
    /// The same over the variants measured at one size, averaged over all sizes with at least five: are they in the
    /// right order? Nothing where there is no such size.
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

/// The terms of which the estimate is the sum, in microseconds, as cost_terms.
using CostParts = std::array<double, cost_terms.size()>;
[[nodiscard]] CostParts parts_of(const CostModel& model, const Point& point);
/// The contribution of `counts`, a part of the point's such as a pass, to its estimate. Launches, blocks and atomics at
/// one word belong to no pass and are not in it.
[[nodiscard]] double estimate_of_part(const CostModel& model, const Point& point, const CostCounts& counts);

/// The largest part of an estimate. Errors differ by it: where the launches take most of the time, little is left to be
/// estimated.
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

/// The terms that make up at least a tenth of the estimate, and of which the point has more than twice as much as any
/// measurement that the model is fitted to: there it is extrapolated.
[[nodiscard]] std::vector<std::string_view> outside_of_fit(const CostModel& model, const Point& point);

/// Nothing with fewer than three points with counts.
[[nodiscard]] std::optional<ModelError> error_of(const CostModel& model, std::span<const Point> points);

/// The points that are left out of a fit in turn: each kernel, or all kernels of a folder, such as all scans.
enum class LeaveOut : std::uint8_t { kernel, folder };

/// A model fitted to all of a recording, and its error on unseen kernels: each is left out of a fit in turn.
struct JudgedModel {
    CostModel model;
    std::size_t kernels = 0;  ///< each left out in turn
    ModelError error;
    /// The error of the points whose estimate, by a model that has not seen the kernel, is of that kind; nothing where
    /// they are of fewer than three kernels.
    std::array<std::optional<ModelError>, static_cast<std::size_t>(CostKind::count)> by_kind;
    /// The median error for points such as this one; that of all where its kind has none of its own.
    [[nodiscard]] double median_error_of(const Point& point) const;
    /// The errors of the kinds that the points are of, and a warning where one is outside of the fit. Sentences that
    /// follow sentence(); empty without points.
    [[nodiscard]] std::string sentence_for(std::span<const Point> points) const;
    /// "Estimated from counts: ..., in error by 17 % (median), rank correlation 0.95 ..."
    [[nodiscard]] std::string sentence() const;
};
/// Counts of sizes too large to emulate are extrapolated from smaller ones (extrapolated_counts.h). Nothing where the
/// recording has too few points with counts, or of fewer than three kernels.
[[nodiscard]] std::optional<JudgedModel> judged_model(const Recording& recording,
                                                      LeaveOut leave_out = LeaveOut::kernel);

}  // namespace lanescope::timing
