// The Counts panel: the passes of the block in numbers and as charts, which fill during stepping.
#pragma once

#include "analysis/panels/counts_picture.h"
#include "scene/counts_scene.h"
#include "session/hardware_counts.h"
#include "ui/panel.h"
#include "ui/scene_view.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::ui {

class CountsPanel : public Panel {
  public:
    /// `to_timing` brings up the Timing panel.
    explicit CountsPanel(std::function<void()> to_timing) : to_timing_(std::move(to_timing)) {}

    [[nodiscard]] const char* title() const override { return "Counts"; }
    [[nodiscard]] double seconds_until_redraw() const override { return estimating_ ? 0.1 : 0; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;
    [[nodiscard]] Needs needs(const Workspace& workspace) const override;
    [[nodiscard]] const scene::Scene* drawn() const override {
        return picture_.rows.empty() ? nullptr : &view_.scene();
    }

    [[nodiscard]] scene::Scene whole_picture(const Workspace& workspace) const override;

    /// All counts of the block, pass by pass; empty where nothing has run.
    [[nodiscard]] std::string csv(const Workspace& workspace) const override;
    /// A GPU's own counters, a line each.
    struct HardwareLine {
        std::optional<bool> equal;  ///< nothing: another launch was counted
        std::string text, meaning;
    };
    // For tests.
    [[nodiscard]] const analysis::CountsPicture& picture() const { return picture_; }
    [[nodiscard]] const std::vector<HardwareLine>& hardware_lines() const { return hardware_lines_; }
    [[nodiscard]] const SceneView& view() const { return view_; }

  private:
    void share_time(Workspace& workspace);
    struct Key {
        std::uint64_t shown = 0, baseline = 0;
        std::size_t position = 0, chart = 0;
        bool all_columns = false;
        float width = 0, height = 0, scroll_x = 0, scroll_y = 0;
        std::optional<std::size_t> hovered;
        std::string time;
        friend bool operator==(const Key&, const Key&) = default;
    };
    void count(const Workspace& workspace, const Comparing* comparing);
    [[nodiscard]] std::vector<scene::CountsNote> notes() const;
    void build(const Workspace& workspace, const Look& look, const SceneView::Surface& surface);
    void answer_mouse(Context& context, const SceneView::Surface& surface);
    void explain_row(const Look& look, std::size_t index) const;
    void explain_note(const Look& look, std::size_t index) const;
    static void explain_category(const Look& look, const scene::Chart& chart, std::size_t category);
    void show_counted_launch(Workspace& workspace) const;

    static std::vector<HardwareLine> lines_of(const session::HardwareCounts& counts);

    std::optional<session::HardwareCounts> hardware_;  // of the run
    std::vector<HardwareLine> hardware_lines_;
    std::optional<analysis::PassUnderWay> under_way_;
    std::optional<analysis::ExcessCounts> excess_;
    analysis::CountsPicture picture_;
    std::uint64_t counted_for_ = 0;  // Shown::id
    std::size_t counted_at_ = 0;     // position
    std::uint64_t baseline_ = 0;     // Shown::id of B; 0: nothing is compared
    SceneView view_;
    std::optional<Key> built_for_;
    std::size_t chosen_chart_ = 0;  // where there is room for only one
    /// Shown::id and the pass scrolled into view last, so that the user may scroll away from it.
    std::pair<std::uint64_t, std::size_t> brought_{0, 0};
    ImVec2 scroll_{0, 0};  // points
    std::optional<std::size_t> hovered_;
    bool rounded_ = false;  // the table rounds counts: the tooltip of a row has them all
    float width_ = 480;     // points of the panel, for the picture of it
    std::function<void()> to_timing_;
    bool estimating_ = false;
    struct TimeLine {
        std::string text, meaning;  ///< empty: there is none
        friend bool operator==(const TimeLine&, const TimeLine&) = default;
    };
    TimeLine time_line_;  // of the pass at the cursor
};

}  // namespace lanescope::ui
