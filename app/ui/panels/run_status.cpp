#include "ui/panels/run_status.h"

#include "analysis/panels/program_lines.h"
#include "base/grouped.h"
#include "ui/sentences.h"
#include "ui/shell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::ui {

using scene::Role;

namespace {

/// The machine that executed the run that is shown, and the action of a click.
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

constexpr float least_progress = 84, least_bar = 44, progress_gap = 10;  // points

/// The progress of the run and its cancellation in exactly that room, in pixels: as many words as it has.
BarItem progress_item(const Look& look, Workspace& workspace, float room) {
    const float space = look.px(progress_gap), word = button_size(look, "Cancel", Icon::none, Icon::none).x;
    const bool in_words = room >= word + space + look.px(least_bar);
    const float rest = room - space - (in_words ? word : look.px(control_height));
    const float most_words = rest - space - look.px(least_bar);
    const auto width = [&](const std::string& text) { return look.text_width(scene::Font::words, type::label, text); };
    const std::string all = progress_text(workspace);
    std::string doing = all;
    if (width(doing) > most_words)
        doing = doing.substr(doing.rfind(", ") == std::string::npos ? 0 : doing.rfind(", ") + 2);
    if (width(doing) > most_words) doing.clear();
    const float words = doing.empty() ? 0 : width(doing) + space;
    const auto draw = [&look, &workspace, bar = rest - words, space, doing, words, all, in_words] {
        ImVec2 at = ImGui::GetCursorScreenPos();
        ImDrawList* list = ImGui::GetWindowDrawList();
        const float y = at.y + look.px(control_height) * 0.5F, half = look.px(3);
        ImGui::InvisibleButton("progress", {words + bar, look.px(control_height)});
        tip(look, all);
        if (!doing.empty()) {
            const float height = look.line_height(scene::Font::words, type::label);
            look.text(list, scene::Font::words, type::label, {at.x, y - height * 0.5F}, look.color(Role::soft), doing);
            at.x += words;
        }
        const float share = workspace.busy_share();
        list->AddRectFilled({at.x, y - half}, {at.x + bar, y + half}, look.color(Role::line), half);
        // Without a known share, a segment that moves back and forth.
        const auto phase = static_cast<float>(workspace.busy_seconds() * 0.6);
        const float from = share >= 0 ? 0 : std::fabs(std::fmod(phase, 2.0F) - 1) * 0.7F;
        const float to = share >= 0 ? share : from + 0.3F;
        list->AddRectFilled({at.x + bar * from, y - half}, {at.x + bar * std::clamp(to, from, 1.0F), y + half},
                            look.color(Role::useful), half);
        ImGui::SetCursorScreenPos({at.x + bar + space, at.y});
        const bool cancelled = in_words ? button(look, "cancel", "Cancel")
                                        : button(look, "cancel", "", Icon::cross, Icon::none, {.quiet = true});
        if (cancelled) workspace.cancel();
        tip(look, "Cancel the run; the panels keep the previous result (Ctrl + .)");
    };
    return {.width = room, .draw = draw};
}

/// The room of the status where there is no badge to take its place, pixels.
float room_without_badges(const Look& look, Brevity brevity) {
    return look.px(brevity.bare ? least_progress : brevity.badges ? 160.0F : 260.0F);
}

}  // namespace

std::vector<BarItem> run_status_items(Context& context, Shell& shell, Brevity brevity) {
    const Look& look = context.look;
    const bool brief = brevity.badges;
    Workspace& workspace = context.workspace;
    std::vector<BarItem> items;
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

    if (workspace.asks_of_other_file()) {  // badges would describe the previous file
        return items;
    }
    if (!workspace.refused_source().empty()) {
        add_badge("refused",
                  {Icon::cross, Role::cost,
                   brief                          ? "refused"
                   : workspace.shown() == nullptr ? "does not compile"
                                                  : "does not compile: last run"},
                  "The file does not compile; Source shows where. The other panels show the last run.");
    } else if (const Shown* shown = workspace.shown(); shown != nullptr) {
        if (workspace.shows_previous()) {
            add_badge("previous", {Icon::warning, Role::cost, brief ? "cancelled" : "cancelled: previous result"},
                      "The latest run was cancelled. The panels and the launch fields show the previous run.");
        }
        if (std::string partial = analysis::partial_run_text(shown->trace()); !partial.empty())
            add_badge("partial", {Icon::warning, Role::cost, "partial"}, std::move(partial));
        const session::Verdict& verdict = shown->run->verdict;
        const std::size_t findings = shown->trace().findings.size();
        const auto show_findings = [&shell] { shell.bring_up("Findings"); };
        if (findings > 0) {
            add_badge("findings", {Icon::warning, Role::cost, counted(findings, "finding")},
                      "Errors found in the kernel. Click for the list.", show_findings);
        }
        const std::size_t remarks = shown->trace().remarks.size();
        if (remarks > 0 && findings == 0 && !brevity.bare) {
            add_badge("remarks", {Icon::question, Role::soft, counted(remarks, "remark")},
                      "Races in which all threads write the same value. Click for the list.", show_findings);
        }
        if (verdict.ok == true) {
            const std::string what = verdict.oracle.empty() ? "the CPU reference" : verdict.oracle;
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
    // The progress of the next run takes the room of the badges of the last one, so that nothing moves.
    constexpr double noticed = 0.2;  // seconds
    const float apart = look.px(bar_item_gap), least = look.px(least_progress);
    const float badges = total_width(look, items) - apart;
    const float room = items.empty()    ? room_without_badges(look, brevity)
                       : badges < least ? std::max(badges + apart, least)
                                        : badges;
    if (workspace.busy() && workspace.busy_seconds() > noticed) {
        items.clear();
        items.push_back(progress_item(look, workspace, room));
    } else if (items.empty()) {
        items.push_back({room, [] {}});
    } else if (badges < least) {
        items.insert(items.begin(), {room - badges - apart, [] {}});
    }
    return items;
}

}  // namespace lanescope::ui
