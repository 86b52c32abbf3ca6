// How much: the passes of the block in numbers, filling as one steps.
#pragma once

#include "ui/panel.h"

#include <cstddef>
#include <cstdint>

namespace lanescope::ui {

class CountsPanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Counts"; }
    [[nodiscard]] std::string subtitle(const Context& context) const override;
    void draw(Context& context) override;

  private:
    void draw_table(Context& context);
    std::uint64_t scrolled_for_ = 0;  // the pass brought into view last, so that one may scroll away from it
    std::size_t scrolled_to_ = 0;

    static void draw_useful_lanes(const Context& context, ImVec2 at, ImVec2 size);
};

}  // namespace lanescope::ui
