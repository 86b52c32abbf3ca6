#include "execute/emulator/emulation_notes.h"

#include "trace/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::execute {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

trace::Launch launch_of(std::uint32_t blocks, std::uint32_t recorded) {
    trace::Launch launch;
    launch.grid = {blocks, 1, 1};
    for (std::uint32_t i = 0; i < recorded; ++i) launch.recorded.emplace_back(i);
    return launch;
}

TEST(RecordCuts, LaunchesInARowThatAreCutAlikeAreOneNote) {
    trace::Trace trace;
    RecordCuts cuts;
    for (const std::uint32_t recorded : {3U, 2U, 2U, 8U, 2U}) {
        trace.launches.push_back(launch_of(100, recorded));
        cuts.see(trace, 8);
    }
    cuts.add_notes(trace, std::uint64_t{64} << 20);
    EXPECT_THAT(
        trace.notes,
        ElementsAre("Launch 0: 3 of 8 blocks are recorded step by step. The record is limited to 64 MiB.",
                    "Launches 1 to 2: 2 of 8 blocks are recorded step by step. The record is limited to 64 MiB.",
                    "Launch 4: 2 of 8 blocks are recorded step by step. The record is limited to 64 MiB."));
}

TEST(RecordCuts, ABlockThatIsRecordedInPartIsSaidWithItsLastStep) {
    trace::Writer writer({});
    RecordCuts cuts;
    writer.begin_launch(launch_of(4, 1));
    for (std::uint32_t i = 0; i < 5; ++i)
        writer.begin_step(BlockId(0), WarpId(0), PtxLine(1), 0, LaneMask::first(32), LaneMask::first(32));
    writer.cut(BlockId(0), StepId(3));
    writer.end_launch();
    cuts.see(writer.trace(), 8);
    cuts.add_notes(writer.trace(), std::uint64_t{64} << 20);
    EXPECT_THAT(writer.trace().notes,
                ElementsAre("Block 0 is recorded up to step 3. The record is limited to 64 MiB. What the block does "
                            "later is counted, but not shown."));
}

TEST(EmulationNotes, ABudgetThatIsSpentBecomesANote) {
    trace::Trace trace;
    trace::Finding budget;
    budget.kind = trace::Finding::Kind::step_budget;
    budget.launch = 1;
    budget.message = "the step limit";
    trace.findings = {budget};
    make_notes_of_budgets(trace);
    EXPECT_THAT(trace.findings, IsEmpty());
    EXPECT_THAT(trace.notes, ElementsAre("Not known: whether launch 1 ends; the step limit."));
}

TEST(EmulationNotes, NameBlocksOfTheStartOrderThatTheLaunchLacksOnceEach) {
    trace::Trace trace;
    trace::BlockOrder order;
    order.late = {1, 5};
    order.stalled = {5};
    note_missing_blocks(trace, 2, order, 4);
    note_missing_blocks(trace, 2, order, 4);
    EXPECT_THAT(trace.notes, ElementsAre("Launch 2 has no block 5, which the start order names."));
}

}  // namespace
}  // namespace lanescope::execute
