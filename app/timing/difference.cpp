#include "timing/difference.h"

#include "base/grouped.h"
#include "timing/extrapolated_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::timing {

namespace {

constexpr double noticeable = 1.05;  // smaller ratios explain nothing

/// The size of a count's change in either direction; 0: no change.
double weight(const CountChange& change) {
    const auto fewer = change.fewer();
    // A change from or to 0 exceeds any ratio.
    if (!fewer) return change.before == change.after ? 0 : 1e9;
    return std::abs(std::log(*fewer));
}

std::string change_text(const CountChange& change) {
    if (change.after == 0) return fmt::format("no {}", change.name);
    if (change.before == 0) return fmt::format("{} where there were none", change.name);
    const double fewer = *change.fewer();
    if (fewer >= noticeable) return fmt::format("{:.2f} times fewer {}", fewer, change.name);
    return fmt::format("{:.2f} times as many {}", 1 / fewer, change.name);
}

std::string sentence_of(const Difference& difference) {
    const std::string text = gain_text(difference.gain);
    if (difference.counts.empty()) return text + ". This recording has no counts to explain it.";
    std::string reasons;
    for (const CountChange& change : difference.counts) {
        if (weight(change) < std::log(noticeable)) continue;
        reasons += (reasons.empty() ? ": " : ", ") + change_text(change);
    }
    return text +
           (reasons.empty() ? ", although no count differs: the order of the work or noise explains it."
                            : reasons + ".") +
           (difference.counted.empty() ? std::string() : " " + difference.counted);
}

}  // namespace

std::optional<std::size_t> neighbor_of(const Recording& recording, std::size_t point,
                                       const std::vector<std::string>& order) {
    const Point& at = recording.points[point];
    const Setting setting{.n = at.n, .block = at.block, .element = at.element};
    std::vector<std::string> kernels;
    kernels.reserve(lecture_stages.size());
    for (const Stage& stage : lecture_stages) kernels.emplace_back(stage.kernel);
    if (std::ranges::find(kernels, at.kernel) == kernels.end()) kernels = order;
    const auto own = std::ranges::find(kernels, at.kernel);
    if (own == kernels.end()) return std::nullopt;
    for (auto before = own; before != kernels.begin();) {
        if (const auto found = point_of(recording, *--before, setting)) return found;
    }
    return std::nullopt;
}

namespace {

/// The values by which two points are compared.
struct Compared {
    CostCounts one, other;
    std::uint32_t one_launches = 0, other_launches = 0;
    std::string counted;
};

std::optional<Compared> compared(const Recording& recording, const Point& one, const Point& other) {
    const auto counts = counts_in(recording, one), other_counts = counts_in(recording, other);
    if (counts && other_counts) {
        const std::uint64_t to = std::max(counts->counted_to, other_counts->counted_to);
        return Compared{
            .one = counts->counts,
            .other = other_counts->counts,
            .one_launches = one.launches,
            .other_launches = other.launches,
            .counted =
                to == 0 ? std::string()
                        : fmt::format("Counted by the emulator up to N = {}, extrapolated in proportion to N beyond.",
                                      size_text(to))};
    }
    std::optional<Compared> best;
    std::uint64_t best_n = 0;
    for (const Point& each : recording.points) {
        if (!each.counts || each.kernel != one.kernel || each.element != one.element || each.block != one.block ||
            each.n >= one.n || each.n <= best_n)
            continue;
        const auto found =
            point_of(recording, other.kernel, {.n = each.n, .block = other.block, .element = other.element});
        if (!found || !recording.points[*found].counts) continue;
        best_n = each.n;
        best = Compared{.one = *each.counts,
                        .other = *recording.points[*found].counts,
                        .one_launches = each.launches,
                        .other_launches = recording.points[*found].launches,
                        .counted = fmt::format("Counted at N = {}.", size_text(each.n))};
    }
    return best;
}

}  // namespace

Difference difference(const Recording& recording, std::size_t before, std::size_t after) {
    const Point &one = recording.points[before], &other = recording.points[after];
    Difference found{.before = before,
                     .after = after,
                     .gain = one.time.median / other.time.median,
                     .counts = {},
                     .counted = {},
                     .sentence = {}};
    if (const auto by = compared(recording, one, other)) {
        const auto add = [&](std::string_view name, std::uint64_t a, std::uint64_t b) {
            if (a != 0 || b != 0) found.counts.push_back({.name = name, .before = a, .after = b});
        };
        add("instructions issued", by->one.instructions, by->other.instructions);
        add("shared wavefronts", by->one.wavefronts, by->other.wavefronts);
        add("sectors", by->one.sectors, by->other.sectors);
        add("barriers", by->one.barriers, by->other.barriers);
        add("atomics at one word", by->one.atomics_at_one_word, by->other.atomics_at_one_word);
        add("launches", by->one_launches, by->other_launches);
        std::ranges::stable_sort(found.counts, std::ranges::greater{}, weight);
        found.counted = by->counted;
    }
    found.sentence = sentence_of(found);
    return found;
}

}  // namespace lanescope::timing
