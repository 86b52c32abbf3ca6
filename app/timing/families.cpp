#include "timing/families.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

namespace lanescope::timing {

bool of_library(std::string_view kernel) { return kernel.starts_with("cub::"); }

std::string_view family_of(std::string_view kernel) {
    if (of_library(kernel)) {
        if (kernel.find("educe") != std::string_view::npos) return "reduce";
        if (kernel.find("can") != std::string_view::npos) return "scan";
    }
    const std::size_t slash = kernel.find('/');
    return slash == std::string_view::npos ? "file" : kernel.substr(0, slash);
}

std::vector<std::string> families(const Recording& recording) {
    std::vector<std::string> found;
    for (const Point& point : recording.points) {
        const std::string family(family_of(point.kernel));
        if (std::ranges::find(found, family) == found.end()) found.push_back(family);
    }
    return found;
}

std::optional<Setting> usual_setting(const Recording& recording, std::string_view family, const std::string& element) {
    // The family's points vote: sweeps over N use the block size with the most votes; other charts use the largest n
    // with nearly as many votes as the most, because not every kernel goes that far.
    std::map<std::string, std::size_t> elements;
    std::map<std::uint64_t, std::set<std::tuple<std::string, std::uint32_t, std::uint64_t>>> by_n;
    std::map<std::uint32_t, std::set<std::tuple<std::string, std::uint64_t>>> by_block;
    for (const Point& point : recording.points) {
        if (family_of(point.kernel) != family || of_library(point.kernel)) continue;
        ++elements[point.element];
        by_n[point.n].insert({point.kernel, point.block, point.grid});
        by_block[point.block].insert({point.kernel, point.n});
    }
    if (by_n.empty()) return std::nullopt;
    const auto most = [](const auto& votes) {
        return std::ranges::max_element(votes, {},
                                        [](const auto& each) { return std::pair(each.second.size(), each.first); })
            ->first;
    };
    std::uint64_t n = most(by_n);
    const std::size_t enough = by_n[n].size() * 3 / 4;
    for (const auto& [size, voters] : by_n)
        if (voters.size() >= enough) n = std::max(n, size);
    const std::string& usual =
        std::ranges::max_element(elements, {}, &std::pair<const std::string, std::size_t>::second)->first;
    return Setting{.n = n, .block = most(by_block), .element = element.empty() ? usual : element};
}

double overhead_of(const Recording& recording, const std::vector<std::size_t>& points) {
    std::map<double, std::size_t> votes;
    for (const std::size_t point : points) ++votes[recording.points[point].overhead];
    votes.erase(0);
    if (votes.empty()) return recording.overhead.median;
    return std::ranges::max_element(votes, {}, &std::pair<const double, std::size_t>::second)->first;
}

}  // namespace lanescope::timing
