// The traces recorded on an H200 name their machine and can be opened.
#include "places.h"
#include "session/catalog.h"
#include "session/recipe.h"
#include "session/run.h"
#include "session/saved_trace.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <string>

namespace lanescope::session {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

TEST(SweepRecordedTraces, SayDeviceDriverCompilerDateAndCommandAndAreOfSeveralBlocks) {
    std::map<std::string, std::size_t> files;  // by program
    std::size_t of_several_blocks = 0;
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
        const Program& program = *find_program(trace.origin.program);
        const bool can_be_of_256 = check_block(program, 256).has_value();
        EXPECT_EQ((*run)->block % 256 == 0, can_be_of_256) << (*run)->block;
        if ((*run)->grid > 1) ++of_several_blocks;
        EXPECT_EQ((*run)->verdict.ok, program.recipe.expected.fault.empty());
        ++files[trace.origin.program];
    }
    EXPECT_EQ(files.size(), 100U);
    EXPECT_GE(of_several_blocks, 170U) << "all but those that take one block at most";
    for (const auto& [program, views] : files) EXPECT_GE(views, 2U) << program << " in both views";
}

}  // namespace
}  // namespace lanescope::session
