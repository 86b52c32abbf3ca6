#include "scene/timing_kernels.h"

#include "timing/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace lanescope::scene {

namespace {

constexpr std::array roles = {Role::useful, Role::agrees, Role::read, Role::cost, Role::text, Role::soft};
constexpr std::array markers = {Marker::disc, Marker::square, Marker::ring, Marker::frame};
/// Of kernels[index]. Colours stay the same while a recording grows; kernels of no lesson come after all others.
Sign sign_in_order(const TimingSubject& subject, const std::vector<std::string>& kernels, std::size_t index) {
    const std::string& kernel = kernels[index];
    std::size_t place = 0;
    for (const timing::Variant& variant : subject.variants) {
        if (variant.kernel == kernel) return sign_of(place);
        if (timing::family_of(variant.kernel) == timing::family_of(kernel)) ++place;
    }
    for (std::size_t before = 0; before < index; ++before)
        if (std::ranges::find(subject.variants, kernels[before], &timing::Variant::kernel) == subject.variants.end())
            ++place;
    return sign_of(place);
}

bool of_ladder(std::string_view kernel) {
    return std::ranges::find(timing::lecture_stages, kernel, &timing::Stage::kernel) != timing::lecture_stages.end();
}

/// The family's kernels that were measured, in the order of the lessons; what is in no lesson last.
std::vector<std::string> kernels_of(const TimingSubject& subject, const TimingView& view) {
    std::vector<std::string> kernels;
    const auto add = [&](const std::string& kernel) {
        if (std::ranges::find(kernels, kernel) == kernels.end()) kernels.push_back(kernel);
    };
    const auto measured = [&](const std::string& kernel) {
        return std::ranges::find(subject.recording.points, kernel, &timing::Point::kernel) !=
               subject.recording.points.end();
    };
    for (const timing::Variant& variant : subject.variants) {
        if (timing::family_of(variant.kernel) == view.family && measured(variant.kernel)) add(variant.kernel);
    }
    for (const timing::Point& point : subject.recording.points) {
        if (timing::family_of(point.kernel) == view.family) add(point.kernel);
    }
    return kernels;
}

/// The kernels shown by default: of reductions the lecture's seven, the library's and the fastest, because more could
/// not be told apart; of other families all.
std::set<std::string> shown_at_first(const TimingSubject& subject, const TimingView& view,
                                     const std::vector<std::string>& kernels) {
    std::set<std::string> shown;
    if (std::ranges::none_of(kernels, of_ladder)) return {kernels.begin(), kernels.end()};
    const auto setting = setting_of(subject.recording, view);
    double least = 0;
    std::string fastest;
    for (const std::string& kernel : kernels) {
        if (of_ladder(kernel) || timing::of_library(kernel) || kernel == view.current) shown.insert(kernel);
        const auto point = setting ? timing::point_of(subject.recording, kernel, *setting) : std::nullopt;
        if (!point || of_parts(subject, subject.recording.points[*point])) continue;
        const double time = subject.recording.points[*point].time.median;
        if (!fastest.empty() && time >= least) continue;
        least = time;
        fastest = kernel;
    }
    if (!fastest.empty()) shown.insert(fastest);
    return shown;
}

}  // namespace

Sign sign_of(std::size_t index) {
    return {roles[index % roles.size()], markers[(index + index / roles.size()) % markers.size()]};
}

std::string short_name(const TimingSubject& subject, std::string_view kernel) {
    const auto found = std::ranges::find(subject.variants, kernel, &timing::Variant::kernel);
    if (found == subject.variants.end()) return std::string(kernel);
    const std::string& title = found->title;
    const std::size_t colon = title.find(": ");
    if (colon == std::string::npos) return title;
    std::string rest = title.substr(colon + 2);
    if (const std::size_t more = rest.find(" ("); more != std::string::npos) rest.resize(more);
    const std::size_t number = title.find_last_of(' ', colon);
    const bool numbered = number != std::string::npos && number + 1 < colon && std::isdigit(title[number + 1]) != 0;
    return numbered ? fmt::format("{} {}", title.substr(number + 1, colon - number - 1), rest) : rest;
}

bool of_parts(const TimingSubject& subject, const timing::Point& point) {
    const auto variant = std::ranges::find(subject.variants, point.kernel, &timing::Variant::kernel);
    return variant != subject.variants.end() && variant->parts && !point.until_one;
}

std::vector<PlottedKernel> plotted_kernels(const TimingSubject& subject, const TimingView& view) {
    const std::vector<std::string> kernels = kernels_of(subject, view);
    const std::set<std::string> first = shown_at_first(subject, view, kernels);
    std::vector<PlottedKernel> plotted;
    plotted.reserve(kernels.size());
    for (std::size_t index = 0; index < kernels.size(); ++index) {
        const std::string& kernel = kernels[index];
        const Sign sign = sign_in_order(subject, kernels, index);
        plotted.push_back({.kernel = kernel,
                           .role = sign.role,
                           .marker = sign.marker,
                           .shown = is_shown(view, kernel, first.contains(kernel))});
    }
    return plotted;
}

}  // namespace lanescope::scene
