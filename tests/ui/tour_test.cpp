// The tour: it goes to its stops, and its texts agree with the trace.
#include "ui/tour.h"
#include "analysis/panels/access_near.h"
#include "analysis/panels/bank_picture.h"
#include "analysis/panels/warp_picture.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <algorithm>

namespace lanescope::ui {
namespace {

using ::testing::HasSubstr;

class TourTest : public WindowTest {
  protected:
    static bool in_view(const char* title) {
        const ImGuiWindow* found = ImGui::FindWindowByName(title);
        return found != nullptr && found->Active && found->DockTabIsVisible;
    }
    void press(const char* button) {
        act([&](ImGuiTestContext& person) { person.ItemClick((std::string("##transport/") + button).c_str()); });
    }
    static analysis::WarpPicture warps() {
        return analysis::warp_picture(workspace().shown()->view(),
                                      workspace().shown()->passes->passes[workspace().pass()].id);
    }
    static analysis::BankPicture banks() {
        const Shown& shown = *workspace().shown();
        const auto index = analysis::access_near(shown.view(), workspace().position(), WarpId(0), trace::Space::shared);
        return *analysis::bank_picture(shown.view(), *index);
    }
    static std::uint64_t wavefronts() {
        const trace::Counts& totals = workspace().shown()->analysis().totals;
        return totals.shared_load_wavefronts + totals.shared_store_wavefronts;
    }
    static std::vector<unsigned> lanes_of_passes() {
        std::vector<unsigned> lanes;
        for (const analysis::Pass& pass : workspace().shown()->passes->passes) lanes.push_back(pass.lanes);
        return lanes;
    }
};

TEST_F(TourTest, IsOfferedAtTheStartUntilItIsTakenOrPutAway) {
    EXPECT_FALSE(shell().tour().running());
    press("tour-next");
    EXPECT_TRUE(shell().tour().running());
    key(ImGuiKey_Escape);
    EXPECT_FALSE(shell().tour().running());
    EXPECT_TRUE(workspace().settings.toured);
    workspace().home();
    frames(3);
    act([](ImGuiTestContext& person) { EXPECT_FALSE(person.ItemExists("##transport/tour-next")); });
}

TEST_F(TourTest, GoesToEveryStopAndSaysWhatIsThere) {
    shell().tour().begin(shell());
    settle();
    const auto words = [] { return std::string(shell().tour().words(workspace())); };
    const auto expect_stop = [&](std::size_t number) {
        const TourStop& stop = tour_stops()[number];
        EXPECT_EQ(shell().tour().stop(), number);
        EXPECT_EQ(words(), stop.words);
        EXPECT_EQ(workspace().shown()->run->program.name, stop.program);
        EXPECT_EQ(workspace().shown()->passes->passes[workspace().pass()].label, stop.pass);
        frames(4);
        EXPECT_TRUE(in_view(stop.panel)) << stop.panel;
        EXPECT_EQ(shell().tour().subject(workspace()), stop.panel) << "a ring is around it";
        keep_picture("tour-" + std::to_string(number));
        frames(2);
        keep_picture("tour" + std::to_string(number + 1));
        frames(1);
    };
    expect_stop(0);
    EXPECT_THAT(words(), HasSubstr("8 of them, then 4, 2 and 1"));
    EXPECT_THAT(lanes_of_passes(), ::testing::ElementsAre(8, 8, 4, 2, 1));

    press("tour-next");
    expect_stop(1);
    EXPECT_THAT(words(), HasSubstr("all 8 warps run, with 4 of 32 lanes useful in each"));
    EXPECT_EQ(wavefronts(), 150U);
    const analysis::WarpPicture modulo = warps();
    ASSERT_EQ(modulo.rows.size(), 8U);
    for (const analysis::WarpRow& row : modulo.rows) EXPECT_EQ(row.useful.count(), 4U);

    press("tour-next");
    expect_stop(2);
    EXPECT_THAT(words(), HasSubstr("all 32 lanes of warp 0 are useful"));
    EXPECT_EQ(wavefronts(), 150U);
    const analysis::WarpPicture strided = warps();
    for (const analysis::WarpRow& row : strided.rows)
        EXPECT_EQ(row.useful.count(), row.warp == WarpId(0) ? 32U : 0U) << "warp " << row.warp.value;

    press("tour-next");
    expect_stop(3);
    EXPECT_THAT(words(), HasSubstr("32 words in 4 of the 32 banks, 8 in each. The access takes 8 wavefronts"));
    const analysis::BankPicture collides = banks();
    EXPECT_EQ(collides.words.size(), 32U);
    EXPECT_EQ(collides.wavefronts.size(), 8U);
    EXPECT_EQ(std::ranges::count(collides.degree, 8U), 4);

    press("tour-next");
    expect_stop(4);
    EXPECT_THAT(words(), HasSubstr("32 words in 32 banks, 1 wavefront"));
    EXPECT_EQ(banks().wavefronts.size(), 1U);
    EXPECT_EQ(std::ranges::count(banks().degree, 1U), 32);

    press("tour-next");
    expect_stop(5);
    EXPECT_THAT(words(), HasSubstr("45 wavefronts, compared with 150"));
    EXPECT_EQ(wavefronts(), 45U);
    EXPECT_EQ(workspace().position(), workspace().shown()->passes->passes.back().past_last)
        << "Counts is complete at the end";
    EXPECT_EQ(workspace().shown()->analysis().work, 255U);

    press("tour-back");
    expect_stop(4);
    key(ImGuiKey_RightArrow);
    EXPECT_EQ(words(), "") << "after a step the narration of that step is back";
    EXPECT_TRUE(shell().tour().running());
    frames(4);
    keep_picture("tour-after-a-step");
    frames(2);
    press("tour-again");
    expect_stop(4);
    press("tour-next");
    expect_stop(5);
    press("tour-next");
    EXPECT_FALSE(shell().tour().running());
    EXPECT_TRUE(workspace().settings.toured);
}

TEST_F(TourTest, ReturnsToTheLaunchAndThePlaceAtWhichItBegan) {
    run("reduce/any-block-size", "64");
    workspace().set_field(Field::block, "32");
    settle();
    workspace().seek_pass(2);
    frames(2);
    const std::size_t place = workspace().position();
    const auto expect_return = [&](const char* how) {
        settle();
        EXPECT_FALSE(shell().tour().running()) << how;
        EXPECT_EQ(workspace().shown()->run->program.name, "reduce/any-block-size") << how;
        EXPECT_EQ(workspace().shown()->run->block, 32U) << how;
        EXPECT_EQ(workspace().position(), place) << how;
    };
    shell().tour().begin(shell());
    settle();
    press("tour-next");
    settle();
    key(ImGuiKey_Escape);
    expect_return("Escape");
    shell().tour().begin(shell());
    settle();
    press("tour-next");
    settle();
    key(ImGuiMod_Ctrl | ImGuiKey_Z);
    expect_return("Ctrl+Z");
    key(ImGuiMod_Ctrl | ImGuiKey_Z);
    settle();
    EXPECT_EQ(workspace().shown()->run->block, 64U) << "what was done before the tour can still be undone";

    shell().tour().begin(shell());
    settle();
    workspace().open("reduce/maximum");
    settle();
    key(ImGuiKey_Escape);
    settle();
    EXPECT_EQ(workspace().shown()->run->program.name, "reduce/maximum") << "opened during the tour: it stays";
}

}  // namespace
}  // namespace lanescope::ui
