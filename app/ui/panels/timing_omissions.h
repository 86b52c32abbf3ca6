// The Timing panel's list of the times that a recording lacks, and why.
#pragma once

#include "scene/timing_scene.h"
#include "timing/measurement.h"
#include "ui/look.h"

#include <string_view>

namespace lanescope::ui {

/// A button that opens the list of the family's missing times. Between `left` and `right`, pixels; nothing where it
/// does not fit or where no time is missing.
void draw_omissions(const Look& look, const timing::Recording& recording, std::string_view family,
                    const scene::TimingSubject& about, float right, float left);

}  // namespace lanescope::ui
