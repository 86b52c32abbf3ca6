// The lanes between two rows. A node is one store of one lane: a circle with the thread's number, arcs from the cells
// it read, a line to the cell it wrote. A dotted line without a circle is a value that is only carried over; the arc
// from a cell that was only used for an index is dotted, too.
#include "base/grouped.h"
#include "scene/passes/draw.h"
#include "scene/passes/hubs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace lanescope::scene {
namespace {

/// From (x0, y0) down to (x1, y1): straight, or an S whose ends are vertical.
Curve fall(float x0, float y0, float x1, float y1) {
    if (x0 == x1) return line(x0, y0, x1, y1, {});
    Curve c;
    const float bend = (y1 - y0) * 0.55F;
    c.x0 = x0, c.y0 = y0;
    c.x1 = x0, c.y1 = y0 + bend;
    c.x2 = x1, c.y2 = y1 - bend;
    c.x3 = x1, c.y3 = y1;
    return c;
}

/// From (x0, y0) to the side of a circle below: steep first, then flat. The nearest source has `rank` 0 and meets the
/// circle highest, so that the arcs of several sources fan out.
Curve sweep(float x0, float y0, const Circle& circle, int rank) {
    // The end of the arc on the circle, as the sine of the angle above the horizontal. (No sines computed: a picture
    // must be the same on every machine.)
    constexpr float rises[] = {0.5F, 0.25F, 0.08F, 0.0F};
    const float rise = rises[std::min(rank, static_cast<int>(std::size(rises)) - 1)];
    const float out = std::sqrt(1 - rise * rise) * (x0 < circle.x ? -1.0F : 1.0F);
    Curve c;
    c.x0 = x0, c.y0 = y0;
    c.x3 = circle.x + out * circle.radius, c.y3 = circle.y - rise * circle.radius;
    const float dy = c.y3 - y0;
    c.x1 = x0, c.y1 = y0 + dy * 0.85F;
    c.x2 = c.x3 + out * std::abs(c.x3 - x0) * 0.6F, c.y2 = c.y3 - dy * 0.16F;
    return c;
}

/// From one circle across the space between to another at the same height, rising to `top` at most.
Curve hop(const Circle& from, const Circle& to, float top) {
    constexpr float diagonal = 0.7F;  // leaves and arrives at 45 degrees
    const float side = from.x < to.x ? 1.0F : -1.0F;
    const float reach = std::abs(to.x - from.x);
    const float crest = std::max(from.y - from.radius - 4 - reach * 0.12F, std::min(top, from.y - from.radius));
    Curve c;
    c.x0 = from.x + side * from.radius * diagonal, c.y0 = from.y - from.radius * diagonal;
    c.x3 = to.x - side * to.radius * diagonal, c.y3 = to.y - to.radius * diagonal;
    c.x1 = c.x0 + side * reach * 0.2F, c.y1 = crest;
    c.x2 = c.x3 - side * reach * 0.2F, c.y2 = crest;
    return c;
}

using analysis::Node;
using analysis::Source;

/// Nodes of one column that share a circle because they write one cell, such as a bin that many lanes add to.
struct Spot {
    std::size_t first = 0, count = 0;  ///< in PictureRow::nodes
    std::uint32_t column = 0;
    float x = 0, y = 0;
    bool circle = false;  ///< a circle, or lines straight through
};

float center_distance(const Source& source, std::uint32_t column) {
    return std::abs(static_cast<float>(source.column) - static_cast<float>(column));
}

class LaneRow {
  public:
    LaneRow(const PassesDrawing& d, std::size_t row, Layer& layer)
        : d_(d), g_(d.geometry), index_(row), layer_(layer), phase_(d.state.phase_of(d.picture.rows[row])) {
        nodes_ = d.picture.rows[row].nodes;
        if (!d.options.joint.empty()) {
            joint_ = joint_nodes(d.picture.rows[row], d.options.joint, d.state.past);
            nodes_ = joint_;
        }
        top_ = g_.gap_top(row);
        cells_ = row > 0 ? g_.row_bottom(row - 1) : top_;
        bottom_ = g_.row_top(row);
        find_spots();
        for (Hub& hub : hubs_of(d.picture, nodes_)) hubs_.push_back({.hub = std::move(hub)});
        measure_crowd();
        place_spots();
    }

    void draw() {
        for (std::size_t i = 0; i < spots_.size(); ++i) draw_spot(i);
        for (const DrawnHub& hub : hubs_) draw_hub(hub);
        for (std::size_t i = 0; i < spots_.size(); ++i) i = name_blocks(i);
        // Within a rank, straight lines come first so that renderers draw them in one batch.
        std::ranges::stable_sort(strokes_, {},
                                 [](const Stroke& s) { return std::pair(s.rank, s.curve.x0 != s.curve.x3); });
        for (Stroke& stroke : strokes_) layer_.curves.push_back(stroke.curve);
    }

  private:
    /// The visual rank of an arc, lowest first: more important arcs are drawn over less important ones.
    struct Stroke {
        int rank = 0;
        Curve curve;
    };

    void find_spots() {
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            const Node& node = nodes_[n];
            const LaneMark mark = mark_of(node, index_);
            if (mark == LaneMark::none) continue;
            if (spots_.empty() || spots_.back().column != node.column)
                spots_.push_back({n, 0, node.column, g_.column_center(node.column), 0, false});
            Spot& spot = spots_.back();
            spot.count = n - spot.first + 1;
            spot.circle = spot.circle || (mark == LaneMark::circle && g_.density == Density::values);
        }
    }

    /// Measures how crowded the gap is: whether arcs run through circles, and how much of it their ink covers.
    void measure_crowd() {
        float length = 0, left = 0, right = 0;
        for (std::size_t i = 0; i < spots_.size(); ++i) {
            for (const Node& node : nodes_of(spots_[i])) {
                std::vector<Source> sources = node.sources;
                sources.insert(sources.end(), node.index_sources.begin(), node.index_sources.end());
                for (const Source& source : sources) {
                    if (source.same_row || hub_of(node, source) != nullptr) continue;
                    const float from = g_.column_center(source.column);
                    const auto [low, high] = std::minmax(from, spots_[i].x);
                    left = length == 0 ? low : std::min(left, low);
                    right = length == 0 ? high : std::max(right, high);
                    length += high - low;
                    loose_ += inside_band(i, source) ? 0.0F : 1.0F;
                    crosses_ = crosses_ || (i > 0 && spots_[i - 1].circle && spots_[i - 1].x >= low) ||
                               (i + 1 < spots_.size() && spots_[i + 1].circle && spots_[i + 1].x <= high);
                }
            }
        }
        if (spots_.size() > 1) {
            const float apart = (spots_.back().x - spots_.front().x) / static_cast<float>(spots_.size() - 1);
            thinning_ = std::min(thinning_, apart / 8);
        }
        if (right > left) {
            const float lines = length / (right - left);  // that cross one place, on average
            const float ink = lines * 1.5F / (g_.gap() * 0.4F);
            thinning_ = std::min(thinning_, 0.35F / ink);
        }
    }

    void place_spots() {
        // Arcs from the side meet the circle halfway; arcs from above need the room.
        const float share = !hubs_.empty() ? 0.76F : crosses_ ? 0.62F : 0.5F;
        const float middle = top_ + g_.gap() * share;
        const float y = std::min(middle, bottom_ - g_.node_radius - 4);
        for (Spot& spot : spots_) spot.y = y;
    }

    [[nodiscard]] Circle circle_of(const Spot& spot) const {
        Circle circle;
        circle.x = spot.x, circle.y = spot.y, circle.radius = g_.node_radius;
        return circle;
    }

    [[nodiscard]] std::span<const Node> nodes_of(const Spot& spot) const {
        return nodes_.subspan(spot.first, spot.count);
    }

    [[nodiscard]] const Spot* spot_at(std::uint32_t column) const {
        const auto found = std::ranges::lower_bound(spots_, column, {}, &Spot::column);
        return found != spots_.end() && found->column == column ? &*found : nullptr;
    }

    /// Adjacent parallel arcs are a band: its two edges are drawn in full, the inside thinner.
    [[nodiscard]] bool inside_band(std::size_t spot, const Source& source) const {
        if (spot == 0 || spot + 1 >= spots_.size()) return false;
        const auto step = spots_[spot].column - spots_[spot - 1].column;
        if (spots_[spot + 1].column - spots_[spot].column != step) return false;
        const auto goes_along = [&](const Spot& neighbor, std::int64_t by) {
            const Node& node = nodes_[neighbor.first];
            return std::ranges::any_of(node.sources, [&](const Source& other) {
                return std::int64_t{other.column} == std::int64_t{source.column} + by &&
                       other.same_row == source.same_row;
            });
        };
        return goes_along(spots_[spot - 1], -std::int64_t{step}) && goes_along(spots_[spot + 1], step);
    }

    /// Does the selected value flow here? Its readers are highlighted, too.
    [[nodiscard]] bool reads_lit_value(const Source& source) const {
        if (!d_.state.past.selected.valid()) return false;
        const auto& cells = d_.picture.rows[source.row].cells;
        if (cells[source.column].value == d_.state.past.selected) return true;
        return std::ranges::any_of(d_.options.joint, [&](const analysis::JointValue& value) {
            const auto place = value.place_of(source.column);
            return place && std::ranges::any_of(value.first_columns, [&](std::uint32_t first) {
                       return cells[first + place->index].value == d_.state.past.selected;
                   });
        });
    }

    struct Look {
        Paint paint;
        float width = 1.5F;
        int rank = 0;
        bool drawn = true;
    };

    /// A hub, with the strokes to it and from it: each as important as the most important arc that it stands for.
    struct Strand {
        Look look;
        TraceRef ref;
    };
    struct DrawnHub {
        Hub hub;
        std::map<std::uint32_t, Strand> from, to;  ///< by column
    };

    [[nodiscard]] DrawnHub* hub_of(const Node& node, const Source& source) {
        const auto found =
            std::ranges::find_if(hubs_, [&](const DrawnHub& drawn) { return drawn.hub.reads(node.column, source); });
        return found == hubs_.end() ? nullptr : &*found;
    }

    static void add_strand(std::map<std::uint32_t, Strand>& strands, std::uint32_t column, const Strand& strand) {
        Strand& kept = strands.try_emplace(column, strand).first->second;
        if (kept.look.rank < strand.look.rank) kept = strand;
    }

    /// A bar below the cells, a bar above the nodes, and one way between them with the number of reads in its middle.
    void draw_hub(const DrawnHub& drawn) {
        if (drawn.from.empty() || drawn.to.empty()) return;
        const Hub& hub = drawn.hub;
        const bool circles = !spots_.empty() && spots_.front().circle;
        const float end = circles ? spots_.front().y - g_.node_radius : bottom_;
        const float stub = std::min((end - top_) * 0.18F, 8.0F), upper = top_ + stub, lower = end - stub;
        const auto strongest = [](const std::map<std::uint32_t, Strand>& strands) {
            return std::ranges::max_element(strands, {}, [](const auto& each) { return each.second.look.rank; })
                ->second;
        };
        const auto bar = [&](const std::map<std::uint32_t, Strand>& strands, float y) {
            const float left = g_.column_center(strands.begin()->first),
                        right = g_.column_center(strands.rbegin()->first);
            const Strand most = strongest(strands);
            stroke(line(left, y, right, y, {}), most.look, false, most.ref);
            return (left + right) / 2;
        };
        for (const auto& [column, strand] : drawn.from)
            stroke(line(g_.column_center(column), cells_, g_.column_center(column), upper, {}), strand.look, false,
                   strand.ref);
        for (const auto& [column, strand] : drawn.to)
            stroke(line(g_.column_center(column), lower, g_.column_center(column), end, {}), strand.look, false,
                   strand.ref);
        const float from = bar(drawn.from, upper), to = bar(drawn.to, lower);
        const Strand most = strongest(drawn.to);
        stroke(fall(from, upper, to, lower), most.look, false, most.ref);

        const std::string text = fmt::format("each of {} reads all {}", hub.readers.size(), hub.columns.size());
        constexpr float padding = 8, least = 10;
        const float x = (from + to) / 2, y = (upper + lower) / 2;
        const float room = std::max(g_.column_center(hub.columns.back()), g_.column_center(hub.readers.back())) -
                           std::min(g_.column_center(hub.columns.front()), g_.column_center(hub.readers.front()));
        const float size =
            size_to_fit(Font::words, text, room - 2 * padding,
                        std::min(g_.node_size > 0 ? g_.node_size : 12.0F, (lower - upper) / 1.2F), least);
        if (size <= 0) return;
        const float wide = text_width(Font::words, size, text) + 2 * padding, height = size * 1.4F;
        const Box box{x - wide / 2, y - height / 2, wide, height};
        // Of several hubs in one place, only the first is named.
        if (std::ranges::any_of(named_,
                                [&](const Box& other) { return box.x < other.right() && other.x < box.right(); }))
            return;
        named_.push_back(box);
        Rect pill = rect(box, height / 2, {Role::panel, 1}, most.look.paint, std::max(most.look.width, 1.0F));
        pill.ref = most.ref;
        layer_.rings.push_back(pill);
        const float alpha = phase_ == Phase::future ? ghost * 1.8F : 1.0F;
        layer_.put(x, y, Anchor::middle, {Font::words, size, {Role::text, alpha}}, text);
    }

    /// The look of a stroke of this node: `base`, unless a state changes it.
    [[nodiscard]] Look look_of_stroke(const Node& node, StepId step, Role base, float strength, bool inner) const {
        Look look{{base, strength}, 1.5F, 1, true};
        const bool touched = d_.options.hovered_row == index_ && d_.options.hovered_column &&
                             g_.lead_of(*d_.options.hovered_column) == node.column;
        if (d_.state.past.has(node.value)) {
            look = {{Role::selected, phase_ == Phase::future ? 0.6F : 1.0F}, 2, 4, true};
        } else if (phase_ == Phase::future) {
            look.paint = {Role::soft, ghost * 1.2F};
            look.rank = 0;
        } else if (phase_ == Phase::current) {
            if (step.valid() && step == d_.state.next)
                look = {{Role::cursor, 1}, 2.5F, 5, true};
            else if (d_.state.done(step, phase_))
                look = {{Role::read, 1}, 2, 3, true};
            else
                look = {{Role::soft, 0.45F}, 1.5F, 1, true};
        }
        if (!node.useful && look.rank < 4) look.paint.alpha *= 0.35F;
        if (touched) look = {{look.rank >= 4 ? look.paint.role : Role::read, 1}, 2.5F, 6, true};
        if (look.rank < 4) {
            if (inner && thinning_ < 1) {
                look.paint.alpha *= thinning_;
                look.drawn = thinning_ > 0.03F;
            }
            look.width *= std::clamp(std::sqrt(thinning_) * 1.2F, 0.6F, 1.0F);
            // If all arcs cross, there is no band with an inside: all arcs are faint, and the highlighted ones stand
            // out.
            constexpr float plenty = 160;
            if (loose_ > plenty) look.paint.alpha *= std::max(std::sqrt(plenty / loose_), 0.2F);
        }
        return look;
    }

    [[nodiscard]] float stroke_scale() const { return std::max(g_.scale, 1.0F); }

    void stroke(Curve curve, const Look& look, bool dashed, const TraceRef& ref) {
        if (!look.drawn) return;
        curve.stroke = look.paint;
        curve.stroke_width = look.width * stroke_scale();
        curve.dashed = dashed;
        curve.ref = ref;
        strokes_.push_back({look.rank, curve});
    }

    /// A value kept in a register over several rows: from its cell down between two columns to this gap. Returns the
    /// end of the line.
    float descend(const Source& source, const Spot& spot, const Look& look, bool copy, const TraceRef& ref) {
        const float from = g_.column_center(source.column);
        const float lane = from + (spot.x < from ? -0.5F : 0.5F) * g_.pitch;
        stroke(fall(from, g_.row_bottom(source.row), lane, g_.row_top(source.row + 1)), look, copy, ref);
        stroke(line(lane, g_.row_top(source.row + 1), lane, top_, {}), look, copy, ref);
        return lane;
    }

    /// `dotted`: the source's value is only carried over, or only used for an index.
    void draw_source(std::size_t index, const Node& node, const Source& source, int rank, bool dotted) {
        const Spot& spot = spots_[index];
        const TraceRef ref{TraceRef::Kind::arc, static_cast<std::uint32_t>(index_), node.column, source.reader};
        const bool inner = inside_band(index, source);
        const bool own = source.column == node.column;
        const Role base = own || dotted ? Role::soft : Role::read;
        const float strength = own || dotted ? 0.6F : 0.7F;
        Look look = look_of_stroke(node, source.reader, base, strength, inner);
        if (reads_lit_value(source) && !d_.state.past.has(node.value))
            look = {{Role::read, phase_ == Phase::future ? 0.6F : 1.0F}, 2.5F, 5, true};
        DrawnHub* const hub = hub_of(node, source);
        if (hub != nullptr && look.rank < 4) {
            add_strand(hub->from, source.column, {look, ref});
            add_strand(hub->to, node.column, {look, ref});
            return;
        }
        // Between plain colors, arcs that hardly leave their column show nothing.
        const float reach = std::abs(g_.column_center(source.column) - spot.x);
        if (g_.density == Density::bars && !own && reach < 4 && look.rank < 4) return;
        if (source.same_row) {
            const Spot* from = spot_at(source.column);
            if (from != nullptr && from != &spot && spot.circle && from->circle)
                stroke(hop(circle_of(*from), circle_of(spot), top_ + 2), look, dotted, ref);
            return;
        }
        float x0 = g_.column_center(source.column);
        const float y0 = top_;
        if (source.row + 1 < index_) {
            x0 = descend(source, spot, look, dotted, ref);
        } else if (cells_ < top_) {
            stroke(line(x0, cells_, x0, top_, {}), look, dotted, ref);
        }
        if (!spot.circle) {
            stroke(fall(x0, y0, spot.x, bottom_), look, dotted, ref);
        } else if (x0 == spot.x) {
            stroke(line(x0, y0, spot.x, spot.y - g_.node_radius, {}), look, dotted, ref);
        } else if (crosses_ || spot.count > 1 || g_.node_size == 0) {
            // The circle covers the end, so the line starts at its middle.
            stroke(fall(x0, y0, spot.x, spot.y - g_.node_radius * 0.6F), look, dotted, ref);
        } else {
            stroke(sweep(x0, y0, circle_of(spot), rank), look, dotted, ref);
        }
    }

    void draw_spot(std::size_t index) {
        const Spot& spot = spots_[index];
        for (const Node& node : nodes_of(spot)) {
            std::vector<Source> sources = node.sources;
            std::ranges::stable_sort(sources, {}, [&](const Source& s) { return center_distance(s, node.column); });
            int left = 0, right = 0;
            for (const Source& source : sources) {
                const bool from_left = source.column < node.column;
                const int rank = source.column == node.column ? 0 : from_left ? left++ : right++;
                draw_source(index, node, source, rank, mark_of(node, index_) == LaneMark::lines);
            }
            for (const Source& source : node.index_sources) draw_source(index, node, source, 0, true);
        }
        if (spot.circle)
            draw_circle(index);
        else
            name_copy(index);
    }

    /// Names the thread that carries a value over, beside the end of its line.
    void name_copy(std::size_t index) {
        const Spot& spot = spots_[index];
        const Node& node = nodes_[spot.first + spot.count - 1];
        if (g_.node_size == 0 || spot.count != 1 || node.sources.empty()) return;
        constexpr float beside = 5, least = 10, most = 12;
        const std::string text = std::to_string(node.thread);
        const float size =
            size_to_fit(Font::code, text, g_.pitch / 2 - beside - 2, std::min(g_.node_size, most), least);
        if (size <= 0 || bottom_ - top_ < 2.2F * size) return;
        const float alpha = phase_ == Phase::future ? ghost * 1.8F : node.useful ? 0.9F : 0.55F;
        Text name = text_at(spot.x + beside, bottom_ - 0.75F * size, Anchor::start,
                            {Font::code, size, {Role::soft, alpha}}, text);
        name.ref = {TraceRef::Kind::node, static_cast<std::uint32_t>(index_), node.column, node.step};
        layer_.texts.push_back(std::move(name));
    }

    [[nodiscard]] std::string blocks_text(const Spot& spot) const {
        std::set<std::uint32_t> blocks;
        for (const Node& node : nodes_of(spot))
            for (const analysis::FromBlock& from : node.from_blocks) blocks.insert(from.block.value);
        if (blocks.empty()) return {};
        if (blocks.size() > 3) return "from " + counted(blocks.size(), "block");
        return fmt::format("{} {}", blocks.size() > 1 ? "from blocks" : "from block", fmt::join(blocks, ", "));
    }

    /// Names the blocks whose values the circles take and no cell above shows, once for neighbors that take the same.
    /// Returns the index of the last of these neighbors.
    std::size_t name_blocks(std::size_t first) {
        const std::string text = blocks_text(spots_[first]);
        if (text.empty() || !spots_[first].circle || g_.node_size == 0) return first;
        std::size_t last = first;
        while (last + 1 < spots_.size() && spots_[last + 1].column == spots_[last].column + 1 &&
               blocks_text(spots_[last + 1]) == text)
            ++last;
        const Node& node = nodes_[spots_[first].first + spots_[first].count - 1];
        const TraceRef ref{TraceRef::Kind::node, static_cast<std::uint32_t>(index_), node.column, node.step};
        Look look = look_of_stroke(node, node.step, Role::read, 0.7F, false);
        const float above = spots_[first].y - g_.node_radius, x = (spots_[first].x + spots_[last].x) / 2;
        constexpr float padding = 4, least = 10, most = 13;
        const float room = spots_[last].x - spots_[first].x + 2 * g_.pitch;
        const float size =
            size_to_fit(Font::words, text, room, std::min({g_.node_size, most, (above - cells_) / 1.35F}), least);
        const float from = size > 0 ? cells_ + 1.33F * size : (cells_ + above) / 2;
        for (std::size_t i = first; i <= last; ++i)
            stroke(line(spots_[i].x, from, spots_[i].x, above, {}), look, false, ref);
        if (size <= 0) return last;
        const float wide = text_width(Font::words, size, text) + 2 * padding;
        layer_.rings.push_back(rect({x - wide / 2, cells_ + 0.03F * size, wide, 1.3F * size}, 3, {Role::panel, 1}));
        const float alpha = phase_ == Phase::future ? ghost * 1.8F : node.useful ? 0.9F : 0.55F;
        Text name = text_at(x, cells_ + 0.68F * size, Anchor::middle, {Font::words, size, {Role::read, alpha}}, text);
        name.ref = ref;
        layer_.texts.push_back(std::move(name));
        return last;
    }

    void draw_circle(std::size_t index) {
        const Spot& spot = spots_[index];
        const Node& node = nodes_[spot.first + spot.count - 1];
        const TraceRef ref{TraceRef::Kind::node, static_cast<std::uint32_t>(index_), node.column, node.step};
        Look look = look_of_stroke(node, node.step, Role::soft, 1, false);
        const bool reader = std::ranges::any_of(nodes_of(spot), [&](const Node& n) {
            return !d_.state.past.has(n.value) &&
                   std::ranges::any_of(n.sources, [&](const Source& source) { return reads_lit_value(source); });
        });
        if (reader) look = {{Role::read, phase_ == Phase::future ? 0.6F : 1.0F}, 2.5F, 5, true};
        stroke(line(spot.x, spot.y + g_.node_radius, spot.x, bottom_, {}), look, false, ref);

        const bool many = std::ranges::any_of(nodes_of(spot), [&](const Node& n) { return n.thread != node.thread; });
        const std::string text = many ? "\u00D7" + std::to_string(spot.count) : std::to_string(node.thread);
        const float alpha = phase_ == Phase::future ? ghost * 1.8F : node.useful ? 1.0F : 0.55F;
        const float width = std::max(look.width, 1.0F) * stroke_scale();
        if (const float size = many ? size_of_count(index, text) : 0; size > 0) {
            // A number of lanes is read more than a lane's name: it is as large as its neighbors allow.
            Rect plate = rect(count_plate(spot, text, size), g_.node_radius, {Role::panel, 1}, look.paint, width);
            plate.ref = ref;
            layer_.rings.push_back(plate);
            layer_.texts.push_back(
                text_at(spot.x, spot.y, Anchor::middle, {Font::code, size, {Role::text, alpha}}, text));
            return;
        }
        Circle circle = circle_of(spot);
        circle.fill = {Role::panel, 1};
        circle.stroke = look.paint;
        circle.stroke_width = width;
        circle.ref = ref;
        if (g_.node_size == 0) circle.fill = look.paint;
        layer_.circles.push_back(circle);
        if (g_.node_size == 0) return;
        const float size = size_to_fit(Font::code, text, 2 * g_.node_radius - 4, g_.node_size, 10);
        if (size > 0)
            layer_.texts.push_back(
                text_at(spot.x, spot.y, Anchor::middle, {Font::code, size, {Role::text, alpha}}, text));
    }

    /// As high as a circle, so that arcs end at its edge, and as wide as its text.
    [[nodiscard]] Box count_plate(const Spot& spot, const std::string& text, float size) const {
        const float wide = std::max(text_width(Font::code, size, text) + 0.9F * size, 2 * g_.node_radius);
        return {spot.x - wide / 2, spot.y - g_.node_radius, wide, 2 * g_.node_radius};
    }

    /// The size of the text "×11" on a plate between its neighbors; 0: a circle has room for as large a text.
    [[nodiscard]] float size_of_count(std::size_t index, const std::string& text) const {
        if (g_.node_size == 0) return 0;
        float half = 0.95F * g_.pitch_of(spots_[index].column);
        for (const std::size_t other : {index - 1, index + 1})
            if (other < spots_.size()) half = std::min(half, std::abs(spots_[other].x - spots_[index].x) / 2 - 1.5F);
        const float largest = std::min(1.35F * g_.node_radius, g_.value_size);
        for (float size = largest; size > g_.node_size; size -= 0.5F)
            if (count_plate(spots_[index], text, size).width <= 2 * half) return size;
        return 0;
    }

    const PassesDrawing& d_;
    const PassesGeometry& g_;
    std::size_t index_;
    std::vector<Node> joint_;
    std::span<const Node> nodes_;  ///< the row's nodes, or joint_
    Layer& layer_;
    Phase phase_;
    float top_ = 0, bottom_ = 0;  ///< of the room between the rows' cells
    float cells_ = 0;             ///< where the row above ends: above top_ where a line names the passes between
    std::vector<Spot> spots_;     ///< by column
    std::vector<DrawnHub> hubs_;
    std::vector<Box> named_;  ///< the texts of hubs, between the same two rows
    bool crosses_ = false;
    float loose_ = 0;     ///< arcs outside of a band or at its edge
    float thinning_ = 1;  ///< 1: enough room for all; towards 0: fainter
    std::vector<Stroke> strokes_;
};

}  // namespace

void draw_lanes(const PassesDrawing& drawing, std::size_t row, Layer& layer) {
    // Between rows of plain color, arcs need some height to be visible.
    if (drawing.geometry.density != Density::values && drawing.geometry.gap() < 12) return;
    LaneRow(drawing, row, layer).draw();
}

}  // namespace lanescope::scene
