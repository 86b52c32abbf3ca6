// The Grid panel: the blocks of all launches on one clock, and the values that one block wrote and another read. A
// click on a block shows it, a click on an arc goes to the read.
#pragma once

#include "analysis/panels/grid_picture.h"
#include "scene/grid_scene.h"
#include "session/hardware_timeline.h"
#include "ui/panel.h"
#include "ui/scene_view.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lanescope::ui {

class GridPanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Grid"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;
    [[nodiscard]] const scene::Scene* drawn() const override { return &view_.scene(); }
    [[nodiscard]] scene::Scene whole_picture(const Workspace& workspace) const override;

    // For tests.
    [[nodiscard]] bool shows_own_launch() const {
        return shows_hardware() && !timelines_.empty() && timelines_[recorded_ - 1].same_launch;
    }
    [[nodiscard]] const analysis::GridPicture& picture() const { return picture_; }
    [[nodiscard]] const SceneView& view() const { return view_; }

  private:
    struct Key {
        const session::Run* run = nullptr;
        std::uint64_t shown = 0;
        std::optional<std::uint64_t> tick;
        float width = 0, height = 0;
        double zoom = 1, scroll = 0, hardware_zoom = 1, hardware_scroll = 0;
        std::size_t recorded = 0;
        unsigned recordings = 0;
        bool warps = false;
        std::size_t position = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };

    void take(const Workspace& workspace);
    void find_timelines();
    /// The button that records this launch, or cancels the recording; returns where it begins.
    float record_button(Context& context, float right, float top, float height);
    void build(const Workspace& workspace);
    /// `at`: the share of the panel's width that stays where it is.
    void zoom_by(double factor, double at, bool hardware);
    [[nodiscard]] bool shows_hardware() const { return recorded_ > 0; }
    /// The recorded block on screen, if the waits of its warps were recorded; else nullptr.
    [[nodiscard]] const timing::TimelineBlock* block_with_warps(const Workspace& workspace) const;
    /// The recording below the emulated grid, in at most that height; 0: as high as it needs.
    [[nodiscard]] scene::Scene hardware_drawing(const Workspace& workspace, const scene::GridOptions& grid, double zoom,
                                                double scroll) const;
    /// Height 0: as high as it needs.
    [[nodiscard]] scene::Scene drawing(const Workspace& workspace, const scene::GridOptions& grid, double zoom,
                                       double scroll) const;
    void move(const SceneView::Surface& surface, float scale);
    void act(Context& context, const SceneView::Surface& surface, float scale);
    static bool enter_block(Workspace& workspace, std::uint32_t launch, BlockId block, bool clicked);
    void act_on_warp(Context& context, const scene::TraceRef& ref, bool clicked);
    void act_on_host_step(Context& context, const scene::TraceRef& ref, bool clicked) const;
    void describe_block(const Context& context, std::uint32_t launch, BlockId block) const;
    void describe_recorded(const Context& context, std::uint32_t launch, std::uint32_t block) const;
    /// `step`: of the emulator, where the warp is in that part for the first time.
    void describe_warp(const Context& context, std::uint32_t warp, std::uint32_t part,
                       std::optional<std::size_t> step) const;
    /// Describes a bundle of arcs; clicked: zooms in on it.
    void show_bundle(const Context& context, std::size_t number, bool clicked);
    void describe_arc(const Context& context, const analysis::GridArc& arc) const;
    [[nodiscard]] scene::GridOptions options(const Workspace& workspace) const;
    /// Those of the grid that was drawn: a recording below it takes a part of the height.
    [[nodiscard]] scene::GridOptions drawn_options(const Workspace& workspace) const;
    /// On the time axis: a click goes to that moment. False elsewhere.
    bool show_moment(Context& context, const SceneView::Surface& surface, float scale, bool clicked);
    [[nodiscard]] std::optional<std::uint64_t> tick(const Workspace& workspace) const;

    SceneView view_;
    std::shared_ptr<const session::Run> run_;  // whose picture it is
    analysis::GridPicture picture_;
    float width_ = 640, height_ = 0;  // points
    double zoom_ = 1, scroll_ = 0;
    std::vector<session::HardwareTimeline> timelines_;  // of the run's program
    std::size_t recorded_ = 1;                          // 0: hidden; else the number of the timeline, from 1
    double hardware_zoom_ = 1, hardware_scroll_ = 0;
    bool warps_ = false;       // of the block on screen, in place of all blocks
    unsigned recordings_ = 0;  // of the recorder, when the timelines were found
    std::optional<Key> built_for_;
};

}  // namespace lanescope::ui
