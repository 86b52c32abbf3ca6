// One frame of the window: launch bar on top, docked panels, narration and transport below. The owner of the GLFW
// window, or a test, calls draw() between ImGui's NewFrame and Render.
#pragma once

#include "render/gl/renderer.h"
#include "session/place_link.h"
#include "ui/bookmarks.h"
#include "ui/comparing.h"
#include "ui/dock.h"
#include "ui/file_dialog.h"
#include "ui/file_watch.h"
#include "ui/look.h"
#include "ui/notice.h"
#include "ui/panel.h"
#include "ui/panels/passes.h"
#include "ui/picture_export.h"
#include "ui/presentation.h"
#include "ui/search.h"
#include "ui/tour.h"
#include "ui/workspace.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::ui {

class ComparePanel;
class LaunchBar;
class Narration;
class SourcePanel;
class TimingPanel;
class ValueHistory;

class Shell {
  public:
    /// Actions that only the window can do.
    struct Host {
        std::function<void()> toggle_full_screen = [] {};
        std::function<bool()> full_screen = [] { return false; };
        std::function<void()> close = [] {};
        std::function<void(const char*)> copy = [](const char*) {};
        std::filesystem::path folder{};  ///< the user's own recordings; empty: none
    };

    Shell(Settings settings, std::unique_ptr<render::GlRenderer> renderer, Host host);
    ~Shell();

    /// Before NewFrame: fonts, style, scale. `monitor_scale`: pixels a point; `width`, `height` of the window in
    /// pixels.
    void prepare(float monitor_scale, float width, float height);
    /// Draws the whole frame.
    void draw();
    /// Seconds until the picture changes without any input; below 0: it does not.
    [[nodiscard]] double quiet_for() const;
    /// Runs the file again if it has changed on disk, and reports when it was removed. True when there is something new
    /// to draw. Call it every FileWatch::period seconds.
    bool look_at_disk();

    [[nodiscard]] Workspace& workspace() { return *workspace_; }
    [[nodiscard]] const Workspace& workspace() const { return *workspace_; }
    [[nodiscard]] const Look& look() const { return look_; }
    [[nodiscard]] Look& look() { return look_; }
    [[nodiscard]] std::span<const std::unique_ptr<Panel>> panels() const { return panels_; }
    [[nodiscard]] Notice& notice() { return notice_; }
    [[nodiscard]] PictureExport& picture_export() { return export_; }
    [[nodiscard]] Tour& tour() { return tour_; }
    [[nodiscard]] Comparing& comparing() { return comparing_; }
    [[nodiscard]] const Comparing& comparing() const { return comparing_; }
    [[nodiscard]] Presentation& presentation() { return presentation_; }
    [[nodiscard]] const Presentation& presentation() const { return presentation_; }
    /// The settings, with the current state of the panels.
    [[nodiscard]] Settings settings() const;

    // --- actions of commands beside the workspace's ---
    void open(const std::string& path);             ///< a kernel, a trace, a recording of timings, a link
    void copy_link();                               ///< of the place that is shown, to the clipboard
    void open_link(const std::string& link);        ///< runs its launch and goes to its place
    void drop(std::span<const std::string> paths);  ///< files dropped on the window: the first one is opened
    void choose_file(FileDialog::Chooses chooses);  ///< with the desktop's dialog, or by typing a path
    void search(std::string text);                  ///< opens the search with this text
    void export_picture();                          ///< of the last panel under the mouse
    void copy_picture();                            ///< likewise, with the link to the place
    [[nodiscard]] Bookmarks& bookmarks() { return bookmarks_; }
    [[nodiscard]] const Bookmarks& bookmarks() const { return bookmarks_; }
    void copy_source();
    [[nodiscard]] ValueHistory& value_history() { return *value_history_; }
    void find_in_source();  ///< opens the field of Source
    /// Whether that field has the keyboard: then no key is a command.
    [[nodiscard]] bool finding() const;
    /// Runs this launch as B beside the window's own program, A, and arranges the panels for both.
    void compare_with(LaunchValues values);
    /// The same beside those that are compared already, as C or D.
    void add_to_comparison(LaunchValues values);
    void close_first_compared() { close_first_wanted_ = true; }  ///< B; in the next frame
    void swap_compared() { swap_wanted_ = true; }                ///< in the next frame
    void end_comparing() { end_wanted_ = true; }                 ///< likewise
    void check_on_gpu();                                         ///< verifies the launch that is shown on this GPU
    void open_difference();                                      ///< goes to the first difference
    void close_window() const { host_.close(); }
    void toggle_theme();
    void toggle_presenter() { presenter_ = !presenter_; }
    void zoom_interface(int direction);  ///< 0: back to 1
    void toggle_full_screen() const { host_.toggle_full_screen(); }
    void toggle_help() { help_open_ = !help_open_; }
    void open_menu() { menu_wanted_ = true; }
    /// True once after open_menu(), for the bar that draws the menu.
    [[nodiscard]] bool take_menu_wanted() { return std::exchange(menu_wanted_, false); }
    void toggle_alone();  ///< maximizes the last panel under the mouse, or restores it
    void toggle_panel(std::string_view title);
    void bring_up(std::string_view panel);
    void raise(std::string_view panel);     ///< the same; a maximized panel stays maximized
    void maximize(std::string_view panel);  ///< restores all panels where none has that title
    void open_lecture(const std::string& name_or_path);
    void arrange(Arrangement arrangement);
    void fit_picture(bool whole);  ///< or its width
    void zoom_picture(int direction);
    void move_picture(int right, int down);
    void escape();  ///< closes the topmost popup, else clears the selection

    [[nodiscard]] std::optional<Arrangement> arrangement() const { return dock_.arrangement(); }
    [[nodiscard]] const Panel* alone() const { return alone_; }
    /// No arrangement of the panels is being made.
    [[nodiscard]] bool settled() const { return dock_.seconds_until_redraw() <= 0; }
    [[nodiscard]] bool presenter() const { return presenter_; }
    /// The bars above and below are slim, and facts stand in a strip: a panel is maximized, or presented in a small
    /// window.
    [[nodiscard]] bool slim() const { return alone_ != nullptr || is_stage(); }
    /// Whether a strip above the narration has the differences between two programs.
    [[nodiscard]] bool shows_changes() const;
    /// The program that this strip compares with A: 0 is B.
    [[nodiscard]] std::size_t described_other() const;
    [[nodiscard]] bool full_screen() const { return host_.full_screen(); }
    [[nodiscard]] bool help_open() const { return help_open_; }
    [[nodiscard]] bool searching() const { return search_.is_open(); }
    /// Tab was pressed: Space and the arrows act on the controls until a click or Escape.
    [[nodiscard]] bool walking() const { return walking_; }
    /// A list or menu is open, or has just been closed by this frame's Escape: the keys are not commands.
    [[nodiscard]] bool popup_takes_keys() const;

  private:
    void walk();
    void poll_gpu_check();
    void add_compared_panels();
    void follow_comparison();
    void follow_link();
    [[nodiscard]] bool is_stage() const;  // presented in a small window
    void draw_panels(Context& context, float top, float bottom);
    void draw_tour_ring() const;
    void show_news();
    void show_used_memory();  // Sectors in the place of Banks where a kernel has no shared memory
    void draw_maximized(Context& context, ImVec2 at, ImVec2 size);
    void select_alike();                                            // selects the same tabs for two programs
    [[nodiscard]] Panel* counterpart_of(const Panel& panel) const;  // of the other program; null: it has none
    void picture_menu(const Context& context);
    [[nodiscard]] Panel* panel(std::string_view title) const;
    [[nodiscard]] Panel& panel_of_picture() const;  // the picture to save
    [[nodiscard]] float most_scale() const;         // the largest scale that leaves enough points

    std::unique_ptr<Workspace> workspace_;  // never null; another one after swap_compared()
    Look look_;
    std::unique_ptr<render::GlRenderer> renderer_;
    Host host_;
    Comparing comparing_;
    std::unique_ptr<LaunchBar> launch_bar_;
    std::unique_ptr<Narration> narration_;
    std::vector<std::unique_ptr<Panel>> panels_;
    SourcePanel* source_ = nullptr;  // of panels_
    PassesPanel *passes_ = nullptr, *other_passes_ = nullptr;
    PassesPanel::Zoom linked_zoom_;  // of both, while their zooms are linked
    bool swap_wanted_ = false, end_wanted_ = false, close_first_wanted_ = false;
    Arrangement before_comparison_ = Arrangement::study;  // restored at its end
    TimingPanel* timing_ = nullptr;
    ComparePanel* compare_ = nullptr;
    Panel* last_under_mouse_ = nullptr;
    Panel* alone_ = nullptr;
    Panel* menu_of_ = nullptr;  // whose context menu is open
    Dock dock_;
    std::uint64_t memory_shown_for_ = 0;  // Shown::id
    bool sectors_raised_ = false;         // in the place of Banks
    std::string hidden_by_findings_;      // the panel that was in front before Findings; empty: none
    int raised_at_ = -1000;               // frame in which a panel came to the front by itself
    Search search_;
    std::unique_ptr<ValueHistory> value_history_;
    std::optional<session::PlaceLink> awaited_link_;  // until its launch has run
    Notice notice_;
    PictureExport export_;
    Bookmarks bookmarks_;
    Tour tour_;
    Presentation presentation_;
    FileDialog dialog_;
    FileWatch watch_, lecture_watch_;
    bool help_open_ = false;
    bool presenter_ = false;
    bool walking_ = false;
    bool menu_wanted_ = false;
    bool popup_was_open_ = false;   // at the end of the last frame
    float width_ = 0, height_ = 0;  // of the window in points at scale 1
};

}  // namespace lanescope::ui
