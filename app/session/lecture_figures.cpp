#include "session/lecture_figures.h"

#include "analysis/panels/warp_picture.h"
#include "analysis/theory/greedy_schedule.h"
#include "base/grouped.h"
#include "base/text.h"
#include "base/whole_number.h"
#include "session/recorded_figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace lanescope::session {

namespace {

using Number = std::optional<std::uint64_t>;
using analysis::Pass;

struct CountedQuantity {
    std::string_view name;
    std::uint64_t trace::Counts::*count;
};
constexpr std::array counted_quantities{
    CountedQuantity{"instructions", &trace::Counts::warp_instructions},
    CountedQuantity{"operations", &trace::Counts::operations},
    CountedQuantity{"load wavefronts", &trace::Counts::shared_load_wavefronts},
    CountedQuantity{"store wavefronts", &trace::Counts::shared_store_wavefronts},
    CountedQuantity{"atomic wavefronts", &trace::Counts::shared_atomic_wavefronts},
    CountedQuantity{"sectors loaded", &trace::Counts::global_load_sectors},
    CountedQuantity{"sectors stored", &trace::Counts::global_store_sectors},
    CountedQuantity{"atomic sectors", &trace::Counts::global_atomic_sectors},
    CountedQuantity{"barriers", &trace::Counts::barriers},
};

constexpr std::string_view terms_of_figures =
    "A figure is a count by its name in Counts, `{instructions}`, of the block, or `of pass`, `of pass \"s = 4\"`, "
    "`of run`; or `{steps on 4}`, `{sdata[0]}`, `{result}`.";

/// A whole number with its digits in groups.
std::string number_text(const std::string& text) {
    return std::ranges::all_of(text, [](char each) { return each >= '0' && each <= '9'; }) ? grouped(text) : text;
}

/// "0, 2 and 4", "0 to 7".
std::string list_text(const std::set<std::uint32_t>& numbers) {
    std::vector<std::string> parts;
    for (auto at = numbers.begin(); at != numbers.end();) {
        auto last = at;
        while (std::next(last) != numbers.end() && *std::next(last) == *last + 1) ++last;
        if (*last - *at >= 2) {
            parts.push_back(fmt::format("{} to {}", *at, *last));
        } else {
            for (std::uint32_t each = *at; each <= *last; ++each) parts.push_back(fmt::format("{}", each));
        }
        at = std::next(last);
    }
    if (parts.size() < 2) return parts.empty() ? "none" : parts.front();
    const std::string last = parts.back();
    parts.pop_back();
    return fmt::format("{} and {}", fmt::join(parts, ", "), last);
}

class Figures {
  public:
    Figures(const Run& run, const LecturePlace& place, const FoundPlace& found)
        : run_(run),
          place_(place),
          found_(found),
          passes_(run.analysis->block_passes(found.launch, found.block).passes) {}

    [[nodiscard]] Result<std::string> text(std::string_view figure) const {
        if (const auto number = of_launch(figure)) return grouped(*number);
        if (auto recorded = recorded_figure(figure, run_.program.name)) return *std::move(recorded);
        if (const auto value = verdict(figure)) return *value;
        for (const auto& [words, is_cost] : {std::pair("steps on ", false), std::pair("cost on ", true)}) {
            if (figure.starts_with(words)) return scheduled(figure, std::string_view(words).size(), is_cost);
        }
        if (figure.ends_with(']')) return elements(figure);
        const std::size_t of = figure.find(" of ");
        const std::string_view name = figure.substr(0, of);
        if (of == std::string_view::npos) return counted(name, passes_, figure);
        const std::string_view scope = trimmed(figure.substr(of + 4));
        if (scope == "run") return of_run(name, figure);
        const auto pass = find_pass(scope);
        if (!pass) return std::unexpected(pass.error());
        if (auto list = listed(name, *pass)) return *std::move(list);
        return counted(name, std::span(passes_).subspan(*pass, 1), figure);
    }

  private:
    static std::unexpected<Problem> unknown(std::string_view figure) {
        return fail(fmt::format("there is no figure {{{}}}", figure), {}, std::string(terms_of_figures));
    }
    static std::unexpected<Problem> not_known(std::string_view figure) {
        return fail(fmt::format("the figure {{{}}} is not known in this run", figure));
    }

    [[nodiscard]] Number of_launch(std::string_view name) const {
        const trace::Launch& launch = run_.trace().launches[found_.launch];
        if (name == "elements") return run_.n;
        if (name == "threads") return launch.block.count();
        if (name == "warps") return (launch.block.count() + warp_size - 1) / warp_size;
        if (name == "blocks") return launch.grid.count();
        if (name == "launches") return run_.trace().launches.size();
        if (name == "findings") return run_.trace().findings.size();
        if (name == "passes") return run_.analysis->block_passes(found_.launch, found_.block).computing();
        return std::nullopt;
    }

    [[nodiscard]] std::optional<std::string> verdict(std::string_view name) const {
        const std::vector<std::string>* const values = name == "result"     ? &run_.verdict.actual
                                                       : name == "expected" ? &run_.verdict.expected
                                                                            : nullptr;
        if (values == nullptr || values->empty()) return std::nullopt;
        return number_text(values->front());
    }

    [[nodiscard]] Result<std::string> scheduled(std::string_view figure, std::size_t words, bool is_cost) const {
        std::string digits(figure.substr(words));
        std::erase(digits, ',');
        const auto processors = digits == "N" ? std::optional(run_.n) : whole_number<std::uint64_t>(digits);
        if (!processors || *processors == 0) return unknown(figure);
        const analysis::OperationGraph graph(run_.trace(), *run_.analysis->provenance);
        const std::uint64_t steps = analysis::GreedySchedule(graph).steps(*processors);
        return grouped(is_cost ? steps * *processors : steps);
    }

    /// "sdata[0]", "output[4..7]".
    [[nodiscard]] Result<std::string> elements(std::string_view figure) const {
        const std::size_t open = figure.find('[');
        const std::string_view name = figure.substr(0, open);
        const std::string_view inside = figure.substr(open + 1, figure.size() - open - 2);
        const std::size_t dots = inside.find("..");
        const auto first = whole_number<std::uint64_t>(inside.substr(0, dots));
        const auto last = dots == std::string_view::npos ? first : whole_number<std::uint64_t>(inside.substr(dots + 2));
        if (!first || !last || *last < *first) return unknown(figure);
        std::vector<std::string> values;
        for (std::uint64_t index = *first; index <= *last; ++index) {
            auto value = element(name, index);
            if (!value) return std::unexpected(value.error());
            values.push_back(*std::move(value));
        }
        return fmt::format("{}", fmt::join(values, " "));
    }

    [[nodiscard]] Result<std::string> element(std::string_view name, std::uint64_t index) const {
        const auto& buffers = run_.trace().buffers;
        const auto buffer = std::ranges::find(buffers, name, &trace::Buffer::name);
        if (buffer != buffers.end() && (index + 1) * bytes_of(buffer->element) <= buffer->bytes)
            return number_text(trace::text_of(buffer->element, trace::bits_at(buffer->element, buffer->final, index)));
        const std::string selected = fmt::format("{}[{}]", name, index);
        const auto found = find_place(run_, place_, selected);
        if (!found) return std::unexpected(found.error());
        const analysis::Picture& picture = run_.analysis->picture(found->launch, found->block);
        const auto [row, column] = *found->selected;
        const analysis::Cell& cell = picture.rows[row].cells[column];
        const analysis::ColumnGroup& group = picture.group_of(column);
        if (!cell.known) return fail(fmt::format("{} holds no value there", selected));
        return number_text(trace::text_of(group.element_of(group.cell_of(column)), cell.bits));
    }

    /// "pass", "pass 2", "pass \"s = 4\"".
    [[nodiscard]] Result<std::size_t> find_pass(std::string_view scope) const {
        const analysis::BlockPasses& block = run_.analysis->block_passes(found_.launch, found_.block);
        if (passes_.empty()) return fail("the block has no pass");
        if (scope == "pass") return block.pass_of(found_.position).index();
        const auto place = read_place(scope);
        if (!place) return std::unexpected(place.error());
        LecturePlace there = place_;
        there.at = LecturePlace::At::pass;
        there.label = place->label;
        there.pass = place->pass;
        there.line.reset();
        const auto found = find_place(run_, there, {});
        if (!found) return std::unexpected(found.error());
        return block.pass_of(found->position).index();
    }

    [[nodiscard]] Result<std::string> of_run(std::string_view name, std::string_view figure) const {
        const analysis::Analysis& analysis = *run_.analysis;
        for (const auto& [known, value] : {std::pair("work", analysis.work), std::pair("span", analysis.span),
                                           std::pair("address work", analysis.address_work)}) {
            if (name == known) return value ? Result<std::string>(grouped(*value)) : not_known(figure);
        }
        // While blocks run, comparisons that decide and sums of flags are not counted.
        if (name == "operations" && !run_.trace().all_recorded()) return not_known(figure);
        for (const CountedQuantity& each : counted_quantities)
            if (each.name == name) return grouped(analysis.totals.*each.count);
        if (name == "sectors moved")
            return grouped(analysis.totals.global_load_sectors + analysis.totals.global_store_sectors);
        return unknown(figure);
    }

    [[nodiscard]] static Result<std::string> counted(std::string_view name, std::span<const Pass> passes,
                                                     std::string_view figure) {
        const auto sum = [&](auto value) {
            std::uint64_t all = 0;
            for (const Pass& pass : passes) all += value(pass);
            return grouped(all);
        };
        const auto largest = [&](auto value) {
            std::uint64_t most = 0;
            for (const Pass& pass : passes) most = std::max<std::uint64_t>(most, value(pass));
            return grouped(most);
        };
        for (const CountedQuantity& each : counted_quantities)
            if (each.name == name) return sum([&](const Pass& pass) { return pass.counts.*each.count; });
        if (name == "work") return sum([](const Pass& pass) { return pass.work; });
        if (name == "address work") return sum([](const Pass& pass) { return pass.address_work; });
        if (name == "ways") return largest([](const Pass& pass) { return pass.ways; });
        if (name == "span")
            return largest([&](const Pass& pass) { return passes.size() == 1 ? pass.span : pass.depth; });
        return unknown(figure);
    }

    /// Which threads and warps work in a pass, and how many; nothing for other names.
    [[nodiscard]] std::optional<std::string> listed(std::string_view name, std::size_t pass) const {
        if (name == "adding threads" || name == "adding warps" || name == "adding thread count") {
            const std::uint32_t unit = name == "adding warps" ? warp_size : 1;
            std::set<std::uint32_t> numbers;
            for (const analysis::PictureRow& row : run_.analysis->picture(found_.launch, found_.block).rows) {
                if (row.initial || row.pass.index() != pass) continue;
                for (const analysis::Node& node : row.nodes)
                    if (node.combines) numbers.insert(node.thread / unit);
            }
            return name == "adding thread count" ? grouped(numbers.size()) : list_text(numbers);
        }
        const analysis::BlockPasses& block = run_.analysis->block_passes(found_.launch, found_.block);
        const auto warps = [&] { return analysis::warp_picture(run_.analysis->view(block), PassId(unsigned(pass))); };
        if (name == "useful lanes") return grouped(warps().totals().useful);
        if (name != "useful lanes a warp") return std::nullopt;
        std::set<std::uint32_t> numbers;
        for (const analysis::WarpRow& row : warps().rows)
            if (row.useful.any()) numbers.insert(row.useful.count());
        return list_text(numbers);
    }

    const Run& run_;
    const LecturePlace& place_;
    const FoundPlace& found_;
    const std::vector<Pass>& passes_;
};

LectureWords words_of(const LectureStep& step, const std::function<std::string(std::string_view figure)>& each) {
    LectureWords words{
        .caption = replace_figures(step.caption, each), .notes = replace_figures(step.notes, each), .questions = {}};
    for (const LectureStep::Question& question : step.questions)
        words.questions.push_back(
            {.ask = replace_figures(question.ask, each), .answer = replace_figures(question.answer, each)});
    return words;
}

}  // namespace

std::string replace_figures(std::string_view markdown,
                            const std::function<std::string(std::string_view figure)>& each) {
    std::string text;
    for (std::size_t at = 0; at < markdown.size();) {
        const char now = markdown[at];
        std::size_t end = at + 1;
        if (now == '`') {  // code, to as many backticks as begin it
            while (end < markdown.size() && markdown[end] == '`') ++end;
            const std::string_view marks = markdown.substr(at, end - at);
            const std::size_t close = markdown.find(marks, end);
            end = close == std::string_view::npos ? markdown.size() : close + marks.size();
        } else if (now == '{' && end < markdown.size() && markdown[end] >= 'a' && markdown[end] <= 'z') {
            const std::size_t close = markdown.find_first_of("{}", end);
            if (close != std::string_view::npos && markdown[close] == '}') {
                std::string figure(markdown.substr(end, close - end));  // it may span two lines
                std::ranges::replace(figure, '\n', ' ');
                // A line that begins with "1. " would begin a list.
                if (text.size() > 1 && text.back() == '\n' && text[text.size() - 2] != '\n') text.back() = ' ';
                text += each(figure);
                at = close + 1;
                continue;
            }
        }
        text += markdown.substr(at, end - at);
        at = end;
    }
    return text;
}

Result<std::string> figure_text(std::string_view figure, const Run& run, const LecturePlace& place) {
    const auto found = find_place(run, place, {});
    if (!found) return std::unexpected(found.error());
    return Figures(run, place, *found).text(figure);
}

Result<LectureWords> words_with_figures(const LectureStep& step, const Run& run) {
    const auto found = find_place(run, step.place, step.selected);
    if (!found) return std::unexpected(found.error());
    const Figures figures(run, step.place, *found);
    std::optional<Problem> problem;
    LectureWords words = words_of(step, [&](std::string_view figure) {
        auto text = figures.text(figure);
        if (!text && !problem) problem = text.error();
        return text ? *std::move(text) : fmt::format("{{{}}}", figure);
    });
    if (problem) return std::unexpected(*problem);
    return words;
}

LectureWords words_without_figures(const LectureStep& step) {
    return words_of(
        step, [&](std::string_view figure) { return step.launch ? std::string("…") : fmt::format("{{{}}}", figure); });
}

bool has_figures(const LectureStep& step) {
    bool any = false;
    words_of(step, [&](std::string_view) {
        any = true;
        return std::string();
    });
    return any;
}

}  // namespace lanescope::session
