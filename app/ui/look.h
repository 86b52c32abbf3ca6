// The visual style for ImGui: fonts and sizes, the colors of the roles, metrics, interface scale.
#pragma once

#include "scene/scene.h"
#include "scene/theme.h"

#include <imgui.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ui {

/// Type sizes in points (em), at interface scale 1.
namespace type {
inline constexpr float narration = 20, heading = 14, body = 13.5F, code = 14, value = 14, label = 12.5F, small = 11.5F;
}

/// Space in points.
inline constexpr float gap = 8, control_height = 30, card_radius = 6, control_radius = 5, card_padding = 14;

/// One line of text as drawn, in pixels: for tests that look for clipped or overlapping text.
struct DrawnText {
    std::string text;
    const ImDrawList* list = nullptr;
    ImVec2 low, high;            ///< its box
    ImVec2 clip_low, clip_high;  ///< the visible part of the screen
};

class Look {
  public:
    /// Adds the fonts to the current ImGui context; glyphs are rasterized on demand.
    void load_fonts();
    /// Sets ImGui's style when theme, scale or room change. `scale` is the monitor's times the user's; `roomy`: tabs
    /// have room for more than their names; `slim`: the headers of panels are as low as their text allows.
    void apply(scene::Theme theme, float scale, bool roomy, bool slim);

    [[nodiscard]] scene::Theme theme() const { return theme_; }
    [[nodiscard]] float scale() const { return scale_; }
    [[nodiscard]] bool roomy() const { return roomy_; }
    [[nodiscard]] bool slim() const { return slim_; }
    [[nodiscard]] float px(float points) const { return points * scale_; }

    [[nodiscard]] ImU32 color(scene::Role role, float alpha = 1) const;
    [[nodiscard]] ImVec4 color4(scene::Role role, float alpha = 1) const;

    /// Sets the font of the following text, `em` in points.
    void push(scene::Font font, float em) const;
    void pop() const { ImGui::PopFont(); }
    [[nodiscard]] float text_width(scene::Font font, float em, std::string_view text) const;  ///< pixels
    [[nodiscard]] float line_height(scene::Font font, float em) const;                        ///< pixels
    /// Draws one line; `y` is its top. Returns its width in pixels.
    float text(ImDrawList* list, scene::Font font, float em, ImVec2 at, ImU32 color, std::string_view text) const;
    /// Adds every line drawn from now on to `log`; null stops that.
    void watch(std::vector<DrawnText>* log) { log_ = log; }

  private:
    struct Face {
        ImFont* font = nullptr;
        float line_per_em = 1.2F;  // ImGui sizes fonts by line height, Look by em
    };
    [[nodiscard]] const Face& face(scene::Font font) const { return faces_[static_cast<std::size_t>(font)]; }

    std::array<Face, 5> faces_;
    scene::Theme theme_ = scene::Theme::dark;
    float scale_ = 1;
    bool roomy_ = true, slim_ = false;
    std::vector<DrawnText>* log_ = nullptr;
};

/// Font and size for a scope.
class Type {
  public:
    Type(const Look& look, scene::Font font, float em) : look_(look) { look_.push(font, em); }
    ~Type() { look_.pop(); }
    Type(const Type&) = delete;
    Type& operator=(const Type&) = delete;

  private:
    const Look& look_;
};

}  // namespace lanescope::ui
