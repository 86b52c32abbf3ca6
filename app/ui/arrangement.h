// How the panels are docked: three arrangements, each adapted to the room in the window.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ui {

enum class Arrangement : std::uint8_t {
    lecture,  ///< few panels, large: the source and the passes
    study,    ///< all panels
    compare,  ///< the costs of a pass, side by side: lanes, banks, counts
};
inline constexpr std::array arrangements = {Arrangement::lecture, Arrangement::study, Arrangement::compare};
[[nodiscard]] std::string_view name_of(Arrangement arrangement);
[[nodiscard]] std::optional<Arrangement> arrangement_of(std::string_view name);

/// The room for panels.
struct Room {
    bool narrow = false;  ///< one column fewer
    bool low = false;     ///< one row of panels instead of two
    bool wide = false;    ///< two rows, and Timing beside the others
    bool two = false;     ///< two or more programs are compared
    bool many = false;    ///< more than two: Compare has a picture of each
    bool stage = false;   ///< presented in a small window: all panels are tabs of one dock, of two programs one each
    friend bool operator==(const Room&, const Room&) = default;
};

/// `dock_width`, `window_height` in points; `programs` are shown beside each other.
[[nodiscard]] Room room_of(float dock_width, float window_height, std::size_t programs, bool presented);

/// Docks every panel into ImGui's dock `space` of `width` x `height` pixels. Panels in the same place become tabs. A
/// panel of `titles` that the arrangement does not name becomes a tab of its main dock.
void dock_panels(unsigned space, float width, float height, Arrangement arrangement, Room room, bool two_texts,
                 std::span<const std::string> titles);

/// The panels whose tabs have no room beside the others': closed until they are opened.
[[nodiscard]] std::vector<std::string_view> panels_without_room(Arrangement arrangement, Room room);

/// The tabs to select where panels share a place, the most important last.
[[nodiscard]] std::vector<const char*> panels_in_front(Arrangement arrangement, Room room);

}  // namespace lanescope::ui
