#include "ui/panels/counts.h"

#include "scene/counts_scene.h"
#include "session/closed_forms.h"
#include "ui/glossary.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::ui {

using analysis::CountColumn;
using analysis::CountRow;
using scene::Font;
using scene::Role;

namespace {

constexpr float row_points = 24, heading_points = 28, form_points = 22;
constexpr float most_more = 40, most_label = 150;
constexpr float chart_width = 230, chart_height = 150, least_chart = 120, most_chart = 230, chart_title = 26;
constexpr std::size_t least_rows = 7;  // of the table, for charts to stand below it

constexpr std::array<CountsPanel::Letters, 3> manners = {{
    {.numbers = type::value - 0.5F, .headings = type::label, .gap = 9, .edge = card_padding},
    {.numbers = type::small, .headings = type::small, .gap = 7, .edge = 10},
    {.numbers = 10.5F, .headings = 10.5F, .gap = 5, .edge = 8, .staggered = true},
}};

float label_width(const Look& look, const scene::ShortNames& names, const CountsPanel::Letters& letters) {
    float width = std::max(look.text_width(Font::code, type::label, "total"),
                           look.text_width(Font::words, letters.headings, names.head));
    for (const std::string& name : names.names) width = std::max(width, look.text_width(Font::code, type::label, name));
    return std::min(width, look.px(most_label)) + look.px(letters.gap);
}

/// Of 32, in an instruction.
double lanes_on(const timing::Counters& counters) {
    if (counters.warp_instructions == 0) return 0;
    return static_cast<double>(counters.thread_instructions) / static_cast<double>(counters.warp_instructions);
}

/// Text at the right end of the table cell at hand, in the middle of its row.
void number(const Look& look, Font font, float em, std::string_view text, ImU32 ink, float row) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x;
    look.text(ImGui::GetWindowDrawList(), font, em,
              {right - look.text_width(font, em, text), at.y + (row - look.line_height(font, em)) * 0.5F}, ink, text);
}

/// A heading on the upper or the lower of two lines of the row, at the column's right end; it may reach over the column
/// before.
void staggered(const Look& look, float em, std::string_view text, float row, bool upper) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x, line = look.line_height(Font::words, em);
    const float width = look.text_width(Font::words, em, text);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect({right - width, at.y}, {right, at.y + row});
    look.text(list, Font::words, em, {right - width, upper ? at.y : at.y + row - line}, look.color(Role::soft), text);
    list->PopClipRect();
}

}  // namespace

std::vector<std::string> CountsPanel::subtitle(const Context& context) const {
    const Shown* shown = context.workspace.shown();
    if (shown == nullptr) return {};
    std::string text = "by pass", block;
    if (shown->trace().launches[shown->launch].grid.count() > 1)
        text += block = fmt::format(", block {}", shown->block.value);
    // What Warps says of the same pass is of all of it.
    const auto now = std::ranges::find(picture_.rows, CountRow::State::under_way, &CountRow::state);
    if (now == picture_.rows.end()) return {text, "by pass"};
    const std::string so_far = fmt::format("{} so far", now->whole.label);
    return {text + ", " + so_far, so_far + block, so_far, "by pass"};
}

std::string CountsPanel::csv(const Workspace& workspace) const {
    const Shown* shown = workspace.shown();
    return shown == nullptr ? std::string() : analysis::counts_csv(shown->view());
}

float CountsPanel::header(Context& context, float right, float top, float height) {
    const Look& look = context.look;
    if (context.workspace.shown() == nullptr) return right;
    const ButtonLook how{.quiet = true, .height = 24};
    const ImVec2 size = button_size(look, "CSV", Icon::none, Icon::none, how);
    ImGui::SetCursorScreenPos({right - size.x, top + (height - size.y) * 0.5F});
    if (button(look, "##csv", "CSV", Icon::none, Icon::none, how))
        ImGui::SetClipboardText(csv(context.workspace).c_str());
    tip(look, "Copy all counts, pass by pass, as comma-separated values");
    return right - size.x - look.px(gap);
}

const scene::Scene* CountsPanel::drawn() const {
    if (picture_.rows.empty()) return nullptr;
    if (!scene_) scene_ = scene::counts_scene(picture_, {.width = std::max(width_, 480.0F)});
    return &*scene_;
}

void CountsPanel::count(const Workspace& workspace) {
    const Shown& shown = *workspace.shown();
    if (counted_for_ == shown.id && counted_at_ == workspace.position()) return;
    if (counted_for_ != shown.id) {
        hardware_ = session::hardware_counts(*shown.run);
        hardware_lines_ = hardware_ ? lines_of(*hardware_) : std::vector<HardwareLine>();
    }
    if (counted_for_ != shown.id) under_way_.emplace(shown.view());
    counted_for_ = shown.id;
    counted_at_ = workspace.position();
    picture_ = analysis::counts_picture(shown.view(), *under_way_, workspace.position());
    picture_.forms = session::closed_forms(*shown.run);
    charts_ = scene::counts_charts(picture_);
    std::vector<std::string> names;
    names.reserve(picture_.rows.size());
    for (const CountRow& row : picture_.rows) names.push_back(row.whole.label);
    names_ = scene::short_names(names);
    scene_.reset();
}

void CountsPanel::draw(Context& context) {
    const Look& look = context.look;
    if (context.workspace.shown() == nullptr) {
        note(look, why_empty(context.workspace, "The counts of each pass"));
        return;
    }
    count(context.workspace);
    const float edge = look.px(2);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), rest = ImGui::GetContentRegionAvail();
    const ImVec2 at(corner.x + edge, corner.y);
    const ImVec2 room(std::max(rest.x - 2 * edge, 1.0F), std::max(rest.y - edge, 1.0F));
    width_ = room.x / look.scale();

    // The charts stand below the table where there is room for both; it may scroll, they may not.
    const float forms = static_cast<float>(picture_.forms.size() + hardware_lines_.size()) * look.px(form_points);
    const float wanted = static_cast<float>(picture_.rows.size() + 1) * look.px(row_points) + look.px(heading_points) +
                         forms + look.px(gap) * 2 + ImGui::GetStyle().ScrollbarSize;
    const float least = look.px(least_chart + chart_title + gap);
    const float fewest =
        std::min(wanted, static_cast<float>(least_rows) * look.px(row_points) + look.px(heading_points) + forms);
    const bool charts = picture_.rows.size() > 1 && room.y - fewest > least;
    const float shown_table = charts ? std::min(wanted, std::max(fewest, room.y - least * 1.25F)) : room.y;
    ImGui::SetCursorScreenPos(at);
    // Of whole rows, so that none is cut where it is scrolled.
    const float table = shown_table - forms - look.px(gap) * 0.5F;
    const float rows = std::max(table - look.px(heading_points), 0.0F);
    draw_table(context, {room.x, table < wanted - forms ? table - std::fmod(rows, look.px(row_points)) : table});
    ImGui::SetCursorScreenPos({at.x, at.y + shown_table - forms - look.px(gap) * 0.5F});
    draw_forms(look);
    draw_hardware(context);
    if (charts) {
        draw_charts(context, {at.x + look.px(card_padding), at.y + shown_table + look.px(gap)},
                    {room.x - 2 * look.px(card_padding), room.y - shown_table - look.px(gap)});
    }
}

void CountsPanel::draw_table(Context& context, ImVec2 size) {
    const Look& look = context.look;
    std::vector<float> widths;
    float label = 0, more = -1;
    const float all_rows = static_cast<float>(picture_.rows.size() + 1) * look.px(row_points) + look.px(heading_points);
    const bool scrolls = all_rows > size.y;
    const auto measure = [&](const Letters& letters) {
        letters_ = letters;
        label = label_width(look, names_, letters) + look.px(letters.edge);
        more = size.x - label - (scrolls ? ImGui::GetStyle().ScrollbarSize : 0) - look.px(letters.gap);
        widths.clear();
        for (const CountColumn& column : picture_.columns) {
            const float number = look.text_width(Font::code, letters.numbers, analysis::longest_text(column, picture_));
            const float heading = look.text_width(Font::words, letters.headings, column.heading);
            // On two lines, a heading may stand over the column to its left, too.
            const float beside = letters.staggered && !widths.empty() ? widths.back() : 0;
            widths.push_back(std::ceil(std::max(number, heading - beside) + look.px(letters.gap)));
            more -= widths.back();
        }
    };
    // Where it would have to be scrolled sideways, smaller letters stand closer.
    for (const Letters& letters : manners) {
        if (more < 0) measure(letters);
    }
    // What room is left is shared.
    const auto count = static_cast<int>(picture_.columns.size());
    for (float& width : widths) width += std::clamp(more / static_cast<float>(count), 0.0F, look.px(most_more));
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                                      ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings |
                                      ImGuiTableFlags_NoPadOuterX | ImGuiTableFlags_NoPadInnerX;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    if (ImGui::BeginTable("counts table", count + 1, flags, {size.x, std::max(size.y, 1.0F)})) {
        // Where rows are scrolled, the total stands above them, in sight.
        ImGui::TableSetupScrollFreeze(1, scrolls ? 2 : 1);
        ImGui::TableSetupColumn("##pass", ImGuiTableColumnFlags_WidthFixed, label);
        for (std::size_t index = 0; index < widths.size(); ++index)
            ImGui::TableSetupColumn(std::string(picture_.columns[index].heading).c_str(),
                                    ImGuiTableColumnFlags_WidthFixed, widths[index]);
        draw_headings(look);
        if (scrolls) draw_total(look, true);
        for (std::size_t index = 0; index < picture_.rows.size(); ++index) draw_row(context, index, scrolls ? 1 : 0);
        if (!scrolls) draw_total(look, false);
        ImGui::EndTable();
    }
    ImGui::PopStyleVar(2);
}

void CountsPanel::draw_headings(const Look& look) const {
    const float row = look.px(heading_points);
    ImGui::TableNextRow(ImGuiTableRowFlags_None, row);
    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, look.color(Role::panel));
    ImGui::TableSetColumnIndex(0);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    look.text(
        ImGui::GetWindowDrawList(), Font::words, letters_.headings,
        {corner.x + look.px(letters_.edge), corner.y + (row - look.line_height(Font::words, letters_.headings)) * 0.5F},
        look.color(Role::soft), names_.head);
    for (std::size_t index = 0; index < picture_.columns.size(); ++index) {
        const CountColumn& column = picture_.columns[index];
        if (!ImGui::TableSetColumnIndex(static_cast<int>(index) + 1)) continue;
        if (letters_.staggered) {
            staggered(look, letters_.headings, column.heading, row, index % 2 == 0);
        } else {
            number(look, Font::words, letters_.headings, column.heading, look.color(Role::soft), row);
        }
        ImGui::InvisibleButton(std::string(column.heading).c_str(), {ImGui::GetContentRegionAvail().x, row});
        explain(look, column.term, column.name);
    }
}

/// `pinned`: rows that stay above the scrolled ones, beside the headings.
void CountsPanel::draw_row(Context& context, std::size_t index, unsigned pinned) {
    const Look& look = context.look;
    const CountRow& row = picture_.rows[index];
    const bool ahead = row.state == CountRow::State::ahead, now = row.state == CountRow::State::under_way;
    const float height = look.px(row_points);
    ImGui::TableNextRow(ImGuiTableRowFlags_None, height);
    ImGui::TableSetColumnIndex(0);
    if (now) {
        ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0,
                               look.color(Role::cursor, look.theme() == scene::Theme::dark ? 0.24F : 0.38F));
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(index));
    ImGui::PushStyleColor(ImGuiCol_HeaderHovered, look.color(Role::line, 0.5F));
    if (ImGui::Selectable("##pass", false, ImGuiSelectableFlags_SpanAllColumns, {0, height}))
        context.workspace.seek_pass(index);
    ImGui::PopStyleColor();
    if (now) {
        tip(look, fmt::format("{} is under way: step {} of {}.", row.whole.label, row.pass.past_last - row.whole.first,
                              row.whole.past_last - row.whole.first));
    }
    ImGui::PopID();
    if (now && (scrolled_for_ != counted_for_ || scrolled_to_ != index)) {
        scrolled_for_ = counted_for_;
        scrolled_to_ = index;
        const float room = ImGui::GetWindowHeight() - look.px(heading_points) - static_cast<float>(pinned) * height;
        const float rows = std::floor(room / height);
        ImGui::SetScrollY(height * std::max(static_cast<float>(index) - std::floor(rows / 2), 0.0F));
    }
    const ImU32 ink = look.color(ahead ? Role::soft : Role::text, ahead ? 0.7F : 1);
    const float left = at.x + look.px(letters_.edge);
    look.text(ImGui::GetWindowDrawList(), Font::code, type::label,
              {left, at.y + (height - look.line_height(Font::code, type::label)) * 0.5F}, ink,
              elided(look, Font::code, type::label, names_.names[index], look.px(most_label)));
    for (std::size_t which = 0; which < picture_.columns.size(); ++which) {
        if (!ImGui::TableSetColumnIndex(static_cast<int>(which) + 1)) continue;
        const CountColumn& column = picture_.columns[which];
        // A pass under way that has not come to its results yet has no share of them, rather than none.
        const double value = column.value(row.pass, picture_.threads);
        const bool none_yet = now && value == 0 && column.unit == CountColumn::Unit::percent;
        number(look, Font::code, letters_.numbers,
               ahead      ? "·"
               : none_yet ? "–"
                          : analysis::text_of(column, value),
               ink, height);
    }
}

/// The line that parts it from the rows is below it where it stands above them.
void CountsPanel::draw_total(const Look& look, bool above) const {
    const float height = look.px(row_points);
    ImGui::TableNextRow(ImGuiTableRowFlags_None, height);
    if (above) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, look.color(Role::panel));
    for (std::size_t which = 0; which <= picture_.columns.size(); ++which) {
        if (!ImGui::TableSetColumnIndex(static_cast<int>(which))) continue;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float edge = above ? at.y + height - 1 : at.y;
        ImGui::GetWindowDrawList()->AddLine({at.x + (which == 0 ? look.px(letters_.edge) : 0), edge},
                                            {at.x + ImGui::GetContentRegionAvail().x, edge}, look.color(Role::line));
        if (which == 0) {
            look.text(
                ImGui::GetWindowDrawList(), Font::code, type::label,
                {at.x + look.px(letters_.edge), at.y + (height - look.line_height(Font::code, type::label)) * 0.5F},
                look.color(Role::soft), "total");
        } else if (const auto total = analysis::total_of(picture_.columns[which - 1], picture_)) {
            number(look, Font::code, letters_.numbers, analysis::text_of(picture_.columns[which - 1], *total),
                   look.color(Role::soft), height);
        }
    }
}

void CountsPanel::draw_forms(const Look& look) const {
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x - 2 * look.px(card_padding);
    for (const analysis::ClosedForm& form : picture_.forms) {
        const bool agrees = form.measured == form.value;
        const float left = at.x + look.px(card_padding);
        float x = left;
        if (form.measured) {
            draw_icon(ImGui::GetWindowDrawList(), agrees ? Icon::check : Icon::cross,
                      {x + look.px(5), at.y + look.px(form_points) * 0.5F}, look.px(10),
                      look.color(agrees ? Role::agrees : Role::cost));
            x += look.px(18);
        }
        look.text(ImGui::GetWindowDrawList(), Font::words, type::label,
                  {x, at.y + (look.px(form_points) - look.line_height(Font::words, type::label)) * 0.5F},
                  look.color(Role::text),
                  elided(look, Font::words, type::label, scene::text_of(form), left + room - x));
        ImGui::SetCursorScreenPos({left, at.y});
        ImGui::InvisibleButton(form.name.c_str(), {std::max(room, 1.0F), look.px(form_points)});
        explain(
            look, form.name,
            fmt::format("{}. The lecture's formula, beside what was measured of the whole run.", scene::text_of(form)));
        at.y += look.px(form_points);
    }
    ImGui::SetCursorScreenPos(at);
}

std::vector<CountsPanel::HardwareLine> CountsPanel::lines_of(const session::HardwareCounts& counts) {
    const std::string whose = fmt::format("Counted on {}: {}.", counts.device, counts.told);
    const std::string launch = fmt::format("n = {}, block {}, {}", counts.n, counts.block, counts.input);
    const std::string_view maker = "NVIDIA ";
    const std::string device = counts.device.starts_with(maker) ? counts.device.substr(maker.size()) : counts.device;
    if (!counts.same_launch) {
        return {
            {.equal = {},
             .text = fmt::format("{} counted block {}, N {}: click", device, counts.block, counts.n),
             .meaning = fmt::format("{} {}: a click shows that launch, the hardware's counters beside the emulator's.",
                                    whose, launch)}};
    }
    std::vector<HardwareLine> lines;
    for (std::size_t i = 0; i < counts.builds.size(); ++i) {
        const session::CountedBuild& build = counts.builds[i];
        const timing::Counters& there = build.hardware;
        const std::string name = build.optimised ? device : device + " at -O0";
        HardwareLine line{.equal = session::are_equal(there, build.emulator), .text = {}, .meaning = {}};
        if (*line.equal) {
            line.text = fmt::format(
                "{}: {} wavefronts, {} sectors, equal", name,
                there.shared_load_wavefronts + there.shared_store_wavefronts + there.shared_atomic_wavefronts,
                there.global_load_sectors + there.global_store_sectors + there.global_atomic_sectors);
        } else {
            const std::vector<session::CountedAlike> all = session::counted_alike(there, build.emulator);
            const auto first = std::ranges::find_if(
                all, [](const session::CountedAlike& alike) { return alike.hardware != alike.emulator; });
            line.text = fmt::format("{}: {}, emulated {}, {}", name, first->hardware, first->emulator, first->words);
        }
        line.meaning = fmt::format("{} {}, all blocks of all launches.\n", whose, launch);
        for (const session::CountedAlike& alike : session::counted_alike(there, build.emulator))
            line.meaning += fmt::format("{} {}, the emulator {}\n", alike.hardware, alike.words, alike.emulator);
        line.meaning += fmt::format(
            "{} warp instructions of its own code, {} of PTX; {:.1f} of 32 lanes on, {:.1f} emulated",
            there.warp_instructions, build.emulator.warp_instructions, lanes_on(there), lanes_on(build.emulator));
        if (!counts.why[i].empty()) line.meaning += "\n" + counts.why[i];
        lines.push_back(std::move(line));
    }
    return lines;
}

/// Below the forms, in the same manner.
void CountsPanel::draw_hardware(Context& context) const {
    const Look& look = context.look;
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x - 2 * look.px(card_padding);
    for (std::size_t i = 0; i < hardware_lines_.size(); ++i) {
        const HardwareLine& line = hardware_lines_[i];
        const float left = at.x + look.px(card_padding), x = left + look.px(18);
        draw_icon(ImGui::GetWindowDrawList(),
                  !line.equal   ? Icon::ring
                  : *line.equal ? Icon::check
                                : Icon::cross,
                  {left + look.px(5), at.y + look.px(form_points) * 0.5F}, look.px(10),
                  look.color(!line.equal   ? Role::soft
                             : *line.equal ? Role::agrees
                                           : Role::cost));
        look.text(ImGui::GetWindowDrawList(), Font::words, type::label,
                  {x, at.y + (look.px(form_points) - look.line_height(Font::words, type::label)) * 0.5F},
                  look.color(line.equal ? Role::text : Role::soft),
                  elided(look, Font::words, type::label, line.text, left + room - x));
        ImGui::SetCursorScreenPos({left, at.y});
        const std::string id = fmt::format("hardware {}", i);
        if (ImGui::InvisibleButton(id.c_str(), {std::max(room, 1.0F), look.px(form_points)}) && !line.equal) {
            context.workspace.set_field(Field::block, std::to_string(hardware_->block));
            context.workspace.set_field(Field::n, std::to_string(hardware_->n));
            context.workspace.set_field(Field::grid, {});
            context.workspace.set_field(Field::input, hardware_->input);
        }
        tip(look, line.meaning);
        at.y += look.px(form_points);
    }
}

void CountsPanel::draw_charts(Context& context, ImVec2 at, ImVec2 room) {
    const Look& look = context.look;
    const float between = look.px(20);
    const auto fitting = [&](float have, float each) {
        return std::max<std::size_t>(1, static_cast<std::size_t>((have + between) / (each + between)));
    };
    const std::size_t columns = std::min(fitting(room.x, look.px(chart_width)), charts_.size());
    const std::size_t rows = (charts_.size() + columns - 1) / columns;
    if (rows <= fitting(room.y, look.px(chart_height))) {
        const float wide = (room.x + between) / static_cast<float>(columns) - between;
        const float tall =
            std::min((room.y + between) / static_cast<float>(rows) - between, look.px(most_chart + chart_title));
        for (std::size_t index = 0; index < charts_.size(); ++index) {
            const auto column = index % columns, row = index / columns;
            draw_chart(context, charts_[index],
                       {at.x + static_cast<float>(column) * (wide + between),
                        at.y + static_cast<float>(row) * (tall + between)},
                       {wide, tall});
        }
        return;
    }
    // One at a time, by its tab.
    constexpr float tab = 24;
    const std::initializer_list<std::string_view> labels = {"shares", "wavefronts", "ops", "sectors", "instr."};
    ImGui::SetCursorScreenPos(at);
    if (const auto chosen = choice(look, "chart", labels, static_cast<int>(chosen_chart_), tab, room.x))
        chosen_chart_ = static_cast<std::size_t>(*chosen);
    const float used = look.px(tab + gap);
    draw_chart(context, charts_[std::min(chosen_chart_, charts_.size() - 1)], {at.x, at.y + used},
               {room.x, std::min(room.y - used, look.px(most_chart + chart_title))});
}

void CountsPanel::draw_chart(Context& context, const scene::Chart& chart, ImVec2 at, ImVec2 size) {
    const Look& look = context.look;
    ImDrawList* list = ImGui::GetWindowDrawList();
    // The series' names from the right, the title with what room is left.
    float x = at.x + size.x;
    for (std::size_t index = chart.series.size(); index-- > 0 && chart.series.size() > 1;) {
        const scene::Series& series = chart.series[index];
        x -= look.text_width(Font::words, type::small, series.name);
        look.text(list, Font::words, type::small, {x, at.y}, look.color(Role::soft), series.name);
        x -= look.px(13);
        const float middle = at.y + look.line_height(Font::words, type::small) * 0.5F;
        list->AddRectFilled({x, middle - look.px(4)}, {x + look.px(8), middle + look.px(4)}, look.color(series.role),
                            look.px(1.5F));
        x -= look.px(10);
    }
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton(("title " + chart.title).c_str(), {std::max(x - at.x, 1.0F), look.px(chart_title - 6)});
    explain(look, chart.term);
    look.text(list, Font::words, type::label, at, look.color(Role::text),
              elided(look, Font::words, type::label, chart.title, x - at.x));
    const auto category = plots_.draw(look, chart, {at.x, at.y + look.px(chart_title)},
                                      {size.x, std::max(size.y - look.px(chart_title), 1.0F)});
    if (!category) return;
    Facts facts{{chart.labels[*category], ""}};
    const bool now = chart.current == category, ahead = *category >= chart.reached && !now;
    for (const scene::Series& series : chart.series) {
        facts.emplace_back(series.name, ahead ? "not executed yet"
                                              : fmt::format("{:.4g}{}{}", series.values[*category],
                                                            chart.percent ? " %" : "", now ? " so far" : ""));
    }
    fact_sheet(look, facts);
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) context.workspace.seek_pass(*category);
}

}  // namespace lanescope::ui
