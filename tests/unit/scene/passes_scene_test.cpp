#include "scene/passes/draw.h"
#include "scene/passes/short_values.h"
#include "unit/scene/hand_made.h"
#include "unit/scene/legibility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace lanescope::scene {
namespace {

using analysis::Picture;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

PassesOptions sized(float width, float height = 0, float scale = 1) {
    PassesOptions options;
    options.width = width;
    options.height = height;
    options.scale = scale;
    return options;
}

/// The rows alone.
PassesOptions without_legend(float width, float height = 0) {
    PassesOptions options = sized(width, height);
    options.legend = false;
    return options;
}

struct Sample {
    const char* name;
    Picture picture;
};

std::vector<Sample> samples() {
    using namespace hand_made;
    return {{"reduction of 2", interleaved_reduction(2)},
            {"reduction of 16", interleaved_reduction(16)},
            {"reduction of 32", interleaved_reduction(32)},
            {"sequential of 32", sequential_reduction(32)},
            {"sequential of 256", sequential_reduction(256)},
            {"reduction of 1024", interleaved_reduction(1024)},
            {"scan of 8", folded_scan(8)},
            {"scan of 32", folded_scan(32)},
            {"shuffles of 8", shuffle_tree(8)},
            {"shuffles of 32", shuffle_tree(32)},
            {"histogram", histogram()},
            {"all pairs of 16", all_pairs(16)},
            {"all pairs of 64", all_pairs(64)},
            {"long values", long_values(16)},
            {"one thread", serial_scan(12)}};
}

/// The cells' rectangles in a row.
std::vector<Rect> cells_in_row(const Scene& scene, std::uint32_t row) {
    std::vector<Rect> cells = all<Rect>(scene);
    std::erase_if(cells, [&](const Rect& r) { return r.ref.kind != TraceRef::Kind::cell || r.ref.row != row; });
    return cells;
}

std::vector<Rect> rings_of(const Scene& scene, Role role) {
    std::vector<Rect> rings = all<Rect>(scene);
    std::erase_if(rings, [&](const Rect& r) { return r.stroke.role != role || r.fill.visible(); });
    return rings;
}

std::vector<Curve> arcs_of(const Scene& scene, Role role) {
    std::vector<Curve> arcs = all<Curve>(scene);
    std::erase_if(arcs, [&](const Curve& c) { return c.stroke.role != role; });
    return arcs;
}

TEST(PassesScene, CanBeReadAtEverySizeAndPlace) {
    for (const Sample& sample : samples())
        for (const float width : {300.0F, 480.0F, 640.0F, 990.0F, 1880.0F})
            for (const float height : {0.0F, 240.0F, 520.0F, 1100.0F})
                for (const float scale : {0.75F, 1.0F, 2.0F})
                    for (const PassesState& state : {hand_made::finished(), hand_made::before(sample.picture, 1)}) {
                        const Scene scene = draw_passes(sample.picture, state, sized(width, height, scale));
                        EXPECT_THAT(illegible(scene), IsEmpty())
                            << sample.name << " at " << width << " x " << height << ", scale " << scale;
                        if (testing::Test::HasFailure()) return;
                    }
}

TEST(PassesScene, FillsTheHeightButDoesNotTearRowsApart) {
    const Picture picture = hand_made::interleaved_reduction(16);
    const Scene natural = draw_passes(picture, hand_made::finished(), without_legend(990));
    const Scene tall = draw_passes(picture, hand_made::finished(), without_legend(990, natural.height + 100));
    const Scene endless = draw_passes(picture, hand_made::finished(), without_legend(990, 5000));
    const auto last_row_bottom = [&](const Scene& scene) {
        const Rect cell = cells_in_row(scene, 4).front();
        return cell.y + cell.height;
    };
    EXPECT_FLOAT_EQ(tall.height, natural.height + 100);
    EXPECT_GT(last_row_bottom(tall), tall.height - 30);
    const Scene portrait = draw_passes(picture, hand_made::finished(), without_legend(990, 950));
    EXPECT_GT(last_row_bottom(portrait), portrait.height - 30);
    EXPECT_LT(last_row_bottom(endless), 1100);
}

TEST(PassesScene, FitsTenPassesIntoThePanelOfASmallWindow) {
    // 1280 x 720: bars and narration leave about 525 points of height.
    const Picture picture = hand_made::interleaved_reduction(1024);
    EXPECT_LE(draw_passes(picture, hand_made::finished(), sized(760, 525)).height, 525);
    hand_made::Builder builder("sdata", 16, 16);
    builder.load(hand_made::lecture_input(16));
    for (int pass = 1; pass <= 10; ++pass)
        builder.pass("pass", "s").store(0, 0, pass, {0, 1}).store(8, 8, pass, {8, 9});
    EXPECT_LE(draw_passes(builder.finish({0}), hand_made::finished(), sized(760, 525)).height, 525);
}

TEST(PassesScene, IsTallerThanThePanelWhenRowsDoNotFit) {
    const Picture picture = hand_made::interleaved_reduction(16);
    const Scene scene = draw_passes(picture, hand_made::finished(), sized(990, 100));
    EXPECT_GT(scene.height, 150);
    EXPECT_THAT(illegible(scene), IsEmpty());
}

TEST(PassesScene, FitsWholeIntoAnyPanelByGivingUpItsValues) {
    for (const float height : {100.0F, 240.0F, 520.0F}) {
        PassesOptions options = without_legend(560, height);
        options.whole = true;
        for (const Sample& sample : samples()) {
            if (sample.picture.rows.size() > 16) continue;
            const Scene scene = draw_passes(sample.picture, hand_made::before(sample.picture, 1), options);
            EXPECT_LE(scene.height, height) << sample.name;
            EXPECT_THAT(illegible(scene), IsEmpty()) << sample.name << " in " << height;
        }
    }
}

TEST(PassesScene, KeepsNamesInSightHoweverFarOneHasScrolled) {
    const Picture picture = hand_made::sequential_reduction(256);
    PassesOptions options = sized(990, 300);
    options.zoom = 10;
    for (const Point at : {Point{0, 0}, Point{2400, 0}, Point{6000, 0}}) {
        options.seen_from = at;
        const Scene scene = draw_passes(picture, hand_made::before(picture, 2), options);
        const auto seen = [&](const Text& text) {
            return text.x >= at.x && text.x <= at.x + 990 && text.y >= at.y && text.y <= at.y + 300;
        };
        std::set<std::string> names;
        std::size_t bars = 0;
        for (const Text& text : all<Text>(scene))
            if (seen(text)) names.insert(text.text);
        for (const Rect& rect : all<Rect>(scene))
            bars += rect.fill.role == Role::cursor && rect.x >= at.x && rect.x < at.x + 100 ? 1 : 0;
        EXPECT_THAT(names, testing::IsSupersetOf({"load", "s = 128", "128 of 256"})) << at.x;
        EXPECT_EQ(bars, 1U) << at.x;
    }
}

TEST(PassesScene, ShowsValuesWhereTheyFitAndColorsWhereTheyDoNot) {
    const Picture wide = hand_made::sequential_reduction(256);
    const Picture small = hand_made::interleaved_reduction(16);
    EXPECT_EQ(passes_geometry(small, sized(990)).density, Density::values);
    EXPECT_EQ(passes_geometry(wide, sized(990)).density, Density::cells);
    EXPECT_EQ(passes_geometry(hand_made::interleaved_reduction(1024), sized(990)).density, Density::bars);
    EXPECT_THAT(texts_of(draw_passes(small, hand_made::finished(), sized(990))), Contains("24"));
    EXPECT_THAT(texts_of(draw_passes(wide, hand_made::finished(), sized(990))), Not(Contains("24")));
}

TEST(PassesScene, OutlinesTheCellUnderTheMouseWithAndWithoutItsValue) {
    for (const std::uint32_t size : {8U, 256U}) {
        const Picture picture = hand_made::sequential_reduction(size);
        PassesOptions options = sized(990);
        options.hovered_row = 0;
        options.hovered_column = 3;
        const PassesGeometry geometry = passes_geometry(picture, options);
        ASSERT_EQ(geometry.density, size == 8 ? Density::values : Density::cells);
        const auto outlines = rings_of(draw_passes(picture, hand_made::finished(), options), Role::text);
        const Box cell = geometry.cell(0, 3);
        EXPECT_TRUE(std::ranges::any_of(outlines, [&](const Rect& ring) {
            return std::abs(ring.x + ring.width / 2 - cell.center_x()) < 0.1F && ring.width < cell.width + 8;
        })) << size;
    }
}

TEST(PassesScene, ShowsThreeCharactersInThirtyTwoCellsOfALecturesPanel) {
    Picture picture = hand_made::sequential_reduction(32);
    for (analysis::PictureRow& row : picture.rows)
        for (analysis::Cell& cell : row.cells) cell.bits = static_cast<std::uint64_t>(-39);
    const Scene scene = draw_passes(picture, hand_made::finished(), sized(890, 530));
    EXPECT_THAT(texts_of(scene), AllOf(Contains("-39"), Not(Contains("…"))));
}

TEST(PassesScene, ARowWhoseValuesHaveNoRoomIsInColorsAndTheOthersHaveTheirValues) {
    Picture picture = hand_made::interleaved_reduction(32);
    for (analysis::PictureRow& row : picture.rows)
        for (analysis::Cell& cell : row.cells) cell.bits = 7;
    for (std::size_t column = 0; column < 32; ++column) {
        analysis::Cell& cell = picture.rows.back().cells[column];
        cell.known = column < 3;
        cell.bits = 123'456'789'012;
    }
    const Scene scene = draw_passes(picture, hand_made::finished(), sized(560, 530));
    EXPECT_THAT(texts_of(scene), AllOf(Contains("7"), Not(Contains("…"))));
}

TEST(PassesScene, NamesPassesInALittleRoomByWhatTellsThemApart) {
    Picture picture = hand_made::interleaved_reduction(32);
    for (std::size_t row = 1; row < picture.rows.size(); ++row)
        picture.rows[row].sublabel = "the_stride_of_it = " + std::to_string(1U << row);
    PassesOptions options = sized(240, 200);
    options.whole = true;
    EXPECT_THAT(texts_of(draw_passes(picture, hand_made::finished(), options)),
                AllOf(Contains(testing::EndsWith("= 2")), Not(Contains(testing::EndsWith("_…")))));
}

TEST(PassesScene, ShowsValuesAgainWhenZoomedIn) {
    PassesOptions options = sized(990);
    options.zoom = 10;
    const Scene scene = draw_passes(hand_made::sequential_reduction(256), hand_made::finished(), options);
    EXPECT_GT(scene.width, 7000);
    EXPECT_THAT(illegible(scene), IsEmpty());
    EXPECT_THAT(texts_of(scene), Contains("16"));
}

TEST(PassesScene, ShortensNumbersThatDoNotFitAtTenPoints) {
    const Scene scene = draw_passes(hand_made::long_values(16), hand_made::finished(), sized(990));
    EXPECT_THAT(texts_of(scene), Contains("-1.6e9"));
    const Scene roomy = draw_passes(hand_made::long_values(8), hand_made::finished(), sized(990));
    EXPECT_THAT(texts_of(roomy), Contains("-1600000000"));
}

TEST(PassesScene, FillsWrittenCellsAndDimsThoseNeverReadAgain) {
    const Picture picture = hand_made::interleaved_reduction(16);
    const Scene scene = draw_passes(picture, hand_made::finished(), sized(990));
    const auto row = cells_in_row(scene, 1);
    ASSERT_EQ(row.size(), 16);
    for (std::size_t c = 0; c < 16; ++c) {
        if (c % 2 == 0)
            EXPECT_EQ(row[c].fill, (Paint{Role::useful, 1}));
        else
            EXPECT_LT(row[c].fill.alpha, 1) << "element " << c << " is dead";
    }
    for (const Rect& cell : cells_in_row(scene, 0))
        EXPECT_EQ(cell.fill, (Paint{Role::useful, moved_tint})) << "loaded, not computed";
}

TEST(PassesScene, FillsWhatAnAtomicMadeOfALoadedValueAndAConstant) {
    Picture picture = hand_made::interleaved_reduction(16);
    analysis::Node& node = picture.rows[1].nodes.front();
    ASSERT_EQ(node.column, 0U);
    node.combines = false;
    node.from_global = true;
    const auto fill = [&] {
        return cells_in_row(draw_passes(picture, hand_made::finished(), sized(990)), 1).front().fill;
    };
    EXPECT_EQ(fill(), (Paint{Role::useful, 1})) << "what was there before is one of its sources";
    node.sources.clear();
    EXPECT_EQ(fill(), (Paint{Role::useful, moved_tint})) << "straight from global memory";
}

TEST(PassesScene, HatchesAndOutlinesWastedWork) {
    const Scene scene = draw_passes(hand_made::shuffle_tree(8), hand_made::finished(), sized(990));
    const auto row = cells_in_row(scene, 1);
    EXPECT_EQ(row[0].fill.role, Role::useful);
    EXPECT_TRUE(row[7].hatch.visible());
    EXPECT_EQ(row[7].stroke.role, Role::useful);
    EXPECT_NE(row[7].fill.role, Role::useful);
}

TEST(PassesScene, DrawsLanesRoundAndMemoryAngular) {
    const auto radius = [](const Picture& picture) {
        const Rect cell = cells_in_row(draw_passes(picture, hand_made::finished(), sized(990)), 0).front();
        return cell.radius / cell.height;
    };
    EXPECT_FLOAT_EQ(radius(hand_made::shuffle_tree(8)), 0.5F);
    EXPECT_LT(radius(hand_made::interleaved_reduction(8)), 0.25F);
}

TEST(PassesScene, DotsCopies) {
    const Scene scene = draw_passes(hand_made::folded_scan(8), hand_made::finished(), sized(990));
    const auto curves = all<Curve>(scene);
    EXPECT_EQ(std::ranges::count(curves, true, &Curve::dashed), 1 + 2 + 4);
    EXPECT_EQ(all<Circle>(scene).size(), 7 + 6 + 4);
}

TEST(PassesScene, DistinguishesNeverWrittenFromZero) {
    const Scene scene = draw_passes(hand_made::histogram(), hand_made::finished(), sized(990));
    const auto row = cells_in_row(scene, 1);
    ASSERT_EQ(row.size(), 22);
    EXPECT_TRUE(row[20].dashed);
    EXPECT_FALSE(row[20].fill.visible());
    EXPECT_FALSE(row[2].dashed) << "a loaded zero";
}

TEST(PassesScene, CountsTheLanesThatShareACell) {
    EXPECT_THAT(texts_of(draw_passes(hand_made::histogram(), hand_made::finished(), sized(990))), Contains("\u00D76"));
}

TEST(PassesScene, NamesArraysAlsoWhereThereIsOneOrTwoAreFolded) {
    const auto texts = [](const Picture& picture) {
        return texts_of(draw_passes(picture, hand_made::finished(), sized(990)));
    };
    EXPECT_THAT(texts(hand_made::interleaved_reduction(16)), Contains("sdata")) << "beside the indices of the only one";
    EXPECT_THAT(texts(hand_made::histogram()), testing::AllOf(Contains("keys"), Contains("bins")));
    EXPECT_THAT(texts(hand_made::folded_scan(8)), Contains("temp, two buffers folded"));
}

/// Four cells of shared memory that one pass turns around, then stored to elements of global memory.
analysis::Picture stored_at_the_end(std::uint32_t first_index) {
    hand_made::Builder builder("s", 8, 4);
    builder.load({4, 3, 2, 1}).pass("pass 1", "");
    for (std::uint32_t c = 0; c < 4; ++c) builder.copy(c, c, 3 - c);
    builder.pass("store", "");
    for (std::uint32_t c = 0; c < 4; ++c) builder.copy(4 + c, c, c);
    analysis::Picture picture = builder.finish({4, 5, 6, 7});
    picture.groups.front().count = 4;
    analysis::ColumnGroup out = picture.groups.front();
    out.name = "out";
    out.space = trace::Space::global;
    out.first_column = 4;
    out.first_index = first_index;
    picture.groups.push_back(out);
    return picture;
}

TEST(PassesScene, SetsAnOutputThatTheLastRowWritesBelowTheCellsItComesFrom) {
    const PassesGeometry below = passes_geometry(stored_at_the_end(0), {.width = 600, .height = 400});
    for (std::uint32_t c = 0; c < 4; ++c) {
        EXPECT_EQ(below.column_left[c], below.column_left[4 + c]);
        EXPECT_TRUE(below.shows(1, c) && !below.shows(2, c));
        EXPECT_TRUE(below.shows(2, 4 + c) && !below.shows(1, 4 + c));
    }
    const PassesOptions options{.width = 600, .height = 400};
    EXPECT_EQ(title_of(below, options, stored_at_the_end(0).groups[1]), "then out");
    const analysis::Picture later = stored_at_the_end(16);
    EXPECT_EQ(title_of(passes_geometry(later, options), options, later.groups[1]), "then out from 16");

    analysis::Picture both = stored_at_the_end(0);
    both.rows.back().nodes.front().column = 0;  // the last row writes shared memory, too
    EXPECT_TRUE(passes_geometry(both, options).above.empty());
    analysis::Picture earlier = stored_at_the_end(0);
    earlier.rows[1].nodes.front().column = 4;
    EXPECT_TRUE(passes_geometry(earlier, options).above.empty());
    analysis::Picture added = stored_at_the_end(0);
    added.rows.back().nodes.front().sources.push_back({.column = 4, .row = 1});  // atomicAdd
    EXPECT_TRUE(passes_geometry(added, options).above.empty());
}

/// Four elements of a, two of b, and c, whose two elements are sums of theirs.
analysis::Picture sums_of_two_arrays() {
    hand_made::Builder builder("a", 8, 2);
    builder.load({4, 3, 2, 1, 5, 6, 0, 0}).pass("whole kernel", "");
    builder.store(6, 0, 9, {0, 4}).store(7, 1, 9, {1, 5});
    analysis::Picture picture = builder.finish({6, 7});
    picture.rows.front().initial = true;
    picture.rows.front().nodes.clear();
    picture.groups.front().space = trace::Space::global;
    picture.groups.front().count = 4;
    for (const auto& [name, first] : {std::pair("b", 4U), std::pair("c", 6U)}) {
        picture.groups.push_back(picture.groups.front());
        picture.groups.back().name = name;
        picture.groups.back().first_column = first;
        picture.groups.back().count = 2;
    }
    return picture;
}

TEST(PassesScene, SetsBuffersThatAreOnlyReadAboveThoseThatAreOnlyWritten) {
    const PassesOptions options{.width = 600, .height = 400};
    const analysis::Picture sums = sums_of_two_arrays();
    const PassesGeometry g = passes_geometry(sums, options);
    EXPECT_EQ(g.column_left[6], g.column_left[0]);
    EXPECT_TRUE(g.shows(0, 5) && !g.shows(0, 6));
    EXPECT_TRUE(g.shows(1, 6) && !g.shows(1, 5));
    EXPECT_EQ(title_of(g, options, sums.groups[2]), "then c");
    // Two arrays beside each other, as many cells as the one below: both rows end before the lanes.
    analysis::Picture wide = sums;
    for (analysis::PictureRow& row : wide.rows) row.cells.resize(12, row.cells.back());
    wide.groups.back().count = 6;
    wide.columns = 12;
    const PassesGeometry both = passes_geometry(wide, options);
    EXPECT_LE(both.columns(0, 4, 5).right(), both.lanes_begin);

    analysis::Picture added = sums;  // c[0] += a[0]: its first value matters
    added.rows.back().nodes.front().sources.push_back({.column = 6, .row = 0});
    EXPECT_TRUE(passes_geometry(added, options).above.empty());
    analysis::Picture later = sums;  // a is read again two passes later
    later.rows.push_back(later.rows.back());
    EXPECT_TRUE(passes_geometry(later, options).above.empty());
}

TEST(PassesScene, NamesPassesWithoutARowInALineBetweenTwoRows) {
    Picture picture = hand_made::interleaved_reduction(16);
    const float height = draw_passes(picture, hand_made::finished(), sized(990)).height;
    picture.rows[1].between = {.first = PassId(2),
                               .last = PassId(3),
                               .label = {},
                               .reads = {"sdata"},
                               .writes = {},
                               .stores = false,
                               .computes = true};
    const auto named = [&](const PassesOptions& options) {
        const Scene scene = draw_passes(picture, hand_made::finished(), options);
        EXPECT_THAT(illegible(scene), IsEmpty());
        const std::vector<std::string> texts = texts_of(scene);
        const bool note = box_of(scene, TraceRef::Kind::note, 1).has_value();
        EXPECT_EQ(std::ranges::count(texts, "passes 2 to 3") == 1, note);
        return note;
    };
    ASSERT_TRUE(named(sized(990)));
    const Scene natural = draw_passes(picture, hand_made::finished(), sized(990));
    EXPECT_LE(natural.height, height + 25) << "thinner than a row";
    EXPECT_THAT(texts_of(natural), Contains("read sdata, keep the results in registers"));
    // Between the cells of two rows.
    const PassesGeometry g = passes_geometry(picture, sized(990));
    const Box line = *box_of(natural, TraceRef::Kind::note, 1);
    EXPECT_GE(line.y, g.row_bottom(1));
    EXPECT_LE(line.bottom(), g.row_top(2));
    // A picture that fits only without the line omits it, and has the text elsewhere.
    PassesOptions low = sized(990, 115);
    low.whole = true;
    EXPECT_FALSE(named(low));
    EXPECT_LE(draw_passes(picture, hand_made::finished(), low).height, 115);
}

TEST(PassesScene, GivesAnArrayOfFewCellsBesideALargeOneRoomForItsValue) {
    hand_made::Builder builder("sdata", 257, 256);
    std::vector<std::int64_t> values(257, 7);
    values.back() = 42;
    analysis::Picture picture = builder.load(values).pass("pass 1", "").finish({256});
    picture.groups.front().count = 256;
    analysis::ColumnGroup counter = picture.groups.front();
    counter.name = "counter";
    counter.first_column = 256;
    counter.count = 1;
    picture.groups.push_back(counter);
    const PassesOptions options{.width = 600, .height = 200};
    const PassesGeometry geometry = passes_geometry(picture, options);
    EXPECT_LT(geometry.cell(0, 0).width, 3);
    EXPECT_GE(geometry.cell(0, 256).width, 20);
    EXPECT_LE(geometry.columns(0, 0, 256).right(), geometry.lanes_begin);
    EXPECT_THAT(texts_of(draw_passes(picture, hand_made::finished(), options)), Contains("42"));

    EXPECT_TRUE(passes_geometry(hand_made::interleaved_reduction(4), options).own_pitch.empty());
}

TEST(PassesScene, SaysHowManyLanesWorked) {
    const auto texts = texts_of(draw_passes(hand_made::interleaved_reduction(16), hand_made::finished(), sized(990)));
    EXPECT_THAT(texts, Contains("8 of 16"));
    EXPECT_THAT(texts, Contains("1 of 16"));
    EXPECT_THAT(texts, Contains("lanes"));
}

TEST(PassesScene, SaysHowManyLanesWereUsefulAndHowManyWrote) {
    const auto texts = texts_of(draw_passes(hand_made::shuffle_tree(32), hand_made::finished(), sized(1200)));
    EXPECT_THAT(texts, Contains("8 of 32"));
    EXPECT_THAT(texts, Contains("32 write"));
}

TEST(PassesScene, NamesAnArrayInFullThatIsNarrowerThanItsName) {
    Picture picture = hand_made::histogram();
    picture.groups.back().name = "bins_of_all_the_warps_of_the_block_and_some_more";
    const Scene scene = draw_passes(picture, hand_made::finished(), sized(990));
    EXPECT_THAT(texts_of(scene), testing::AllOf(Contains("keys"), Contains(picture.groups.back().name)));
    EXPECT_THAT(illegible(scene), testing::IsEmpty());
}

TEST(PassesScene, NamesThePassThatStoresInFull) {
    Picture picture = hand_made::interleaved_reduction(16);
    picture.rows.resize(1);
    PassesState state = hand_made::after(picture, 0);
    state.current = PassId(1);
    state.label = "store";
    EXPECT_THAT(texts_of(draw_passes(picture, state, sized(990))), Contains("store"));
}

TEST(PassesScene, SetsTheSignOfAFaultThatTouchesNoCellBehindTheNameOfItsPass) {
    Picture picture = hand_made::interleaved_reduction(16);
    for (analysis::PictureRow& row : picture.rows) row.sublabel = "first = 8 again";
    for (const float height : {160.0F, 240.0F, 520.0F, 1100.0F}) {
        PassesOptions options = sized(640, height);
        for (std::uint32_t row = 0; row < picture.rows.size(); ++row) options.faults.push_back({0, row, {}, 0});
        const Scene scene = draw_passes(picture, hand_made::finished(), options);
        std::size_t signs = 0;
        for (const Circle& sign : all<Circle>(scene)) {
            if (sign.ref.kind != TraceRef::Kind::fault) continue;
            ++signs;
            for (const Text& text : all<Text>(scene)) {
                const bool beside = std::abs(text.y - sign.y) < sign.radius + text.size / 2;
                if (text.anchor != Anchor::start || !beside || text.x > sign.x) continue;
                EXPECT_LE(text.x + text_width(text.font, text.size, text.text), sign.x - sign.radius)
                    << "'" << text.text << "' in a height of " << height;
            }
        }
        EXPECT_EQ(signs, picture.rows.size());
    }
}

TEST(PassesScene, OutlinesAllCellsThatAFaultTouchesAndThoseBesideEachOtherOnce) {
    const Picture picture = hand_made::interleaved_reduction(16);
    PassesOptions options = sized(990, 520);
    options.faults.push_back({.finding = 0, .row = 1, .column = 3, .step = 0});
    for (const std::uint32_t column : {4U, 5U, 9U})
        options.faults.push_back({.finding = 0, .row = 1, .column = column, .step = 0, .again = true});
    const Scene scene = draw_passes(picture, hand_made::finished(), options);
    std::vector<Rect> outlines = rings_of(scene, Role::cost);
    std::erase_if(outlines, [](const Rect& ring) { return !ring.dashed; });
    ASSERT_EQ(outlines.size(), 2U);
    const auto cells = cells_in_row(scene, 1);
    const auto covers = [&](const Rect& outline, std::uint32_t column) {
        const auto cell = std::ranges::find(cells, column, [](const Rect& each) { return each.ref.column; });
        return cell != cells.end() && outline.x <= cell->x && outline.x + outline.width >= cell->x + cell->width;
    };
    for (std::uint32_t column = 0; column < 16; ++column) {
        EXPECT_EQ(covers(outlines[0], column), column >= 3 && column <= 5) << column;
        EXPECT_EQ(covers(outlines[1], column), column == 9) << column;
    }
    EXPECT_EQ(std::ranges::count_if(all<Circle>(scene),
                                    [](const Circle& sign) { return sign.ref.kind == TraceRef::Kind::fault; }),
              1);
}

TEST(PassesScene, DistinguishesFiveDigitsInTheCellsOfASmallWindow) {
    Picture picture = hand_made::sequential_reduction(16);
    std::uint64_t next = 12001;
    for (analysis::PictureRow& row : picture.rows)
        for (analysis::Cell& cell : row.cells) cell.bits = next++;
    const Scene scene = draw_passes(picture, hand_made::finished(), sized(520, 440));
    EXPECT_THAT(illegible(scene), IsEmpty());
    EXPECT_THAT(texts_of(scene), AllOf(Contains("001"), Contains("002"), Contains("016"), Contains("12,")));
    // Ten rows of them have no room: colors again.
    EXPECT_EQ(passes_geometry(picture, sized(520, 120)).density, Density::cells);
}

TEST(PassesScene, OutlinesTheHalo) {
    Picture picture = hand_made::interleaved_reduction(16);
    EXPECT_THAT(rings_of(draw_passes(picture, hand_made::finished(), sized(990)), Role::text), IsEmpty());
    picture.halo.resize(16);
    picture.halo[0] = picture.halo[14] = picture.halo[15] = true;
    const Scene scene = draw_passes(picture, hand_made::finished(), sized(990));
    EXPECT_EQ(rings_of(scene, Role::text).size(), 2 * picture.rows.size());
}

TEST(PassesScene, TellsLoadedCellsFromThoseNotYetWrittenAtEverySize) {
    for (const Picture& picture : {hand_made::interleaved_reduction(16), hand_made::sequential_reduction(256),
                                   hand_made::interleaved_reduction(1024)}) {
        const Scene scene = draw_passes(picture, hand_made::before(picture, 1), without_legend(990));
        std::set<float> opacities;
        for (const Rect& rect : all<Rect>(scene))
            if (rect.fill.role == Role::useful) opacities.insert(rect.fill.alpha);
        EXPECT_TRUE(opacities.contains(moved_tint)) << picture.columns;
        for (const float alpha : opacities)
            EXPECT_TRUE(alpha >= moved_tint || alpha < 0.6F * moved_tint) << alpha << " of " << picture.columns;
    }
}

TEST(PassesLegend, NamesTheLooksThatThePictureHas) {
    const Picture sum = hand_made::interleaved_reduction(16), tree = hand_made::shuffle_tree(8);
    EXPECT_THAT(texts_of(passes_legend(sum, true, 900)), ElementsAre("computed", "loaded", "unchanged"));
    EXPECT_THAT(texts_of(passes_legend(sum, false, 900)), ElementsAre("computed", "loaded", "not yet", "unchanged"));
    EXPECT_THAT(texts_of(passes_legend(tree, true, 900)),
                ElementsAre("computed", "loaded", "unchanged", "reaches no output"));
    Picture stencil = sum;
    stencil.halo.assign(stencil.columns, true);
    EXPECT_THAT(texts_of(passes_legend(stencil, true, 900)), ElementsAre("computed", "loaded", "unchanged", "halo"));
    EXPECT_THAT(texts_of(passes_legend(hand_made::folded_scan(16), true, 900)), Contains("loaded or copied"));
    Picture zeroed = sum;
    for (analysis::Node& node : zeroed.rows.front().nodes) {
        node.from_global = node.column > 0;
        node.immediate = node.column == 0;
    }
    EXPECT_THAT(texts_of(passes_legend(zeroed, true, 900)), Contains("loaded or constant"));
    EXPECT_THAT(texts_of(passes_legend(Picture{}, true, 900)), IsEmpty()) << "no cell has a look";
}

TEST(PassesLegend, HasAsManyEntriesAsFit) {
    const Picture tree = hand_made::shuffle_tree(8);
    const float whole = passes_legend(tree, true, 900).width;
    EXPECT_THAT(texts_of(passes_legend(tree, true, whole)), testing::SizeIs(4));
    EXPECT_THAT(texts_of(passes_legend(tree, true, whole - 1)), ElementsAre("computed", "loaded", "unchanged"));
}

TEST(PassesLegend, IsBelowThePictureAndWithinItsHeight) {
    const Picture picture = hand_made::interleaved_reduction(16);
    for (const float height : {0.0F, 520.0F, 1100.0F}) {
        const Scene bare = draw_passes(picture, hand_made::finished(), without_legend(990, height));
        const Scene scene = draw_passes(picture, hand_made::finished(), sized(990, height));
        EXPECT_FLOAT_EQ(scene.height, height == 0 ? bare.height + passes_legend_height : height);
        EXPECT_THAT(texts_of(bare), Not(Contains("computed")));
        const Rect last = cells_in_row(scene, static_cast<std::uint32_t>(picture.rows.size() - 1)).front();
        for (const Text& text : all<Text>(scene)) {
            if (text.text != "computed") continue;
            EXPECT_GT(text.y - text.size, last.y + last.height);
            EXPECT_LT(text.y, scene.height);
        }
        EXPECT_THAT(texts_of(scene), Contains("computed"));
    }
}

TEST(ShortValues, SayWhatALineHasNoRoomFor) {
    const float three = 3 * text_width(Font::code, smallest_text, "0") + 0.5F;
    const auto shown = [&](const std::string& text) { return short_value(text, Font::code, three, 30); };
    using testing::ElementsAre;
    EXPECT_THAT(shown("12346"), ElementsAre("12,", "346"));
    EXPECT_THAT(shown("-12346"), ElementsAre("-12", "346"));
    EXPECT_THAT(shown("123456"), ElementsAre("123", "456"));
    EXPECT_THAT(shown("-123"), ElementsAre("-", "123"));
    EXPECT_THAT(shown("-1.2358"), ElementsAre("-1", ".24"));
    EXPECT_THAT(shown("1234567"), ElementsAre("1e6"));
    EXPECT_THAT(shown("0.25"), ElementsAre("0", ".25"));
    EXPECT_THAT(shown("1.5000001"), ElementsAre("1.5"));
    EXPECT_THAT(short_value("12346", Font::code, three, 12), ElementsAre("12k"));
    EXPECT_THAT(short_value("123456", Font::code, three + 6, 30), ElementsAre("123,", "456"));
    EXPECT_THAT(short_value("3.14159", Font::code, 2 * three, 30), ElementsAre("3.1416"));
    // An exponent by itself would read as another number.
    EXPECT_THAT(shown("-1234567890"), ElementsAre("-", "1e9"));
    EXPECT_THAT(shown("-123456"), ElementsAre("-", "1e5"));
    EXPECT_THAT(short_value("1234567", Font::code, three + 6, 30), ElementsAre("1.23", "×10⁶"));
}

TEST(ShortValues, AreMarkedWhereTheyAreRounded) {
    const float digit = text_width(Font::code, smallest_text, "0");
    const auto shown = [&](const std::string& text, float digits, float height) {
        return marked_value(text, Font::code, digits * digit + 0.5F, height);
    };
    EXPECT_THAT(shown("3.14159", 5, 12), ElementsAre("≈3.14"));
    EXPECT_THAT(shown("30000.029999999995", 10, 12), ElementsAre("≈30000.03"));
    EXPECT_THAT(shown("123456", 5, 12), ElementsAre("≈123k"));
    EXPECT_THAT(shown("123456", 4, 30), ElementsAre("123,", "456")) << "two lines have all digits";
    EXPECT_THAT(shown("0.500", 4, 12), ElementsAre("0.5")) << "nothing is lost";
    EXPECT_THAT(shown("-123456", 2, 12), ElementsAre("…"));
    EXPECT_TRUE(is_decimal("-2.5e-7"));
    EXPECT_FALSE(is_decimal("0x7f00") || is_decimal("nan") || is_decimal("1 → 2"));
}

TEST(PassesScene, ShowsTheFutureAsAGhost) {
    const Picture picture = hand_made::interleaved_reduction(16);
    const Scene scene = draw_passes(picture, hand_made::after(picture, 2), sized(990));
    EXPECT_FLOAT_EQ(cells_in_row(scene, 1).front().fill.alpha, 1);
    EXPECT_FLOAT_EQ(cells_in_row(scene, 2).front().fill.alpha, 1);
    EXPECT_FLOAT_EQ(cells_in_row(scene, 3).front().fill.alpha, ghost);
    EXPECT_FLOAT_EQ(cells_in_row(scene, 4).front().fill.alpha, ghost);
}

TEST(PassesScene, OutlinesTheCellsOfThePassBeingExecuted) {
    const Picture picture = hand_made::interleaved_reduction(16);
    EXPECT_EQ(rings_of(draw_passes(picture, hand_made::after(picture, 2), sized(990)), Role::cursor).size(), 4);
    EXPECT_EQ(rings_of(draw_passes(picture, hand_made::finished(), sized(990)), Role::cursor).size(), 0);
}

TEST(PassesScene, OutlinesRunsWhereCellsAreSmall) {
    const Picture picture = hand_made::sequential_reduction(256);
    const auto rings = rings_of(draw_passes(picture, hand_made::after(picture, 1), sized(990)), Role::cursor);
    ASSERT_EQ(rings.size(), 1);
    EXPECT_GT(rings.front().width, 300);
}

TEST(PassesScene, FillsInAPassStepByStep) {
    const Picture picture = hand_made::interleaved_reduction(16);
    PassesState state = hand_made::before(picture, 2);
    EXPECT_LT(cells_in_row(draw_passes(picture, state, sized(990)), 2).front().fill.alpha, 0.5F) << "not stored yet";
    EXPECT_EQ(arcs_of(draw_passes(picture, state, sized(990)), Role::cursor).size(), 1) << "the load that comes next";
    state.next = StepId{picture.rows[2].nodes.front().step.value + 1};
    EXPECT_FLOAT_EQ(cells_in_row(draw_passes(picture, state, sized(990)), 2).front().fill.alpha, 1);
    EXPECT_LT(cells_in_row(draw_passes(picture, state, sized(990)), 2)[4].fill.alpha, 0.5F) << "another lane's";
}

TEST(PassesScene, LightsTheWholePastOfTheSelection) {
    const Picture picture = hand_made::interleaved_reduction(16);
    const PassesState state = hand_made::selecting(picture, hand_made::after(picture, 3), 3, 8);
    const Scene scene = draw_passes(picture, state, sized(990));
    // Eight inputs, four sums, two sums, itself; two arcs and a line down for each of its seven additions.
    EXPECT_EQ(rings_of(scene, Role::selected).size(), 8 + 4 + 2 + 1);
    EXPECT_EQ(arcs_of(scene, Role::selected).size(), 3 * 7);
}

TEST(PassesScene, KeepsAValueLitWhileItWaitsToBeRead) {
    hand_made::Builder builder("sdata", 4, 4);
    builder.load({1, 2, 3, 4});
    builder.pass("pass 1", "").store(3, 3, 7, {3, 2});
    builder.pass("pass 2", "").store(0, 0, 8, {0, 3});
    builder.pass("pass 3", "").store(0, 0, 10, {0, 1});
    const Picture picture = builder.finish({0});
    const PassesState state = hand_made::selecting(picture, hand_made::finished(), 3, 0);
    const auto lit = cells_in_past(picture, state.past, state.current);
    EXPECT_TRUE(lit[0 * 4 + 1] && lit[1 * 4 + 1] && lit[2 * 4 + 1]) << "2 waits through two rows";
    EXPECT_FALSE(lit[3 * 4 + 1]) << "and has been read then";
    EXPECT_FALSE(lit[3 * 4 + 3]);
}

TEST(PassesScene, NeverDrawsASolidBlobOfArcs) {
    // The ink of the arcs over the gap's width, were they spread evenly.
    for (const std::uint32_t n : {64U, 256U, 1024U}) {
        const Picture picture = hand_made::sequential_reduction(n);
        const PassesOptions options = sized(990, 700);
        const PassesGeometry g = passes_geometry(picture, options);
        const Scene scene = draw_passes(picture, hand_made::finished(), options);
        double ink = 0;
        for (const Curve& arc : arcs_of(scene, Role::read)) {
            if (arc.y0 > g.row_bottom(0) + 1) continue;
            ink += double(arc.stroke_width) * double(arc.stroke.alpha) * std::abs(double(arc.x3 - arc.x0));
        }
        EXPECT_LT(ink / double(g.gap() * 800), 0.5) << n;
    }
}

TEST(PassesScene, StaysSmallForThousandsOfCells) {
    EXPECT_LT(draw_passes(hand_made::sequential_reduction(1024), hand_made::finished(), sized(990)).shapes.size(),
              1500);
    EXPECT_LT(draw_passes(hand_made::interleaved_reduction(1024), hand_made::finished(), sized(990)).shapes.size(),
              5000);
}

TEST(PassesScene, IsHitWhereACellIsAtEveryDensity) {
    for (const std::uint32_t n : {16U, 256U, 1024U}) {
        const Picture picture = hand_made::sequential_reduction(n);
        const PassesOptions options = sized(990);
        const Scene scene = draw_passes(picture, hand_made::finished(), options);
        const PassesGeometry g = passes_geometry(picture, options);
        for (const std::uint32_t column : {0U, 3U, n / 2, n - 1}) {
            const TraceRef ref = hit(scene, g.column_center(column), g.row_top(2) + g.cell_height / 2);
            EXPECT_EQ(ref.kind, TraceRef::Kind::cell);
            EXPECT_EQ(ref.row, 2);
            EXPECT_NEAR(ref.column, column, n > 512 ? 1 : 0) << n;
        }
    }
}

TEST(PassesScene, IsHitOnCirclesAndArcsAndBesideThem) {
    const Picture picture = hand_made::interleaved_reduction(16);
    const Scene scene = draw_passes(picture, hand_made::finished(), sized(990));
    const Circle circle = all<Circle>(scene)[1];
    EXPECT_EQ(hit(scene, circle.x, circle.y).kind, TraceRef::Kind::node);
    EXPECT_EQ(hit(scene, circle.x, circle.y).column, 2);
    EXPECT_EQ(hit(scene, 20, circle.y).kind, TraceRef::Kind::row);
}

TEST(PassesLens, ShowsTheTrueCellsUnderTheMouse) {
    const Picture picture = hand_made::sequential_reduction(256);
    PassesOptions options = sized(990, 400);
    const PassesGeometry g = passes_geometry(picture, options);
    options.lens_x = g.column_center(100);
    options.lens_y = g.row_top(2) + 3;
    const Scene scene = draw_passes(picture, hand_made::finished(), options);
    EXPECT_THAT(texts_of(scene), testing::AllOf(Contains("100"), Contains("99"), Contains("101")));
    EXPECT_THAT(texts_of(scene), Contains(value_text(picture.groups[0], 100, picture.rows[2].cells[100])));
    EXPECT_EQ(rings_of(scene, Role::selected).size(), 1);
}

TEST(PassesLens, StaysInsideThePictureAtItsEdges) {
    const Picture picture = hand_made::interleaved_reduction(1024);
    PassesOptions options = sized(760, 440);
    const PassesGeometry g = passes_geometry(picture, options);
    for (const std::uint32_t column : {0U, 1U, 511U, 1023U})
        for (const std::size_t row : {0U, 5U, 10U}) {
            options.lens_x = g.column_center(column);
            options.lens_y = g.row_top(row) + 2;
            const Scene scene = draw_passes(picture, hand_made::finished(), options);
            for (const Rect& rect : all<Rect>(scene)) {
                EXPECT_GE(rect.x, 0);
                EXPECT_GE(rect.y, 0);
                EXPECT_LE(rect.x + rect.width, scene.width);
                EXPECT_LE(rect.y + rect.height, scene.height);
            }
        }
}

TEST(PassesLens, IsNotNeededWhereValuesAreRead) {
    PassesOptions options = sized(990);
    const Picture picture = hand_made::interleaved_reduction(16);
    const std::size_t without = draw_passes(picture, hand_made::finished(), options).shapes.size();
    options.lens_x = 400, options.lens_y = 40;
    EXPECT_EQ(draw_passes(picture, hand_made::finished(), options).shapes.size(), without);
}

PassesOptions with_maps(std::uint32_t n, float width, float height = 0, float scale = 1) {
    PassesOptions options = sized(width, height, scale);
    options.joint = {hand_made::maps(n)};
    return options;
}

TEST(JointValues, AreLinesOfOneCellAtEverySize) {
    for (const std::uint32_t n : {2U, 8U, 32U, 256U})
        for (const float width : {300.0F, 640.0F, 1880.0F})
            for (const float height : {0.0F, 240.0F, 1100.0F})
                for (const float scale : {0.75F, 2.0F}) {
                    const Scene scene = draw_passes(hand_made::scan_of_maps(n), hand_made::finished(),
                                                    with_maps(n, width, height, scale));
                    EXPECT_THAT(illegible(scene), IsEmpty())
                        << n << " at " << width << " x " << height << ", " << scale;
                    if (testing::Test::HasFailure()) return;
                }
    const Picture picture = hand_made::scan_of_maps(8);
    const PassesGeometry g = passes_geometry(picture, with_maps(8, 640));
    for (std::uint32_t i = 0; i < 8; ++i) {
        const Box slope = g.cell(1, i), offset = g.cell(1, 8 + i);
        EXPECT_EQ(slope.x, offset.x);
        EXPECT_EQ(slope.bottom(), offset.y);
        EXPECT_EQ(offset.bottom(), g.row_bottom(1));
    }
}

TEST(JointValues, AreNamedOnceAndEachHasOneCircleWithItsArcsOnce) {
    const Picture picture = hand_made::scan_of_maps(8);
    const Scene joined = draw_passes(picture, hand_made::finished(), with_maps(8, 990));
    EXPECT_THAT(texts_of(joined), Contains("slope, offset: one value"));
    EXPECT_THAT(joined.title, testing::HasSubstr("slope, offset: one value (8 elements)"));
    std::size_t circles = 0;  // of the last pass, d = 4
    for (const Circle& circle : all<Circle>(joined)) circles += circle.ref.row == 3 ? 1 : 0;
    EXPECT_EQ(circles, 4);
    const auto arcs = [](const Scene& scene) {
        return std::ranges::count_if(
            all<Curve>(scene), [](const Curve& c) { return c.ref.kind == TraceRef::Kind::arc && c.ref.row == 3; });
    };
    EXPECT_EQ(arcs(joined), 4 * 2);
    EXPECT_EQ(arcs(draw_passes(picture, hand_made::finished(), sized(990))), 4 * (3 + 2));
}

TEST(JointValues, AreHitPartByPart) {
    const Picture picture = hand_made::scan_of_maps(8);
    const PassesOptions options = with_maps(8, 990);
    const PassesGeometry g = passes_geometry(picture, options);
    const Scene scene = draw_passes(picture, hand_made::finished(), options);
    for (const std::uint32_t column : {3U, 11U}) {
        const Box cell = g.cell(2, column);
        EXPECT_EQ(hit(scene, cell.center_x(), cell.y + cell.height / 2).column, column);
    }
}

TEST(JointValues, AreLinesOfTheLens) {
    const Picture picture = hand_made::scan_of_maps(256);
    PassesOptions options = with_maps(256, 640, 400);
    const PassesGeometry g = passes_geometry(picture, options);
    options.lens_x = g.column_center(100);
    options.lens_y = g.row_top(2) + 3;
    const Scene scene = draw_passes(picture, hand_made::finished(), options);
    for (const std::uint32_t column : {100U, 356U})
        EXPECT_THAT(texts_of(scene), Contains(value_text(picture.groups[0], column, picture.rows[2].cells[column])));
}

TEST(PassesScene, SaysWhatItWouldShowWhenThereIsNothing) {
    const Scene scene = draw_passes(Picture{}, hand_made::finished(), sized(300, 200));
    EXPECT_THAT(illegible(scene), IsEmpty());
    EXPECT_FALSE(texts_of(scene).empty());
}

TEST(PassesScene, DescribesItselfInWords) {
    const Scene scene = draw_passes(hand_made::interleaved_reduction(16), hand_made::finished(), sized(990));
    EXPECT_EQ(scene.title, "Passes over sdata (16 elements)");
    EXPECT_THAT(scene.description,
                testing::HasSubstr("pass 3, s = 4: 2 of 16 lanes wrote sdata[0] = 24, sdata[8] = 17."));
}

TEST(PassesScene, ManyNodesThatReadAllOfTheSameCellsShareAHub) {
    const Picture all = hand_made::all_pairs(16);
    const Scene scene = draw_passes(all, hand_made::finished(), sized(900));
    EXPECT_THAT(texts_of(scene), Contains("each of 16 reads all 16"));
    EXPECT_LT(arcs_of(scene, Role::read).size(), 60U) << "256 arcs";
    // A node whose value is selected has its arcs themselves.
    PassesState one = hand_made::finished();
    one.past.selected = all.rows[1].cells[3].value;
    one.past.values.resize(one.past.selected.index() + 1);
    one.past.values.back() = true;
    EXPECT_EQ(arcs_of(draw_passes(all, one, sized(900)), Role::selected).size(), 17U) << "and the line to its cell";
    EXPECT_THAT(texts_of(draw_passes(hand_made::all_pairs(7), hand_made::finished(), sized(900))),
                Not(Contains(testing::HasSubstr("reads all"))))
        << "49 arcs can be told apart";
    Picture but_one = hand_made::all_pairs(16);
    but_one.rows[1].nodes[5].sources.pop_back();
    EXPECT_THAT(texts_of(draw_passes(but_one, hand_made::finished(), sized(900))), Contains("each of 15 reads all 16"));
}

TEST(PassesScene, OfHubsInOnePlaceOneIsNamed) {
    Picture halves = hand_made::all_pairs(32);
    auto& nodes = halves.rows[1].nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        std::erase_if(nodes[i].sources, [&](const analysis::Source& source) { return source.column % 2 != i % 2; });
    const std::vector<std::string> texts = texts_of(draw_passes(halves, hand_made::finished(), sized(900)));
    EXPECT_EQ(std::ranges::count(texts, "each of 16 reads all 16"), 1);
}

}  // namespace
}  // namespace lanescope::scene
