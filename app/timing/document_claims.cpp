#include "timing/document_claims.h"

#include "base/grouped.h"
#include "model/device_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

namespace lanescope::timing {

namespace {

constexpr std::string_view liu = "Hui Liu, Reduction (after Mark Harris)";
constexpr std::string_view li_su = "Dong Li and Tonghua Su, Lec 6 Reduction and Scan";
constexpr std::string_view multi_block = "Lecture 9 : GPU Accelerated Parallel Reduce Scan";
constexpr std::string_view moderngpu = "GPU Programming - Reduce (moderngpu)";

using Outcome = Claim::Outcome;

/// Both kernels at one size in blocks of one size: preferably the setting's n, the same element type and the setting's
/// block size; otherwise the largest n.
std::optional<std::pair<const Point*, const Point*>> both(const Recording& recording, std::string_view one,
                                                          std::string_view other, const Setting& setting) {
    std::optional<std::pair<const Point*, const Point*>> best;
    std::tuple<bool, bool, bool, std::uint64_t, std::uint32_t> best_rank;
    for (const Point& point : recording.points) {
        if (point.kernel != one || !point.agrees) continue;
        const auto found = point_of(recording, other, {.n = point.n, .block = point.block, .element = point.element});
        if (!found) continue;
        const Point& beside = recording.points[*found];
        if (!beside.agrees) continue;
        const std::tuple rank(point.n == setting.n, point.element == beside.element, point.block == setting.block,
                              point.n, point.block <= 256 ? point.block : 0);
        if (best && rank <= best_rank) continue;
        best = {&point, &beside};
        best_rank = rank;
    }
    return best;
}

std::string at(const Point& point) {
    return fmt::format("N = {}, blocks of {}", size_text(point.n), grouped(point.block));
}

/// The setting comes first, then the largest n with the same block size at which all of the lecture's steps were
/// measured: there, launch overhead is a small part of the time.
std::vector<Setting> settings_of(const Recording& recording, const Setting& setting) {
    std::uint64_t largest = 0;
    for (const Point& point : recording.points) {
        Setting other = setting;
        other.n = point.n;
        if (point.n <= std::max(largest, setting.n) || point.block != setting.block) continue;
        if (steps_of(recording, other).algorithmic) largest = point.n;
    }
    std::vector<Setting> settings{setting};
    if (largest > 0) settings.push_back({.n = largest, .block = setting.block, .element = setting.element});
    return settings;
}

using Gain = std::optional<double> (*)(const Steps&);

Claim gain(std::string_view says, double stated, Gain of, const Recording& recording, const Setting& setting) {
    Claim claim{.says = fmt::format("{} {:.2f} times", says, stated), .source = std::string(liu), .today = {}};
    for (const Setting& at : settings_of(recording, setting)) {
        const auto today = of(steps_of(recording, at));
        if (!today) continue;
        // The lecture's own size comes first.
        if (claim.today.empty()) claim.outcome = *today >= stated ? Outcome::holds : Outcome::does_not;
        claim.today += fmt::format("{}{:.2f} times (N = {}, blocks of {})", claim.today.empty() ? "" : "; ", *today,
                                   size_text(at.n), grouped(at.block));
    }
    if (claim.today.empty()) claim.today = "Not all of the seven kernels were measured at one size.";
    return claim;
}

std::optional<double> last_together(const Steps& steps) {
    const auto last =
        std::ranges::find(steps.rows, lecture_stages.back().kernel, [](const Step& row) { return row.stage.kernel; });
    return last == steps.rows.end() ? std::nullopt : last->together;
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
    if (const auto padded = both(recording, "scan/in-place", "scan/padded", setting)) {
        const double beside = padded->first->time.median / padded->second->time.median;
        claim.today += fmt::format("; {:.0f} % {} than version 2 padded against bank conflicts ({})",
                                   std::abs(beside - 1) * 100, beside <= 1 ? "faster" : "slower", at(*padded->first));
    }
    return claim;
}

/// The correct points of the grid-stride kernel, by each n that was measured with several grids.
std::map<std::uint64_t, std::vector<const Point*>> points_of_grids(const Recording& recording) {
    std::map<std::uint64_t, std::vector<const Point*>> by_n;
    for (const Point& point : recording.points)
        if (point.kernel == "reduce/grid-stride" && point.grid > 0 && point.agrees) by_n[point.n].push_back(&point);
    // A sweep over block sizes alone does not compare grids.
    std::erase_if(by_n, [](const auto& each) {
        std::map<std::uint32_t, std::uint64_t> grid_of_block;
        return std::ranges::all_of(each.second, [&](const Point* point) {
            return grid_of_block.try_emplace(point->block, point->grid).first->second == point->grid;
        });
    });
    return by_n;
}

const Point& fastest(const std::vector<const Point*>& points) {
    return **std::ranges::min_element(points,
                                      [](const Point* one, const Point* other) { return stands_before(*one, *other); });
}

constexpr std::string_view one_grid =
    "The grid-stride reduction was measured with one grid only; measure several with lanescope time --grid.";

Claim few_blocks(const Recording& recording, const Setting& setting) {
    Claim claim{
        .says =
            "Multiple adds per thread: best with 64 to 256 blocks of 128 threads, 1,024 to 4,096 elements per thread",
        .source = std::string(liu),
        .today = std::string(one_grid)};
    const auto by_n = points_of_grids(recording);
    std::string today;
    for (const auto& [n, points] : by_n) {
        const Point& best = fastest(points);
        // The lecture's own size comes first or, where it was not measured, the largest.
        if (n == setting.n || (!by_n.contains(setting.n) && n == by_n.rbegin()->first)) {
            const bool holds = best.block == 128 && best.grid >= 64 && best.grid <= 256;
            claim.outcome = holds ? Outcome::holds : Outcome::does_not;
        }
        today +=
            fmt::format("{}{} of {}, {} per thread (N = {}, the fastest of {})", today.empty() ? "" : "; ",
                        counted(best.grid, "block"), grouped(best.block),
                        counted(static_cast<std::uint64_t>(best.per_thread()), "element"), size_text(n), points.size());
    }
    if (!today.empty()) claim.today = today;
    return claim;
}

/// "Brent's theorem says each thread should sum O(log N) elements, i.e., 1024 to 2048 elements per block vs. 256. In
/// Mike Harris' experience, beneficial to push it even further."
Claim cascading(const Recording& recording, const Setting& setting) {
    Claim claim{.says =
                    "Brent's theorem: O(log N) elements per thread, 1,024 to 2,048 per block; beneficial to push it "
                    "even further",
                .source = std::string(liu),
                .today = std::string(one_grid)};
    const auto by_n = points_of_grids(recording);
    if (by_n.empty()) return claim;
    const auto found = by_n.contains(setting.n) ? by_n.find(setting.n) : std::prev(by_n.end());
    const Point& best = fastest(found->second);
    const double of_block = best.per_thread() * best.block;
    claim.outcome = of_block >= 1024 ? Outcome::holds : Outcome::does_not;
    claim.today =
        fmt::format("{:.1f} elements per thread, log2 N is {:.0f}; {} per block ({})", best.per_thread(),
                    std::log2(static_cast<double>(best.n)), grouped(static_cast<std::uint64_t>(of_block)), at(best));
    return claim;
}

/// "Overhead of launching a new kernel non-negligible. Don't know how much: measure it."
Claim launching(const Recording& recording, const Setting& setting) {
    Claim claim{.says = "Launching a new kernel costs a non-negligible overhead (\"don't know how much: measure it\")",
                .source = std::string(liu),
                .today = "The launch of an empty kernel was not measured."};
    const auto index = point_of(recording, lecture_stages[2].kernel, setting);
    if (!index || recording.points[*index].overhead <= 0) return claim;
    const Point& point = recording.points[*index];
    const double share = point.overhead * point.launches / point.time.median;
    constexpr double negligible = 0.05;
    claim.outcome = share >= negligible ? Outcome::holds : Outcome::does_not;
    claim.today = fmt::format("{:.1f} µs an empty kernel; {} of {}: {:.1f} µs in all ({})", point.overhead,
                              counted(point.launches, "launch"), point.kernel, point.time.median, at(point));
    return claim;
}

/// The lecture's numbers for its card, beside the documented numbers for this GPU.
Claim limit(std::string_view says, std::uint64_t stated, std::uint64_t here, std::string_view what,
            const Recording& recording) {
    Claim claim{
        .says = std::string(says), .source = std::string(liu), .today = "The recording has no compute capability."};
    if (recording.arch == 0) return claim;
    claim.outcome = here == stated ? Outcome::holds : Outcome::does_not;
    claim.today =
        fmt::format("{} {}, by compute capability {}.{}", here, what, recording.arch / 10, recording.arch % 10);
    return claim;
}

Claim resident_blocks(const Recording& recording) {
    const std::uint64_t blocks = model::limits_of(recording.arch).blocks;
    Claim claim = limit("A multiprocessor takes only 8 blocks: at most 8 times the multiprocessors are active",
                        model::limits_of(10).blocks, blocks, "blocks", recording);
    if (recording.arch != 0 && recording.processors > 0)
        claim.today += fmt::format(": at most {} x {} = {} are active", recording.processors, blocks,
                                   grouped(recording.processors * blocks));
    return claim;
}

Claim block_limit(const Recording& recording) {
    const std::uint64_t stated = model::limits_of(10).threads_per_block;
    Claim claim{
        .says = "A block is limited to 512 threads", .source = std::string(liu), .today = "No larger block was tried."};
    std::uint32_t largest = 0;
    for (const Point& point : recording.points) largest = std::max(largest, point.block);
    if (largest <= stated) return claim;
    claim.outcome = Outcome::does_not;
    claim.today = fmt::format("measured in blocks of {}", grouped(largest));
    return claim;
}

/// "Reductions typically have low arithmetic intensity. So, bandwidth will be the limiter."
Claim limited_by_memory(const Recording& recording) {
    Claim claim{.says = "Reductions have a low arithmetic intensity, so bandwidth will be the limiter",
                .source = std::string(liu),
                .today = "The read-only kernel was not measured."};
    const auto largest = std::ranges::max_element(recording.sweeps, {}, &Recording::Sweep::bytes);
    if (largest == recording.sweeps.end()) return claim;
    const std::uint64_t n = largest->bytes / sizeof(std::int32_t);
    const Point* best = nullptr;
    for (const Point& point : recording.points) {
        const bool reduces = point.kernel.starts_with("reduce/") && point.bytes == largest->bytes && point.agrees;
        if (reduces && point.n == n && (best == nullptr || point.time.median < best->time.median)) best = &point;
    }
    if (best == nullptr) return claim;
    const double share = largest->time.median / best->time.median;
    claim.outcome = share >= 0.9 ? Outcome::holds : Outcome::does_not;
    claim.today =
        fmt::format("{} at {:.0f} % of the speed of a read-only kernel ({})", best->kernel, share * 100, at(*best));
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

/// The same tree in shared and in global memory, whose data is in the caches on current GPUs.
Claim shared_memory(std::string_view says, std::string_view source, const Recording& recording,
                    const Setting& setting) {
    Claim claim{.says = std::string(says),
                .source = std::string(source),
                .today = "The tree in shared and in global memory were not measured at one size."};
    constexpr double massive = 2;  // the documents name no number
    for (const Setting& wanted : settings_of(recording, setting)) {
        const auto found = both(recording, "reduce/sequential", "reduce/global-memory", wanted);
        if (!found) break;
        const auto& [shared, global] = *found;
        const double gain = global->time.median / shared->time.median;
        const bool first = claim.outcome == Outcome::not_measured;
        // The same point again: the largest n was the only one.
        if (!first && claim.today.contains(at(*shared))) break;
        if (first) claim.outcome = gain >= massive ? Outcome::holds : Outcome::does_not;
        claim.today = fmt::format("{}{:.2f} times as fast as the same tree in global memory ({})",
                                  first ? "" : claim.today + "; ", gain, at(*shared));
    }
    return claim;
}

Claim share_of_peak(const Recording& recording) {
    Claim claim{
        .says = fmt::format("A good reduction reaches 80 to 90 % of the peak ({} of {} GB/s on a {}, {} of {} on a {})",
                            rounded(stated_cards[0].reached), rounded(stated_cards[0].peak), stated_cards[0].name,
                            rounded(stated_cards[1].reached), rounded(stated_cards[1].peak), stated_cards[1].name),
        .source = std::string(moderngpu),
        .today = "The recording has no theoretical peak bandwidth."};
    const Point* best = nullptr;
    for (const Point& point : recording.points) {
        // A kernel that writes as much as it reads moves more than it must.
        const bool reduces =
            point.kernel.starts_with("reduce/") && point.agrees && point.bytes <= point.n * sizeof(std::int32_t);
        if (reduces && (best == nullptr || point.bandwidth() > best->bandwidth())) best = &point;
    }
    if (best == nullptr || recording.peak <= 0) return claim;
    const double share = best->bandwidth() / recording.peak;
    claim.outcome = share >= 0.8 ? Outcome::holds : Outcome::does_not;
    claim.today = fmt::format("{} of {} GB/s, {:.0f} %: {} ({})", rounded(best->bandwidth()), rounded(recording.peak),
                              share * 100, best->kernel, at(*best));
    return claim;
}

}  // namespace

std::vector<Claim> claims(const Recording& recording, const Setting& setting) {
    const auto algorithmic = [](const Steps& steps) { return steps.algorithmic; };
    const auto code = [](const Steps& steps) { return steps.code; };
    return {gain("Changes to addressing and cascading gain", 11.84, algorithmic, recording, setting),
            gain("Unrolling gains", 2.54, code, recording, setting),
            gain("All seven steps together gain", 30.04, last_together, recording, setting),
            few_blocks(recording, setting),
            cascading(recording, setting),
            launching(recording, setting),
            limited_by_memory(recording),
            share_of_peak(recording),
            scans(recording, setting),
            shuffles(recording, setting),
            shared_memory("A segment in shared memory instead of global memory: a massive speedup", multi_block,
                          recording, setting),
            shared_memory("Results of other threads: global device arrays would be too slow, so use shared memory",
                          li_su, recording, setting),
            resident_blocks(recording),
            block_limit(recording),
            limit("Shared memory provides up to 16 words per cycle", model::limits_of(10).banks,
                  model::limits_of(recording.arch).banks, "words, one of each bank", recording)};
}

}  // namespace lanescope::timing
