// Sectors in the window: it follows the cursor, and sectors and lanes can be clicked.
#include "ui/panels/sectors.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>

namespace lanescope::ui {
namespace {

class Sectors : public WindowTest {
  protected:
    static SectorsPanel& sectors() { return dynamic_cast<SectorsPanel&>(panel("Sectors")); }
    void open(const char* kernel) {
        run(kernel, "64");
        resize(1920, 1080);
        shell().arrange(Arrangement::study);
        shell().bring_up("Sectors");
        frames(5);
        workspace().home();
        frames(3);
    }
    void click(scene::TraceRef::Kind kind, std::uint32_t row, std::uint32_t column) {
        const auto at = sectors().view().on_screen(kind, row, column);
        ASSERT_TRUE(at.has_value());
        act([&](ImGuiTestContext& person) {
            person.MouseSetViewport(ImGui::FindWindowByName("Sectors"));
            person.MouseMoveToPos(*at);
            person.MouseClick();
        });
        frames(3);
    }
};

TEST_F(Sectors, ShowTheAccessOfGlobalMemoryAtTheCursor) {
    open("reduce/sequential");
    ASSERT_NE(sectors().picture(), nullptr);
    EXPECT_EQ(sectors().picture()->kind, trace::EffectKind::load);
    EXPECT_EQ(sectors().picture()->requests.size(), 4U);
    workspace().seek_exactly(workspace().shown()->passes->steps.size());
    frames(3);
    ASSERT_NE(sectors().picture(), nullptr);
    EXPECT_EQ(sectors().picture()->kind, trace::EffectKind::store);
}

TEST_F(Sectors, AClickOnASectorShowsItAndOnALaneFollowsIt) {
    open("reduce/sequential");
    click(scene::TraceRef::Kind::wavefront, 0, 2);
    EXPECT_THAT(sectors().request(), testing::Optional(2U));
    click(scene::TraceRef::Kind::lane, 9, 9);
    EXPECT_THAT(workspace().lane(), testing::Optional(Lane{WarpId(0), 9}));
    workspace().clear_selection();
}

}  // namespace
}  // namespace lanescope::ui
