// The Grid panel with more arcs than can be told apart: bundles that count each arc once, and single arcs when zoomed
// in; and what it says of blocks that were not recorded.
#include "scene/grid_scene.h"

#include "scene/grid/arc_bundles.h"
#include "unit/scene/hand_made.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

namespace lanescope::scene {
namespace {

using analysis::GridPicture;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint32_t blocks = 800, slots = 8;
constexpr std::uint64_t ticks = 10;  // of a block

/// A chain of blocks: each reads a flag and a sum of the one before; every eighth also takes a ticket.
GridPicture chain(std::uint32_t recorded = blocks) {
    GridPicture picture;
    analysis::GridLaunch launch{.slots = slots};
    for (std::uint32_t id = 0; id < blocks; ++id) {
        const std::uint64_t begin = id / slots * ticks + id % slots;
        launch.blocks.push_back(
            {.id = BlockId(id), .time = {begin, begin + ticks}, .slot = id % slots, .recorded = id < recorded});
    }
    launch.time = {0, launch.blocks.back().time.past_last};
    picture.end = launch.time.past_last;
    for (std::uint32_t id = 1; id < recorded; ++id) {
        const std::uint64_t read = launch.blocks[id].time.past_last - 2;
        const auto add = [&](std::uint32_t buffer, bool atomic) {
            picture.arcs.push_back({.from = BlockId(id - 1),
                                    .to = BlockId(id),
                                    .buffer = buffer,
                                    .atomic = atomic,
                                    .written_at = read - 1,
                                    .read_at = read,
                                    .reads = 2});
        };
        add(0, false);
        add(1, false);
        if (id % 8 == 0) add(2, true);
    }
    picture.launches.push_back(std::move(launch));
    return picture;
}

trace::Trace trace_of_chain() {
    trace::Trace trace;
    trace.launches.push_back({.kernel = "scan", .grid = {blocks, 1, 1}, .block = {32, 1, 1}});
    for (const char* name : {"flag", "sum", "ticket"}) trace.buffers.push_back({.name = name});
    return trace;
}

GridOptions grid_sized(double zoom = 1, double scroll = 0) {
    return {.width = 1000, .height = 420, .zoom = zoom, .scroll_x = scroll};
}

std::vector<std::string> texts(const Scene& scene) {
    std::vector<std::string> all;
    for (const Shape& shape : scene.shapes)
        if (const auto* const text = std::get_if<Text>(&shape)) all.push_back(text->text);
    return all;
}

TEST(GridArcs, AreBundledWhereTheyAreTooManyAndEachIsCountedOnce) {
    const GridPicture picture = chain();
    const GridPanelLayout layout(picture, grid_sized());
    ASSERT_EQ(layout.tracks(), 3U);
    std::vector<std::size_t> arcs(3);
    for (const ArcBundle& bundle : arc_bundles(picture, layout)) {
        arcs[bundle.track] += bundle.arcs;
        EXPECT_EQ(bundle.reads, 2 * bundle.arcs);
        EXPECT_EQ(bundle.within, bundle.from == bundle.to);
        EXPECT_LE(bundle.from, bundle.to) << "what is read was written before";
        EXPECT_GE(bundle.from, static_cast<double>(layout.body().x));
        EXPECT_LE(bundle.to, static_cast<double>(layout.body().right()));
        EXPECT_EQ(bundle.atomic, bundle.track == 2);
        EXPECT_EQ(bundle.blocks.first, bundle.sources.first + 1) << "of a chain";
    }
    EXPECT_THAT(arcs, testing::ElementsAre(blocks - 1, blocks - 1, (blocks - 1) / 8)) << "the array with most is first";
}

TEST(GridArcs, AreDrawnOneByOneWhereTheVisiblePartHasFew) {
    const GridPicture picture = chain();
    const GridPanelLayout zoomed(picture, grid_sized(16, 4000));
    EXPECT_EQ(zoomed.tracks(), 0U);
    const Scene scene = grid_scene(trace_of_chain(), picture, grid_sized(16, 4000));
    std::size_t single = 0;
    for (const Shape& shape : scene.shapes)
        if (const auto* const curve = std::get_if<Curve>(&shape); curve && curve->ref.kind == TraceRef::Kind::arc) {
            EXPECT_EQ(curve->ref.column, 0U) << "no bundle";
            ++single;
        }
    const auto seen = std::ranges::count_if(picture.arcs, [&](const auto& arc) { return zoomed.sees(arc); });
    EXPECT_GT(seen, 20);
    EXPECT_EQ(single, static_cast<std::size_t>(seen));
}

/// Two blocks of a launch, 100 ticks long: block 1 reads at `read` what block 0 wrote.
GridPicture two_blocks(std::uint64_t read) {
    GridPicture picture;
    picture.end = 100;
    analysis::GridLaunch launch{.time = {0, 100}, .slots = 2};
    for (std::uint32_t id = 0; id < 2; ++id)
        launch.blocks.push_back({.id = BlockId(id), .time = {0, 100}, .slot = id, .recorded = true});
    picture.launches.push_back(std::move(launch));
    picture.arcs.push_back(
        {.from = BlockId(0), .to = BlockId(1), .buffer = 0, .written_at = read - 1, .read_at = read, .reads = 1});
    return picture;
}

TEST(GridArcs, EndBesideTheNamesOfTheBlocks) {
    for (const std::uint64_t read : {2U, 3U, 60U}) {
        const Scene scene = grid_scene(trace_of_chain(), two_blocks(read), grid_sized());
        std::vector<const Text*> names;
        const Circle* end = nullptr;
        for (const Shape& shape : scene.shapes) {
            const auto* const text = std::get_if<Text>(&shape);
            if (text != nullptr && text->text.starts_with("block ")) names.push_back(text);
            if (const auto* const circle = std::get_if<Circle>(&shape); circle && end == nullptr) end = circle;
        }
        ASSERT_EQ(names.size(), 2U);
        ASSERT_NE(end, nullptr);
        const float left = names[1]->x, right = left + text_width(names[1]->font, names[1]->size, names[1]->text);
        EXPECT_TRUE(end->x + end->radius < left || end->x - end->radius > right) << "read at " << read;
        if (read == 60) {
            EXPECT_LT(left, 40) << "where no arc is in the way, names begin with the bar";
        }
    }
}

TEST(GridArcs, AnArrayWithoutATrackOfItsOwnSharesTheLast) {
    const GridPicture picture = chain();
    GridOptions low = grid_sized();
    low.height = 230;
    const GridPanelLayout layout(picture, low);
    ASSERT_EQ(layout.tracks(), 1U);
    EXPECT_FALSE(layout.array_of(0));
    std::size_t arcs = 0;
    for (const ArcBundle& bundle : arc_bundles(picture, layout)) arcs += bundle.arcs;
    EXPECT_EQ(arcs, picture.arcs.size());
    EXPECT_THAT(texts(grid_scene(trace_of_chain(), picture, low)), Contains("all arrays"));
}

TEST(GridArcs, ABundleIsUnderTheMouseByItsNumber) {
    const GridPicture picture = chain();
    const auto bundles = arc_bundles(picture, GridPanelLayout(picture, grid_sized()));
    const Scene scene = grid_scene(trace_of_chain(), picture, grid_sized());
    std::vector<bool> drawn(bundles.size());
    for (const Shape& shape : scene.shapes) {
        const TraceRef* ref = nullptr;
        if (const auto* const curve = std::get_if<Curve>(&shape)) ref = &curve->ref;
        if (const auto* const rect = std::get_if<Rect>(&shape)) ref = &rect->ref;
        if (ref == nullptr || ref->kind != TraceRef::Kind::arc) continue;
        ASSERT_GE(ref->column, 1U);
        ASSERT_LE(ref->column, bundles.size());
        EXPECT_EQ(ref->row, bundles[ref->column - 1].first);
        drawn[ref->column - 1] = true;
    }
    EXPECT_THAT(drawn, testing::Each(true));
}

TEST(GridScene, SaysInPlaceWhatWasNotRecorded) {
    const auto said = texts(grid_scene(trace_of_chain(), chain(100), grid_sized()));
    EXPECT_THAT(said, Contains(HasSubstr("700 blocks not recorded")));
    EXPECT_THAT(texts(grid_scene(trace_of_chain(), chain(), grid_sized())), Not(Contains(HasSubstr("not recorded"))));
    GridOptions narrow = grid_sized();
    narrow.width = 160;
    EXPECT_THAT(texts(grid_scene(trace_of_chain(), chain(100), narrow)), Contains("not recorded"))
        << "as far as it fits";
}

std::uint32_t number_in(const std::string& text) { return static_cast<std::uint32_t>(std::stoul(text)); }

/// One wave of blocks that all execute for as long, the first 16 recorded.
GridPicture wave() {
    GridPicture picture;
    analysis::GridLaunch launch{.slots = blocks};
    launch.time = {0, ticks};
    launch.resident = 500;
    for (std::uint32_t id = 0; id < blocks; ++id)
        launch.blocks.push_back({.id = BlockId(id), .time = {0, ticks}, .slot = id, .recorded = id < 16});
    picture.end = ticks;
    picture.launches.push_back(std::move(launch));
    return picture;
}

TEST(GridScene, ARowOfSeveralBlocksSaysWhichTheyAreAndHowManyAreRecorded) {
    const Scene scene = grid_scene(trace_of_chain(), wave(), grid_sized());
    std::uint32_t next = 0;
    const std::regex row("blocks (\\d+) to (\\d+).*");
    for (const std::string& text : texts(scene)) {
        std::smatch numbers;
        if (!std::regex_match(text, numbers, row)) continue;
        const std::uint32_t first = number_in(numbers[1]), last = number_in(numbers[2]);
        // One of them is below the text that says how many are not recorded.
        EXPECT_GE(first, next);
        EXPECT_EQ(text.contains("16 recorded"), first == 0) << text;
        next = last + 1;
    }
    EXPECT_EQ(next, blocks);
    EXPECT_THAT(texts(scene), Contains(HasSubstr("800 blocks are 1.6 waves")));

    const auto high = [&](Role role) {
        float most = 0;
        for (const Shape& shape : scene.shapes) {
            const auto* const strip = std::get_if<Rect>(&shape);
            if (strip != nullptr && strip->ref.kind == TraceRef::Kind::cell && strip->fill.role == role)
                most = std::max(most, strip->height);
        }
        return most;
    };
    EXPECT_GT(high(Role::useful), 0);
    EXPECT_LT(high(Role::useful), high(Role::soft)) << "16 of the row's blocks are recorded";
}

TEST(GridScene, ALongStepOfTheHostHasFurtherLinesOnAPlateOverTheArcs) {
    GridPicture picture = chain();
    const std::string text = "print \"Vector of 64 elements, doubled twice on the device\"";
    picture.launches[0].host_steps = {{.text = "allocate d, 256 bytes"}, {.text = text}};
    const Scene scene = grid_scene(trace_of_chain(), picture, grid_sized());
    std::string said;
    std::size_t plates = 0;
    for (const Shape& shape : scene.shapes) {
        const auto* const line = std::get_if<Text>(&shape);
        if (line != nullptr && line->ref.kind == TraceRef::Kind::line && line->ref.column == 1)
            said += (said.empty() ? "" : " ") + line->text;
        const auto* const plate = std::get_if<Rect>(&shape);
        plates += plate != nullptr && plate->ref.kind == TraceRef::Kind::line && plate->fill.role == Role::panel;
    }
    EXPECT_EQ(said, text) << "nothing is cut";
    EXPECT_EQ(plates, 3U);
}

TEST(GridScene, TheLegendOfANarrowPanelHasFurtherRowsAndLeavesNothingOut) {
    GridOptions narrow = grid_sized();
    narrow.width = 260;
    narrow.shown = std::pair(0U, BlockId(0));
    const auto said = texts(grid_scene(trace_of_chain(), chain(), narrow));
    for (const char* const name : {"block", "on screen", "flag", "sum", "ticket, atomic"})
        EXPECT_THAT(said, Contains(name));
}

TEST(GridScene, NoArcCrossesTheNameOfItsTrack) {
    const Scene scene = grid_scene(trace_of_chain(), chain(), grid_sized());
    std::size_t names = 0;
    for (const Shape& name : scene.shapes) {
        const auto* const text = std::get_if<Text>(&name);
        const bool above_an_arc = text != nullptr && (text->text == "flag" || text->text == "sum") && text->x < 100;
        if (!above_an_arc || text->y > 380) continue;
        ++names;
        for (const Shape& shape : scene.shapes) {
            const auto* const curve = std::get_if<Curve>(&shape);
            if (curve == nullptr || curve->y0 < text->y || curve->y0 > text->y + GridPanelLayout::track_height)
                continue;
            // The highest point of such a curve is at three quarters of its control points.
            EXPECT_GT(curve->y0 + 0.75F * (curve->y1 - curve->y0), text->y + 6);
        }
    }
    EXPECT_EQ(names, 2U);
}

TEST(GridScene, SaysWhetherTheRunOrTheLaunchKeptBlocksFromStarting) {
    analysis::GridLaunch launch;
    launch.never_started = {BlockId(4), BlockId(5), BlockId(6)};
    EXPECT_EQ(never_started_text(launch, false), "Blocks 4 to 6 never started.");
    EXPECT_EQ(never_started_text(launch, true), "Blocks 4 to 6 did not run: the run was ended early.");
}

TEST(GridScene, SaysOfALaunchThatWasCancelledThatItIsPartial) {
    trace::Trace trace = trace_of_chain();
    EXPECT_THAT(texts(grid_scene(trace, chain(), grid_sized())), Not(Contains(HasSubstr("cancelled"))));
    trace.cancelled = true;
    EXPECT_THAT(texts(grid_scene(trace, chain(), grid_sized())),
                Contains(HasSubstr("Partial: the run was cancelled after launch 0, scan.")));
    trace.notes.emplace_back(trace::Trace::launch_cancelled);
    const auto said = texts(grid_scene(trace, chain(), grid_sized()));
    EXPECT_THAT(said, Contains("launch 0: 800 blocks of 32 threads, cancelled"));
    EXPECT_THAT(said, Contains(HasSubstr("Partial: the run was cancelled in launch 0, scan.")));
    trace.cancelled = false;
    trace.notes = {std::string(trace::Trace::ended_early),
                   "Not known: whether launch 0 ends; step limit of 9 warp instructions reached: block 0, warp 0 is at "
                   "line 3."};
    EXPECT_THAT(texts(grid_scene(trace, chain(), grid_sized())),
                Contains("launch 0: 800 blocks of 32 threads, stopped at the step limit"));
}

}  // namespace
}  // namespace lanescope::scene
