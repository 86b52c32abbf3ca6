// The breakpoint of a line in Source: its mark in the margin, its menu with the condition, and its sentence.
#pragma once

#include "ui/panel.h"

#include <cstdint>
#include <string>

namespace lanescope::ui {

class SourceBreakpoints {
  public:
    /// The condition of a breakpoint of the program that is shown; empty: none.
    [[nodiscard]] static const std::string& condition_of(const Workspace& workspace, const Breakpoints::Placed& placed);
    /// Sets a breakpoint at `line`, or deletes the one there. `runs`: the line has instructions.
    static void toggle(Workspace& workspace, const Breakpoint& line, bool runs);
    /// The items of a line's menu.
    void menu_items(Context& context, const Breakpoint& line, bool runs);
    /// Behind the number of the line, which ends at `number` and is `width` pixels wide: filled, or an outline where no
    /// warp of the block executes the line.
    static void draw(const Look& look, const Breakpoints::Placed& placed, ImVec2 number, float width);
    [[nodiscard]] static std::string explanation(const Breakpoints::Placed& placed);

  private:
    std::string condition_, condition_problem_;  // of the line whose menu is open
};

}  // namespace lanescope::ui
