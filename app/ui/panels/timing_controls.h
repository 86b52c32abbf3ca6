// The rows above the chart of the Timing panel: which chart, which recording, which sizes; a running measurement.
#pragma once

#include "scene/timing_scene.h"
#include "timing/measurement.h"
#include "ui/look.h"
#include "ui/timings.h"

#include <optional>
#include <string>

namespace lanescope::ui {

/// Each row is drawn at the cursor, `width` pixels wide. A choice changes the view or the recording, or starts or
/// cancels a measurement.
class TimingControls {
  public:
    static constexpr float control = 26, state_row = 30;  ///< heights, points

    /// `setting`: of the view; `plot`: as drawn; a measurement times its visible kernels.
    TimingControls(Timings& timings, scene::TimingView& view, const std::optional<timing::Setting>& setting,
                   const scene::XyPlot& plot, const scene::TimingSubject& subject)
        : timings_(timings), view_(view), setting_(setting), plot_(plot), subject_(subject) {}

    void draw_chart_row(const Look& look, float width);
    /// The recording, and which of its kernels, sizes and blocks are shown.
    void draw_recording_row(const Look& look, float width);
    /// A running measurement, or why it could not continue.
    void draw_measurement_row(const Look& look, float width);

  private:
    void measure();
    [[nodiscard]] std::string beginning() const;

    Timings& timings_;
    scene::TimingView& view_;
    const std::optional<timing::Setting>& setting_;
    const scene::XyPlot& plot_;
    const scene::TimingSubject& subject_;
};

}  // namespace lanescope::ui
