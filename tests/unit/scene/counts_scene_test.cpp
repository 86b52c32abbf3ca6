// The Counts picture: text is legible at any size, parts without room scroll, and the item under the mouse is found.
#include "scene/counts_scene.h"

#include "scene/text.h"
#include "unit/scene/legibility.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace lanescope::scene {
namespace {

using analysis::CountRow;
using testing::Contains;
using testing::IsEmpty;
using RefKind = TraceRef::Kind;

/// A block of so many passes, of which two have been executed and a third is under way.
analysis::CountsPicture picture_of(std::size_t passes) {
    analysis::CountsPicture picture;
    picture.threads = 64;
    for (std::size_t index = 0; index < passes; ++index) {
        CountRow row;
        row.whole.label = fmt::format("s = {}", 1U << index % 10);
        row.whole.lanes = 16;
        row.whole.useful_lanes = 512;
        row.whole.counts.warp_instructions = 1234567;
        row.whole.counts.shared_load_wavefronts = 1048576;
        row.whole.counts.shared_store_wavefronts = 524288;
        row.whole.counts.operations = 8;
        row.state = index < 2    ? CountRow::State::done
                    : index == 2 ? CountRow::State::under_way
                                 : CountRow::State::ahead;
        if (row.state != CountRow::State::ahead) row.pass = row.whole;
        picture.total.counts += row.pass.counts;
        picture.rows.push_back(row);
    }
    picture.columns = analysis::count_columns({}, 32);
    picture.all_columns = true;
    picture.forms = {{.name = "work", .expression = "n - 1", .value = 15, .measured = 15},
                     {.name = "span", .expression = "log2 n", .value = 4, .measured = {}}};
    return picture;
}

TEST(CountsScene, CanBeReadAtEverySize) {
    for (const std::size_t passes : {1U, 6U, 12U, 40U}) {
        for (const float width : {400.0F, 480.0F, 640.0F, 900.0F}) {
            for (const float height : {0.0F, 300.0F, 460.0F, 900.0F}) {
                const CountsOptions options{.width = width, .height = height, .hardware = {{true, "H200: equal"}}};
                const Scene scene = counts_scene(picture_of(passes), options);
                if (scene.viewports.empty()) {
                    EXPECT_THAT(illegible(scene), IsEmpty()) << passes << " in " << width << " x " << height;
                }
                if (height > 0) {
                    EXPECT_EQ(scene.height, height);
                }
            }
        }
    }
}

TEST(CountsScene, SaysHeadingsInFullWhereTheyHaveRoom) {
    const auto wide = texts_of(counts_scene(picture_of(4), {.width = 800}));
    EXPECT_THAT(wide, Contains("wavefronts"));
    EXPECT_THAT(wide, Contains("efficiency"));
    const auto narrow = texts_of(counts_scene(picture_of(4), {.width = 480}));
    EXPECT_THAT(narrow, Contains("load wf"));
}

TEST(CountsScene, ChartsPutAQuestionMarkInPlaceOfAShareThatIsNotKnown) {
    analysis::CountsPicture picture = picture_of(8);
    const auto drawn = [&] {
        const Scene scene = counts_scene(picture, {.width = 900, .height = 500});
        const auto texts = texts_of(scene);
        return std::pair(std::ranges::count(texts, "?"), all<Circle>(scene).size());
    };
    const auto [marks, points] = drawn();
    ASSERT_EQ(marks, 0);
    ASSERT_EQ(points, 16U) << "two shares of eight passes";
    picture.rows[1].pass.unknown_lanes = picture.rows[1].whole.unknown_lanes = 5;
    const auto [marks_now, points_now] = drawn();
    EXPECT_EQ(marks_now, 5) << "one in the chart, the others in the table";
    EXPECT_EQ(points_now, 14U);
}

TEST(CountsScene, HasFiveColumnsUnlessAllAreAskedFor) {
    analysis::CountsPicture picture = picture_of(4);
    const auto headings = [&] {
        const Scene scene = counts_scene(picture, {.width = 900});
        std::uint32_t count = 0;
        while (box_of(scene, RefKind::heading, 0, count)) ++count;
        return count;
    };
    EXPECT_EQ(headings(), picture.columns.size());
    picture.all_columns = false;
    EXPECT_EQ(headings(), 5U);
    const auto texts = texts_of(counts_scene(picture, {.width = 900}));
    for (const char* heading : {"efficiency", "wavefronts", "sectors", "instructions", "work"})
        EXPECT_THAT(texts, Contains(heading));
    EXPECT_THAT(texts, testing::Not(Contains("excess"))) << "no pass has any";
}

TEST(CountsScene, RoundsLargeCountsOnlyWhereTheyHaveNoRoomAndAlignsTheirDigits) {
    analysis::CountsPicture picture = picture_of(4);
    picture.all_columns = false;
    for (CountRow& row : picture.rows) row.whole.counts.warp_instructions = 123'456'789;
    picture.rows[0].pass.counts.warp_instructions = 12'345'678;
    picture.rows[1].pass.counts.warp_instructions = 4'321;
    const CountsOptions wide{.width = 900};
    CountsOptions narrow = wide;
    while (narrow.width > 200 && !rounds_counts(picture, narrow)) narrow.width -= 5;
    EXPECT_FALSE(rounds_counts(picture, wide));
    EXPECT_THAT(texts_of(counts_scene(picture, wide)), Contains("12,345,678"));
    ASSERT_TRUE(rounds_counts(picture, narrow));
    const Scene scene = counts_scene(picture, narrow);
    EXPECT_THAT(illegible(scene), IsEmpty());
    std::optional<Text> rounded, exact;
    for (const Text& text : all<Text>(scene)) {
        if (text.text == "12.3 M") rounded = text;
        if (text.text == "4,321") exact = text;
    }
    ASSERT_TRUE(rounded && exact);
    EXPECT_GT(rounded->size, 12) << "rounded before all numbers are small";
    EXPECT_NEAR(exact->x, rounded->x - text_width(rounded->font, rounded->size, " M"), 0.01F)
        << "the last digits are below each other";
    EXPECT_EQ(box_of(scene, RefKind::row, 4).has_value(), true) << "the total can be pointed at";
    EXPECT_THAT(scene.description, testing::HasSubstr("12,345,678")) << "the description keeps all digits";
}

TEST(CountsScene, ShowsTheExcessBesideTheColumnInTheColorOfCosts) {
    analysis::CountsPicture picture = picture_of(4);
    picture.all_columns = false;
    for (CountRow& row : picture.rows) row.whole_excess.wavefronts = 777;
    picture.rows[1].excess.wavefronts = picture.total_excess.wavefronts = 777;
    for (const float width : {340.0F, 480.0F, 900.0F}) {
        const Scene scene = counts_scene(picture, {.width = width});
        std::size_t costs = 0;
        for (const Text& text : all<Text>(scene)) costs += text.text == "777" && text.fill.role == Role::cost ? 1 : 0;
        EXPECT_EQ(costs, 2U) << "of the pass and of all that has been executed";
        EXPECT_THAT(texts_of(scene), Contains("excess"));
        EXPECT_THAT(illegible(scene), IsEmpty()) << width;
        EXPECT_THAT(scene.description, testing::HasSubstr("(777 excessive)"));
    }
    picture.baseline_total = analysis::Pass{};
    EXPECT_THAT(texts_of(counts_scene(picture, {.width = 900})), testing::Not(Contains("excess")))
        << "the change from the baseline stands there";
}

TEST(CountsScene, FindsRowsHeadingsNotesAndBars) {
    const Scene scene = counts_scene(picture_of(4), {.width = 800});
    const auto at = [&](RefKind kind, std::uint32_t row, std::uint32_t column) {
        const auto box = box_of(scene, kind, row, column);
        return box ? hit(scene, box->center_x(), box->center_y()) : TraceRef{};
    };
    EXPECT_EQ(at(RefKind::row, 2, 0), (TraceRef{RefKind::row, 2, 0, {}}));
    EXPECT_EQ(at(RefKind::heading, 0, 3), (TraceRef{RefKind::heading, 0, 3, {}}));
    EXPECT_EQ(at(RefKind::heading, 1, 4), (TraceRef{RefKind::heading, 1, 4, {}})) << "the title of a chart";
    EXPECT_EQ(at(RefKind::note, 1, 0), (TraceRef{RefKind::note, 1, 0, {}}));
    EXPECT_EQ(at(RefKind::chart, 3, 1), (TraceRef{RefKind::chart, 3, 1, {}}));
    EXPECT_EQ(hit(scene, 1, scene.height - 1).kind, RefKind::none);
}

TEST(CountsScene, ScrollsRowsUnderTheHeadingsAndTheTotal) {
    const auto scene_at = [](float scroll, std::optional<std::size_t> centered = {}) {
        return counts_scene(picture_of(40), {.width = 800, .height = 400, .scroll_y = scroll, .centered = centered});
    };
    const Scene top = scene_at(0);
    ASSERT_EQ(top.viewports.size(), 1U);
    const Viewport rows = top.viewports.front();
    EXPECT_GT(rows.height, rows.box.height);
    EXPECT_TRUE(box_of(top, RefKind::row, 0));
    EXPECT_FALSE(box_of(top, RefKind::row, 39)) << "what is out of sight is not drawn";
    EXPECT_THAT(texts_of(top), Contains("total"));
    const Viewport beyond = scene_at(1e6F).viewports.front();
    EXPECT_EQ(beyond.scroll_y, rows.height - rows.box.height) << "kept within its bounds";
    const Scene middle = scene_at(0, 20);
    const auto row = box_of(middle, RefKind::row, 20);
    ASSERT_TRUE(row);
    EXPECT_TRUE(rows.box.contains(row->center_x(), row->center_y()));
}

TEST(CountsScene, ItsScrollBarLiesBelowTheTotal) {
    const Scene scene = counts_scene(picture_of(4), {.width = 160, .height = 500});
    ASSERT_EQ(scene.viewports.size(), 1U);
    const Viewport& part = scene.viewports.front();
    EXPECT_GT(part.width, part.box.width) << "columns have no room";
    EXPECT_EQ(part.height, part.box.height) << "rows have";
    for (const Shape& shape : scene.shapes) {
        const auto* const text = std::get_if<Text>(&shape);
        EXPECT_TRUE(text == nullptr || text->text != "total" || text->y < part.box.bottom());
    }
}

TEST(CountsScene, ShowsOneChartWhereThereIsRoomForOneOnly) {
    const Scene scene = counts_scene(picture_of(4), {.width = 480, .height = 440, .chart = 2});
    EXPECT_TRUE(box_of(scene, RefKind::control)) << "room for the tabs";
    EXPECT_TRUE(box_of(scene, RefKind::chart, 0, 2));
    EXPECT_FALSE(box_of(scene, RefKind::chart, 0, 1));
    const Scene all = counts_scene(picture_of(4), {.width = 480});
    for (std::uint32_t chart = 0; chart < 5; ++chart) EXPECT_TRUE(box_of(all, RefKind::chart, 0, chart)) << chart;
}

TEST(CountsScene, MarksAgreementBySignsBesideTheColors) {
    analysis::CountsPicture picture = picture_of(2);
    const auto crosses = [&] {
        std::size_t count = 0;
        for (const Curve& curve : all<Curve>(counts_scene(picture, {.width = 800})))
            if (curve.stroke.role == Role::cost) ++count;
        return count;
    };
    EXPECT_EQ(crosses(), 0U);
    picture.forms[0].measured = 14;
    EXPECT_EQ(crosses(), 2U) << "the two strokes of a cross";
}

}  // namespace
}  // namespace lanescope::scene
