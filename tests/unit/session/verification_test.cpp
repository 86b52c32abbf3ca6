// Every kernel is recorded on the emulator itself: the log of the rewritten PTX equals the trace of the original PTX.
#include "session/verification.h"
#include "emulated_verifier.h"
#include "places.h"
#include "run_support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Verdict = Verification::Verdict;

TEST(Rerun, HasTheModulesVariablesWhereTheRunHadThem) {
    for (const std::string kernel : {"apply/quicksort", "scan/chained-blocks"}) {
        SCOPED_TRACE(kernel);
        const auto run = run_of({.program = kernel});
        ASSERT_TRUE(run);
        const auto module = ptx::parse(run->trace().origin.ptx);
        ASSERT_TRUE(module);
        const execute::Program program = execute::rerun_of(run->trace(), *module);
        EXPECT_FALSE(program.variable_addresses.empty());
        Progress progress;
        const auto again = execute::emulate(*module, program, {}, progress);
        ASSERT_TRUE(again);
        const auto& before = run->trace().buffers;
        const auto& after = (*again)->buffers;
        ASSERT_EQ(after.size(), before.size());
        for (std::size_t i = 0; i < before.size(); ++i)
            EXPECT_EQ(after[i].address, before[i].address) << before[i].name;
    }
}

void expect_log_of_trace(const Program& program, trace::View view) {
    SCOPED_TRACE(program.name + (view == trace::View::written ? " as written" : " as compiled"));
    Progress progress;
    const auto verified = verify({.program = program.name, .view = view}, emulator(), progress);
    ASSERT_TRUE(verified) << verified.error().message();
    if (verified->verdict == Verdict::skipped) {
        // The effect of a fault is not determined.
        EXPECT_FALSE(program.recipe.expected.fault.empty()) << verified->why;
        EXPECT_THAT(verified->why, HasSubstr(program.recipe.expected.fault));
        return;
    }
    EXPECT_EQ(verified->verdict, Verdict::agree) << description_of(*verified);
    EXPECT_GT(verified->entries, 0U);
    ASSERT_NE(verified->recorded, nullptr);
    EXPECT_EQ(verified->recorded->origin.machine, trace::Machine::gpu);
}

// Each kernel in one of the two views, by turns: what logs a view does not know the kernel.
TEST(SweepOfKernels, LogsWhatItsTraceHolds) {
    trace::View view = trace::View::written;
    for (const Program& program : catalog()) {
        expect_log_of_trace(program, view);
        view = view == trace::View::written ? trace::View::compiled : trace::View::written;
    }
}

TEST(LongSweepOfKernels, LogsWhatItsTraceHoldsInBothViews) {
    for (const Program& program : catalog())
        for (const trace::View view : {trace::View::written, trace::View::compiled}) expect_log_of_trace(program, view);
}

TEST(Verification, ReplaysWhatDependsOnTheOrderAndCountsIt) {
    const auto verified = verified_by(emulator(), "reduce/one-launch", trace::View::written);
    ASSERT_TRUE(verified);
    EXPECT_EQ(verified->verdict, Verdict::agree) << description_of(*verified);
    EXPECT_GT(verified->replayed, 0U) << "the rewritten PTX is longer, so that other blocks come first";
    EXPECT_LT(verified->replayed, verified->entries / 10);
}

TEST(Verification, FollowsBlocksThatWaitForOneAnotherAndClocks) {
    for (const char* file : {"blocks/chained_scan.cu", "commands/times.cu"}) {
        for (const trace::View view : {trace::View::written, trace::View::compiled}) {
            SCOPED_TRACE(file + std::string(view == trace::View::written ? " as written" : " as compiled"));
            const auto verified =
                verified_by(emulator(), LANESCOPE_SOURCE_DIR "/tests/cases/" + std::string(file), view);
            ASSERT_TRUE(verified) << verified.error().message();
            EXPECT_EQ(verified->verdict, Verdict::agree) << description_of(*verified);
            EXPECT_GT(verified->replayed, 0U);
        }
    }
}

TEST(Verification, NamesTheFirstAccessThatDiffers) {
    /// A machine with a wrong instruction: additions are executed as subtractions.
    struct Wrong : EmulatedMachine {
        static execute::Rewritten spoiled(execute::Rewritten rewritten) {
            const std::size_t sum = rewritten.ptx.find("add.s32", rewritten.ptx.find("ld.shared"));
            rewritten.ptx.replace(sum, 7, "sub.s32");
            return rewritten;
        }
        Wrong(const trace::Trace& trace, const ptx::Module& module, const execute::Rewritten& rewritten)
            : EmulatedMachine(trace, module, spoiled(rewritten)) {}
    };
    const auto verified = verified_by(made_up<Wrong>());
    ASSERT_TRUE(verified);
    EXPECT_EQ(verified->verdict, Verdict::differ);
    ASSERT_TRUE(verified->difference);
    EXPECT_EQ(verified->difference->block, 0U);
    EXPECT_EQ(verified->difference->thread, 0U);
    EXPECT_THAT(verified->difference->instruction, HasSubstr("st.shared"));
    EXPECT_THAT(verified->difference->found, HasSubstr("writes"));
    EXPECT_EQ(verified->recorded, nullptr);
}

/// A machine whose approximate instructions compute their results times a factor.
template <const char* factor>
struct Approximate : EmulatedMachine {
    static execute::Rewritten scaled(execute::Rewritten rewritten) {
        constexpr std::string_view name = "ex2.approx.ftz.f32";
        std::string& ptx = rewritten.ptx;
        for (std::size_t at = ptx.find(name); at != std::string::npos; at = ptx.find(name, at + 1)) {
            const std::size_t begin = ptx.find('%', at);
            const std::string result = ptx.substr(begin, ptx.find(',', begin) - begin);
            ptx.insert(ptx.find(';', at) + 1, fmt::format("\n\tmul.rn.f32 {}, {}, {};\n", result, result, factor));
        }
        return rewritten;
    }
    Approximate(const trace::Trace& trace, const ptx::Module& module, const execute::Rewritten& rewritten)
        : EmulatedMachine(trace, module, scaled(rewritten)) {}
};
constexpr char two_to_the_minus_23_more[] = "0f3F800001";
constexpr char eight_times_that_more[] = "0f3F800008";

TEST(Verification, OfApproximateResultsWithinTheStatedErrorComparesAllElseWithTheMachines) {
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        const auto verified =
            verified_by(made_up<Approximate<two_to_the_minus_23_more>>(), "apply/online-softmax", view);
        ASSERT_TRUE(verified) << verified.error().message();
        EXPECT_EQ(verified->verdict, Verdict::agree) << description_of(*verified);
        ASSERT_EQ(verified->approximations.size(), 1U);
        const execute::Approximation& one = verified->approximations.front();
        EXPECT_EQ(one.instruction, "ex2.approx.ftz.f32");
        EXPECT_GT(one.differing, 0U);
        EXPECT_LE(one.differing, one.results);
        EXPECT_EQ(one.unstated, 0U);
        EXPECT_GT(one.largest_relative, 0);
        EXPECT_LT(one.largest_relative, 4e-7);
        ASSERT_NE(verified->recorded, nullptr);
        EXPECT_THAT(verified->recorded->notes,
                    testing::Contains(HasSubstr("within the error that the PTX ISA states")));
    }
}

TEST(Verification, OfApproximateResultsBeyondTheStatedErrorNamesTheInstruction) {
    const auto verified = verified_by(made_up<Approximate<eight_times_that_more>>(), "apply/online-softmax");
    ASSERT_TRUE(verified) << verified.error().message();
    EXPECT_EQ(verified->verdict, Verdict::differ);
    ASSERT_TRUE(verified->difference);
    EXPECT_THAT(verified->difference->instruction, HasSubstr("ex2.approx.ftz.f32"));
    EXPECT_THAT(verified->difference->found, HasSubstr("computes"));
}

TEST(Verification, OfEqualApproximateResultsSaysNothingOfThem) {
    const auto verified = verified_by(emulator(), "apply/online-softmax");
    ASSERT_TRUE(verified) << verified.error().message();
    EXPECT_EQ(verified->verdict, Verdict::agree) << description_of(*verified);
    EXPECT_THAT(verified->approximations, IsEmpty());
}

TEST(Verification, OfThreadsThatLogMoreTheSecondTimeMakesMoreRoom) {
    /// The first run logs too few entries, as for a loop that waited less.
    struct Short : EmulatedMachine {
        using EmulatedMachine::EmulatedMachine;
        bool first = true;
        Result<Ran> run(std::span<const std::byte> control, std::span<const execute::RecorderWords> words) override {
            auto ran = EmulatedMachine::run(control, words);
            if (std::exchange(first, false)) std::copy(control.begin(), control.end(), ran->control.begin());
            return ran;
        }
    };
    const auto verified = verified_by(made_up<Short>());
    ASSERT_TRUE(verified) << verified.error().message();
    EXPECT_EQ(verified->verdict, Verdict::agree) << description_of(*verified);
}

Result<Verification> first_blocks(std::uint64_t blocks, Verifier verifier, const std::string& program,
                                  std::uint64_t n) {
    verifier.record_blocks = blocks;
    Progress progress;
    return verify({.program = program, .n = n, .block = 64, .view = trace::View::compiled}, verifier, progress);
}

TEST(Verification, RecordsAndComparesTheFirstBlocksWhereThatIsAsked) {
    const auto all = first_blocks(~std::uint64_t{0}, emulator(), "scan/padded", 1024);
    const auto two = first_blocks(2, emulator(), "scan/padded", 1024);
    ASSERT_TRUE(all && two);
    EXPECT_EQ(two->verdict, Verdict::agree) << description_of(*two);
    EXPECT_EQ(all->blocks, 8U);
    EXPECT_EQ(two->blocks, 2U);
    EXPECT_EQ(two->entries * 4, all->entries);
    EXPECT_LT(two->log_bytes, all->log_bytes);
    ASSERT_NE(two->recorded, nullptr);
    EXPECT_EQ(two->recorded->launches[0].recorded.size(), 2U) << "and no more is kept under the machine's name";
}

TEST(Verification, OfSomeBlocksHasNoVerdictWhereTheOrderOfAllDecides) {
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        Verifier verifier = emulator();
        verifier.record_blocks = 2;
        Progress progress;
        const auto verified =
            verify({.program = "reduce/one-launch", .n = 8000, .block = 64, .view = view}, verifier, progress);
        ASSERT_TRUE(verified) << verified.error().message();
        EXPECT_NE(verified->verdict, Verdict::differ) << description_of(*verified);
    }
}

TEST(Verification, OfAMachineWithoutRoomSaysSo) {
    struct Small : EmulatedMachine {
        using EmulatedMachine::EmulatedMachine;
        [[nodiscard]] std::uint64_t most_log_bytes() const override { return 1024; }
    };
    const auto verified = verified_by(made_up<Small>());
    ASSERT_FALSE(verified);
    EXPECT_THAT(verified.error().message(), HasSubstr("Record fewer blocks"));
}

TEST(Verification, OfAMachineThatFailsReportsItsError) {
    struct Lost : EmulatedMachine {
        using EmulatedMachine::EmulatedMachine;
        Result<Ran> run(std::span<const std::byte>, std::span<const execute::RecorderWords>) override {
            return fail("the GPU fell off the bus");
        }
    };
    const auto verified = verified_by(made_up<Lost>());
    ASSERT_FALSE(verified);
    EXPECT_THAT(verified.error().message(), HasSubstr("fell off the bus"));
}

}  // namespace
}  // namespace lanescope::session
