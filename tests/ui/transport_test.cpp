#include "analysis/costs.h"
#include "analysis/panels/bank_picture.h"
#include "ui/commands.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>

#include <map>

namespace lanescope::ui {
namespace {

using ::testing::Lt;

class Transport : public WindowTest {
  protected:
    void press(const char* button) {
        act([&](ImGuiTestContext& person) { person.ItemClick((std::string("##transport/") + button).c_str()); });
    }
    void key(ImGuiKeyChord chord) {
        act([&](ImGuiTestContext& person) { person.KeyPress(chord); });
    }
    void character(const char* text) {
        act([&](ImGuiTestContext& person) { person.KeyChars(text); });
    }
    [[nodiscard]] static std::size_t position() { return workspace().position(); }
    [[nodiscard]] static std::size_t end() { return workspace().at().end(); }
};

TEST_F(Transport, StepGoesOneEventForwardAndBack) {
    press("step");
    EXPECT_EQ(position(), workspace().at().stops(Unit::event)[1]);
    press("step-back");
    EXPECT_EQ(position(), 0U);
}

TEST_F(Transport, WithAltAndInThePtxViewAStepIsAnInstruction) {
    ASSERT_NE(workspace().at().stops(Unit::event)[1], workspace().at().stops(Unit::instruction)[1]);
    act([](ImGuiTestContext& person) {
        person.KeyDown(ImGuiMod_Alt);
        person.ItemClick("##transport/step");
        person.KeyUp(ImGuiMod_Alt);
    });
    EXPECT_EQ(position(), workspace().at().stops(Unit::instruction)[1]);
    key(ImGuiMod_Alt | ImGuiKey_RightArrow);
    EXPECT_EQ(position(), workspace().at().stops(Unit::instruction)[2]);
    key(ImGuiMod_Alt | ImGuiKey_LeftArrow);
    key(ImGuiMod_Alt | ImGuiKey_LeftArrow);
    EXPECT_EQ(position(), 0U);
    workspace().settings.source_view = SourceView::ptx;
    press("step");
    EXPECT_EQ(position(), workspace().at().stops(Unit::instruction)[1]);
    key(ImGuiKey_RightArrow);
    EXPECT_EQ(position(), workspace().at().stops(Unit::instruction)[2]);
    workspace().settings.source_view = SourceView::cuda;
}

TEST_F(Transport, PassGoesToTheNextPassAndBack) {
    press("pass");
    EXPECT_EQ(workspace().pass(), 1U);
    EXPECT_EQ(position(), workspace().shown()->passes->passes[1].first);
    press("pass-back");
    EXPECT_EQ(position(), 0U);
}

TEST_F(Transport, TheOuterButtonsGoToTheEnds) {
    press("end");
    EXPECT_EQ(position(), end());
    EXPECT_FALSE(workspace().next_step().valid());
    press("start");
    EXPECT_EQ(position(), 0U);
}

TEST_F(Transport, KeysGoToTheNextDivergentBranchAndConflictAndBack) {
    run("reduce/interleaved-modulo", "64");
    key(ImGuiKey_D);
    const auto is_divergent = [] {
        const Shown& shown = *workspace().shown();
        return analysis::facts_of(shown.trace(), *shown.analysis().provenance, workspace().next_step()).divergent;
    };
    const std::size_t first = workspace().position();
    EXPECT_TRUE(is_divergent());
    key(ImGuiKey_D);
    EXPECT_TRUE(is_divergent());
    EXPECT_GT(workspace().position(), first);
    key(ImGuiMod_Shift | ImGuiKey_D);
    EXPECT_EQ(workspace().position(), first);
    run("reduce/strided-index", "64");
    key(ImGuiKey_C);
    const auto picture = analysis::bank_picture(workspace().shown()->view(), workspace().position());
    ASSERT_TRUE(picture.has_value());
    EXPECT_TRUE(picture->conflict());
    // A kernel without findings says so and stays.
    const std::size_t here = workspace().position();
    key(ImGuiKey_E);
    EXPECT_EQ(workspace().position(), here);
}

TEST_F(Transport, AKeyGoesToTheFindings) {
    run("faulty/missing-barrier", "64");
    ASSERT_FALSE(workspace().shown()->trace().findings.empty());
    workspace().home();
    key(ImGuiKey_E);
    const StepId first = workspace().next_step();
    const auto& findings = workspace().shown()->trace().findings;
    EXPECT_TRUE(std::ranges::any_of(findings, [&](const trace::Finding& each) { return each.step == first; }));
    workspace().finish();
    key(ImGuiMod_Shift | ImGuiKey_E);
    const StepId last = workspace().next_step();
    EXPECT_TRUE(std::ranges::any_of(findings, [&](const trace::Finding& each) { return each.step == last; }));
    EXPECT_GE(last, first);
}

TEST_F(Transport, PlayMovesAndPauseStops) {
    press("play");
    EXPECT_TRUE(workspace().playing());
    until([&] { return position() > 0; });
    press("play");
    EXPECT_FALSE(workspace().playing());
    const std::size_t stopped = position();
    frames(120);
    EXPECT_EQ(position(), stopped);
}

TEST_F(Transport, PlayStopsAtTheEndAndStartsAgainFromThere) {
    workspace().finish();
    press("play");
    EXPECT_THAT(position(), Lt(end()));
    workspace().settings.speed = fastest;
    until([&] { return !workspace().playing(); });
    EXPECT_EQ(position(), end());
}

TEST_F(Transport, TheScrubberTakesAClick) {
    act([](ImGuiTestContext& person) {
        const ImRect track = person.ItemInfo("##transport/scrubber").RectFull;
        person.MouseMoveToPos({track.Min.x + track.GetWidth() * 0.5F, track.GetCenter().y});
        person.MouseClick();
    });
    EXPECT_NEAR(static_cast<double>(position()), static_cast<double>(end()) / 2, static_cast<double>(end()) * 0.05);
}

TEST_F(Transport, TheScrubberIsDraggedToBothEnds) {
    act([](ImGuiTestContext& person) {
        const ImRect track = person.ItemInfo("##transport/scrubber").RectFull;
        person.MouseMoveToPos(track.GetCenter());
        person.MouseDown();
        person.MouseMoveToPos({track.Max.x + 40, track.GetCenter().y});
        person.MouseUp();
    });
    EXPECT_EQ(position(), end());
    act([](ImGuiTestContext& person) {
        const ImRect track = person.ItemInfo("##transport/scrubber").RectFull;
        person.MouseMoveToPos(track.GetCenter());
        person.MouseDown();
        person.MouseMoveToPos({track.Min.x - 40, track.GetCenter().y});
        person.MouseUp();
    });
    EXPECT_EQ(position(), 0U);
}

TEST_F(Transport, ArrowsStepShiftGoesByPassCtrlByLine) {
    key(ImGuiKey_RightArrow);
    EXPECT_EQ(position(), workspace().at().stops(Unit::event)[1]);
    key(ImGuiKey_LeftArrow);
    EXPECT_EQ(position(), 0U);
    key(ImGuiMod_Shift | ImGuiKey_RightArrow);
    EXPECT_EQ(workspace().pass(), 1U);
    key(ImGuiMod_Shift | ImGuiKey_LeftArrow);
    EXPECT_EQ(position(), 0U);
    key(ImGuiMod_Ctrl | ImGuiKey_RightArrow);
    EXPECT_EQ(position(), workspace().at().stops(Unit::line)[1]);
    key(ImGuiMod_Ctrl | ImGuiKey_LeftArrow);
    EXPECT_EQ(position(), 0U);
}

TEST_F(Transport, ThePresentersRemoteGoesByPass) {
    key(ImGuiKey_PageDown);
    key(ImGuiKey_PageDown);
    EXPECT_EQ(workspace().pass(), 2U);
    key(ImGuiKey_PageUp);
    EXPECT_EQ(workspace().pass(), 1U);
}

TEST_F(Transport, HomeAndEndGoToTheEnds) {
    key(ImGuiKey_End);
    EXPECT_EQ(position(), end());
    key(ImGuiKey_Home);
    EXPECT_EQ(position(), 0U);
}

TEST_F(Transport, SpacePlaysAndPauses) {
    key(ImGuiKey_Space);
    EXPECT_TRUE(workspace().playing());
    key(ImGuiKey_Space);
    EXPECT_FALSE(workspace().playing());
}

TEST_F(Transport, SpaceStillPlaysAfterAButtonWasClicked) {
    press("step");
    const std::size_t before = position();
    key(ImGuiKey_Space);
    EXPECT_TRUE(workspace().playing());
    workspace().play(false);
    EXPECT_GE(position(), before);
}

TEST_F(Transport, PlusAndMinusChangeTheSpeed) {
    character("+");
    EXPECT_EQ(workspace().settings.speed, 2);
    character("-");
    character("-");
    EXPECT_EQ(workspace().settings.speed, 0.5);
}

TEST_F(Transport, TheSpeedIsChosenFromAList) {
    act([](ImGuiTestContext& person) {
        person.ItemClick("##transport/speed");
        person.ItemClick("**/16x");
    });
    EXPECT_EQ(workspace().settings.speed, 16);
}

TEST_F(Transport, ForwardAndBackIsWhereOneWasFromEverywhereByEveryUnit) {
    const std::size_t step = std::max<std::size_t>(1, end() / 60);
    for (const Unit unit : {Unit::instruction, Unit::event, Unit::line, Unit::pass}) {
        for (std::size_t from = 0; from < end(); from += step) {
            workspace().seek_exactly(from);
            workspace().forward(unit);
            workspace().back(unit);
            ASSERT_EQ(position(), from);
        }
    }
}

TEST_F(Transport, NoKeyActsWhileTextIsTyped) {
    act([](ImGuiTestContext& person) {
        person.SetRef("##launch");
        person.ItemClick("n/##value");
        person.KeyPress(ImGuiKey_RightArrow);
        person.KeyPress(ImGuiKey_End);
        person.KeyPress(ImGuiKey_Space);
        person.KeyChars("+?");
        person.KeyPress(ImGuiKey_Escape);
    });
    EXPECT_EQ(position(), 0U);
    EXPECT_FALSE(workspace().playing());
    EXPECT_FALSE(shell().help_open());
    EXPECT_EQ(workspace().settings.speed, 1);
}

TEST_F(Transport, EveryCommandHasAKeyAndNoTwoShareOne) {
    std::map<ImGuiKeyChord, std::string_view> chords;
    std::map<ImWchar, std::string_view> characters;
    for (const Command& each : commands()) {
        if (each.choices != nullptr) continue;  // a list: what it has is chosen in the menu, or searched for
        EXPECT_TRUE(each.key.chord != 0 || each.key.character != 0) << each.name;
        EXPECT_FALSE(each.key.shown.empty()) << each.name;
        for (const Key& one : {each.key, each.other_key, each.third_key}) {
            if (one.chord != 0) {
                EXPECT_TRUE(chords.emplace(one.chord, each.name).second) << each.name << " and " << chords[one.chord];
            }
            if (one.character != 0) {
                EXPECT_TRUE(characters.emplace(one.character, each.name).second) << each.name;
            }
        }
    }
}

TEST_F(Transport, QuestionMarkListsTheKeysAndEscapeClosesThem) {
    character("?");
    EXPECT_TRUE(shell().help_open());
    key(ImGuiKey_Escape);
    EXPECT_FALSE(shell().help_open());
}

}  // namespace
}  // namespace lanescope::ui
