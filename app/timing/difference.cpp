#include "timing/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::timing {

namespace {

constexpr double noticeable = 1.05;  // ratios below it explain nothing

/// How much a count changed, either way: 0 for not at all.
double weight(const CountChange& change) {
    const auto fewer = change.fewer();
    // From nothing, or to nothing: more than any ratio says.
    if (!fewer) return change.before == change.after ? 0 : 1e9;
    return std::abs(std::log(*fewer));
}

std::string told(const CountChange& change) {
    if (change.after == 0) return fmt::format("no {} any more", change.name);
    if (change.before == 0) return fmt::format("{} where there were none", change.name);
    const double fewer = *change.fewer();
    if (fewer >= noticeable) return fmt::format("{:.2f} times fewer {}", fewer, change.name);
    return fmt::format("{:.2f} times as many {}", 1 / fewer, change.name);
}

std::string sentence_of(const Difference& difference) {
    std::string text = difference.gain >= 1 ? fmt::format("{:.2f} times as fast", difference.gain)
                                            : fmt::format("{:.2f} times as slow", 1 / difference.gain);
    if (difference.counts.empty()) return text + ". This recording has no counts that could say why.";
    std::string reasons;
    for (const CountChange& change : difference.counts) {
        if (weight(change) < std::log(noticeable)) continue;
        reasons += (reasons.empty() ? ": " : ", ") + told(change);
    }
    return text + (reasons.empty() ? ", though no count differs: the order of work does, or the machine's noise."
                                   : reasons + ".");
}

}  // namespace

std::optional<std::size_t> neighbour_of(const Recording& recording, std::size_t point,
                                        const std::vector<std::string>& order) {
    const Point& at = recording.points[point];
    const Setting setting{.n = at.n, .block = at.block, .element = at.element};
    std::vector<std::string> kernels;
    for (const Stage& stage : lecture_stages) kernels.emplace_back(stage.kernel);
    if (std::ranges::find(kernels, at.kernel) == kernels.end()) kernels = order;
    const auto own = std::ranges::find(kernels, at.kernel);
    if (own == kernels.end()) return std::nullopt;
    for (auto before = own; before != kernels.begin();) {
        if (const auto found = point_of(recording, *--before, setting)) return found;
    }
    return std::nullopt;
}

Difference difference(const Recording& recording, std::size_t before, std::size_t after) {
    const Point &one = recording.points[before], &other = recording.points[after];
    Difference found{
        .before = before, .after = after, .gain = one.time.median / other.time.median, .counts = {}, .sentence = {}};
    if (one.counts && other.counts) {
        const auto add = [&](std::string_view name, std::uint64_t a, std::uint64_t b) {
            if (a != 0 || b != 0) found.counts.push_back({.name = name, .before = a, .after = b});
        };
        add("instructions issued", one.counts->instructions, other.counts->instructions);
        add("shared wavefronts", one.counts->wavefronts, other.counts->wavefronts);
        add("sectors", one.counts->sectors, other.counts->sectors);
        add("barriers", one.counts->barriers, other.counts->barriers);
        add("launches", one.launches, other.launches);
        std::ranges::stable_sort(found.counts, std::ranges::greater{}, weight);
    }
    found.sentence = sentence_of(found);
    return found;
}

}  // namespace lanescope::timing
