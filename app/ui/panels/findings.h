// Errors of the kernel, messages of the compiler, a wrong result; a click goes there.
#pragma once

#include "ui/panel.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lanescope::ui {

class FindingsPanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Findings"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    void draw(Context& context) override;
    /// Whether a run has errors, once for each run that has ended; if it has, the tab is to be selected.
    [[nodiscard]] std::optional<bool> news(const Workspace& workspace);

  private:
    std::weak_ptr<const session::Run> told_of_;
};

}  // namespace lanescope::ui
