// The right of the launch bar: the outcome of the run, and the progress of the next one.
#pragma once

#include "ui/panels/bar_item.h"

namespace lanescope::ui {

class Shell;

/// Badges for a refused source, findings, the verdict and the machine; the progress of a run that takes a while, and
/// its Cancel, in their place.
[[nodiscard]] std::vector<BarItem> run_status_items(Context& context, Shell& shell, Brevity brevity);

}  // namespace lanescope::ui
