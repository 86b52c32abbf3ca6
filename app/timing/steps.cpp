#include "timing/steps.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace lanescope::timing {

bool stands_before(const Point& one, const Point& other) {
    if (one.agrees != other.agrees) return one.agrees;
    if (one.until_one != other.until_one) return one.until_one;
    return one.time.median < other.time.median;
}

std::string_view element_of(const Recording& recording, std::string_view kernel, std::string_view wanted) {
    std::string_view found;
    for (const Point& point : recording.points) {
        if (point.kernel != kernel) continue;
        if (point.element == wanted) return point.element;
        if (found.empty()) found = point.element;
    }
    return found;
}

std::optional<std::size_t> point_of(const Recording& recording, std::string_view kernel, const Setting& setting) {
    std::optional<std::size_t> best;
    const std::string_view element = element_of(recording, kernel, setting.element);
    for (std::size_t index = 0; index < recording.points.size(); ++index) {
        const Point& point = recording.points[index];
        if (point.kernel != kernel || point.n != setting.n || point.block != setting.block || point.element != element)
            continue;
        if (!best || stands_before(point, recording.points[*best])) best = index;
    }
    return best;
}

Steps steps_of(const Recording& recording, const Setting& setting) {
    Steps steps;
    bool whole = true;
    double algorithmic = 1, code = 1;
    std::optional<double> first, before;
    for (const Stage& stage : lecture_stages) {
        const auto index = point_of(recording, stage.kernel, setting);
        if (!index) {
            whole = false;
            before.reset();
            continue;
        }
        const Point& point = recording.points[*index];
        Step row{.stage = stage,
                 .point = *index,
                 .microseconds = point.time.median,
                 .bandwidth = point.bandwidth(),
                 .step = {},
                 .together = {}};
        if (stage.kind == Kind::start) {
            first = row.microseconds;
        } else if (point.printed) {
            row.step = point.printed->step;
            row.together = point.printed->cumulative;
        } else {
            if (before) row.step = *before / row.microseconds;
            if (first) row.together = *first / row.microseconds;
        }
        if (row.step) (stage.kind == Kind::code ? code : algorithmic) *= *row.step;
        before = row.microseconds;
        steps.rows.push_back(row);
    }
    if (whole) {
        steps.algorithmic = algorithmic;
        steps.code = code;
    }
    return steps;
}

std::optional<Setting> best_setting(const Recording& recording, std::optional<std::uint32_t> block,
                                    std::optional<std::uint64_t> n) {
    std::map<std::tuple<std::uint64_t, std::uint32_t, std::string>, std::set<std::string_view>> measured;
    for (const Point& point : recording.points) {
        if (std::ranges::find(lecture_stages, point.kernel, &Stage::kernel) != lecture_stages.end())
            measured[{point.n, point.block, point.element}].insert(point.kernel);
    }
    std::optional<Setting> best;
    std::tuple<bool, bool, std::size_t, bool, bool, std::uint64_t, bool> best_rank;
    for (const auto& [key, kernels] : measured) {
        const auto& [size, threads, element] = key;
        const std::tuple rank(n == size, block == threads, kernels.size(), size == lecture_n, threads == lecture_block,
                              size, element == Setting{}.element);
        if (best && rank <= best_rank) continue;
        best_rank = rank;
        best = Setting{.n = size, .block = threads, .element = element};
    }
    return best;
}

}  // namespace lanescope::timing
