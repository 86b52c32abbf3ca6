// Barriers in memory, and copies that complete later.
#include "harness.h"

#include "execute/simt/atomics.h"

namespace lanescope::execute {
namespace {

using testing::Each;
using testing::ElementsAre;
using Words = std::vector<std::uint64_t>;

/// A barrier object, before and after an instruction.
class Object {
  public:
    std::uint64_t operator()(const std::string& instruction, std::uint64_t operand) {
        const Result<ptx::Module> module = ptx::parse(kernel_of(".shared .align 8 .b64 object;\n" + instruction));
        if (!module) throw std::runtime_error(module.error().message());
        // The last but one: ret ends the kernel.
        const ptx::Function& kernel = module->functions.front();
        const BarrierStep step = barrier_step(kernel.instructions[kernel.instructions.size() - 2], bits_, operand);
        bits_ = step.object;
        return step.result;
    }
    [[nodiscard]] std::uint32_t pending() const { return pending_arrivals(bits_); }

  private:
    std::uint64_t bits_ = 0;
};

TEST(BarrierObjects, CompleteAPhaseWhenAllExpectedHaveArrived) {
    Object object;
    object("mbarrier.init.shared.b64 [object], %r0;", 3);
    const std::uint64_t token = object("mbarrier.arrive.shared.b64 %d0, [object];", 1);
    EXPECT_EQ(object.pending(), 2U);
    EXPECT_EQ(object("mbarrier.test_wait.shared.b64 %p0, [object], %d0;", token), 0U);
    object("mbarrier.arrive.shared.b64 _, [object], %r0;", 2);
    EXPECT_EQ(object("mbarrier.test_wait.shared.b64 %p0, [object], %d0;", token), 1U);
    EXPECT_EQ(object.pending(), 3U) << "of the next phase";
}

TEST(BarrierObjects, ReturnTheParityOfTheCompletePhase) {
    Object object;
    object("mbarrier.init.shared.b64 [object], %r0;", 1);
    const std::string wait = "mbarrier.try_wait.parity.shared.b64 %p0, [object], %r0;";
    EXPECT_EQ(object(wait, 0), 0U);
    EXPECT_EQ(object(wait, 1), 1U) << "the phase before the first counts as complete";
    object("mbarrier.arrive.shared.b64 %d0, [object];", 1);
    EXPECT_EQ(object(wait, 0), 1U);
    EXPECT_EQ(object(wait, 1), 0U);
}

TEST(BarrierObjects, ExpectFewerOnceSomeHaveDropped) {
    Object object;
    object("mbarrier.init.shared.b64 [object], %r0;", 2);
    object("mbarrier.arrive_drop.shared.b64 %d0, [object];", 1);
    object("mbarrier.arrive.shared.b64 %d0, [object];", 1);
    EXPECT_EQ(object.pending(), 1U);
}

TEST(BarrierObjects, CountAnArrivalOfCopiesOnlyWhereItWasExpected) {
    Object object;
    object("mbarrier.init.shared.b64 [object], %r0;", 2);
    object("cp.async.mbarrier.arrive.shared.b64 [object];", 1);
    EXPECT_EQ(object.pending(), 2U);
    object("cp.async.mbarrier.arrive.noinc.shared.b64 [object];", 1);
    EXPECT_EQ(object.pending(), 1U);
}

std::shared_ptr<const trace::Trace> run_body(const std::string& body, unsigned threads) {
    Words in;
    for (std::uint64_t i = 0; i < 2 * threads; ++i) in.push_back(0x0101'0101'0101'0101 * (i + 1));
    return Kernel(kernel_of(body)).block(threads).buffer("in", in).buffer("out", Words(threads)).run();
}

TEST(BarriersInMemory, LetWarpsThroughWhenAllHaveArrived) {
    const auto trace = run_body(R"(
.shared .align 8 .b64 object;
.shared .align 4 .u32 cell;
setp.eq.u32 %p0, %thread, 0;
@%p0 mbarrier.init.shared.b64 [object], 64;
@%p0 st.shared.u32 [cell], 0;
bar.sync 0;
atom.shared.add.u32 %r0, [cell], 1;
mbarrier.arrive.shared.b64 %d0, [object];
WAIT:
mbarrier.test_wait.shared.b64 %p1, [object], %d0;
@!%p1 bra WAIT;
ld.shared.u32 %r1, [cell];
cvt.u64.u32 %d1, %r1;
st.global.u64 [%out], %d1;)",
                                64);
    EXPECT_THAT(final_of<std::uint64_t>(*trace, "out"), Each(64U));
    EXPECT_TRUE(trace->findings.empty());
}

TEST(BarriersInMemory, OrderWhatComesBeforeAnArrivalButNotWhatComesBeforeAWait) {
    const auto races = [](const std::string& of_first_warp) {
        const std::string body = R"(
.shared .align 8 .b64 object;
.shared .align 4 .u32 cell;
mov.u32 %r0, 0;
setp.eq.u32 %p0, %thread, 0;
@%p0 mbarrier.init.shared.b64 [object], 64;
bar.sync 0;
setp.ge.u32 %p1, %thread, 32;
@%p1 bra SECOND;
@%p0 st.shared.u32 [cell], 1;
)" + of_first_warp + R"(
bra END;
SECOND:
mbarrier.arrive.shared.b64 %d0, [object];
mbarrier.test_wait.parity.shared.b64 %p0, [object], %r0;
ld.shared.u32 %r0, [cell];
END:
cvt.u64.u32 %d1, %r0;
st.global.u64 [%out], %d1;)";
        const auto trace = run_body(body, 64);
        return std::ranges::count(trace->findings, trace::Finding::Kind::race, &trace::Finding::kind);
    };
    EXPECT_EQ(races("mbarrier.arrive.shared.b64 %d0, [object];"), 0);
    EXPECT_EQ(races("mbarrier.test_wait.parity.shared.b64 %p0, [object], %r0;"), 1);
}

/// Warp 0 executes `first`, lane 0 of it with %p0, and warp 1 `second`, which reads `cell`. The mbarrier expects
/// `arrivals`.
long races_at_an_mbarrier(unsigned arrivals, const std::string& first, const std::string& second) {
    const std::string body = R"(
.shared .align 8 .b64 object;
.shared .align 4 .u32 cell;
mov.u32 %r0, 0;
setp.eq.u32 %p0, %thread, 0;
@%p0 mbarrier.init.shared.b64 [object], )" +
                             std::to_string(arrivals) + R"(;
bar.sync 0;
setp.ge.u32 %p1, %thread, 32;
@%p1 bra SECOND;
)" + first + R"(
bra END;
SECOND:
)" + second + R"(
ld.shared.u32 %r0, [cell];
END:
cvt.u64.u32 %d1, %r0;
st.global.u64 [%out], %d1;)";
    const auto trace = run_body(body, 64);
    return std::ranges::count(trace->findings, trace::Finding::Kind::race, &trace::Finding::kind);
}

TEST(BarriersInMemory, OrderNothingForAWaitWhosePhaseIsNotComplete) {
    const std::string store_and_arrive = "@%p0 st.shared.u32 [cell], 1;\nmbarrier.arrive.shared.b64 %d0, [object];";
    const std::string arrive_and_poll =
        "mbarrier.arrive.shared.b64 %d0, [object];\n"
        "mbarrier.test_wait.shared.b64 %p1, [object], %d0;\nbar.warp.sync 0xffffffff;";
    EXPECT_EQ(races_at_an_mbarrier(64, store_and_arrive, arrive_and_poll), 0);
    EXPECT_EQ(races_at_an_mbarrier(65, store_and_arrive, arrive_and_poll), 1) << "one arrival is missing";
}

TEST(BarriersInMemory, OrderNothingForAThreadThatArrivesAndDoesNotWait) {
    EXPECT_EQ(races_at_an_mbarrier(64, "@%p0 st.shared.u32 [cell], 1;\nmbarrier.arrive.shared.b64 %d0, [object];",
                                   "mbarrier.arrive.shared.b64 %d0, [object];\nbar.warp.sync 0xffffffff;"),
              1);
}

TEST(BarriersInMemory, OrderWhatCameBeforeTheArrivalsOfTheCompletePhaseOnly) {
    std::string later;  // by then, warp 0 has arrived again
    for (int i = 0; i < 16; ++i) later += "mov.u32 %r0, 0;\n";
    const std::string wait = later + "mbarrier.test_wait.parity.shared.b64 %p1, [object], %r0;";
    const std::string arrive = "mbarrier.arrive.shared.b64 %d0, [object];\n";
    const std::string store = "@%p0 st.shared.u32 [cell], 1;\n";
    EXPECT_EQ(races_at_an_mbarrier(32, store + arrive + "@%p0 " + arrive, wait), 0);
    EXPECT_EQ(races_at_an_mbarrier(32, arrive + store + "@%p0 " + arrive, wait), 1) << "stored in the next phase";
}

TEST(AsynchronousCopies, FillWithZerosWhatTheyDoNotRead) {
    const auto out = [](const std::string& read) {
        const std::string body = R"(
.shared .align 16 .b8 cells[16];
mov.u32 %r1, cells;
mov.u32 %r0, )" + read + R"(;
cp.async.cg.shared.global [%r1], [%in], 16, %r0;
cp.async.commit_group;
cp.async.wait_group 0;
ld.shared.v2.u64 {%d0, %d1}, [cells];
st.global.v2.u64 [%out], {%d0, %d1};)";
        const Words in{0x1111'1111'1111'1111, 0x2222'2222'2222'2222};
        return final_of<std::uint64_t>(*Kernel(kernel_of(body)).block(1).buffer("in", in).buffer("out", Words(2)).run(),
                                       "out");
    };
    EXPECT_THAT(out("16"), ElementsAre(0x1111'1111'1111'1111, 0x2222'2222'2222'2222));
    EXPECT_THAT(out("12"), ElementsAre(0x1111'1111'1111'1111, 0x2222'2222));
    EXPECT_THAT(out("3"), ElementsAre(0x11'1111, 0));
    EXPECT_THAT(out("0"), ElementsAre(0, 0));
}

TEST(AsynchronousCopies, ReadOnlyAsManyBytesAsTheyName) {
    // Thread t reads t bytes; the buffer ends where the last thread's bytes do.
    const auto trace = Kernel(kernel_of(R"(
.shared .align 16 .b8 cells[256];
shl.b32 %r1, %thread, 4;
mov.u32 %r2, cells;
add.u32 %r2, %r2, %r1;
add.u64 %d1, %in, %offset;
add.u64 %d2, %out, %offset;
cp.async.cg.shared.global [%r2], [%d1], 16, %thread;
cp.async.wait_all;
ld.shared.v2.u64 {%d3, %d4}, [%r2];
st.global.v2.u64 [%d2], {%d3, %d4};)"))
                           .block(16)
                           .buffer("in", std::vector<std::uint8_t>(255, 0x77))
                           .buffer("out", Words(32))
                           .run();
    EXPECT_TRUE(trace->findings.empty());
    const auto out = final_of<std::uint8_t>(*trace, "out");
    for (unsigned i = 0; i < 256; ++i) EXPECT_EQ(out[i], i % 16 < i / 16 ? 0x77 : 0) << i;
    // 15 threads read, two to a sector; the first thread reads nothing.
    EXPECT_EQ(trace->counts.at(0).at(0).global_load_instructions, 1U);
    EXPECT_EQ(trace->counts.at(0).at(0).global_load_sectors, 8U);
}

}  // namespace
}  // namespace lanescope::execute
