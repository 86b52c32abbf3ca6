// The bar at the top: kernel, sizes, input, view, the verdict, menus, theme and help. Errors hang below their fields,
// so that nothing moves.
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
    /// Top of a line of text that is centered in a control at `top`, pixels.
    [[nodiscard]] static float centred(const Look& look, scene::Font font, float em, float top);

  private:
    /// An item of the bar, drawn at the cursor.
    struct Item {
        float width = 0;
        std::function<void()> draw;
        Field field = Field::count;           ///< count: none
        std::optional<Problem> problem = {};  ///< why its text was refused
        bool launches = false;                ///< configures the launch, disabled for a saved trace
    };
    /// Which labels are shortened where there is little room.
    struct Brevity {
        bool badges = false, menu = false, view = false;
        bool bare = false;  ///< without the labels that a tooltip explains
    };
    [[nodiscard]] static float total(const Look& look,
                                     const std::vector<Item>& items);  ///< width, gaps included
    /// Rows from left to right; the right group is in the first row with room for it, or in its own.
    struct Rows {
        std::vector<std::vector<const Item*>> rows;
        std::size_t right = 0;  ///< the row of that group
    };
    /// `right`: the width of the group; all in pixels.
    [[nodiscard]] static Rows in_rows(const std::vector<Item>& left, float right, float room, float space);
    [[nodiscard]] static float least_name(Brevity brief);  ///< width of the kernel's name, points
    [[nodiscard]] std::vector<Item> left_items(Context& context, Shell& shell, float room, Brevity brief);
    [[nodiscard]] std::vector<Item> right_items(Context& context, Shell& shell, Brevity brief);
    /// The progress of the run, and Cancel; `room` pixels wide if that is enough.
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
    std::map<std::string, std::string> more_typed_;  // texts of the form of More, by row
};

}  // namespace lanescope::ui
