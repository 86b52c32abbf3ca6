#include "ui/panels/launch_bar.h"

#include "base/grouped.h"
#include "model/device_limits.h"
#include "ui/menu.h"
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

constexpr float bar_padding = 9, item_gap = 8;
constexpr float most_name = 360;  // of the kernel
constexpr float widest_message = 380;
constexpr std::string_view run_it = "Run anyway";

/// What was refused, and the field's left and bottom, in pixels.
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
            tip(look, "The kernel states this limit itself. Run anyway to see what goes wrong (Ctrl + Enter).");
        }
        ImGui::End();
        lowest = y + tall;
        from = x;
        to = x + wide;
    }
    return anyway;
}

/// The machine that executed what is shown, and what a click does.
struct MachineBadge {
    Badge badge;
    std::string meaning;
    void (*act)(Shell&) = nullptr;
};

void check(Shell& shell) { shell.check_on_gpu(); }

MachineBadge machine_badge(const Workspace& workspace, bool brief) {
    const trace::Trace& trace = workspace.shown()->trace();
    if (trace.origin.machine == trace::Machine::gpu) {
        // Only verified traces are saved (session::Verification::recorded); their notes say what was compared.
        const trace::Origin& origin = trace.origin;
        MachineBadge recorded{
            {Icon::check, Role::agrees,
             brief ? "recorded, both agree" : fmt::format("recorded on {}, both agree", origin.device)},
            fmt::format("{} and the emulator agree.", origin.device)};
        for (const std::string& note : trace.notes) recorded.meaning += " " + note;
        return recorded;
    }
    const GpuCheck& gpu = workspace.gpu_check();
    switch (gpu.state()) {
        case GpuCheck::State::running:
            return {{Icon::ring, Role::useful, brief ? "comparing" : "comparing with the GPU"},
                    "The same launch runs on this machine's GPU. Each thread's log is compared with the emulator's."};
        case GpuCheck::State::agree:
            return {{Icon::check, Role::agrees, "both agree"}, gpu.said() + " Click to verify again.", check};
        case GpuCheck::State::differ:
            return {{Icon::cross, Role::cost, "differs"}, gpu.said() + " Click to see where.", [](Shell& shell) {
                        shell.open_difference();
                    }};
        case GpuCheck::State::unknown: break;
    }
    std::string meaning = "Executed by the PTX emulator on the CPU. No GPU is needed.";
    if (!gpu.said().empty()) meaning += "\n" + gpu.said();
    if (!workspace.can_check()) return {{Icon::ring, Role::soft, "emulated"}, std::move(meaning)};
    return {{Icon::ring, Role::soft, "emulated"}, meaning + "\nClick to verify on this GPU (Ctrl + G).", check};
}

}  // namespace

float LaunchBar::centred(const Look& look, Font font, float em, float top) {
    return std::floor(top + (look.px(control_height) - look.line_height(font, em)) * 0.5F);
}

float LaunchBar::total(const Look& look, const std::vector<Item>& items) {
    float sum = 0;
    for (const Item& item : items) sum += item.width + look.px(item_gap);
    return sum;
}

float LaunchBar::least_name(Brevity brief) { return brief.bare ? 110 : brief.view ? 180 : 290; }

std::vector<LaunchBar::Item> LaunchBar::left_items(Context& context, Shell& shell, float room, Brevity brief) {
    const Look& look = context.look;
    const Shown* shown = context.workspace.shown();
    std::vector<Item> items;
    items.push_back(
        {menu_width(look, brief.menu), [&look, &shell, is_brief = brief.menu] { draw_menu(look, shell, is_brief); }});
    if (shown != nullptr && shown->run->program.source.scan.kernels.size() > 1) items.push_back(kernel_item(context));
    static const std::string of_block =
        fmt::format("Threads per block: 1 to {}, or an extent such as 16x16. Up and Down go to the next power of two.",
                    grouped(model::emulated_device().threads_per_block));
    items.push_back(text_item(context, Field::block, "Block", of_block.c_str(), 34));
    items.push_back(text_item(context, Field::grid, "Grid", "Blocks per grid. Up and Down change it by one.", 26));
    items.push_back(
        text_item(context, Field::n, "N", "Number of input elements. Up and Down go to the next power of two.", 34));
    items.push_back(text_item(context, Field::input, brief.bare ? "" : "Input",
                              "Input data: a generator such as iota, ones or random 7, or the values themselves.",
                              brief.bare ? 60 : 76));
    items.push_back(view_item(context, brief.view));
    items.push_back(more_item(context));
    if (shown != nullptr &&
        (shown->trace().launches.size() > 1 || shown->trace().launches[shown->launch].recorded.size() > 1))
        items.push_back(block_item(context, brief.bare));

    // The name of the kernel takes the remaining room.
    items.insert(items.begin() + 1, program_item(context, std::clamp(room - total(look, items) - look.px(item_gap),
                                                                     look.px(least_name(brief)), look.px(most_name))));
    return items;
}

LaunchBar::Item LaunchBar::progress_item(const Look& look, Workspace& workspace, float room) {
    constexpr float least = 60;
    const float space = look.px(14), stop = button_size(look, "Cancel", Icon::none, Icon::none).x;
    const float bar = std::max(room - space - stop, look.px(least));
    const auto draw = [&look, &workspace, bar, space] {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImDrawList* list = ImGui::GetWindowDrawList();
        const float y = at.y + look.px(control_height) * 0.5F, half = look.px(3);
        const float share = workspace.busy_share();
        list->AddRectFilled({at.x, y - half}, {at.x + bar, y + half}, look.color(Role::line), half);
        // Without a known share, a segment that moves back and forth.
        const auto phase = static_cast<float>(workspace.busy_seconds() * 0.6);
        const float from = share >= 0 ? 0 : std::fabs(std::fmod(phase, 2.0F) - 1) * 0.7F;
        const float to = share >= 0 ? share : from + 0.3F;
        list->AddRectFilled({at.x + bar * from, y - half}, {at.x + bar * std::clamp(to, from, 1.0F), y + half},
                            look.color(Role::useful), half);
        ImGui::SetCursorScreenPos({at.x + bar + space, at.y});
        if (button(look, "cancel", "Cancel")) workspace.cancel();
    };
    return {.width = bar + space + stop, .draw = draw};
}

std::vector<LaunchBar::Item> LaunchBar::right_items(Context& context, Shell& shell, Brevity brevity) {
    const Look& look = context.look;
    const bool brief = brevity.badges;
    Workspace& workspace = context.workspace;
    std::vector<Item> items;
    const auto add_badge = [&](
                               const char* id, Badge made, std::string meaning, std::function<void()> act = [] {}) {
        if (brevity.bare && made.role != Role::cost) {  // errors keep their text
            meaning = made.text + ". " + meaning;
            made.text.clear();
        }
        const float width = badge_width(look, made);
        items.push_back(
            {width, [&look, id, made = std::move(made), meaning = std::move(meaning), act = std::move(act)] {
                 if (badge(look, id, made)) act();
                 tip(look, meaning);
             }});
    };

    if (!workspace.refused_source().empty()) {
        add_badge("refused", {Icon::cross, Role::cost, brief ? "refused" : "does not compile"},
                  "The file does not compile; Source shows where. The other panels show the last run.");
    } else if (const Shown* shown = workspace.shown(); shown != nullptr) {
        const session::Verdict& verdict = shown->run->verdict;
        const std::size_t findings = shown->trace().findings.size();
        const auto show_findings = [&shell] { shell.bring_up("Findings"); };
        if (findings > 0) {
            add_badge("findings",
                      {Icon::warning, Role::cost, fmt::format("{} finding{}", findings, findings == 1 ? "" : "s")},
                      "Errors found in the kernel. Click for the list.", show_findings);
        }
        if (verdict.ok == true) {
            const std::string what = verdict.oracle.empty() ? "the oracle" : verdict.oracle;
            if (findings > 0) {
                // A check mark alone beside findings would be misleading.
                if (!brevity.bare)
                    add_badge("verdict",
                              {Icon::check, Role::soft, brief ? "not guaranteed" : "matches, but not guaranteed"},
                              fmt::format("The result equals {}, computed on the CPU, but the findings show that this "
                                          "is not guaranteed.",
                                          what));
            } else {
                add_badge("verdict", {Icon::check, Role::agrees, brief ? "correct" : "matches CPU reference"},
                          fmt::format("The result equals {}, computed on the CPU.", what));
            }
        } else if (verdict.ok == false) {
            const std::size_t at = verdict.first_difference;
            std::string text = "wrong";
            if (!brief && at < verdict.actual.size() && at < verdict.expected.size()) {
                text = fmt::format("wrong: [{}] is {}, not {}", at, verdict.actual[at], verdict.expected[at]);
            }
            add_badge("verdict", {Icon::cross, Role::cost, text},
                      "The result differs from the CPU reference. Click for the first difference.", show_findings);
        }
        MachineBadge machine = machine_badge(workspace, brief);
        add_badge("machine", std::move(machine.badge), std::move(machine.meaning), [&shell, act = machine.act] {
            if (act != nullptr) act(shell);
        });
        if (workspace.gpu_check().running()) {
            items.push_back({button_size(look, "Cancel", Icon::none, Icon::none).x, [&look, &workspace] {
                                 if (button(look, "stop-check", "Cancel")) workspace.gpu_check().cancel();
                             }});
        }
    }
    // The progress of the next run replaces the badges of the last one, so that nothing moves.
    constexpr double noticed = 0.2;  // seconds
    if (workspace.busy() && workspace.busy_seconds() > noticed) {
        const float room = items.empty() ? 0 : total(look, items) - look.px(item_gap);
        items.clear();
        items.push_back(progress_item(look, workspace, room));
    }
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

LaunchBar::Rows LaunchBar::in_rows(const std::vector<Item>& left, float right, float room, float space) {
    Rows placed{.rows = {{}}};
    std::vector<float> used(1, 0);
    for (const Item& item : left) {
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

float LaunchBar::draw(Context& context, Shell& shell, ImVec2 at, float width) {
    const Look& look = context.look;
    const float pad = look.px(bar_padding), space = look.px(item_gap), row_height = look.px(control_height);
    const float edge = look.px(12), room = width - 2 * edge;
    // In a narrow window labels are shortened step by step before there is a second row.
    constexpr std::array<Brevity, 5> manners = {Brevity{}, Brevity{.menu = true}, Brevity{.badges = true, .menu = true},
                                                Brevity{.badges = true, .menu = true, .view = true},
                                                Brevity{.badges = true, .menu = true, .view = true, .bare = true}};
    std::vector<Item> left, right;
    const auto say = [&](Brevity brief) {
        right = right_items(context, shell, brief);
        left = left_items(context, shell, room - total(look, right), brief);
    };
    const auto placed = [&] { return in_rows(left, total(look, right) - space, room, space); };
    bool fits = false;
    for (const Brevity& brief : manners) {
        say(brief);
        fits = total(look, left) + total(look, right) - space <= room;
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
            left[name] = program_item(context, left[name].width);
            return true;
        }
        return false;
    };
    fits = fits || fits_in_two(manners[0], most_name) || fits_in_two(manners[1], most_name);
    for (auto brief = manners.begin(); !fits && brief != manners.end(); ++brief) {
        fits = fits_in_two(*brief, least_name(*brief));
    }
    const auto [rows, right_row] = placed();
    const float right_width = total(look, right) - space;
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
        for (const Item* item : rows[row]) {
            ImGui::SetCursorScreenPos({x, y});
            ImGui::BeginDisabled(item->launches && context.workspace.of_trace());
            item->draw();
            ImGui::EndDisabled();
            // Compiler errors are shown at their lines, which a message here would cover, and in the narration.
            const bool told_below = item->field == Field::program && !context.workspace.refused_source().empty();
            if (item->problem && !told_below) refused.push_back({x, y + row_height, &*item->problem});
            x += item->width + space;
        }
        if (row == right_row) {
            x = at.x + width - edge - right_width;
            for (const Item& item : right) {
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
