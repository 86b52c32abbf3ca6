// Chords that are typed faster than frames are drawn.
#pragma once

namespace lanescope::ui {

/// Begins ImGui's frame. ImGui takes a key's press and a modifier's release in one frame where the modifier went down
/// in an earlier one, and Ctrl + O would be read as O: here the release, and what follows it, waits for the next frame.
void begin_frame_by_chords();

}  // namespace lanescope::ui
