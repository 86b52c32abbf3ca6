#include "timing/limit.h"

#include "base/number_type.h"
#include "timing/steps.h"

#include <algorithm>
#include <tuple>

namespace lanescope::timing {

namespace {

/// The ceiling measured with exactly as many bytes: at small sizes, the launch takes a share of both times.
template <class Ceiling>
double bandwidth_at(const std::vector<Ceiling>& measured, std::uint64_t bytes) {
    const auto found = std::ranges::find(measured, bytes, &Ceiling::bytes);
    return found == measured.end() ? 0 : found->bandwidth();
}

double share(double bandwidth, double ceiling) { return ceiling > 0 ? bandwidth / ceiling : 0; }

}  // namespace

std::uint64_t bytes_of_element(std::string_view element) {
    const auto type = number_type(element);
    return type ? std::uint64_t{type->bytes} * type->components : sizeof(std::int32_t);
}

BandwidthLimits limits_of(const Recording& recording, std::span<const std::string> kernels, std::uint64_t n,
                          std::string_view element) {
    const std::uint64_t bytes = n * bytes_of_element(element);
    BandwidthLimits limits{.copy = bandwidth_at(recording.copies, bytes),
                           .sweep = bandwidth_at(recording.sweeps, bytes),
                           .nominal = recording.peak,
                           .rows = {}};
    for (const std::string& kernel : kernels) {
        const Point* best = nullptr;
        for (const Point& point : recording.points) {
            if (point.kernel != kernel || point.n != n || point.element != element) continue;
            if (best == nullptr || stands_before(point, *best)) best = &point;
        }
        if (best == nullptr) continue;
        const double bandwidth = best->bandwidth();
        limits.rows.push_back({.point = static_cast<std::size_t>(best - recording.points.data()),
                               .of_copy = share(bandwidth, limits.copy),
                               .of_sweep = share(bandwidth, limits.sweep),
                               .of_nominal = share(bandwidth, limits.nominal)});
    }
    std::ranges::stable_sort(limits.rows, {}, [&](const LimitRow& row) {
        const Point& point = recording.points[row.point];
        return std::tuple(!point.agrees, -point.bandwidth());
    });
    return limits;
}

}  // namespace lanescope::timing
