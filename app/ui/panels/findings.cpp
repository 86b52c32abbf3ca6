#include "ui/panels/findings.h"

#include "analysis/panels/program_lines.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

/// One row of the list.
struct Entry {
    Icon icon = Icon::warning;
    Role role = Role::cost;
    std::string title, text;
    std::uint32_t line = 0;                   ///< of the CUDA source; 0: none
    const trace::Finding* finding = nullptr;  ///< a click goes to its instruction, lane and line
    bool of_gpu = false;                      ///< a difference on the GPU; a click goes there

    /// "line 12", "kernels.cuh, line 12"
    [[nodiscard]] std::string place() const {
        const std::string file = finding == nullptr ? "" : finding->source_file;
        return file.empty() ? fmt::format("line {}", line)
                            : fmt::format("{}, line {}", std::filesystem::path(file).filename().string(), line);
    }
};

std::vector<Entry> entries_of(const Workspace& workspace) {
    std::vector<Entry> entries;
    if (workspace.asks_of_other_file()) return entries;
    using Severity = compile::Diagnostic::Severity;
    for (const compile::Diagnostic& diagnostic : workspace.diagnostics()) {
        const bool error = diagnostic.severity == Severity::error;
        entries.push_back({error ? Icon::cross : Icon::warning, error ? Role::cost : Role::read,
                           error && workspace.refused_launches()      ? "no kernel ran"
                           : error                                    ? "does not compile"
                           : diagnostic.severity == Severity::warning ? "warning"
                                                                      : "note",
                           diagnostic.text, diagnostic.line});
    }
    const Shown* shown = workspace.shown();
    // The findings of the previous run refer to lines of another text than that of a file that does not compile.
    if (shown == nullptr || !workspace.refused_source().empty()) return entries;
    const auto add = [&](const trace::Finding& finding, Icon icon, Role role, const std::string& title) {
        // In the file that Source shows: a .ptx has its own line numbers.
        const bool of_ptx = shown->trace().origin.source.empty() && finding.line.valid();
        const std::uint32_t line = of_ptx ? finding.line.value : finding.source_line;
        Entry entry{icon, role, title, finding.message, line, &finding};
        if (finding.count > 1) entry.text += fmt::format(" ({} more at this location)", finding.count - 1);
        if (const std::string_view remedy = trace::remedy_of(finding); !remedy.empty() && role == Role::cost)
            entry.text += fmt::format("{} {}", entry.text.ends_with('.') ? "" : ".", remedy);
        entries.push_back(std::move(entry));
    };
    for (const trace::Finding& finding : shown->trace().findings)
        add(finding, Icon::warning, Role::cost, std::string(trace::name_of(finding.kind)));
    for (const trace::Finding& remark : shown->trace().remarks)
        add(remark, Icon::question, Role::soft, fmt::format("remark: {}", trace::name_of(remark.kind)));
    const GpuCheck& check = workspace.gpu_check();
    if (check.state() == GpuCheck::State::differ) {
        entries.push_back({Icon::cross, Role::cost, "the GPU differs", check.said(),
                           check.difference() ? check.difference()->source_line : 0, nullptr, true});
    }
    const session::Verdict& verdict = shown->run->verdict;
    if (verdict.ok == false) {
        const std::size_t at = verdict.first_difference;
        std::string text = "The result differs from the reference.";
        if (at < verdict.expected.size() && at < verdict.actual.size()) {
            text = fmt::format("Element {} of the result is {}; {} gives {}.", at, verdict.actual[at],
                               verdict.oracle.empty() ? "the CPU reference" : verdict.oracle, verdict.expected[at]);
        }
        entries.push_back({Icon::cross, Role::cost, "wrong result", std::move(text), 0});
    }
    return entries;
}

/// Below a race: the button that searches for a schedule under which the result is wrong, the progress, the answer.
void draw_schedule_search(Context& context, const trace::Finding& race, std::size_t index, float indent) {
    const Look& look = context.look;
    ScheduleFinder& finder = context.workspace.schedule_finder();
    const bool own = finder.race() && &context.workspace.shown()->trace().findings[*finder.race()] == &race;
    ImGui::PushID(static_cast<int>(index));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent);
    if (own && finder.running()) {
        if (button(look, "cancel-schedule", "Cancel", Icon::none, Icon::none, {.height = 24})) finder.cancel();
        ImGui::SameLine(0, look.px(8));
        ImGui::AlignTextToFramePadding();
        const Type words(look, Font::words, type::label);
        const std::string share = finder.share() < 0 ? "" : fmt::format(": {:.0f} %", 100 * finder.share());
        ImGui::TextColored(look.color4(Role::soft), "%s", fmt::format("searching for a schedule{}", share).c_str());
    } else {
        if (button(look, "find-schedule", "Find a schedule that spoils the result", Icon::none, Icon::none,
                   {.enabled = !finder.running(), .height = 24}))
            context.workspace.find_schedule(race);
        tip(look,
            "Runs the kernel again with other orders of these two accesses, of warps and of blocks, until the result "
            "changes. The program then runs under the schedule that was found.");
    }
    if (own && !finder.said().empty()) {
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent);
        const Type words(look, Font::words, type::label);
        ImGui::PushTextWrapPos(0);
        ImGui::TextColored(look.color4(Role::soft), "%s", finder.said().c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::Dummy({1, look.px(4)});
    ImGui::PopID();
}

void draw_entry(Context& context, const Entry& entry, std::size_t index, float width) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float pad = look.px(card_padding);
    const float indent = pad + look.px(22), wrap = std::max(width - indent - pad, look.px(40));
    float text_height = 0;
    {
        const Type words(look, Font::words, type::label);
        text_height = ImGui::CalcTextSize(entry.text.data(), entry.text.data() + entry.text.size(), false, wrap).y;
    }
    const float title_height = look.line_height(Font::words_medium, type::label);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(index));
    const bool clicked = ImGui::InvisibleButton("entry", {width, title_height + text_height + look.px(10)});
    ImGui::PopID();
    const ImVec2 after = ImGui::GetCursorScreenPos();
    if (ImGui::IsItemHovered()) {
        list->AddRectFilled({at.x + pad * 0.5F, at.y},
                            {at.x + width - pad * 0.5F, at.y + title_height + text_height + look.px(10)},
                            look.color(Role::raised), look.px(4));
    }
    if (clicked) {
        if (entry.of_gpu) {
            workspace.play(false);
            workspace.seek_difference();
        } else if (entry.finding != nullptr) {
            workspace.play(false);
            workspace.seek_finding(*entry.finding);
        } else if (entry.line != 0) {
            workspace.seek_line(entry.line);
        }
    }
    draw_icon(list, entry.icon, {at.x + pad + look.px(6), at.y + look.px(5) + title_height * 0.5F}, look.px(12),
              look.color(entry.role));
    float x = at.x + indent;
    x += look.text(list, Font::words_medium, type::label, {x, at.y + look.px(5)}, look.color(Role::text), entry.title);
    if (entry.line != 0) {
        look.text(list, Font::words, type::label, {x + look.px(8), at.y + look.px(5)}, look.color(Role::soft),
                  entry.place());
    }
    ImGui::SetCursorScreenPos({at.x + indent, at.y + look.px(5) + title_height});
    {
        const Type words(look, Font::words, type::label);
        ImGui::PushTextWrapPos(indent + wrap);
        ImGui::TextUnformatted(entry.text.c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::SetCursorScreenPos(after);
    if (entry.finding != nullptr && workspace.can_find_schedule(*entry.finding))
        draw_schedule_search(context, *entry.finding, index, indent);
}

}  // namespace

std::vector<std::string> FindingsPanel::subtitle(const Context& context) const {
    const std::size_t count = entries_of(context.workspace).size();
    if (count == 0) return {};
    return {fmt::format("{}", count)};
}

std::optional<bool> FindingsPanel::news(const Workspace& workspace) {
    const Shown* const shown = workspace.shown();
    if (shown == nullptr || shown->trace().running || shown->run == told_of_.lock()) return std::nullopt;
    told_of_ = shown->run;
    return !shown->trace().findings.empty();
}

void FindingsPanel::draw(Context& context) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    const std::vector<Entry> entries = entries_of(workspace);
    const float pad = look.px(card_padding), edge = look.px(2);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + edge);
    ImGui::BeginChild("list", {room.x - 2 * edge, room.y - edge});
    const float width = ImGui::GetContentRegionAvail().x;

    const auto soft_line = [&](const std::string& text) {
        ImGui::SetCursorPosX(pad);
        ImGui::PushTextWrapPos(width - pad);
        const Type words(look, Font::words, type::label);
        ImGui::PushStyleColor(ImGuiCol_Text, look.color(Role::soft));
        ImGui::TextUnformatted(text.c_str());
        ImGui::PopStyleColor();
        ImGui::PopTextWrapPos();
    };
    ImGui::Dummy({1, look.px(4)});
    const Shown* const shown = workspace.shown();
    const std::string partial = shown == nullptr ? std::string() : analysis::partial_run_text(shown->trace());
    if (!partial.empty()) soft_line(partial);
    if (entries.empty())
        soft_line(shown == nullptr         ? "Errors found in the kernel appear here."
                  : shown->trace().running ? "No errors found so far: the program is still running."
                  : !partial.empty()       ? "No errors found in the part that ran."
                                           : "No errors found in this run.");

    for (std::size_t index = 0; index < entries.size(); ++index) draw_entry(context, entries[index], index, width);
    ImGui::Dummy({1, 1});  // ImGui requires an item after the cursor was set
    if (workspace.shown() != nullptr && workspace.refused_source().empty()) {
        ImGui::Dummy({1, look.px(2)});
        for (const std::string& note : workspace.shown()->run->notes) soft_line(note);
    }
    ImGui::EndChild();
}

}  // namespace lanescope::ui
