#include "ui/panels/launch_bar.h"

#include "session/input.h"
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

constexpr float bar_padding = 9, item_gap = 8, field_padding = 11, label_gap = 9, list_width = 460;

float centred(const Look& look, Font font, float em, float top) {
    return std::floor(top + (look.px(control_height) - look.line_height(font, em)) * 0.5F);
}

// The frame that every field shares; orange and with a sign where the field's text was refused.
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
                     {at.x + look.px(field_padding), centred(look, Font::words, type::label, at.y)},
                     look.color(Role::soft), text);
}

// Up and down in a field: the next size that makes sense.
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
    const auto value = parse_count({data->Buf, static_cast<std::size_t>(data->BufTextLen)});
    if (!value) return 0;
    const std::string text = fmt::format("{}", neighbour(stepping.field, *value, data->EventKey == ImGuiKey_UpArrow));
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, text.c_str());
    data->SelectAll();
    stepping.stepped = true;
    return 0;
}

// Words above, soft words below: an entry of a list. True when it was chosen.
bool list_entry(const Look& look, const char* id, std::string_view title, std::string_view summary, bool current) {
    const float width = ImGui::GetContentRegionAvail().x, pad = look.px(10);
    const float title_height = look.line_height(Font::words_medium, type::body);
    const float height =
        title_height + (summary.empty() ? 0 : look.line_height(Font::words, type::label)) + look.px(10);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::InvisibleButton(id, {width, height});
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

// --- fields ----------------------------------------------------------------------------------------------------

LaunchBar::Item LaunchBar::program_item(Context& context, float width) {
    const auto draw = [this, &context, width] {
        const Look& look = context.look;
        const Model& model = context.model;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const bool clicked = ImGui::InvisibleButton("program", {width, look.px(control_height)});
        const bool refused = model.form().problem(Field::program).has_value();
        frame(look, at, width, ImGui::IsItemHovered(), refused);
        const float name = label(look, at, "Kernel") + look.px(field_padding + label_gap);
        const std::string& wanted = model.form().shown(Field::program);
        const session::Program* known = session::find_program(wanted);
        std::string title = known != nullptr ? known->title : std::filesystem::path(wanted).filename().string();
        if (known == nullptr && model.shown() != nullptr && model.form().values()[Field::program].empty())
            title = model.shown()->run->program.title;
        const float room = width - name - look.px(refused ? 50 : 30);
        look.text(ImGui::GetWindowDrawList(), Font::words_medium, type::body,
                  {at.x + name, centred(look, Font::words_medium, type::body, at.y)}, look.color(Role::text),
                  elided(look, Font::words_medium, type::body, title, room));
        tip(look, known != nullptr ? known->summary : wanted);
        draw_icon(ImGui::GetWindowDrawList(), Icon::down,
                  {at.x + width - look.px(refused ? 36 : 16), at.y + look.px(control_height) * 0.5F}, look.px(8),
                  look.color(Role::soft));
        if (clicked) ImGui::OpenPopup("programs");
        if (begin_list(look, "programs", at, list_width)) {
            program_list(context);
            end_list();
        }
    };
    return {width, draw, Field::program};
}

void LaunchBar::program_list(Context& context) {
    const Look& look = context.look;
    Model& model = context.model;
    const std::string shown = model.shown() != nullptr ? model.shown()->run->program.name : std::string();
    std::string_view family;
    for (const session::Program& program : session::catalog()) {
        if (program.family != family) {
            family = program.family;
            list_heading(look, family);
        }
        if (list_entry(look, program.name.c_str(), program.title, program.summary, program.name == shown))
            model.open(program.name);
    }
    if (!model.settings.recent.empty()) list_heading(look, "recent files");
    const std::vector<std::string> recent = model.settings.recent;
    for (const std::string& path : recent) {
        const std::size_t slash = path.find_last_of('/');
        const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
        if (list_entry(look, path.c_str(), name, path, false)) model.open(path);
    }
    list_heading(look, "or drop a .cu, .ptx or trace file on the window");
}

LaunchBar::Item LaunchBar::kernel_item(Context& context) {
    const Look& look = context.look;
    const float width =
        std::min(look.text_width(Font::code, type::label, context.model.shown()->run->kernel), look.px(180)) +
        look.px(46);
    const auto draw = [&context, width] {
        const Look& l = context.look;
        Model& model = context.model;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const bool clicked = ImGui::InvisibleButton("kernel", {width, l.px(control_height)});
        frame(l, at, width, ImGui::IsItemHovered(), model.form().problem(Field::kernel).has_value());
        l.text(ImGui::GetWindowDrawList(), Font::code, type::label,
               {at.x + l.px(field_padding), centred(l, Font::code, type::label, at.y)}, l.color(Role::text),
               elided(l, Font::code, type::label, model.form().shown(Field::kernel), width - l.px(40)));
        draw_icon(ImGui::GetWindowDrawList(), Icon::down, {at.x + width - l.px(16), at.y + l.px(control_height) * 0.5F},
                  l.px(8), l.color(Role::soft));
        if (clicked) ImGui::OpenPopup("kernels");
        if (begin_list(l, "kernels", at, 300)) {
            for (const compile::KernelDeclaration& kernel : model.shown()->run->program.scan.kernels) {
                if (list_entry(l, kernel.name.c_str(), kernel.name, fmt::format("line {}", kernel.line),
                               kernel.name == model.form().shown(Field::kernel))) {
                    model.set_field(Field::kernel, kernel.name);
                }
            }
            end_list();
        }
    };
    return {width, draw, Field::kernel};
}

LaunchBar::Item LaunchBar::text_item(Context& context, Field field, const char* name, const char* meaning,
                                     float value_points) {
    const Look& look = context.look;
    const bool listed = field == Field::input;
    const bool refused = context.model.form().problem(field).has_value();
    // Wider for what is in it, up to a limit; the text scrolls inside beyond that.
    const std::size_t index = static_cast<std::size_t>(field);
    const std::string& text = typing_[index] ? typed_[index] : context.model.form().shown(field);
    const float value = std::clamp(look.text_width(Font::code, type::value, text) + look.px(8), look.px(value_points),
                                   look.px(listed ? 220 : 120));
    const float name_width = look.text_width(Font::words, type::label, name);
    const float after = look.px(refused ? 26 : 0) + look.px(listed ? 22 : 0) + look.px(field_padding - 3);
    const float width = std::ceil(look.px(field_padding) + name_width + look.px(label_gap) + value + after);

    const auto draw = [this, &context, field, index, name, meaning, value, name_width, width, listed, refused] {
        const Look& l = context.look;
        Model& model = context.model;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(name_of(field).data());
        const float start = l.px(field_padding) + name_width + l.px(label_gap);
        // A click on the label is a click into the field.
        if (ImGui::InvisibleButton("label", {start, l.px(control_height)})) ImGui::SetKeyboardFocusHere();
        tip(l, meaning);
        frame(l, at, width, ImGui::IsItemHovered() || typing_[index], refused);
        label(l, at, name);

        ImGui::SetCursorScreenPos({at.x + start, at.y});
        if (!typing_[index]) typed_[index] = model.form().shown(field);
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
        tip(l, meaning);
        if (stepping.stepped || finished) {
            model.set_field(field, typed_[index]);
        }
        if (listed) {
            ImGui::SetCursorScreenPos({at.x + width - l.px(refused ? 50 : 26), at.y});
            if (ImGui::InvisibleButton("choices", {l.px(24), l.px(control_height)})) ImGui::OpenPopup("inputs");
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
    return {width, draw, field};
}

void LaunchBar::input_list(Context& context) {
    const Look& look = context.look;
    for (const session::NamedInput& input : session::named_inputs()) {
        const std::string value = input.name == "random" ? "random 1" : std::string(input.name);
        if (list_entry(look, value.c_str(), value, input.description,
                       value == context.model.form().shown(Field::input))) {
            context.model.set_field(Field::input, value);
        }
    }
    list_heading(look, "or type values: 6 4 16 10");
}

LaunchBar::Item LaunchBar::view_item(Context& context, bool brief) {
    const std::string_view as_written = brief ? "written" : "as written",
                           as_compiled = brief ? "compiled" : "as compiled";
    const float width = segmented_width(context.look, {as_written, as_compiled});
    const auto draw = [&context, as_written, as_compiled] {
        Model& model = context.model;
        ImGui::BeginGroup();
        const bool compiled = model.form().shown(Field::view) == "compiled";
        if (const auto chosen = segmented(context.look, "view", {as_written, as_compiled}, compiled ? 1 : 0)) {
            model.set_field(Field::view, *chosen == 1 ? "compiled" : "written");
        }
        ImGui::EndGroup();
        tip(context.look,
            "As written: compiled without optimisation, every access of the source survives.\n"
            "As compiled: what the hardware runs; loops are unrolled, accesses merged.");
    };
    return {width, draw, Field::view};
}

LaunchBar::Item LaunchBar::block_item(Context& context) {
    const Look& look = context.look;
    const std::string value = fmt::format("block {}", context.model.shown()->block.value);
    const float name = look.text_width(Font::words, type::label, "Shown");
    const float width = std::ceil(look.px(field_padding + label_gap) + name +
                                  look.text_width(Font::words_medium, type::body, value) + look.px(32));
    const auto draw = [&context, width, name, value] {
        const Look& l = context.look;
        Model& model = context.model;
        const Shown& shown = *model.shown();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const bool clicked = ImGui::InvisibleButton("shown", {width, l.px(control_height)});
        const trace::Launch& launch = shown.trace().launches[shown.launch];
        tip(l, fmt::format("{} of {} blocks were recorded; the counts are of all.", launch.recorded.size(),
                           launch.grid.count()));
        frame(l, at, width, ImGui::IsItemHovered(), false);
        label(l, at, "Shown");
        l.text(ImGui::GetWindowDrawList(), Font::words_medium, type::body,
               {at.x + l.px(field_padding + label_gap) + name, centred(l, Font::words_medium, type::body, at.y)},
               l.color(Role::text), value);
        draw_icon(ImGui::GetWindowDrawList(), Icon::down, {at.x + width - l.px(15), at.y + l.px(control_height) * 0.5F},
                  l.px(8), l.color(Role::soft));
        if (clicked) ImGui::OpenPopup("blocks");
        if (begin_list(l, "blocks", at, 180)) {
            std::optional<BlockId> chosen;
            for (const BlockId block : launch.recorded) {
                const std::string text = fmt::format("block {}", block.value);
                if (list_entry(l, text.c_str(), text, {}, block == shown.block)) chosen = block;
            }
            end_list();
            if (chosen) model.show_block(shown.launch, *chosen);
        }
    };
    return {width, draw};
}

// --- the bar ---------------------------------------------------------------------------------------------------

float LaunchBar::total(const Look& look, const std::vector<Item>& items) {
    float sum = 0;
    for (const Item& item : items) sum += item.width + look.px(item_gap);
    return sum;
}

std::vector<LaunchBar::Item> LaunchBar::left_items(Context& context, float room, bool brief) {
    const Look& look = context.look;
    const Shown* shown = context.model.shown();
    std::vector<Item> items;
    if (shown != nullptr && shown->run->program.scan.kernels.size() > 1) items.push_back(kernel_item(context));
    items.push_back(text_item(context, Field::block, "Block",
                              "Threads in a block, 1 to 1024. Up and down go to the next power of two.", 34));
    items.push_back(text_item(context, Field::grid, "Grid", "Blocks in the grid. Up and down change it by one.", 26));
    items.push_back(
        text_item(context, Field::n, "N", "Elements of the problem. Up and down go to the next power of two.", 34));
    items.push_back(text_item(context, Field::input, "Input",
                              "What the input holds: a name such as iota, ones, random 7, or the values themselves.",
                              76));
    items.push_back(view_item(context, brief));
    if (shown != nullptr && shown->trace().launches[shown->launch].recorded.size() > 1)
        items.push_back(block_item(context));

    // The name of the kernel takes what the others leave, the name of the program what is left then.
    const float left = room - total(look, items);
    const float least = brief ? 190 : 250;
    constexpr float most = 360;
    items.insert(items.begin(), program_item(context, std::clamp(left, look.px(least), look.px(most))));
    const float name = look.text_width(Font::words_bold, 16, "Lanescope") + look.px(14);
    if (left > look.px(least) + name + look.px(item_gap)) {
        items.front() =
            program_item(context, std::clamp(left - name - look.px(item_gap), look.px(least), look.px(most)));
        items.insert(items.begin(), {name, [&look] {
                                         const ImVec2 at = ImGui::GetCursorScreenPos();
                                         look.text(ImGui::GetWindowDrawList(), Font::words_bold, 16,
                                                   {at.x + look.px(4), centred(look, Font::words_bold, 16, at.y)},
                                                   look.color(Role::text), "Lanescope");
                                     }});
    }
    return items;
}

std::vector<LaunchBar::Item> LaunchBar::right_items(Context& context, Shell& shell, bool brief) {
    const Look& look = context.look;
    Model& model = context.model;
    std::vector<Item> items;
    const auto add_badge = [&](
                               const char* id, Badge made, std::string meaning, std::function<void()> act = [] {}) {
        const float width = badge_width(look, made);
        items.push_back(
            {width, [&look, id, made = std::move(made), meaning = std::move(meaning), act = std::move(act)] {
                 if (badge(look, id, made)) act();
                 tip(look, meaning);
             }});
    };

    if (model.busy() && model.busy_seconds() > 0.2) {
        const float bar = look.px(90);
        const ImVec2 stop = button_size(look, "Cancel", Icon::none, Icon::none);
        items.push_back(
            {bar + look.px(14) + stop.x, [&look, &model, bar] {
                 const ImVec2 at = ImGui::GetCursorScreenPos();
                 ImDrawList* list = ImGui::GetWindowDrawList();
                 const float y = at.y + look.px(control_height) * 0.5F, half = look.px(3);
                 const float share = model.busy_share();
                 list->AddRectFilled({at.x, y - half}, {at.x + bar, y + half}, look.color(Role::line), half);
                 // Where the share is not known, a piece that runs to and fro.
                 const auto phase = static_cast<float>(model.busy_seconds() * 0.6);
                 const float from = share >= 0 ? 0 : std::fabs(std::fmod(phase, 2.0F) - 1) * 0.7F;
                 const float to = share >= 0 ? share : from + 0.3F;
                 list->AddRectFilled({at.x + bar * from, y - half}, {at.x + bar * std::clamp(to, from, 1.0F), y + half},
                                     look.color(Role::useful), half);
                 ImGui::SetCursorScreenPos({at.x + bar + look.px(14), at.y});
                 if (button(look, "cancel", "Cancel")) model.cancel();
             }});
    }
    if (const Shown* shown = model.shown(); shown != nullptr) {
        const session::Verdict& verdict = shown->run->verdict;
        const std::size_t findings = shown->trace().findings.size();
        const auto show_findings = [&shell] { shell.bring_up("Findings"); };
        if (findings > 0) {
            add_badge("findings",
                      {Icon::warning, Role::cost, fmt::format("{} finding{}", findings, findings == 1 ? "" : "s")},
                      "Faults of the kernel. Click for the list.", show_findings);
        }
        if (verdict.ok == true) {
            const std::string what = verdict.oracle.empty() ? "the oracle" : verdict.oracle;
            add_badge("verdict", {Icon::check, Role::agrees, brief ? "right" : "matches the oracle"},
                      fmt::format("The result equals {}, computed on the CPU.", what));
        } else if (verdict.ok == false) {
            const std::size_t at = verdict.first_difference;
            std::string text = "wrong";
            if (!brief && at < verdict.actual.size() && at < verdict.expected.size()) {
                text = fmt::format("wrong: [{}] is {}, not {}", at, verdict.actual[at], verdict.expected[at]);
            }
            add_badge("verdict", {Icon::cross, Role::cost, text},
                      "The result differs from what the CPU computed. Click for the first difference.", show_findings);
        }
        const trace::Origin& origin = shown->trace().origin;
        const bool emulated = origin.machine == trace::Machine::emulator;
        add_badge("machine",
                  {Icon::ring, emulated ? Role::soft : Role::agrees,
                   emulated ? "emulated"
                   : brief  ? "recorded"
                            : "recorded on " + origin.device},
                  emulated ? "Run by the PTX emulator on this machine's CPU; no GPU is needed."
                           : "Recorded on " + origin.device + ".");
    }
    const auto add_icon = [&](const char* id, Icon icon, const char* meaning, void (*act)(Shell&)) {
        items.push_back({look.px(control_height), [&look, &shell, id, icon, meaning, act] {
                             if (button(look, id, "", icon, Icon::none, {.quiet = true})) act(shell);
                             tip(look, meaning);
                         }});
    };
    add_icon("theme", look.theme() == scene::Theme::dark ? Icon::sun : Icon::moon, "Dark or light (Ctrl + T)",
             [](Shell& s) { s.toggle_theme(); });
    add_icon("help", Icon::question, "The keys (?)", [](Shell& s) { s.toggle_help(); });
    return items;
}

float LaunchBar::draw(Context& context, Shell& shell, ImVec2 at, float width) {
    const Look& look = context.look;
    const float pad = look.px(bar_padding), space = look.px(item_gap), row_height = look.px(control_height);
    const float room = width - 2 * look.px(12);
    // In a narrow window the right group says less before it moves to a row of its own.
    std::vector<Item> right = right_items(context, shell, false);
    std::vector<Item> left = left_items(context, room - total(look, right), false);
    if (total(look, left) + total(look, right) > room) {
        right = right_items(context, shell, true);
        left = left_items(context, room - total(look, right), false);
    }
    if (total(look, left) + total(look, right) > room) left = left_items(context, room - total(look, right), true);

    // Rows from left to right; the right group stands in the first row that has room for it, or in one of its own.
    std::vector<std::vector<const Item*>> rows(1);
    std::vector<float> used(1, 0);
    for (const Item& item : left) {
        if (used.back() > 0 && used.back() + item.width > room) {
            rows.emplace_back();
            used.push_back(0);
        }
        rows.back().push_back(&item);
        used.back() += item.width + space;
    }
    const float right_width = total(look, right) - space;
    std::size_t right_row = 0;
    while (right_row < rows.size() && used[right_row] + right_width > room) ++right_row;
    if (right_row == rows.size()) {
        rows.emplace_back();
        used.push_back(0);
    }

    // What was refused, below the row of its field.
    struct Message {
        const Item* item;
        std::string text;
        float height;
    };
    const Type words(look, Font::words, type::label);
    std::vector<std::vector<Message>> messages(rows.size());
    float height = pad;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        height += row_height + pad;
        for (const Item* item : rows[row]) {
            if (item->field == Field::count || !context.model.form().problem(item->field)) continue;
            const Problem& problem = *context.model.form().problem(item->field);
            std::string text = problem.what + ".";
            if (!problem.remedy.empty()) text += " " + problem.remedy;
            const float tall = ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, room).y;
            height += tall + look.px(4);
            messages[row].push_back({item, std::move(text), tall});
        }
    }

    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("##launch", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PopStyleVar();
    ImDrawList* list = ImGui::GetWindowDrawList();
    float y = at.y + pad;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        float x = at.x + look.px(12);
        std::vector<float> starts;
        for (const Item* item : rows[row]) {
            ImGui::SetCursorScreenPos({x, y});
            item->draw();
            starts.push_back(x);
            x += item->width + space;
        }
        if (row == right_row) {
            x = at.x + width - look.px(12) - right_width;
            for (const Item& item : right) {
                ImGui::SetCursorScreenPos({x, y});
                item.draw();
                x += item.width + space;
            }
        }
        y += row_height;
        for (const Message& message : messages[row]) {
            const auto which = static_cast<std::size_t>(std::ranges::find(rows[row], message.item) - rows[row].begin());
            const float wide = ImGui::CalcTextSize(message.text.data(), message.text.data() + message.text.size()).x;
            const float left_edge = at.x + look.px(12);
            const float start = std::max(left_edge, std::min(starts[which], left_edge + room - wide));
            y += look.px(4);
            ImGui::SetCursorScreenPos({start, y});
            ImGui::PushTextWrapPos(room + look.px(12));
            ImGui::TextColored(look.color4(Role::cost), "%s", message.text.c_str());
            ImGui::PopTextWrapPos();
            y += message.height;
        }
        y += pad;
    }
    list->AddLine({at.x, at.y + height - 1}, {at.x + width, at.y + height - 1}, look.color(Role::line));
    ImGui::End();
    return height;
}

}  // namespace lanescope::ui
