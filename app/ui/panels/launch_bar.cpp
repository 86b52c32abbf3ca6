#include "ui/panels/launch_bar.h"

#include "base/grouped.h"
#include "model/device_limits.h"
#include "ui/menu.h"
#include "ui/panels/run_status.h"
#include "ui/shell.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float bar_padding = 9, folded_padding = 2;
constexpr float most_name = 360;  // of the kernel
constexpr float widest_message = 380;
constexpr std::string_view run_it = "Run anyway";

/// A refusal, and the left and bottom of its field, in pixels.
struct Refused {
    float x = 0, y = 0;
    const Problem* problem = nullptr;
};

/// Draws the messages below the bar, each under its field, without overlap. Where the kernel's own limit refuses the
/// launch (`by_rule`), there is a button to run anyway; true when it is clicked.
bool hang_below(const Look& look, const std::vector<Refused>& all, float right, bool by_rule) {
    bool anyway = false;
    const ButtonLook how{.height = 26};
    float lowest = 0, from = 0, to = 0;  // of the message before
    for (std::size_t index = 0; index < all.size(); ++index) {
        std::string text = all[index].problem->what + ".";
        if (!all[index].problem->remedy.empty()) text += " " + all[index].problem->remedy;
        const Type words(look, Font::words, type::label);
        const float pad = look.px(10);
        const ImVec2 size = ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, look.px(widest_message));
        const bool offered = by_rule && index == 0;
        const ImVec2 offer = button_size(look, run_it, Icon::none, Icon::none, how);
        const float wide = std::max(size.x, offered ? offer.x : 0.0F) + 2 * pad;
        const float tall = size.y + 2 * look.px(7) + (offered ? offer.y + look.px(7) : 0.0F);
        const float x = std::max(look.px(4), std::min(all[index].x, right - wide));
        float y = all[index].y + look.px(3);
        if (x < to && x + wide > from) y = std::max(y, lowest + look.px(4));
        ImGui::SetNextWindowPos({x, y});
        ImGui::SetNextWindowSize({wide, tall});
        ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
        ImGui::PushStyleColor(ImGuiCol_Border, look.color(Role::cost));
        ImGui::Begin(fmt::format("##refused{}", index).c_str(), nullptr,
                     (offered ? ImGuiWindowFlags_NoNav : ImGuiWindowFlags_NoInputs) | ImGuiWindowFlags_NoDecoration |
                         ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing);
        ImGui::PopStyleColor();
        ImGui::PopStyleVar();
        ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
        ImGui::SetCursorScreenPos({x + pad, y + look.px(7)});
        ImGui::PushTextWrapPos(pad + size.x + 1);
        ImGui::TextColored(look.color4(Role::cost), "%s", text.c_str());
        ImGui::PopTextWrapPos();
        if (offered) {
            ImGui::SetCursorScreenPos({x + pad, y + look.px(14) + size.y});
            anyway = button(look, "##anyway", run_it, Icon::none, Icon::none, how);
            tip(look,
                "The limit is the kernel's own, not the device's. Run anyway to see what goes wrong (Ctrl + Enter).");
        }
        ImGui::End();
        lowest = y + tall;
        from = x;
        to = x + wide;
    }
    return anyway;
}

}  // namespace

float LaunchBar::least_name(Brevity brief) { return brief.bare ? 110 : brief.view ? 180 : 290; }

std::vector<BarItem> LaunchBar::left_items(Context& context, Shell& shell, float room, Brevity brief) {
    const Look& look = context.look;
    const Shown* shown = context.workspace.shown();
    std::vector<BarItem> items;
    items.push_back(
        {menu_width(look, brief.menu), [&look, &shell, is_brief = brief.menu] { draw_menu(look, shell, is_brief); }});
    if (shown != nullptr && shown->run->program.source.scan.kernels.size() + shown->run->other_kernels.size() > 1)
        items.push_back(fields_.kernel(context));
    static const std::string of_block =
        fmt::format("Threads per block: 1 to {}, or an extent such as 16x16. Up and Down go to the next power of two.",
                    grouped(model::emulated_device().threads_per_block));
    items.push_back(fields_.text(context, Field::block, "Block", of_block.c_str(), 34));
    items.push_back(fields_.text(context, Field::grid, "Grid", "Blocks per grid. Up and Down change it by one.", 26));
    items.push_back(
        fields_.text(context, Field::n, "N", "Number of input elements. Up and Down go to the next power of two.", 34));
    items.push_back(fields_.text(context, Field::input, brief.bare ? "" : "Input",
                                 "Input data: a generator such as iota, ones or random 7, or the values themselves.",
                                 brief.bare ? 60 : 76));
    items.push_back(fields_.view(context, brief.view));
    items.push_back(more_.item(context));
    if (shown != nullptr &&
        (shown->trace().launches.size() > 1 || shown->trace().launches[shown->launch].recorded.size() > 1))
        items.push_back(fields_.block(context, brief.bare));

    // The name of the kernel takes the remaining room.
    items.insert(items.begin() + 1,
                 fields_.program(context, std::clamp(room - total_width(look, items) - look.px(bar_item_gap),
                                                     look.px(least_name(brief)), look.px(most_name))));
    return items;
}

std::vector<BarItem> LaunchBar::right_items(Context& context, Shell& shell, Brevity brevity) {
    const Look& look = context.look;
    std::vector<BarItem> items = run_status_items(context, shell, brevity);
    const auto add_icon = [&](const char* id, Icon icon, const char* meaning, void (*act)(Shell&)) {
        items.push_back({look.px(control_height), [&look, &shell, id, icon, meaning, act] {
                             if (button(look, id, "", icon, Icon::none, {.quiet = true})) act(shell);
                             tip(look, meaning);
                         }});
    };
    add_icon("theme", look.theme() == scene::Theme::dark ? Icon::sun : Icon::moon,
             "Switch between dark and light theme (Ctrl + T)", [](Shell& s) { s.toggle_theme(); });
    add_icon("help", Icon::question, "Keyboard shortcuts (?)", [](Shell& s) { s.toggle_help(); });
    return items;
}

LaunchBar::Rows LaunchBar::in_rows(const std::vector<BarItem>& left, float right, float room, float space) {
    Rows placed{.rows = {{}}};
    std::vector<float> used(1, 0);
    for (const BarItem& item : left) {
        if (used.back() > 0 && used.back() + item.width > room) {
            placed.rows.emplace_back();
            used.push_back(0);
        }
        placed.rows.back().push_back(&item);
        used.back() += item.width + space;
    }
    while (placed.right < used.size() && used[placed.right] + right > room) ++placed.right;
    if (placed.right == used.size()) placed.rows.emplace_back();
    return placed;
}

BarItem LaunchBar::summary(Context& context) {
    const Look& look = context.look;
    const LaunchForm& form = context.workspace.form();
    const std::string text = fmt::format("block {}, N {}, {}", form.shown(Field::block), form.shown(Field::n),
                                         form.shown(Field::view) == "compiled" ? "as compiled" : "as written");
    const bool refused = std::ranges::any_of(std::array{Field::block, Field::grid, Field::n, Field::input, Field::view},
                                             [&](Field field) { return form.problem(field).has_value(); });
    const Icon sign = refused ? Icon::warning : Icon::none;
    const auto draw = [this, &look, text, sign] {
        if (button(look, "unfold", text, sign, Icon::down)) unfolded_ = true;
        tip(look, "Show the launch fields.");
    };
    return {.width = button_size(look, text, sign, Icon::down).x, .draw = draw};
}

BarItem LaunchBar::fold(const Look& look) {
    const auto draw = [this, &look] {
        if (button(look, "fold", "", Icon::cross, Icon::none, {.quiet = true})) unfolded_ = false;
        tip(look, "Fold the launch fields into one line.");
    };
    return {.width = look.px(control_height), .draw = draw};
}

std::vector<BarItem> LaunchBar::folded_items(Context& context, Shell& shell, float room, Brevity brief) {
    const Look& look = context.look;
    std::vector<BarItem> items;
    items.push_back({menu_width(look, true), [&look, &shell] { draw_menu(look, shell, true); }});
    BarItem launch = summary(context);
    const float rest = room - total_width(look, items) - launch.width - 2 * look.px(bar_item_gap);
    items.push_back(fields_.program(context, std::clamp(rest, look.px(least_name(brief)), look.px(most_name))));
    items.push_back(std::move(launch));
    return items;
}

LaunchBar::Rows LaunchBar::in_one_row(const std::vector<BarItem>& left) {
    Rows placed{.rows = {{}}};
    for (const BarItem& item : left) placed.rows.front().push_back(&item);
    return placed;
}

float LaunchBar::draw(Context& context, Shell& shell, ImVec2 at, float width, bool folded) {
    const Look& look = context.look;
    if (!folded) unfolded_ = false;
    const bool one_line = folded && !unfolded_;
    const float pad = look.px(one_line ? folded_padding : bar_padding), space = look.px(bar_item_gap),
                row_height = look.px(control_height);
    const float edge = look.px(12), room = width - 2 * edge;
    // In a narrow window labels are shortened step by step before there is a second row.
    // The menus are the last that a wide window gives up.
    constexpr std::array<Brevity, 7> manners = {Brevity{},
                                                Brevity{.badges = true},
                                                Brevity{.badges = true, .view = true},
                                                Brevity{.menu = true},
                                                Brevity{.badges = true, .menu = true},
                                                Brevity{.badges = true, .menu = true, .view = true},
                                                Brevity{.badges = true, .menu = true, .view = true, .bare = true}};
    std::vector<BarItem> left, right;
    const auto say = [&](Brevity brief) {
        right = right_items(context, shell, brief);
        if (unfolded_) right.push_back(fold(look));
        left = one_line ? folded_items(context, shell, room - total_width(look, right), brief)
                        : left_items(context, shell, room - total_width(look, right), brief);
    };
    const auto placed = [&] { return in_rows(left, total_width(look, right) - space, room, space); };
    bool fits = false;
    for (const Brevity& brief : manners) {
        say(brief);
        fits = total_width(look, left) + total_width(look, right) - space <= room;
        if (fits) break;
    }
    // A second row has room for full labels again; the full name of the kernel is worth more than the names of the
    // menus.
    const auto fits_in_two = [&](Brevity brief, float least) {
        constexpr std::size_t name = 1;
        say(brief);
        constexpr float step = 10;
        for (int steps = 0; most_name - step * static_cast<float>(steps) >= least; ++steps) {
            left[name].width = look.px(most_name - step * static_cast<float>(steps));
            if (placed().rows.size() > 2) continue;
            left[name] = fields_.program(context, left[name].width);
            return true;
        }
        return false;
    };
    fits = fits || one_line || fits_in_two(manners[0], most_name) || fits_in_two(Brevity{.menu = true}, most_name);
    for (auto brief = manners.begin(); !fits && brief != manners.end(); ++brief) {
        fits = fits_in_two(*brief, least_name(*brief));
    }
    const auto [rows, right_row] = one_line ? in_one_row(left) : placed();
    const float right_width = total_width(look, right) - space;
    const float height = pad + static_cast<float>(rows.size()) * (row_height + pad);

    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("##launch", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PopStyleVar();
    std::vector<Refused> refused;
    float y = at.y + pad;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        float x = at.x + edge;
        for (const BarItem* item : rows[row]) {
            ImGui::SetCursorScreenPos({x, y});
            ImGui::BeginDisabled(item->launches && context.workspace.of_trace());
            item->draw();
            ImGui::EndDisabled();
            // Compiler errors are shown at their lines, which a message here would cover, and in the narration.
            const bool shown_below = item->field == Field::program && !context.workspace.refused_source().empty();
            if (item->problem && !shown_below) refused.push_back({x, y + row_height, &*item->problem});
            x += item->width + space;
        }
        if (row == right_row) {
            x = at.x + width - edge - right_width;
            for (const BarItem& item : right) {
                ImGui::SetCursorScreenPos({x, y});
                item.draw();
                x += item.width + space;
            }
        }
        y += row_height + pad;
    }
    ImGui::GetWindowDrawList()->AddLine({at.x, at.y + height - 1}, {at.x + width, at.y + height - 1},
                                        look.color(Role::line));
    ImGui::End();
    if (hang_below(look, refused, at.x + edge + room, context.workspace.form().can_run_anyway()))
        context.workspace.run_anyway();
    return height;
}

}  // namespace lanescope::ui
