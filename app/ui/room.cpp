#include "ui/room.h"

#include <algorithm>

namespace lanescope::ui {

Need one_after_another(const Need& first, const Need& second) {
    return {
        .least = first.least + second.least,
        .wanted = first.wanted + second.wanted,
        .grows = first.grows + second.grows,
        .tabs = first.tabs + second.tabs,
    };
}

Need side_by_side(const Need& first, const Need& second) {
    return {
        .least = std::max(first.least, second.least),
        .wanted = std::max(first.wanted, second.wanted),
        .grows = std::max(first.grows, second.grows),
        .tabs = std::max(first.tabs, second.tabs),
    };
}

float room_of_first(float room, const Need& first, const Need& second) {
    const auto part = [](float one, float other) { return one + other > 0 ? one / (one + other) : 0.5F; };
    const float least = first.least + second.least, wanted = first.wanted + second.wanted;
    if (room >= wanted) return first.wanted + (room - wanted) * part(first.grows, second.grows);
    if (room >= least)
        return first.least + (room - least) * part(first.wanted - first.least, second.wanted - second.least);
    const float tabs = first.tabs + second.tabs;
    if (room < tabs) return room * part(first.tabs, second.tabs);
    return std::clamp(room * part(first.least, second.least), first.tabs, room - second.tabs);
}

}  // namespace lanescope::ui
