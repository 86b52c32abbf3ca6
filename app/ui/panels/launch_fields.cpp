#include "ui/panels/launch_fields.h"

#include "base/demangle.h"
#include "base/grouped.h"
#include "session/input.h"
#include "session/launch_size.h"
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
constexpr float least_labelled = 178;  // points of the kernel's field

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
                     {at.x + look.px(field_padding), centred_in_control(look, Font::words, type::label, at.y)},
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
std::uint64_t neighbour(Field field, std::uint64_t value, bool up) {
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
    const std::string text = fmt::format("{}", neighbour(stepping.field, *value, data->EventKey == ImGuiKey_UpArrow));
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, text.c_str());
    data->SelectAll();
    stepping.stepped = true;
    return 0;
}

// A list entry with a detail below its name. True when it was chosen.
bool list_entry(const Look& look, const char* id, std::string_view title, std::string_view summary, bool current) {
    const float width = ImGui::GetContentRegionAvail().x, pad = look.px(10);
    const float title_height = look.line_height(Font::words_medium, type::body);
    const float height =
        title_height + (summary.empty() ? 0 : look.line_height(Font::words, type::label)) + look.px(10);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::InvisibleButton(id, {width, height}, ImGuiButtonFlags_EnableNav);
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered())
        list->AddRectFilled(at, {at.x + width, at.y + height}, look.color(Role::raised), look.px(4));
    if (current)
        list->AddRectFilled({at.x, at.y + look.px(6)}, {at.x + look.px(3), at.y + height - look.px(6)},
                            look.color(Role::useful), look.px(1.5F));
    look.text(list, Font::words_medium, type::body, {at.x + pad, at.y + look.px(5)}, look.color(Role::text),
              elided(look, Font::words_medium, type::body, title, width - 2 * pad));
    if (!summary.empty()) {
        look.text(list, Font::words, type::label, {at.x + pad, at.y + look.px(5) + title_height},
                  look.color(Role::soft), elided(look, Font::words, type::label, summary, width - 2 * pad));
    }
    if (clicked) ImGui::CloseCurrentPopup();
    return clicked;
}

void list_heading(const Look& look, std::string_view text) {
    ImGui::Dummy({1, look.px(4)});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    look.text(ImGui::GetWindowDrawList(), Font::words, type::small, {at.x + look.px(10), at.y}, look.color(Role::soft),
              text);
    ImGui::Dummy({1, look.line_height(Font::words, type::small)});
}

bool begin_list(const Look& look, const char* id, ImVec2 below, float width) {
    ImGui::SetNextWindowPos({below.x, below.y + look.px(control_height + 4)});
    const float most = ImGui::GetMainViewport()->Size.y - below.y - look.px(control_height + 20);
    ImGui::SetNextWindowSizeConstraints({look.px(width), 0}, {look.px(width), std::max(most, look.px(120))});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(8), look.px(8)});
    const bool open = ImGui::BeginPopup(id, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (open) ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    return open;
}

void end_list() {
    ImGui::PopStyleVar();
    ImGui::EndPopup();
}

}  // namespace

BarItem LaunchFields::program(Context& context, float width) {
    const auto draw = [this, &context, width] {
        const Look& look = context.look;
        const Workspace& workspace = context.workspace;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const bool clicked =
            ImGui::InvisibleButton("program", {width, look.px(control_height)}, ImGuiButtonFlags_EnableNav);
        const bool refused = workspace.form().problem(Field::program).has_value();
        frame(look, at, width, ImGui::IsItemHovered(), refused);
        const bool labelled = width > look.px(least_labelled);
        const float name = look.px(field_padding) + (labelled ? label(look, at, "Kernel") + look.px(label_gap) : 0.0F);
        const std::string& wanted = workspace.form().shown(Field::program);
        const session::Program* known = session::find_program(wanted);
        std::string title = known != nullptr ? known->lesson.title : std::filesystem::path(wanted).filename().string();
        if (known == nullptr && workspace.shown() != nullptr && workspace.form().values()[Field::program].empty())
            title = workspace.shown()->run->program.lesson.title;
        const float room = width - name - look.px(refused ? 50 : 30);
        look.text(ImGui::GetWindowDrawList(), Font::words_medium, type::body,
                  {at.x + name, centred_in_control(look, Font::words_medium, type::body, at.y)}, look.color(Role::text),
                  elided(look, Font::words_medium, type::body, title, room));
        tip(look, known != nullptr ? known->lesson.summary : wanted);
        draw_icon(ImGui::GetWindowDrawList(), Icon::down,
                  {at.x + width - look.px(refused ? 36 : 16), at.y + look.px(control_height) * 0.5F}, look.px(8),
                  look.color(Role::soft));
        if (clicked) ImGui::OpenPopup("programs");
        if (begin_list(look, "programs", at, list_width)) {
            program_list(context);
            end_list();
        }
    };
    return {.width = width,
            .draw = draw,
            .field = Field::program,
            .problem = context.workspace.form().problem(Field::program)};
}

void LaunchFields::program_list(Context& context) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    const std::string shown = workspace.shown() != nullptr ? workspace.shown()->run->program.name : std::string();
    std::string_view family;
    for (const session::Program& program : session::catalog()) {
        if (program.lesson.family != family) {
            family = program.lesson.family;
            list_heading(look, family);
        }
        if (list_entry(look, program.name.c_str(), program.lesson.title, program.lesson.summary, program.name == shown))
            workspace.open(program.name);
    }
    if (!workspace.settings.recent.empty()) list_heading(look, "recent files");
    const std::vector<std::string> recent = workspace.settings.recent;
    for (const std::string& path : recent) {
        const std::size_t slash = path.find_last_of('/');
        const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
        if (list_entry(look, path.c_str(), name, path, false)) workspace.open(path);
    }
    list_heading(look, "or drop a .cu, .ptx or trace file onto the window");
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
               {at.x + l.px(field_padding), centred_in_control(l, Font::code, type::label, at.y)}, l.color(Role::text),
               elided(l, Font::code, type::label, workspace.form().shown(Field::kernel), width - l.px(40)));
        draw_icon(ImGui::GetWindowDrawList(), Icon::down, {at.x + width - l.px(16), at.y + l.px(control_height) * 0.5F},
                  l.px(8), l.color(Role::soft));
        if (clicked) ImGui::OpenPopup("kernels");
        if (begin_list(l, "kernels", at, 300)) {
            for (const compile::KernelDeclaration& kernel : workspace.shown()->run->program.source.scan.kernels) {
                if (list_entry(l, kernel.name.c_str(), kernel.name, fmt::format("line {}", kernel.line),
                               kernel.name == workspace.form().shown(Field::kernel))) {
                    workspace.set_field(Field::kernel, kernel.name);
                }
            }
            end_list();
        }
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
        if (!refused) explain_field(l, field, meaning);  // the reason of the refusal is shown there
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
        if (!refused) explain_field(l, field, meaning);  // the reason of the refusal is shown there
        if (stepping.stepped || finished) {
            workspace.set_field(field, typed_[index]);
        }
        if (listed) {
            ImGui::SetCursorScreenPos({at.x + width - l.px(refused ? 50 : 26), at.y});
            if (ImGui::InvisibleButton("choices", {l.px(24), l.px(control_height)}, ImGuiButtonFlags_EnableNav))
                ImGui::OpenPopup("inputs");
            draw_icon(ImGui::GetWindowDrawList(), Icon::down,
                      {at.x + width - l.px(refused ? 36 : 15), at.y + l.px(control_height) * 0.5F}, l.px(8),
                      l.color(ImGui::IsItemHovered() ? Role::text : Role::soft));
            if (begin_list(l, "inputs", at, list_width)) {
                input_list(context);
                end_list();
            }
        }
        ImGui::PopID();
    };
    return {.width = width,
            .draw = draw,
            .field = field,
            .problem = context.workspace.form().problem(field),
            .launches = true};
}

void LaunchFields::input_list(Context& context) {
    const Look& look = context.look;
    for (const session::NamedInput& input : session::named_inputs()) {
        const std::string value = input.name == "random" ? "random 1" : std::string(input.name);
        if (list_entry(look, value.c_str(), value, input.description,
                       value == context.workspace.form().shown(Field::input))) {
            context.workspace.set_field(Field::input, value);
        }
    }
    list_heading(look, "or type values: 6 4 16 10");
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
            "-lineinfo. What the hardware runs: loops are unrolled, accesses merged.");
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
        const trace::Launch& launch = shown.trace().launches[shown.launch];
        tip(l, fmt::format("{} of {} blocks were recorded. The counts cover all blocks.",
                           grouped(launch.recorded.size()), grouped(launch.grid.count())));
        frame(l, at, width, ImGui::IsItemHovered(), false);
        if (!bare) label(l, at, "Shown");
        l.text(ImGui::GetWindowDrawList(), Font::words_medium, type::body,
               {at.x + l.px(field_padding) + name, centred_in_control(l, Font::words_medium, type::body, at.y)},
               l.color(Role::text), value);
        draw_icon(ImGui::GetWindowDrawList(), Icon::down, {at.x + width - l.px(15), at.y + l.px(control_height) * 0.5F},
                  l.px(8), l.color(Role::soft));
        if (clicked) ImGui::OpenPopup("blocks");
        if (begin_list(l, "blocks", at, 220)) {
            const std::vector<trace::Launch>& launches = shown.trace().launches;
            std::optional<std::pair<std::uint32_t, BlockId>> chosen;
            for (std::uint32_t number = 0; number < launches.size(); ++number) {
                const trace::Launch& each = launches[number];
                if (launches.size() > 1) {
                    list_heading(
                        l, fmt::format("launch {}: {}, {} blocks of {} threads", number, source_name_of(each.kernel),
                                       grouped(each.grid.count()), grouped(each.block.count())));
                }
                for (const BlockId one : each.recorded) {
                    const std::string text = fmt::format("block {}", one.value);
                    const std::string id = fmt::format("{}/{}", number, one.value);
                    const bool current = number == shown.launch && one == shown.block;
                    if (list_entry(l, id.c_str(), text, {}, current)) chosen = {number, one};
                }
            }
            end_list();
            if (chosen) workspace.show_block(chosen->first, chosen->second);
        }
    };
    return {.width = width, .draw = draw};
}

}  // namespace lanescope::ui
