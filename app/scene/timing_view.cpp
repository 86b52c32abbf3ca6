#include "scene/timing_view.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace lanescope::scene {

using timing::Recording;
using timing::Setting;

std::string_view name_of(TimingChart chart) {
    switch (chart) {
        case TimingChart::bandwidth: return "bandwidth";
        case TimingChart::time: return "time";
        case TimingChart::limit: return "limit";
        case TimingChart::steps: return "steps";
        case TimingChart::block: return "block";
        case TimingChart::per_thread: return "per-thread";
        case TimingChart::roofline: return "roofline";
        case TimingChart::claims: break;
    }
    return "claims";
}

std::string_view label_of(TimingChart chart) {
    switch (chart) {
        case TimingChart::bandwidth: return "Bandwidth";
        case TimingChart::time: return "Time";
        case TimingChart::limit: return "Limit";
        case TimingChart::steps: return "Steps";
        case TimingChart::block: return "Block";
        case TimingChart::per_thread: return "Per thread";
        case TimingChart::roofline: return "Roofline";
        case TimingChart::claims: break;
    }
    return "Claims";
}

bool is_shown(const TimingView& view, std::string_view id, bool otherwise) {
    const auto said = view.shown.find(std::string(id));
    return said == view.shown.end() ? otherwise : said->second;
}

bool writes_as_much(const TimingView& view) { return view.family == "scan"; }

bool of_library(std::string_view kernel) { return kernel.find("cub") != std::string_view::npos; }

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
    for (const timing::Point& point : recording.points) {
        const std::string family(family_of(point.kernel));
        if (std::ranges::find(found, family) == found.end()) found.push_back(family);
    }
    return found;
}

std::optional<Setting> setting_of(const Recording& recording, const TimingView& view) {
    // Votes of the family's points: sweeps over N use the block with the most, the others the largest n with nearly as
    // many as the most, because not every kernel goes that far.
    std::map<std::string, std::size_t> elements;
    std::map<std::uint64_t, std::set<std::tuple<std::string, std::uint32_t, std::uint64_t>>> by_n;
    std::map<std::uint32_t, std::set<std::tuple<std::string, std::uint64_t>>> by_block;
    for (const timing::Point& point : recording.points) {
        if (family_of(point.kernel) != view.family || of_library(point.kernel)) continue;
        ++elements[point.element];
        by_n[point.n].insert({point.kernel, point.block, point.grid});
        by_block[point.block].insert({point.kernel, point.n});
    }
    if (by_n.empty()) return std::nullopt;
    const std::string element =
        view.element.empty()
            ? std::ranges::max_element(elements, {}, &std::pair<const std::string, std::size_t>::second)->first
            : view.element;
    const auto most = [](const auto& votes) {
        return std::ranges::max_element(votes, {},
                                        [](const auto& each) { return std::pair(each.second.size(), each.first); })
            ->first;
    };
    std::uint64_t n = most(by_n);
    const std::size_t enough = by_n[n].size() * 3 / 4;
    for (const auto& [size, voters] : by_n)
        if (voters.size() >= enough) n = std::max(n, size);
    Setting setting{.n = n, .block = most(by_block), .element = element};
    if (view.n) setting.n = *view.n;
    if (view.block) setting.block = *view.block;
    return setting;
}

}  // namespace lanescope::scene
