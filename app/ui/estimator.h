// What the kernel in the window would take on a machine that was recorded: counted by the emulator in the background, as
// compiled, at a few sizes, and priced by the recording's cost model. No ImGui.
#pragma once

#include "scene/timing_plots.h"
#include "session/session.h"
#include "timing/cost_model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

class Estimator {
  public:
    /// Asks for the kernel of `request` in blocks of `block`, on the machine of `recording`, whose content `version` names.
    /// Cheap where nothing has changed.
    void follow(const session::Request& request, std::uint32_t block, const timing::Recording& recording,
                std::uint64_t version);
    /// Takes what was counted. True when there is another estimate.
    bool poll();
    [[nodiscard]] bool busy() const { return runner_.busy(); }
    /// By growing n; empty where there is no model, or nothing was counted yet.
    [[nodiscard]] const scene::Estimates& estimates() const { return estimates_; }

  private:
    void ask();

    session::Runner runner_;
    std::string asked_;  // what identifies the request
    session::Request request_;
    std::size_t next_ = 0;  // of the sizes
    std::vector<timing::Point> counted_;
    std::optional<timing::JudgedModel> model_;
    std::optional<std::uint64_t> model_of_;  // version of the recording
    scene::Estimates estimates_;
};

}  // namespace lanescope::ui
