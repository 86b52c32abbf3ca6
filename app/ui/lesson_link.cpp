#include "ui/lesson_link.h"

#include "base/whole_number.h"
#include "ui/completion.h"
#include "ui/shell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::ui {

namespace {

using LinkKind = LessonLink::Kind;

/// "block=256&n=256"
std::optional<std::vector<std::pair<Field, std::string>>> fields_in(std::string_view text) {
    constexpr std::array settable{Field::block, Field::grid,    Field::n,    Field::input,           Field::view,
                                  Field::banks, Field::shared,  Field::type, Field::multiprocessors, Field::resident,
                                  Field::order, Field::schedule};
    std::vector<std::pair<Field, std::string>> fields;
    while (!text.empty()) {
        const std::size_t past = std::min(text.find('&'), text.size());
        const std::string_view one = text.substr(0, past);
        text.remove_prefix(std::min(past + 1, text.size()));
        const std::size_t equals = one.find('=');
        if (equals == std::string_view::npos) return std::nullopt;
        const auto field = std::ranges::find(settable, one.substr(0, equals), [](Field each) { return name_of(each); });
        if (field == settable.end()) return std::nullopt;
        std::string value(one.substr(equals + 1));
        std::ranges::replace(value, '+', ' ');  // a Markdown link contains no space
        fields.emplace_back(*field, std::move(value));
    }
    return fields;
}

}  // namespace

std::optional<LessonLink> lesson_link(std::string_view target) {
    constexpr std::string_view scheme = "lanescope:";
    if (!target.starts_with(scheme)) return std::nullopt;
    target.remove_prefix(scheme.size());
    if (constexpr std::string_view launch = "launch?"; target.starts_with(launch)) {
        auto fields = fields_in(target.substr(launch.size()));
        if (!fields) return std::nullopt;
        return LessonLink{.kind = LinkKind::fields, .name = {}, .fields = *std::move(fields)};
    }
    const std::size_t slash = target.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const std::string_view what = target.substr(0, slash), rest = target.substr(slash + 1);
    if (what == "panel") return LessonLink{.kind = LinkKind::panel, .name = std::string(rest), .fields = {}};
    if (what == "open") return LessonLink{.kind = LinkKind::open, .name = std::string(rest), .fields = {}};
    constexpr std::array<std::pair<std::string_view, LinkKind>, 4> numbered{
        {{"pass", LinkKind::pass}, {"block", LinkKind::block}, {"launch", LinkKind::launch}, {"line", LinkKind::line}}};
    const auto kind = std::ranges::find(numbered, what, &std::pair<std::string_view, LinkKind>::first);
    const auto number = whole_number<std::uint32_t>(rest);
    if (kind == numbered.end() || !number) return std::nullopt;
    return LessonLink{.kind = kind->second, .number = *number, .name = {}, .fields = {}};
}

namespace {

void show_block(Shell& shell, std::uint32_t launch, BlockId block) {
    Workspace& workspace = shell.workspace();
    if (workspace.shown()->trace().recorded(launch, block)) return workspace.show_block(launch, block);
    shell.notice().say(
        fmt::format("Block {} of launch {} is not recorded in this run. The lesson describes the default launch.",
                    block.value, launch),
        true);
}

}  // namespace

void follow(const LessonLink& link, Shell& shell) {
    Workspace& workspace = shell.workspace();
    if (link.kind == LinkKind::open) return workspace.open(link.name);
    if (link.kind == LinkKind::panel) {
        for (const auto& panel : shell.panels())
            if (lowered(panel->title()) == link.name) shell.bring_up(panel->title());
        return;
    }
    const Shown* shown = workspace.shown();
    if (shown == nullptr) return;
    switch (link.kind) {
        case LinkKind::pass: workspace.play(false); return workspace.seek_pass(link.number);
        case LinkKind::block: return show_block(shell, shown->launch, BlockId(link.number));
        case LinkKind::launch: return show_block(shell, link.number, BlockId(0));
        case LinkKind::line: return workspace.seek_line(link.number);
        default:
            for (const auto& [field, text] : link.fields) workspace.set_field(field, text);
            return;
    }
}

std::string sentence_of(const LessonLink& link) {
    switch (link.kind) {
        case LinkKind::pass: return fmt::format("Step to pass {}", link.number);
        case LinkKind::panel: return fmt::format("Show the panel {}", link.name);
        case LinkKind::open: return fmt::format("Open {}", link.name);
        case LinkKind::block: return fmt::format("Show block {}", link.number);
        case LinkKind::launch: return fmt::format("Show launch {}", link.number);
        case LinkKind::line: return fmt::format("Step to line {}", link.number);
        case LinkKind::fields: break;
    }
    std::string text = "Set";
    for (std::size_t i = 0; i < link.fields.size(); ++i)
        text += fmt::format("{} {} to {}", i == 0 ? "" : " and", name_of(link.fields[i].first), link.fields[i].second);
    return text;
}

}  // namespace lanescope::ui
