// The last session: the program, its launch, the block, the position, the selection. Written shortly after each change,
// so that the next start restores it, after a crash as well.
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
    unsigned tries = 0;  ///< starts that tried to restore it and have not shown it yet
    friend bool operator==(const Session&, const Session&) = default;
};

/// The session that the window shows; nothing before the first run.
[[nodiscard]] std::optional<Session> session_of(const Workspace& workspace);

/// Nothing without a file, or if it does not name a program.
[[nodiscard]] std::optional<Session> load_session(const std::filesystem::path& file);
[[nodiscard]] Result<void> save_session(const Session& session, const std::filesystem::path& file);

/// Writes the session a moment after each change.
class SessionKeeper {
  public:
    explicit SessionKeeper(std::filesystem::path file) : file_(std::move(file)) {}
    /// Call once a frame, with a clock in seconds.
    void follow(const Workspace& workspace, double now);
    /// Seconds until the next write; below 0: nothing to write.
    [[nodiscard]] double due_in(double now) const;
    void write();  ///< now, if there is a change

  private:
    std::filesystem::path file_;
    std::optional<Session> seen_;
    std::optional<double> changed_at_;
};

}  // namespace lanescope::ui
