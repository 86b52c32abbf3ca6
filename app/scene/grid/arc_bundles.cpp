#include "scene/grid/arc_bundles.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace lanescope::scene {

namespace {

using analysis::GridArc;

constexpr double stretch = 84;  // points wide: room for a count

/// A part of the panel's width, within one launch.
struct Stretch {
    std::uint32_t launch = 0;
    std::int64_t number = 0;
    friend auto operator<=>(const Stretch&, const Stretch&) = default;
};

/// Points from the beginning of the clock, so that stretches stay where they are while the picture scrolls.
double unscrolled(const GridPanelLayout& layout, double x) {
    return x + layout.scroll() - static_cast<double>(layout.body().x);
}

Stretch stretch_at(const GridPanelLayout& layout, std::uint32_t launch, std::uint64_t tick) {
    return {launch, std::llround(std::floor(unscrolled(layout, layout.x(launch, tick)) / stretch))};
}

double middle_of(const GridPanelLayout& layout, const Stretch& at) {
    const double begin =
        static_cast<double>(at.number) * stretch - layout.scroll() + static_cast<double>(layout.body().x);
    const GridPanelLayout::Launch& launch = layout.launch(at.launch);
    return (std::max(begin, launch.from) + std::min(begin + stretch, launch.to)) / 2;
}

void include(analysis::GridSpan& span, std::uint64_t number, bool first) {
    span.first = first ? number : std::min(span.first, number);
    span.past_last = first ? number + 1 : std::max(span.past_last, number + 1);
}

}  // namespace

std::vector<ArcBundle> arc_bundles(const analysis::GridPicture& picture, const GridPanelLayout& layout) {
    using Key = std::tuple<std::uint32_t, Stretch, Stretch>;
    std::map<Key, ArcBundle> bundles;
    for (std::size_t i = 0; i < picture.arcs.size(); ++i) {
        const GridArc& arc = picture.arcs[i];
        if (!layout.sees(arc)) continue;
        const Stretch from = stretch_at(layout, arc.from_launch, arc.written_at);
        const Stretch to = stretch_at(layout, arc.to_launch, arc.read_at);
        const std::uint32_t track = layout.track_of(arc.buffer);
        ArcBundle& bundle = bundles[{track, from, to}];
        const bool is_first = bundle.arcs == 0;
        if (is_first) {
            bundle.track = track;
            bundle.first = i;
            bundle.within = from == to;
            bundle.from = middle_of(layout, from);
            bundle.to = middle_of(layout, to);
        }
        bundle.atomic = (is_first || bundle.atomic) && arc.atomic;
        ++bundle.arcs;
        bundle.reads += arc.reads;
        include(bundle.blocks, arc.to.value, is_first);
        include(bundle.sources, arc.from.value, is_first);
        include(bundle.ticks, arc.written_at, is_first);
        include(bundle.ticks, arc.read_at, false);
    }
    std::vector<ArcBundle> all;
    all.reserve(bundles.size());
    for (const auto& [key, bundle] : bundles) all.push_back(bundle);
    return all;
}

}  // namespace lanescope::scene
