#include "analysis/passes_picture/passes_between.h"
#include "scene/passes/draw.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::scene {
namespace {

struct Part {
    Font font;
    Role role;
    std::string text;
};

constexpr float between_parts = 8;

float width_of(const std::vector<Part>& parts, float size) {
    float width = 0;
    for (const Part& part : parts) width += text_width(part.font, size, part.text) + (width > 0 ? between_parts : 0.0F);
    return width;
}

/// From the longest to the shortest: number, loop variable, activity.
std::vector<std::vector<Part>> ways_to_say(const analysis::PassesBetween& between) {
    const Part title{Font::words_medium, Role::text, analysis::title_of(between)};
    const Part label{Font::code, Role::soft, between.label};
    const Part all{Font::words, Role::soft, analysis::activity_of(between)};
    const Part brief{Font::words, Role::soft, analysis::activity_of(between, true)};
    if (between.label.empty()) return {{title, all}, {title, brief}, {title}};
    return {{title, label, all}, {title, label, brief}, {title, brief}, {title}};
}

}  // namespace

void draw_between(const PassesDrawing& d, std::size_t row, const Box& line, Layer& layer) {
    const analysis::PassesBetween& between = *d.picture.rows[row].between;
    const float s = d.geometry.scale, size = std::max(smallest_text, 12 * s);
    const PassId now = d.state.current;
    const bool current = between.has(now);
    const float alpha = now.valid() && now < between.first ? 0.5F : 1.0F;
    std::vector<std::vector<Part>> ways = ways_to_say(between);
    const auto fits =
        std::ranges::find_if(ways, [&](const auto& parts) { return width_of(parts, size) <= line.width; });
    std::vector<Part> parts = fits != ways.end() ? std::move(*fits) : std::move(ways.back());
    // Arcs of the next row pass below the text.
    Rect ground = rect({line.x, line.y + 1, std::min(width_of(parts, size) + 4 * s, line.width), line.height - 2}, 0,
                       {Role::panel, 0.9F});
    ground.ref = ref_to(TraceRef::Kind::note, row);
    layer.rings.push_back(ground);
    float x = line.x;
    for (Part& part : parts) {
        const float width = text_width(part.font, size, part.text);
        layer.put(x, line.center_y(), Anchor::start, {part.font, size, {current ? Role::text : part.role, alpha}},
                  fitted(part.font, size, part.text, line.x + line.width - x));
        x += width + between_parts;
    }
}

}  // namespace lanescope::scene
