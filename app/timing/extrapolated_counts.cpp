#include "timing/extrapolated_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lanescope::timing {

namespace {

constexpr double tolerance = 0.01;       // of a predicted count
constexpr double grid_tolerance = 0.02;  // of blocks an element: the last block may be a part of one

constexpr std::array places = {&CostCounts::instructions, &CostCounts::wavefronts, &CostCounts::sectors,
                               &CostCounts::barriers,     &CostCounts::operations, &CostCounts::atomics_at_one_word};

double as_double(std::uint64_t value) { return static_cast<double>(value); }

/// The value at `n` on the straight line through two points.
double predicted(const Point& one, const Point& two, std::uint64_t n, std::uint64_t CostCounts::*place) {
    const double a = as_double((*one.counts).*place), b = as_double((*two.counts).*place);
    return b + (b - a) / as_double(two.n - one.n) * (as_double(n) - as_double(two.n));
}

bool as_many_an_element(const Point& one, const Point& other) {
    if (one.grid == 0 || other.grid == 0) return false;
    const double ratio = as_double(one.grid) / as_double(one.n) * as_double(other.n) / as_double(other.grid);
    return std::abs(ratio - 1) < grid_tolerance;
}

/// Do the first two predict the last?
bool grow_in_step(const Point& one, const Point& two, const Point& three) {
    return std::ranges::all_of(places, [&](std::uint64_t CostCounts::*place) {
        const double counted = as_double((*three.counts).*place);
        return std::abs(predicted(one, two, three.n, place) - counted) <= tolerance * std::max(counted, 1.0);
    });
}

/// The points from which `point` is extrapolated as n grows; none where that is impossible.
std::vector<const Point*> basis_of(std::span<const Point> counted, const Point& point) {
    std::vector<const Point*> more_blocks, same_grid;
    for (const Point& each : counted) {
        const bool alike = each.counts && each.n < point.n && each.block == point.block && each.grid > 0 &&
                           each.kernel == point.kernel && each.element == point.element;
        if (alike && as_many_an_element(each, point)) more_blocks.push_back(&each);
        if (alike && each.grid == point.grid) same_grid.push_back(&each);
    }
    std::ranges::sort(more_blocks, {}, &Point::n);
    std::ranges::sort(same_grid, {}, &Point::n);
    const std::size_t three = more_blocks.size();
    if (three >= 3 && grow_in_step(*more_blocks[three - 3], *more_blocks[three - 2], *more_blocks[three - 1]))
        return more_blocks;
    const std::size_t last = same_grid.size();
    if (last >= 3 && !grow_in_step(*same_grid[last - 3], *same_grid[last - 2], *same_grid[last - 1])) return {};
    return last >= 2 ? same_grid : std::vector<const Point*>();
}

std::optional<FoundCounts> extended(std::span<const Point> counted, const Point& point) {
    const std::vector<const Point*> basis = basis_of(counted, point);
    if (basis.empty()) return std::nullopt;
    const Point &one = *basis[basis.size() - 2], &two = *basis.back();
    FoundCounts found{.counts = {}, .counted_to = two.n};
    for (const auto place : places) {
        found.counts.*place =
            static_cast<std::uint64_t>(std::llround(std::max(0.0, predicted(one, two, point.n, place))));
    }
    return found;
}

}  // namespace

std::optional<CostCounts> extrapolated_counts(std::span<const Point> counted, const Point& point) {
    const auto found = extended(counted, point);
    return found ? std::optional(found->counts) : std::nullopt;
}

std::optional<FoundCounts> counts_in(const Recording& recording, const Point& point) {
    if (point.counts) return FoundCounts{.counts = *point.counts};
    return extended(recording.points, point);
}

}  // namespace lanescope::timing
