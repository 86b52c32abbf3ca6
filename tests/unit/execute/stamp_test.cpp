// Stamps of kernels on the emulator: its clocks count a warp's own instructions, and it has one multiprocessor.
#include "execute/gpu/stamp.h"
#include "execute/gpu/stamped_run.h"

#include "harness.h"

#include <string_view>

namespace lanescope::execute {
namespace {

using testing::HasSubstr;

constexpr std::string_view header = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// Its stamps after a launch, and the buffer "out".
struct Ran {
    std::vector<Stamps> warps;
    std::vector<std::vector<WaitStamp>> waits;
    std::vector<std::uint32_t> out;
};
Ran run(const std::string& ptx, unsigned blocks, unsigned threads, std::vector<std::uint32_t> out, unsigned room = 0) {
    const Stamped stamped = stamp(*ptx::parse(ptx, "test.ptx"), room);
    const std::size_t warps = blocks * ((threads + 31) / 32);
    Kernel kernel(stamped.ptx);
    kernel.grid(blocks).block(threads).buffer("out", out);
    const std::size_t each = stamp_bytes + room * wait_bytes;
    kernel.buffer("stamps", std::vector<std::uint64_t>(warps * each / sizeof(std::uint64_t)));
    const auto trace = kernel.run();
    EXPECT_TRUE(trace->findings.empty()) << trace->findings.front().message;
    Ran ran{.out = final_of<std::uint32_t>(*trace, "out")};
    const std::vector<std::uint64_t> words = final_of<std::uint64_t>(*trace, "stamps");
    for (const auto& [stamps, waits] : warp_stamps(std::as_bytes(std::span(words)), room)) {
        ran.warps.push_back(stamps);
        ran.waits.push_back(waits);
    }
    return ran;
}

/// Each thread adds 1 to its own element, the first half of a block after it has left out the rest.
const std::string halves = std::string(header) + R"(.visible .entry halves(.param .u64 halves_out)
{
.reg .pred %p;
.reg .b32 %r<5>;
.reg .b64 %d<4>;
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ntid.x;
mov.u32 %r3, %ctaid.x;
mad.lo.s32 %r3, %r3, %r2, %r1;
shr.u32 %r2, %r2, 1;
setp.ge.u32 %p, %r1, %r2;
@%p ret;
ld.param.u64 %d1, [halves_out];
cvta.to.global.u64 %d1, %d1;
mul.wide.u32 %d2, %r3, 4;
add.s64 %d1, %d1, %d2;
ld.global.u32 %r4, [%d1];
add.s32 %r4, %r4, 1;
st.global.u32 [%d1], %r4;
ret;
}
)";

TEST(Stamps, AreWrittenByEachWarpAndChangeNoResult) {
    const Ran ran = run(halves, 3, 80, std::vector<std::uint32_t>(240, 5));
    ASSERT_EQ(ran.warps.size(), 9U);
    for (const Stamps& warp : ran.warps) {
        EXPECT_GT(warp.begin, 0U);
        EXPECT_GT(warp.end, warp.begin);
        EXPECT_GT(warp.end_cycles, warp.begin_cycles);
        EXPECT_EQ(warp.multiprocessor, 1U) << "%smid + 1";
        EXPECT_EQ(warp.polled_cycles, 0U);
    }
    for (std::size_t i = 0; i < ran.out.size(); ++i) EXPECT_EQ(ran.out[i], i % 80 < 40 ? 6U : 5U) << i;
}

TEST(Stamps, OfAWarpEndWhenItsLastThreadLeaves) {
    const Ran ran = run(halves, 1, 64, std::vector<std::uint32_t>(64));
    EXPECT_GT(ran.warps[0].end - ran.warps[0].begin, ran.warps[1].end - ran.warps[1].begin)
        << "all of warp 1 leaves at the first ret";
    const Ran split = run(halves, 1, 32, std::vector<std::uint32_t>(32));
    EXPECT_GE(split.warps[0].end - split.warps[0].begin, ran.warps[0].end - ran.warps[0].begin)
        << "half of it leaves early, and the stamp is of the other half";
}

/// Block 1 waits for block 0, whose first thread sets out[0] after many iterations.
const std::string waits = std::string(header) + R"(.visible .entry waits(.param .u64 waits_out)
{
.reg .pred %p;
.reg .b32 %r<5>;
.reg .b64 %d<4>;
ld.param.u64 %d1, [waits_out];
mov.u32 %r1, %ctaid.x;
setp.eq.u32 %p, %r1, 0;
@%p bra $writes;
$again:
cvta.to.global.u64 %d2, %d1;
ld.volatile.global.u32 %r2, [%d2];
setp.eq.u32 %p, %r2, 0;
@%p bra $again;
ret;
$writes:
mov.u32 %r2, 0;
$counts:
add.s32 %r2, %r2, 1;
setp.lt.u32 %p, %r2, 3000;
@%p bra $counts;
cvta.to.global.u64 %d2, %d1;
st.volatile.global.u32 [%d2], %r2;
ret;
}
)";

TEST(Stamps, TimeTheIterationsThatPollAndFindNothingNew) {
    const Stamped stamped = stamp(*ptx::parse(waits, "test.ptx"));
    EXPECT_EQ(stamped.polling_loops, 1U) << "the loop that counts polls nothing";
    const Ran ran = run(waits, 2, 32, std::vector<std::uint32_t>(1));
    EXPECT_EQ(ran.warps[0].polled_cycles, 0U);
    EXPECT_GT(ran.warps[1].polled_cycles, 0U);
    EXPECT_LE(ran.warps[1].polled_cycles, ran.warps[1].end_cycles - ran.warps[1].begin_cycles);
    const std::uint64_t first = ~ran.warps[1].not_first_poll;
    EXPECT_GT(first, ran.warps[1].begin);
    EXPECT_GE(ran.warps[1].last_poll, first);
    EXPECT_LT(ran.warps[1].last_poll, ran.warps[1].end);
}

/// Warp 1 counts before each of two block barriers.
const std::string barriers = std::string(header) + R"(.visible .entry barriers(.param .u64 barriers_out)
{
.reg .pred %p, %q;
.reg .b32 %r<5>;
mov.u32 %r1, %tid.x;
mov.u32 %r3, 0;
$again:
setp.lt.u32 %p, %r1, 32;
mov.u32 %r2, 0;
@%p bra $meet;
$counts:
add.s32 %r2, %r2, 1;
setp.lt.u32 %q, %r2, 500;
@%q bra $counts;
$meet:
bar.sync 0;
add.s32 %r3, %r3, 1;
setp.lt.u32 %q, %r3, 2;
@%q bra $again;
ret;
}
)";

TEST(Stamps, TimeTheWaitsOfEachWarpAtBlockBarriers) {
    const Ran ran = run(barriers, 2, 64, std::vector<std::uint32_t>(1), 4);
    ASSERT_EQ(ran.waits.size(), 4U);
    for (std::size_t i = 0; i < ran.waits.size(); ++i) {
        EXPECT_EQ(ran.warps[i].waits, 2U);
        EXPECT_EQ(ran.warps[i].multiprocessor, 1U) << "it lies in the same word";
        ASSERT_EQ(ran.waits[i].size(), 2U);
        std::uint64_t from = ran.warps[i].begin_cycles;
        for (const WaitStamp& wait : ran.waits[i]) {
            EXPECT_GT(wait.arrived, from);
            EXPECT_EQ(wait.kind, 0U);
            from = wait.arrived + wait.cycles;
        }
        EXPECT_LT(from, ran.warps[i].end_cycles);
    }
    EXPECT_GT(ran.waits[1][1].arrived - ran.waits[1][0].arrived,
              ran.waits[0][1].arrived - ran.waits[0][0].arrived + 900)
        << "warp 1 counts to 500 in between";
}

TEST(Stamps, KeepAsManyWaitsAsThereIsRoomForAndCountAll) {
    const Ran ran = run(barriers, 2, 64, std::vector<std::uint32_t>(1), 1);
    for (std::size_t i = 0; i < ran.waits.size(); ++i) {
        EXPECT_EQ(ran.warps[i].waits, 2U);
        EXPECT_EQ(ran.waits[i].size(), 1U);
        EXPECT_GT(ran.warps[i].begin, 0U) << "the second wait has not written over another warp's stamps";
    }
}

/// Thread 0 arrives at the mbarrier of 64 threads after it has counted; all others wait for the phase.
const std::string phases = std::string(header) + R"(.visible .entry phases(.param .u64 phases_out)
{
.shared .align 8 .b64 gate;
.reg .pred %p, %q;
.reg .b32 %r<5>;
.reg .b64 %d<4>;
mov.u32 %r1, %tid.x;
mov.u32 %r4, gate;
setp.ne.u32 %p, %r1, 0;
@%p bra $ready;
mbarrier.init.shared.b64 [%r4], 64;
$ready:
bar.sync 0;
mov.u32 %r2, 0;
setp.ge.u32 %p, %r1, 32;
@%p bra $arrive;
$counts:
add.s32 %r2, %r2, 1;
setp.lt.u32 %q, %r2, 500;
@%q bra $counts;
$arrive:
mbarrier.arrive.shared.b64 %d1, [%r4];
$tests:
mbarrier.test_wait.shared.b64 %p, [%r4], %d1;
@!%p bra $tests;
ret;
}
)";

TEST(Stamps, TimeAWaitAtAnMbarrierFromItsFirstTestToTheOneThatSucceeds) {
    const Ran ran = run(phases, 1, 64, std::vector<std::uint32_t>(1), 4);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(ran.warps[i].waits, 2U) << "failed tests are no waits";
        ASSERT_EQ(ran.waits[i].size(), 2U);
        EXPECT_EQ(ran.waits[i][0].kind, 0U);
        EXPECT_EQ(ran.waits[i][1].kind, 1U);
    }
    EXPECT_GT(ran.waits[1][1].cycles, ran.waits[0][1].cycles) << "warp 1 tests while warp 0 counts";
}

TEST(Stamps, SayWhichWaitsAreNotTimed) {
    const auto why = [](const std::string& body) {
        return stamp(*ptx::parse(kernel_of(body), "test.ptx"), 4).waits_not_timed;
    };
    EXPECT_EQ(why("bar.sync 0;"), "");
    EXPECT_EQ(why("bar.arrive 1, 64;"), "") << "it does not wait";
    EXPECT_THAT(why("barrier.sync 0;"), HasSubstr("may meet apart"));
    EXPECT_EQ(stamp(*ptx::parse(kernel_of("barrier.sync 0;"), "test.ptx")).waits_not_timed, "") << "none is asked for";
}

unsigned loops_of(const std::string& body) {
    return stamp(*ptx::parse(kernel_of("$again:\n" + body + "\n@%p1 bra $again;"), "test.ptx")).polling_loops;
}

TEST(Stamps, TakeALoopForPollingOnlyIfItReadsOneAddressAndDoesNothingElse) {
    EXPECT_EQ(loops_of("ld.acquire.gpu.global.u32 %r1, [%in];\nsetp.eq.u32 %p1, %r1, 0;"), 1U);
    EXPECT_EQ(loops_of("atom.global.add.u32 %r1, [%in], 0;\nsetp.eq.u32 %p1, %r1, 0;"), 1U);
    EXPECT_EQ(loops_of("atom.global.cas.b32 %r1, [%in], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;"), 1U) << "a lock";
    EXPECT_EQ(loops_of("ld.global.u32 %r1, [%in];\nsetp.eq.u32 %p1, %r1, 0;"), 0U) << "the compiler may keep it";
    EXPECT_EQ(loops_of("ld.volatile.global.u32 %r1, [%in];\nadd.s64 %in, %in, 4;\nsetp.eq.u32 %p1, %r1, 0;"), 0U)
        << "it walks over an array";
    EXPECT_EQ(loops_of("ld.volatile.shared.u32 %r1, [%r3];\nsetp.eq.u32 %p1, %r1, 0;"), 0U);
    EXPECT_EQ(loops_of("ld.volatile.global.u32 %r1, [%in];\nst.global.u32 [%out], %r1;\nsetp.eq.u32 %p1, %r1, 0;"), 0U);
    EXPECT_EQ(loops_of("atom.global.add.u32 %r1, [%in], 1;\nsetp.eq.u32 %p1, %r1, 0;"), 0U) << "it takes a number";
    EXPECT_EQ(loops_of("add.s32 %r2, %r1, 1;\natom.global.cas.b32 %r1, [%in], %r1, %r2;\nsetp.eq.u32 %p1, %r1, %r2;"),
              0U)
        << "it tries an addition again";
}

TEST(Stamps, AddAParameterToKernelsThatHaveNone) {
    const std::string text = std::string(header) + ".visible .entry none()\n{\nret;\n}\n";
    const Stamped stamped = stamp(*ptx::parse(text, "test.ptx"));
    EXPECT_THAT(stamped.ptx, HasSubstr(".entry none(.param .u64 lanescope_stamps)"));
    EXPECT_TRUE(ptx::parse(stamped.ptx));
}

TEST(Stamps, KeepTheCompiledKernelsValid) {
    for (const char* name : {"interleaved_modulo.written", "sequential.compiled"}) {
        for (const unsigned room : {0U, 8U})
            EXPECT_TRUE(ptx::parse(stamp(*ptx::parse(ptx_of(name)), room).ptx)) << name;
    }
}

TEST(BlockTimes, GoFromTheFirstWarpsStartToTheLastOnesEnd) {
    const std::vector<WarpStamps> warps{
        {{.begin = 1100, .end = 1400, .begin_cycles = 50, .end_cycles = 350, .multiprocessor = 8, .waits = 3},
         {{.arrived = 70, .cycles = 30}}},
        {{.begin = 1064,
          .end = 1300,
          .begin_cycles = 20,
          .end_cycles = 260,
          .multiprocessor = 8,
          .polled_cycles = 70,
          .not_first_poll = ~std::uint64_t{1128},
          .last_poll = 1200},
         {}},
        {{.begin = 1032, .end = 0, .begin_cycles = 7, .multiprocessor = 1}, {}},
        {},
    };
    const std::vector<BlockTime> blocks = block_times(warps, 2, 1000);
    ASSERT_EQ(blocks.size(), 2U);
    EXPECT_EQ(blocks[0].begin, 64U);
    EXPECT_EQ(blocks[0].end, 400U);
    EXPECT_EQ(blocks[0].cycles, 330U);
    EXPECT_EQ(blocks[0].multiprocessor, 7U);
    EXPECT_EQ(blocks[0].polled_cycles, 70U);
    EXPECT_EQ(blocks[0].first_poll, 128U);
    EXPECT_EQ(blocks[0].last_poll, 200U);
    EXPECT_TRUE(blocks[0].whole);
    ASSERT_EQ(blocks[0].warps.size(), 2U);
    EXPECT_EQ(blocks[0].warps[0].begin, 30U) << "after the first warp's";
    EXPECT_EQ(blocks[0].warps[0].end, 330U);
    EXPECT_EQ(blocks[0].warps[0].waits, 3U);
    ASSERT_EQ(blocks[0].warps[0].kept.size(), 1U);
    EXPECT_EQ(blocks[0].warps[0].kept[0].arrived, 50U);
    EXPECT_FALSE(blocks[1].whole) << "a warp of it left no end, another did not begin";
}

TEST(StampedPrograms, PassEachLaunchItsOwnStamps) {
    GpuProgram program{
        .launches = {{.kernel = "a", .grid = {3}, .block = {40}}, {.kernel = "b", .grid = {1}, .block = {8}}}};
    program.buffers.push_back({.name = "in", .result = true});
    const GpuProgram stamped = stamped_program(program, {.ptx = "text"});
    EXPECT_EQ(stamped.ptx, "text");
    ASSERT_EQ(stamped.buffers.size(), 2U);
    EXPECT_FALSE(stamped.buffers[0].result);
    EXPECT_TRUE(stamped.buffers[1].result);
    EXPECT_EQ(stamped.buffers[1].bytes, 7 * stamp_bytes);
    EXPECT_EQ(stamped.launches[0].arguments.back().offset, 0U);
    EXPECT_EQ(stamped.launches[1].arguments.back().offset, 6 * stamp_bytes);
    EXPECT_EQ(stamped.launches[1].arguments.back().buffer, 1U);
    EXPECT_EQ(stamped_program(program, {.ptx = "text", .waits = 2}).buffers[1].bytes,
              7 * (stamp_bytes + 2 * wait_bytes));
}

}  // namespace
}  // namespace lanescope::execute
