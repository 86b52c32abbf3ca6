// The Theory panel in the window: it follows the run, measures the work at other sizes in the background, and can be
// cancelled.
#include "ui/panels/theory.h"
#include "ui/window_test.h"

#include "scene/theory_scene.h"

#include <gmock/gmock.h>

#include <imgui_internal.h>

namespace lanescope::ui {
namespace {

class TheoryInWindow : public WindowTest {
  protected:
    static TheoryPanel& theory() { return dynamic_cast<TheoryPanel&>(panel("Theory")); }
    void bring_up() {
        frames(20);
        shell().bring_up("Theory");
        frames(5);
    }
    void measured() {
        until([] { return !theory().measuring(); });
        frames(2);
    }
    void keep(const std::string& name) {
        keep_picture(name);
        frames(2);
    }
};

TEST_F(TheoryInWindow, HasWorkSpanAndScheduleOfTheRun) {
    run("reduce/sequential", "256");
    bring_up();
    EXPECT_EQ(theory().picture().work, 255U);
    EXPECT_EQ(theory().picture().span, 8U);
    EXPECT_TRUE(theory().view().on_screen(scene::TraceRef::Kind::point, 1, 0));
    run("reduce/sequential", "64");
    frames(5);
    EXPECT_EQ(theory().picture().work, 63U);
}

TEST_F(TheoryInWindow, MeasuresTheWorkAtOtherSizesOnceForAProgram) {
    run("scan/double-buffered", "16");
    bring_up();
    measured();
    const std::vector<analysis::WorkAtSize> all = theory().picture().work_by_size;
    ASSERT_EQ(all.size(), 10U);
    EXPECT_EQ(all.back().n, 1024U);
    EXPECT_EQ(all.back().work, 9217U);
    EXPECT_TRUE(theory().view().on_screen(scene::TraceRef::Kind::point, scene::first_work_series, 9));
    keep("theory-scan");
    // The same elements for each thread: the same sizes.
    run("scan/double-buffered", "64");
    frames(3);
    EXPECT_FALSE(theory().measuring());
    EXPECT_EQ(theory().picture().work_by_size.size(), 10U);
    EXPECT_EQ(theory().picture().work, 321U);
}

TEST_F(TheoryInWindow, StopsMeasuringWhenItIsCancelledAndGoesOnWhenItIsAsked) {
    run("reduce/sequential", "64");
    bring_up();
    measured();
    const std::size_t all = theory().picture().work_by_size.size();
    ASSERT_GT(all, 2U);
    run("reduce/interleaved-modulo", "64");
    theory().cancel();
    frames(2);
    EXPECT_FALSE(theory().measuring());
    EXPECT_THAT(theory().picture().work_note, testing::HasSubstr("Cancelled"));
    // The button that was "Cancel" is "Measure" now.
    act([](ImGuiTestContext& person) { person.ItemClick("**/##work"); });
    frames(2);
    EXPECT_THAT(theory().picture().work_note, testing::Not(testing::HasSubstr("Cancelled")));
    measured();
    EXPECT_EQ(theory().picture().work_by_size.size(), all);
}

TEST_F(TheoryInWindow, FillsALargeWindowWithTwoColumns) {
    resize(1920, 1080);
    run("reduce/sequential", "1024");
    bring_up();
    shell().maximize("Theory");
    measured();
    frames(5);
    // All of it is seen at once.
    EXPECT_LE(theory().view().scene().height, ImGui::FindWindowByName("##alone/Theory")->Size.y);
    keep("theory-maximized");
}

}  // namespace
}  // namespace lanescope::ui
