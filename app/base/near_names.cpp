// Ranks candidates by edit distance; a part of a name counts as a shorthand for it.
#include "base/near_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace lanescope {

namespace {

/// Insertions, deletions, substitutions and swaps of neighbors that turn one into the other (Damerau's restricted
/// distance).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
        std::swap(before_last, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

}  // namespace

std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& candidates) {
    constexpr std::size_t most = 3;
    constexpr std::size_t longest = 100;  // longer names are not compared: the distance is quadratic
    if (name.empty() || name.size() > longest) return {};
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& candidate : candidates) {
        const std::size_t apart = distance(name, candidate);
        // With a third of its letters wrong it is another word; a part of a name is a shorthand for it.
        const bool part = name.size() >= 3 && candidate.find(name) != std::string::npos;
        if (part || apart <= std::max<std::size_t>(1, name.size() / 3))
            near.emplace_back(part ? std::min<std::size_t>(apart, 1) : apart, candidate);
    }
    std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string>::first);
    std::vector<std::string> names;
    for (const auto& [apart, candidate] : near) {
        if (names.size() < most && std::ranges::find(names, candidate) == names.end()) names.push_back(candidate);
    }
    return names;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
    const std::vector<std::string> near = near_names(name, candidates);
    return near.empty() ? "" : fmt::format("Did you mean \"{}\"?", fmt::join(near, "\" or \""));
}

}  // namespace lanescope
