#include "timing/compared_times.h"

#include "base/grouped.h"
#include "timing/recording_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lanescope::timing {
namespace {

const Point* measured_in(const Recording& recording, const LaunchKey& key) {
    const auto found = std::ranges::find_if(recording.points, [&](const Point& point) {
        return point.kernel == key.kernel && point.element == key.element && point.n == key.n &&
               point.block == key.block && point.grid == key.grid && point.time.median > 0;
    });
    return found == recording.points.end() ? nullptr : &*found;
}

/// The number of launches measured, where it is more than the one launch shown.
std::string launches_text(const Point& point) {
    return point.until_one ? fmt::format("{}, until one value is left", counted(point.launches, "launch"))
                           : counted(point.launches, "launch");
}

}  // namespace

std::optional<double> LaunchTime::estimated() const {
    if (!parts) return std::nullopt;
    return std::max(least, std::accumulate(parts->begin(), parts->end(), 0.0));
}

std::string ComparedTimes::measured_sentence() const {
    if (!one.measured || !other.measured) return {};
    const double before = one.measured->time.median, after = other.measured->time.median;
    const std::string of_one = launches_text(*one.measured), of_other = launches_text(*other.measured);
    const std::string launches = of_one == of_other ? of_one : of_one + "; " + of_other;
    return fmt::format("Measured on {}, as compiled: {} and {}, {} ({}).", recording, time_text(before),
                       time_text(after), gain_text(before / after), launches);
}

std::string ComparedTimes::estimated_sentence(char letter) const {
    const auto before = one.estimated(), after = other.estimated();
    if (before && after) {
        const double larger = std::max(*before, *after) / std::min(*before, *after);
        std::string text = fmt::format("Estimated, as compiled: {} and {}, {}", time_text(*before), time_text(*after),
                                       gain_text(*before / *after));
        const std::string error = fmt::format("the model's median error is {:.0f} %", 100 * median_error);
        // A difference smaller than the error does not say which of the two is faster.
        text +=
            larger != 1 && larger - 1 < median_error ? "; the difference is too small to tell: " + error : "; " + error;
        return text + '.';
    }
    if (!one.why.empty()) return fmt::format("No estimate of A: {}", one.why);
    return other.why.empty() ? std::string() : fmt::format("No estimate of {}: {}", letter, other.why);
}

TimeChange change_between(double one, double other, double error) {
    constexpr double least_written = 0.005;
    const double delta = other - one;
    if (std::abs(delta) < least_written) return {};
    return {.delta = delta, .noticed = std::abs(delta) > error * std::min(one, other)};
}

std::string TimeChange::text() const {
    return delta == 0 ? "0" : fmt::format("{}{:.2f}", delta > 0 ? "+" : "−", std::abs(delta));
}

ComparedTimes compared_times(std::span<const Recording* const> recordings, const LaunchKey& one,
                             const CompiledCounts& one_counted, const LaunchKey& other,
                             const CompiledCounts& other_counted) {
    ComparedTimes times;
    times.one.why = one_counted.why;
    times.other.why = other_counted.why;
    times.one.of_passes = one_counted.of_passes;
    times.other.of_passes = other_counted.of_passes;
    const auto has_both = [&](const Recording& recording) {
        return measured_in(recording, one) != nullptr && measured_in(recording, other) != nullptr;
    };
    if (recordings.empty()) return times;
    const Recording* const chosen = *std::ranges::max_element(recordings, {}, [&](const Recording* recording) {
        return std::pair(has_both(*recording), recording->points.size());
    });
    if (has_both(*chosen)) {
        times.one.measured = *measured_in(*chosen, one);
        times.other.measured = *measured_in(*chosen, other);
    }
    times.recording = label(*chosen);
    times.device = chosen->device;
    const auto judged = one_counted.point || other_counted.point ? judged_model(*chosen) : std::nullopt;
    if (!judged) return times;
    times.model = judged->model;
    std::vector<Point> counted;
    for (const auto& point : {one_counted.point, other_counted.point})
        if (point) counted.push_back(*point);
    times.method = judged->sentence() + " " + judged->sentence_for(counted);
    for (const Point& point : counted)
        times.median_error = std::max(times.median_error, judged->median_error_of(point));
    const auto estimate_of = [&](LaunchTime& time, const std::optional<Point>& point) {
        time.counted = point;
        if (!point) return;
        time.parts = parts_of(judged->model, *point);
        const LeastTime least = least_time(judged->limit, *point);
        time.least = least.microseconds;
        const double sum = std::accumulate(time.parts->begin(), time.parts->end(), 0.0);
        if (sum >= least.microseconds) return;
        const std::string replaced = replaced_text(*point, sum, least);
        if (!times.method.contains(replaced)) times.method += " " + replaced;
    };
    estimate_of(times.one, one_counted.point);
    estimate_of(times.other, other_counted.point);
    return times;
}

}  // namespace lanescope::timing
