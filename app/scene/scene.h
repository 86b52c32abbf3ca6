// The picture as plain shapes in points, in painter's order, y down. The same scene goes to the screen, to SVG and to
// PNG. No OpenGL, no ImGui. Colors are roles, which a theme turns into numbers at the very end. Shapes carry references
// to their subjects.
#pragma once

#include "base/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lanescope::scene {

/// The one meaning of a color, the same in every panel (scene/theme.h has the numbers).
enum class Role : std::uint8_t {
    none,      ///< not painted
    useful,    ///< useful now: written, active
    cost,      ///< a cost: a conflict, heat
    read,      ///< read, source of data
    selected,  ///< selected, with its whole past
    cursor,    ///< next to execute
    agrees,    ///< agrees with hardware
    ground,
    panel,
    raised,
    line,
    text,
    soft,
    on_useful,  ///< text on a cell filled with `useful`
    on_cursor,
    on_cost,
    program_a,  ///< the programs of a comparison, wherever they are named (program_tag.h)
    program_b,
    program_c,
    program_d,
};

struct Paint {
    Role role = Role::none;
    float alpha = 1.0F;
    [[nodiscard]] bool visible() const { return role != Role::none && alpha > 0.0F; }
    friend bool operator==(const Paint&, const Paint&) = default;
};

enum class Font : std::uint8_t { words, words_medium, words_bold, code, code_bold };
enum class Anchor : std::uint8_t { start, middle, end };

/// The subject of a shape, so that a click on it selects the subject. Ids that do not apply are invalid.
struct TraceRef {
    /// `cover`: invisible, it hides the shapes under it; `lens`: the frame of a lens.
    enum class Kind : std::uint8_t {
        none,
        cell,
        node,
        arc,
        row,
        lane,
        step,
        line,
        bank,
        wavefront,
        fault,
        cover,
        lens,
        heading,  ///< of a table's column, of a chart
        note,     ///< a line of text below a table
        chart,    ///< a category of a chart: `row`, of chart `column`
        point,    ///< of a plot's series `row`: point `column`
        series,   ///< a row of a plot's legend
        plot,     ///< within the axes; `column` 1 and 2: the strip of the x axis, of the y axis
        control,  ///< room for the window's own controls
        link,     ///< of a text: number `column`
    };
    Kind kind = Kind::none;
    std::uint32_t row = 0;     ///< picture row; number of the finding
    std::uint32_t column = 0;  ///< picture column, lane, bank, source line, ...
    StepId step;
    std::uint32_t span = 1;  ///< adjacent columns that one shape represents, from `column`
    friend bool operator==(const TraceRef&, const TraceRef&) = default;
};

/// Filled to its edges; the stroke lies wholly inside them. Dashes run clockwise from the end of the top left corner.
struct Rect {
    float x = 0, y = 0, width = 0, height = 0;
    float radius = 0;
    Paint fill, stroke;
    float stroke_width = 1;
    Paint hatch;  ///< diagonal lines over the fill: idle, predicated off, wasted
    bool dashed = false;
    TraceRef ref;
};
/// The stroke lies wholly inside the radius.
struct Circle {
    float x = 0, y = 0, radius = 0;
    Paint fill, stroke;
    float stroke_width = 1;
    TraceRef ref;
};
/// A cubic Bezier stroke; a straight line has its control points on it.
struct Curve {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0;
    Paint stroke;
    float stroke_width = 1.5F;
    bool dashed = false;
    TraceRef ref;
};
/// One line of text; (x, y) is the anchor on the baseline.
struct Text {
    float x = 0, y = 0;
    float size = 13;  ///< points: em size
    Font font = Font::words;
    Anchor anchor = Anchor::start;
    Paint fill{Role::text, 1.0F};
    std::string text;  ///< UTF-8
    TraceRef ref;
};
/// Shapes until the matching end are clipped to the rectangle.
struct ClipBegin {
    float x = 0, y = 0, width = 0, height = 0;
};
struct ClipEnd {};

using Shape = std::variant<Rect, Circle, Curve, Text, ClipBegin, ClipEnd>;

/// Patterns in points, the same for every renderer: hatching runs from bottom left to top right, fixed to the scene's
/// origin.
inline constexpr float hatch_period = 6.0F;  ///< between lines, measured along x
inline constexpr float hatch_width = 1.2F;   ///< of a line, measured across it
inline constexpr float dash_on = 2.0F, dash_off = 3.0F;

struct Point {
    float x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

struct Box {
    float x = 0, y = 0, width = 0, height = 0;
    [[nodiscard]] float right() const { return x + width; }
    [[nodiscard]] float bottom() const { return y + height; }
    [[nodiscard]] float center_x() const { return x + width / 2; }
    [[nodiscard]] float center_y() const { return y + height / 2; }
    [[nodiscard]] Box grown(float by) const { return {x - by, y - by, width + 2 * by, height + 2 * by}; }
    [[nodiscard]] bool contains(float at_x, float at_y) const {
        return at_x >= x && at_x < right() && at_y >= y && at_y < bottom();
    }
};

/// A part of the scene that shows a part of a larger content, which scrolls.
struct Viewport {
    Box box;
    float width = 0, height = 0;       ///< of the content, points
    float scroll_x = 0, scroll_y = 0;  ///< of the content that is hidden at the left and above
};

struct Scene {
    std::string title;                    ///< for users who cannot see the picture: one line
    std::string description;              ///< and the content, one sentence a row
    float width = 0, height = 0;          ///< points
    Paint background{Role::panel, 1.0F};  ///< opaque, or none
    std::vector<Shape> shapes;
    std::vector<Viewport> viewports;
};

[[nodiscard]] Curve line(float x0, float y0, float x1, float y1, Paint stroke, float width = 1.0F);

/// The topmost shape with a reference under a point, or nothing. Arcs count within `tolerance` points of their stroke.
[[nodiscard]] TraceRef hit(const Scene& scene, float x, float y, float tolerance = 4.0F);

/// The circle or rectangle of that kind whose middle is nearest to a point, at most `reach` points away.
[[nodiscard]] TraceRef nearest(const Scene& scene, TraceRef::Kind kind, float x, float y, float reach);

/// The box around all shapes that refer to the row; nothing where none does.
[[nodiscard]] std::optional<Box> box_of_row(const Scene& scene, TraceRef::Kind kind, std::uint32_t row);

/// The box of the first rectangle or circle that refers to `kind`, `row` and `column`, or to any column; for a shape
/// that represents several columns, the part of the column.
[[nodiscard]] std::optional<Box> box_of(const Scene& scene, TraceRef::Kind kind, std::uint32_t row = 0,
                                        std::optional<std::uint32_t> column = {});

}  // namespace lanescope::scene
