// What the window remembers from one time to the next, as a small JSON file in the user's configuration folder.
#pragma once

#include "base/result.h"
#include "scene/theme.h"
#include "ui/arrangement.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

enum class SourceView : std::uint8_t { cuda, ptx, both };

struct Settings {
    scene::Theme theme = scene::Theme::dark;
    float scale = 1;   ///< of the interface, on top of the monitor's; 0.75 to 3
    double speed = 1;  ///< of playing: 1 is steps_per_second
    int width = 1600, height = 900;
    bool maximised = false;
    SourceView source_view = SourceView::cuda;
    float source_split = 0.5F;                                    ///< of Source's width that is CUDA's, beside PTX
    bool toured = false;                                          ///< the tour was taken, or put away
    bool motion = true;                                           ///< values travel along their arcs
    std::optional<Arrangement> arrangement = Arrangement::study;  ///< nothing: a person's own
    Room room;                                                    ///< that it was made for
    std::vector<std::string> panels;                              ///< that there were when the layout was kept
    std::vector<std::string> closed;                              ///< of them
    std::vector<std::string> front;   ///< panels that are in front of what shares their place
    std::vector<std::string> recent;  ///< files opened, newest first

    void add_recent(const std::string& path);
    friend bool operator==(const Settings&, const Settings&) = default;
};

inline constexpr float least_split = 0.2F, most_split = 0.8F;  ///< of Settings::source_split
inline constexpr float smallest_scale = 0.75F, largest_scale = 3;
inline constexpr double steps_per_second = 6, slowest = 0.25, fastest = 64;

/// Never fails: a file that is missing, damaged or from another version gives the defaults for what it does not say.
[[nodiscard]] Settings load_settings(const std::filesystem::path& file);
/// Written beside and renamed. Creates the folder.
[[nodiscard]] Result<void> save_settings(const Settings& settings, const std::filesystem::path& file);

}  // namespace lanescope::ui
