// When the next step of a playback is due. No ImGui, no clock of its own: the window says how much time has passed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace lanescope::ui {

class Playback {
  public:
    [[nodiscard]] bool runs() const { return runs_; }
    void run(bool on) {
        runs_ = on;
        restart_step();
    }
    /// Stops if not `on`; else leaves the playback as it is, so that the current step does not last longer.
    void keep_running(bool on) { runs_ = runs_ && on; }
    /// The step that is shown lasts its whole time from now on: the user moved.
    void restart_step() { waited_ = 0; }

    /// How many steps `seconds` bring at `steps_per_second`; the rest of the time counts for the next one.
    [[nodiscard]] std::size_t steps_after(double seconds, double steps_per_second) {
        if (!runs_) return 0;
        waited_ += seconds;
        const double steps = std::floor(waited_ * steps_per_second);
        waited_ -= steps / steps_per_second;
        return static_cast<std::size_t>(steps);
    }
    /// Negative: it does not run.
    [[nodiscard]] double seconds_to_next_step(double steps_per_second) const {
        return runs_ ? std::max(0.0, 1 / steps_per_second - waited_) : -1;
    }

  private:
    bool runs_ = false;
    double waited_ = 0;  // seconds since the last step
};

}  // namespace lanescope::ui
