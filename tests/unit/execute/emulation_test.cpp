// A program emulated launch by launch: memory owned by the caller, host accesses between launches, and blocks that are
// dropped from the record.
#include "execute/emulator/emulation.h"

#include "base/grouped.h"
#include "execute/simt/memory.h"
#include "unit/execute/harness.h"

#include <fmt/format.h>

#include <numeric>
#include <set>

namespace lanescope::execute {
namespace {

using Words = std::vector<std::uint64_t>;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string add_one = "ld.global.u64 %d0, [%in];\nadd.u64 %d0, %d0, 1;\nst.global.u64 [%out], %d0;";

/// Two buffers in memory of the test's own, and a kernel that writes in[i] + 1 to out[i].
class OnMemoryOfTheHost : public testing::Test {
  protected:
    static constexpr std::uint64_t in_at = first_global_address + (std::uint64_t{5} << 20U),
                                   out_at = first_global_address;

    OnMemoryOfTheHost()
        : module_(*ptx::parse(kernel_of(add_one), "test.ptx")), emulation_(module_, {}, model::BankModel::of(32), {}) {
        EXPECT_TRUE(emulation_.place_variables(
            OwnedMemory{.address = first_global_address + (std::uint64_t{1} << 30U), .bytes = nullptr}));
        buffer_in_ = add("in", in_, in_at);
        buffer_out_ = add("out", out_, out_at);
    }

    /// Writes the elements as a copy by the host does.
    void write_in(std::size_t first, std::size_t count) {
        const std::vector<std::byte> values =
            bytes_of_values(Words(in_.begin() + std::ptrdiff_t(first), in_.begin() + std::ptrdiff_t(first + count)));
        emulation_.written_by_host(
            {.buffer = buffer_in_, .offset = 8 * first, .bytes = values.size(), .before = values});
    }

    std::uint32_t add(const std::string& name, Words& memory, std::uint64_t address) {
        trace::Buffer buffer;
        buffer.name = name;
        buffer.element = trace::Element::u64;
        buffer.bytes = memory.size() * sizeof(std::uint64_t);
        return emulation_.add(buffer, {.address = address, .bytes = std::as_writable_bytes(std::span(memory)).data()});
    }

    void launch(std::uint32_t threads = 4, std::uint64_t recorded_blocks = 4) {
        LaunchRequest request{.kernel = "test", .grid = {1, 1, 1}, .block = {threads, 1, 1}};
        for (const std::uint32_t buffer : {buffer_in_, buffer_out_}) {
            trace::Argument& argument = request.arguments.emplace_back();
            argument.name = buffer == buffer_in_ ? "in" : "out";
            argument.buffer = buffer;
        }
        Progress progress;
        const auto end = emulation_.launch(request, {.blocks = recorded_blocks, .share = 0.5}, progress);
        ASSERT_TRUE(end) << end.error().message();
        EXPECT_EQ(*end, Emulation::End::complete);
    }

    Words in_ = {1, 2, 3, 4}, out_ = {0, 0, 0, 0};
    ptx::Module module_;
    Emulation emulation_;
    std::uint32_t buffer_in_ = 0, buffer_out_ = 0;
};

TEST_F(OnMemoryOfTheHost, KernelsReadAndWriteItInPlace) {
    launch();
    EXPECT_EQ(out_, (Words{2, 3, 4, 5}));
}

TEST_F(OnMemoryOfTheHost, HowFarAccessesMissABufferIsKnown) {
    launch();
    EXPECT_FALSE(emulation_.reach_of(buffer_in_));
    launch(6);
    const auto reach = emulation_.reach_of(buffer_in_);
    ASSERT_TRUE(reach);
    EXPECT_EQ(reach->first, 32);
    EXPECT_EQ(reach->past_last, 48);
}

TEST_F(OnMemoryOfTheHost, FindingsCanBeTakenBack) {
    write_in(0, 4);
    launch(6);
    ASSERT_THAT(emulation_.trace().findings, SizeIs(2));
    emulation_.withdraw([](const trace::Finding& finding, bool from_data) {
        EXPECT_FALSE(from_data);
        return finding.variable == "in";
    });
    const auto trace = emulation_.finish();
    ASSERT_THAT(trace->findings, SizeIs(1));
    EXPECT_EQ(trace->findings[0].variable, "out");
}

TEST_F(OnMemoryOfTheHost, WhatTheFirstLaunchFindsIsInitial) {
    in_[0] = 41;  // after the buffer was added
    launch();
    const auto trace = emulation_.finish();
    EXPECT_EQ(trace->buffers[buffer_in_].initial, bytes_of_values(Words{41, 2, 3, 4}));
    EXPECT_EQ(trace->buffers[buffer_out_].final, bytes_of_values(Words{42, 3, 4, 5}));
    EXPECT_TRUE(trace->host_writes.empty());
}

TEST_F(OnMemoryOfTheHost, AWriteBetweenLaunchesIsKeptWithWhatItOverwrote) {
    launch();
    const Words before = {in_[1]};
    in_[1] = 100;
    const std::vector<std::byte> overwritten = bytes_of_values(before);
    emulation_.written_by_host(
        {.buffer = buffer_in_, .offset = 8, .bytes = 8, .before = overwritten, .source_line = 7});
    launch();
    const auto trace = emulation_.finish();
    ASSERT_THAT(trace->host_writes, SizeIs(1));
    EXPECT_EQ(trace->host_writes[0].launch, 1U);
    EXPECT_EQ(trace->host_writes[0].source_line, 7U);
    EXPECT_EQ(trace->host_writes[0].before, bytes_of_values(before));
    EXPECT_EQ(out_[1], 101U);
    EXPECT_EQ(trace->launches.size(), 2U);
}

TEST_F(OnMemoryOfTheHost, AReadOfWhatNothingHasWrittenIsAFault) {
    write_in(0, 1);
    write_in(3, 1);
    launch();
    const auto trace = emulation_.finish();
    ASSERT_THAT(trace->findings, SizeIs(1)) << "once for the instruction";
    EXPECT_EQ(trace->findings[0].kind, trace::Finding::Kind::uninitialized_read);
    EXPECT_EQ(trace->findings[0].message,
              "block 0, thread 1 reads in[1], which neither the host nor any thread has written");
    EXPECT_EQ(trace->findings[0].count, 2U);
}

TEST_F(OnMemoryOfTheHost, WhatAnEarlierLaunchHasWrittenIsInitialized) {
    write_in(0, 4);
    launch();
    std::swap(buffer_in_, buffer_out_);
    launch();
    EXPECT_THAT(emulation_.finish()->findings, testing::IsEmpty());
}

TEST_F(OnMemoryOfTheHost, WhatAnUncheckedBlockHasWrittenIsInitialized) {
    write_in(0, 4);
    launch(4, 0);
    std::swap(buffer_in_, buffer_out_);
    launch();
    EXPECT_THAT(emulation_.finish()->findings, testing::IsEmpty());
}

TEST_F(OnMemoryOfTheHost, AnAccessAfterItIsFreedIsAFault) {
    write_in(0, 4);
    launch();
    emulation_.release(buffer_in_);
    launch();
    const auto trace = emulation_.finish();
    ASSERT_THAT(trace->findings, SizeIs(1));
    EXPECT_EQ(trace->findings[0].kind, trace::Finding::Kind::use_after_free);
    EXPECT_THAT(trace->findings[0].message, AllOf(HasSubstr("in[0]"), HasSubstr("freed")));
    EXPECT_EQ(trace->buffers[buffer_in_].final, bytes_of_values(Words{1, 2, 3, 4})) << "as it was when it was freed";
}

TEST_F(OnMemoryOfTheHost, OnlyWhatTheHostWroteIsInputData) {
    launch();
    const std::uint64_t without = emulation_.trace().counts[0][0].operations;
    const std::vector<std::byte> overwritten = bytes_of_values(in_);
    emulation_.written_by_host({.buffer = buffer_in_, .offset = 0, .bytes = overwritten.size(), .before = overwritten});
    launch();
    EXPECT_EQ(without, 0U);
    EXPECT_EQ(emulation_.trace().counts[1][0].operations, 0U) << "the other operand is a constant";
}

/// All that a block's steps did, as text.
std::string record_of(const trace::Trace& trace, BlockId block) {
    std::string text;
    for (const trace::Step& step : trace.steps()) {
        if (step.block != block) continue;
        text += fmt::format("line {}, {:x} {:x}:", step.line.value, step.active.bits(), step.executed.bits());
        for (const trace::Effect& effect : trace.effects(step)) {
            text += fmt::format(" {}", static_cast<int>(effect.kind));
            const bool access = effect.kind == trace::EffectKind::load || effect.kind == trace::EffectKind::store;
            if (!access && effect.kind != trace::EffectKind::register_write) continue;
            for (const unsigned lane : effect.lanes) {
                text += fmt::format(" {}", trace.after(effect, lane));
                if (access) text += fmt::format("@{:x}", trace.address(effect, lane));
            }
        }
        text += '\n';
    }
    return text;
}

TEST(MemoryOfALaunch, ThatReachesTheCapStopsItAndANoteSaysSo) {
    Kernel kernel(kernel_of(add_one));
    kernel.grid(200).block(64).buffer("in", Words(256)).buffer("out", Words(256));
    const auto stopped = Kernel(kernel).limits({.memory_bytes = 1, .threads = 1}).run();
    EXPECT_THAT(stopped->notes, testing::Contains(HasSubstr("emulated memory has reached its cap of 1 byte,")));
    EXPECT_TRUE(stopped->is_cut_short());
    EXPECT_FALSE(Kernel(kernel).limits({.threads = 1}).run()->is_cut_short());
}

/// Blocks that run concurrently record in turns; if the record has no room for all, the remaining blocks are complete.
TEST(DroppedBlocks, LeaveTheOthersAsTheyAre) {
    Kernel kernel(kernel_of(add_one + "\nmov.u32 %r0, 0;\nLOOP:\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p0, %r0, 400;\n"
                                      "@%p0 bra LOOP;\nld.global.u64 %d1, [%in];\nst.global.u64 [%out], %d1;\n"));
    Words values(256);
    std::iota(values.begin(), values.end(), 3);
    kernel.grid(4).block(64).buffer("in", values).buffer("out", Words(256));
    const auto all = Kernel(kernel).limits({.resident_blocks = 4}).run();
    ASSERT_EQ(all->launches[0].recorded.size(), 4U);
    const auto fewer =
        Kernel(kernel).limits({.record_bytes = all->memory_bytes() * 4 / 10, .resident_blocks = 4}).run();
    ASSERT_THAT(fewer->launches[0].recorded, ElementsAre(BlockId(0), BlockId(1)));
    std::set<BlockId> blocks;
    for (const trace::Step& step : fewer->steps()) blocks.insert(step.block);
    EXPECT_EQ(blocks, (std::set{BlockId(0), BlockId(1)}));
    for (const BlockId block : blocks) EXPECT_EQ(record_of(*fewer, block), record_of(*all, block));
    EXPECT_EQ(fewer->counts, all->counts);
    EXPECT_EQ(final_of<std::uint64_t>(*fewer, "out"), final_of<std::uint64_t>(*all, "out"));
    EXPECT_EQ(fewer->launches[0].past_last_step.index(), fewer->step_count());
    EXPECT_THAT(fewer->notes, ElementsAre(HasSubstr("2 of 4 blocks are recorded")));
}

TEST(DroppedBlocks, AreNeverTheFirstOfALaunchWithinTwiceTheBound) {
    Kernel kernel(kernel_of(add_one + "\nmov.u32 %r0, 0;\nLOOP:\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p0, %r0, 400;\n"
                                      "@%p0 bra LOOP;\n"));
    kernel.grid(4).block(64).buffer("in", Words(256)).buffer("out", Words(256));
    const auto all = Kernel(kernel).limits({.resident_blocks = 1}).run();
    ASSERT_EQ(all->launches[0].recorded.size(), 4U);
    const auto recorded = [&](std::uint64_t percent) {
        return Kernel(kernel).limits({.record_bytes = all->memory_bytes() * percent / 100, .resident_blocks = 1}).run();
    };
    EXPECT_THAT(recorded(15)->launches[0].recorded, ElementsAre(BlockId(0)));
    EXPECT_FALSE(recorded(15)->launches[0].cut);
}

/// The first block alone exceeds twice the bound: its first steps are kept, and all that says that they are not all.
TEST(ACutBlock, HasItsStepsUntilTheRecordWasFull) {
    Kernel kernel(kernel_of(add_one +
                            "\nmov.u32 %r0, 0;\nLOOP:\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p0, %r0, 400;\n"
                            "@%p0 bra LOOP;\nld.global.u64 %d1, [%in];\nst.global.u64 [%out+100000], %d1;\n"));
    kernel.grid(4).block(64).buffer("in", Words(256)).buffer("out", Words(256));
    const auto all = Kernel(kernel).limits({.resident_blocks = 1}).run();
    const std::uint64_t bytes = all->memory_bytes() * 5 / 100;
    for (const unsigned resident : {1U, 4U}) {
        const auto cut = Kernel(kernel).limits({.record_bytes = bytes, .resident_blocks = resident}).run();
        const trace::Launch& launch = cut->launches[0];
        ASSERT_THAT(launch.recorded, ElementsAre(BlockId(0)));
        EXPECT_EQ(launch.cut, BlockId(0));
        EXPECT_FALSE(launch.all_recorded());
        EXPECT_EQ(launch.wholly_recorded(), 0U);
        EXPECT_GT(cut->step_count(), 0U);
        EXPECT_LT(cut->memory_bytes(), all->memory_bytes() / 4);
        // A prefix of the whole record of the block, also where blocks take turns.
        const auto whole = record_of(*all, BlockId(0)), first = record_of(*cut, BlockId(0));
        ASSERT_LT(first.size(), whole.size());
        EXPECT_TRUE(whole.starts_with(first));
        EXPECT_EQ(cut->counts, all->counts);
        EXPECT_EQ(final_of<std::uint64_t>(*cut, "out"), final_of<std::uint64_t>(*all, "out"));
        ASSERT_FALSE(cut->findings.empty());
        EXPECT_FALSE(cut->findings[0].step) << "it happens after the last step that is kept";
        EXPECT_THAT(cut->notes, ElementsAre(AllOf(HasSubstr("Block 0 is recorded up to step"),
                                                  HasSubstr("step " + grouped(cut->step_count())))));
    }
}

TEST(DroppedBlocks, LeaveAFindingOfTheirsWithoutAStep) {
    Kernel kernel(
        kernel_of("mov.u32 %r0, 0;\nLOOP:\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p0, %r0, 400;\n"
                  "@%p0 bra LOOP;\nmov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 3;\n"
                  "@%p1 st.global.u64 [%out+100000], %d1;\n"));
    kernel.grid(4).block(64).buffer("in", Words(256)).buffer("out", Words(256));
    const auto all = Kernel(kernel).limits({.resident_blocks = 4}).run();
    ASSERT_FALSE(all->findings.empty());
    ASSERT_TRUE(all->findings[0].step);
    const auto one = Kernel(kernel).limits({.record_bytes = all->memory_bytes() * 2 / 10, .resident_blocks = 4}).run();
    ASSERT_THAT(one->launches[0].recorded, ElementsAre(BlockId(0)));
    ASSERT_EQ(one->findings.size(), all->findings.size());
    EXPECT_EQ(one->findings[0].message, all->findings[0].message);
    EXPECT_FALSE(one->findings[0].step);
}

}  // namespace
}  // namespace lanescope::execute
