#include "scene/timing_view.h"

#include "timing/families.h"

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
        case TimingChart::residency: return "residency";
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
        case TimingChart::residency: return "Residency";
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

std::optional<Setting> setting_of(const Recording& recording, const TimingView& view) {
    std::optional<Setting> setting = timing::usual_setting(recording, view.family, view.element);
    if (setting && view.n) setting->n = *view.n;
    if (setting && view.block) setting->block = *view.block;
    return setting;
}

}  // namespace lanescope::scene
