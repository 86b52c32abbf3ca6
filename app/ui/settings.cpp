#include "ui/settings.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace lanescope::ui {
namespace {

using nlohmann::json;

constexpr std::size_t most_recent = 10;

template <class T>
void read(const json& from, const char* key, T& into) {
    const auto found = from.find(key);
    if (found == from.end()) return;
    if constexpr (std::is_same_v<T, bool>) {
        if (found->is_boolean()) into = found->get<bool>();
    } else if constexpr (std::is_arithmetic_v<T>) {
        if (found->is_number()) into = found->get<T>();
    } else {
        if (found->is_string()) into = found->get<std::string>();
    }
}

}  // namespace

void Settings::add_recent(const std::string& path) {
    std::erase(recent, path);
    recent.insert(recent.begin(), path);
    if (recent.size() > most_recent) recent.resize(most_recent);
}

std::filesystem::path configuration_folder() {
    if (const char* folder = std::getenv("XDG_CONFIG_HOME"); folder != nullptr && *folder == '/') {
        return std::filesystem::path(folder) / "lanescope";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        return std::filesystem::path(home) / ".config" / "lanescope";
    }
    return {};
}

Settings load_settings(const std::filesystem::path& file) {
    Settings settings;
    std::ifstream stream(file);
    const json saved = json::parse(stream, nullptr, false);
    if (!saved.is_object()) return settings;
    std::string theme, source;
    read(saved, "theme", theme);
    read(saved, "source", source);
    read(saved, "scale", settings.scale);
    read(saved, "speed", settings.speed);
    read(saved, "width", settings.width);
    read(saved, "height", settings.height);
    read(saved, "maximised", settings.maximised);
    if (theme == "light") settings.theme = scene::Theme::light;
    if (source == "ptx") settings.source_view = SourceView::ptx;
    if (source == "both") settings.source_view = SourceView::both;
    settings.scale = std::clamp(settings.scale, smallest_scale, largest_scale);
    settings.speed = std::clamp(settings.speed, slowest, fastest);
    settings.width = std::clamp(settings.width, 320, 16384);
    settings.height = std::clamp(settings.height, 240, 16384);
    if (const auto recent = saved.find("recent"); recent != saved.end() && recent->is_array()) {
        for (const json& path : *recent) {
            if (path.is_string() && settings.recent.size() < most_recent) settings.recent.push_back(path);
        }
    }
    return settings;
}

Result<void> save_settings(const Settings& settings, const std::filesystem::path& file) {
    const json saved{{"theme", settings.theme == scene::Theme::light ? "light" : "dark"},
                     {"source", settings.source_view == SourceView::cuda  ? "cuda"
                                : settings.source_view == SourceView::ptx ? "ptx"
                                                                          : "both"},
                     {"scale", settings.scale},
                     {"speed", settings.speed},
                     {"width", settings.width},
                     {"height", settings.height},
                     {"maximised", settings.maximised},
                     {"recent", settings.recent}};
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    const std::filesystem::path beside = file.string() + ".new";
    {
        std::ofstream stream(beside);
        stream << saved.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
        if (!stream.flush()) {
            return fail("the settings cannot be written", {beside.string()}, "Check that the folder is writable.");
        }
    }
    std::filesystem::rename(beside, file, error);
    if (error) return fail(fmt::format("the settings cannot be written: {}", error.message()), {file.string()});
    return {};
}

}  // namespace lanescope::ui
