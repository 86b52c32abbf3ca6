// Shared by pictures of bars over time: the axis, with as many round numbers as fit, and the row of the legend.
#pragma once

#include "scene/layers.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::scene {

struct TimeAxis {
    Box body;            ///< the bars, as far as they are visible
    float bottom = 0;    ///< of the last row
    double end = 1;      ///< of the drawing, in units of time; it begins at 0
    double content = 1;  ///< points that `end` units take
    double scroll = 0;   ///< points scrolled away at the left
};
/// Heights above and below the bars: of the heading, of the axis's numbers, of the legend and the line under it.
inline constexpr float bars_heading = 48, bars_axis = 24, bars_legend = 46;
/// The sentences below the legend, in as many lines as they need; bars_legend has room for one.
struct BarsNote {
    static constexpr float line_height = 15;
    float size = 0;  ///< of the text
    std::vector<std::string> lines;

    BarsNote() = default;
    BarsNote(std::string_view text, float text_size, float width)
        : size(text_size), lines(wrapped(Font::words, text_size, text, std::max(width - 2 * panel_padding, 1.0F))) {}
    /// The height of the lines for which bars_legend has no room.
    [[nodiscard]] float extra() const {
        return line_height * static_cast<float>(std::max<std::size_t>(lines.size(), 1) - 1);
    }
    /// `bottom`: of the picture.
    void draw(Layer& layer, float bottom) const;
};
/// A picture of bars without its shapes: its title, its description, its size and its scroll position.
[[nodiscard]] Scene scene_of_bars(std::string title, std::string description, float width, float height,
                                  const TimeAxis& axis);
/// Clips everything to the bars and their axis until the next ClipEnd.
void clip_to_bars(Scene& scene, const Box& body);

/// The least value that is at least `least` and is 1, 2 or 5 times a power of ten, from 1 on.
[[nodiscard]] double round_step(double least);

/// Draws lines into `below` and numbers into `above`; `text` writes a number.
void draw_time_axis(Layer& below, Layer& above, const TimeAxis& axis, const std::function<std::string(double)>& text);

/// Swatches with their names beside them, as many as fit.
class LegendRow {
  public:
    static constexpr float line = 19;  ///< from one row to the next

    /// `y`: its middle. `wraps`: an entry that does not fit begins another row below; otherwise it is left out.
    LegendRow(Layer& layer, float y, float right, bool wraps = false)
        : layer_(layer), y_(y), right_(right), wraps_(wraps) {}
    [[nodiscard]] std::size_t rows() const { return rows_; }

    /// `swatch` draws into a box of 20 x 12 points.
    template <class Swatch>
    void add(const std::string& name, const Swatch& swatch) {
        const float wide = text_width(Font::words, text_size, name);
        if (x_ + before_text + wide > right_) {
            if (!wraps_ || x_ == panel_padding) return;
            x_ = panel_padding;
            y_ += line;
            ++rows_;
        }
        swatch(Box{x_, y_ - 6, 20, 12});
        layer_.texts.push_back(
            text_at(x_ + before_text, y_, Anchor::start, {Font::words, text_size, {Role::text, 1}}, name));
        x_ += before_text + wide + 18;
    }

  private:
    static constexpr float text_size = 12, before_text = 26;
    Layer& layer_;
    float x_ = panel_padding, y_, right_;
    bool wraps_;
    std::size_t rows_ = 1;
};

}  // namespace lanescope::scene
