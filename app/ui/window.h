// The operating system's window: GLFW, an OpenGL 3.3 context, Dear ImGui's context and the Shell inside it.
#pragma once

#include "base/result.h"
#include "render/image/image.h"
#include "ui/app.h"
#include "ui/last_session.h"
#include "ui/shell.h"

#include <filesystem>
#include <memory>
#include <optional>

struct GLFWwindow;
struct ImGuiContext;

namespace lanescope::ui {

class Window {
  public:
    /// Fails without a display or without OpenGL 3.3.
    [[nodiscard]] static Result<std::unique_ptr<Window>> open(const session::WindowOptions& options);
    ~Window();

    [[nodiscard]] Shell& shell() { return *shell_; }
    /// False once where a lecture has edits that are not saved: the user is warned.
    [[nodiscard]] bool should_close();

    /// Draws one frame and shows it.
    void frame();
    /// Sleeps until an event may change the picture; polls during animation.
    void wait();
    void poll();                         ///< handles events without sleeping
    void resize(int width, int height);  ///< in screen coordinates
    void toggle_full_screen();
    [[nodiscard]] bool full_screen() const;
    void close();
    /// Handles files dropped onto the window.
    void dropped(int count, const char** paths);

    /// The file of the last session; empty: none is kept.
    [[nodiscard]] std::filesystem::path session_file() const;

    /// Draws a frame and reads it back.
    [[nodiscard]] const render::Pixels& picture() {
        keep_pixels_ = true;
        frame();
        keep_pixels_ = false;
        return pixels_;
    }
    /// Writes settings, layout and session, unless the window keeps nothing.
    void save();

    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

  private:
    Window() = default;
    /// Woken for the files; true when there is something to draw.
    bool look_at_files(double now);

    GLFWwindow* window_ = nullptr;
    ImGuiContext* imgui_ = nullptr;
    std::unique_ptr<Shell> shell_;
    std::filesystem::path folder_;  // of settings and layout; empty: nothing is remembered
    std::string layout_file_;       // ImGui keeps a pointer to it
    bool keep_pixels_ = false;
    bool was_busy_ = false;
    render::Pixels pixels_;
    int lively_ = 0;  // frames still to draw after an event, until the layout settles
    double settle_until_ = 0;
    std::optional<SessionKeeper> keeper_;
    Settings kept_;         // as last written
    double next_look_ = 0;  // at the disk
    struct Placement {
        int x = 0, y = 0, width = 0, height = 0;
    };
    Placement windowed_;  // before full screen
};

}  // namespace lanescope::ui
