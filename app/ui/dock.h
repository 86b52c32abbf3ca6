// Where the panels are docked: one of the arrangements, adapted to the window's size until the user moves a panel.
#pragma once

#include "ui/look.h"
#include "ui/panel.h"
#include "ui/room.h"
#include "ui/settings.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

struct ImGuiDockNode;

namespace lanescope::ui {

class Dock {
  public:
    using Panels = std::span<const std::unique_ptr<Panel>>;

    /// Restores the panels of the last session; their positions are in ImGui's own file.
    void restore(const Settings& settings, Panels panels);
    /// Stores the state of the panels.
    void keep(Settings& settings, Panels panels) const;

    /// From the next frame on.
    void arrange(Arrangement arrangement) {
        wanted_ = arrangement;
        left_out_.clear();
        dragged_.clear();
    }
    /// The current arrangement; nothing once the user has moved a panel.
    [[nodiscard]] std::optional<Arrangement> arrangement() const { return standing_; }

    /// Seconds until the next frame without any input: windows take several frames to come to rest,
    /// and one more to know which tab is selected. 0: no frame is needed.
    [[nodiscard]] double seconds_until_redraw() const;

    /// Draws the dock itself, before the panels; pixels. If `hidden`, the panels keep their places but are not drawn.
    /// `two_texts`: Source shows two. `programs`: how many are compared; B's panels have docks, too. `presented`: in
    /// presenter mode. `needs`: of each panel. Where these change, the docks of an arrangement share the room again,
    /// except where the user has dragged a splitter.
    void draw(const Look& look, Panels panels, ImVec2 at, ImVec2 size, bool hidden, bool two_texts,
              std::size_t programs, bool presented, std::vector<Needs> needs);
    /// The selected tabs, once the panels have come to rest.
    [[nodiscard]] const std::vector<std::string>& front() const { return seen_; }

  private:
    void begin(Arrangement arrangement, unsigned space, ImVec2 size, Room room, Panels panels);
    void leave_out(Panels panels);
    void settle(Panels panels);
    void share_room(Panels panels, float scale);
    void share(ImGuiDockNode& node, const std::string& path, Panels panels, float scale);
    [[nodiscard]] Needs needs_of(const ImGuiDockNode& node, Panels panels, float scale) const;
    void notice_drags(const ImGuiDockNode& node, const std::string& path, bool shared);
    [[nodiscard]] std::string key_of(const std::string& path) const;   // of a splitter in this arrangement
    [[nodiscard]] static std::vector<unsigned> places(Panels panels);  // the dock of each panel; 0: none
    [[nodiscard]] static std::vector<std::string> in_front(Panels panels);

    std::optional<Arrangement> wanted_, standing_;
    Room room_;                          // of the current arrangement
    std::vector<std::string> left_out_;  // the panels that were closed for lack of room
    std::vector<Needs> needs_;           // by panel
    ImVec2 size_{0, 0};                  // of the dock in the last frame, pixels
    bool shares_ = true;                 // divides the room as soon as the panels have docks
    /// The sizes of the docks beside a splitter, pixels.
    struct Split {
        float room = 0, first = 0;
    };
    std::map<std::string, Split> splits_;   // by splitter, in the last frame
    std::map<std::string, float> dragged_;  // by splitter, the first one's share of the room; the user's own
    bool two_texts_ = false;
    std::vector<unsigned> places_;    // as arranged
    std::vector<std::string> known_;  // the panels that ImGui's file knows
    int settled_at_ = -1;             // frame
    int arranged_at_ = -1;            // frame; the docks are known a little later
    bool raises_ = false;             // the selected tabs are being brought to the front
    std::vector<std::string> front_;  // titles of the selected tabs: the arrangement's, or the last session's
    std::vector<std::string> seen_;   // the tabs in front since the panels came to rest
};

}  // namespace lanescope::ui
