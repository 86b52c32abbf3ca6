#include "scene/rule_names.h"

#include <algorithm>
#include <array>

namespace lanescope::scene {

namespace {

constexpr unsigned tries = 24;                  // along a line
constexpr float name_margin = 3, line_gap = 2;  // from the plot's edge; from the line
constexpr float leading = 2;                    // of a line of text: above its letters, and below
constexpr float cost_of_point = 3, cost_of_line = 1, cost_of_name = 20;
constexpr float cost_of_brief = 0.7F;                    // more than the full name costs at the farthest place
constexpr float cost_of_way = 0.6F, cost_below = 0.05F;  // of the rightmost place; of a place below the line

bool holds(const Box& box, Place at) {
    return at.first >= box.x && at.first <= box.right() && at.second >= box.y && at.second <= box.bottom();
}

bool overlap(const Box& one, const Box& other) {
    return one.x < other.right() && other.x < one.right() && one.y < other.bottom() && other.y < one.bottom();
}

/// Is any part of the segment in the box? By the Liang-Barsky algorithm.
bool crosses(const Box& box, Place from, Place to) {
    float enter = 0, leave = 1;
    const auto clip = [&](float start, float way, float low, float high) {
        if (way == 0) return start >= low && start <= high;
        const float one = (low - start) / way, other = (high - start) / way;
        enter = std::max(enter, std::min(one, other));
        leave = std::min(leave, std::max(one, other));
        return enter <= leave;
    };
    return clip(from.first, to.first - from.first, box.x, box.right()) &&
           clip(from.second, to.second - from.second, box.y, box.bottom());
}

float covered(const Box& box, std::span<const std::vector<Place>> series) {
    float cost = 0;
    for (const std::vector<Place>& places : series) {
        bool line = false;
        for (std::size_t at = 0; at < places.size(); ++at) {
            if (holds(box, places[at])) cost += cost_of_point;
            line = line || (at > 0 && crosses(box, places[at - 1], places[at]));
        }
        if (line) cost += cost_of_line;
    }
    return cost;
}

float slope_of(const NamedLine& line) { return (line.y1 - line.y0) / std::max(line.x1 - line.x0, 1e-3F); }

}  // namespace

std::vector<std::optional<Box>> places_of_names(const Box& plot, float height, std::span<const NamedLine> lines,
                                                std::span<const std::vector<Place>> series) {
    std::vector<std::optional<Box>> found;
    for (const NamedLine& line : lines) {
        const float slope = slope_of(line);
        std::optional<Box> best;
        float least = 0;
        const auto try_at = [&](float share, float width, bool below, float cost) {
            const float x = plot.x + name_margin + share * std::max(plot.width - 2 * name_margin - width, 0.0F);
            const float y = line.y0 + slope * (x - line.x0), y_end = y + slope * width;
            const float top = below ? std::max(y, y_end) + line_gap : std::min(y, y_end) - line_gap - height;
            const Box box{x, top, width, height};
            if (top < plot.y || box.bottom() > plot.bottom()) return;
            cost += cost_of_way * share + (below ? cost_below : 0) + covered(box.grown(name_margin), series);
            // A name over another one is illegible, whatever else it would cover.
            const auto covers = [&](const std::optional<Box>& other) { return other && overlap(box.grown(1), *other); };
            if (std::ranges::any_of(found, covers)) return;
            // Lines of other rules must not strike a name through.
            for (const NamedLine& other : lines) {
                if (&other == &line) continue;
                const float at = slope_of(other), from = other.y0 + at * (box.x - other.x0);
                if (crosses(box, {box.x, from}, {box.right(), from + at * box.width})) cost += cost_of_line;
            }
            if (best && cost >= least) return;
            best = box;
            least = cost;
        };
        for (unsigned step = 0; step <= tries; ++step) {
            const float share = static_cast<float>(step) / tries;
            for (const bool below : {false, true}) {
                try_at(share, line.width, below, 0);
                if (line.brief_width > 0) try_at(share, line.brief_width, below, cost_of_brief);
            }
        }
        // A line has no name if it is outside the plot or has no room for one.
        found.push_back(best);
    }
    return found;
}

std::vector<std::optional<Box>> places_of_point_names(const Box& plot, float height, float away,
                                                      std::span<const NamedPoint> points,
                                                      std::span<const std::vector<Place>> series) {
    std::vector<std::optional<Box>> found;
    for (const NamedPoint& point : points) {
        const auto [x, y] = point.at;
        const float middle = y - height / 2, width = point.width;
        const float above = y - away / 2 - height, below = y + away / 2;
        std::array<Box, 8> boxes = {{{x + away, middle, width, height},
                                     {x - away - width, middle, width, height},
                                     {x, above, width, height},
                                     {x, below, width, height},
                                     {x - width / 2, above, width, height},
                                     {x - width / 2, below, width, height},
                                     {x - width, above, width, height},
                                     {x - width, below, width, height}}};
        Box best = boxes.front();
        float least = 0;
        for (std::size_t index = 0; index < boxes.size(); ++index) {
            const Box& box = boxes[index];
            float cost = static_cast<float>(index) * cost_below + covered(box.grown(name_margin), series);
            const Box letters{box.x - 1, box.y + leading, box.width + 2, box.height - 2 * leading};
            const bool out =
                box.x < plot.x || box.right() > plot.right() || box.y < plot.y || box.bottom() > plot.bottom();
            if (out) cost += cost_of_name;
            for (const std::optional<Box>& other : found) {
                if (other && overlap(letters, *other)) cost += cost_of_name;
            }
            for (const NamedPoint& other : points) {
                if (holds(box.grown(name_margin), other.at)) cost += cost_of_point;
            }
            if (index > 0 && cost >= least) continue;
            best = box;
            least = cost;
        }
        found.push_back(least < cost_of_name ? std::optional(best) : std::nullopt);
    }
    return found;
}

}  // namespace lanescope::scene
