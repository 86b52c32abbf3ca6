// What a kernel would take, estimated from the emulator's counts: a sum of what each thing counted costs on a device, fitted to a
// recording of that device. An estimate is never a measurement: it is drawn hollow, and stands beside its own error.
#pragma once

#include "timing/measurement.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::timing {

/// What is counted, and taken to cost a fixed time each. The chain is what one warp issues from its start to its end: while
/// few warps run, time is its length and not the sum.
inline constexpr std::array<std::string_view, 6> cost_terms = {
    "launches", "instructions issued", "shared wavefronts", "sectors", "barriers", "chain of one warp"};

struct CostModel {
    std::array<double, cost_terms.size()> nanoseconds{};  ///< each; 0 where the fit found none
    std::size_t points = 0;                               ///< that it was fitted to
};

struct ModelError {
    double rank_correlation = 0;  ///< Spearman's, -1..1: are the variants in the right order?
    double median_relative = 0;   ///< of |estimate - median time| / median time
    std::size_t points = 0;
};

/// Non-negative least squares of the relative error, so that a small n counts as much as a large one. Points without counts
/// are left out; nothing where too few remain.
[[nodiscard]] std::optional<CostModel> fit(std::span<const Point> points);

/// Microseconds. The point needs counts.
[[nodiscard]] double estimate(const CostModel& model, const Point& point);

/// Nothing with fewer than three points with counts.
[[nodiscard]] std::optional<ModelError> error_of(const CostModel& model, std::span<const Point> points);

/// A model fitted to the blocks of one size, and its error on all the others: what it has not seen.
struct JudgedModel {
    CostModel model;  ///< fitted to everything
    std::uint32_t fitted_block = 0;
    ModelError error;  ///< of the one fitted to that block alone, on the other blocks
    /// "estimated from counts: ..., in error by 21 % (median), rank correlation 0.94 on 60 points that it was not fitted to".
    [[nodiscard]] std::string sentence() const;
};
/// Nothing where the recording has too few points with counts, or one block size only.
[[nodiscard]] std::optional<JudgedModel> judged_model(const Recording& recording);

}  // namespace lanescope::timing
