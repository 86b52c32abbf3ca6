#include "ui/panels/narration.h"

#include "base/grouped.h"
#include "scene/labels.h"
#include "ui/commands.h"
#include "ui/drop_list.h"
#include "ui/glossary.h"
#include "ui/sentences.h"
#include "ui/shell.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float padding = 18, button_height = 34, track_height = 18, label_height = 20;
constexpr float slim_sentence = 36, least_sentence = 29, slim_button_height = 26, slim_track_height = 7, slim_space = 3;

std::string speed_text(double speed) {
    return speed < 1 ? fmt::format("{:.2g}x", speed) : fmt::format("{:.0f}x", speed);
}

}  // namespace

float Narration::draw(Context& context, Shell& shell, ImVec2 at, ImVec2 window, bool slim, bool beside_changes) {
    const Look& look = context.look;
    const float words = slim ? look.px(beside_changes ? least_sentence : slim_sentence)
                             : 2 * look.line_height(Font::words_medium, type::narration);
    const float above = look.px(slim ? slim_space : 12), between = look.px(slim ? slim_space : 10);
    const float buttons_height = slim ? slim_button_height + slim_space : button_height + label_height + 2;
    const float height = std::ceil(above + words + between + look.px(buttons_height));
    const ImVec2 corner(at.x, at.y + window.y - height);
    ImGui::SetNextWindowPos(corner);
    ImGui::SetNextWindowSize({window.x, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("##transport", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PopStyleVar();
    ImGui::GetWindowDrawList()->AddLine(corner, {corner.x + window.x, corner.y}, look.color(Role::line));
    const float inner = window.x - 2 * look.px(padding);
    const ImVec2 first(corner.x + look.px(padding), corner.y + above);
    place_ = {{corner.x, corner.y + 1}, {corner.x + window.x, corner.y + above + words}};
    const float buttons = tour(context, shell, first.x + inner, first.y, words);
    const std::string_view stop = shell.tour().words(context.workspace);
    if (const std::string refused = why_refused(context.workspace); !refused.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, look.color(Role::cost));
        sentence(look, refused, first, {inner - buttons, words});
        ImGui::PopStyleColor();
    } else {
        const std::string waiting = why_waiting(context.workspace);
        sentence(look,
                 !waiting.empty() ? waiting
                 : stop.empty()   ? context.workspace.narration()
                                  : stop,
                 first, {inner - buttons, words});
    }
    transport(context, shell, {corner.x + look.px(padding), corner.y + above + words + between}, inner, slim);
    ImGui::End();
    return height;
}

float Narration::tour(const Context& context, Shell& shell, float right, float top, float height) {
    const Look& look = context.look;
    Tour& tour = shell.tour();
    const bool offered = !tour.running() && !context.workspace.settings.toured && context.workspace.position() == 0;
    if (!tour.running() && !offered) return 0;
    constexpr float control = 30;
    const ButtonLook quiet{.height = control}, primary{.primary = true, .height = control};
    const ButtonLook back_look{.enabled = tour.stop() > 0, .height = control};
    const bool last = tour.stop() + 1 == tour_stops().size();
    const char* const forward = offered ? "One-minute tour" : last ? "Done" : "Next";
    const std::string number = offered ? "" : fmt::format("{} of {}", tour.stop() + 1, tour_stops().size());
    const float y = std::floor(top + (height - look.px(control)) * 0.5F), space = look.px(gap);
    float x = right - button_size(look, "", Icon::cross, Icon::none, quiet).x;
    ImGui::SetCursorScreenPos({x, y});
    const bool away = button(look, "tour-away", "", Icon::cross, Icon::none, {.quiet = true, .height = control});
    tip(look, offered ? "Hide. The tour stays in the Help menu." : "End the tour (Escape)");
    x -= space +
         button_size(look, forward, Icon::none, offered || last ? Icon::none : Icon::forward, offered ? quiet : primary)
             .x;
    ImGui::SetCursorScreenPos({x, y});
    const bool on = button(look, "tour-next", forward, Icon::none, offered || last ? Icon::none : Icon::forward,
                           offered ? quiet : primary);
    if (offered) tip(look, "Six stops: which lanes work, which banks conflict, and what that costs.");
    bool back = false, again = false;
    if (!offered && tour.words(context.workspace).empty()) {
        const std::string label = fmt::format("Return to stop {}", tour.stop() + 1);
        x -= space + button_size(look, label, Icon::none, Icon::none, quiet).x;
        ImGui::SetCursorScreenPos({x, y});
        again = button(look, "tour-again", label, Icon::none, Icon::none, quiet);
        tip(look, "Show this stop and its text again.");
    } else if (!offered) {
        const float wide = look.text_width(Font::words, type::label, "0 of 0");
        x -= space + wide;
        look.text(ImGui::GetWindowDrawList(), Font::words, type::label,
                  {x + (wide - look.text_width(Font::words, type::label, number)),
                   top + (height - look.line_height(Font::words, type::label)) * 0.5F},
                  look.color(Role::soft), number);
    }
    if (!offered) {
        x -= space + button_size(look, "", Icon::back, Icon::none, back_look).x;
        ImGui::SetCursorScreenPos({x, y});
        back = button(look, "tour-back", "", Icon::back, Icon::none, back_look);
        tip(look, "Previous stop");
    }
    if (on) {
        if (offered) {
            tour.begin(shell);
        } else {
            tour.next(shell);
        }
    }
    if (back) tour.back(shell);
    if (again) tour.again(shell);
    if (away) tour.end(shell);
    return right - x + look.px(padding);
}

void Narration::sentence(const Look& look, std::string_view text, ImVec2 at, float width) {
    sentence(look, text, at, {width, 2 * look.line_height(Font::words_medium, type::narration)});
}

void Narration::sentence(const Look& look, std::string_view text, ImVec2 at, ImVec2 room) {
    if (text.empty()) return;
    const char* end = text.data() + text.size();
    const float width = room.x, two_lines = room.y;
    // There is room for two lines of the smallest size; a longer text is set smaller before it is clipped.
    for (const float em : {type::narration, 18.0F, 16.0F, 14.0F}) {
        const Type large(look, Font::words_medium, em);
        const float tall = ImGui::CalcTextSize(text.data(), end, false, width).y;
        if (tall > two_lines + 1 && em > 14) continue;
        ImGui::SetCursorScreenPos({at.x, at.y + std::max(0.0F, std::floor((two_lines - tall) * 0.5F))});
        ImGui::PushClipRect(at, {at.x + width, at.y + two_lines + look.px(4)}, true);
        ImGui::PushTextWrapPos(at.x - ImGui::GetWindowPos().x + width);
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        ImGui::TextUnformatted(text.data(), end);
        ImGui::PopTextWrapPos();
        if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort | ImGuiHoveredFlags_NoSharedDelay))
            explain_terms(look, text, corner, width);
        ImGui::PopClipRect();
        return;
    }
}

void Narration::transport(Context& context, Shell& shell, ImVec2 at, float width, bool slim) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    struct Control {
        const char* id;
        const char* label;
        Icon before, after;
        const char* command;
    };
    const bool playing = workspace.playing();
    const std::array controls = {
        Control{"start", "", Icon::to_start, Icon::none, "Go to start"},
        Control{"pass-back", "pass", Icon::back, Icon::none, "Previous pass"},
        Control{"step-back", "step", Icon::back, Icon::none, "Previous step"},
        Control{"play", playing ? "pause" : "play", Icon::none, Icon::none, "Play or pause"},
        Control{"step", "step", Icon::none, Icon::forward, "Next step"},
        Control{"pass", "pass", Icon::none, Icon::forward, "Next pass"},
        Control{"end", "", Icon::to_end, Icon::none, "Go to end"},
    };
    const bool by_event = workspace.step_unit() == Unit::event;
    const float tall = slim ? slim_button_height : button_height;
    float x = at.x;
    for (const Control& control : controls) {
        const std::string_view id = control.id;
        const bool is_step = id == "step" || id == "step-back";
        const bool is_play = id == "play";
        // "play" and "pause" have the same width, so that nothing moves.
        const ButtonLook how{.primary = is_play,
                             .enabled = workspace.shown() != nullptr,
                             .height = tall,
                             .room_for = is_play ? "pause" : ""};
        const float wide = button_size(look, control.label, control.before, control.after, how).x;
        ImGui::SetCursorScreenPos({x, at.y});
        const Command& does = command(control.command);
        const Command& fine = command(id == "step" ? "Next instruction" : "Previous instruction");
        if (button(look, control.id, control.label, control.before, control.after, how))
            (is_step && ImGui::GetIO().KeyAlt ? fine : does).act(shell);
        if (!is_step) {
            tip(look, fmt::format("{} ({})", does.name, does.key.shown));
        } else if (by_event) {
            tip(look, fmt::format("{} event of the warp: a memory access, a branch, a shuffle or vote, a "
                                  "synchronization ({}). With Alt: {} instruction ({})",
                                  id == "step" ? "Next" : "Previous", does.key.shown,
                                  id == "step" ? "next" : "previous", fine.key.shown));
        } else {
            tip(look, fmt::format("{} of the warp, because Source shows PTX alone ({})", fine.name, does.key.shown));
        }
        x += wide + look.px(gap);
    }
    const std::string place = workspace.step_label();
    const float place_width = look.text_width(Font::code, type::label, place);
    const ImVec2 label_at = slim ? ImVec2(x, at.y + (look.px(tall) - look.line_height(Font::code, type::label)) * 0.5F)
                                 : ImVec2((at.x + x - look.px(gap) - place_width) * 0.5F, at.y + look.px(tall + 1));
    look.text(ImGui::GetWindowDrawList(), Font::code, type::label, label_at, look.color(Role::text), place);
    // Beside the buttons, the step's label has the room of a long one, so that the scrubber keeps its place.
    if (slim) x += std::max(place_width, look.text_width(Font::code, type::label, "event 88 of 88"));
    const float speed = look.px(slim ? 36 : 56);
    const float from = x + look.px(14), to = at.x + width - speed - look.px(gap);
    if (to - from > look.px(60)) scrubber(context, {from, at.y}, {to - from, look.px(tall)}, slim);

    ImGui::SetCursorScreenPos({at.x + width - speed, at.y});
    const std::string text = speed_text(workspace.settings.speed);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton("speed", {speed, look.px(tall)}, ImGuiButtonFlags_EnableNav)) open_list("speeds");
    const bool hovered = ImGui::IsItemHovered();
    tip(look, "Playback speed (+ and -)");
    const float wide = look.text_width(Font::code, type::label, text);
    look.text(ImGui::GetWindowDrawList(), Font::code, type::label,
              {corner.x + speed - wide, corner.y + (look.px(tall) - look.line_height(Font::code, type::label)) * 0.5F},
              look.color(hovered ? Role::text : Role::soft), text);
    drop_list(look, "speeds", {corner.x + speed, corner.y}, {.above = true}, [&workspace] {
        std::vector<ListEntry> entries;
        for (int doubled = 0; std::ldexp(slowest, doubled) <= fastest; ++doubled) {
            const double each = std::ldexp(slowest, doubled);
            entries.push_back({speed_text(each), {}, {}, each == workspace.settings.speed, [&workspace, each] {
                                   workspace.settings.speed = each;
                               }});
        }
        return entries;
    });
}

void Narration::scrubber(Context& context, ImVec2 at, ImVec2 size, bool slim) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton("scrubber", size);
    const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
    ImDrawList* list = ImGui::GetWindowDrawList();
    // A slim track has the names of its passes in the height of the buttons.
    const float em = slim ? type::small : type::label, thick = look.px(slim ? slim_track_height : track_height);
    const float top = slim ? at.y + look.px(2) : at.y + (size.y - thick) * 0.5F, bottom = top + thick;
    const Shown* shown = workspace.shown();
    const std::size_t end = workspace.at().end();
    if (shown == nullptr || end == 0) {
        list->AddRectFilled({at.x, top}, {at.x + size.x, bottom}, look.color(Role::raised), look.px(3));
        return;
    }
    const auto x_of = [&](std::size_t position) {
        return at.x + size.x * static_cast<float>(static_cast<double>(position) / static_cast<double>(end));
    };
    const auto position_of = [&](float x) {
        const double share = std::clamp(static_cast<double>((x - at.x) / size.x), 0.0, 1.0);
        return static_cast<std::size_t>(std::llround(share * static_cast<double>(end)));
    };
    if (held) {
        workspace.play(false);
        workspace.seek(position_of(ImGui::GetMousePos().x));
    }

    const std::vector<analysis::Pass>& passes = shown->passes->passes;
    const float seam = look.px(1);
    const float now = x_of(workspace.position());
    std::vector<std::string> names;
    names.reserve(passes.size());
    for (const analysis::Pass& pass : passes) names.push_back(pass.label);
    const auto extent_of = [&](std::size_t index) {
        const float wide = look.text_width(Font::code, em, names[index]);
        const float middle = (x_of(passes[index].first) + x_of(passes[index].past_last)) * 0.5F;
        const float from = std::clamp(middle - wide * 0.5F, at.x, std::max(at.x, at.x + size.x - wide));
        return scene::Extent{from, from + wide};
    };
    const auto extents = [&] {
        std::vector<scene::Extent> all;
        for (std::size_t index = 0; index < names.size(); ++index) all.push_back(extent_of(index));
        return all;
    };
    // All names in full, else all short, else every n-th of them.
    const float apart = look.px(10);
    if (scene::every_that_fits(extents(), apart) > 1) names = scene::short_names(names).names;
    const std::size_t every = scene::every_that_fits(extents(), apart);
    // The current pass always has its full name.
    std::optional<std::size_t> current;
    if (workspace.position() < end) current = workspace.pass();
    if (current) names[*current] = passes[*current].label;
    const auto put_label = [&](std::size_t index) {
        const scene::Extent here = extent_of(index);
        if (current && index != *current) {
            const scene::Extent other = extent_of(*current);
            if (index % every != 0 || (here.from < other.to + apart && here.to + apart > other.from)) return;
        }
        if (!current && index % every != 0) return;
        look.text(list, Font::code, em, {here.from, bottom + look.px(slim ? 2 : 5)},
                  look.color(index == current ? Role::text : Role::soft), names[index]);
    };
    for (std::size_t index = 0; index < passes.size(); ++index) {
        const float left = x_of(passes[index].first) + (index == 0 ? 0 : seam);
        const float right = std::max(left + 1, x_of(passes[index].past_last) - (index + 1 == passes.size() ? 0 : seam));
        list->AddRectFilled({left, top}, {right, bottom}, look.color(Role::raised), look.px(2));
        if (now > left)
            list->AddRectFilled({left, top}, {std::min(now, right), bottom}, look.color(Role::useful, 0.8F),
                                look.px(2));
        list->AddRect({left, top}, {right, bottom}, look.color(Role::line), look.px(2));
        put_label(index);
    }
    const float half = look.px(2), over = look.px(slim ? 2 : 5);
    list->AddRectFilled({now - half, top - over}, {now + half, bottom + over}, look.color(Role::cursor), half);
    if (look.theme() == scene::Theme::light) {
        list->AddRect({now - half, top - over}, {now + half, bottom + over}, look.color(Role::on_cursor, 0.5F), half);
    }
    if (hovered && !held) {
        const std::size_t there = position_of(ImGui::GetMousePos().x);
        const std::size_t pass = shown->passes->pass_of(std::min(there, end - 1)).index();
        list->AddLine({ImGui::GetMousePos().x, top - over}, {ImGui::GetMousePos().x, bottom + over},
                      look.color(Role::text, 0.5F), 1);
        tip(look, fmt::format("{}, step {} of {}{}", passes[pass].label, grouped(there), grouped(end),
                              name_signs(passes[pass].label)));
    }
}

}  // namespace lanescope::ui
