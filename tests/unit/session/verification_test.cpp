// Every kernel is recorded on the emulator itself: what the rewritten PTX logs is what the trace of the PTX holds.
#include "session/verification.h"
#include "emulated_machine.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Verdict = Verification::Verdict;

Verifier emulator() {
    return {.device = "the emulator",
            .told = "for a test",
            .open = [](const auto& trace, const auto& module, const auto& rewritten) {
                return Result<std::unique_ptr<execute::RecordingMachine>>(
                    std::make_unique<EmulatedMachine>(trace, module, rewritten));
            }};
}

std::string told(const Verification& verification) {
    if (!verification.difference) return verification.why;
    const execute::RecordDifference& difference = *verification.difference;
    return fmt::format("launch {}, block {}, thread {}, entry {}, {}: expected {}, found {}", difference.launch,
                       difference.block, difference.thread, difference.entry, difference.instruction,
                       difference.expected, difference.found);
}

TEST(Verification, finds_every_kernel_to_log_what_its_trace_holds_in_both_views) {
    for (const Program& program : catalog()) {
        for (const trace::View view : {trace::View::written, trace::View::compiled}) {
            SCOPED_TRACE(program.name + (view == trace::View::written ? " as written" : " as compiled"));
            Progress progress;
            const auto verified = verify({.program = program.name, .view = view}, emulator(), progress);
            ASSERT_TRUE(verified) << verified.error().message();
            if (!program.fault.empty()) {
                EXPECT_EQ(verified->verdict, Verdict::skipped);
                EXPECT_THAT(verified->why, HasSubstr(program.fault));
                continue;
            }
            EXPECT_EQ(verified->verdict, Verdict::agree) << told(*verified);
            EXPECT_GT(verified->entries, 0U);
            ASSERT_NE(verified->recorded, nullptr);
            EXPECT_EQ(verified->recorded->origin.machine, trace::Machine::gpu);
        }
    }
}

}  // namespace
}  // namespace lanescope::session
