// The Lesson panel: Markdown is read, links act, and every link of every lesson leads somewhere.
#include "ui/panels/lesson.h"
#include "base/markdown.h"
#include "ui/lesson_link.h"
#include "ui/links.h"
#include "ui/window_test.h"

#include "session/catalog.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace lanescope::ui {
namespace {

std::vector<std::string> links_of(const session::Lesson& lesson) {
    std::vector<std::string> links;
    add_links(markdown::parsed(lesson.summary), links);
    for (const session::Lesson::Section& section : lesson.sections) add_links(markdown::parsed(section.text), links);
    return links;
}

TEST(Markdown, BecomesATreeOfBlocks) {
    const markdown::Block document = markdown::parsed(
        "# Title\n\nSome *soft* and **loud** `code`, a [link](lanescope:pass/3).\n\n- one\n- two\n\n3. three\n\n"
        "> said\n\n```\nint x;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n");
    using Kind = markdown::Block::Kind;
    std::vector<Kind> kinds;
    kinds.reserve(document.children.size());
    for (const markdown::Block& block : document.children) kinds.push_back(block.kind);
    EXPECT_THAT(kinds, testing::ElementsAre(Kind::heading, Kind::paragraph, Kind::list, Kind::list, Kind::quotation,
                                            Kind::code, Kind::table));
    const std::vector<markdown::Span>& spans = document.children[1].spans;
    ASSERT_EQ(spans.size(), 9U);
    EXPECT_TRUE(spans[1].emphasis);
    EXPECT_TRUE(spans[3].strong);
    EXPECT_TRUE(spans[5].code);
    EXPECT_EQ(spans[7].link, "lanescope:pass/3");
    EXPECT_EQ(document.children[2].children.size(), 2U);
    EXPECT_EQ(document.children[3].children[0].number, 3U);
    EXPECT_EQ(document.children[5].spans[0].text, "int x;\n");
    EXPECT_EQ(document.children[6].children[1].children[1].spans[0].text, "2");
}

TEST(Markdown, LeavesHtmlAndUnknownEntitiesAsText) {
    const markdown::Block document = markdown::parsed("reduce5<512> a &lt; b &#215; c &what; __syncthreads()");
    ASSERT_EQ(document.children.size(), 1U);
    std::string text;
    for (const markdown::Span& span : document.children[0].spans) text += span.text;
    EXPECT_EQ(text, "reduce5<512> a < b × c &what; __syncthreads()");
}

TEST(LessonLinks, AreReadOrRefused) {
    EXPECT_EQ(lesson_link("lanescope:pass/3")->number, 3U);
    EXPECT_EQ(lesson_link("lanescope:panel/banks")->name, "banks");
    const auto launch = lesson_link("lanescope:launch?block=256&n=512");
    ASSERT_TRUE(launch);
    EXPECT_THAT(launch->fields,
                testing::ElementsAre(testing::Pair(Field::block, "256"), testing::Pair(Field::n, "512")));
    EXPECT_EQ(sentence_of(*launch), "Set block to 256 and n to 512");
    const auto stalled = lesson_link("lanescope:launch?multiprocessors=G80&order=stall+1");
    ASSERT_TRUE(stalled);
    EXPECT_THAT(stalled->fields, testing::ElementsAre(testing::Pair(Field::multiprocessors, "G80"),
                                                      testing::Pair(Field::order, "stall 1")))
        << "a Markdown link contains no space";
    for (const char* wrong : {"https://example.com", "lanescope:pass/x", "lanescope:pass", "lanescope:launch?size=3",
                              "lanescope:launch?n", "lanescope:jump/3"})
        EXPECT_FALSE(lesson_link(wrong)) << wrong;
}

class LessonTest : public WindowTest {
  protected:
    static const LessonPanel& lesson() { return dynamic_cast<const LessonPanel&>(panel("Lesson")); }
    static bool panel_exists(const std::string& name) {
        return std::ranges::any_of(shell().panels(), [&](const auto& each) {
            std::string title = each->title();
            std::ranges::transform(title, title.begin(), [](unsigned char c) { return char(std::tolower(c)); });
            return title == name;
        });
    }
    /// The problem of the link in the launch that is shown; empty: none.
    static std::string problem_of(const std::string& target) {
        const auto link = lesson_link(target);
        if (!link) return "is no link of a lesson";
        const Shown& shown = *workspace().shown();
        const trace::Trace& trace = shown.trace();
        switch (link->kind) {
            case LessonLink::Kind::pass:
                return link->number < shown.passes->passes.size() ? "" : "the launch has no such pass";
            case LessonLink::Kind::panel: return panel_exists(link->name) ? "" : "there is no such panel";
            case LessonLink::Kind::open:
                return session::find_program(link->name) != nullptr ? "" : "there is no such kernel";
            case LessonLink::Kind::block:
                return trace.recorded(shown.launch, BlockId(link->number)) ? "" : "the block is not recorded";
            case LessonLink::Kind::launch:
                return link->number < trace.launches.size() ? "" : "the program has no such launch";
            case LessonLink::Kind::line: {
                const auto& steps = trace.steps();
                const bool executed = std::ranges::any_of(
                    steps, [&](const trace::Step& step) { return shown.map->cuda_line(step.line) == link->number; });
                return executed ? "" : "no instruction of this line is executed";
            }
            case LessonLink::Kind::fields: break;
        }
        session::Request request{.program = shown.run->program.name};
        for (const auto& [field, text] : link->fields) {
            if (field == Field::block) request.block = std::uint32_t(std::stoul(text));
            if (field == Field::n) request.n = std::stoull(text);
            if (field == Field::view && text != "compiled" && text != "written") return "there is no such view";
        }
        Progress progress;
        return session::run(request, progress) ? "" : "the launch is refused";
    }
};

TEST_F(LessonTest, EveryLinkOfEveryLessonLeadsSomewhere) {
    for (const session::Program& program : session::catalog()) {
        LaunchValues values;  // the kernel's own launch, which its lesson describes
        values[Field::program] = program.name;
        workspace().begin(std::move(values));
        settle();
        ASSERT_EQ(workspace().shown()->run->program.name, program.name);
        const std::vector<std::string> links = links_of(program.lesson);
        EXPECT_GE(links.size(), 2U) << program.name << " says where to look, with links";
        for (const std::string& link : links) EXPECT_EQ(problem_of(link), "") << program.name << ": " << link;
    }
}

TEST_F(LessonTest, AClickOnALinkStepsToThePass) {
    workspace().open("reduce/interleaved-modulo");
    settle();
    shell().bring_up("Lesson");
    frames(3);
    const auto& links = lesson().links();
    const auto found = std::ranges::find(links, std::string("lanescope:pass/4"));
    ASSERT_NE(found, links.end());
    const ImVec2 at = lesson().link_on_screen(std::size_t(found - links.begin()));
    act([&](ImGuiTestContext& person) {
        person.MouseMoveToPos(at);
        person.MouseClick();
    });
    EXPECT_EQ(workspace().pass(), 4U);
}

TEST_F(LessonTest, LinksSetTheLaunchAndOpenKernels) {
    workspace().open("reduce/sequential");
    settle();
    follow(*lesson_link("lanescope:launch?block=64&n=128"), shell());
    settle();
    EXPECT_EQ(workspace().shown()->run->block, 64U);
    EXPECT_EQ(workspace().shown()->run->n, 128U);
    follow(*lesson_link("lanescope:block/1"), shell());
    EXPECT_EQ(workspace().shown()->block, BlockId(1));
    follow(*lesson_link("lanescope:block/2"), shell());
    EXPECT_EQ(workspace().shown()->block, BlockId(1));
    EXPECT_THAT(shell().notice().text(), testing::HasSubstr("Block 2 of launch 0 is not recorded"));
    follow(*lesson_link("lanescope:open/scan/in-place"), shell());
    settle();
    EXPECT_EQ(workspace().shown()->run->program.name, "scan/in-place");
}

TEST_F(LessonTest, APageHoldsTheRunAndTheSections) {
    workspace().open("reduce/sequential");
    settle();
    const std::string text = lesson_text(*workspace().shown());
    for (const char* part :
         {"# Reduction 3: sequential", "`n - grid`", "## In this run", "## What to look at", "## Further reading"})
        EXPECT_THAT(text, testing::HasSubstr(part));
}

}  // namespace
}  // namespace lanescope::ui
