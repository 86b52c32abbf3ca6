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

/// The badges of the status, one after the other.
class Badges {
  public:
    Badges(Context& context, Shell& shell, Brevity brevity)
        : look_(context.look), workspace_(context.workspace), shell_(shell), brevity_(brevity) {}

    std::vector<BarItem> take() {
        if (!workspace_.refused_source().empty()) {
            add("refused",
                {Icon::cross, Role::cost,
                 brevity_.badges                 ? "refused"
                 : workspace_.shown() == nullptr ? "does not compile"
                                                 : "does not compile: last run"},
                "The file does not compile; Source shows where. The other panels show the last run.");
        } else if (const Shown* shown = workspace_.shown(); shown != nullptr) {
            if (workspace_.shows_previous())
                add("previous",
                    {Icon::warning, Role::cost, brevity_.badges ? "previous result" : "cancelled: previous result"},
                    "The latest run was cancelled. The panels and the launch fields show the previous run.");
            if (std::string partial = analysis::partial_run_text(shown->trace()); !partial.empty())
                add("partial", {Icon::warning, Role::cost, "partial"}, std::move(partial));
            add_findings(shown->trace());
            add_verdict(shown->run->verdict, !shown->trace().findings.empty());
            add_machine();
        }
        return std::move(items_);
    }

  private:
    void add(
        const char* id, Badge made, std::string meaning, std::function<void()> act = [] {}) {
        if (brevity_.bare && made.role != Role::cost) {  // errors keep their text
            meaning = made.text + ". " + meaning;
            made.text.clear();
        }
        const float width = badge_width(look_, made);
        items_.push_back(
            {width, [&look = look_, id, made = std::move(made), meaning = std::move(meaning), act = std::move(act)] {
                 if (badge(look, id, made)) act();
                 tip(look, meaning);
             }});
    }

    [[nodiscard]] std::function<void()> show_findings() const {
        return [&shell = shell_] { shell.bring_up("Findings"); };
    }

    void add_findings(const trace::Trace& trace) {
        if (!trace.findings.empty())
            add("findings", {Icon::warning, Role::cost, counted(trace.findings.size(), "finding")},
                "Errors found in the kernel. Click for the list.", show_findings());
        else if (!trace.remarks.empty() && !brevity_.bare)
            add("remarks", {Icon::question, Role::soft, counted(trace.remarks.size(), "remark")},
                "Races in which all threads write the same value. Click for the list.", show_findings());
    }

    void add_verdict(const session::Verdict& verdict, bool has_findings) {
        const bool brief = brevity_.badges;
        const std::string what = verdict.oracle.empty() ? "the CPU reference" : verdict.oracle;
        if (verdict.ok == true && !has_findings) {
            add("verdict", {Icon::check, Role::agrees, brief ? "correct" : "matches CPU reference"},
                fmt::format("The result equals {}, computed on the CPU.", what));
        } else if (verdict.ok == true && !brevity_.bare) {
            // A check mark alone beside findings would be misleading.
            add("verdict", {Icon::check, Role::soft, brief ? "not guaranteed" : "matches, but not guaranteed"},
                fmt::format("The result equals {}, computed on the CPU, but the findings show that this is not "
                            "guaranteed.",
                            what));
        } else if (verdict.ok == false) {
            const std::size_t at = verdict.first_difference;
            std::string text = "wrong";
            if (!brief && at < verdict.actual.size() && at < verdict.expected.size())
                text = fmt::format("wrong: [{}] is {}, not {}", at, verdict.actual[at], verdict.expected[at]);
            add("verdict", {Icon::cross, Role::cost, text},
                "The result differs from the CPU reference. Click for the first difference.", show_findings());
        }
    }

    void add_machine() {
        MachineBadge machine = machine_badge(workspace_, brevity_.badges);
        add("machine", std::move(machine.badge), std::move(machine.meaning), [&shell = shell_, act = machine.act] {
            if (act != nullptr) act(shell);
        });
        if (!workspace_.gpu_check().running()) return;
        items_.push_back(
            {button_size(look_, "Cancel", Icon::none, Icon::none).x, [&look = look_, &workspace = workspace_] {
                 if (button(look, "stop-check", "Cancel")) workspace.gpu_check().cancel();
             }});
    }

    const Look& look_;
    Workspace& workspace_;
    Shell& shell_;
    Brevity brevity_;
    std::vector<BarItem> items_;
};

}  // namespace

std::vector<BarItem> run_status_items(Context& context, Shell& shell, Brevity brevity) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    if (workspace.asks_of_other_file()) return {};  // badges would describe the previous file
    std::vector<BarItem> items = Badges(context, shell, brevity).take();
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
