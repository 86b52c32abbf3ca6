// One frame of the window: launch bar on top, docked panels, narration and transport below. Everything but the window
// itself: who owns the GLFW window (or a test) calls draw() between ImGui's NewFrame and Render.
#pragma once

#include "render/gl/renderer.h"
#include "ui/look.h"
#include "ui/model.h"
#include "ui/panel.h"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace lanescope::ui {

class LaunchBar;
class Narration;
class PassesPanel;
class SourcePanel;

class Shell {
  public:
    /// What only the window can do.
    struct Host {
        std::function<void()> toggle_full_screen = [] {};
        std::function<void(const char*)> copy = [](const char*) {};
    };

    Shell(Settings settings, std::unique_ptr<render::GlRenderer> renderer, Host host);
    ~Shell();

    /// Before NewFrame: fonts, style, scale. `monitor_scale`: pixels a point; `width`, `height` of the window in pixels.
    void prepare(float monitor_scale, float width, float height);
    /// The whole frame.
    void draw();
    /// How long the picture stays as it is unless something happens, in seconds; below 0: for ever.
    [[nodiscard]] double quiet_for() const;

    [[nodiscard]] Model& model() { return model_; }
    [[nodiscard]] const Look& look() const { return look_; }
    [[nodiscard]] std::vector<std::unique_ptr<Panel>>& panels() { return panels_; }

    // --- what commands do beside the model's own ---
    void toggle_theme();
    void zoom_interface(int direction);  ///< 0: back to 1
    void toggle_full_screen() { host_.toggle_full_screen(); }
    void toggle_help() { help_open_ = !help_open_; }
    void escape();  ///< closes help, else clears the selection
    void fit_picture();
    void copy_source();
    void bring_up(std::string_view panel);
    void arrange_anew() { arrange_ = true; }
    [[nodiscard]] bool help_open() const { return help_open_; }

  private:
    void dock_space(float top, float bottom);
    [[nodiscard]] std::vector<unsigned> docks() const;  // where each panel is docked; 0: nowhere

    Model model_;
    Look look_;
    std::unique_ptr<render::GlRenderer> renderer_;
    Host host_;
    std::unique_ptr<LaunchBar> launch_bar_;
    std::unique_ptr<Narration> narration_;
    std::vector<std::unique_ptr<Panel>> panels_;
    SourcePanel* source_ = nullptr;  // of panels_
    PassesPanel* passes_ = nullptr;
    bool help_open_ = false;
    bool arrange_ = false;
    bool default_narrow_ = false, default_low_ = false;
    std::vector<unsigned> default_docks_;  // of the default arrangement; empty: the arrangement is a person's own
    int arranged_at_ = -1;                 // frame; the docks are known a little later
    float monitor_scale_ = 1;
    float width_ = 0, height_ = 0;  // points there are room for at scale 1
};

}  // namespace lanescope::ui
