// Where a person was: the program, its launch, the block shown, the place in it, the selection. Kept shortly after
// each change, so that the next start returns there, after a crash too.
#pragma once

#include "base/result.h"
#include "ui/workspace.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace lanescope::ui {

struct Session {
    LaunchValues launch;
    Bookmark bookmark;
    unsigned tries = 0;  ///< starts that tried to return here and have not shown it yet
    friend bool operator==(const Session&, const Session&) = default;
};

/// Of what is on the screen; nothing before the first run.
[[nodiscard]] std::optional<Session> session_of(const Workspace& workspace);

/// Nothing where there is no file, or it does not name a program.
[[nodiscard]] std::optional<Session> load_session(const std::filesystem::path& file);
[[nodiscard]] Result<void> save_session(const Session& session, const std::filesystem::path& file);

/// Keeps a file up to date with the workspace, a moment after each change and not more often.
class SessionKeeper {
  public:
    explicit SessionKeeper(std::filesystem::path file) : file_(std::move(file)) {}
    /// Call once a frame, with a clock in seconds.
    void follow(const Workspace& workspace, double now);
    /// Until something is to be written, in seconds; below 0: nothing is.
    [[nodiscard]] double due_in(double now) const;
    void write();  ///< what is due, at once

  private:
    std::filesystem::path file_;
    std::optional<Session> seen_;
    std::optional<double> changed_at_;
};

}  // namespace lanescope::ui
