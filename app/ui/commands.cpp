#include "ui/commands.h"

#include "ui/shell.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace lanescope::ui {
namespace {

constexpr ImGuiKeyChord ctrl = ImGuiMod_Ctrl, shift = ImGuiMod_Shift;

constexpr std::array table = {
    Command{"Play or pause",
            "Transport",
            {ImGuiKey_Space, 0, "Space"},
            {},
            false,
            [](Shell& shell) { shell.model().play(!shell.model().playing()); }},
    Command{"Next instruction",
            "Transport",
            {ImGuiKey_RightArrow, 0, "Right"},
            {},
            true,
            [](Shell& shell) { shell.model().forward(Unit::instruction); }},
    Command{"Previous instruction",
            "Transport",
            {ImGuiKey_LeftArrow, 0, "Left"},
            {},
            true,
            [](Shell& shell) { shell.model().back(Unit::instruction); }},
    Command{"Next line",
            "Transport",
            {ctrl | ImGuiKey_RightArrow, 0, "Ctrl + Right"},
            {},
            true,
            [](Shell& shell) { shell.model().forward(Unit::line); }},
    Command{"Previous line",
            "Transport",
            {ctrl | ImGuiKey_LeftArrow, 0, "Ctrl + Left"},
            {},
            true,
            [](Shell& shell) { shell.model().back(Unit::line); }},
    Command{"Next pass",
            "Transport",
            {shift | ImGuiKey_RightArrow, 0, "Shift + Right"},
            {ImGuiKey_PageDown, 0, "Page Down"},
            true,
            [](Shell& shell) { shell.model().forward(Unit::pass); }},
    Command{"Previous pass",
            "Transport",
            {shift | ImGuiKey_LeftArrow, 0, "Shift + Left"},
            {ImGuiKey_PageUp, 0, "Page Up"},
            true,
            [](Shell& shell) { shell.model().back(Unit::pass); }},
    Command{
        "To the start", "Transport", {ImGuiKey_Home, 0, "Home"}, {}, false, [](Shell& shell) { shell.model().home(); }},
    Command{
        "To the end", "Transport", {ImGuiKey_End, 0, "End"}, {}, false, [](Shell& shell) { shell.model().finish(); }},
    Command{"Faster", "Transport", {0, '+', "+"}, {}, true, [](Shell& shell) { shell.model().faster(1); }},
    Command{"Slower", "Transport", {0, '-', "-"}, {}, true, [](Shell& shell) { shell.model().faster(-1); }},

    Command{"Undo the last change of the launch",
            "Launch",
            {ctrl | ImGuiKey_Z, 0, "Ctrl + Z"},
            {},
            true,
            [](Shell& shell) { shell.model().undo(); }},
    Command{"Do it again",
            "Launch",
            {ctrl | ImGuiKey_Y, 0, "Ctrl + Y"},
            {ctrl | shift | ImGuiKey_Z, 0, "Ctrl + Shift + Z"},
            true,
            [](Shell& shell) { shell.model().redo(); }},
    Command{"Stop the run under way",
            "Launch",
            {ctrl | ImGuiKey_Period, 0, "Ctrl + ."},
            {},
            false,
            [](Shell& shell) { shell.model().cancel(); }},

    Command{"Fit the picture", "Passes", {ImGuiKey_0, 0, "0"}, {}, false, [](Shell& shell) { shell.fit_picture(); }},
    Command{"Clear the selection",
            "Passes",
            {ImGuiKey_Escape, 0, "Escape"},
            {},
            false,
            [](Shell& shell) { shell.escape(); }},

    Command{"Copy the source",
            "Source",
            {ctrl | ImGuiKey_C, 0, "Ctrl + C"},
            {},
            false,
            [](Shell& shell) { shell.copy_source(); }},

    Command{"Dark or light",
            "Window",
            {ctrl | ImGuiKey_T, 0, "Ctrl + T"},
            {},
            false,
            [](Shell& shell) { shell.toggle_theme(); }},
    Command{"Larger",
            "Window",
            {ctrl | ImGuiKey_Equal, 0, "Ctrl + +"},
            {ctrl | ImGuiKey_KeypadAdd, 0, ""},
            true,
            [](Shell& shell) { shell.zoom_interface(1); }},
    Command{"Smaller",
            "Window",
            {ctrl | ImGuiKey_Minus, 0, "Ctrl + -"},
            {ctrl | ImGuiKey_KeypadSubtract, 0, ""},
            true,
            [](Shell& shell) { shell.zoom_interface(-1); }},
    Command{"Ordinary size",
            "Window",
            {ctrl | ImGuiKey_0, 0, "Ctrl + 0"},
            {},
            false,
            [](Shell& shell) { shell.zoom_interface(0); }},
    Command{
        "Full screen", "Window", {ImGuiKey_F11, 0, "F11"}, {}, false, [](Shell& shell) { shell.toggle_full_screen(); }},
    Command{"Arrange the panels anew",
            "Window",
            {ctrl | shift | ImGuiKey_0, 0, "Ctrl + Shift + 0"},
            {},
            false,
            [](Shell& shell) { shell.arrange_anew(); }},
    Command{
        "The keys", "Window", {0, '?', "?"}, {ImGuiKey_F1, 0, "F1"}, false, [](Shell& shell) { shell.toggle_help(); }},
};

bool pressed(const Key& key, bool repeats) {
    if (key.character != 0) {
        const ImGuiIO& io = ImGui::GetIO();
        return !io.KeyCtrl && io.InputQueueCharacters.contains(key.character);
    }
    if (key.chord == 0) return false;
    // Not ImGui::Shortcut(): that asks who has the focus, and these keys belong to the window whoever has it.
    const auto only = static_cast<ImGuiKey>(key.chord & ~ImGuiMod_Mask_);
    return ImGui::GetIO().KeyMods == (key.chord & ImGuiMod_Mask_) && ImGui::IsKeyPressed(only, repeats);
}

}  // namespace

std::span<const Command> commands() { return table; }

const Command& command(std::string_view name) {
    const auto found = std::ranges::find(table, name, &Command::name);
    assert(found != table.end());
    return *found;
}

void act_on_keys(Shell& shell) {
    if (ImGui::GetIO().WantTextInput) return;
    for (const Command& command : table) {
        if (pressed(command.key, command.repeats) || pressed(command.other_key, command.repeats)) command.act(shell);
    }
}

}  // namespace lanescope::ui
