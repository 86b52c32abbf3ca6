#include "ui/panels/source.h"

#include "base/text.h"
#include "ui/drop_list.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <utility>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float smallest_code = 11;         // points, like the labels: for code that is wider at the usual size
constexpr float folded_code = type::label;  // points, where code does not fit

constexpr float beside_code = 28;  // points right of the widest code: scrollbar and edges
constexpr float heat_width = 5;
constexpr float least_beside = 500;  // points for two texts side by side: about thirty characters each

/// The instruction that wrote the selected value last; invalid without one.
PtxLine writer_of_selection(const Workspace& workspace) {
    const auto& selection = workspace.selection();
    if (!selection) return {};
    const StepId writer = workspace.shown()->picture->rows[selection->row].cells[selection->column].writer;
    return writer.valid() ? workspace.shown()->trace().step(writer).line : PtxLine{};
}

}  // namespace

void SourcePanel::prepare(const Context& context) {
    const Shown& shown = *context.workspace.shown();
    if (prepared_for_ == shown.id && prepared_source_ == source_) return;
    prepared_for_ = shown.id;
    prepared_source_ = source_;
    other_map_.reset();
    if (source_ != 0)
        other_map_ = std::make_unique<analysis::SourceMap>(shown.run->analysis->trace, shown.module(), source_);
    cuda_ = {tinted(context.look, map(shown).cuda(), Language::cuda)};
    ptx_ = {tinted(context.look, map(shown).ptx(), Language::ptx)};
    notes_begin_ = notes_begin(map(shown).cuda());

    heat_.assign(cuda_.lines.size() + 1, 0);
    cost_.assign(cuda_.lines.size() + 1, 0);
    const std::vector<analysis::LineCost>& costs = shown.analysis().lines;
    const std::vector<float> heat = analysis::relative_costs(costs);
    for (std::size_t index = 0; index < costs.size(); ++index) {
        const std::uint32_t line = costs[index].source_line;
        if (line >= heat_.size() || source_ != 0) continue;  // costs are of the main source's lines
        heat_[line] = heat[index];
        cost_[line] = index + 1;
    }
    fault_.assign(cuda_.lines.size() + 1, 0);
    const std::string name = source_ == 0 ? "" : shown.trace().origin.other_sources[source_ - 1].name;
    for (const auto& [line, finding] : analysis::first_findings(shown.trace(), name))
        if (line < fault_.size()) fault_[line] = finding + 1;
}

std::size_t SourcePanel::row_of(Language language, std::uint32_t line) const {
    const Text& text = language == Language::cuda ? cuda_ : language == Language::ptx ? ptx_ : assembly_;
    return line == 0 || line >= text.folded.first.size() ? 0 : text.folded.first[line - 1];
}

// The widest code at its usual size, smaller where it has to be, and its rows.
Needs SourcePanel::needs(const Workspace& workspace) const {
    constexpr float smaller = 0.68F, least_width = 300, most_width = 620, most_of_two = 1000, least_of_two = 700;
    constexpr float around = 50 + 84;  // the title and the footer
    constexpr std::size_t few_rows = 8, most_rows = 32;
    if (workspace.shown() == nullptr) return {};
    const auto width_of = [](const Text& text) {
        return source_gutter + text.code_width_em * type::code + beside_code;
    };
    const SourceView view = workspace.settings.source_view;
    const Text& first = view == SourceView::ptx || cuda_.lines.empty() ? ptx_ : cuda_;
    Needs needs;
    needs.width = {.least = least_width, .wanted = std::clamp(width_of(first), least_width, most_width), .grows = 0.2F};
    needs.width.least = std::max(needs.width.least, needs.width.wanted * smaller);
    if (view == SourceView::both || shows_sass_) {
        const float both = width_of(first) + width_of(shows_sass_ ? assembly_ : ptx_);
        needs.width = {.least = least_of_two, .wanted = std::clamp(both, least_of_two, most_of_two), .grows = 0.5F};
    }
    const std::size_t rows = std::max(first.folded.rows.size(), first.lines.size());
    const auto high = [](std::size_t count) { return around + source_line_height * static_cast<float>(count); };
    needs.height = {.least = high(std::min(rows, few_rows)), .wanted = high(std::min(rows, most_rows)), .grows = 1};
    return needs;
}

void SourcePanel::follow_source(Workspace& workspace) {
    const Shown& shown = *workspace.shown();
    const std::vector<trace::SourceText>& others = shown.trace().origin.other_sources;
    const std::size_t of_step = shown.map->source_of(workspace.next_ptx_line());
    if (followed_for_ != shown.id || followed_source_ != of_step) source_ = of_step;
    followed_for_ = shown.id;
    followed_source_ = of_step;
    if (workspace.goto_line == 0) return;
    const auto asked = std::ranges::find(others, workspace.goto_file, &trace::SourceText::name);
    source_ = asked == others.end() ? 0 : static_cast<std::size_t>(asked - others.begin()) + 1;
}

void SourcePanel::find_warps(const Workspace& workspace) {
    const Shown& shown = *workspace.shown();
    if (standing_for_ == shown.id && standing_at_ == workspace.position() && standing_source_ == source_) return;
    standing_for_ = shown.id;
    standing_source_ = source_;
    standing_at_ = workspace.position();
    standing_.clear();
    for (analysis::WarpsAtLine& at :
         analysis::warps_by_line(shown.view(), *shown.courses, workspace.position(), workspace.at().followed())) {
        const std::uint32_t line = source_ == 0 ? shown.cuda_line_at(at.step) : map(shown).cuda_line(at.line);
        standing_.push_back({std::move(at), line});
    }
}

std::vector<std::string> SourcePanel::subtitle(const Context& context) const {
    const Workspace& workspace = context.workspace;
    if (!workspace.refused_source().empty() || !workspace.unrun_source().empty())
        return {std::filesystem::path(workspace.form().shown(Field::program)).filename().string()};
    const Shown* shown = workspace.shown();
    if (shown == nullptr) return {};
    const trace::Origin& origin = shown->trace().origin;
    const bool other = source_ != 0 && source_ <= origin.other_sources.size();
    return {other ? origin.other_sources[source_ - 1].name : origin.source_name};
}

float SourcePanel::header(Context& context, float right, float top, float height) {
    const Look& look = context.look;
    constexpr float control = 22;
    const float assembly = button_size(look, "SASS", Icon::none, Icon::none, {.height = control}).x;
    ImGui::SetCursorScreenPos({right - assembly, top + (height - look.px(control)) * 0.5F});
    if (button(look, "machine-code", "SASS", Icon::none, Icon::none, {.primary = shows_sass_, .height = control}))
        shows_sass_ = !shows_sass_;
    tip(look, "The machine code that ptxas generates from the PTX, its registers and the occupancy that they allow.");
    right -= assembly + look.px(gap);
    // A .ptx has no CUDA source.
    if (const Shown* shown = context.workspace.shown(); shown != nullptr && shown->trace().origin.source.empty())
        return right;
    const float width = segmented_width(look, {"CUDA", "PTX", "both"}, type::small);
    ImGui::SetCursorScreenPos({right - width, top + (height - look.px(control)) * 0.5F});
    if (const auto chosen = segmented(look, "##language", {"CUDA", "PTX", "both"},
                                      static_cast<int>(context.workspace.settings.source_view), control, type::small)) {
        context.workspace.settings.source_view = static_cast<SourceView>(*chosen);
    }
    const float left = right - width - look.px(gap);
    return context.workspace.shown() != nullptr ? choose_source(context, left, top, height) : left;
}

/// A list of the program's sources, where there are several.
float SourcePanel::choose_source(Context& context, float right, float top, float height) {
    const trace::Origin& origin = context.workspace.shown()->trace().origin;
    if (origin.other_sources.empty()) return right;
    const Look& look = context.look;
    constexpr float control = 22;
    const float width = button_size(look, "Files", Icon::none, Icon::down, {.height = control}).x;
    ImGui::SetCursorScreenPos({right - width, top + (height - look.px(control)) * 0.5F});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (button(look, "##files", "Files", Icon::none, Icon::down, {.height = control})) open_list("sources");
    tip(look, "Source files with kernels or host steps.");
    drop_list(look, "sources", {at.x, at.y + look.px(control + 4)}, {}, [&] {
        std::vector<ListEntry> entries;
        const auto add = [&](const std::string& name) {
            const std::size_t number = entries.size();
            entries.push_back({name, {}, {}, source_ == number, [this, number] { source_ = number; }});
        };
        add(origin.source_name);
        for (const auto& other : origin.other_sources) add(other.name);
        return entries;
    });
    return right - width - look.px(gap);
}

std::string SourcePanel::text_to_copy(const Workspace& workspace) {
    const Shown* shown = workspace.shown();
    if (shown == nullptr) return {};
    const trace::Origin& origin = shown->trace().origin;
    return workspace.settings.source_view == SourceView::ptx || origin.source.empty() ? origin.ptx : origin.source;
}

void SourcePanel::draw(Context& context) {
    const Look& look = context.look;
    const Workspace& workspace = context.workspace;
    if (!workspace.refused_source().empty()) return plain_.draw(context, workspace.refused_source());
    if (!workspace.unrun_source().empty()) return plain_.draw(context, workspace.unrun_source());
    if (context.workspace.shown() == nullptr) {
        note(look, why_empty(context.workspace, "The source"));
        return;
    }
    follow_source(context.workspace);
    prepare(context);
    context.workspace.time_shares().follow(workspace.shown()->run);
    estimating_ = workspace.time_shares().busy();
    context.workspace.follow_breakpoints();
    find_warps(context.workspace);
    hovered_cuda_ = hovering_cuda_;
    hovering_cuda_ = 0;
    hovered_ptx_ = std::exchange(hovering_ptx_, PtxLine{});
    if (shows_sass_) prepare_sass(context);

    SourceView view = context.workspace.settings.source_view;
    if (cuda_.lines.empty()) view = SourceView::ptx;
    find_.draw(look, ImGui::GetContentRegionAvail().x);
    follow_find(*workspace.shown(), view);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float footer = footer_.height(context, room);
    ImVec2 texts(room.x, std::max(room.y - footer, 1.0F));
    const Language first = view == SourceView::ptx ? Language::ptx : Language::cuda;
    if (view == SourceView::both) {
        draw_two(context, texts, [&](ImVec2 size) {
            if (!shows_sass_) return draw_text(context, Language::ptx, size);
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const float upper = std::floor(size.y * 0.38F);  // the header of SASS is the higher one
            draw_text(context, Language::ptx, {size.x, upper});
            ImGui::GetWindowDrawList()->AddLine({at.x, at.y + upper}, {at.x + size.x, at.y + upper},
                                                look.color(Role::line));
            ImGui::SetCursorScreenPos({at.x, at.y + upper});
            draw_sass(context, {size.x, size.y - upper});
        });
    } else if (shows_sass_) {
        draw_two(
            context, texts, [&](ImVec2 size) { draw_sass(context, size); }, first);
    } else {
        draw_text(context, first, texts);
    }
    footer_.draw(context, footer);
}

void SourcePanel::follow_find(const Shown& shown, SourceView view) {
    std::vector<SourceFind::Searched> texts;
    if (view != SourceView::ptx) texts.push_back({Language::cuda, &cuda_});
    if (view != SourceView::cuda) texts.push_back({Language::ptx, &ptx_});
    if (shows_sass_ && sass_.text().listing() != nullptr) texts.push_back({Language::sass, &assembly_});
    // Two different sets of texts differ in one of these.
    constexpr std::uint64_t factor = 1009;
    std::uint64_t version = shown.id;
    for (const std::uint64_t part : {std::uint64_t{source_}, static_cast<std::uint64_t>(view),
                                     std::uint64_t{texts.size()}, texts.size() > 1 ? assembled_ : 0})
        version = version * factor + part;
    find_.follow(texts, version);
    const SourceFind::Match* const match = find_.take_asked();
    if (match == nullptr) return;
    Text& text = match->language == Language::cuda ? cuda_ : match->language == Language::ptx ? ptx_ : assembly_;
    text.asked_line = match->line;
    text.asked_byte = match->end;
    if (match->language == Language::cuda && match->line > notes_begin_) notes_open_ = true;
}

void SourcePanel::mark_matches(const Look& look, Language language, const TextRow& part, ImVec2 at, float em) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::string& text = (language == Language::cuda  ? cuda_
                               : language == Language::ptx ? ptx_
                                                           : assembly_)
                                  .lines[part.line]
                                  .text;
    for (const SourceFind::Match& match : find_.on_line(language, part.line + 1)) {
        const std::size_t begin = std::max(match.begin, part.begin), end = std::min(match.end, part.end);
        if (begin >= end) continue;
        const auto width = [&](std::size_t past) {
            return look.text_width(Font::code, em, std::string_view(text).substr(part.begin, past - part.begin));
        };
        const bool current = &match == &find_.matches()[find_.current()];
        const ImVec2 low(at.x + width(begin), at.y + look.px(2));
        const ImVec2 high(at.x + width(end), at.y + look.px(source_line_height - 2));
        list->AddRectFilled(low, high, look.color(Role::useful, current ? 0.5F : 0.22F), look.px(2));
        if (current) list->AddRect(low, high, look.color(Role::useful), look.px(2));
    }
}

void SourcePanel::prepare_sass(Context& context) {
    sass_.follow(context);
    if (assembled_ == sass_.text().version() && sass_.text().listing() != nullptr) return;
    assembled_ = sass_.text().version();
    assembly_lines_.clear();
    for (const SassRow& row : sass_.text().rows()) assembly_lines_.push_back(row.text);
    assembly_ = {tinted(context.look, assembly_lines_, Language::sass)};
}

/// Draws the SASS, below its header: the architecture, the kernel's resources, the next step.
void SourcePanel::draw_sass(Context& context, ImVec2 size) {
    const Look& look = context.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inset = look.px(card_padding);
    ImGui::SetCursorScreenPos({at.x + inset, at.y + look.px(gap)});
    ImGui::BeginChild("assembly",
                      {size.x - 2 * inset, std::min(size.y * 0.5F, sass_.height(context, size.x - 2 * inset))},
                      ImGuiChildFlags_None, ImGuiWindowFlags_None);
    sass_.draw(context, size.x - 2 * inset);
    ImGui::EndChild();
    const float used = ImGui::GetCursorScreenPos().y - at.y;
    ImGui::SetCursorScreenPos({at.x, at.y + used});
    if (sass_.text().listing() != nullptr) draw_text(context, Language::sass, {size.x, std::max(size.y - used, 1.0F)});
}

/// Two texts side by side, or one above the other in a narrow panel.
void SourcePanel::draw_two(Context& context, ImVec2 size, const std::function<void(ImVec2)>& draw_second,
                           Language of_first) {
    const Look& look = context.look;
    float& share = context.workspace.settings.source_split;
    const bool beside = size.x > look.px(least_beside);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 first =
        beside ? ImVec2(std::floor(size.x * share), size.y) : ImVec2(size.x, std::floor(size.y * share));
    const ImVec2 second = beside ? ImVec2(at.x + first.x, at.y) : ImVec2(at.x, at.y + first.y);
    draw_text(context, of_first, first);
    ImGui::SetCursorScreenPos(second);
    draw_second(beside ? ImVec2(size.x - first.x, size.y) : ImVec2(size.x, size.y - first.y));
    const ImVec2 end = beside ? ImVec2(second.x, second.y + size.y) : ImVec2(second.x + size.x, second.y);
    const ImRect grip({second.x - (beside ? look.px(3) : 0), second.y - (beside ? 0 : look.px(3))},
                      {end.x + (beside ? look.px(3) : 0), end.y + (beside ? 0 : look.px(3))});
    // The grip is a window of its own, on top of the two texts.
    ImGui::SetCursorScreenPos(grip.Min);
    ImGui::BeginChild("split", grip.GetSize(), ImGuiChildFlags_None,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::InvisibleButton("##split", grip.GetSize());
    const bool held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
    if (held || hovered) ImGui::SetMouseCursor(beside ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    if (held) {
        const ImVec2 mouse = ImGui::GetMousePos();
        share = std::clamp(beside ? (mouse.x - at.x) / size.x : (mouse.y - at.y) / size.y, least_split, most_split);
    }
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) share = 0.5F;
    tip(look, "Drag to resize. Double-click to split evenly.");
    ImGui::GetWindowDrawList()->AddLine(second, end, look.color(held || hovered ? Role::useful : Role::line));
    ImGui::EndChild();
    ImGui::SetCursorScreenPos({at.x, at.y + size.y});
}

SourcePanel::Line SourcePanel::line_at(const Workspace& workspace, Language language, std::uint32_t number) const {
    const analysis::SourceMap& lines = map(*workspace.shown());
    Line line{.number = number, .ptx = {}, .cuda = number};
    if (language == Language::cuda) {
        line.runs = !lines.ptx_lines(number).empty();
        line.next = number == next_line(workspace, language);
        return line;
    }
    line.ptx = PtxLine{number};
    if (language == Language::sass) {
        const SassRow& row = sass_.text().rows()[number - 1];
        line.ptx = row.line;
        line.margin = row.address.empty() ? std::string_view(" ") : std::string_view(row.address);
    }
    line.cuda = lines.cuda_line(line.ptx);
    line.runs = lines.runs(line.ptx);
    line.next = line.ptx.valid() && line.ptx == workspace.next_ptx_line();
    return line;
}

std::uint32_t SourcePanel::next_line(const Workspace& workspace, Language language) const {
    const PtxLine next = workspace.next_ptx_line();
    switch (language) {
        case Language::cuda: return source_ == 0 ? workspace.next_cuda_line() : map(*workspace.shown()).cuda_line(next);
        case Language::ptx: return next.valid() ? next.value : 0;
        case Language::sass: break;
    }
    const std::span<const std::uint32_t> made = sass_.text().lines_of(next);
    return made.empty() ? 0 : made.front();
}

void SourcePanel::ask_partners(const Workspace& workspace, Language language, const Line& line) {
    if (language != Language::cuda) cuda_.asked_line = line.cuda;
    const auto ptx_lines = map(*workspace.shown()).ptx_lines(line.cuda);
    const PtxLine ptx = language == Language::cuda && !ptx_lines.empty() ? ptx_lines.front() : line.ptx;
    if (language != Language::ptx && ptx.valid()) ptx_.asked_line = ptx.value;
    if (language == Language::sass) return;
    // The first of the line's instructions that SASS was made for.
    std::uint32_t first = 0;
    const auto look_at = [&](PtxLine of) {
        const auto made = sass_.text().lines_of(of);
        if (!made.empty() && (first == 0 || made.front() < first)) first = made.front();
    };
    if (language == Language::ptx) {
        look_at(ptx);
    } else {
        for (const PtxLine each : ptx_lines) look_at(each);
    }
    if (shows_sass_) assembly_.asked_line = first;
}

std::span<const std::string_view> SourcePanel::lines_of(const Shown& shown, Language language) const {
    if (language == Language::sass) return assembly_lines_;
    return language == Language::ptx ? map(shown).ptx() : map(shown).cuda();
}

void SourcePanel::draw_text(Context& context, Language language, ImVec2 size) {
    const Look& look = context.look;
    const Workspace& workspace = context.workspace;
    const Shown& shown = *workspace.shown();
    const bool is_cuda = language == Language::cuda;
    Text& text = is_cuda ? cuda_ : language == Language::ptx ? ptx_ : assembly_;
    const float gutter = look.px(source_gutter), edge = look.px(2);
    const PtxLine writer = writer_of_selection(workspace);

    // The child leaves the card's outline visible.
    ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x + edge, ImGui::GetCursorScreenPos().y});
    const float em = fold(look, text, size.x - 2 * edge - gutter - look.px(gap) - ImGui::GetStyle().ScrollbarSize);
    ImGui::BeginChild(is_cuda ? "cuda" : language == Language::ptx ? "ptx" : "sass", {size.x - 2 * edge, size.y});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const TextFrame frame{.context = context,
                          .shown = shown,
                          .language = language,
                          .text = text,
                          .writer = writer,
                          .writing_line = writer.valid() ? map(shown).cuda_line(writer) : 0,
                          .partner = hovered_cuda_ != 0 ? hovered_cuda_ : next_line(workspace, Language::cuda),
                          .origin = ImGui::GetWindowPos(),
                          .width = ImGui::GetWindowWidth(),
                          .row = look.px(source_line_height),
                          .gutter = gutter,
                          .em = em};
    scroll_to_wanted(frame, ImGui::GetWindowHeight());

    ImGui::Dummy({1, look.px(gap)});
    const std::size_t rows = text.folded.rows.size();
    const bool folds = is_cuda && notes_begin_ < text.lines.size();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(folds && !notes_open_ ? text.folded.first[notes_begin_] : rows), frame.row);
    while (clipper.Step()) {
        for (int index = clipper.DisplayStart; index < clipper.DisplayEnd; ++index) {
            const TextRow& part = text.folded.rows[static_cast<std::size_t>(index)];
            const Line line = line_at(workspace, language, part.line + 1);
            const ImVec2 at = ImGui::GetCursorScreenPos();
            ImGui::PushID(index);
            const bool in_gutter = act_on_row(frame, line);
            ImGui::PopID();
            paint_row(frame, part, line, at);
            if (in_gutter) explain_line(context, line, language, fault_of(language, line.number));
        }
    }
    if (folds) draw_fold(look, gutter, text.lines.size() - notes_begin_);
    ImGui::Dummy({1, look.px(gap)});
    ImGui::PopStyleVar();
    ImGui::EndChild();
}

void SourcePanel::scroll_to_wanted(const TextFrame& frame, float height) {
    const Look& look = frame.context.look;
    Workspace& workspace = frame.context.workspace;
    Text& text = frame.text;
    const bool is_cuda = frame.language == Language::cuda;
    const std::vector<TextRow>& rows = text.folded.rows;
    std::uint32_t wanted = next_line(workspace, frame.language);
    if (is_cuda && workspace.goto_line != 0) wanted = workspace.goto_line;
    const std::uint32_t selected = is_cuda                                                   ? frame.writing_line
                                   : frame.language == Language::ptx && frame.writer.valid() ? frame.writer.value
                                                                                             : 0;
    const bool newly_selected = std::exchange(text.selected_line, selected) != selected && selected != 0;
    const bool asked = text.asked_line != 0 || newly_selected;
    if (newly_selected) wanted = selected;
    if (text.asked_line != 0) wanted = std::exchange(text.asked_line, 0U);
    const std::size_t byte = std::exchange(text.asked_byte, 0U);
    // A change of size keeps the line in view; scrolling may move it out.
    const bool resized = text.shown_height != height || text.shown_row != frame.row || text.shown_rows != rows.size();
    text.shown_height = height;
    text.shown_row = frame.row;
    text.shown_rows = rows.size();
    if (is_cuda) {
        workspace.goto_line = 0;
        workspace.goto_file.clear();
    }
    if (wanted == 0 || wanted > text.lines.size()) return;
    if (!asked && !resized && wanted == text.shown_line && text.shown_for == frame.shown.id) return;
    const std::span<const TextRow> parts = std::span(rows).subspan(
        text.folded.first[wanted - 1], text.folded.first[wanted] - text.folded.first[wanted - 1]);
    const auto part = std::ranges::find_if(parts, [&](const TextRow& each) { return byte <= each.end; });
    const auto skipped = byte == 0 || part == parts.end() ? 0 : part - parts.begin();
    const std::size_t first = text.folded.first[wanted - 1] + static_cast<std::size_t>(skipped);
    const float top = look.px(gap) + static_cast<float>(first) * frame.row;
    const float margin = frame.row * 2;
    const float bottom = byte == 0 ? top + frame.row * static_cast<float>(parts.size()) : top + frame.row;
    if (top < ImGui::GetScrollY() + margin || bottom > ImGui::GetScrollY() + height - margin)
        ImGui::SetScrollY(std::max(0.0F, top - height * 0.4F));
    if (!asked) text.shown_line = wanted;
    text.shown_for = frame.shown.id;
}

bool SourcePanel::act_on_row(const TextFrame& frame, const Line& line) {
    const Look& look = frame.context.look;
    Workspace& workspace = frame.context.workspace;
    const auto go_there = [&] {
        if (frame.language != Language::cuda)
            workspace.seek_ptx_line(line.ptx);
        else if (source_ != 0)
            workspace.seek_ptx_line(map(frame.shown).ptx_lines(line.number).front());
        else
            workspace.seek_line(line.number);
    };
    ImGui::InvisibleButton("line", {frame.width, frame.row});
    const bool hovered = ImGui::IsItemHovered();
    if (hovered && line.cuda != 0 && line.runs) hovering_cuda_ = line.cuda;
    if (hovered && line.runs) hovering_ptx_ = line.ptx;
    const auto of_gutter = [&](ImVec2 mouse) { return mouse.x < frame.origin.x + frame.gutter; };
    const bool in_gutter = hovered && of_gutter(ImGui::GetMousePos());
    const bool released = hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    if (in_gutter) {
        if (released && frame.language != Language::sass &&
            of_gutter(ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left]))
            SourceBreakpoints::toggle(workspace, breakpoint_at(frame.shown, frame.language, line.number), line.runs);
    } else {
        if (hovered && line.runs && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) go_there();
        if (released && line.runs) ask_partners(workspace, frame.language, line);
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(10), look.px(8)});
    if (ImGui::BeginPopupContextItem("menu")) {
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look.px(8), look.px(5)});
        if (ImGui::MenuItem("Run to this line", nullptr, false, line.runs)) go_there();
        if (frame.language != Language::sass)
            breakpoints_.menu_items(frame.context, breakpoint_at(frame.shown, frame.language, line.number), line.runs);
        const std::span<const std::string_view> lines = lines_of(frame.shown, frame.language);
        if (ImGui::MenuItem("Copy line")) ImGui::SetClipboardText(std::string(lines[line.number - 1]).c_str());
        if (ImGui::MenuItem("Copy all")) {
            std::string all;
            for (const std::string_view each : lines) all += std::string(each) + '\n';
            ImGui::SetClipboardText(all.c_str());
        }
        ImGui::PopStyleVar();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
    return in_gutter;
}

void SourcePanel::paint_row(const TextFrame& frame, const TextRow& part, const Line& line, ImVec2 at) const {
    const Look& look = frame.context.look;
    const Workspace& workspace = frame.context.workspace;
    const bool is_cuda = frame.language == Language::cuda;
    const float left = frame.origin.x, row = frame.row;
    const ImVec2 low(left, at.y), high(left + frame.width, at.y + row);
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const bool dark = look.theme() == scene::Theme::dark;
    if (line.next)
        list->AddRectFilled(low, high, look.color(Role::cursor, dark ? 0.24F : 0.38F));
    else if (line.ptx.valid() && line.ptx == hovered_ptx_)
        list->AddRectFilled(low, high, look.color(Role::raised));
    else if (!is_cuda && line.cuda != 0 && line.cuda == frame.partner)
        list->AddRectFilled(low, high, look.color(Role::cursor, dark ? 0.09F : 0.16F));
    else if (line.cuda != 0 && line.cuda == hovered_cuda_)
        list->AddRectFilled(low, high, look.color(Role::raised));

    // The line that wrote the selected value, in the color of the selection.
    if (is_cuda ? line.number == frame.writing_line : frame.writer.valid() && line.ptx == frame.writer)
        list->AddRect({low.x + look.px(2), low.y}, {high.x - look.px(2), high.y}, look.color(Role::selected),
                      look.px(3), look.px(1.5F));

    const std::size_t fault = fault_of(frame.language, line.number);
    if (fault != 0 && !line.next) list->AddRectFilled(low, high, look.color(Role::cost, 0.14F));

    const Breakpoints::Placed* const stop = placed_at(workspace, frame.language, line.number);
    list->PushClipRect({left + frame.gutter, low.y}, high, true);
    const float end = draw_row(look, frame.language, frame.text, part, {at.x + frame.gutter, at.y}, frame.em);
    const bool is_last = part.end == frame.text.lines[part.line].text.size();
    const std::string condition = stop == nullptr ? "" : SourceBreakpoints::condition_of(workspace, *stop);
    if (is_last && !condition.empty())
        look.text(
            list, Font::words, type::label,
            {end + look.px(2 * gap), at.y + std::floor((row - look.line_height(Font::words, type::label)) * 0.5F)},
            look.color(stop->problem.empty() ? Role::soft : Role::cost), "stops if " + condition);
    list->PopClipRect();
    // The number is beside the first row of the line, its cost beside all.
    if (part.begin == 0) draw_margin(look, line, is_cuda, stop, fault, {left, at.y});
    const float heat = !is_cuda || line.number >= heat_.size() ? 0 : heat_[line.number];
    if (heat > 0) {
        const float wide = look.px(2 + (heat_width - 2) * heat);
        list->AddRectFilled({left + look.px(6), at.y + row * 0.16F}, {left + look.px(6) + wide, at.y + row * 0.84F},
                            look.color(Role::cost, 0.25F + 0.75F * heat), look.px(1.5F));
    }
}

std::size_t SourcePanel::fault_of(Language language, std::uint32_t line) const {
    return language != Language::cuda || line >= fault_.size() ? 0 : fault_[line];
}

float SourcePanel::fold(const Look& look, Text& text, float width) {
    const float points = width / look.scale();
    const float fitting = points / std::max(text.code_width_em, 1.0F);
    const float em = fitting < smallest_code ? folded_code : std::min(fitting, type::code);
    const float room = points / em;
    if (text.folded_for != room || text.folded.first.size() != text.lines.size() + 1) {
        text.folded = folded(look, text, room);
        text.folded_for = room;
    }
    return em;
}

float SourcePanel::draw_row(const Look& look, Language language, const Text& text, const TextRow& part, ImVec2 at,
                            float em) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    at.x += part.indent_em * look.px(em);
    mark_matches(look, language, part, at, em);
    const float top = at.y + std::floor((look.px(source_line_height) - look.line_height(Font::code, em)) * 0.5F);
    const TintedLine& line = text.lines[part.line];
    float x = at.x;
    for (const TintedRun& run : line.runs) {
        const std::size_t begin = std::max(run.begin, part.begin), end = std::min(run.end, part.end);
        if (begin >= end) continue;
        x += look.text(list, run.tint == Tint::strong ? Font::code_bold : Font::code, em, {x, top},
                       look.color(run.tint == Tint::soft ? Role::soft : Role::text),
                       std::string_view(line.text).substr(begin, end - begin));
    }
    return x;
}

/// The number of a line with its breakpoint, and where warps are; `at`: the left edge of the row.
void SourcePanel::draw_margin(const Look& look, const Line& line, bool is_cuda, const Breakpoints::Placed* stop,
                              std::size_t fault, ImVec2 at) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float row = look.px(source_line_height);
    const std::string label = line.margin.empty() ? fmt::format("{}", line.number) : std::string(line.margin);
    const float label_width = look.text_width(Font::code, type::label, label);
    const ImVec2 number_at(at.x + look.px(38), at.y + row * 0.5F);
    if (stop != nullptr) SourceBreakpoints::draw(look, *stop, number_at, label_width);
    look.text(list, Font::code, type::label,
              {number_at.x - label_width, at.y + std::floor((row - look.line_height(Font::code, type::label)) * 0.5F)},
              stop != nullptr && stop->visits > 0
                  ? look.color(Role::ground)
                  : look.color(line.next ? Role::text : Role::soft, line.runs || line.next ? 1 : 0.6F),
              label);
    const ImVec2 mark(at.x + look.px(48), at.y + row * 0.5F);
    const auto others = std::ranges::find_if(standing_, [&](const Standing& standing) {
        return is_cuda ? standing.cuda == line.number : standing.at.line == line.ptx;
    });
    if (line.next) {
        // The next line has an error: both icons, side by side.
        const bool faulty = fault != 0;
        draw_icon(list, Icon::forward, {mark.x - (faulty ? look.px(3) : 0), mark.y}, look.px(faulty ? 7 : 9),
                  look.color(look.theme() == scene::Theme::dark ? Role::cursor : Role::text));
        if (faulty) draw_icon(list, Icon::warning, {mark.x + look.px(7), mark.y}, look.px(10), look.color(Role::cost));
    } else if (fault != 0) {
        draw_icon(list, Icon::warning, mark, look.px(12), look.color(Role::cost));
    } else if (others != standing_.end()) {
        draw_icon(list, others->at.waiting ? Icon::pause : Icon::forward, mark, look.px(7), look.color(Role::soft));
    }
}

Breakpoint SourcePanel::breakpoint_at(const Shown& shown, Language language, std::uint32_t line) const {
    Breakpoint breakpoint{.ptx = language == Language::ptx, .file = {}, .line = line, .text = {}, .condition = {}};
    if (!breakpoint.ptx && source_ != 0) breakpoint.file = shown.trace().origin.other_sources[source_ - 1].name;
    breakpoint.text = trimmed(lines_of(shown, language)[line - 1]);
    return breakpoint;
}

const Breakpoints::Placed* SourcePanel::placed_at(const Workspace& workspace, Language language,
                                                  std::uint32_t line) const {
    if (language == Language::sass) return nullptr;
    const std::vector<trace::SourceText>& others = workspace.shown()->trace().origin.other_sources;
    return workspace.breakpoints().at(language == Language::ptx, source_ == 0 ? "" : others[source_ - 1].name, line);
}

/// The tooltip of a line's margin: its error, the warps there, its cost.
void SourcePanel::explain_line(const Context& context, const Line& line, Language language, std::size_t fault) const {
    const bool is_cuda = language == Language::cuda;
    const std::uint32_t number = line.number;
    const Shown& shown = *context.workspace.shown();
    std::string text;
    const auto add = [&](std::string_view more) { text += (text.empty() ? "" : "\n") + std::string(more); };
    if (fault != 0) {
        const trace::Finding& finding = shown.trace().findings[fault - 1];
        add(fmt::format("{}: {}", trace::name_of(finding.kind), finding.message));
    }
    for (const Standing& standing : standing_) {
        if (is_cuda ? standing.cuda != number : standing.at.line != line.ptx) continue;
        const bool one = standing.at.warps.size() == 1;
        add(fmt::format("{} {} {}.", one ? "Warp" : "Warps", warp_list(standing.at.warps),
                        standing.at.waiting ? (one ? "waits at this barrier" : "wait at this barrier")
                                            : (one ? "executes this next" : "execute this next")));
    }
    if (const Breakpoints::Placed* const stop = placed_at(context.workspace, language, number))
        add(SourceBreakpoints::explanation(*stop));
    if (is_cuda && number < cost_.size() && cost_[number] != 0)
        add(heat_sentence(shown.analysis().lines[cost_[number] - 1]));
    if (is_cuda && number < cost_.size() && cost_[number] != 0) {
        const std::string share = context.workspace.time_shares().of_line(shown, number);
        if (!share.empty()) add(share);
    }
    if (!text.empty()) tip(context.look, text);
}

void SourcePanel::draw_fold(const Look& look, float gutter, std::size_t lines) {
    const float row = look.px(source_line_height);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string text =
        notes_open_ ? "Fold the launch configuration" : counted(lines, "line") + " of launch configuration";
    const float width = look.text_width(Font::words, type::label, text);
    if (ImGui::InvisibleButton("notes", {gutter + width, row})) notes_open_ = !notes_open_;
    tip(look, "Comment lines at the end of the file that configure launch, inputs and reference.");
    const ImU32 ink = look.color(ImGui::IsItemHovered() ? Role::text : Role::soft);
    ImDrawList* list = ImGui::GetWindowDrawList();
    draw_icon(list, notes_open_ ? Icon::down : Icon::forward, {at.x + look.px(48), at.y + row * 0.5F}, look.px(9), ink);
    look.text(list, Font::words, type::label,
              {at.x + gutter, at.y + std::floor((row - look.line_height(Font::words, type::label)) * 0.5F)}, ink, text);
}

}  // namespace lanescope::ui
