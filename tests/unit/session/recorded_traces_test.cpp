// The traces that an H200 recorded say of what machine they are, and open.
#include "places.h"
#include "session/session.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace lanescope::session {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

TEST(RecordedTraces, SayDeviceDriverCompilerDateAndCommandAndAreOfSeveralBlocks) {
    std::size_t files = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(std::string(LANESCOPE_SOURCE_DIR) + "/assets/recordings/traces")) {
        SCOPED_TRACE(file.path().filename().string());
        const auto run = open_trace(file.path());
        ASSERT_TRUE(run) << run.error().problem.message();
        const trace::Trace& trace = (*run)->trace();
        EXPECT_EQ(trace.origin.machine, trace::Machine::gpu);
        EXPECT_EQ(trace.origin.device, "NVIDIA H200");
        EXPECT_THAT((*run)->notes,
                    Contains(AllOf(HasSubstr("Recorded on NVIDIA H200, driver 580."), HasSubstr("NVRTC 13"),
                                   HasSubstr(", 2026-"), HasSubstr("by `lanescope verify"))));
        EXPECT_EQ((*run)->block, 256U);
        const Program& program = *find_program(trace.origin.program);
        const bool can_be_of_several = program.recipe.n_limit.empty() && program.recipe.grid != "1";
        EXPECT_GT((*run)->grid, can_be_of_several ? 1U : 0U);
        EXPECT_EQ((*run)->verdict.ok, program.recipe.fault.empty());
        ++files;
    }
    std::size_t sound = 0;
    for (const Program& program : catalog()) sound += program.recipe.fault.empty() ? 1 : 0;
    EXPECT_GE(files, 2 * sound);
}

}  // namespace
}  // namespace lanescope::session
