#include "ui/value_history.h"

#include "analysis/source/display_names.h"
#include "analysis/source/source_line.h"
#include "base/grouped.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lanescope::ui {

using analysis::ElementAccess;
using scene::Font;
using scene::Role;

namespace {

constexpr float list_width = 720, list_row = 26, list_padding = 14;
constexpr float kind_at = 0, value_at = 66, who_at = 180, line_at = 400;  // points, of a row's columns
constexpr std::size_t most_rows = 12;

std::string value_text(const ElementAccess& access, trace::Element type) {
    if (!access.bits) return "a part of it";
    const std::string value = trace::text_of(type, *access.bits);
    return access.kind == ElementAccess::Kind::atomic ? trace::text_of(type, access.before) + " → " + value : value;
}

std::string who_text(const ElementAccess& access, const analysis::Element& element, bool several_launches) {
    if (access.kind == ElementAccess::Kind::host) return fmt::format("the host, before launch {}", access.launch);
    std::string text = fmt::format("thread {}, step {}", grouped(access.warp.value * warp_size + access.lane),
                                   grouped(access.position));
    if (element.space != trace::Space::shared) text = fmt::format("block {}, {}", grouped(access.block.value), text);
    if (several_launches && element.space != trace::Space::shared)
        text = fmt::format("launch {}, {}", access.launch, text);
    return text;
}

std::string_view kind_text(ElementAccess::Kind kind) {
    switch (kind) {
        case ElementAccess::Kind::host:
        case ElementAccess::Kind::store: return "write";
        case ElementAccess::Kind::load: return "read";
        case ElementAccess::Kind::atomic: return "atomic";
    }
    return {};
}

}  // namespace

Result<void> ValueHistory::open(const Workspace& workspace) {
    if (workspace.shown() == nullptr || !workspace.selection()) return fail("no cell is selected");
    const Shown& shown = *workspace.shown();
    const Selection selected = *workspace.selection();
    const analysis::ColumnGroup& group = shown.picture->group_of(selected.column);
    if (group.lanes)
        return fail("the selected cell is a register of a lane; only elements of memory have a history here");
    const analysis::Cell& cell = shown.picture->rows[selected.row].cells[selected.column];
    const unsigned bytes = trace::bytes_of(group.element);
    // A cell that nothing has written yet has no address of its own.
    const std::uint64_t address = cell.writer.valid()
                                      ? cell.address
                                      : group.address + (group.cell_of(selected.column) - group.first_index) * bytes;
    open(workspace,
         {.name = analysis::memory_name(shown.trace(), shown.module(), shown.launch, group.space, address, bytes),
          .space = group.space,
          .address = address,
          .type = group.element_of(group.cell_of(selected.column)),
          .launch = shown.launch,
          .block = shown.block});
    return {};
}

void ValueHistory::open(const Workspace& workspace, const analysis::Element& element) {
    open_ = appeared_ = true;
    element_ = element;
    of_ = workspace.shown()->run;
    history_ = analysis::history_of(workspace.shown()->analysis(), element_);
}

bool ValueHistory::row(const Context& context, std::size_t index) {
    const Look& look = context.look;
    const Shown& shown = *context.workspace.shown();
    const ElementAccess& access = history_.accesses[index];
    const float width = ImGui::GetContentRegionAvail().x, height = look.px(list_row), pad = look.px(list_padding);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::InvisibleButton("access", {width, height});
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool here = access.step && *access.step == context.workspace.next_step();
    if (here || ImGui::IsItemHovered())
        list->AddRectFilled(at, {at.x + width, at.y + height},
                            look.color(here ? Role::cursor : Role::raised, here ? 0.3F : 1), look.px(control_radius));
    const auto put = [&](float x, Font font, Role role, const std::string& text, float room) {
        look.text(list, font, type::label,
                  {at.x + pad + look.px(x), at.y + (height - look.line_height(font, type::label)) * 0.5F},
                  look.color(role), elided(look, font, type::label, text, look.px(room)));
    };
    const bool reads = access.kind == ElementAccess::Kind::load;
    put(kind_at, Font::words_medium, reads ? Role::read : Role::useful, std::string(kind_text(access.kind)),
        value_at - kind_at - 6);
    put(value_at, Font::code, Role::text, value_text(access, element_.type), who_at - value_at - 6);
    put(who_at, Font::words, Role::text, who_text(access, element_, shown.trace().launches.size() > 1),
        line_at - who_at - 6);
    const std::string line = access.source_line != 0
                                 ? fmt::format("{}  {}", access.source_line,
                                               analysis::trimmed_line(shown.trace().origin.source, access.source_line))
                             : access.line.valid() ? fmt::format("PTX line {}", access.line.value)
                                                   : std::string();
    put(line_at, Font::code, Role::soft, line, list_width - line_at - 2 * list_padding);
    return clicked;
}

void ValueHistory::draw(const Context& context) {
    if (!open_) return;
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    if (workspace.shown() == nullptr || workspace.shown()->run != of_) return close();
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const float width = std::min(look.px(list_width), viewport.Size.x - look.px(32));
    if (std::exchange(appeared_, false)) {
        ImGui::SetNextWindowFocus();
        ImGui::SetNextWindowPos({viewport.Pos.x + (viewport.Size.x - width) * 0.5F, viewport.Pos.y + look.px(64)});
    }
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, viewport.Size.y - look.px(96)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(8), look.px(8)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("History", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar(2);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float pad = look.px(list_padding), heading = look.line_height(Font::words_bold, type::heading);
    look.text(ImGui::GetWindowDrawList(), Font::words_bold, type::heading, {at.x + pad, at.y + look.px(4)},
              look.color(Role::text), fmt::format("History of {}", element_.name));
    constexpr float control = 22;
    ImGui::SetCursorScreenPos({at.x + width - look.px(16 + control), at.y});
    if (button(look, "##close-history", "", Icon::cross, Icon::none, {.quiet = true, .height = control})) close();
    tip(look, "Close (Escape)");
    ImGui::SetCursorScreenPos({at.x, at.y + heading + look.px(12)});
    const auto say = [&](const char* text) {
        const Type words(look, Font::words, type::label);
        ImGui::SetCursorScreenPos({at.x + pad, ImGui::GetCursorScreenPos().y});
        ImGui::PushTextWrapPos(width - pad);
        ImGui::TextColored(look.color4(Role::soft), "%s", text);
        ImGui::PopTextWrapPos();
    };
    if (history_.partial) say("Accesses of the recorded blocks only. Other blocks may have accessed it as well.");
    if (history_.accesses.empty()) say("No recorded step accesses it.");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const auto rows = static_cast<float>(std::min(history_.accesses.size(), most_rows));
    if (rows > 0) {
        ImGui::BeginChild("accesses", {0, rows * look.px(list_row)});
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(history_.accesses.size()), look.px(list_row));
        std::optional<std::size_t> chosen;
        while (clipper.Step()) {
            for (int index = clipper.DisplayStart; index < clipper.DisplayEnd; ++index) {
                ImGui::PushID(index);
                if (row(context, static_cast<std::size_t>(index))) chosen = static_cast<std::size_t>(index);
                ImGui::PopID();
            }
        }
        ImGui::EndChild();
        if (chosen) go_to(workspace, history_.accesses[*chosen]);
    }
    ImGui::PopStyleVar();
    ImGui::End();
}

void ValueHistory::go_to(Workspace& workspace, const ElementAccess& access) {
    if (!access.step) return;
    workspace.play(false);
    if (workspace.shown()->launch != access.launch || workspace.shown()->block != access.block)
        workspace.show_block(access.launch, access.block);
    workspace.choose(access.warp, access.lane);
    workspace.seek_exactly(access.position);
}

}  // namespace lanescope::ui
