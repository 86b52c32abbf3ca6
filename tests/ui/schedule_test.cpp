// A race in Findings: its button searches for a schedule with a wrong result, and the program runs under it.
#include "window_test.h"

#include <gmock/gmock.h>

#include <fstream>
#include <string>

namespace lanescope::ui {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ScheduleOfARace : public WindowTest {
  protected:
    void open(const char* program) {
        workspace().open(program);
        settle();
        workspace().set_field(Field::block, "8");
        settle();
        shell().bring_up("Findings");
        settle();
    }
};

TEST_F(ScheduleOfARace, IsFoundAndRun) {
    resize(1920, 1080);
    open("faulty/missing-barrier");
    ASSERT_EQ(workspace().shown()->run->verdict.ok, true);
    keep_picture("schedule-before");
    frames(1);
    act([](ImGuiTestContext& person) { person.ItemClick("//Findings/**/find-schedule"); });
    until([&] { return !workspace().form().shown(Field::schedule).empty() && !workspace().busy(); });
    settle();
    EXPECT_EQ(workspace().shown()->run->verdict.ok, false);
    EXPECT_THAT(workspace().form().shown(Field::schedule), StartsWith("hold 0:0"));
    EXPECT_THAT(workspace().shown()->run->notes, Contains(StartsWith("Schedule \"hold 0:0")));
    keep_picture("schedule-after");
    frames(1);
    EXPECT_FALSE(workspace().can_find_schedule(workspace().shown()->trace().findings.front()))
        << "the result is wrong already";

    workspace().undo();
    settle();
    EXPECT_THAT(workspace().form().shown(Field::schedule), IsEmpty());
    EXPECT_EQ(workspace().shown()->run->verdict.ok, true);
}

TEST_F(ScheduleOfARace, GoesWithTheViewThatItsLinesAreOf) {
    open("faulty/missing-barrier");
    workspace().set_field(Field::schedule, "hold 0:0:1 at 54");
    settle();
    ASSERT_EQ(workspace().shown()->run->verdict.ok, false);
    workspace().set_field(Field::view, "compiled");
    settle();
    EXPECT_THAT(workspace().form().shown(Field::schedule), IsEmpty());
    workspace().set_field(Field::schedule, "hold 0 at 54");
    EXPECT_TRUE(workspace().form().problem(Field::schedule)) << "no warp is named";
}

TEST_F(ScheduleOfARace, IsSearchedForNoOtherRun) {
    open("faulty/missing-barrier");
    const trace::Finding& race = workspace().shown()->trace().findings.front();
    workspace().find_schedule(race);
    EXPECT_TRUE(workspace().schedule_finder().running());
    open("reduce/sequential");
    EXPECT_FALSE(workspace().schedule_finder().running());
    EXPECT_THAT(workspace().form().shown(Field::schedule), IsEmpty());
}

TEST_F(ScheduleOfARace, SaysThatNoneWasFound) {
    const std::string file = testing::TempDir() + "harmless_race.cu";
    {
        std::ofstream out(file);
        out << "// lanescope: arg in = input(n)\n// lanescope: arg out = zeros(1)\n// lanescope: arg spare = zeros(1)\n"
               "// lanescope: block = 64\n// lanescope: n = 1\n// lanescope: oracle = sum\n// lanescope: output = out\n"
               "__global__ void harmless(const int* in, int* out, int* spare)\n{\n    spare[0] = threadIdx.x;\n"
               "    if (threadIdx.x == 0) out[0] = in[0];\n}\n";
    }
    workspace().permit(file);
    open(file.c_str());
    act([](ImGuiTestContext& person) { person.ItemClick("//Findings/**/find-schedule"); });
    until([&] { return !workspace().schedule_finder().running(); });
    EXPECT_THAT(workspace().schedule_finder().said(), HasSubstr("None of"));
    EXPECT_THAT(workspace().form().shown(Field::schedule), IsEmpty());
    frames(2);
    keep_picture("schedule-none");
    frames(1);
}

}  // namespace
}  // namespace lanescope::ui
