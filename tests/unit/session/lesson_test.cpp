// The lesson beside a kernel: its front matter, its Markdown, and what is wrong with them, by line and column.
#include "session/lesson.h"

#include "base/grouped.h"
#include "catalog_support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace lanescope::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string own_kernel = "__global__ void k(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }\n";

Result<Program> with_lesson(const std::string& lesson) { return program_from_source(own_kernel, "dir/k.cu", lesson); }

Place place_of_problem(const std::string& lesson) {
    const Result<Program> program = with_lesson(lesson);
    EXPECT_FALSE(program) << lesson;
    return program ? Place() : program.error().where;
}

TEST(Lesson, SaysWhatCommentLinesSay) {
    const Result<Program> program = with_lesson(
        "---\ntitle: \"Copy: one element a thread\"\nfamily: copy\norder: 7\narguments:\n  in: input(n, grid * block)\n"
        "  out: zeros(n)\nblock: 16\nblock rule: power of two\nblock reason: Because this\n  is how it is.\n---\n\n"
        "Copies\nelements.\n\n## What to look at\n\n- One\n  item.\n- Two.\n");
    ASSERT_TRUE(program) << program.error().message();
    EXPECT_EQ(program->lesson.title, "Copy: one element a thread");
    EXPECT_EQ(program->lesson.family, "copy");
    EXPECT_EQ(program->lesson.order, 7);
    EXPECT_EQ(program->lesson.summary, "Copies elements.");
    EXPECT_THAT(plans(*program), ElementsAre("in = input(n, grid * block)", "out = zeros(n)"));
    EXPECT_EQ(program->recipe.block, "16");
    EXPECT_EQ(program->recipe.limits.block_reason, "Because this is how it is.");
    EXPECT_THAT(paragraphs_of(program->lesson, section::look), ElementsAre("One item.", "Two."));
    EXPECT_THAT(paragraphs_of(program->lesson, section::reading), IsEmpty());
}

TEST(Lesson, OfCommentLinesHasTheSameSections) {
    const Program program =
        read(own_kernel +
             "// lanescope: summary = Copies.\n// lanescope: look = One.\n// lanescope: words = A.\n"
             "// lanescope: look = Two.\n// lanescope: words = B.\n// lanescope: lecture = Mine\n");
    EXPECT_EQ(program.lesson.summary, "Copies.");
    EXPECT_THAT(paragraphs_of(program.lesson, section::look), ElementsAre("One.", "Two."));
    EXPECT_THAT(paragraphs_of(program.lesson, section::words), ElementsAre("A.", "B."));
    EXPECT_THAT(paragraphs_of(program.lesson, section::lecture), ElementsAre("Mine"));
}

TEST(Lesson, PutsQuotationsInQuotationMarks) {
    const Lesson lesson{
        .sections = {{std::string(section::words), "> One\n> two.\n\n> Three.\n\nA remark\nof two lines.\n"}}};
    EXPECT_THAT(paragraphs_of(lesson, section::words),
                ElementsAre("\"One two.\"", "\"Three.\"", "A remark of two lines."));
}

TEST(Lesson, HasItsSectionsAndItemsWhereMarkdownHasThem) {
    const Result<Program> program = with_lesson(
        "---\ntitle: A\n---\n\nCopies.\n\n## What to look at\n\n```\n## no heading\n```\n\n* **One** `a * b`\n  more\n"
        "  - nested\n\n### Detail\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## From\n\nA\n\n## What to look at\n\nLast\n");
    ASSERT_TRUE(program) << program.error().message();
    EXPECT_THAT(paragraphs_of(program->lesson, section::look),
                ElementsAre("## no heading", "**One** `a * b` more", "nested", "### Detail",
                            "| a | b | |---|---| | 1 | 2 |", "Last"));
    EXPECT_THAT(paragraphs_of(program->lesson, section::lecture), ElementsAre("A"));
}

TEST(Lesson, NamesLineAndColumnOfWhatIsWrong) {
    EXPECT_EQ(place_of_problem("---\ntitle: A\n"), (Place{"dir/k.md", 2, 1})) << "no end";
    EXPECT_EQ(place_of_problem("---\n  title: A\n---\n"), (Place{"dir/k.md", 2, 3})) << "continues nothing";
    EXPECT_EQ(place_of_problem("---\ntitle\n---\n"), (Place{"dir/k.md", 2, 1})) << "no colon";
    EXPECT_EQ(place_of_problem("---\ntitle:\n---\n"), (Place{"dir/k.md", 2, 6})) << "no value";
    EXPECT_EQ(place_of_problem("---\ntitle: \"A\n---\n"), (Place{"dir/k.md", 2, 8})) << "open quotation mark";
    EXPECT_EQ(place_of_problem("---\norder: first\n---\n"), (Place{"dir/k.md", 2, 8})) << "no number";
    EXPECT_EQ(place_of_problem("---\ntitle: A\ncolor: red\n---\n"), (Place{"dir/k.md", 3, 1})) << "no key";
    EXPECT_EQ(place_of_problem("---\ngrid: n / m\n---\n"), (Place{"dir/k.md", 2, 11})) << "no expression";
    EXPECT_EQ(place_of_problem("---\narguments:\n  out: zeros(m)\n---\n"), (Place{"dir/k.md", 3, 14}));
    EXPECT_EQ(place_of_problem("---\narguments:\n  size: n\n---\n"), (Place{"dir/k.md", 3, 3})) << "no parameter";
}

TEST(Lesson, BesideAFileLeavesNoRoomForCommentLines) {
    const Result<Program> program =
        program_from_source(own_kernel + "// lanescope: block = 8\n", "dir/k.cu", "---\ntitle: A\n---\n");
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().where, (Place{"dir/k.cu", 2, 15}));
    EXPECT_THAT(program.error().remedy, HasSubstr("dir/k.md"));
}

TEST(Lesson, OfEveryKernelIsInTheTableOfTheFolder) {
    std::ifstream stream(std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels/README.md");
    const std::string table{std::istreambuf_iterator<char>(stream), {}};
    for (const Program& program : catalog()) {
        const std::string link = lesson_beside(program.source.name).substr(std::string_view("kernels/").size());
        const std::string& fault = program.recipe.expected.fault;
        constexpr std::string_view faulty = "Faulty: ";
        const std::string row = fault.empty()
                                    ? fmt::format("| [`{}`]({}) | {} | {} |", program.name, link, program.lesson.title,
                                                  with_grouped_numbers(program.recipe.limits.block))
                                    : fmt::format("| [`{}`]({}) | {} | {} |", program.name, link,
                                                  program.lesson.title.substr(faulty.size()), fault);
        EXPECT_THAT(table, HasSubstr(row));
    }
}

TEST(Lesson, IsReadBesideAFileOnDisk) {
    const std::filesystem::path file =
        std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels/reduce/interleaved_modulo.cu";
    const Result<Program> program = read_program(file);
    ASSERT_TRUE(program) << program.error().message();
    EXPECT_EQ(program->lesson.title, find_program("reduce/interleaved-modulo")->lesson.title);
    EXPECT_FALSE(program->source.built_in);
}

}  // namespace
}  // namespace lanescope::session
