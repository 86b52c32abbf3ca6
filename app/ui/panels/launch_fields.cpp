#include "ui/panels/launch_fields.h"

#include "analysis/source/source_line.h"
#include "base/grouped.h"
#include "session/input.h"
#include "session/launch_size.h"
#include "trace/record_extent.h"
#include "ui/drop_list.h"
#include "ui/glossary.h"
#include "ui/shell.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float field_padding = 11, label_gap = 9, list_width = 460;
constexpr float least_labeled = 178;  // points of the kernel's field

// The frame of every field; orange and with an icon where the text was refused.
void frame(const Look& look, ImVec2 at, float width, bool hovered, bool refused) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 end(at.x + width, at.y + look.px(control_height));
    list->AddRectFilled(at, end, look.color(hovered ? Role::raised : Role::panel), look.px(control_radius));
    list->AddRect(at, end, look.color(refused ? Role::cost : Role::line), look.px(control_radius),
                  refused ? look.px(1.75F) : 1.0F);
    if (refused) {
        draw_icon(list, Icon::warning, {end.x - look.px(15), (at.y + end.y) * 0.5F}, look.px(12),
                  look.color(Role::cost));
    }
}

float label(const Look& look, ImVec2 at, const char* text) {
    return look.text(ImGui::GetWindowDrawList(), Font::words, type::label,
                     {at.x + look.px(field_padding), centered_in_control(look, Font::words, type::label, at.y)},
                     look.color(Role::soft), text);
}

// The field's term, if the glossary has it, and what can be typed.
void explain_field(const Look& look, Field field, const char* meaning) {
    switch (field) {
        case Field::block: return explain(look, "block", meaning);
        case Field::grid: return explain(look, "grid", meaning);
        default: return tip(look, meaning);
    }
}

// The next size for Up and Down in a field.
std::uint64_t neighbor(Field field, std::uint64_t value, bool up) {
    if (field == Field::grid) return up ? value + 1 : std::max<std::uint64_t>(value, 2) - 1;
    if (up) return std::bit_ceil(value + 1);
    return value > 1 ? std::bit_floor(value - 1) : 1;
}

struct Stepping {
    Field field;
    bool stepped = false;
};

int step_count(ImGuiInputTextCallbackData* data) {
    auto& stepping = *static_cast<Stepping*>(data->UserData);
    const auto value = session::parse_count({data->Buf, static_cast<std::size_t>(data->BufTextLen)});
    if (!value) return 0;
    const std::string text = fmt::format("{}", neighbor(stepping.field, *value, data->EventKey == ImGuiKey_UpArrow));
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, text.c_str());
    data->SelectAll();
    stepping.stepped = true;
    return 0;
}

// The corner below a field, from which its list hangs.
ImVec2 below_field(const Look& look, ImVec2 at) { return {at.x, at.y + look.px(control_height + 4)}; }

std::vector<ListEntry> programs(Workspace& workspace) {
    const std::string shown = workspace.shown() != nullptr ? workspace.shown()->run->program.name : std::string();
    std::vector<ListEntry> entries;
    for (const session::Program& program : session::catalog()) {
        entries.push_back({program.lesson.title, program.lesson.summary, program.lesson.family, program.name == shown,
                           [&workspace, &program] { workspace.open(program.name); }, program.name});
    }
    for (const std::string& path : workspace.settings.recent) {
        entries.push_back({std::filesystem::path(path).filename().string(), path, "recent files", path == shown,
                           [&workspace, path] { workspace.open(path); }, path});
    }
    return entries;
}

std::vector<ListEntry> kernels(Workspace& workspace) {
    std::vector<ListEntry> entries;
    for (const compile::KernelDeclaration& kernel : workspace.shown()->run->program.source.scan.kernels) {
        entries.push_back({kernel.name,
                           fmt::format("line {}", kernel.line),
                           {},
                           kernel.name == workspace.form().shown(Field::kernel),
                           [&workspace, name = kernel.name] { workspace.set_field(Field::kernel, name); }});
    }
    for (const session::OtherKernel& kernel : workspace.shown()->run->other_kernels) {
        entries.push_back({kernel.name,
                           fmt::format("line {} of {}", kernel.line, kernel.source.filename().string()),
                           {},
                           false,
                           [&workspace, name = kernel.name] { workspace.set_field(Field::kernel, name); }});
    }
    return entries;
}

std::vector<ListEntry> inputs(Workspace& workspace) {
    std::vector<ListEntry> entries;
    for (const session::NamedInput& input : session::named_inputs()) {
        const std::string value = input.name == "random" ? "random 1" : std::string(input.name);
        entries.push_back({value,
                           std::string(input.description),
                           {},
                           value == workspace.form().shown(Field::input),
                           [&workspace, value] { workspace.set_field(Field::input, value); }});
    }
    return entries;
}

std::vector<ListEntry> blocks(Workspace& workspace) {
    const Shown& shown = *workspace.shown();
    const std::vector<trace::Launch>& launches = shown.trace().launches;
    std::vector<ListEntry> entries;
    for (std::uint32_t number = 0; number < launches.size(); ++number) {
        const trace::Launch& each = launches[number];
        const std::string group =
            launches.size() == 1
                ? std::string()
                : fmt::format("launch {}: {}, {} of {}", number, analysis::launch_name_of(each.kernel),
                              counted(each.grid.count(), "block"), counted(each.block.count(), "thread"));
        for (const BlockId block : each.recorded) {
            entries.push_back({fmt::format("block {}", block.value),
                               {},
                               group,
                               number == shown.launch && block == shown.block,
                               [&workspace, number, block] { workspace.show_block(number, block); }});
        }
    }
    return entries;
}

}  // namespace

BarItem LaunchFields::program(Context& context, float width) {
    const auto draw = [&context, width] {
        const Look& look = context.look;
        const Workspace& workspace = context.workspace;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const bool clicked =
            ImGui::InvisibleButton("program", {width, look.px(control_height)}, ImGuiButtonFlags_EnableNav);
        const bool refused = workspace.form().problem(Field::program).has_value();
        frame(look, at, width, ImGui::IsItemHovered(), refused);
        const bool labeled = width > look.px(least_labeled);
        const float name = look.px(field_padding) + (labeled ? label(look, at, "Kernel") + look.px(label_gap) : 0.0F);
        const std::string& wanted = workspace.form().shown(Field::program);
        const session::Program* known = session::find_program(wanted);
        std::string title = known != nullptr ? known->lesson.title : std::filesystem::path(wanted).filename().string();
        if (known == nullptr && workspace.shown() != nullptr && workspace.form().values()[Field::program].empty())
            title = workspace.shown()->run->program.lesson.title;
        const float room = width - name - look.px(refused ? 50 : 30);
        look.text(ImGui::GetWindowDrawList(), Font::words_medium, type::body,
                  {at.x + name, centered_in_control(look, Font::words_medium, type::body, at.y)},
                  look.color(Role::text), elided(look, Font::words_medium, type::body, title, room));
        tip(look, known != nullptr ? known->lesson.summary : wanted);
        draw_icon(ImGui::GetWindowDrawList(), Icon::down,
                  {at.x + width - look.px(refused ? 36 : 16), at.y + look.px(control_height) * 0.5F}, look.px(8),
                  look.color(Role::soft));
        if (clicked) open_list("programs");
        drop_list(look, "programs", below_field(look, at),
                  {.width = list_width, .note = "or drop a .cu, .ptx or trace file onto the window"},
                  [&context] { return programs(context.workspace); });
    };
    return {.width = width,
            .draw = draw,
            .field = Field::program,
            .problem = context.workspace.form().problem(Field::program)};
}

BarItem LaunchFields::kernel(Context& context) {
    const Look& look = context.look;
    const float width =
        std::min(look.text_width(Font::code, type::label, context.workspace.shown()->run->kernel), look.px(180)) +
        look.px(46);
    const auto draw = [&context, width] {
        const Look& l = context.look;
        Workspace& workspace = context.workspace;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const bool clicked =
            ImGui::InvisibleButton("kernel", {width, l.px(control_height)}, ImGuiButtonFlags_EnableNav);
        frame(l, at, width, ImGui::IsItemHovered(), workspace.form().problem(Field::kernel).has_value());
        l.text(ImGui::GetWindowDrawList(), Font::code, type::label,
               {at.x + l.px(field_padding), centered_in_control(l, Font::code, type::label, at.y)}, l.color(Role::text),
               elided(l, Font::code, type::label, workspace.form().shown(Field::kernel), width - l.px(40)));
        draw_icon(ImGui::GetWindowDrawList(), Icon::down, {at.x + width - l.px(16), at.y + l.px(control_height) * 0.5F},
                  l.px(8), l.color(Role::soft));
        if (clicked) open_list("kernels");
        drop_list(l, "kernels", below_field(l, at), {.width = 300}, [&workspace] { return kernels(workspace); });
    };
    return {.width = width,
            .draw = draw,
            .field = Field::kernel,
            .problem = context.workspace.form().problem(Field::kernel),
            .launches = true};
}

BarItem LaunchFields::text(Context& context, Field field, const char* name, const char* meaning, float value_points) {
    const Look& look = context.look;
    const bool listed = field == Field::input;
    const bool refused = context.workspace.form().problem(field).has_value();
    // Grows with its text up to a limit; longer text scrolls.
    const std::size_t index = static_cast<std::size_t>(field);
    const std::string& text = typing_[index] ? typed_[index] : context.workspace.form().shown(field);
    const float value = std::clamp(look.text_width(Font::code, type::value, text) + look.px(8), look.px(value_points),
                                   look.px(listed ? 220 : 120));
    const float name_width = look.text_width(Font::words, type::label, name);
    const float name_gap = *name == '\0' ? 0 : look.px(label_gap);
    const float after = look.px(refused ? 26 : 0) + look.px(listed ? 22 : 0) + look.px(field_padding - 3);
    const float width = std::ceil(look.px(field_padding) + name_width + name_gap + value + after);

    const auto draw = [this, &context, field, index, name, meaning, value, name_width, name_gap, width, listed,
                       refused] {
        const Look& l = context.look;
        Workspace& workspace = context.workspace;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(name_of(field).data());
        const float start = l.px(field_padding) + name_width + name_gap;
        // A click on the label focuses the field.
        if (ImGui::InvisibleButton("label", {start, l.px(control_height)})) ImGui::SetKeyboardFocusHere();
        if (!refused) explain_field(l, field, meaning);  // else the reason for the refusal is shown there
        frame(l, at, width, ImGui::IsItemHovered() || typing_[index], refused);
        label(l, at, name);

        ImGui::SetCursorScreenPos({at.x + start, at.y});
        if (!typing_[index]) typed_[index] = workspace.form().shown(field);
        Stepping stepping{field};
        {
            const Type code(l, Font::code, type::value);
            ImGui::PushStyleColor(ImGuiCol_FrameBg, 0U);
            ImGui::PushStyleColor(ImGuiCol_FrameBgHovered, 0U);
            ImGui::PushStyleColor(ImGuiCol_FrameBgActive, 0U);
            ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                                {l.px(2), (l.px(control_height) - ImGui::GetFontSize()) * 0.5F});
            ImGui::SetNextItemWidth(value);
            const bool counts = field != Field::input;
            ImGui::InputText("##value", &typed_[index],
                             ImGuiInputTextFlags_AutoSelectAll |
                                 (counts ? ImGuiInputTextFlags_CallbackHistory : ImGuiInputTextFlags_None),
                             counts ? step_count : nullptr, &stepping);
            ImGui::PopStyleVar();
            ImGui::PopStyleColor(3);
        }
        typing_[index] = ImGui::IsItemActive();
        const bool finished = ImGui::IsItemDeactivatedAfterEdit();
        if (!refused) explain_field(l, field, meaning);  // else the reason for the refusal is shown there
        if (stepping.stepped || finished) {
            workspace.set_field(field, typed_[index]);
        }
        if (listed) {
            ImGui::SetCursorScreenPos({at.x + width - l.px(refused ? 50 : 26), at.y});
            if (ImGui::InvisibleButton("choices", {l.px(24), l.px(control_height)}, ImGuiButtonFlags_EnableNav))
                open_list("inputs");
            draw_icon(ImGui::GetWindowDrawList(), Icon::down,
                      {at.x + width - l.px(refused ? 36 : 15), at.y + l.px(control_height) * 0.5F}, l.px(8),
                      l.color(ImGui::IsItemHovered() ? Role::text : Role::soft));
            drop_list(l, "inputs", below_field(l, at), {.width = list_width, .note = "or type values: 6 4 16 10"},
                      [&workspace] { return inputs(workspace); });
        }
        ImGui::PopID();
    };
    return {.width = width,
            .draw = draw,
            .field = field,
            .problem = context.workspace.form().problem(field),
            .launches = true};
}

BarItem LaunchFields::view(Context& context, bool brief) {
    const std::string_view as_written = brief ? "written" : "as written",
                           as_compiled = brief ? "compiled" : "as compiled";
    const float width = segmented_width(context.look, {as_written, as_compiled});
    const auto draw = [&context, as_written, as_compiled] {
        Workspace& workspace = context.workspace;
        ImGui::BeginGroup();
        const bool compiled = workspace.form().shown(Field::view) == "compiled";
        if (const auto chosen = segmented(context.look, "view", {as_written, as_compiled}, compiled ? 1 : 0)) {
            workspace.set_field(Field::view, *chosen == 1 ? "compiled" : "written");
        }
        ImGui::EndGroup();
        tip(context.look,
            "As written: compiled with -G. Every access of the source survives.\nAs compiled: compiled with "
            "-lineinfo. The hardware runs this code: loops are unrolled, accesses merged.");
    };
    return {.width = width,
            .draw = draw,
            .field = Field::view,
            .problem = context.workspace.form().problem(Field::view),
            .launches = true};
}

BarItem LaunchFields::block(Context& context, bool bare) {
    const Look& look = context.look;
    const bool several = context.workspace.shown()->trace().launches.size() > 1;
    const std::string block = fmt::format("block {}", context.workspace.shown()->block.value);
    const std::string value = several ? fmt::format("launch {}, {}", context.workspace.shown()->launch, block) : block;
    const float name = bare ? 0 : look.text_width(Font::words, type::label, "Shown") + look.px(label_gap);
    const float width =
        std::ceil(look.px(field_padding) + name + look.text_width(Font::words_medium, type::body, value) + look.px(32));
    const auto draw = [&context, width, name, value, bare] {
        const Look& l = context.look;
        Workspace& workspace = context.workspace;
        const Shown& shown = *workspace.shown();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const bool clicked = ImGui::InvisibleButton("shown", {width, l.px(control_height)}, ImGuiButtonFlags_EnableNav);
        if (ImGui::IsItemHovered())
            tip(l, trace::recorded_text(shown.trace(), shown.launch) + ". The counts cover all blocks.");
        frame(l, at, width, ImGui::IsItemHovered(), false);
        if (!bare) label(l, at, "Shown");
        l.text(ImGui::GetWindowDrawList(), Font::words_medium, type::body,
               {at.x + l.px(field_padding) + name, centered_in_control(l, Font::words_medium, type::body, at.y)},
               l.color(Role::text), value);
        draw_icon(ImGui::GetWindowDrawList(), Icon::down, {at.x + width - l.px(15), at.y + l.px(control_height) * 0.5F},
                  l.px(8), l.color(Role::soft));
        if (clicked) open_list("blocks");
        drop_list(l, "blocks", below_field(l, at), {.width = shown.trace().launches.size() > 1 ? 360.0F : 220.0F},
                  [&workspace] { return blocks(workspace); });
    };
    return {.width = width, .draw = draw};
}

}  // namespace lanescope::ui
