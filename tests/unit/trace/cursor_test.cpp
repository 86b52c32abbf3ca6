#include "trace/cursor.h"

#include "random_trace.h"
#include "trace/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace lanescope::trace {
namespace {

constexpr unsigned cursor_registers = 6;

/// Everything that a cursor shows at its position.
struct Seen {
    std::vector<MemoryImage> memory;
    std::vector<std::uint64_t> registers;
    std::vector<bool> written;
    std::vector<StepId> next, last;
    std::vector<LaneMask> exited;
    friend bool operator==(const Seen&, const Seen&) = default;
};

Seen look(const Cursor& cursor) {
    Seen seen;
    const Launch& launch = cursor.trace().launches[cursor.launch()];
    for (std::uint32_t i = 0; i < cursor.trace().buffers.size(); ++i) seen.memory.push_back(cursor.global(i));
    for (const BlockId block : launch.recorded) {
        seen.memory.push_back(cursor.shared(block));
        for (std::uint32_t warp = 0; warp < launch.block.count() / 32; ++warp) {
            seen.next.push_back(cursor.next_step(block, WarpId(warp)));
            seen.last.push_back(cursor.last_step(block, WarpId(warp)));
            seen.exited.push_back(cursor.exited(block, WarpId(warp)));
            for (std::uint32_t reg = 0; reg < cursor_registers; ++reg) {
                for (const unsigned lane : {0U, 5U, 31U}) {
                    seen.registers.push_back(cursor.register_value(block, WarpId(warp), RegisterId(reg), lane));
                    seen.written.push_back(cursor.register_written(block, WarpId(warp), RegisterId(reg), lane));
                }
            }
        }
    }
    return seen;
}

TEST(Cursor, BackUndoesForwardAtEveryPosition) {
    const auto trace = random_trace({.seed = 11, .steps = 150});
    Cursor cursor(trace);
    std::vector<Seen> states{look(cursor)};
    while (cursor.forward()) states.push_back(look(cursor));
    ASSERT_EQ(states.size(), trace->step_count() + 1);
    while (cursor.back()) ASSERT_EQ(look(cursor), states[cursor.position()]) << "position " << cursor.position();
    EXPECT_EQ(look(cursor), states.front());
}

TEST(Cursor, AnyNumberOfStepsForwardAndAsManyBackLeavesNoTrace) {
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        Cursor cursor(random_trace({.seed = seed, .steps = 120}));
        std::mt19937 random(seed);
        for (int round = 0; round < 20; ++round) {
            cursor.seek(random() % (cursor.end() + 1));
            const Seen before = look(cursor);
            const auto steps = static_cast<unsigned>(random() % 40);
            unsigned gone = 0;
            while (gone < steps && cursor.forward()) ++gone;
            for (unsigned i = 0; i < gone; ++i) ASSERT_TRUE(cursor.back());
            ASSERT_EQ(look(cursor), before);
        }
    }
}

TEST(Cursor, SeekingEqualsSteppingFromTheStart) {
    const auto trace = random_trace({.seed = 3, .steps = 3000});  // long enough for several checkpoints
    std::mt19937 random(5);
    Cursor seeking(trace);
    for (int round = 0; round < 12; ++round) {
        const std::size_t position = random() % (trace->step_count() + 1);
        seeking.seek(position);
        ASSERT_EQ(seeking.position(), position);
        Cursor stepping(trace);
        for (std::size_t i = 0; i < position; ++i) stepping.forward();
        ASSERT_EQ(look(seeking), look(stepping)) << "position " << position;
    }
}

/// The maximum number of records visited by a seek to any position with a read of every register there.
std::uint64_t most_visited(unsigned steps) {
    const auto trace = random_trace({.seed = 21, .steps = steps});
    Cursor cursor(trace);
    std::mt19937 random(9);
    std::uint64_t most = 0;
    for (int round = 0; round < 40; ++round) {
        const std::uint64_t before = cursor.visited();
        cursor.seek(random() % (trace->step_count() + 1));
        for (std::uint32_t reg = 0; reg < cursor_registers; ++reg) {
            for (unsigned lane = 0; lane < 32; ++lane) {
                const BlockId block = trace->launches[cursor.launch()].recorded.front();
                static_cast<void>(cursor.register_value(block, WarpId(0), RegisterId(reg), lane));
            }
        }
        most = std::max(most, cursor.visited() - before);
    }
    return most;
}

TEST(Cursor, SeeksInALongTraceVisitHardlyMoreRecordsThanInAShortOne) {
    const std::uint64_t in_short = most_visited(2'000), in_long = most_visited(64'000);
    EXPECT_LT(in_long, 2 * in_short) << "32 times the steps: five levels more in each search";
    EXPECT_LT(in_long, 64'000U / 4);
}

TEST(Cursor, SeekingPastTheEndStopsThere) {
    Cursor cursor(random_trace({.seed = 2, .steps = 30}));
    cursor.seek(1'000'000);
    EXPECT_EQ(cursor.position(), cursor.end());
    EXPECT_FALSE(cursor.forward());
    cursor.seek(0);
    EXPECT_FALSE(cursor.back());
}

TEST(Cursor, GlobalMemoryEndsAsTheBuffersDo) {
    const auto trace = random_trace({.seed = 8, .steps = 500});
    Cursor cursor(trace);
    cursor.seek(cursor.end());
    for (std::uint32_t i = 0; i < trace->buffers.size(); ++i)
        EXPECT_TRUE(std::ranges::equal(cursor.global(i).bytes, trace->buffers[i].final));
}

/// One warp, one block: lane i stores i + 1 to shared word i, then every lane stores to word 0.
std::shared_ptr<const Trace> two_stores() {
    Writer writer{Origin{}};
    Launch launch;
    launch.block = {32, 1, 1};
    launch.static_shared_bytes = 128;
    launch.recorded = {BlockId(0)};
    writer.begin_launch(launch);
    std::array<std::uint64_t, 32> addresses{}, before{}, after{};
    for (unsigned lane = 0; lane < 32; ++lane) {
        addresses[lane] = 4 * std::uint64_t{lane};
        after[lane] = lane + 1;
    }
    writer.begin_step(BlockId(0), WarpId(0), PtxLine(10), 0, LaneMask::all(), LaneMask::first(31));
    writer.store(Space::shared, 4, 1, LaneMask::first(31), addresses, before, after);
    addresses.fill(0);
    before.fill(1);
    for (unsigned lane = 0; lane < 32; ++lane) after[lane] = 100 + lane;
    writer.begin_step(BlockId(0), WarpId(0), PtxLine(11), 0, LaneMask::all(), LaneMask::first(3));
    writer.store(Space::shared, 4, 1, LaneMask::first(3), addresses, before, after);
    writer.end_launch();
    return writer.finish();
}

TEST(Cursor, DistinguishesAZeroFromANeverWrittenAndCountsStores) {
    Cursor cursor(two_stores());
    EXPECT_THAT(cursor.shared(BlockId(0)).writes, testing::Each(0U));
    cursor.forward();
    EXPECT_EQ(cursor.shared(BlockId(0)).writes[4 * 30], 1U);
    EXPECT_EQ(cursor.shared(BlockId(0)).writes[4 * 31], 0U);
    cursor.forward();
    EXPECT_EQ(cursor.shared(BlockId(0)).writes[0], 4U);
    EXPECT_EQ(std::to_integer<int>(cursor.shared(BlockId(0)).bytes[0]), 102) << "the highest lane's store stands";
    cursor.back();
    EXPECT_EQ(std::to_integer<int>(cursor.shared(BlockId(0)).bytes[0]), 1);
}

TEST(Cursor, NamesTheStepsAroundThePositionOfEachWarp) {
    Cursor cursor(two_stores());
    EXPECT_EQ(cursor.next_step(BlockId(0), WarpId(0)), StepId(0));
    EXPECT_FALSE(cursor.last_step(BlockId(0), WarpId(0)).valid());
    EXPECT_FALSE(cursor.next_step(BlockId(0), WarpId(7)).valid());
    cursor.forward();
    EXPECT_EQ(cursor.next_step(BlockId(0), WarpId(0)), StepId(1));
    EXPECT_EQ(cursor.last_step(BlockId(0), WarpId(0)), StepId(0));
    cursor.forward();
    EXPECT_FALSE(cursor.next_step(BlockId(0), WarpId(0)).valid());
}

TEST(Cursor, ShowsWhatTheHostWroteFromTheNextLaunchOn) {
    Writer writer(Origin{});
    Buffer buffer;
    buffer.address = 0x1000;
    buffer.bytes = 8;
    buffer.initial = std::vector<std::byte>(buffer.bytes, std::byte{1});
    writer.trace().buffers.push_back(buffer);
    const auto launch = [&](std::uint32_t number, std::byte value) {
        writer.trace().host_writes.push_back(
            {.launch = number, .offset = 4, .before = {buffer.initial[4]}, .after = {value}});
        buffer.initial.writable()[4] = value;
        Launch begun;
        begun.block = {32, 1, 1};
        begun.recorded = {BlockId(0)};
        writer.begin_launch(begun);
        writer.begin_step(BlockId(0), WarpId(0), PtxLine(1), 0, LaneMask::all(), LaneMask::all());
        writer.end_launch();
    };
    launch(0, std::byte{2});
    launch(1, std::byte{3});
    Cursor cursor(writer.finish());
    EXPECT_EQ(cursor.global(0).bytes[4], std::byte{2}) << "before the first launch";
    EXPECT_EQ(cursor.global(0).bytes[5], std::byte{1});
    EXPECT_EQ(cursor.global(0).writes[4], 0U) << "no store of a kernel's";
    cursor.forward();
    EXPECT_EQ(cursor.launch(), 1U);
    EXPECT_EQ(cursor.global(0).bytes[4], std::byte{3});
    cursor.back();
    EXPECT_EQ(cursor.global(0).bytes[4], std::byte{2});
}

TEST(Cursor, AnEmptyTraceHasOnlyItsStart) {
    Cursor cursor(Writer{Origin{}}.finish());
    EXPECT_EQ(cursor.end(), 0U);
    EXPECT_FALSE(cursor.forward());
    EXPECT_FALSE(cursor.back());
    EXPECT_FALSE(cursor.next_step(BlockId(0), WarpId(0)).valid());
}

}  // namespace
}  // namespace lanescope::trace
