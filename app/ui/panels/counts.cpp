#include "ui/panels/counts.h"

#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float row_points = 26, chart_points = 150;

struct Column {
    const char* heading;
    const char* meaning;
    std::string (*value)(const analysis::Pass& pass, unsigned threads);
};

std::string number(std::uint64_t value) { return value == 0 ? "–" : fmt::format("{}", value); }

double useful_share(const analysis::Pass& pass, unsigned threads) {
    return threads == 0 ? 0 : static_cast<double>(pass.lanes) / threads;
}

constexpr std::array columns = {
    Column{"ops", "Operator applications: lanes that combined two values which each depend on the input.",
           [](const analysis::Pass& pass, unsigned) { return number(pass.counts.operator_applications); }},
    Column{"useful", "Threads of the block whose work in this pass reaches an output.",
           [](const analysis::Pass& pass, unsigned threads) {
               return fmt::format("{:.0f} %", useful_share(pass, threads) * 100);
           }},
    Column{"ld wf",
           "Wavefronts of loads from shared memory: each serves every bank once. As many as loads: no conflict.",
           [](const analysis::Pass& pass, unsigned) { return number(pass.counts.shared_load_wavefronts); }},
    Column{"st wf", "Wavefronts of stores to shared memory.",
           [](const analysis::Pass& pass, unsigned) { return number(pass.counts.shared_store_wavefronts); }},
    Column{"sectors", "32-byte sectors of global memory, read and written.",
           [](const analysis::Pass& pass, unsigned) {
               return number(pass.counts.global_load_sectors + pass.counts.global_store_sectors);
           }},
    Column{"instr.", "Warp instructions with at least one lane at work.",
           [](const analysis::Pass& pass, unsigned) { return number(pass.counts.warp_instructions); }},
};

}  // namespace

std::string CountsPanel::subtitle(const Context& context) const {
    const Shown* shown = context.model.shown();
    if (shown == nullptr) return {};
    return shown->trace().launches[shown->launch].grid.count() == 1
               ? "by pass"
               : fmt::format("by pass, block {}", shown->block.value);
}

void CountsPanel::draw(Context& context) {
    const Look& look = context.look;
    if (context.model.shown() == nullptr) {
        ImGui::SetCursorPos({look.px(card_padding), ImGui::GetCursorPosY() + look.px(card_padding)});
        ImGui::TextColored(look.color4(Role::soft), "The counts of each pass will stand here.");
        return;
    }
    const float edge = look.px(2);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float rows = static_cast<float>(context.model.shown()->passes->passes.size() + 2);
    const float wanted = rows * look.px(row_points) + look.px(gap) * 2;
    // The curve stands below the table where there is room for both.
    const bool chart = context.model.shown()->passes->passes.size() > 1 &&
                       room.y - std::min(wanted, room.y * 0.6F) > look.px(chart_points);
    const float table = chart ? std::min(wanted, room.y - look.px(chart_points)) : room.y - edge;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + edge);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::BeginChild("table", {room.x - 2 * edge, table});
    draw_table(context);
    ImGui::EndChild();
    if (chart) {
        const float tall = std::min(room.y - table, look.px(240));
        draw_useful_lanes(context, {at.x, at.y + table}, {room.x - 2 * edge, tall});
    }
}

void CountsPanel::draw_table(Context& context) {
    const Look& look = context.look;
    Model& model = context.model;
    const Shown& shown = *model.shown();
    const std::vector<analysis::Pass>& passes = shown.passes->passes;
    const bool at_end = model.position() >= model.at().end();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float row = look.px(row_points), pad = look.px(card_padding);
    const float left = ImGui::GetCursorScreenPos().x + pad, width = ImGui::GetContentRegionAvail().x;
    float label_width = look.text_width(Font::code, type::label, "total");
    for (const analysis::Pass& pass : passes)
        label_width = std::max(label_width, look.text_width(Font::code, type::label, pass.label));
    label_width = std::min(label_width, width * 0.42F);

    // As many columns as there is room for; the most telling come first.
    const float column = look.px(52);
    const float room = width - 2 * pad - label_width;
    const auto fitting =
        std::clamp<std::size_t>(static_cast<std::size_t>(std::max(room, 0.0F) / column), 1, columns.size());
    const float step = std::min(room / static_cast<float>(fitting), look.px(96));
    const auto right = [&](std::size_t index) { return left + label_width + step * static_cast<float>(index + 1); };
    const auto put = [&](Font font, float y, std::size_t index, const std::string& text, ImU32 ink) {
        const float em = font == Font::code ? type::value - 0.5F : type::label;
        const float wide = look.text_width(font, em, text);
        look.text(list, font, em, {right(index) - wide, y + (row - look.line_height(font, em)) * 0.5F}, ink, text);
    };
    const auto put_label = [&](float y, const std::string& text, ImU32 ink) {
        look.text(list, Font::code, type::label, {left, y + (row - look.line_height(Font::code, type::label)) * 0.5F},
                  ink, elided(look, Font::code, type::label, text, label_width));
    };

    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::Dummy({1, look.px(gap) * 0.5F});
    ImVec2 at = ImGui::GetCursorScreenPos();
    for (std::size_t index = 0; index < fitting; ++index) {
        put(Font::words, at.y, index, columns[index].heading, look.color(Role::soft));
        ImGui::SetCursorScreenPos({right(index) - step, at.y});
        ImGui::PushID(static_cast<int>(index));
        ImGui::InvisibleButton("heading", {step, row});
        tip(look, columns[index].meaning);
        ImGui::PopID();
    }
    ImGui::SetCursorScreenPos({at.x, at.y + row});

    for (std::size_t index = 0; index < passes.size(); ++index) {
        const analysis::Pass& pass = passes[index];
        at = ImGui::GetCursorScreenPos();
        ImGui::PushID(static_cast<int>(index));
        if (ImGui::InvisibleButton("pass", {width, row})) model.seek_pass(index);
        const bool hovered = ImGui::IsItemHovered();
        ImGui::PopID();
        const bool current = !at_end && index == model.pass();
        if (current && (scrolled_for_ != shown.id || scrolled_to_ != index)) {
            scrolled_for_ = shown.id;
            scrolled_to_ = index;
            ImGui::SetScrollHereY(0.5F);
        }
        const bool reached = at_end || index <= model.pass();
        const ImVec2 low(at.x + pad * 0.5F, at.y), high(at.x + width - pad * 0.5F, at.y + row);
        if (current) {
            list->AddRectFilled(low, high, look.color(Role::cursor, look.theme() == scene::Theme::dark ? 0.24F : 0.38F),
                                look.px(3));
        } else if (hovered) {
            list->AddRectFilled(low, high, look.color(Role::raised), look.px(3));
        }
        const ImU32 ink = look.color(reached ? Role::text : Role::soft, reached ? 1 : 0.7F);
        put_label(at.y, pass.label, ink);
        for (std::size_t which = 0; which < fitting; ++which) {
            put(Font::code, at.y, which, reached ? columns[which].value(pass, shown.threads()) : "·", ink);
        }
    }

    // The whole block below a line.
    at = ImGui::GetCursorScreenPos();
    analysis::Pass total;
    for (const analysis::Pass& pass : passes) {
        total.counts += pass.counts;
        total.lanes = std::max(total.lanes, pass.lanes);
    }
    list->AddLine({left, at.y + 1}, {right(fitting - 1), at.y + 1}, look.color(Role::line));
    put_label(at.y, "total", look.color(Role::soft));
    for (std::size_t which = 0; which < fitting; ++which) {
        const bool is_share = std::string_view(columns[which].heading) == "useful";
        if (!is_share)
            put(Font::code, at.y, which, columns[which].value(total, shown.threads()), look.color(Role::soft));
    }
    ImGui::Dummy({1, row});
    ImGui::PopStyleVar();
}

void CountsPanel::draw_useful_lanes(const Context& context, ImVec2 at, ImVec2 size) {
    const Look& look = context.look;
    const Model& model = context.model;
    const Shown& shown = *model.shown();
    const std::vector<analysis::Pass>& passes = shown.passes->passes;
    if (passes.empty()) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float pad = look.px(card_padding);
    look.text(list, Font::words, type::label, {at.x + pad, at.y + look.px(gap)}, look.color(Role::soft),
              "useful lanes, % of the block");
    const float axis = look.text_width(Font::code, type::small, "100") + look.px(10);
    const ImVec2 low(at.x + pad + axis, at.y + look.px(44)),
        high(at.x + size.x - pad - look.px(6), at.y + size.y - look.px(26));
    if (high.x - low.x < look.px(40) || high.y - low.y < look.px(30)) return;
    const auto y_of = [&](double share) { return high.y - static_cast<float>(share) * (high.y - low.y); };
    for (const int percent : {0, 50, 100}) {
        const float y = std::floor(y_of(percent / 100.0)) + 0.5F;
        list->AddLine({low.x, y}, {high.x, y}, look.color(Role::line));
        const std::string label = fmt::format("{}", percent);
        const float wide = look.text_width(Font::code, type::small, label);
        look.text(list, Font::code, type::small,
                  {low.x - look.px(8) - wide, y - look.line_height(Font::code, type::small) * 0.5F},
                  look.color(Role::soft), label);
    }
    const bool at_end = model.position() >= model.at().end();
    const std::size_t reached = at_end ? passes.size() : std::min(model.pass() + 1, passes.size());
    const float step = passes.size() > 1 ? (high.x - low.x) / static_cast<float>(passes.size() - 1) : 0;
    ImVec2 last;
    for (std::size_t index = 0; index < passes.size(); ++index) {
        const ImVec2 point(low.x + step * static_cast<float>(index),
                           y_of(useful_share(passes[index], shown.threads())));
        const bool ghost = index >= reached;
        if (index > 0) list->AddLine(last, point, look.color(Role::useful, ghost ? 0.2F : 1), look.px(1.75F));
        last = point;
    }
    for (std::size_t index = 0; index < passes.size(); ++index) {
        const ImVec2 point(low.x + step * static_cast<float>(index),
                           y_of(useful_share(passes[index], shown.threads())));
        const bool current = !at_end && index == model.pass();
        if (current) list->AddCircleFilled(point, look.px(6.5F), look.color(Role::cursor));
        list->AddCircleFilled(point, look.px(4), look.color(Role::panel));
        list->AddCircleFilled(point, look.px(3.5F), look.color(Role::useful, index >= reached ? 0.3F : 1));
    }
    // Names of the passes below, as many as have room.
    float free_from = at.x;
    for (std::size_t index = 0; index < passes.size(); ++index) {
        const float wide = look.text_width(Font::code, type::small, passes[index].label);
        const float x = std::clamp(low.x + step * static_cast<float>(index) - wide * 0.5F, at.x + look.px(4),
                                   at.x + size.x - wide - look.px(4));
        if (x < free_from) continue;
        look.text(list, Font::code, type::small, {x, high.y + look.px(6)}, look.color(Role::soft), passes[index].label);
        free_from = x + wide + look.px(10);
    }
}

}  // namespace lanescope::ui
