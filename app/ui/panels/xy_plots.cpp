#include "ui/panels/xy_plots.h"

#include "scene/rule_names.h"
#include "ui/panels/plot_style.h"
#include "ui/widgets.h"

#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace lanescope::ui {

using scene::Font;
using scene::Marker;
using scene::PlotPoint;
using scene::PlotRule;
using scene::PlotSeries;
using scene::Role;
using scene::XyPlot;

namespace {

constexpr float near = 12, sign_room = 26, legend_row = 1.75F, scrollbar = 14, dash = 4, hidden = 0.45F;
constexpr float click_distance = 4;  // pixels that a click may move

void set_ticks(ImAxis axis, const scene::PlotAxis& of, double low, double high, float room) {
    const auto ticks = of.ticks(low, high, static_cast<unsigned>(std::max(room, 0.0F)));
    std::vector<double> places;
    std::vector<const char*> names;
    for (const auto& [value, text] : ticks) {
        places.push_back(value);
        names.push_back(text.c_str());
    }
    ImPlot::SetupAxisTicks(axis, places.data(), static_cast<int>(places.size()), names.data());
}

Role role_of(const PlotSeries& series) { return series.current ? Role::selected : series.role; }
float weight_of(const PlotSeries& series) { return series.current ? 3.0F : 1.75F; }

void dashed_line(const Look& look, ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 color, float weight) {
    const float length = std::hypot(to.x - from.x, to.y - from.y), step = look.px(dash);
    if (length <= 0 || !std::isfinite(length)) return;
    const ImVec2 along((to.x - from.x) / length, (to.y - from.y) / length);
    for (float at = 0; at < length; at += 2 * step) {
        const float end = std::min(at + step, length);
        list->AddLine({from.x + along.x * at, from.y + along.y * at}, {from.x + along.x * end, from.y + along.y * end},
                      color, weight);
    }
}

void draw_marker(const Look& look, ImDrawList* list, ImVec2 at, float radius, Marker marker, ImU32 color) {
    const ImU32 ground = look.color(Role::panel);
    const ImVec2 low(at.x - radius, at.y - radius), high(at.x + radius, at.y + radius);
    switch (marker) {
        case Marker::none: break;
        case Marker::disc: list->AddCircleFilled(at, radius, color); break;
        case Marker::ring:
            list->AddCircleFilled(at, radius, ground);
            list->AddCircle(at, radius, color, 0, look.px(1.5F));
            break;
        case Marker::square: list->AddRectFilled(low, high, color); break;
        case Marker::frame:
            list->AddRectFilled(low, high, ground);
            list->AddRect(low, high, color, 0, look.px(1.5F));
            break;
    }
}

/// Lines and spreads by ImPlot; dashes and markers, which it has no match for, on top of them.
void draw_series(const Look& look, const PlotSeries& series) {
    std::vector<double> xs, ys, below, above;
    for (const PlotPoint& point : series.points) {
        xs.push_back(point.x);
        ys.push_back(point.y);
        below.push_back(point.y - point.low);
        above.push_back(point.high - point.y);
    }
    const auto count = static_cast<int>(xs.size());
    ImPlotSpec spec;
    spec.LineColor = look.color4(role_of(series));
    spec.LineWeight = look.px(weight_of(series));
    if (series.line && !series.dashed) ImPlot::PlotLine(series.id.c_str(), xs.data(), ys.data(), count, spec);
    ImPlotSpec thin = spec;
    thin.LineWeight = look.px(1);
    thin.Size = 0;
    if (series.marker != Marker::none)
        ImPlot::PlotErrorBars(series.id.c_str(), xs.data(), ys.data(), below.data(), above.data(), count, thin);

    ImDrawList* list = ImPlot::GetPlotDrawList();
    const ImU32 color = look.color(role_of(series));
    ImPlot::PushPlotClipRect(look.px(6));
    for (std::size_t index = 0; index < series.points.size(); ++index) {
        const ImVec2 at = ImPlot::PlotToPixels(xs[index], ys[index]);
        if (series.line && series.dashed && index > 0)
            dashed_line(look, list, ImPlot::PlotToPixels(xs[index - 1], ys[index - 1]), at, color,
                        look.px(weight_of(series)));
        draw_marker(look, list, at, look.px(series.current ? scene::current_radius : scene::marker_radius),
                    series.marker, color);
        if (!series.points[index].wrong) continue;
        const float arm = look.px(scene::cross_radius), weight = look.px(2.5F);
        list->AddLine({at.x - arm, at.y - arm}, {at.x + arm, at.y + arm}, look.color(Role::cost), weight);
        list->AddLine({at.x - arm, at.y + arm}, {at.x + arm, at.y - arm}, look.color(Role::cost), weight);
    }
    ImPlot::PopPlotClipRect();
}

/// Names stand on a little of the ground, so that lines may run under them.
void draw_name(const Look& look, float em, ImDrawList* list, ImVec2 at, Role role, const std::string& name) {
    const float width = look.text_width(Font::words, em, name), height = look.line_height(Font::words, em);
    list->AddRectFilled({at.x - look.px(2), at.y}, {at.x + width + look.px(2), at.y + height},
                        look.color(Role::panel, 0.8F), look.px(2));
    look.text(list, Font::words, em, at, look.color(role), name);
}

/// A rule's line goes on beyond the points that define it: over both axes it is straight.
class RuleLine {
  public:
    explicit RuleLine(const PlotRule& rule)
        : one_(ImPlot::PlotToPixels(rule.x0, rule.y0)), other_(ImPlot::PlotToPixels(rule.x1, rule.y1)) {}
    [[nodiscard]] bool is_one() const { return other_.x - one_.x >= 1; }
    [[nodiscard]] float slope() const { return (other_.y - one_.y) / (other_.x - one_.x); }
    [[nodiscard]] float y_at(float x) const { return one_.y + slope() * (x - one_.x); }

  private:
    ImVec2 one_, other_;
};

void draw_rules(const Look& look, const XyPlot& plot) {
    ImPlot::PushPlotClipRect();
    const float left = ImPlot::GetPlotPos().x, right = left + ImPlot::GetPlotSize().x;
    for (const PlotRule& rule : plot.rules) {
        const RuleLine line(rule);
        if (!rule.shown || !line.is_one()) continue;
        dashed_line(look, ImPlot::GetPlotDrawList(), {left, line.y_at(left)}, {right, line.y_at(right)},
                    look.color(rule.role), look.px(1.25F));
    }
    ImPlot::PopPlotClipRect();
}

/// On top of everything, where each line comes in sight.
void name_rules(const Look& look, float em, const XyPlot& plot) {
    const ImVec2 corner = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
    const scene::Box box{corner.x, corner.y, size.x, size.y};
    const float most = size.x - look.px(8);
    std::vector<scene::NamedLine> lines;
    std::vector<std::pair<const PlotRule*, std::string>> names;
    const auto width_of = [&](const std::string& name) { return look.text_width(Font::words, em, name) + look.px(4); };
    for (const PlotRule& rule : plot.rules) {
        const ImVec2 one = ImPlot::PlotToPixels(rule.x0, rule.y0), other = ImPlot::PlotToPixels(rule.x1, rule.y1);
        if (!rule.shown || !RuleLine(rule).is_one()) continue;
        const bool brief = !rule.brief.empty() && look.text_width(Font::words, em, rule.name) > most;
        std::string name = elided(look, Font::words, em, brief ? rule.brief : rule.name, most);
        lines.push_back({.x0 = one.x,
                         .y0 = one.y,
                         .x1 = other.x,
                         .y1 = other.y,
                         .width = width_of(name),
                         .brief_width = rule.brief.empty() ? 0 : width_of(rule.brief)});
        names.emplace_back(&rule, std::move(name));
    }
    std::vector<std::vector<scene::Place>> series;
    for (const PlotSeries& each : plot.series) {
        if (!each.shown) continue;
        std::vector<scene::Place>& places = series.emplace_back();
        for (const PlotPoint& point : each.points) {
            const ImVec2 at = ImPlot::PlotToPixels(point.x, point.y);
            places.emplace_back(at.x, at.y);
        }
    }
    const auto boxes = scene::places_of_names(box, look.line_height(Font::words, em), lines, series);
    ImPlot::PushPlotClipRect();
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (!boxes[index]) continue;
        const auto& [rule, name] = names[index];
        draw_name(look, em, ImPlot::GetPlotDrawList(), {boxes[index]->x + look.px(2), boxes[index]->y}, rule->role,
                  boxes[index]->width < lines[index].width ? rule->brief : name);
    }
    ImPlot::PopPlotClipRect();
}

void name_points(const Look& look, float em, const XyPlot& plot) {
    std::vector<scene::NamedPoint> points;
    const std::vector<const PlotSeries*> named = plot.named();
    for (const PlotSeries* series : named) {
        const ImVec2 at = ImPlot::PlotToPixels(series->points.back().x, series->points.back().y);
        const Font font = series->current ? Font::words_medium : Font::words;
        points.push_back({.at = {at.x, at.y}, .width = look.text_width(font, em, series->name)});
    }
    std::vector<std::vector<scene::Place>> lines;
    for (const PlotSeries& series : plot.series) {
        if (!series.shown || !series.line) continue;
        std::vector<scene::Place>& places = lines.emplace_back();
        for (const PlotPoint& point : series.points) {
            const ImVec2 at = ImPlot::PlotToPixels(point.x, point.y);
            places.emplace_back(at.x, at.y);
        }
    }
    for (const PlotRule& rule : plot.rules) {
        const ImVec2 one = ImPlot::PlotToPixels(rule.x0, rule.y0), other = ImPlot::PlotToPixels(rule.x1, rule.y1);
        if (rule.shown) lines.push_back({{one.x, one.y}, {other.x, other.y}});
    }
    const ImVec2 corner = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
    const auto boxes = scene::places_of_point_names({corner.x, corner.y, size.x, size.y},
                                                    look.line_height(Font::words, em), look.px(10), points, lines);
    ImPlot::PushPlotClipRect();
    for (std::size_t index = 0; index < named.size(); ++index) {
        if (!boxes[index]) continue;
        const bool current = named[index]->current;
        look.text(ImPlot::GetPlotDrawList(), current ? Font::words_medium : Font::words, em,
                  {boxes[index]->x, boxes[index]->y}, look.color(current ? Role::text : Role::soft),
                  named[index]->name);
    }
    ImPlot::PopPlotClipRect();
}

void draw_pins(const Look& look, float em, const XyPlot& plot) {
    ImDrawList* list = ImPlot::GetPlotDrawList();
    ImPlot::PushPlotClipRect();
    for (const PlotSeries& series : plot.series) {
        if (!series.shown) continue;
        for (const PlotPoint& point : series.points) {
            if (point.source == PlotPoint::no_source) continue;
            const ImVec2 at = ImPlot::PlotToPixels(point.x, point.y);
            if (plot.selected == point.source)
                list->AddCircle(at, look.px(8), look.color(Role::selected), 0, look.px(2));
            const auto pin = std::ranges::find(plot.pins, point.source, &scene::PlotPin::source);
            if (pin == plot.pins.end()) continue;
            const float height = look.line_height(Font::words, em);
            const float width = look.text_width(Font::words, em, pin->text);
            const float right = ImPlot::GetPlotPos().x + ImPlot::GetPlotSize().x;
            const bool left_of = at.x + look.px(10) + width > right;
            draw_name(look, em, list,
                      {left_of ? at.x - look.px(10) - width : at.x + look.px(10), at.y - height - look.px(3)},
                      Role::text, pin->text);
        }
    }
    ImPlot::PopPlotClipRect();
}

std::optional<XyPlots::Under> nearest(const Look& look, const XyPlot& plot) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    std::optional<XyPlots::Under> under;
    float best = look.px(near);
    for (std::size_t series = 0; series < plot.series.size(); ++series) {
        if (!plot.series[series].shown) continue;
        for (std::size_t point = 0; point < plot.series[series].points.size(); ++point) {
            const PlotPoint& each = plot.series[series].points[point];
            const ImVec2 at = ImPlot::PlotToPixels(each.x, each.y);
            const float distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
            if (distance >= best) continue;
            best = distance;
            under = {series, point};
        }
    }
    return under;
}

}  // namespace

XyPlots::XyPlots() : context_(ImPlot::CreateContext()) {}
XyPlots::~XyPlots() { ImPlot::DestroyContext(context_); }

XyPlots::Answer XyPlots::draw(const Look& look, const XyPlot& plot, const std::string& id, ImVec2 at, ImVec2 size) {
    Answer answer;
    if (size.x < look.px(80) || size.y < look.px(60)) return answer;
    ImPlot::SetCurrentContext(context_);
    const float em = em_for(size.x / look.scale());
    const PlotStyle style(look, em);
    // The axes' names stand where they do in pictures: above the one, at the end of the other.
    const float name_height = look.line_height(Font::words, em) + look.px(2);
    ImDrawList* list = ImGui::GetWindowDrawList();
    look.text(list, Font::words, em, at, look.color(Role::soft), elided(look, Font::words, em, plot.y.title, size.x));
    const std::string below = elided(look, Font::words, em, plot.x.title, size.x);
    look.text(list, Font::words, em,
              {at.x + size.x - look.text_width(Font::words, em, below), at.y + size.y - name_height},
              look.color(Role::soft), below);
    ImGui::SetCursorScreenPos({at.x, at.y + name_height});
    constexpr ImPlotFlags flags = ImPlotFlags_NoTitle | ImPlotFlags_NoLegend | ImPlotFlags_NoMenus |
                                  ImPlotFlags_NoBoxSelect | ImPlotFlags_NoMouseText | ImPlotFlags_NoFrame;
    if (!ImPlot::BeginPlot("##xy", {size.x, std::max(size.y - 2 * name_height, 1.0F)}, flags)) return answer;
    constexpr ImPlotAxisFlags quiet = ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_NoHighlight |
                                      ImPlotAxisFlags_NoSideSwitch | ImPlotAxisFlags_NoTickMarks;
    ImPlot::SetupAxes(nullptr, nullptr, quiet, quiet);
    ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
    ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
    // Another chart shows all of it. The same in another window, alone or docked, goes on as it was: ImPlot keeps
    // limits by window.
    const ImGuiID where = ImGui::GetID("##xy");
    const bool other = shown_id_ != id, elsewhere = shown_in_ != where;
    shown_id_ = id;
    shown_in_ = where;
    if (other) {
        x_ = {plot.x.low, plot.x.high};
        y_ = {plot.y.low, plot.y.high};
    }
    ImPlot::SetupAxesLimits(x_.low, x_.high, y_.low, y_.high, other || elsewhere ? ImPlotCond_Always : ImPlotCond_Once);
    set_ticks(ImAxis_X1, plot.x, x_.low, x_.high, (size.x - look.px(5 * em)) / look.px(5 * em));
    set_ticks(ImAxis_Y1, plot.y, y_.low, y_.high, (size.y - 3 * name_height) / look.px(2.3F * em));
    ImPlot::SetupFinish();
    draw_rules(look, plot);
    for (const bool current : {false, true}) {
        for (const PlotSeries& series : plot.series) {
            if (series.shown && series.current == current && !series.points.empty()) draw_series(look, series);
        }
    }
    name_rules(look, em, plot);
    name_points(look, em, plot);
    draw_pins(look, em, plot);
    const ImPlotRect limits = ImPlot::GetPlotLimits();
    x_ = {limits.X.Min, limits.X.Max};
    y_ = {limits.Y.Min, limits.Y.Max};
    if (ImPlot::IsPlotHovered()) {
        answer.under = nearest(look, plot);
        const float moved = ImGui::GetIO().MouseDragMaxDistanceSqr[0];
        answer.clicked = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && moved < click_distance * click_distance;
        // ImPlot would fit to the lines of the rules, too.
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && !answer.under) fit();
    }
    ImPlot::EndPlot();
    return answer;
}

XyPlot XyPlots::as_seen(XyPlot plot) const {
    if (x_.low <= 0 || x_.low >= x_.high || y_.low <= 0 || y_.low >= y_.high) return plot;  // never drawn
    plot.x.low = x_.low;
    plot.x.high = x_.high;
    plot.y.low = y_.low;
    plot.y.high = y_.high;
    return plot;
}

float XyPlots::legend_width(const Look& look, const XyPlot& plot, float em, float least, float most) {
    float widest = 0;
    for (const PlotSeries& series : plot.series) {
        const Font font = series.current ? Font::words_medium : Font::words;
        widest = std::max(widest, look.text_width(font, em, series.name));
    }
    for (const PlotRule& rule : plot.rules) widest = std::max(widest, look.text_width(Font::words, em, rule.switched));
    return std::clamp(widest + look.px(sign_room + scrollbar), least, std::max(least, most));
}

std::optional<std::string> XyPlots::legend(const Look& look, const XyPlot& plot, float em, ImVec2 at, ImVec2 size) {
    std::optional<std::string> clicked;
    ImGui::SetCursorScreenPos(at);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginChild("legend", size, ImGuiChildFlags_None, ImGuiWindowFlags_None);
    const float row = look.px(legend_row * em), width = ImGui::GetContentRegionAvail().x;
    const auto entry = [&](const std::string& id, const std::string& name, bool shown, bool current,
                           const std::string& tells, const auto& sign) {
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        ImDrawList* list = ImGui::GetWindowDrawList();
        if (ImGui::InvisibleButton(id.c_str(), {width, row})) clicked = id;
        if (ImGui::IsItemHovered())
            list->AddRectFilled(corner, {corner.x + width, corner.y + row}, look.color(Role::raised), look.px(3));
        tip(look, tells + (shown ? "Click to leave it out." : "Click to show it."));
        sign(list, ImVec2(corner.x + look.px(2), corner.y + row * 0.5F));
        const Font font = current ? Font::words_medium : Font::words;
        look.text(list, font, em, {corner.x + look.px(sign_room), corner.y + (row - look.line_height(font, em)) * 0.5F},
                  look.color(current ? Role::text : Role::soft, shown ? 1 : 0.6F),
                  elided(look, font, em, name, width - look.px(sign_room)));
    };
    std::set<std::string> seen;
    for (const PlotSeries& series : plot.series) {
        seen.insert(series.id);
        entry(series.id, series.name, series.shown, series.current,
              series.name + "\n" + (series.tells.empty() ? "" : series.tells + "\n"),
              [&](ImDrawList* list, ImVec2 middle) {
                  const ImU32 color = look.color(role_of(series), series.shown ? 1 : hidden);
                  const ImVec2 end(middle.x + look.px(18), middle.y);
                  if (series.line && series.dashed) {
                      dashed_line(look, list, middle, end, color, look.px(1.75F));
                  } else if (series.line) {
                      list->AddLine(middle, end, color, look.px(weight_of(series)));
                  }
                  draw_marker(look, list, {middle.x + look.px(9), middle.y}, look.px(scene::marker_radius),
                              series.marker, color);
              });
    }
    for (const PlotRule& rule : plot.rules) {
        if (!seen.insert(rule.id).second) continue;
        entry(rule.id, rule.switched, rule.shown, false, rule.tells + "\n", [&](ImDrawList* list, ImVec2 middle) {
            dashed_line(look, list, middle, {middle.x + look.px(18), middle.y},
                        look.color(rule.role, rule.shown ? 1 : hidden), look.px(1.25F));
        });
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
    return clicked;
}

}  // namespace lanescope::ui
