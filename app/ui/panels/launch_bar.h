// What runs: kernel, sizes, input, view; whether the result is right; theme and help. Refusals stand under their field.
#pragma once

#include "ui/panel.h"
#include "ui/widgets.h"

#include <array>
#include <functional>
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
        Field field = Field::count;  ///< count: none
    };
    [[nodiscard]] static float total(const Look& look, const std::vector<Item>& items);  ///< width, gaps included
    [[nodiscard]] std::vector<Item> left_items(Context& context, float room, bool brief);
    [[nodiscard]] std::vector<Item> right_items(Context& context, Shell& shell, bool brief);
    [[nodiscard]] Item program_item(Context& context, float width);
    [[nodiscard]] Item kernel_item(Context& context);
    [[nodiscard]] Item text_item(Context& context, Field field, const char* label, const char* meaning,
                                 float value_points);
    [[nodiscard]] Item view_item(Context& context, bool brief);
    [[nodiscard]] Item block_item(Context& context);
    void program_list(Context& context);
    void input_list(Context& context);

    std::array<std::string, static_cast<std::size_t>(Field::count)> typed_;
    std::array<bool, static_cast<std::size_t>(Field::count)> typing_{};
};

}  // namespace lanescope::ui
