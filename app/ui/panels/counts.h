// How much: the passes of the block in numbers and as charts, filling as one steps.
#pragma once

#include "analysis/panels/counts_picture.h"
#include "scene/chart.h"
#include "scene/pass_names.h"
#include "scene/scene.h"
#include "session/hardware_counts.h"
#include "ui/panel.h"
#include "ui/panels/plots.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

class CountsPanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Counts"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;
    [[nodiscard]] const scene::Scene* drawn() const override;

    /// All counts of the block, pass by pass; empty where nothing has run.
    [[nodiscard]] std::string csv(const Workspace& workspace) const override;
    /// What a GPU's own counters said, a line each.
    struct HardwareLine {
        std::optional<bool> equal;  ///< nothing: another launch was counted
        std::string text, meaning;
    };
    /// What is shown, for tests.
    [[nodiscard]] const analysis::CountsPicture& picture() const { return picture_; }
    [[nodiscard]] const std::vector<HardwareLine>& hardware_lines() const { return hardware_lines_; }

    /// How the table is written: em of its letters, points between its columns and at its left edge.
    struct Letters {
        float numbers = 0, headings = 0, gap = 0, edge = 0;
        bool staggered = false;  ///< headings stand on two lines by turns
    };

  private:
    void count(const Workspace& workspace);
    void draw_table(Context& context, ImVec2 size);
    void draw_headings(const Look& look) const;
    void draw_row(Context& context, std::size_t index, unsigned pinned);
    void draw_total(const Look& look, bool above) const;
    void draw_forms(const Look& look) const;
    void draw_hardware(Context& context) const;
    void draw_charts(Context& context, ImVec2 at, ImVec2 room);
    void draw_chart(Context& context, const scene::Chart& chart, ImVec2 at, ImVec2 size);

    static std::vector<HardwareLine> lines_of(const session::HardwareCounts& counts);

    std::optional<session::HardwareCounts> hardware_;  // of the run
    std::vector<HardwareLine> hardware_lines_;
    std::optional<analysis::PassUnderWay> under_way_;
    analysis::CountsPicture picture_;
    std::vector<scene::Chart> charts_;
    scene::ShortNames names_;         // of the passes
    std::uint64_t counted_for_ = 0;   // Shown::id
    std::size_t counted_at_ = 0;      // position
    std::size_t chosen_chart_ = 0;    // where there is room for one only
    std::uint64_t scrolled_for_ = 0;  // the pass brought into view last, so that one may scroll away from it
    std::size_t scrolled_to_ = 0;
    Plots plots_;
    Letters letters_;
    float width_ = 480;  // points of the panel, for the picture of it
    mutable std::optional<scene::Scene> scene_;
};

}  // namespace lanescope::ui
