// The page of a lesson: it wraps, has the height that its text needs, and links are found under the mouse.
#include "scene/lesson_scene.h"

#include "scene/text.h"

#include <gmock/gmock.h>

#include <variant>

namespace lanescope::scene {
namespace {

using BlockKind = Block::Kind;

Block block(BlockKind kind, std::vector<Span> spans, std::vector<Block> children = {}) {
    return {.kind = kind, .spans = std::move(spans), .children = std::move(children)};
}
Block document(std::vector<Block> blocks) { return block(BlockKind::document, {}, std::move(blocks)); }
Span words(std::string text) { return {.text = std::move(text), .link = {}}; }

std::vector<Text> texts(const Scene& scene) {
    std::vector<Text> all;
    for (const Shape& shape : scene.shapes)
        if (const auto* text = std::get_if<Text>(&shape)) all.push_back(*text);
    return all;
}

std::string repeated(const std::string& word, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += (i == 0 ? "" : " ") + word;
    return text;
}

const Block long_paragraph = document({block(BlockKind::paragraph, {words(repeated("wavefront", 40))})});

TEST(LessonPage, WrapsAtItsWidthAndGrowsInHeight) {
    const LessonPage narrow = lesson_page(long_paragraph, 200), wide = lesson_page(long_paragraph, 600);
    for (const auto& [page, width] : {std::pair(&narrow, 200.0F), std::pair(&wide, 600.0F)}) {
        EXPECT_EQ(texts(page->scene).size(), 40U);
        for (const Text& text : texts(page->scene)) {
            EXPECT_LE(text.x + text_width(text.font, text.size, text.text), width);
            EXPECT_LE(text.y, page->scene.height);
        }
    }
    EXPECT_GT(narrow.scene.height, wide.scene.height);
}

TEST(LessonPage, KeepsTogetherWhatStandsTogether) {
    Span code = words("sdata[tid]");
    code.code = true;
    const LessonPage page =
        lesson_page(document({block(BlockKind::paragraph, {words(repeated("x", 14) + " "), code, words(".")})}), 160);
    const std::vector<Text> all = texts(page.scene);
    ASSERT_GE(all.size(), 2U);
    EXPECT_EQ(all[all.size() - 2].text, "sdata[tid]");
    EXPECT_EQ(all[all.size() - 2].font, Font::code);
    EXPECT_EQ(all.back().text, ".");
    EXPECT_EQ(all.back().y, all[all.size() - 2].y);
}

TEST(LessonPage, FindsALinkUnderEachOfItsWordsAndBetweenThem) {
    Span link = words("step to pass 3");
    link.link = "lanescope:pass/3";
    const LessonPage page =
        lesson_page(document({block(BlockKind::paragraph, {words("Now "), link, words(" again.")})}), 400);
    ASSERT_THAT(page.links, testing::ElementsAre("lanescope:pass/3"));
    for (const Text& text : texts(page.scene)) {
        const bool linked = text.text != "Now" && text.text != "again.";
        const TraceRef under = hit(page.scene, text.x + 1, text.y - 2);
        EXPECT_EQ(under.kind == TraceRef::Kind::link, linked) << text.text;
        if (text.text == "to") {
            EXPECT_EQ(hit(page.scene, text.x - 1, text.y - 2).kind, TraceRef::Kind::link) << "the space before it";
        }
    }
}

TEST(LessonPage, SetsATableInColumns) {
    const auto row = [](const std::string& a, const std::string& b) {
        return block(BlockKind::row, {}, {block(BlockKind::cell, {words(a)}), block(BlockKind::cell, {words(b)})});
    };
    const LessonPage page =
        lesson_page(document({block(BlockKind::table, {}, {row("link", "action"), row("pass", "steps")})}), 300);
    const std::vector<Text> all = texts(page.scene);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].x, all[2].x);
    EXPECT_EQ(all[1].x, all[3].x);
    EXPECT_GT(all[1].x, all[0].x + text_width(all[0].font, all[0].size, all[0].text));
    EXPECT_EQ(all[0].y, all[1].y);
    EXPECT_LT(all[1].y, all[2].y);
}

TEST(LessonPage, NumbersAnOrderedListAndMarksQuotations) {
    Block second = block(BlockKind::item, {words("two")});
    second.number = 2;
    const LessonPage page =
        lesson_page(document({block(BlockKind::list, {}, {second}),
                              block(BlockKind::quotation, {}, {block(BlockKind::paragraph, {words("said")})}),
                              block(BlockKind::code, {words("int x;\nint y;\n")})}),
                    300);
    std::vector<std::string> set;
    for (const Text& text : texts(page.scene)) set.push_back(text.text);
    EXPECT_THAT(set, testing::UnorderedElementsAre("2.", "two", "said", "int x;", "int y;"));
}

}  // namespace
}  // namespace lanescope::scene
