// One row of ptx/meanings.inc changed: the emulator's counts, the analysis and its narration all follow.
#include "kernels.h"

#include "base/embedded.h"

#include <gmock/gmock.h>

namespace lanescope::analysis {
namespace {

using ptx::Opcode;
using testing::HasSubstr;
using testing::Not;

/// reduce/interleaved_modulo with one meaning changed.
struct Changed {
    ptx::OpcodeMeanings meanings = ptx::opcode_meanings();
    std::shared_ptr<const Analysis> analysis;

    template <class Change>
    Changed(Opcode opcode, Change change) {
        change(meanings[static_cast<std::size_t>(opcode)]);
        const KernelRun run = kernel_run("reduce/interleaved_modulo", trace::View::written, 16, classic);
        const auto text = embedded_file("kernels/reduce/interleaved_modulo.written.ptx");
        analysis = analysis_of(run, std::string(text.value()), {}, meanings);
    }
};

std::uint64_t operations(const Analysis& analysis) { return analysis.trace->totals().operations; }

TEST(OpcodeMeanings, WithoutAChangeAreTheTables) {
    const Changed none(Opcode::add, [](ptx::OpcodeMeaning&) {});
    EXPECT_EQ(operations(*none.analysis), 15U) << "16 elements take 15 additions";
    EXPECT_THAT(narration_of(*none.analysis), HasSubstr("adds "));
}

TEST(OpcodeMeanings, SayWhatCountsAsAnOperation) {
    const Changed add(Opcode::add, [](ptx::OpcodeMeaning& row) { row.combines = false; });
    EXPECT_EQ(operations(*add.analysis), 0U);
}

TEST(OpcodeMeanings, SayWhatAnOperationIsCalled) {
    const Changed add(Opcode::add, [](ptx::OpcodeMeaning& row) { row.phrase = "joins {0} and {1}: {r}"; });
    EXPECT_THAT(narration_of(*add.analysis), HasSubstr(" joins "));
    EXPECT_THAT(narration_of(*add.analysis), Not(HasSubstr(" adds ")));
}

TEST(OpcodeMeanings, SayHowAnOperationIsWritten) {
    const Changed sum(Opcode::add, [](ptx::OpcodeMeaning& row) { row.symbol = "(+)"; });
    EXPECT_THAT(narration_of(*sum.analysis), HasSubstr(" (+) "));
    const Changed rest(Opcode::rem, [](ptx::OpcodeMeaning& row) { row.symbol = "mod"; });
    EXPECT_THAT(narration_of(*rest.analysis), HasSubstr(" mod "));
}

TEST(OpcodeMeanings, SayWhichInstructionIsABarrier) {
    const Changed plain(Opcode::bar, [](ptx::OpcodeMeaning&) {});
    const Changed bar(Opcode::bar, [](ptx::OpcodeMeaning& row) {
        row.action = ptx::Action::hint;
        row.group = ptx::Group::other;
        row.phrase = "rests here";
    });
    EXPECT_GT(plain.analysis->trace->totals().barriers, 0U);
    EXPECT_EQ(bar.analysis->trace->totals().barriers, 0U);
    EXPECT_THAT(narration_of(*bar.analysis), HasSubstr(" rest here"));
    EXPECT_THAT(narration_of(*bar.analysis), Not(HasSubstr("the barrier")));
}

}  // namespace
}  // namespace lanescope::analysis
