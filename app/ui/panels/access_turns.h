// What the panels Banks and Sectors share: the turns of one access, shown at once, one by one or played, and the words
// for the access beside the panel's title.
#pragma once

#include "scene/scene.h"
#include "ui/workspace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

/// What the access of a panel is found from: it is found again where any of these differs.
struct AccessPlace {
    std::uint64_t run = 0;                   ///< Shown::id
    std::size_t position = ~std::size_t{0};  ///< of the cursor
    WarpId warp;                             ///< that is followed
    friend bool operator==(const AccessPlace&, const AccessPlace&) = default;
};
/// Of the run that is shown.
[[nodiscard]] AccessPlace access_place(const Workspace& workspace);

/// "load", "store", "atomic".
[[nodiscard]] const char* name_of_access(trace::EffectKind kind);

/// "next: load of in[i], line 12, warp 0" and what is left of it where there is less room. `index`: of the access in
/// the block's steps; `what`: its text in the source, or its array, or empty.
[[nodiscard]] std::vector<std::string> access_subtitle(const Workspace& workspace, std::size_t index,
                                                       trace::EffectKind kind, const std::string& what);

/// Which of the turns of an access is shown: wavefronts or sectors. Time is ImGui's, in seconds.
class AccessTurns {
  public:
    /// Nothing: all at once.
    [[nodiscard]] const std::optional<unsigned>& shown() const { return shown_; }
    [[nodiscard]] bool playing() const { return playing_; }
    void reset();
    /// Goes to the next turn where it plays and the time has come.
    void play(std::size_t count);
    /// A click on a button; on "all" it plays the turns one after the other if all are shown already.
    void click(const scene::TraceRef& button);
    /// One notch of the wheel; before the first turn stands "all".
    void turn_wheel(int down, std::size_t count);

  private:
    std::optional<unsigned> shown_;
    bool playing_ = false;
    double since_ = 0;  // when the turn came up
};

}  // namespace lanescope::ui
