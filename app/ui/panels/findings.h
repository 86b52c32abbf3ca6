// Errors of the kernel, messages of the compiler, a wrong result; a click goes there.
#pragma once

#include "ui/panel.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::ui {

class FindingsPanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Findings"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    void draw(Context& context) override;
    /// Whether a run has just ended with errors: then, once, its tab is selected.
    [[nodiscard]] bool appears(const Workspace& workspace);

  private:
    std::weak_ptr<const session::Run> appeared_for_;
};

}  // namespace lanescope::ui
