#include "session/lecture.h"

#include "base/embedded.h"
#include "base/files.h"
#include "base/text.h"
#include "session/catalog.h"
#include "session/lecture_lines.h"
#include "session/source_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <fstream>
#include <numeric>
#include <system_error>
#include <utility>

namespace lanescope::session {

namespace {

constexpr std::string_view folder = "assets/lectures/", heading_mark = "## ";
constexpr std::array layouts{std::string_view("lecture"), std::string_view("study"), std::string_view("compare")};

/// Without the blank lines around it.
std::string_view without_blank_lines(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blank);
    if (begin == std::string_view::npos) return {};
    const std::size_t line = text.rfind('\n', begin);
    text = text.substr(0, text.find_last_not_of(blank) + 1);
    return text.substr(line == std::string_view::npos ? 0 : line + 1);
}

/// A line of the block of keys.
struct KeyLine {
    std::string key, value;
    unsigned line = 0, value_column = 0;
};

/// Reads the steps below the front matter, line by line.
class Steps {
  public:
    Steps(Lecture& lecture, std::size_t body) : lecture_(lecture), lines_(lecture.text, body) {}

    Result<void> read() {
        const std::size_t begin = lines_.at();
        while (lines_.next()) {
            if (lines_.in_code()) {
                if (Result<void> taken = code(); !taken) return taken;
            } else if (lines_.line().starts_with(heading_mark)) {
                close(lines_.begin());
                if (lecture_.steps.empty()) lecture_.about = text(begin, lines_.begin());
                if (Result<void> opened = open(); !opened) return opened;
            } else if (!lecture_.steps.empty()) {
                if (Result<void> taken = section(); !taken) return taken;
            }
        }
        if (lecture_.steps.empty()) lecture_.about = text(begin, lecture_.text.size());
        close(lecture_.text.size());
        return {};
    }

  private:
    enum class Part : std::uint8_t { caption, notes, ask, answer };

    [[nodiscard]] LectureStep& step() const { return lecture_.steps.back(); }
    [[nodiscard]] std::string text(std::size_t begin, std::size_t end) const {
        return std::string(without_blank_lines(std::string_view(lecture_.text).substr(begin, end - begin)));
    }
    [[nodiscard]] std::unexpected<Problem> wrong(std::string what, unsigned line, unsigned column,
                                                 std::string remedy) const {
        return fail(std::move(what), {lecture_.file, line, column}, std::move(remedy));
    }

    Result<void> open() {
        const std::string_view heading = trimmed(lines_.line().substr(heading_mark.size()));
        if (heading.empty()) return wrong("this step has no heading", lines_.number(), 1, "Write it after the ##.");
        LectureStep step;
        step.heading = heading;
        step.line = lines_.number();
        step.whole.begin = lines_.begin();
        lecture_.steps.push_back(std::move(step));
        part_ = Part::caption;
        part_begin_ = lines_.at();
        return {};
    }

    /// The part that is read ends where the next one begins.
    void close(std::size_t end) {
        if (lecture_.steps.empty()) return;
        const std::string words = text(part_begin_, end);
        switch (part_) {
            case Part::caption:
                step().caption = words;
                step().caption_at = {part_begin_, end};
                break;
            case Part::notes: step().notes += (step().notes.empty() ? "" : "\n\n") + words; break;
            case Part::ask: step().questions.push_back({.ask = words, .answer = {}}); break;
            case Part::answer: step().questions.back().answer = words; break;
        }
        step().whole.end = end;
    }

    Result<void> section() {
        constexpr std::array<std::pair<std::string_view, Part>, 3> sections{
            {{"### Notes", Part::notes}, {"### Question", Part::ask}, {"### Answer", Part::answer}}};
        const auto found =
            std::ranges::find(sections, trimmed(lines_.line()), &std::pair<std::string_view, Part>::first);
        if (found == sections.end()) return {};
        if (found->second == Part::answer && part_ != Part::ask)
            return wrong("this answer has no question", lines_.number(), 1,
                         "`### Answer` stands below the text of its `### Question`.");
        close(lines_.begin());
        part_ = found->second;
        part_begin_ = lines_.at();
        return {};
    }

    /// At the line that opens a block of code.
    Result<void> code() {
        const bool keys = !lecture_.steps.empty() && lines_.opens_code() && lines_.language() == "lanescope";
        if (!keys) return {};
        const unsigned first = lines_.number();
        step().keys_at.begin = lines_.begin();
        if (part_ != Part::caption || !text(part_begin_, lines_.begin()).empty())
            return wrong("the block that says what a step shows stands directly below its heading", first, 1,
                         "Move it there; there is one for each step.");
        std::vector<KeyLine> all;
        while (lines_.next() && !lines_.closes_code()) {
            const std::string_view line = lines_.line();
            if (trimmed(line).empty()) continue;
            const std::size_t colon = line.find(':');
            const std::size_t begin =
                std::min(line.find_first_not_of(' ', std::min(colon, line.size() - 1) + 1), line.size());
            const std::string_view key = trimmed(line.substr(0, std::min(colon, line.size())));
            if (colon == std::string_view::npos || key.empty() || trimmed(line.substr(begin)).empty())
                return wrong("this line does not read `key: value`", lines_.number(), 1,
                             "For example `program: reduce/sequential`.");
            all.push_back({.key = std::string(key),
                           .value = std::string(trimmed(line.substr(begin))),
                           .line = lines_.number(),
                           .value_column = static_cast<unsigned>(begin) + 1});
        }
        if (!lines_.closes_code())
            return wrong("this block is not closed", first, 1, "A line of three backticks closes it.");
        part_begin_ = step().keys_at.end = lines_.at();
        return read(all, first);
    }

    Result<void> read(const std::vector<KeyLine>& all, unsigned first) {
        LaunchValues launch;
        bool fields = false;
        for (const KeyLine& line : all) {
            const auto known = read_field(line, launch);
            if (!known) return std::unexpected(known.error());
            fields = fields || *known;
            if (*known) continue;
            if (Result<void> taken = read_shown(line); !taken) return taken;
        }
        if (!launch[LaunchField::program].empty()) {
            step().launch = std::move(launch);
            step().own_program = true;
            return {};
        }
        if (fields)
            return wrong("a launch needs its program", first, 1, "Add a line such as `program: reduce/sequential`.");
        for (std::size_t before = lecture_.steps.size() - 1; before-- > 0 && !step().launch;)
            step().launch = lecture_.steps[before].launch;
        if (!step().launch)
            return wrong("neither this step nor one before it names a program", first, 1,
                         "Add a line such as `program: reduce/sequential`.");
        return {};
    }

    /// Is it a field of the launch? Then it is set.
    Result<bool> read_field(const KeyLine& line, LaunchValues& launch) const {
        const auto bad = [&](const Problem& problem) {
            return wrong(problem.what, line.line, line.value_column, problem.remedy);
        };
        if (constexpr std::string_view argument = "argument "; line.key.starts_with(argument)) {
            const auto read = read_argument(fmt::format("{}={}", line.key.substr(argument.size()), line.value));
            if (!read) return bad(read.error());
            launch.arguments.insert_or_assign(read->first, read->second);
            return true;
        }
        if (line.key == "anyway") {
            if (line.value != "yes")
                return wrong(fmt::format("anyway cannot be \"{}\"", line.value), line.line, line.value_column,
                             "Expected `yes`; without the line, a launch that the kernel cannot take is refused.");
            return launch.anyway = true;
        }
        const auto field = launch_field(line.key);
        if (!field) return false;
        if (const auto problem = problem_of(*field, line.value)) return bad(*problem);
        launch[*field] = line.value;
        if (*field == LaunchField::program) launch[*field] = program_beside(line.value);
        return true;
    }

    /// A file is named from the folder of the lecture.
    [[nodiscard]] std::string program_beside(const std::string& name) const {
        if (lecture_.built_in || find_program(name) != nullptr) return name;
        std::error_code error;
        const std::filesystem::path beside = std::filesystem::path(lecture_.file).parent_path() / name;
        return std::filesystem::exists(beside, error) ? std::filesystem::absolute(beside, error).string() : name;
    }

    Result<void> read_shown(const KeyLine& line) const {
        if (line.key == "place") {
            auto place = read_place(line.value);
            if (!place)
                return wrong(place.error().what, line.line, line.value_column + place.error().where.column - 1,
                             place.error().remedy);
            step().place = *std::move(place);
            return {};
        }
        if (line.key == "select") return step().selected = line.value, Result<void>();
        if (line.key == "layout") {
            if (std::ranges::find(layouts, line.value) == layouts.end())
                return wrong(fmt::format("there is no layout \"{}\"", line.value), line.line, line.value_column,
                             fmt::format("Expected {}.", fmt::join(layouts, ", ")));
            return step().layout = line.value, Result<void>();
        }
        if (line.key == "panels" || line.key == "maximize") return read_panels(line);
        return wrong(fmt::format("there is no key \"{}\"", line.key), line.line, 1,
                     "The keys are program, the fields of a launch, argument NAME, anyway, layout, panels, maximize, "
                     "place and select.");
    }

    Result<void> read_panels(const KeyLine& line) const {
        std::string_view rest = line.value;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(','), rest.size());
            const std::string title(trimmed(rest.substr(0, end)));
            if (std::ranges::find(lecture_panels(), title) == lecture_panels().end())
                return wrong(fmt::format("there is no panel \"{}\"", title), line.line,
                             line.value_column + static_cast<unsigned>(rest.data() - line.value.data()),
                             fmt::format("The panels are {}.", fmt::join(lecture_panels(), ", ")));
            rest.remove_prefix(std::min(end + 1, rest.size()));
            if (line.key == "panels") {
                step().panels.push_back(title);
            } else {
                step().maximized = title;
            }
        }
        return {};
    }

    Lecture& lecture_;
    LectureLines lines_;
    Part part_ = Part::caption;
    std::size_t part_begin_ = 0;  // in the text
};

/// The keys of a step, as they are read.
std::string keys_of(const Lecture& lecture, const LectureStep& step) {
    std::string text = "```lanescope\n";
    const auto key = [&](std::string_view name, std::string_view value) {
        if (!value.empty()) text += fmt::format("{}: {}\n", name, value);
    };
    if (step.launch && step.own_program) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(LaunchField::count); ++i) {
            const auto field = static_cast<LaunchField>(i);
            std::string value = (*step.launch)[field];
            if (field == LaunchField::program && find_program(value) == nullptr && !lecture.file.empty()) {
                std::error_code error;
                const auto own = std::filesystem::absolute(lecture.file, error).parent_path();
                const auto near = std::filesystem::path(value).lexically_relative(own);
                if (!near.empty() && *near.begin() != "..") value = near.string();
            }
            key(name_of(field), value);
        }
        for (const auto& [parameter, plan] : step.launch->arguments) key("argument " + parameter, plan);
        if (step.launch->anyway) key("anyway", "yes");
    }
    key("layout", step.layout);
    key("panels", fmt::format("{}", fmt::join(step.panels, ", ")));
    key("maximize", step.maximized);
    key("place", text_of(step.place));
    key("select", step.selected);
    return text + "```\n";
}

std::string text_of(const Lecture& lecture, const LectureStep& step) {
    std::string text = fmt::format("## {}\n", step.heading);
    if (step.launch) text += "\n" + keys_of(lecture, step);
    if (!step.caption.empty()) text += fmt::format("\n{}\n", step.caption);
    if (!step.notes.empty()) text += fmt::format("\n### Notes\n\n{}\n", step.notes);
    for (const LectureStep::Question& question : step.questions) {
        text += fmt::format("\n### Question\n\n{}\n", question.ask);
        if (!question.answer.empty()) text += fmt::format("\n### Answer\n\n{}\n", question.answer);
    }
    return text;
}

/// A part of the text that a blank line follows, so that another one can.
std::string ended(std::string_view text) {
    std::string whole(text);
    while (!whole.ends_with("\n\n")) whole += '\n';
    return whole;
}

std::size_t past_step(const Lecture& lecture, std::optional<std::size_t> after) {
    if (after) return lecture.steps[*after].whole.end;
    return lecture.steps.empty() ? lecture.text.size() : lecture.steps.front().whole.begin;
}

/// The lecture with another text.
Result<Lecture> reread(const Lecture& lecture, std::string text) {
    while (text.ends_with("\n\n")) text.pop_back();
    auto read = read_lecture(std::move(text), lecture.file);
    if (read) read->built_in = lecture.built_in;
    return read;
}

/// Each step that shows the launch of a step before it names the launch itself.
Result<Lecture> with_own_launches(const Lecture& lecture) {
    std::string text = lecture.text;
    for (std::size_t at = lecture.steps.size(); at-- > 0;) {
        LectureStep step = lecture.steps[at];
        if (!step.launch || step.own_program) continue;
        step.own_program = true;
        text.replace(step.keys_at.begin, step.keys_at.end - step.keys_at.begin, keys_of(lecture, step));
    }
    return reread(lecture, std::move(text));
}

/// The order of the steps, by their numbers before.
Result<Lecture> in_order(const Lecture& lecture, const std::vector<std::size_t>& order) {
    std::string text = lecture.text.substr(0, lecture.steps.front().whole.begin);
    for (const std::size_t step : order) {
        const LectureRange& range = lecture.steps[step].whole;
        text += ended(std::string_view(lecture.text).substr(range.begin, range.end - range.begin));
    }
    return reread(lecture, std::move(text));
}

/// The same; no step shows another launch than before.
Result<Lecture> reordered(const Lecture& lecture, const std::vector<std::size_t>& order) {
    auto made = in_order(lecture, order);
    const auto same = [&] {
        for (std::size_t at = 0; at < order.size(); ++at)
            if (made->steps[at].launch != lecture.steps[order[at]].launch) return false;
        return true;
    };
    if (made && same()) return made;
    const auto own = with_own_launches(lecture);
    return own ? in_order(*own, order) : own;
}

}  // namespace

const std::vector<std::string>& lecture_panels() {
    static const std::vector<std::string> titles{"Source", "Lesson", "Lecture", "Passes", "Grid",     "Banks",
                                                 "Warps",  "Memory", "Counts",  "Timing", "Findings", "Program"};
    return titles;
}

std::string caption_of(const Lecture& lecture, std::size_t step) {
    const std::string& caption = lecture.steps[step].caption;
    if (step > 0) return caption;
    std::string text = lecture.about + (lecture.about.empty() ? "" : "\n\n");
    if (!lecture.source.empty()) text += fmt::format("*{}*\n\n", lecture.source);
    return text + caption;
}

Result<Lecture> read_lecture(std::string text, const std::string& file) {
    Lecture lecture;
    lecture.file = file;
    lecture.name = std::filesystem::path(file).stem().string();
    lecture.built_in = file.starts_with(folder);
    lecture.text = to_utf8(std::move(text));
    if (!is_lesson_file(lecture.text))
        return fail("a lecture begins with its front matter", {file, 1, 1},
                    "Begin with a line of three hyphens, a line `title: ...` and another line of three hyphens.");
    auto front = read_lesson_file(lecture.text, file);
    if (!front) return std::unexpected(front.error());
    for (const compile::Directive& line : front->lines) {
        if (line.key != "title" && line.key != "source")
            return fail(fmt::format("there is no key \"{}\" in the front matter of a lecture", line.key),
                        {file, line.line, line.column}, "The keys are title and source.");
        (line.key == "title" ? lecture.title : lecture.source) = line.value;
    }
    if (lecture.title.empty())
        return fail("the lecture has no title", {file, 1, 1}, "Add a line `title: ...` to its front matter.");
    if (Result<void> read = Steps(lecture, lecture.text.size() - front->body.size()).read(); !read)
        return std::unexpected(read.error());
    return lecture;
}

const std::vector<Lecture>& shipped_lectures() {
    static const std::vector<Lecture> lectures = [] {
        std::vector<Lecture> all;
        for (const EmbeddedFile& file : embedded_files()) {
            if (!file.path.starts_with(folder)) continue;
            auto read = read_lecture(std::string(file.bytes), std::string(file.path));
            assert(read && "a lecture that comes with Lanescope cannot be read; tests/unit/session says why");
            if (read) all.push_back(*std::move(read));
        }
        return all;
    }();
    return lectures;
}

Result<Lecture> open_lecture(const std::string& name_or_path) {
    const auto shipped = std::ranges::find(shipped_lectures(), name_or_path, &Lecture::name);
    if (shipped != shipped_lectures().end()) return *shipped;
    std::error_code error;
    if (!std::filesystem::exists(name_or_path, error)) {
        std::vector<std::string> names;
        for (const Lecture& lecture : shipped_lectures()) names.push_back(lecture.name);
        return fail(fmt::format("there is no lecture {}", name_or_path), {},
                    fmt::format("Name a file, or one of {}.", fmt::join(names, ", ")));
    }
    auto text = read_file(name_or_path);
    if (!text) return std::unexpected(text.error());
    return read_lecture(*std::move(text), name_or_path);
}

Lecture new_lecture(const std::string& title, const std::string& file) {
    const std::string shown = title.find(": ") == std::string::npos ? title : fmt::format("\"{}\"", title);
    auto made = read_lecture(fmt::format("---\ntitle: {}\n---\n", shown), file);
    assert(made);
    return *std::move(made);
}

Result<Lecture> with_step(const Lecture& lecture, std::optional<std::size_t> after, const LectureStep& step) {
    const auto insert = [&](const Lecture& into) {
        const std::size_t at = past_step(into, after);
        const std::string_view text = into.text;
        return reread(into, ended(text.substr(0, at)) + ended(text_of(into, step)) + std::string(text.substr(at)));
    };
    auto made = insert(lecture);
    if (made && made->steps.size() != lecture.steps.size() + 1)
        return fail("a line of the step begins with ##, which begins another step");
    for (std::size_t at = after ? *after + 1 : 0; made && at < lecture.steps.size(); ++at)
        if (made->steps[at + 1].launch != lecture.steps[at].launch) {
            const auto own = with_own_launches(lecture);
            return own ? insert(*own) : own;
        }
    return made;
}

Result<Lecture> without_step(const Lecture& lecture, std::size_t step) {
    std::vector<std::size_t> order;
    for (std::size_t at = 0; at < lecture.steps.size(); ++at)
        if (at != step) order.push_back(at);
    return reordered(lecture, order);
}

Result<Lecture> with_step_moved(const Lecture& lecture, std::size_t from, std::size_t to) {
    if (from == to || to >= lecture.steps.size()) return lecture;
    std::vector<std::size_t> order(lecture.steps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
    return reordered(lecture, order);
}

Result<Lecture> with_words(const Lecture& lecture, std::size_t step, const std::string& heading,
                           const std::string& caption) {
    const LectureStep& old = lecture.steps[step];
    std::string text = lecture.text;
    if (without_blank_lines(caption) != old.caption) {
        const LectureRange& at = old.caption_at;
        std::string words(without_blank_lines(caption));
        words = words.empty() ? "\n" : fmt::format("\n{}\n", words);
        // The blank line before the next part stays.
        if (at.end < text.size()) words = ended(words);
        text.replace(at.begin, at.end - at.begin, words);
    }
    if (trimmed(heading) != old.heading) {
        const std::size_t end = std::min(text.find('\n', old.whole.begin), text.size());
        text.replace(old.whole.begin, end - old.whole.begin, fmt::format("{}{}", heading_mark, trimmed(heading)));
    }
    auto made = reread(lecture, std::move(text));
    if (!made) return made;
    if (made->steps.size() != lecture.steps.size() || made->steps[step].caption != without_blank_lines(caption) ||
        made->steps[step].notes != old.notes || made->steps[step].questions.size() != old.questions.size())
        return fail("the caption would become other parts of the lecture", {},
                    "Lines that begin with ## begin a step; ### Notes, ### Question and ### Answer are parts of one.");
    return made;
}

Result<void> save_lecture(const Lecture& lecture) {
    const std::filesystem::path part = lecture.file + ".part";
    {
        std::ofstream stream(part, std::ios::binary | std::ios::trunc);
        stream << lecture.text;
        stream.close();
        if (!stream) return fail("the lecture cannot be written", {lecture.file, 0, 0}, "Choose another place.");
    }
    std::error_code error;
    std::filesystem::rename(part, lecture.file, error);
    if (!error) return {};
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    return fail(fmt::format("the lecture cannot be written: {}", error.message()), {lecture.file, 0, 0});
}

}  // namespace lanescope::session
