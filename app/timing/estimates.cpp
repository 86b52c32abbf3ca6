#include "timing/estimates.h"

#include "base/grouped.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::timing {

void add(Estimates& estimates, Point point, bool emulated, const JudgedModel& model) {
    const double estimated = estimate(model.model, point);
    const LeastTime least = least_time(model.limit, point);
    const double time = std::max(estimated, least.microseconds);
    if (time > estimated) {
        if (!estimates.replaced.empty()) estimates.replaced += ' ';
        estimates.replaced += replaced_text(point, estimated, least);
    }
    point.time = {.median = time, .least = time, .p10 = time, .p90 = time, .samples = 0};
    if (emulated) estimates.counted_to = std::max(estimates.counted_to, point.n);
    estimates.extended = estimates.extended || !emulated;
    estimates.points.push_back(std::move(point));
    estimates.median_error = 0;
    for (const Point& each : estimates.points)
        estimates.median_error = std::max(estimates.median_error, model.median_error_of(each));
    estimates.sentence = model.sentence() + " " + model.sentence_for(estimates.points);
    if (estimates.extended) {
        estimates.sentence +=
            fmt::format(" Counted up to N = {}; beyond, the counts are extrapolated in proportion to N.",
                        size_text(estimates.counted_to));
    }
    if (!estimates.replaced.empty()) estimates.sentence += " " + estimates.replaced;
}

std::vector<std::uint64_t> sizes_to_estimate(const Recording& recording) {
    constexpr unsigned first = 10, step = 2, extra = 21;
    std::uint64_t most = std::uint64_t{1} << 20U;
    for (const Point& point : recording.points) most = std::max(most, point.n);
    std::vector<std::uint64_t> sizes;
    for (unsigned power = first; std::uint64_t{1} << power <= most; power += step) {
        sizes.push_back(std::uint64_t{1} << power);
        if (power + 1 == extra && most > sizes.back()) sizes.push_back(std::uint64_t{1} << extra);
    }
    return sizes;
}

}  // namespace lanescope::timing
