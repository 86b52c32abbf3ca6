#include "ui/panels/timing_controls.h"

#include "base/grouped.h"
#include "timing/families.h"
#include "ui/drop_list.h"
#include "ui/panels/timing_omissions.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

namespace lanescope::ui {

using scene::Font;
using scene::PlotSeries;
using scene::Role;
using scene::TimingChart;
using timing::Point;

namespace {

std::vector<ListEntry> named(const std::vector<std::string>& names, std::size_t chosen,
                             const std::function<void(std::size_t)>& take) {
    std::vector<ListEntry> entries;
    for (std::size_t index = 0; index < names.size(); ++index)
        entries.push_back({names[index], {}, {}, index == chosen, [take, index] { take(index); }});
    return entries;
}

/// A button that opens a list and shows the selected entry.
std::optional<std::size_t> pick(const Look& look, const char* id, const std::vector<std::string>& names,
                                std::size_t chosen, float right, float height, float* left) {
    std::optional<std::size_t> picked;
    const ButtonLook how{.quiet = true, .height = height};
    const std::string& label = names[chosen];
    const ImVec2 size = button_size(look, label, Icon::none, Icon::down, how);
    const ImVec2 at(right - size.x, ImGui::GetCursorScreenPos().y);
    if (at.x < *left) return picked;
    ImGui::PushID(id);
    ImGui::SetCursorScreenPos(at);
    if (button(look, "##one", label, Icon::none, Icon::down, how)) open_list("all");
    drop_list(look, "all", {at.x, at.y + size.y}, {},
              [&] { return named(names, chosen, [&picked](std::size_t index) { picked = index; }); });
    ImGui::PopID();
    *left = at.x;
    return picked;
}

}  // namespace

void TimingControls::measure() {
    std::vector<std::string> kernels;
    for (const PlotSeries& series : plot_.series) {
        if (series.shown) kernels.push_back(series.id);
    }
    if (!view_.current.empty()) kernels.push_back(view_.current);
    std::ranges::sort(kernels);
    const auto same = std::ranges::unique(kernels);
    kernels.erase(same.begin(), same.end());
    if (const auto started = timings_.measure(sweep_for(view_, kernels)); !started) timings_.fail(started.error());
}

void TimingControls::draw_chart_row(const Look& look, float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    std::vector<std::string> names;
    for (const timing::LibraryEntry& entry : timings_.library().all()) names.push_back(timing::label(entry.recording));
    std::vector<std::string_view> charts;
    charts.reserve(scene::timing_charts.size());
    for (const TimingChart chart : scene::timing_charts) charts.push_back(scene::label_of(chart));
    const auto chosen = std::ranges::find(scene::timing_charts, view_.chart) - scene::timing_charts.begin();
    const char* const measure_label = "Measure on this GPU";
    const ButtonLook how{.enabled = !timings_.measuring(), .height = control};
    const float button_width = button_size(look, measure_label, Icon::none, Icon::none, how).x;
    const float room = width - button_width - look.px(gap);
    if (const auto other = choice(look, "chart", charts, static_cast<int>(chosen), control, room))
        view_.chart = scene::timing_charts[static_cast<std::size_t>(*other)];
    const float used = choice_width(look, charts, static_cast<int>(chosen), control, room);
    if (at.x + used + look.px(gap) > at.x + width - button_width) return;
    ImGui::SetCursorScreenPos(at);
    draw_omissions(look, timings_.recording(), view_.family, subject_, at.x + width - button_width - look.px(gap),
                   at.x + used + look.px(gap));
    ImGui::SetCursorScreenPos({at.x + width - button_width, at.y});
    if (button(look, "##measure", measure_label, Icon::none, Icon::none, how) && !timings_.measuring()) measure();
    tip(look,
        fmt::format("Times the kernels shown on this machine's NVIDIA GPU: {}. It continues where it was stopped.",
                    sweep_for(view_, {}).what));
}

void TimingControls::draw_recording_row(const Look& look, float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    float right = at.x + width;
    float left = at.x + look.px(120);
    const timing::Recording& recording = timings_.recording();
    const auto chooser = [&](const char* id, const std::vector<std::string>& names, std::size_t index,
                             const std::function<void(std::size_t)>& take) {
        if (names.size() < 2) return;
        ImGui::SetCursorScreenPos(at);
        float begins = left;
        if (const auto picked = pick(look, id, names, index, right, control, &begins)) take(*picked);
        if (begins != left) right = begins - look.px(4);
    };
    if (setting_ && scene::is_of_family(view_.chart)) {
        std::vector<std::string> elements = timing::measured_values(recording, view_.family, &Point::element);
        std::ranges::reverse(elements);  // int before float
        const auto found = std::ranges::find(elements, setting_->element);
        if (found != elements.end())
            chooser("element", elements, static_cast<std::size_t>(found - elements.begin()),
                    [&](std::size_t index) { view_.element = elements[index]; });
    }
    const bool over_n = view_.chart == TimingChart::bandwidth || view_.chart == TimingChart::time;
    if (setting_ && (over_n || view_.chart == TimingChart::per_thread)) {
        std::vector<std::uint32_t> blocks = timing::measured_values(recording, view_.family, &Point::block);
        std::erase(blocks, 0U);  // chosen by a library
        std::vector<std::string> names;
        names.reserve(blocks.size());
        for (const std::uint32_t block : blocks) names.push_back(fmt::format("blocks of {}", grouped(block)));
        const auto found = std::ranges::find(blocks, setting_->block);
        if (found != blocks.end())
            chooser("block", names, static_cast<std::size_t>(found - blocks.begin()),
                    [&](std::size_t index) { view_.block = blocks[index]; });
    }
    if (setting_ && !over_n && (scene::is_of_family(view_.chart) || view_.chart == TimingChart::steps)) {
        const std::vector<std::uint64_t> sizes = timing::measured_values(recording, view_.family, &Point::n);
        std::vector<std::string> names;
        names.reserve(sizes.size());
        for (const std::uint64_t n : sizes) names.push_back("N = " + size_text(n));
        const auto of_steps = scene::steps_setting(recording, view_);
        const std::uint64_t shown = view_.chart == TimingChart::steps && of_steps ? of_steps->n : setting_->n;
        const auto found = std::ranges::find(sizes, shown);
        if (found != sizes.end())
            chooser("n", names, static_cast<std::size_t>(found - sizes.begin()),
                    [&](std::size_t index) { view_.n = sizes[index]; });
    }
    const std::vector<std::string> families = timing::families(recording);
    const auto family = std::ranges::find(families, view_.family);
    if (scene::is_of_family(view_.chart) && family != families.end())
        chooser("family", families, static_cast<std::size_t>(family - families.begin()),
                [&](std::size_t index) { view_.family = families[index]; });
    // The rest of the width is the label, which opens the list of recordings.
    std::vector<std::string> names;
    for (const timing::LibraryEntry& entry : timings_.library().all()) names.push_back(timing::label(entry.recording));
    const std::string label = timing::label(scene::recording_of(subject_, view_));
    const float room = right - at.x - look.px(gap);
    const ButtonLook how{.quiet = true, .height = control};
    const float around = button_size(look, "", Icon::none, Icon::down, how).x;
    ImGui::SetCursorScreenPos({at.x - look.px(6), at.y});
    ImGui::PushID("recording");
    if (button(look, "##one", elided(look, Font::words_medium, type::label, label, room - around), Icon::none,
               Icon::down, how))
        open_list("all");
    tip(look, label + (recording.note.empty() ? "" : "\n" + recording.note) +
                  (recording.command.empty() ? "" : "\nMade by: " + recording.command.substr(0, 300)));
    drop_list(look, "all", {at.x - look.px(6), at.y + look.px(control)}, {}, [&] {
        return named(names, *timings_.chosen(), [this](std::size_t index) {
            timings_.choose(index);
            view_.n.reset();
            view_.block.reset();
        });
    });
    ImGui::PopID();
}

std::string TimingControls::beginning() const {
    const timing::Recording& growing = timings_.growing();
    if (growing.device.empty()) return "Starting.";
    if (growing.copies.empty()) return fmt::format("{}: measuring the ceilings first (copy, read).", growing.device);
    const std::uint64_t n = growing.copies.back().bytes / sizeof(std::int32_t);
    return fmt::format("{}: measuring the ceilings first (copy, read); complete up to N = {}.", growing.device,
                       size_text(n));
}

void TimingControls::draw_measurement_row(const Look& look, float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float height = look.px(state_row);
    const char* const word = timings_.measuring() ? "Cancel" : "Dismiss";
    const ButtonLook how{.height = control};
    const float button_width = button_size(look, word, Icon::none, Icon::none, how).x;
    const float room = width - button_width - look.px(gap);
    const bool measuring = timings_.measuring();
    std::string text;
    if (measuring) {
        const timing::Advance& advance = timings_.advance();
        text = advance.of > 0 ? fmt::format("{} of {}: {}", advance.done, advance.of, advance.what) : beginning();
        if (advance.seconds_left >= 0) text += fmt::format(", {:.0f} s left", advance.seconds_left);
        const float share = advance.of == 0 ? 0 : static_cast<float>(advance.done) / static_cast<float>(advance.of);
        list->AddRectFilled({at.x, at.y + height - look.px(4)}, {at.x + room, at.y + height - look.px(1)},
                            look.color(Role::line), look.px(2));
        list->AddRectFilled({at.x, at.y + height - look.px(4)}, {at.x + room * share, at.y + height - look.px(1)},
                            look.color(Role::useful), look.px(2));
    } else {
        text = timings_.problem()->message();
    }
    std::ranges::replace(text, '\n', ' ');
    look.text(list, Font::words, type::label, {at.x, at.y + look.px(5)},
              look.color(measuring ? Role::text : Role::cost), elided(look, Font::words, type::label, text, room));
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton("##state", {std::max(room, 1.0F), height});
    tip(look, text);
    ImGui::SetCursorScreenPos({at.x + width - button_width, at.y + (height - look.px(control)) * 0.5F});
    if (button(look, "##stop", word, Icon::none, Icon::none, how)) {
        if (measuring) {
            timings_.cancel();
        } else {
            timings_.forget_problem();
        }
    }
}

}  // namespace lanescope::ui
