// The settings of the window, as a small JSON file in the user's configuration folder.
#pragma once

#include "base/result.h"
#include "scene/theme.h"
#include "ui/arrangement.h"
#include "ui/breakpoint.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

enum class SourceView : std::uint8_t { cuda, ptx, both };

struct Settings {
    scene::Theme theme = scene::Theme::dark;
    float scale = 1;   ///< of the interface, times the monitor's; 0.75 to 3
    double speed = 1;  ///< of playback: 1 is steps_per_second
    int width = 1600, height = 900;
    bool maximized = false;
    SourceView source_view = SourceView::cuda;
    float source_split = 0.5F;                                    ///< share of Source's width for CUDA beside PTX
    bool toured = false;                                          ///< the tour was taken or hidden
    bool all_counts = false;                                      ///< Counts shows all its columns
    bool motion = true;                                           ///< steps are animated
    std::optional<Arrangement> arrangement = Arrangement::study;  ///< nothing: the user's own
    Room room;                                                    ///< of the arrangement
    std::map<std::string, float> splits;                          ///< the splitters that were dragged; see Dock
    std::vector<std::string> panels;                              ///< at the time the layout was saved
    std::vector<std::string> closed;                              ///< the closed ones
    std::vector<std::string> front;                               ///< the selected tabs
    std::vector<std::string> trusted_folders;                     ///< host code of their files runs without a question
    std::vector<std::string> recent;                              ///< files opened, newest first
    std::map<std::string, std::vector<Breakpoint>> breakpoints;   ///< by program: a file's path, or a kernel's name

    void add_recent(const std::string& path);
    friend bool operator==(const Settings&, const Settings&) = default;
};

inline constexpr float least_split = 0.2F, most_split = 0.8F;  ///< of Settings::source_split
inline constexpr float smallest_scale = 0.75F, largest_scale = 3;
inline constexpr double steps_per_second = 6, slowest = 0.25, fastest = 64;

/// Never fails: what a missing, damaged or older file lacks gets its default.
[[nodiscard]] Settings load_settings(const std::filesystem::path& file);
/// Writes a temporary file and renames it. Creates the folder.
[[nodiscard]] Result<void> save_settings(const Settings& settings, const std::filesystem::path& file);

}  // namespace lanescope::ui
