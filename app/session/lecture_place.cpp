#include "session/lecture_place.h"

#include "analysis/source/source_line.h"
#include "base/grouped.h"
#include "base/text.h"
#include "base/whole_number.h"
#include "session/run.h"
#include "trace/record_extent.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace lanescope::session {

namespace {

using At = LecturePlace::At;

constexpr std::string_view place_terms =
    "A place is `start`, `end`, `pass 2`, `end of pass \"s = 4\"`, `line 12`, `block 1`, `launch 1`, or several of "
    "them with commas between.";

/// "block 1" after "block": "1".
std::optional<std::string_view> after(std::string_view term, std::string_view word) {
    if (!term.starts_with(word)) return std::nullopt;
    const std::string_view rest = term.substr(word.size());
    if (!rest.empty() && rest.front() != ' ') return std::nullopt;
    return trimmed(rest);
}

/// The terms between the commas; one in quotation marks may have commas of its own.
std::vector<std::string_view> terms_of(std::string_view text) {
    std::vector<std::string_view> all;
    bool quoted = false;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && text[at] == '"') quoted = !quoted;
        if (at < text.size() && (text[at] != ',' || quoted)) continue;
        all.push_back(trimmed(text.substr(begin, at - begin)));
        begin = at + 1;
    }
    return all;
}

bool read_pass(std::string_view text, LecturePlace& place) {
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
        place.label = text.substr(1, text.size() - 2);
        return !place.label.empty();
    }
    const auto number = whole_number<std::uint32_t>(text);
    if (number) place.pass = *number;
    return number.has_value();
}

bool read_term(std::string_view term, LecturePlace& place) {
    if (term == "start") return place.at = At::start, true;
    if (term == "end") return place.at = At::end, true;
    if (const auto pass = after(term, "pass")) return place.at = At::pass, read_pass(*pass, place);
    if (const auto pass = after(term, "end of pass")) return place.at = At::end_of_pass, read_pass(*pass, place);
    for (const auto& [word, into] : {std::pair("block", &place.block), std::pair("line", &place.line)}) {
        if (const auto number = after(term, word)) return (*into = whole_number<std::uint32_t>(*number)).has_value();
    }
    if (const auto launch = after(term, "launch")) {
        const auto number = whole_number<std::uint32_t>(*launch);
        place.launch = number.value_or(0);
        return number.has_value();
    }
    return false;
}

Result<std::size_t> find_pass(const analysis::BlockPasses& passes, const LecturePlace& place) {
    const std::vector<analysis::Pass>& all = passes.passes;
    if (place.label.empty()) {
        if (place.pass < all.size()) return place.pass;
        return fail(fmt::format("there is no pass {}", place.pass), {}, numbers_of("This run", "pass", all.size() - 1));
    }
    const auto found = std::ranges::find(all, place.label, &analysis::Pass::label);
    if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
    std::vector<std::string> labels;
    labels.reserve(all.size());
    for (const analysis::Pass& pass : all) labels.push_back(fmt::format("\"{}\"", pass.label));
    return fail(fmt::format("there is no pass \"{}\"", place.label), {},
                fmt::format("The passes are {}.", fmt::join(labels, ", ")));
}

/// Where the first warp, which stepping follows, begins in a pass.
std::size_t begin_of(const trace::Trace& trace, const analysis::BlockPasses& passes, std::size_t pass) {
    if (pass == 0) return 0;
    const analysis::Pass& range = passes.passes[pass];
    for (std::size_t index = range.first; index < range.past_last; ++index)
        if (trace.step(passes.steps[index]).warp == WarpId{0}) return index;
    return range.first;
}

std::uint32_t line_at(const analysis::BlockView& block, std::size_t index) {
    const analysis::InstructionInfo* const info = block.instruction_at(index);
    return info == nullptr ? 0 : analysis::source_line_of(block.module, *info->instruction);
}

/// The next step of the first warp on that line.
std::optional<std::size_t> find_line(const analysis::BlockView& block, std::size_t from, std::uint32_t line) {
    for (std::size_t index = from; index < block.passes.steps.size(); ++index)
        if (block.step_at(index).warp == WarpId{0} && line_at(block, index) == line) return index;
    return std::nullopt;
}

/// The last row of the picture that the position has reached.
std::optional<std::uint32_t> row_at(const analysis::Picture& picture, const analysis::BlockPasses& passes,
                                    std::size_t position) {
    const PassId pass = position < passes.steps.size() ? passes.pass_of(position) : PassId{};
    std::optional<std::uint32_t> last;
    for (std::uint32_t row = 0; row < picture.rows.size(); ++row)
        if (!picture.rows[row].is_after(pass)) last = row;
    return last;
}

Result<std::pair<std::uint32_t, std::uint32_t>> find_cell(const analysis::Picture& picture, std::uint32_t row,
                                                          const std::string& selected) {
    std::vector<std::string> arrays;
    for (const analysis::ColumnGroup& group : picture.groups) {
        arrays.push_back(fmt::format("{}{} to {}{}", group.name, group.subscript(group.first_index), group.name,
                                     group.subscript(group.cell_of(group.first_column + group.count - 1))));
        for (std::uint32_t column = group.first_column; column < group.first_column + group.count; ++column) {
            if (group.name + group.subscript(group.cell_of(column)) == selected) return std::pair(row, column);
        }
    }
    return fail(fmt::format("there is no cell {} in the Passes picture", selected), {},
                fmt::format("It has {}.", fmt::join(arrays, " and ")));
}

}  // namespace

Result<LecturePlace> read_place(std::string_view text) {
    LecturePlace place;
    for (const std::string_view term : terms_of(text)) {
        if (!read_term(term, place))
            return fail(fmt::format("a place cannot be \"{}\"", term),
                        {{}, 0, static_cast<unsigned>(term.data() - text.data()) + 1}, std::string(place_terms));
    }
    return place;
}

std::string text_of(const LecturePlace& place) {
    std::vector<std::string> parts;
    if (place.launch != 0) parts.push_back(fmt::format("launch {}", place.launch));
    if (place.block) parts.push_back(fmt::format("block {}", *place.block));
    const std::string pass = place.label.empty() ? fmt::format("{}", place.pass) : fmt::format("\"{}\"", place.label);
    switch (place.at) {
        case At::start: parts.emplace_back("start"); break;
        case At::pass: parts.push_back(fmt::format("pass {}", pass)); break;
        case At::end_of_pass: parts.push_back(fmt::format("end of pass {}", pass)); break;
        case At::end: parts.emplace_back("end"); break;
    }
    if (place.line) parts.push_back(fmt::format("line {}", *place.line));
    return fmt::format("{}", fmt::join(parts, ", "));
}

Result<FoundPlace> find_place(const Run& run, const LecturePlace& place, const std::string& selected) {
    const std::vector<trace::Launch>& launches = run.trace().launches;
    if (place.launch >= launches.size())
        return fail(fmt::format("there is no launch {}", place.launch), {},
                    numbers_of("This run", "launch", launches.size() - 1));
    const std::vector<BlockId>& recorded = launches[place.launch].recorded;
    if (recorded.empty()) return std::unexpected(trace::nothing_recorded(run.trace(), place.launch));
    FoundPlace found{.launch = place.launch, .block = BlockId(place.block.value_or(recorded.front().value))};
    if (std::ranges::find(recorded, found.block) == recorded.end())
        return std::unexpected(trace::block_not_recorded(run.trace(), place.launch, found.block.value));
    const analysis::BlockPasses& passes = run.analysis->block_passes(found.launch, found.block);
    if (place.at == At::end || passes.passes.empty()) {
        found.position = passes.steps.size();
    } else if (place.at != At::start) {
        const auto pass = find_pass(passes, place);
        if (!pass) return std::unexpected(pass.error());
        const analysis::Pass& range = passes.passes[*pass];
        found.position = place.at == At::pass ? begin_of(run.trace(), passes, *pass)
                                              : std::max(range.past_last, range.first + 1) - 1;
    }
    if (place.line) {
        const auto line = find_line(run.analysis->view(passes), found.position, *place.line);
        if (!line) return fail(fmt::format("line {} is not executed from there on", *place.line));
        found.position = *line;
    }
    if (selected.empty()) return found;
    const analysis::Picture& picture = run.analysis->picture(found.launch, found.block);
    const auto row = row_at(picture, passes, found.position);
    if (!row) return fail(fmt::format("the Passes picture has no row there, so {} is not selected", selected));
    const auto cell = find_cell(picture, *row, selected);
    if (!cell) return std::unexpected(cell.error());
    found.selected = *cell;
    return found;
}

LecturePlace name_place(const Run& run, const FoundPlace& place) {
    LecturePlace name{.launch = place.launch, .block = {}, .at = At::end, .label = {}, .line = {}};
    const std::vector<BlockId>& recorded = run.trace().launches[place.launch].recorded;
    if (!recorded.empty() && recorded.front() != place.block) name.block = place.block.value;
    const analysis::BlockPasses& passes = run.analysis->block_passes(place.launch, place.block);
    if (place.position >= passes.steps.size() || passes.passes.empty()) return name;
    if (place.position == 0) return name.at = At::start, name;
    const std::size_t pass = passes.pass_of(place.position).index();
    const std::string& label = passes.passes[pass].label;
    name.pass = static_cast<std::uint32_t>(pass);
    if (std::ranges::count(passes.passes, label, &analysis::Pass::label) == 1) name.label = label;
    name.at = place.position + 1 == passes.passes[pass].past_last ? At::end_of_pass : At::pass;
    if (name.at == At::end_of_pass || place.position == begin_of(run.trace(), passes, pass)) return name;
    if (const std::uint32_t line = line_at(run.analysis->view(passes), place.position); line != 0) name.line = line;
    return name;
}

std::string name_selection(const Run& run, const FoundPlace& place) {
    if (!place.selected) return {};
    const analysis::Picture& picture = run.analysis->picture(place.launch, place.block);
    const auto row = row_at(picture, run.analysis->block_passes(place.launch, place.block), place.position);
    if (row != place.selected->first || place.selected->second >= picture.columns) return {};
    const analysis::ColumnGroup& group = picture.group_of(place.selected->second);
    return group.name + group.subscript(group.cell_of(place.selected->second));
}

}  // namespace lanescope::session
