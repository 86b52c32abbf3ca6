// Facts about what is under the mouse, docked in the place of the narration where a tooltip would cover the picture
// that it explains.
#pragma once

#include "ui/widgets.h"

namespace lanescope::ui {

/// If `docked`, fact_sheet(), tip() and explain() fill the strip from now on instead of a tooltip.
void dock_facts(bool docked);
[[nodiscard]] bool facts_are_docked();
/// Whether a tooltip for the previous item belongs in the strip, which does not cover that item.
[[nodiscard]] bool docks_words();
/// The strip shows these from now on in this frame.
void keep_facts(const Facts& facts);
void keep_words(std::string_view headword, std::string text);
/// Draws the facts of this frame over `place`, in as many columns as fit, or the words; nothing without any.
void draw_fact_strip(const Look& look, const Area& place);

}  // namespace lanescope::ui
