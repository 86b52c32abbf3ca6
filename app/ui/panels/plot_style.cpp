#include "ui/panels/plot_style.h"

#include <implot.h>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

PlotStyle::PlotStyle(const Look& look, float em) {
    const auto color = [&](ImPlotCol which, ImVec4 value) { ImPlot::PushStyleColor(which, value), ++colors_; };
    const auto size = [&](ImPlotStyleVar which, ImVec2 value) { ImPlot::PushStyleVar(which, value), ++sizes_; };
    for (const ImPlotCol none : {ImPlotCol_FrameBg, ImPlotCol_PlotBg, ImPlotCol_PlotBorder, ImPlotCol_AxisTick,
                                 ImPlotCol_AxisBg, ImPlotCol_AxisBgHovered, ImPlotCol_AxisBgActive}) {
        color(none, {0, 0, 0, 0});
    }
    color(ImPlotCol_AxisText, look.color4(Role::soft));
    color(ImPlotCol_AxisGrid, look.color4(Role::line));
    size(ImPlotStyleVar_PlotPadding, {0, look.px(4)});
    size(ImPlotStyleVar_LabelPadding, {look.px(7), look.px(4)});
    size(ImPlotStyleVar_PlotMinSize, {1, 1});
    size(ImPlotStyleVar_MajorTickLen, {0, 0});
    look.push(Font::code, em);
}

PlotStyle::~PlotStyle() {
    ImGui::PopFont();
    ImPlot::PopStyleVar(sizes_);
    ImPlot::PopStyleColor(colors_);
}

}  // namespace lanescope::ui
