// Everything a person can do without the mouse, in one table: it feeds the keys, the help and every menu.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <imgui.h>

namespace lanescope::ui {

class Shell;

/// A key with what is held beside it, or a character as it is typed (for `?`, whose key differs from country to country).
struct Key {
    ImGuiKeyChord chord = 0;
    ImWchar character = 0;
    std::string_view shown;  ///< "Shift + Right"
};

struct Command {
    std::string_view name;   ///< "Step forward"
    std::string_view group;  ///< "Transport"
    Key key, other_key;      ///< either does it
    bool repeats = false;    ///< while the key is held
    void (*act)(Shell&) = nullptr;
};

[[nodiscard]] std::span<const Command> commands();
[[nodiscard]] const Command& command(std::string_view name);  ///< must exist

/// Acts on the keys of this frame. None acts while text is typed.
void act_on_keys(Shell& shell);

}  // namespace lanescope::ui
