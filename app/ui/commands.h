// The commands of the window in one table: it feeds keys, menus, search and help.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

namespace lanescope::ui {

class Shell;

/// A key with its modifiers, or a typed character (for `?`, whose key depends on the keyboard layout).
struct Key {
    ImGuiKeyChord chord = 0;
    ImWchar character = 0;
    std::string_view shown;  ///< "Shift + Right"
};

/// An entry of a command that is a list: a panel, a file, a kernel.
struct Choice {
    std::string name;             ///< "reduce/sequential"
    std::string detail;           ///< shown beside the name
    std::optional<bool> checked;  ///< the state of a toggle
    std::function<void(Shell&)> act;
};

/// A row of the table: an action or a list of choices.
struct Command {
    std::string_view name;                ///< "Next instruction"
    std::string_view menu;                ///< "Go"
    Key key{}, other_key{}, third_key{};  ///< alternatives
    bool repeats = false;                 ///< while the key is held
    bool ruled = false;                   ///< a separator above it in its menu
    void (*act)(Shell&) = nullptr;
    bool (*possible)(const Shell&) = nullptr;  ///< absent: always
    bool (*checked)(const Shell&) = nullptr;   ///< absent: not a toggle
    std::vector<Choice> (*choices)(const Shell&) = nullptr;
    std::string_view verb{};  ///< before the name of a choice in the search: "Open"
};

[[nodiscard]] std::span<const Command> commands();            ///< grouped by menu
[[nodiscard]] const Command& command(std::string_view name);  ///< must exist
[[nodiscard]] bool possible(const Command& command, const Shell& shell);

/// Executes the commands whose keys were pressed in this frame, unless a text field has the focus.
void act_on_keys(Shell& shell);

/// Begins ImGui's frame. ImGui applies a key's press and a modifier's release in one frame if the modifier went down in
/// an earlier one, and would read Ctrl + O as O: here the release and all events after it wait for the next frame.
void begin_frame_by_chords();

}  // namespace lanescope::ui
