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
#include <system_error>
#include <utility>

namespace lanescope::session {

namespace {

constexpr std::string_view folder = "assets/lectures/";
constexpr std::array layouts{std::string_view("lecture"), std::string_view("study"), std::string_view("compare")};

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

    /// Sets the field of the launch that the line names; false: it names none.
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

    /// The path of a file is relative to the folder of the lecture.
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

}  // namespace

const std::vector<std::string>& lecture_panels() {
    static const std::vector<std::string> titles{"Source", "Lesson",  "Lecture", "Passes",   "Grid",
                                                 "Banks",  "Sectors", "Map",     "Warps",    "Memory",
                                                 "Counts", "Theory",  "Timing",  "Findings", "Program"};
    return titles;
}

std::string caption_of(const Lecture& lecture, std::size_t step, const std::string& caption) {
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

namespace {

/// Null: none that comes with Lanescope has that name.
const Lecture* shipped_lecture(const std::string& name) {
    const auto found = std::ranges::find(shipped_lectures(), name, &Lecture::name);
    return found == shipped_lectures().end() ? nullptr : &*found;
}

}  // namespace

bool names_lecture(const std::string& name_or_path) {
    if (name_or_path.ends_with(".md")) return true;
    std::error_code error;
    return shipped_lecture(name_or_path) != nullptr && find_program(name_or_path) == nullptr &&
           !std::filesystem::exists(name_or_path, error);
}

Result<Lecture> open_lecture(const std::string& name_or_path) {
    if (const Lecture* const shipped = shipped_lecture(name_or_path)) return *shipped;
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

}  // namespace lanescope::session
