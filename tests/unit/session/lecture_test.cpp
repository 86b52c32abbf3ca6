// A lecture's file: what is read from it, what is wrong with it by line and column, what an edit leaves as it was; and
// that every step of every lecture that ships opens its program and finds its place.
#include "session/lecture.h"

#include "base/files.h"
#include "base/text.h"
#include "places.h"
#include "run_support.h"
#include "session/lecture_edits.h"
#include "session/lecture_figures.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace lanescope::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string two_steps =
    "---\ntitle: Mine\n---\n\nAbout it.\n\n"
    "## One\n\n```lanescope\nprogram: reduce/sequential\nblock: 8\nn: 8\nplace: pass \"s = 2\"\npanels: Passes, "
    "Counts\n"
    "```\n\nA *caption*\nof two lines.\n\n```\n## no step\n```\n\n### Notes\n\nSpeak up.\n\n### Question\n\nWhy?\n\n"
    "### Answer\n\nBecause.\n\n"
    "## Two\n\n```lanescope\nplace: end\nselect: sdata[0]\n```\n\nThe sum.\n\n"
    "## Three\n\nWords alone.\n";

Lecture read(const std::string& text) {
    auto lecture = read_lecture(text, "dir/mine.md");
    EXPECT_TRUE(lecture) << lecture.error().message();
    return lecture ? *std::move(lecture) : Lecture{};
}

Problem problem_of(const std::string& text) {
    const auto lecture = read_lecture(text, "dir/mine.md");
    EXPECT_FALSE(lecture) << text;
    return lecture ? Problem{} : lecture.error();
}

std::vector<std::string> headings(const Lecture& lecture) {
    std::vector<std::string> all;
    for (const LectureStep& step : lecture.steps) all.push_back(step.heading);
    return all;
}

std::shared_ptr<const Run> run_of(const LaunchValues& launch) {
    Progress progress;
    const auto run = session::run(request_of(launch), progress);
    return run ? *run : nullptr;
}

TEST(Lecture, HasStepsWithTheirPartsEach) {
    const Lecture lecture = read(two_steps);
    EXPECT_EQ(lecture.title, "Mine");
    EXPECT_EQ(lecture.name, "mine");
    EXPECT_EQ(lecture.about, "About it.");
    ASSERT_THAT(headings(lecture), ElementsAre("One", "Two", "Three"));
    const LectureStep& one = lecture.steps[0];
    EXPECT_EQ((*one.launch)[LaunchField::program], "reduce/sequential");
    EXPECT_EQ((*one.launch)[LaunchField::block], "8");
    EXPECT_EQ(one.place.at, LecturePlace::At::pass);
    EXPECT_EQ(one.place.label, "s = 2");
    EXPECT_THAT(one.panels, ElementsAre("Passes", "Counts"));
    EXPECT_EQ(one.caption, "A *caption*\nof two lines.\n\n```\n## no step\n```");
    EXPECT_EQ(one.notes, "Speak up.");
    ASSERT_EQ(one.questions.size(), 1U);
    EXPECT_EQ(one.questions[0].ask, "Why?");
    EXPECT_EQ(one.questions[0].answer, "Because.");
    EXPECT_EQ(one.line, 7U);
}

TEST(Lecture, AStepWithoutAProgramShowsTheOneBeforeAndAStepWithoutKeysShowsNone) {
    const Lecture lecture = read(two_steps);
    EXPECT_EQ(lecture.steps[1].launch, lecture.steps[0].launch);
    EXPECT_FALSE(lecture.steps[1].own_program);
    EXPECT_EQ(lecture.steps[1].selected, "sdata[0]");
    EXPECT_FALSE(lecture.steps[2].launch);
}

TEST(Lecture, NamesLineColumnAndRemedyOfWhatIsWrong) {
    const std::string head = "---\ntitle: Mine\n---\n## One\n```lanescope\nprogram: reduce/sequential\n";
    struct Wrong {
        std::string text, what;
        unsigned line, column;
    };
    const std::vector<Wrong> all{
        {"## One\n", "front matter", 1, 1},
        {"---\nsource: x\n---\n", "no title", 1, 1},
        {"---\ntitle: x\nauthor: y\n---\n", "no key \"author\"", 3, 1},
        {head + "block: many\n```\n", "the block size cannot be", 7, 8},
        {head + "place: pass 1, there\n```\n", "a place cannot be \"there\"", 7, 16},
        {head + "panels: Passes, Bank\n```\n", "no panel \"Bank\"", 7, 16},
        {head + "layout: wide\n```\n", "no layout \"wide\"", 7, 9},
        {head + "blocks: 8\n```\n", "no key \"blocks\"", 7, 1},
        {head + "anyway: no\n```\n", "anyway cannot be", 7, 9},
        {head + "what\n```\n", "does not read `key: value`", 7, 1},
        {head + "n: 8\n", "is not closed", 5, 1},
        {"---\ntitle: Mine\n---\n## One\n```lanescope\nblock: 8\n```\n", "a launch needs its program", 5, 1},
        {"---\ntitle: Mine\n---\n## One\n```lanescope\nplace: end\n```\n", "names a program", 5, 1},
        {"---\ntitle: Mine\n---\n## One\nText.\n```lanescope\nplace: end\n```\n", "directly below its heading", 6, 1},
        {"---\ntitle: Mine\n---\n##  \n", "no heading", 4, 1},
        {"---\ntitle: Mine\n---\n## One\n### Answer\n", "no question", 5, 1},
    };
    for (const Wrong& wrong : all) {
        const Problem problem = problem_of(wrong.text);
        EXPECT_THAT(problem.what, HasSubstr(wrong.what));
        EXPECT_EQ(problem.where, (Place{"dir/mine.md", wrong.line, wrong.column})) << problem.message();
        EXPECT_NE(problem.remedy, "") << problem.what;
    }
}

TEST(Lecture, IsNamedByItsNameOrByAFile) {
    for (const Lecture& each : shipped_lectures()) EXPECT_TRUE(names_lecture(each.name)) << each.name;
    EXPECT_TRUE(names_lecture("mine.md"));
    for (const Program& each : catalog()) EXPECT_FALSE(names_lecture(each.name)) << each.name;
    EXPECT_FALSE(names_lecture("no-lecture"));
}

TEST(Lecture, APlaceReadsAsItIsWritten) {
    for (const char* text : {"start", "end", "pass 3", "end of pass \"s = 4, t = 2\"",
                             "launch 1, block 2, pass 3, line 12", "block 1, start"}) {
        const auto place = read_place(text);
        ASSERT_TRUE(place) << text;
        EXPECT_EQ(text_of(*place), text);
    }
}

TEST(Lecture, APlaceIsFoundInARunAndNamedAgain) {
    LaunchValues launch;
    launch[LaunchField::program] = "reduce/sequential";
    launch[LaunchField::block] = "8";
    launch[LaunchField::n] = "16";
    const auto run = run_of(launch);
    ASSERT_TRUE(run);
    for (const char* text : {"start", "end", "pass \"s = 2\"", "end of pass \"s = 4\"", "block 1, pass \"s = 1\""}) {
        const auto found = find_place(*run, *read_place(text), "sdata[1]");
        ASSERT_TRUE(found) << text << ": " << found.error().message();
        EXPECT_EQ(text_of(name_place(*run, *found)), text);
        EXPECT_EQ(name_selection(*run, *found), "sdata[1]") << text;
    }
    // A position within a pass is named by its line.
    FoundPlace inside = *find_place(*run, *read_place("pass \"s = 2\""), "");
    inside.position += 3;
    const LecturePlace named = name_place(*run, inside);
    ASSERT_TRUE(named.line) << text_of(named);
    EXPECT_TRUE(find_place(*run, named, ""));
}

TEST(Lecture, APlaceThatDoesNotExistSaysWhatDoes) {
    LaunchValues launch;
    launch[LaunchField::program] = "reduce/sequential";
    const auto run = run_of(launch);
    ASSERT_TRUE(run);
    const auto message = [&](const char* place, const char* selected = "") {
        const auto found = find_place(*run, *read_place(place), selected);
        return found ? std::string("found") : found.error().message();
    };
    EXPECT_THAT(message("pass 9"), HasSubstr("This run has passes 0 to 5"));
    EXPECT_THAT(message("pass \"s = 3\""), HasSubstr("\"s = 8\""));
    EXPECT_THAT(message("launch 1"), HasSubstr("launch 0 only"));
    EXPECT_THAT(message("block 7"), HasSubstr("block 7 is not recorded step by step. Block 0 is recorded"));
    EXPECT_THAT(message("line 1"), HasSubstr("not executed"));
    EXPECT_THAT(message("end", "sdata[99]"), HasSubstr("sdata[0] to sdata[15]"));
}

TEST(Lecture, AnEditLeavesAllOtherTextAsItIs) {
    const Lecture lecture = read(two_steps);
    const auto worded = with_words(lecture, 0, "First", "Another *caption*.");
    ASSERT_TRUE(worded) << worded.error().message();
    std::string expected = two_steps;
    expected.replace(expected.find("## One"), 6, "## First");
    const std::string old = lecture.steps[0].caption;
    expected.replace(expected.find(old), old.size(), "Another *caption*.");
    EXPECT_EQ(worded->text, expected);
}

TEST(Lecture, ACaptionCannotBecomeOtherParts) {
    const Lecture lecture = read(two_steps);
    for (const char* caption : {"Text\n## A step", "Text\n### Notes\nmore", "```\nnever closed"})
        EXPECT_FALSE(with_words(lecture, 0, "One", caption)) << caption;
}

TEST(Lecture, StepsAreAddedMovedAndRemoved) {
    const Lecture lecture = read(two_steps);
    LectureStep added;
    added.heading = "New";
    added.caption = "Fresh.";
    added.launch = LaunchValues{};
    (*added.launch)[LaunchField::program] = "scan/in-place";
    (*added.launch)[LaunchField::n] = "8";
    added.own_program = true;
    added.place = *read_place("end of pass \"d = 2\"");
    const auto four = with_step(lecture, 0, added);
    ASSERT_TRUE(four) << four.error().message();
    EXPECT_THAT(headings(*four), ElementsAre("One", "New", "Two", "Three"));
    EXPECT_EQ(four->steps[1].caption, "Fresh.");
    EXPECT_EQ(four->steps[1].launch, added.launch);
    EXPECT_EQ(four->steps[1].place, added.place);
    EXPECT_EQ(four->steps[2].launch, lecture.steps[1].launch) << "a step shows what it showed before";

    const auto moved = with_step_moved(lecture, 1, 0);
    ASSERT_TRUE(moved) << moved.error().message();
    EXPECT_THAT(headings(*moved), ElementsAre("Two", "One", "Three"));
    EXPECT_EQ(moved->steps[0].launch, lecture.steps[1].launch);
    EXPECT_EQ(moved->steps[1].notes, "Speak up.");

    const auto removed = without_step(lecture, 0);
    ASSERT_TRUE(removed) << removed.error().message();
    EXPECT_THAT(headings(*removed), ElementsAre("Two", "Three"));
    EXPECT_EQ(removed->steps[0].launch, lecture.steps[1].launch);
    EXPECT_EQ(removed->steps[0].caption, "The sum.");
}

TEST(Lecture, IsSavedAndOpened) {
    const ScratchFolder folder;
    const std::string kernel = folder.add("mine.cu", student_file);
    Lecture lecture = new_lecture("Sums: my own", folder.path() / "sums.md");
    LectureStep step;
    step.heading = "My kernel";
    step.launch = LaunchValues{};
    (*step.launch)[LaunchField::program] = kernel;
    step.own_program = true;
    lecture = *with_step(lecture, std::nullopt, step);
    EXPECT_THAT(lecture.text, HasSubstr("program: mine.cu\n")) << "a file is named from the lecture's folder";
    ASSERT_TRUE(save_lecture(lecture));
    const auto opened = open_lecture(lecture.file);
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_EQ(opened->title, "Sums: my own");
    EXPECT_EQ((*opened->steps[0].launch)[LaunchField::program], kernel);
    EXPECT_FALSE(open_lecture("no-such-lecture"));
}

/// One for each lecture that ships.
class ShippedLecture : public testing::TestWithParam<std::string> {};

TEST_P(ShippedLecture, EveryStepOpensAndFindsItsPlaceAndItsFigures) {
    const auto text = read_file(GetParam());
    ASSERT_TRUE(text);
    const auto lecture = read_lecture(*text, GetParam());
    ASSERT_TRUE(lecture) << lecture.error().message();
    std::map<std::vector<std::string>, std::shared_ptr<const session::Run>> runs;
    for (const LectureStep& step : lecture->steps) {
        if (!step.launch) continue;
        SCOPED_TRACE(fmt::format("line {}: {}", step.line, step.heading));
        const Program* const program = find_program((*step.launch)[LaunchField::program]);
        ASSERT_NE(program, nullptr) << "it ships with lectures of the catalog alone";
        if (program->recipe.host && cannot_run_programs()) continue;
        const std::vector<std::string> key(step.launch->text.begin(), step.launch->text.end());
        auto& run = runs[key];
        if (!run) run = run_of(*step.launch);
        ASSERT_TRUE(run);
        const auto place = find_place(*run, step.place, step.selected);
        EXPECT_TRUE(place) << place.error().message();
        const auto words = words_with_figures(step, *run);
        EXPECT_TRUE(words) << words.error().message();
        for (const LectureStep::Question& question : step.questions) EXPECT_NE(question.answer, "");
    }
}

std::vector<std::string> shipped_files() {
    std::vector<std::string> files;
    for (const Lecture& lecture : shipped_lectures())
        files.push_back(fmt::format("{}/{}", LANESCOPE_SOURCE_DIR, lecture.file));
    return files;
}
INSTANTIATE_TEST_SUITE_P(Lectures, ShippedLecture, testing::ValuesIn(shipped_files()), [](const auto& file) {
    std::string name = std::filesystem::path(file.param).stem();
    std::ranges::replace(name, '-', '_');
    return name;
});

/// The cells of a row of a table in Markdown, and its marks of code gone.
std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells;
    std::istringstream stream(row.substr(1));
    for (std::string cell; std::getline(stream, cell, '|');) {
        std::erase(cell, '`');
        cells.emplace_back(trimmed(cell));
    }
    return cells;
}

TEST(Lecture, TheTableOfTheDocumentsHasEveryStepAndItsProgram) {
    const auto table = read_file(LANESCOPE_SOURCE_DIR "/kernels/DOCUMENTS.md");
    ASSERT_TRUE(table);
    std::map<std::string, std::map<std::string, std::string>> listed;  // by lecture and step: the program
    std::string lecture;
    std::istringstream lines(*table);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("[`")) lecture = line.substr(2, line.find('`', 2) - 2);
        const bool row = line.starts_with("| ") && !line.starts_with("| heading") && !line.starts_with("| ---");
        if (!row) continue;
        const std::vector<std::string> cells = cells_of(line);
        ASSERT_GE(cells.size(), 3U) << line;
        listed[lecture][cells[1]] = cells[2] == "text" ? "" : cells[2];
    }
    EXPECT_EQ(listed.size(), 5U);
    for (const auto& [name, steps] : listed) {
        const auto opened = open_lecture(name);
        ASSERT_TRUE(opened) << name;
        std::map<std::string, std::string> actual;
        for (const LectureStep& step : opened->steps)
            actual[step.heading] = step.launch ? (*step.launch)[LaunchField::program] : "";
        EXPECT_EQ(steps, actual) << name;
    }
}

/// A text in one line: quotations without their marks.
std::string in_one_line(const std::string& markdown) {
    std::string line;
    std::istringstream words(markdown);
    for (std::string word; words >> word;)
        if (word != ">") line += (line.empty() ? "" : " ") + word;
    return line;
}

/// The same without marks of code and emphasis.
std::string plain_text(const std::string& markdown) {
    std::string text = in_one_line(markdown);
    std::erase_if(text, [](char c) { return c == '`' || c == '*'; });
    return text;
}

std::vector<std::string> found_in(const std::string& text, const std::regex& pattern) {
    std::vector<std::string> all;
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
        all.push_back((*at)[(*at)[1].matched ? 1 : 2].str());
    return all;
}

TEST(Lecture, EverySlipOfTheDocumentsStandsAsPrintedInALessonOrStepThatItsTableNames) {
    const std::string folder = LANESCOPE_SOURCE_DIR "/kernels/";
    const auto table = read_file(folder + "SLIPS.md");
    ASSERT_TRUE(table);
    static const std::regex printed("`([^`]+)`|\"([^\"]+)\""), lesson(R"(\]\(([a-z0-9_/]+\.md)\))"),
        step(R"(\*([^*]+)\*)");
    std::optional<Lecture> lecture;
    std::size_t slips = 0;
    std::istringstream lines(*table);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("[`")) lecture = open_lecture(line.substr(2, line.find('`', 2) - 2)).value();
        if (!line.starts_with("| ") || line.starts_with("| printed") || line.starts_with("| ---")) continue;
        SCOPED_TRACE(line);
        ASSERT_TRUE(lecture);
        const std::string where = line.substr(line.rfind(" | ", line.size() - 3));
        std::string shown;
        for (const std::string& file : found_in(where, lesson)) {
            const auto text = read_file(folder + file);
            ASSERT_TRUE(text) << file;
            shown += plain_text(*text) + "\n";
        }
        for (const std::string& heading : found_in(where, step)) {
            const auto found = std::ranges::find(lecture->steps, heading, &LectureStep::heading);
            ASSERT_NE(found, lecture->steps.end()) << heading;
            shown += plain_text(found->caption) + "\n" + plain_text(found->notes) + "\n";
            for (const LectureStep::Question& question : found->questions)
                shown += plain_text(question.ask) + "\n" + plain_text(question.answer) + "\n";
        }
        EXPECT_FALSE(shown.empty());
        for (const std::string& words : found_in(line.substr(0, line.find(" | ")), printed)) {
            EXPECT_THAT(shown, HasSubstr(plain_text(words)));
            ++slips;
        }
    }
    EXPECT_GT(slips, 50U);
}

TEST(Lecture, AsksWhatItsDocumentAsks) {
    const std::multimap<std::string, std::string> asked{
        {"reduction-and-scan", "乘法是否属于归约操作?"},
        {"reduction-and-scan", "除法是否属于归约操作?"},
        {"reduction-and-scan", "请写出计算数组a全部元素之和的CPU代码"},
        {"reduction-and-scan", "where is the parallelism?"},
        {"reduction-and-scan", "any problems with warp divergence?"},
        {"reduction-and-scan", "where should data be held?"},
        {"reduction-and-scan", "Why is this important?"},
        {"reduction-and-scan", "请写出可实现前缀求和的CPU串行代码"},
        {"reduction-and-scan", "根据本节的讲解，是写出具有完整功能的scan内核"},
        {"basic-reduction-kernel", "Why do we need syncthreads()?"},
        {"optimizing-reduction", "Multiple Blocks?"},
        {"optimizing-reduction", "How do we communicate results across blocks?"},
        {"optimizing-reduction", "How do we know that each block has finished?"},
        {"optimizing-reduction", "What is the potential bottleneck?"},
        {"optimizing-reduction", "How can we unroll for block sizes we don't know at complile time?"},
        {"optimizing-reduction", "What if block size is not known at compile time?"},
        {"optimizing-reduction", "Can we improve?"},
        {"optimizing-reduction", "Can we make the O(N/P) part O(log N)?"},
        {"optimizing-reduction", "What should be P?"},
        {"optimizing-reduction", "Can we improve the algorithm?"},
        {"optimizing-reduction", "What is Brent's theorem useful for?"},
        {"optimizing-reduction", "What about Cost?"},
    };
    for (const auto& [name, question] : asked) {
        const auto lecture = open_lecture(name);
        ASSERT_TRUE(lecture) << name;
        EXPECT_TRUE(std::ranges::any_of(
            lecture->steps,
            [&](const LectureStep& step) {
                const bool in_question = std::ranges::any_of(step.questions, [&](const LectureStep::Question& each) {
                    return in_one_line(each.ask).find(question) != std::string::npos;
                });
                return in_question ||
                       in_one_line(step.heading + " " + step.caption).find(question) != std::string::npos;
            }))
            << name << " does not ask: " << question;
    }
}

TEST(Lecture, EveryStepThatShipsHasNotesForTheSpeaker) {
    for (const Lecture& lecture : shipped_lectures())
        for (const LectureStep& step : lecture.steps)
            EXPECT_NE(step.notes, "") << lecture.name << ", line " << step.line << ": " << step.heading;
}

TEST(Lecture, SevenShip) { EXPECT_EQ(shipped_lectures().size(), 7U); }

}  // namespace
}  // namespace lanescope::session
