#include "unit/tree/text_rules.h"

#include "places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lanescope::tree {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const fs::path root = LANESCOPE_SOURCE_DIR;

struct File {
    fs::path path;
    std::string name, text;  ///< the name is the path below the root
};

/// The product's and the tests' text files, the lectures, and the documents at the top.
const std::vector<File>& files() {
    static const std::vector<File> all = [] {
        std::vector<fs::path> paths = {root / "README.md", root / "CMakeLists.txt", root / "run.sh", root / "test.sh"};
        for (const char* folder : {"app", "kernels", "shaders", "tests", "assets/lectures"}) {
            for (const auto& entry : fs::recursive_directory_iterator(root / folder))
                if (entry.is_regular_file()) paths.push_back(entry.path());
        }
        std::ranges::sort(paths);
        std::vector<File> read;
        for (const fs::path& path : paths) {
            std::ifstream in(path, std::ios::binary);
            std::string text{std::istreambuf_iterator<char>(in), {}};
            if (text.contains('\0')) continue;  // a picture or a trace
            read.push_back({path, path.lexically_relative(root).generic_string(), std::move(text)});
        }
        return read;
    }();
    return all;
}

/// This test names what it looks for.
bool is_exempt(const std::string& name) { return name.starts_with("tests/unit/tree/text_rules"); }

/// Sources and documents whose lines are checked, not data.
bool has_short_lines(const File& file) {
    const std::set<std::string> extensions = {".h",    ".cpp",  ".inc",  ".cu", ".cuh",  ".md",
                                              ".vert", ".frag", ".glsl", ".sh", ".cmake"};
    return (extensions.contains(file.path.extension().string()) || file.path.filename() == "CMakeLists.txt") &&
           !file.name.contains("/data/");
}

/// Kernels and lessons are shown beside pictures.
bool is_kernel_or_lesson(const File& file) {
    return file.name.starts_with("kernels/") && file.name.find('/', 8) != std::string::npos;
}

void expect_none(const std::vector<std::string>& violations) {
    for (const std::string& violation : violations) ADD_FAILURE() << violation;
}

TEST(Headers, BeginWithACommentThatSaysTheirQuestion) {
    for (const File& file : files())
        if (file.path.extension() == ".h") expect_none(check_file_comment(file.name, file.text));
    EXPECT_THAT(check_file_comment("app/a.h", "// What is shown?\n#pragma once\n"), IsEmpty());
    EXPECT_THAT(check_file_comment("app/a.h", "#pragma once\n// What is shown?\n"), SizeIs(1));
}

TEST(RetiredWords, AreGone) {
    for (const File& file : files()) {
        if (is_exempt(file.name)) continue;
        expect_none(check_words(file.name, file.text, retired_identifiers()));
        expect_none(check_words(file.name, file.text, retired_phrases()));
    }
}

TEST(RetiredWords, AreFoundAsWholeWords) {
    const std::vector<Retired> words = {{"Seat", "Bookmark"}, {"Do it again", "Redo"}};
    EXPECT_THAT(check_words("app/a.h", "int x;\nSeat seat;\n", words),
                ElementsAre("app/a.h:2: says \"Seat\", now \"Bookmark\""));
    EXPECT_THAT(check_words("app/a.h", "Seats, aSeat, Seat_; \"Do it against\"\n", words), IsEmpty());
    EXPECT_THAT(check_words("README.md", "(\"Do it again\")\n", words), SizeIs(1));
}

TEST(Spelling, IsAmerican) {
    // Kernels have their PTX kept beside them by their text; programs of others and what was recorded are data.
    const std::set<std::string> data = {".cu", ".cuh", ".ptx", ".json", ".txt", ".svg", ".csv"};
    for (const File& file : files()) {
        if (is_exempt(file.name) || file.name.contains("/data/") || file.name.contains("/fake/")) continue;
        if (data.contains(file.path.extension().string()) && file.path.filename() != "CMakeLists.txt") continue;
        expect_none(check_spelling(file.name, file.text));
    }
}

TEST(Spelling, IsThatOfNamesButNotOfQuotations) {
    EXPECT_THAT(check_spelling("app/a.h", "int least_colour;\nint Neighbours;\n// \"behaviour\"\n"), SizeIs(3));
    EXPECT_THAT(check_spelling("app/a.h", "int color;\n// synchronized, precise, otherwise\n"), IsEmpty());
    EXPECT_THAT(check_spelling("a.md", "> its colour\nSays \"impossible to parallelise\" of it.\n"), IsEmpty());
    EXPECT_THAT(check_spelling("a.md", "impossible to parallelise\n"), SizeIs(1));
}

TEST(CountedNouns, HaveTheirPluralFromOneFunction) {
    int sources = 0;
    for (const File& file : files()) {
        const std::string extension = file.path.extension().string();
        if (!file.name.starts_with("app/") || (extension != ".h" && extension != ".cpp")) continue;
        ++sources;
        expect_none(check_counted_nouns(file.name, file.text));
    }
    EXPECT_GT(sources, 500);
}

TEST(CountedNouns, AreFoundAfterANumber) {
    EXPECT_THAT(check_counted_nouns("app/a.cpp", "fmt::format(\"{} of {} lanes\", a, b);\n"),
                ElementsAre("app/a.cpp:1: a number with \"lanes\""));
    EXPECT_THAT(check_counted_nouns("app/a.cpp", "text + \" bytes\" + more"), SizeIs(1));
    EXPECT_THAT(check_counted_nouns("app/a.cpp", "fmt::format(\"{} runs {}\", a, counted(b, \"lane\"));\n"), IsEmpty());
    EXPECT_THAT(check_counted_nouns("app/a.cpp", "fmt::format(\"{} bytesize\", a)"), IsEmpty());
}

TEST(Lines, AreShort) {
    for (const File& file : files())
        if (has_short_lines(file)) expect_none(check_line_length(file.name, file.text));
}

TEST(Lines, OfKernelsAndLessonsAreShorter) {
    int kernels = 0;
    for (const File& file : files()) {
        const std::string extension = file.path.extension().string();
        if (!is_kernel_or_lesson(file) || (extension != ".cu" && extension != ".md")) continue;
        ++kernels;
        expect_none(check_line_length(file.name, file.text, longest_kernel_line));
    }
    EXPECT_GT(kernels, 100);
}

TEST(Lines, OfTablesAndQuotationsInADocumentAreAsLongAsTheyNeed) {
    const std::string row = "  | " + std::string(longest_line, 'x') + " |\n";
    const std::string quotation = "> " + std::string(longest_line, 'x') + "\n";
    for (const std::string& line : {row, quotation}) {
        EXPECT_THAT(check_line_length("README.md", line), IsEmpty());
        EXPECT_THAT(check_line_length("app/a.h", line), SizeIs(1));
    }
}

TEST(Lines, OfLecturesAreChecked) {
    const auto in_a_lecture = [](const File& file) {
        return file.name.starts_with("assets/lectures/") && has_short_lines(file);
    };
    EXPECT_GE(std::ranges::count_if(files(), in_a_lecture), 7);
}

TEST(Lines, OfTheFirstDocumentAreFew) {
    const auto readme = std::ranges::find(files(), "README.md", &File::name);
    ASSERT_NE(readme, files().end());
    EXPECT_LE(std::ranges::count(readme->text, '\n'), 150);
}

TEST(Lines, AreCountedInCharacters) {
    const std::string line(longest_line - 1, 'x');
    EXPECT_THAT(check_line_length("app/a.h", line + "²\n" + line + "xx\n"),
                ElementsAre("app/a.h:2: 121 characters, at most 120"));
}

class Documents : public ::testing::Test {
  protected:
    /// As a document in `folder` names it: below the root, or beside the document; a bare name: anywhere in the tree.
    static bool exists(const fs::path& folder, std::string_view named) {
        if (fs::exists(root / named) || fs::exists(folder / named)) return true;
        return !named.contains('/') &&
               std::ranges::any_of(files(), [&](const File& file) { return file.path.filename().string() == named; });
    }
};

TEST_F(Documents, NameFilesThatExist) {
    for (const File& file : files()) {
        if (file.path.extension() != ".md") continue;
        expect_none(check_named_files(file.name, file.text,
                                      [&](std::string_view named) { return exists(file.path.parent_path(), named); }));
    }
}

// "`cut_passes()` in `app/analysis/passes/pass_cuts.cpp`": one of the files that the line names has the function.
TEST_F(Documents, NameFunctionsThatTheirFilesHave) {
    int functions = 0;
    for (const File& file : files()) {
        if (file.name != "app/README.md") continue;
        for (const std::vector<std::string>& line : code_by_line(file.text)) {
            for (const std::string& code : line) {
                if (!code.ends_with("()")) continue;
                ++functions;
                const std::string name = code.substr(code.find_last_of(':') + 1, code.size() - 1);
                const std::string called = name.substr(0, name.size() - 1);
                EXPECT_TRUE(std::ranges::any_of(files(), [&](const File& each) {
                    return std::ranges::find(line, each.name) != line.end() && each.text.contains(called);
                })) << code;
            }
        }
    }
    EXPECT_GE(functions, 3);
}

const std::string& text_named(std::string_view name) {
    const auto file = std::ranges::find(files(), name, &File::name);
    if (file == files().end()) throw std::runtime_error("there is no file " + std::string(name));
    return file->text;
}

// The table of what the documents teach: "| ... | `trace reduce/sequential` | ... |". The cases run commands and
// compare their output, so a command of the table that is in no case was never run.
TEST_F(Documents, TheCommandsOfTheTableOfWhatTheyTeachAreCases) {
    const std::string& readme = text_named("kernels/README.md");
    const std::size_t table = readme.find("## What the documents teach, a command each");
    ASSERT_NE(table, std::string::npos);
    std::set<std::string> named;
    std::istringstream rows(readme.substr(table, readme.find("\n## ", table + 1) - table));
    for (std::string row; std::getline(rows, row);) {
        const std::size_t begin = row.find("| `"), end = row.find("` |", begin);
        if (begin != std::string::npos && end != std::string::npos && !row.contains("`lanescope ...`"))
            named.insert(row.substr(begin + 3, end - begin - 3));
    }
    std::set<std::string> run;
    for (const char* cases : {"documents", "documents_programs"}) {
        std::istringstream lines(text_named(std::string("tests/cases/commands/") + cases + ".args"));
        for (std::string line; std::getline(lines, line);) {
            // A case writes to a folder of its own.
            if (const std::size_t folder = line.find("$TMP/"); folder != std::string::npos) line.erase(folder, 5);
            if (!line.empty() && !line.starts_with('#')) run.insert(line);
        }
    }
    EXPECT_GE(named.size(), 28U);
    EXPECT_EQ(named, run);
}

TEST_F(Documents, AreReadForPathsInCodeAndInLinks) {
    std::vector<std::string> asked;
    const auto note = [&](std::string_view named) {
        asked.emplace_back(named);
        return named != "app/gone.h";
    };
    EXPECT_THAT(check_named_files("README.md",
                                  "`app/ui`, `trace.h`, `reduce/sequential`, `my_kernel.cu`, `--json`\n"
                                  "![picture](assets/a.png), [there](https://x.org/a.h), [here](#keys), [pass "
                                  "3](lanescope:pass/3), `app/gone.h`\n",
                                  note),
                ElementsAre("README.md:2: names app/gone.h, which does not exist"));
    EXPECT_THAT(asked, ElementsAre("app/ui", "trace.h", "app/gone.h", "assets/a.png"));
}

}  // namespace
}  // namespace lanescope::tree
