// The Timing panel: recordings of real hardware as plots and tables, and the progress of a measurement on this
// machine's GPU.
#pragma once

#include "scene/timing_scene.h"
#include "timing/difference.h"
#include "ui/estimator.h"
#include "ui/panel.h"
#include "ui/scene_view.h"
#include "ui/timings.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

class TimingPanel : public Panel {
  public:
    /// `folder`: the user's own recordings; empty: none are kept.
    /// `to_counts` brings up the Counts panel.
    TimingPanel(std::filesystem::path folder, std::function<void()> to_counts)
        : timings_(std::move(folder)), to_counts_(std::move(to_counts)) {}

    [[nodiscard]] const char* title() const override { return "Timing"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;
    [[nodiscard]] Needs needs(const Workspace& workspace) const override;
    [[nodiscard]] const scene::Scene* drawn() const override {
        return timings_.chosen() ? &view_of_chart_.scene() : nullptr;
    }
    [[nodiscard]] scene::Scene whole_picture(const Workspace& workspace) const override;
    [[nodiscard]] std::string csv(const Workspace& workspace) const override;
    [[nodiscard]] double seconds_until_redraw() const override {
        return timings_.measuring() || estimator_.busy() ? 0.1 : 0;
    }

    /// Opens the user's recording.
    [[nodiscard]] Result<void> open_recording(const std::filesystem::path& file) { return timings_.open(file); }
    /// Takes the results of a running measurement, whether the panel is visible or not.
    void poll() { timings_.poll(); }

    void show(scene::TimingChart chart) { view_.chart = chart; }

    // For tests.
    [[nodiscard]] Timings& timings() { return timings_; }
    [[nodiscard]] const scene::TimingView& view() const { return view_; }
    /// The current view.
    [[nodiscard]] const scene::XyPlot& plot() const { return plot_; }
    [[nodiscard]] scene::XyPlot seen() const;
    [[nodiscard]] bool is_brief() const { return brief_; }     ///< few lines, in a small panel
    [[nodiscard]] bool explains() const { return explains_; }  ///< the difference stands in the place of the chart
    [[nodiscard]] const std::string& own_text() const { return own_text_; }  ///< of the user's program; empty: charts
    [[nodiscard]] const SceneView& picture() const { return view_of_chart_; }
    [[nodiscard]] const std::optional<std::size_t>& selected() const { return selected_; }
    [[nodiscard]] const std::vector<scene::PlotPin>& pins() const { return pins_; }
    /// Opens the point's kernel at its most expensive pass, and explains why it is faster than its neighbor.
    void select(Workspace& workspace, std::size_t point);
    void pin(std::size_t point);

  private:
    /// A requested kernel: once it has run, the window goes to its most expensive pass.
    struct Awaited {
        std::string program;
        std::uint32_t block = 0;
        std::optional<std::size_t> position;  ///< where it has run, and its estimate is awaited
    };
    void follow(const Workspace& workspace, const Comparing* comparing);
    void arrive(Workspace& workspace);
    void estimate(const Workspace& workspace);
    [[nodiscard]] scene::TimingSubject subject() const;
    void rebuild();
    /// Whether the program on screen is the user's own, without a time in the recording: then charts of the catalog are
    /// of other kernels, and appear on request.
    [[nodiscard]] bool is_of_others(const Workspace& workspace) const;
    void draw_own(Context& context);
    /// The plot with the user's axes, pins and selection.
    [[nodiscard]] scene::XyPlot seen_of(scene::XyPlot plot) const;
    void draw_difference(Context& context, ImVec2 at, ImVec2 size);
    void draw_chart(Context& context, ImVec2 size);
    void draw_plot(Context& context);
    void draw_table(Context& context);
    /// The part of the plot under the mouse: 0 within the axes, 1 beside the x axis, 2 beside the y axis.
    [[nodiscard]] std::optional<std::uint32_t> part_of_plot() const;
    void move_axes(const SceneView::Surface& surface);
    void answer_mouse(Context& context, const SceneView::Surface& surface);
    void show_tip(const Look& look, const scene::PlotSeries& series, const scene::PlotPoint& point) const;

    Timings timings_;
    std::function<void()> to_counts_;
    scene::TimingView view_;
    scene::XyPlot plot_;
    std::optional<scene::TimingView> built_for_, framed_for_;
    std::optional<timing::Setting> setting_;  // of the view
    std::uint64_t built_version_ = 0;
    std::optional<std::size_t> built_chosen_;
    std::uint64_t plots_built_ = 0;
    Estimator estimator_;
    /// The axes as moved by the user; nothing: the whole plot is visible.
    struct Axes {
        double x_low = 0, x_high = 0, y_low = 0, y_high = 0;
        friend bool operator==(const Axes&, const Axes&) = default;
    };
    std::optional<Axes> axes_;
    std::optional<std::uint32_t> dragged_;  // part of the plot where the drag began, as references number them
    /// The state that the scene was made from.
    struct Key {
        std::uint64_t plot = 0;
        float width = 0, height = 0, scroll = 0;
        std::optional<Axes> axes;
        std::optional<std::size_t> hovered, selected;
        std::vector<scene::PlotPin> pins;
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::optional<Key> drawn_for_;
    SceneView view_of_chart_, view_of_difference_;
    float scroll_ = 0;                    // of the legend or the table, points
    std::optional<std::size_t> hovered_;  // entry of the legend
    std::optional<std::size_t> selected_;
    std::optional<timing::Difference> difference_;
    std::optional<float> difference_width_;  // of its scene
    bool brief_ = false, explains_ = false;
    std::string catalog_beside_;  // the user's program for which the catalog's charts were requested
    std::string own_text_;
    float difference_scroll_ = 0;  // points
    std::vector<scene::PlotPin> pins_;
    std::optional<Awaited> awaited_;
    float width_ = 760;  // points, for the picture of it
};

}  // namespace lanescope::ui
