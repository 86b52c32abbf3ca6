// The first screen of the window: the launch on the command line, otherwise the last session, otherwise the first
// kernel of the catalog.
#pragma once

#include "ui/app.h"

#include <filesystem>

namespace lanescope::ui {

class Shell;

class Start {
  public:
    /// Starts that run. `session`: the file of the last session; empty: none.
    Start(Shell& shell, const session::WindowOptions& options, std::filesystem::path session);
    /// Call once a frame: goes to the requested position; if the last session cannot be restored, starts with the first
    /// kernel and reports why. True when it is done.
    bool follow();
    /// False if the requested position does not exist; stderr has the reason.
    [[nodiscard]] bool went_well() const { return went_well_; }

    /// The next frame must not wait: panels are still being arranged.
    [[nodiscard]] bool hurries() const { return hurries_; }

  private:
    void begin_with_the_first();
    bool open_in_front();
    bool go_to_place();

    Shell& shell_;
    session::WindowOptions options_;
    std::filesystem::path session_;
    int frames_ = 0, opened_at_ = 0;  // since the start; when the recording was opened
    bool hurries_ = false;
    bool restoring_ = false, done_ = false, went_well_ = true;
};

}  // namespace lanescope::ui
