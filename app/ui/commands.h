// Everything that the window can do, in one table: it feeds the keys, the menus, the search and the help.
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

/// A key with what is held beside it, or a character as it is typed (for `?`, whose key differs from country to
/// country).
struct Key {
    ImGuiKeyChord chord = 0;
    ImWchar character = 0;
    std::string_view shown;  ///< "Shift + Right"
};

/// One of several that a command stands for: a panel, a file, a kernel.
struct Choice {
    std::string name;             ///< "reduce/sequential"
    std::string detail;           ///< soft words beside it
    std::optional<bool> checked;  ///< a switch, and how it stands
    std::function<void(Shell&)> act;
};

/// A row of the table: it acts, or it is a list of choices.
struct Command {
    std::string_view name;                ///< "Next instruction"
    std::string_view menu;                ///< "Go"
    Key key{}, other_key{}, third_key{};  ///< each does it
    bool repeats = false;                 ///< while the key is held
    bool ruled = false;                   ///< a line above it in its menu
    void (*act)(Shell&) = nullptr;
    bool (*possible)(const Shell&) = nullptr;  ///< absent: always
    bool (*checked)(const Shell&) = nullptr;   ///< absent: it is no switch
    std::vector<Choice> (*choices)(const Shell&) = nullptr;
    std::string_view verb{};  ///< of the choices, where they stand by themselves: "Open"
};

[[nodiscard]] std::span<const Command> commands();            ///< a menu's rows follow one another
[[nodiscard]] const Command& command(std::string_view name);  ///< must exist
[[nodiscard]] bool possible(const Command& command, const Shell& shell);

/// Acts on the keys of this frame. None acts while text is typed.
void act_on_keys(Shell& shell);

}  // namespace lanescope::ui
