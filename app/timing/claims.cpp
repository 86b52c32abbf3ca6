#include "timing/claims.h"

#include "base/grouped.h"
#include "timing/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace lanescope::timing {

namespace {

constexpr std::string_view liu = "Hui Liu, Reduction (after Mark Harris)";
constexpr std::string_view li_su = "Dong Li and Tonghua Su, Lec 6 Reduction and Scan";
constexpr std::string_view moderngpu = "GPU Programming - Reduce (moderngpu)";

using Outcome = Claim::Outcome;

std::string counted(std::uint64_t value) { return grouped(std::to_string(value), ","); }

/// Both kernels at one size in blocks of one size: of the setting's n before others, of one type before two, in its blocks before
/// others, then the largest.
std::optional<std::pair<const Point*, const Point*>> both(const Recording& recording, std::string_view one,
                                                          std::string_view other, const Setting& setting) {
    std::optional<std::pair<const Point*, const Point*>> best;
    std::tuple<bool, bool, bool, std::uint64_t, std::uint32_t> best_rank;
    for (const Point& point : recording.points) {
        if (point.kernel != one) continue;
        const auto found = point_of(recording, other, {.n = point.n, .block = point.block, .element = point.element});
        if (!found) continue;
        const Point& beside = recording.points[*found];
        const std::tuple rank(point.n == setting.n, point.element == beside.element, point.block == setting.block,
                              point.n, point.block <= 256 ? point.block : 0);
        if (best && rank <= best_rank) continue;
        best = {&point, &beside};
        best_rank = rank;
    }
    return best;
}

std::string at(const Point& point) { return fmt::format("N = {}, blocks of {}", counted(point.n), point.block); }

Claim gain(std::string says, double stated, std::optional<double> today, const Setting& setting) {
    Claim claim{.says = fmt::format("{} {:.2f} times", says, stated), .source = std::string(liu), .today = {}};
    if (!today) {
        claim.today = "Not all of the seven kernels were measured at one size.";
        return claim;
    }
    claim.outcome = *today >= stated ? Outcome::holds : Outcome::does_not;
    claim.today = fmt::format("{:.2f} times (N = {}, blocks of {})", *today, counted(setting.n), setting.block);
    return claim;
}

Claim scans(const Recording& recording, const Setting& setting) {
    Claim claim{
        .says = "Local scan, version 1 (in place): at most only 40 % slower than version 2 (up-sweep, down-sweep)",
        .source = std::string(li_su),
        .today = "The two scans were not measured at one size."};
    const auto found = both(recording, "scan/in-place", "scan/up-sweep-down-sweep", setting);
    if (!found) return claim;
    const auto& [first, second] = *found;
    const double ratio = first->time.median / second->time.median;
    claim.outcome = ratio <= 1.4 ? Outcome::holds : Outcome::does_not;
    claim.today = fmt::format("version 1 is {:.0f} % {} ({}{})", std::abs(ratio - 1) * 100,
                              ratio <= 1 ? "faster" : "slower", at(*first),
                              first->element == second->element
                                  ? std::string()
                                  : fmt::format("; {} against {}, of 4 bytes both", first->element, second->element));
    return claim;
}

/// Of the grid-stride kernel's points of one n with several grids the fastest: of the setting's n, or of the largest.
Claim few_blocks(const Recording& recording, const Setting& setting) {
    Claim claim{
        .says = "Multiple adds a thread: best with 64 to 256 blocks of 128 threads, 1024 to 4096 elements a thread",
        .source = std::string(liu),
        .today = "The grid-stride reduction was measured with one grid only; a sweep over grids tells."};
    std::map<std::uint64_t, std::vector<const Point*>> by_n;
    for (const Point& point : recording.points) {
        if (point.kernel == "reduce/grid-stride" && point.grid > 0) by_n[point.n].push_back(&point);
    }
    std::vector<std::vector<const Point*>> in_order;
    if (const auto wanted = by_n.find(setting.n); wanted != by_n.end()) in_order.push_back(wanted->second);
    for (auto last = by_n.rbegin(); last != by_n.rend(); ++last) in_order.push_back(last->second);
    for (const std::vector<const Point*>& points : in_order) {
        const bool several =
            std::ranges::any_of(points, [&](const Point* point) { return point->grid != points.front()->grid; });
        if (!several) continue;
        const Point& best = **std::ranges::min_element(
            points, [](const Point* one, const Point* other) { return stands_before(*one, *other); });
        const bool holds = best.block == 128 && best.grid >= 64 && best.grid <= 256;
        claim.outcome = holds ? Outcome::holds : Outcome::does_not;
        claim.today = fmt::format("fastest of {} measured: {} blocks of {}, {} elements a thread (N = {})",
                                  points.size(), counted(best.grid), best.block,
                                  counted(static_cast<std::uint64_t>(best.per_thread())), counted(best.n));
        break;
    }
    return claim;
}

Claim shuffles(const Recording& recording, const Setting& setting) {
    Claim claim{.says = "Warp shuffles: more efficient than shared memory",
                .source = std::string(moderngpu),
                .today = "The two reductions were not measured at one size."};
    const auto found = both(recording, "reduce/warp-shuffle", "reduce/sequential", setting);
    if (!found) return claim;
    const auto& [shuffle, shared] = *found;
    const double gain = shared->time.median / shuffle->time.median;
    claim.outcome = gain > 1 ? Outcome::holds : Outcome::does_not;
    claim.today = fmt::format("{:.2f} times as fast as sequential addressing ({})", gain, at(*shuffle));
    return claim;
}

Claim share_of_peak(const Recording& recording) {
    Claim claim{
        .says = fmt::format("A good reduction reaches 80 to 90 % of the peak ({:.0f} of {:.0f} GB/s on a {}, {:.0f} of "
                            "{:.0f} on a {})",
                            stated_cards[0].reached, stated_cards[0].peak, stated_cards[0].name,
                            stated_cards[1].reached, stated_cards[1].peak, stated_cards[1].name),
        .source = std::string(moderngpu),
        .today = "The recording tells no theoretical peak."};
    const Point* best = nullptr;
    for (const Point& point : recording.points) {
        // One that gives as much as it takes moves more than it must.
        const bool reduces = point.kernel.starts_with("reduce/") && point.bytes <= point.n * sizeof(std::int32_t);
        if (reduces && (best == nullptr || point.bandwidth() > best->bandwidth())) best = &point;
    }
    if (best == nullptr || recording.peak <= 0) return claim;
    const double share = best->bandwidth() / recording.peak;
    claim.outcome = share >= 0.8 ? Outcome::holds : Outcome::does_not;
    claim.today = fmt::format("{:.0f} of {:.0f} GB/s, {:.0f} %: {} ({})", best->bandwidth(), recording.peak,
                              share * 100, best->kernel, at(*best));
    return claim;
}

}  // namespace

std::vector<Claim> claims(const Recording& recording, const Setting& setting) {
    const Steps steps = steps_of(recording, setting);
    const auto last =
        std::ranges::find(steps.rows, lecture_stages.back().kernel, [](const Step& row) { return row.stage.kernel; });
    return {
        gain("Changes to addressing and cascading gain", 11.84, steps.algorithmic, setting),
        gain("Unrolling gains", 2.54, steps.code, setting),
        gain("All seven steps together gain", 30.04, last == steps.rows.end() ? std::nullopt : last->together, setting),
        few_blocks(recording, setting),
        scans(recording, setting),
        shuffles(recording, setting),
        share_of_peak(recording)};
}

}  // namespace lanescope::timing
