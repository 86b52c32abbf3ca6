// What is this: the kernel's idea, its cost, and the lecture's own words about it.
#pragma once

#include "ui/panel.h"

namespace lanescope::ui {

class LessonPanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Lesson"; }
    void draw(Context& context) override;
};

}  // namespace lanescope::ui
