#include "ui/settings.h"

#include "ui/json_file.h"

#include <algorithm>

namespace lanescope::ui {
namespace {

using nlohmann::json;

constexpr std::size_t most_recent = 10;

std::vector<std::string> strings(const json& from, const char* key) {
    std::vector<std::string> all;
    if (const auto found = from.find(key); found != from.end() && found->is_array()) {
        for (const json& each : *found) {
            if (each.is_string()) all.push_back(each);
        }
    }
    return all;
}

std::map<std::string, float> shares(const json& saved, const char* name) {
    std::map<std::string, float> all;
    const auto found = saved.find(name);
    if (found == saved.end() || !found->is_object()) return all;
    for (const auto& [key, value] : found->items()) {
        if (value.is_number()) all[key] = std::clamp(value.get<float>(), 0.02F, 0.98F);
    }
    return all;
}

std::map<std::string, std::vector<Breakpoint>> breakpoints_in(const json& saved) {
    std::map<std::string, std::vector<Breakpoint>> all;
    const auto found = saved.find("breakpoints");
    if (found == saved.end() || !found->is_object()) return all;
    for (const auto& [program, list] : found->items()) {
        if (!list.is_array()) continue;
        for (const json& each : list) {
            Breakpoint breakpoint;
            if (!each.is_object()) continue;
            take(each, "ptx", breakpoint.ptx);
            take(each, "file", breakpoint.file);
            take(each, "line", breakpoint.line);
            take(each, "text", breakpoint.text);
            take(each, "condition", breakpoint.condition);
            if (breakpoint.line != 0) all[program].push_back(std::move(breakpoint));
        }
    }
    return all;
}

json json_of(const std::map<std::string, std::vector<Breakpoint>>& breakpoints) {
    json all = json::object();
    for (const auto& [program, list] : breakpoints) {
        json& each = all[program] = json::array();
        for (const Breakpoint& breakpoint : list) {
            each.push_back({{"ptx", breakpoint.ptx},
                            {"file", breakpoint.file},
                            {"line", breakpoint.line},
                            {"text", breakpoint.text},
                            {"condition", breakpoint.condition}});
        }
    }
    return all;
}

}  // namespace

void Settings::add_recent(const std::string& path) {
    std::erase(recent, path);
    recent.insert(recent.begin(), path);
    if (recent.size() > most_recent) recent.resize(most_recent);
}

Settings load_settings(const std::filesystem::path& file) {
    Settings settings;
    const json saved = read_json(file);
    std::string theme, source, arrangement(name_of(*settings.arrangement));
    take(saved, "theme", theme);
    take(saved, "source", source);
    take(saved, "scale", settings.scale);
    take(saved, "speed", settings.speed);
    take(saved, "split", settings.source_split);
    take(saved, "motion", settings.motion);
    take(saved, "all counts", settings.all_counts);
    take(saved, "toured", settings.toured);
    take(saved, "width", settings.width);
    take(saved, "height", settings.height);
    take(saved, "maximised", settings.maximized);
    take(saved, "arrangement", arrangement);
    take(saved, "narrow", settings.room.narrow);
    take(saved, "low", settings.room.low);
    take(saved, "wide", settings.room.wide);
    settings.arrangement = arrangement_of(arrangement);
    settings.splits = shares(saved, "splits");
    settings.panels = strings(saved, "panels");
    settings.front = strings(saved, "front");
    settings.closed = strings(saved, "closed");
    settings.trusted_folders = strings(saved, "trusted folders");
    settings.recent = strings(saved, "recent");
    settings.breakpoints = breakpoints_in(saved);
    if (settings.recent.size() > most_recent) settings.recent.resize(most_recent);
    if (theme == "light") settings.theme = scene::Theme::light;
    if (source == "ptx") settings.source_view = SourceView::ptx;
    if (source == "both") settings.source_view = SourceView::both;
    settings.scale = std::clamp(settings.scale, smallest_scale, largest_scale);
    settings.source_split = std::clamp(settings.source_split, least_split, most_split);
    settings.speed = std::clamp(settings.speed, slowest, fastest);
    settings.width = std::clamp(settings.width, 320, 16384);
    settings.height = std::clamp(settings.height, 240, 16384);
    return settings;
}

Result<void> save_settings(const Settings& settings, const std::filesystem::path& file) {
    const json saved{{"theme", settings.theme == scene::Theme::light ? "light" : "dark"},
                     {"source", settings.source_view == SourceView::cuda  ? "cuda"
                                : settings.source_view == SourceView::ptx ? "ptx"
                                                                          : "both"},
                     {"split", settings.source_split},
                     {"scale", settings.scale},
                     {"speed", settings.speed},
                     {"motion", settings.motion},
                     {"all counts", settings.all_counts},
                     {"toured", settings.toured},
                     {"width", settings.width},
                     {"height", settings.height},
                     {"maximised", settings.maximized},
                     {"arrangement", settings.arrangement ? name_of(*settings.arrangement) : "own"},
                     {"narrow", settings.room.narrow},
                     {"low", settings.room.low},
                     {"wide", settings.room.wide},
                     {"splits", settings.splits},
                     {"panels", settings.panels},
                     {"front", settings.front},
                     {"closed", settings.closed},
                     {"trusted folders", settings.trusted_folders},
                     {"recent", settings.recent},
                     {"breakpoints", json_of(settings.breakpoints)}};
    return write_json(saved, file);
}

}  // namespace lanescope::ui
