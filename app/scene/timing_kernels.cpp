#include "scene/timing_kernels.h"

#include "scene/program_tag.h"
#include "timing/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

namespace lanescope::scene {

namespace {

constexpr std::array roles = {Role::useful, Role::agrees, Role::read, Role::cost, Role::text, Role::soft};
constexpr std::array markers = {Marker::disc, Marker::square, Marker::ring, Marker::frame};
constexpr std::size_t signs = roles.size() * markers.size();

bool of_ladder(std::string_view kernel) {
    return std::ranges::find(timing::lecture_stages, kernel, &timing::Stage::kernel) != timing::lecture_stages.end();
}

/// The family's kernels in the order of the lessons, then kernels without a lesson. A kernel's place decides its sign,
/// so that colors stay the same while a recording grows.
std::vector<std::string> kernels_in_order(const TimingSubject& subject, const std::vector<std::string>& measured) {
    std::vector<std::string> kernels;
    const auto add = [&](const std::string& kernel) {
        if (std::ranges::find(kernels, kernel) == kernels.end()) kernels.push_back(kernel);
    };
    for (const timing::Variant& variant : subject.variants) {
        const bool same_family = std::ranges::any_of(measured, [&](const std::string& kernel) {
            return timing::family_of(kernel) == timing::family_of(variant.kernel);
        });
        if (same_family) add(variant.kernel);
    }
    for (const std::string& kernel : measured) add(kernel);
    return kernels;
}

/// The sign of each kernel. Kernels that are always shown have signs of their own, while there are enough.
std::map<std::string, Sign> signs_of(const TimingSubject& subject, const std::vector<std::string>& measured) {
    const auto always_shown = [](const std::string& kernel) { return of_ladder(kernel) || timing::of_library(kernel); };
    std::vector<std::string> kernels = kernels_in_order(subject, measured);
    const auto others = std::ranges::stable_partition(kernels, always_shown);
    const std::size_t first = kernels.size() - others.size(), free = first < signs ? signs - first : signs;
    std::map<std::string, Sign> found;
    for (std::size_t place = 0; place < kernels.size(); ++place) {
        const std::size_t other = place < first ? 0 : place - first;
        found[kernels[place]] = place < first ? sign_of(place) : sign_of((first + other % free) + other / free * signs);
    }
    return found;
}

/// The measured kernels of the family in the order of the lessons; kernels without a lesson come last.
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

/// The kernels shown by default: the compared ones with the library's; otherwise, for reductions, the lecture's seven,
/// the library's and the fastest, because more could not be told apart; for other families, all.
std::set<std::string> shown_at_first(const TimingSubject& subject, const TimingView& view,
                                     const std::vector<std::string>& kernels) {
    std::set<std::string> shown;
    if (!view.compared.empty()) {
        for (const std::string& kernel : kernels)
            if (highlight_of(view, kernel) || timing::of_library(kernel)) shown.insert(kernel);
        return shown;
    }
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
    return {.role = roles[index % roles.size()],
            .marker = markers[(index + index / roles.size()) % markers.size()],
            .dashed = index / signs % 2 == 1};
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

std::optional<Role> highlight_of(const TimingView& view, std::string_view kernel) {
    if (view.compared.empty()) return kernel == view.current ? std::optional(Role::selected) : std::nullopt;
    const auto found = std::ranges::find(view.compared, kernel);
    if (found == view.compared.end()) return std::nullopt;
    return role_of_program(static_cast<std::size_t>(found - view.compared.begin()));
}

std::string lettered_name(const TimingSubject& subject, const TimingView& view, std::string_view kernel) {
    std::string letters;
    for (std::size_t program = 0; program < view.compared.size(); ++program) {
        if (view.compared[program] != kernel) continue;
        if (!letters.empty()) letters += ", ";
        letters += letter_of_program(program);
    }
    return (letters.empty() ? "" : letters + ": ") + short_name(subject, kernel);
}

bool of_parts(const TimingSubject& subject, const timing::Point& point) {
    const auto variant = std::ranges::find(subject.variants, point.kernel, &timing::Variant::kernel);
    return variant != subject.variants.end() && variant->parts && !point.until_one;
}

std::vector<PlottedKernel> plotted_kernels(const TimingSubject& subject, const TimingView& view) {
    const std::vector<std::string> kernels = kernels_of(subject, view);
    const std::set<std::string> first = shown_at_first(subject, view, kernels);
    const std::map<std::string, Sign> all_signs = signs_of(subject, kernels);
    std::vector<PlottedKernel> plotted;
    plotted.reserve(kernels.size());
    for (const std::string& kernel : kernels) {
        const Sign sign = all_signs.at(kernel);
        plotted.push_back({.kernel = kernel,
                           // No other line has the color of a compared program.
                           .role = view.compared.empty() ? sign.role : Role::soft,
                           .marker = sign.marker,
                           .dashed = sign.dashed,
                           .shown = is_shown(view, kernel, first.contains(kernel))});
    }
    return plotted;
}

}  // namespace lanescope::scene
