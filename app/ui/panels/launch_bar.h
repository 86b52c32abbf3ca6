// What runs: kernel, sizes, input, view; whether the result is right; menus, theme and help. What a field refuses
// hangs below it, so that nothing moves.
#pragma once

#include "ui/panel.h"
#include "ui/widgets.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

class Shell;

class LaunchBar {
  public:
    /// Draws at the top of the window; returns its height in pixels.
    float draw(Context& context, Shell& shell, ImVec2 at, float width);
    /// Top of a line of text that stands in the middle of a control at `top`, pixels.
    [[nodiscard]] static float centred(const Look& look, scene::Font font, float em, float top);

  private:
    /// One thing in the bar: as wide as it says, drawn at the cursor.
    struct Item {
        float width = 0;
        std::function<void()> draw;
        Field field = Field::count;           ///< count: none
        std::optional<Problem> problem = {};  ///< that its text was refused for
        bool launches = false;                ///< takes part in launching, which a saved trace does not
    };
    /// How much is said where there is little room.
    struct Brevity {
        bool badges = false, menu = false, view = false;
        bool bare = false;  ///< what explains itself, or by the mouse, goes without its label
    };
    [[nodiscard]] static float total(const Look& look,
                                     const std::vector<Item>& items);  ///< width, gaps included
    /// Rows from left to right; the group on the right stands in the first that has room for it, or in one of its own.
    struct Rows {
        std::vector<std::vector<const Item*>> rows;
        std::size_t right = 0;  ///< the row of that group
    };
    /// `right`: the width of the group; all in pixels.
    [[nodiscard]] static Rows in_rows(const std::vector<Item>& left, float right, float room, float space);
    [[nodiscard]] static float least_name(Brevity brief);  ///< width of the kernel's name, points
    [[nodiscard]] std::vector<Item> left_items(Context& context, Shell& shell, float room, Brevity brief);
    [[nodiscard]] std::vector<Item> right_items(Context& context, Shell& shell, Brevity brief);
    /// How far the run is, and Cancel; `room` pixels wide if that is enough.
    [[nodiscard]] static Item progress_item(const Look& look, Workspace& workspace, float room);
    [[nodiscard]] Item program_item(Context& context, float width);
    [[nodiscard]] Item kernel_item(Context& context);
    [[nodiscard]] Item text_item(Context& context, Field field, const char* label, const char* meaning,
                                 float value_points);
    [[nodiscard]] Item view_item(Context& context, bool brief);
    [[nodiscard]] Item more_item(Context& context);
    [[nodiscard]] Item block_item(Context& context, bool bare);
    void more_fields(Context& context);
    bool more_row(Context& context, const char* id, const std::string& label, const std::string& shown,
                  const std::optional<Problem>& problem, std::string_view note, std::string& typed);
    void program_list(Context& context);
    void input_list(Context& context);

    std::array<std::string, static_cast<std::size_t>(Field::count)> typed_;
    std::array<bool, static_cast<std::size_t>(Field::count)> typing_{};
    std::map<std::string, std::string> more_typed_;  // of the rows of the form behind "More", by their names
};

}  // namespace lanescope::ui
