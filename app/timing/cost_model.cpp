#include "timing/cost_model.h"

#include "base/grouped.h"
#include "base/ids.h"
#include "timing/extrapolated_counts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace lanescope::timing {

namespace {

constexpr std::size_t terms = cost_terms.size();
constexpr std::size_t first_launch = 0, further_launches = 1, blocks_term = 5;  // of cost_terms
static_assert(cost_terms[first_launch] == "first launch" && cost_terms[further_launches] == "further launches" &&
              cost_terms[blocks_term] == "blocks of one multiprocessor");
constexpr std::size_t least_points = 2 * terms;
constexpr unsigned rounds_of_weights = 10, most_sweeps = 3000;  // the fit converges earlier
constexpr double at_rest = 1e-7;                                // relative change of a sweep
constexpr double small_residual = 0.05;                         // of a logarithm; smaller residuals count squared
constexpr std::size_t least_variants = 5;
constexpr std::size_t least_kernels = 3;  // that an error needs
constexpr double large_part = 0.1;        // of an estimate
constexpr double far_outside = 2;         // times the largest quantity of the fit
constexpr std::array<CostKind, terms> kinds{
    CostKind::launches,   CostKind::launches, CostKind::throughput, CostKind::throughput, CostKind::memory,
    CostKind::throughput, CostKind::latency,  CostKind::latency,    CostKind::latency,    CostKind::contention};

using Row = std::array<double, terms>;
using Matrix = std::array<Row, terms>;

Row row_of(const Point& point, const ModeledGpu& machine) {
    const CostCounts& counts = *point.counts;
    const auto grid = static_cast<double>(std::max<std::uint64_t>(point.grid, 1));
    const double warps = grid * std::max(1.0, std::ceil(point.block / double{warp_size}));
    const auto at_once = static_cast<double>(machine.processors * machine.limits.resident_blocks(point.block));
    const double rounds = std::ceil(grid / at_once);
    const double busy = std::min<double>(machine.processors, grid);
    const auto instructions = static_cast<double>(counts.instructions), sectors = static_cast<double>(counts.sectors);
    return {1,
            static_cast<double>(std::max(point.launches, 1U) - 1),
            instructions / busy,
            static_cast<double>(counts.wavefronts) / busy,
            sectors,
            grid / busy,
            instructions / warps * rounds,
            sectors / warps * rounds,
            static_cast<double>(counts.barriers) / grid * rounds,
            static_cast<double>(counts.atomics_at_one_word)};
}

bool usable(const Point& point) { return point.counts && point.time.median > 0 && point.counts->instructions > 0; }

/// Ranks from 1; equal values share their mean rank.
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

/// Minimizes the weighted squares of (row . weights - 1) with no weight below 0, by coordinate descent from `weights`.
/// The problem is convex, so this ends in its only minimum.
void solve(const Matrix& matrix, const Row& right, Row& weights) {
    for (unsigned sweep = 0; sweep < most_sweeps; ++sweep) {
        double change = 0, size = 0;
        for (std::size_t i = 0; i < terms; ++i) {
            if (matrix[i][i] <= 0) continue;
            double rest = right[i];
            for (std::size_t j = 0; j < terms; ++j) {
                if (j != i) rest -= matrix[i][j] * weights[j];
            }
            const double better = std::max(0.0, rest / matrix[i][i]);
            change = std::max(change, std::abs(better - weights[i]));
            size = std::max(size, better);
            weights[i] = better;
        }
        if (change <= at_rest * size) return;
    }
}

/// The data of a point in a fit: its row divided by its nanoseconds, so that it should add up to 1.
struct Sample {
    Row row;
    std::string left_out;  ///< the group of kernels that is left out together
};

/// "scan/padded" itself or, for folders, "scan".
std::string group_of(const std::string& kernel, LeaveOut leave_out) {
    return leave_out == LeaveOut::kernel ? kernel : kernel.substr(0, kernel.find('/'));
}

std::vector<Sample> samples_of(std::span<const Point> points, const ModeledGpu& machine, LeaveOut leave_out) {
    std::vector<Sample> samples;
    for (const Point& point : points) {
        if (!usable(point)) continue;
        Row row = row_of(point, machine);
        for (double& value : row) value /= point.time.median * 1e3;
        samples.push_back({row, group_of(point.kernel, leave_out)});
    }
    return samples;
}

/// Fitted to the samples of all groups but `without`; null: of all groups.
std::optional<CostModel> fit_samples(std::span<const Sample> samples, const ModeledGpu& machine,
                                     const std::string* without = nullptr) {
    // Terms are first scaled to the same size, because there are billions of instructions but few launches.
    Row scale{};
    std::vector<Row> rows;
    for (const Sample& sample : samples) {
        if (without != nullptr && sample.left_out == *without) continue;
        rows.push_back(sample.row);
        for (std::size_t term = 0; term < terms; ++term) scale[term] = std::max(scale[term], sample.row[term]);
    }
    if (rows.size() < least_points) return std::nullopt;
    for (Row& row : rows) {
        for (std::size_t term = 0; term < terms; ++term) row[term] = scale[term] > 0 ? row[term] / scale[term] : 0;
    }
    Row weights{};
    std::vector<double> of_row(rows.size(), 1);
    for (unsigned round = 0; round < rounds_of_weights; ++round) {
        Matrix matrix{};
        Row right{};
        for (std::size_t at = 0; at < rows.size(); ++at) {
            for (std::size_t i = 0; i < terms; ++i) {
                right[i] += of_row[at] * rows[at][i];
                for (std::size_t j = 0; j < terms; ++j) matrix[i][j] += of_row[at] * rows[at][i] * rows[at][j];
            }
        }
        solve(matrix, right, weights);
        for (std::size_t at = 0; at < rows.size(); ++at) {
            const double sum = std::inner_product(weights.begin(), weights.end(), rows[at].begin(), 0.0);
            of_row[at] = 1 / std::max(std::abs(std::log(std::max(sum, 1e-3))), small_residual);
        }
    }
    CostModel model{.machine = machine, .nanoseconds = {}, .points = rows.size()};
    for (std::size_t term = 0; term < terms; ++term)
        model.nanoseconds[term] = scale[term] > 0 ? weights[term] / scale[term] : 0;
    return model;
}

double median_of(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

double p90_of(std::vector<double> values) { return spread_of(std::move(values)).p90; }

/// The measured and the estimated time of a point, in microseconds.
struct Pair {
    const Point* point;
    double estimated;
};

std::optional<double> rank_of_variants(std::span<const Pair> pairs) {
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::pair<std::vector<double>, std::vector<double>>> sizes;
    for (const Pair& pair : pairs) {
        auto& [measured, estimated] = sizes[{pair.point->n, pair.point->block}];
        measured.push_back(pair.point->time.median);
        estimated.push_back(pair.estimated);
    }
    double sum = 0, count = 0;
    for (const auto& [size, both] : sizes) {
        if (both.first.size() < least_variants) continue;
        sum += correlation(ranks(both.first), ranks(both.second));
        ++count;
    }
    return count > 0 ? std::optional(sum / count) : std::nullopt;
}

std::optional<ModelError> error_of_pairs(std::span<const Pair> pairs) {
    if (pairs.size() < 3) return std::nullopt;
    std::vector<double> measured, estimated, relative;
    std::map<std::string, std::vector<double>> of_kernel;
    for (const auto& [point, value] : pairs) {
        const double time = point->time.median;
        measured.push_back(time);
        estimated.push_back(value);
        relative.push_back(std::abs(value - time) / time);
        of_kernel[point->kernel].push_back(value / time);
    }
    ModelError error{.median_relative = median_of(relative),
                     .p90_relative = p90_of(relative),
                     .rank_correlation = correlation(ranks(measured), ranks(estimated)),
                     .rank_of_variants = rank_of_variants(pairs),
                     .points = pairs.size(),
                     .farthest = {}};
    for (const auto& [kernel, ratios] : of_kernel) {
        const double ratio = std::max(median_of(ratios), 1e-9);
        if (std::abs(std::log(ratio)) <= std::abs(std::log(error.farthest_ratio))) continue;
        error.farthest = kernel;
        error.farthest_ratio = ratio;
    }
    return error;
}

Row largest_of(std::span<const Point> points, const ModeledGpu& machine) {
    Row largest{};
    for (const Point& point : points) {
        if (!usable(point)) continue;
        const Row row = row_of(point, machine);
        for (std::size_t term = 0; term < terms; ++term) largest[term] = std::max(largest[term], row[term]);
    }
    return largest;
}

}  // namespace

ModeledGpu modeled_gpu_of(const Recording& recording) {
    return {.processors = std::max(recording.processors, 1U), .limits = model::limits_of(recording.arch)};
}

std::optional<CostModel> fit(std::span<const Point> points, const ModeledGpu& machine) {
    auto model = fit_samples(samples_of(points, machine, LeaveOut::kernel), machine);
    if (model) model->largest = largest_of(points, machine);
    return model;
}

CostKind kind_of(const CostParts& parts) {
    std::array<double, static_cast<std::size_t>(CostKind::count)> sums{};
    for (std::size_t term = 0; term < terms; ++term)
        sums.at(static_cast<std::size_t>(kinds.at(term))) += parts.at(term);
    return static_cast<CostKind>(std::ranges::max_element(sums) - sums.begin());
}

std::string_view name_of(CostKind kind) {
    switch (kind) {
        case CostKind::launches: return "launches";
        case CostKind::throughput: return "instructions and shared memory";
        case CostKind::memory: return "memory traffic";
        case CostKind::latency: return "the latency of one block";
        case CostKind::contention: return "atomics at one word";
        case CostKind::count: break;
    }
    return {};
}

std::vector<std::string_view> outside_of_fit(const CostModel& model, const Point& point) {
    const Row row = row_of(point, model.machine);
    const CostParts parts = parts_of(model, point);
    const double all = std::accumulate(parts.begin(), parts.end(), 0.0);
    std::vector<std::string_view> found;
    for (std::size_t term = 0; term < terms; ++term)
        if (parts.at(term) >= large_part * all && row.at(term) > far_outside * model.largest.at(term))
            found.push_back(cost_terms.at(term));
    return found;
}

double estimate(const CostModel& model, const Point& point) {
    const CostParts parts = parts_of(model, point);
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

CostParts parts_of(const CostModel& model, const Point& point) {
    CostParts parts = row_of(point, model.machine);
    for (std::size_t term = 0; term < terms; ++term) parts[term] *= model.nanoseconds[term] / 1e3;
    return parts;
}

double estimate_of_part(const CostModel& model, const Point& point, const CostCounts& counts) {
    Point part = point;
    part.counts = counts;
    const CostParts parts = parts_of(model, part);
    return std::accumulate(parts.begin(), parts.end(), 0.0) - parts[first_launch] - parts[further_launches] -
           parts[blocks_term];
}

std::optional<ModelError> error_of(const CostModel& model, std::span<const Point> points) {
    std::vector<Pair> pairs;
    for (const Point& point : points) {
        if (usable(point)) pairs.push_back({&point, estimate(model, point)});
    }
    return error_of_pairs(pairs);
}

std::string JudgedModel::sentence() const {
    std::string text = fmt::format(
        "Estimated from the emulator's counts, with costs fitted to {}. For kernels left out of the fit "
        "the median error is {:.0f} %, the 90th percentile {:.0f} % "
        "({}, each left out in turn); rank correlation {:.2f}",
        counted(model.points, "measurement"), 100 * error.median_relative, 100 * error.p90_relative,
        counted(kernels, "kernel"), error.rank_correlation);
    if (error.rank_of_variants) text += fmt::format(", {:.2f} among the variants of one size", *error.rank_of_variants);
    text += ".";
    if (!error.farthest.empty()) {
        const bool below = error.farthest_ratio < 1;
        text += fmt::format(" Largest error: {}, {:.1f} times too {}.", error.farthest,
                            below ? 1 / error.farthest_ratio : error.farthest_ratio, below ? "fast" : "slow");
    }
    return text;
}

double JudgedModel::median_error_of(const Point& point) const {
    const auto& own = by_kind.at(static_cast<std::size_t>(kind_of(parts_of(model, point))));
    return own ? own->median_relative : error.median_relative;
}

std::string JudgedModel::sentence_for(std::span<const Point> points) const {
    std::set<CostKind> found;
    std::set<std::string_view> outside;
    for (const Point& point : points) {
        found.insert(kind_of(parts_of(model, point)));
        for (const std::string_view term : timing::outside_of_fit(model, point)) outside.insert(term);
    }
    std::string text;
    for (const CostKind kind : found) {
        const auto& own = by_kind.at(static_cast<std::size_t>(kind));
        text += fmt::format("{}Where {} {} most of the time, ", text.empty() ? "" : " ", name_of(kind),
                            kind == CostKind::memory || kind == CostKind::latency ? "takes" : "take");
        text += own ? fmt::format("the median error is {:.0f} %, the 90th percentile {:.0f} %.",
                                  100 * own->median_relative, 100 * own->p90_relative)
                    : std::string("too few kernels were measured to state an error.");
    }
    if (!outside.empty())
        text +=
            fmt::format(" Warning: more than twice as much as in any measurement: {}; the estimate is extrapolated.",
                        fmt::join(outside, ", "));
    return text;
}

std::optional<JudgedModel> judged_model(const Recording& recording, LeaveOut leave_out) {
    std::vector<Point> points;
    std::set<std::string> kernels, groups;
    for (const Point& point : recording.points) {
        const auto found = counts_in(recording, point);
        if (!found) continue;
        points.push_back(point);
        points.back().counts = found->counts;
        if (!usable(points.back())) continue;
        kernels.insert(point.kernel);
        groups.insert(group_of(point.kernel, leave_out));
    }
    if (kernels.size() < least_kernels || groups.size() < 2) return std::nullopt;
    const ModeledGpu machine = modeled_gpu_of(recording);
    const std::vector<Sample> samples = samples_of(points, machine, leave_out);
    auto whole = fit_samples(samples, machine);
    if (!whole) return std::nullopt;
    whole->largest = largest_of(points, machine);
    std::vector<Pair> pairs;
    std::array<std::vector<Pair>, static_cast<std::size_t>(CostKind::count)> of_kind;
    std::array<std::set<std::string>, static_cast<std::size_t>(CostKind::count)> kernels_of_kind;
    for (const std::string& group : groups) {
        const auto part = fit_samples(samples, machine, &group);
        if (!part) return std::nullopt;
        for (const Point& point : points) {
            if (!usable(point) || group_of(point.kernel, leave_out) != group) continue;
            pairs.push_back({&point, estimate(*part, point)});
            const auto kind = static_cast<std::size_t>(kind_of(parts_of(*part, point)));
            of_kind.at(kind).push_back(pairs.back());
            kernels_of_kind.at(kind).insert(point.kernel);
        }
    }
    const auto error = error_of_pairs(pairs);
    if (!error) return std::nullopt;
    JudgedModel judged{.model = *whole,
                       .limit = device_limit_of(recording),
                       .kernels = kernels.size(),
                       .error = *error,
                       .by_kind = {}};
    for (std::size_t kind = 0; kind < judged.by_kind.size(); ++kind)
        if (kernels_of_kind.at(kind).size() >= least_kernels)
            judged.by_kind.at(kind) = error_of_pairs(of_kind.at(kind));
    return judged;
}

}  // namespace lanescope::timing
