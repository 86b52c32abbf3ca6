// A panel's pictures at the end of each pass -> an animation: the window walks through the passes, one a frame, and a
// thread of its own draws and writes the file.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "render/image/animation.h"
#include "scene/scene.h"
#include "ui/panel.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace lanescope::ui {

class PassAnimation {
  public:
    PassAnimation() = default;
    ~PassAnimation() { stop(); }
    PassAnimation(const PassAnimation&) = delete;
    PassAnimation& operator=(const PassAnimation&) = delete;

    /// The number of frames: one for each pass of the block that is shown.
    [[nodiscard]] static std::size_t frames_of(const Workspace& workspace);

    /// Begins at the first pass. `width` of the file in pixels. Fails if nothing installed can write the
    /// format, or if the block has too many passes. The panel must outlive this.
    [[nodiscard]] Result<void> start(const Panel& panel, Workspace& workspace, const std::filesystem::path& path,
                                     int width, double seconds, scene::Theme theme);
    /// Once a frame, after the panels were drawn: takes the picture, and goes on to the next pass. Restores the place
    /// once all pictures are taken. Returns the outcome once: the file is written, or why it is not.
    [[nodiscard]] std::optional<Result<void>> follow(Workspace& workspace);
    void cancel(Workspace& workspace);

    [[nodiscard]] bool running() const { return panel_ != nullptr; }
    [[nodiscard]] float share() const;  ///< 0..1
    [[nodiscard]] std::string doing() const;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    struct Task {
        Progress progress;
        std::atomic<bool> ended = false;
        Result<void> answer;
        std::vector<scene::Scene> scenes;
        std::jthread thread;
    };
    void take(Workspace& workspace);
    void write();
    void stop();
    void return_to_place(Workspace& workspace) const;

    const Panel* panel_ = nullptr;  // null: not running
    std::uint64_t shown_ = 0;       // Shown::id
    std::vector<std::size_t> positions_;
    std::vector<scene::Scene> scenes_;
    std::size_t place_ = 0;  // to return to
    int waited_ = 0;         // frames for this picture
    std::filesystem::path path_;
    int width_ = 0;
    render::AnimationOptions options_;
    std::unique_ptr<Task> task_;
};

}  // namespace lanescope::ui
