// How much: the passes of the block in numbers, filling as one steps.
#pragma once

#include "ui/panel.h"

namespace lanescope::ui {

class CountsPanel : public Panel {
public:
    [[nodiscard]] const char* title() const override { return "Counts"; }
    [[nodiscard]] std::string subtitle(const Context& context) const override;
    void draw(Context& context) override;

private:
    void draw_table(Context& context);
    static void draw_useful_lanes(const Context& context, ImVec2 at, ImVec2 size);
};

}  // namespace lanescope::ui
