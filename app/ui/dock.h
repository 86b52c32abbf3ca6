// Where the panels are docked: one of the arrangements, adapted to the window's size until the user moves a panel.
#pragma once

#include "ui/look.h"
#include "ui/panel.h"
#include "ui/settings.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::ui {

class Dock {
  public:
    using Panels = std::span<const std::unique_ptr<Panel>>;

    /// Restores the panels of the last session; their positions are in ImGui's own file.
    void restore(const Settings& settings, Panels panels);
    /// Stores their state.
    void keep(Settings& settings, Panels panels) const;

    /// From the next frame on.
    void arrange(Arrangement arrangement) {
        wanted_ = arrangement;
        left_out_.clear();
    }
    /// The current arrangement; nothing once the user has moved a panel.
    [[nodiscard]] std::optional<Arrangement> arrangement() const { return standing_; }

    /// Seconds until the next frame without any input: windows take several frames to come to rest,
    /// and one more to know which tab is selected. 0: no frame is needed.
    [[nodiscard]] double seconds_until_redraw() const;

    /// The dock itself, before the panels, in pixels. Hidden, the panels keep their places and are not to be drawn.
    /// `two_texts`: Source shows two, and gets the room for them; what it had comes back with the one. `programs`: that
    /// are compared; B's panels have docks, too. `presented`: in presenter mode.
    /// `few_warps`: of the block that is shown; Banks and Warps leave room to the others. `source_width`: pixels that
    /// Source has text for, 0: unknown; it gets them within limits.
    void draw(const Look& look, Panels panels, ImVec2 at, ImVec2 size, bool hidden, bool two_texts,
              std::size_t programs, bool presented, bool few_warps, float source_width);

  private:
    void begin(Arrangement arrangement, unsigned space, ImVec2 size, Room room, Panels panels);
    void leave_out(Panels panels);
    void settle(Panels panels);
    void weigh() const;                                                // the row of Banks, Warps and Timing
    void weigh_source();                                               // Source, unless the user has given it a width
    [[nodiscard]] static std::vector<unsigned> places(Panels panels);  // a dock a panel; 0: nowhere
    [[nodiscard]] static std::vector<std::string> in_front(Panels panels);

    std::optional<Arrangement> wanted_, standing_;
    Room room_;                          // of the current arrangement
    std::vector<std::string> left_out_;  // the panels that were closed for lack of room
    bool few_warps_ = false;
    float source_width_ = 0, dock_width_ = 0;  // as of the last frame
    std::optional<float> weighed_source_;      // the share that Source was given; nothing before that
    bool weighs_ = false;                      // once the panels have their docks
    std::optional<bool> two_texts_;            // Source has room for two texts; nothing before the first frame
    std::vector<unsigned> places_;             // as arranged
    std::vector<std::string> known_;           // the panels that ImGui's file knows
    int settled_at_ = -1;                      // frame
    int arranged_at_ = -1;                     // frame; the docks are known a little later
    bool raises_ = false;                      // the selected tabs are being brought to the front
    std::vector<std::string> front_;           // titles of the selected tabs: the arrangement's, or the last session's
    std::vector<std::string> seen_;            // the tabs in front since the panels came to rest
};

}  // namespace lanescope::ui
