#include "timing/cost_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace lanescope::timing {

namespace {

constexpr std::size_t terms = cost_terms.size();
constexpr std::size_t least_points = 2 * terms;
constexpr unsigned sweeps = 4000;  // of coordinate descent: the six terms have long come to rest
constexpr double lanes_a_warp = 32;

using Row = std::array<double, terms>;

Row row_of(const Point& point) {
    const Counts& counts = *point.counts;
    const double warps = static_cast<double>(std::max<std::uint64_t>(point.grid, 1)) *
                         std::max(1.0, std::ceil(point.block / lanes_a_warp));
    return {static_cast<double>(std::max(point.launches, 1U)),
            static_cast<double>(counts.instructions),
            static_cast<double>(counts.wavefronts),
            static_cast<double>(counts.sectors),
            static_cast<double>(counts.barriers),
            static_cast<double>(counts.instructions) / warps};
}

bool usable(const Point& point) { return point.counts && point.time.median > 0 && point.counts->instructions > 0; }

/// Ranks from 1; equals share their mean.
std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t index) { return values[index]; });
    std::vector<double> result(values.size());
    for (std::size_t from = 0; from < order.size();) {
        std::size_t to = from;
        while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
        for (std::size_t at = from; at < to; ++at) result[order[at]] = (static_cast<double>(from + to) + 1) / 2;
        from = to;
    }
    return result;
}

double correlation(const std::vector<double>& one, const std::vector<double>& other) {
    const auto count = static_cast<double>(one.size());
    const double mean = std::accumulate(one.begin(), one.end(), 0.0) / count;
    const double other_mean = std::accumulate(other.begin(), other.end(), 0.0) / count;
    double both = 0, squares = 0, other_squares = 0;
    for (std::size_t index = 0; index < one.size(); ++index) {
        const double a = one[index] - mean, b = other[index] - other_mean;
        both += a * b;
        squares += a * a;
        other_squares += b * b;
    }
    return squares > 0 && other_squares > 0 ? both / std::sqrt(squares * other_squares) : 0;
}

}  // namespace

std::optional<CostModel> fit(std::span<const Point> points) {
    // Each row divided by its time: the sum of squares of (estimate / time - 1), by the normal equations. Terms are scaled
    // to the same size first, instructions being billions where launches are one.
    std::vector<Row> rows;
    Row scale{};
    for (const Point& point : points) {
        if (!usable(point)) continue;
        Row row = row_of(point);
        for (std::size_t term = 0; term < terms; ++term) {
            row[term] /= point.time.median * 1e3;  // a nanosecond's worth
            scale[term] = std::max(scale[term], row[term]);
        }
        rows.push_back(row);
    }
    if (rows.size() < least_points) return std::nullopt;
    std::array<Row, terms> matrix{};
    Row right{};
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < terms; ++i) {
            if (scale[i] <= 0) continue;
            right[i] += row[i] / scale[i];
            for (std::size_t j = 0; j < terms; ++j) {
                if (scale[j] > 0) matrix[i][j] += row[i] / scale[i] * row[j] / scale[j];
            }
        }
    }
    // Non-negative least squares by coordinate descent: convex, so it ends in the one minimum.
    Row weights{};
    for (unsigned sweep = 0; sweep < sweeps; ++sweep) {
        for (std::size_t i = 0; i < terms; ++i) {
            if (matrix[i][i] <= 0) continue;
            double rest = right[i];
            for (std::size_t j = 0; j < terms; ++j) {
                if (j != i) rest -= matrix[i][j] * weights[j];
            }
            weights[i] = std::max(0.0, rest / matrix[i][i]);
        }
    }
    CostModel model{.nanoseconds = {}, .points = rows.size()};
    for (std::size_t term = 0; term < terms; ++term)
        model.nanoseconds[term] = scale[term] > 0 ? weights[term] / scale[term] : 0;
    return model;
}

double estimate(const CostModel& model, const Point& point) {
    const Row row = row_of(point);
    double nanoseconds = 0;
    for (std::size_t term = 0; term < terms; ++term) nanoseconds += model.nanoseconds[term] * row[term];
    return nanoseconds / 1e3;
}

std::optional<ModelError> error_of(const CostModel& model, std::span<const Point> points) {
    std::vector<double> measured, estimated, relative;
    for (const Point& point : points) {
        if (!usable(point)) continue;
        measured.push_back(point.time.median);
        estimated.push_back(estimate(model, point));
        relative.push_back(std::abs(estimated.back() - measured.back()) / measured.back());
    }
    if (relative.size() < 3) return std::nullopt;
    std::ranges::sort(relative);
    return ModelError{.rank_correlation = correlation(ranks(measured), ranks(estimated)),
                      .median_relative = relative[relative.size() / 2],
                      .points = relative.size()};
}

std::string JudgedModel::sentence() const {
    return fmt::format(
        "Estimated from the emulator's counts, fitted to {} points; fitted to blocks of {} alone it misses the "
        "{} points of other blocks by {:.0f} % (median), rank correlation {:.2f}.",
        model.points, fitted_block, error.points, 100 * error.median_relative, error.rank_correlation);
}

std::optional<JudgedModel> judged_model(const Recording& recording) {
    std::map<std::uint32_t, std::size_t> blocks;
    for (const Point& point : recording.points) {
        if (usable(point)) ++blocks[point.block];
    }
    if (blocks.size() < 2) return std::nullopt;
    const std::uint32_t most =
        std::ranges::max_element(blocks, {}, &std::pair<const std::uint32_t, std::size_t>::second)->first;
    std::vector<Point> seen, unseen;
    for (const Point& point : recording.points) (point.block == most ? seen : unseen).push_back(point);
    const auto part = fit(seen), whole = fit(recording.points);
    if (!part || !whole) return std::nullopt;
    const auto error = error_of(*part, unseen);
    if (!error) return std::nullopt;
    return JudgedModel{.model = *whole, .fitted_block = most, .error = *error};
}

}  // namespace lanescope::timing
