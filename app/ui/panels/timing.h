// What it costs on real hardware: recordings as plots, the lecture's table, what the documents claim; and a measurement
// of this machine's own GPU as it runs.
#pragma once

#include "scene/timing_scene.h"
#include "timing/difference.h"
#include "ui/estimator.h"
#include "ui/panel.h"
#include "ui/panels/xy_plots.h"
#include "ui/scene_view.h"
#include "ui/timings.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

class TimingPanel : public Panel {
  public:
    /// `folder`: where a person's own recordings are; empty: none are kept.
    explicit TimingPanel(std::filesystem::path folder) : timings_(std::move(folder)) {}

    [[nodiscard]] const char* title() const override { return "Timing"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    void draw(Context& context) override;
    [[nodiscard]] const scene::Scene* drawn() const override;
    [[nodiscard]] scene::Scene whole_picture(const Workspace& workspace) const override;
    [[nodiscard]] std::string csv(const Workspace& workspace) const override;
    [[nodiscard]] double seconds_until_redraw() const override {
        return timings_.measuring() || estimator_.busy() ? 0.1 : 0;
    }

    /// A recording that a person brings.
    [[nodiscard]] Result<void> open_recording(const std::filesystem::path& file) { return timings_.open(file); }
    /// Takes what a measurement under way has found, whether the panel is seen or not.
    void poll() { timings_.poll(); }

    void show(scene::TimingChart chart) { view_.chart = chart; }

    // For tests.
    [[nodiscard]] Timings& timings() { return timings_; }
    [[nodiscard]] const scene::TimingView& view() const { return view_; }
    /// As it is looked at.
    [[nodiscard]] const scene::XyPlot& plot() const { return plot_; }
    [[nodiscard]] scene::XyPlot seen() const { return plots_.as_seen(plot_); }
    [[nodiscard]] const std::optional<std::size_t>& selected() const { return selected_; }
    [[nodiscard]] const std::vector<scene::PlotPin>& pins() const { return pins_; }
    /// Opens the point's kernel where it loses its time, and says what made it faster than its neighbour.
    void select(Workspace& workspace, std::size_t point);
    void pin(std::size_t point);

  private:
    static constexpr float control = 26, state_row = 30;  // points
    /// A kernel asked for, to be looked at where it loses its time as soon as it has run.
    struct Awaited {
        std::string program;
        std::uint32_t block = 0;
    };
    void follow(Workspace& workspace);
    void arrive(Workspace& workspace);
    void estimate(const Workspace& workspace);
    [[nodiscard]] scene::TimingSubject subject() const;
    void rebuild();
    void draw_controls(Context& context, float width);
    void draw_settings(Context& context, float width);
    void draw_state(Context& context, float width);
    [[nodiscard]] std::string beginning() const;
    /// What was not timed, and why: a button that opens the list, between these two, pixels.
    void draw_omissions(const Look& look, float right, float left);
    void draw_chart(Context& context, ImVec2 size);
    void draw_plot(Context& context, ImVec2 size);
    void draw_table(Context& context, ImVec2 size);
    void draw_difference(const Look& look, ImVec2 size) const;
    void tell(const Look& look, const scene::PlotSeries& series, const scene::PlotPoint& point) const;
    void measure();

    Timings timings_;
    scene::TimingView view_;
    scene::XyPlot plot_;
    std::optional<scene::TimingView> built_for_, framed_for_;
    std::optional<timing::Setting> setting_;  // of the view
    std::uint64_t built_version_ = 0;
    std::optional<std::size_t> built_chosen_;
    std::uint64_t plots_built_ = 0;
    Estimator estimator_;
    XyPlots plots_;
    SceneView table_{5};
    float table_width_ = 0, table_height_ = 0, table_pan_ = 0;
    std::optional<scene::TimingView> table_for_;
    std::uint64_t table_version_ = 0;
    std::optional<std::size_t> selected_;
    std::optional<timing::Difference> difference_;
    std::vector<scene::PlotPin> pins_;
    std::optional<Awaited> awaited_;
    float width_ = 760;  // points, for the picture of it
    mutable std::optional<scene::Scene> scene_;
};

}  // namespace lanescope::ui
