// Estimates the time of the kernel in the window on a recorded machine: the emulator counts its whole algorithm in the
// background, as compiled, over the recording's range of sizes, and the recording's cost model prices the counts. No
// ImGui.
#pragma once

#include "session/run.h"
#include "timing/estimates.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace lanescope::ui {

class Estimator {
  public:
    Estimator();
    ~Estimator();
    Estimator(const Estimator&) = delete;
    Estimator& operator=(const Estimator&) = delete;

    /// Requests the kernel of `request` in blocks of `block`, on the machine of `recording`, whose content `version`
    /// identifies. Cheap where nothing has changed.
    void follow(const session::Request& request, std::uint32_t block, const timing::Recording& recording,
                std::uint64_t version);
    /// Takes finished counts. True when there is a new estimate.
    bool poll();
    [[nodiscard]] bool busy() const;
    /// By increasing n; empty without a cost model, or before the first count.
    [[nodiscard]] const timing::Estimates& estimates() const { return estimates_; }

  private:
    struct Work;

    std::unique_ptr<Work> work_;
    std::string asked_;  // what identifies the request
    std::optional<timing::JudgedModel> model_;
    std::optional<std::uint64_t> model_of_;  // version of the recording
    timing::Estimates estimates_;
};

}  // namespace lanescope::ui
