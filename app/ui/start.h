// What the window shows first: what was asked for, else where a person was the last time, else the first kernel there
// is.
#pragma once

#include "ui/app.h"

#include <filesystem>

namespace lanescope::ui {

class Shell;

class Start {
  public:
    /// Asks the workspace for it. `session`: the file of the last session; empty: there is none.
    Start(Shell& shell, const Options& options, std::filesystem::path session);
    /// Once a frame until it is done: goes to the place that was asked for; where the last session cannot be returned
    /// to, begins anew and says why. True when there is nothing more to do.
    bool follow();
    /// False where the place that was asked for is not there; that is said on stderr.
    [[nodiscard]] bool went_well() const { return went_well_; }

    /// The next frame is not to be waited for: something comes to its place.
    [[nodiscard]] bool hurries() const { return hurries_; }

  private:
    void begin_with_the_first();
    bool open_in_front();
    bool go_to_place();

    Shell& shell_;
    Options options_;
    std::filesystem::path session_;
    int frames_ = 0, opened_at_ = 0;  // since the begin; when the recording was opened
    bool hurries_ = false;
    bool restoring_ = false, done_ = false, went_well_ = true;
};

}  // namespace lanescope::ui
