// Typing filters a drop-down list, and while one is open the keys act in it alone.
#include "ui/window_test.h"

#include <imgui_internal.h>

namespace lanescope::ui {
namespace {

class DropList : public WindowTest {
  protected:
    static bool is_open() { return ImGui::GetCurrentContext()->OpenPopupStack.Size > 0; }
    void open(const char* control) {
        act([&](ImGuiTestContext& person) {
            person.ItemClick(control);
            person.Yield(3);
        });
        ASSERT_TRUE(is_open()) << control;
    }
    static const std::string& program() { return workspace().shown()->run->program.name; }
};

TEST_F(DropList, LettersFilterTheKernelsAndEnterChooses) {
    open("##launch/program");
    act([](ImGuiTestContext& person) {
        person.KeyChars("sequential");
        person.Yield(2);
        keep_picture("drop-list-filtered");
        person.Yield(2);
        EXPECT_TRUE(person.ItemExists("**/reduce\\/sequential"));
        EXPECT_FALSE(person.ItemExists("**/reduce\\/two-elements"));
        person.KeyPress(ImGuiKey_Enter);
    });
    EXPECT_EQ(program(), "reduce/sequential");
    EXPECT_FALSE(is_open());
}

TEST_F(DropList, LettersTriggerNoCommand) {
    open("##launch/program");
    const std::size_t before = workspace().position();
    act([](ImGuiTestContext& person) {
        // Each is the key of a command: presenter, maximize, bank conflict, divergence, black screen, help.
        person.KeyChars("pfcdb?");
        person.KeyPress(ImGuiKey_Space);
        person.KeyPress(ImGuiKey_RightArrow);
    });
    EXPECT_FALSE(shell().presenter());
    EXPECT_EQ(shell().alone(), nullptr);
    EXPECT_FALSE(shell().help_open());
    EXPECT_FALSE(workspace().playing());
    EXPECT_EQ(workspace().position(), before);
    EXPECT_TRUE(is_open());
}

TEST_F(DropList, ArrowsMoveFromWhatHoldsNow) {
    open("##launch/program");
    act([](ImGuiTestContext& person) {
        person.KeyPress(ImGuiKey_DownArrow);
        person.KeyPress(ImGuiKey_DownArrow);
        person.KeyPress(ImGuiKey_UpArrow);
        person.KeyPress(ImGuiKey_Enter);
    });
    const auto& catalog = session::catalog();
    const auto first =
        std::ranges::find(catalog, "reduce/interleaved-modulo", [](const auto& each) { return each.name; });
    ASSERT_NE(first, catalog.end());
    EXPECT_EQ(program(), std::next(first)->name);
}

TEST_F(DropList, EscapeClosesItAndChangesNothing) {
    const session::Run* before = workspace().shown()->run.get();
    open("##launch/program");
    act([](ImGuiTestContext& person) {
        person.KeyChars("scan");
        person.KeyPress(ImGuiKey_Escape);
    });
    EXPECT_FALSE(is_open());
    EXPECT_EQ(workspace().shown()->run.get(), before);
    key(ImGuiKey_F);
    EXPECT_NE(shell().alone(), nullptr) << "keys are commands again";
}

TEST_F(DropList, ArrowsAndEnterChooseInTheMenu) {
    key(ImGuiKey_Home);
    const std::size_t before = workspace().position();
    act([](ImGuiTestContext& person) {
        person.MouseMoveToPos({33, 24});
        person.MouseClick();
        person.Yield(2);
        EXPECT_TRUE(is_open()) << "a click on Menu";
        person.KeyPress(ImGuiKey_DownArrow);
        person.KeyPress(ImGuiKey_End);  // no command while the menu is open
        person.KeyPress(ImGuiKey_Escape);
        person.Yield(2);
    });
    EXPECT_FALSE(is_open());
    EXPECT_EQ(workspace().position(), before);
    key(ImGuiKey_F10);
    frames(3);
    ASSERT_TRUE(is_open()) << "F10";
    act([](ImGuiTestContext& person) {
        person.KeyPress(ImGuiKey_UpArrow);  // from the first to the last: Help
        person.KeyPress(ImGuiKey_RightArrow);
        person.Yield(2);
        keep_picture("menu-by-keys");
        person.Yield(2);
        person.KeyPress(ImGuiKey_UpArrow);  // the last: the shortcuts
        person.KeyPress(ImGuiKey_Enter);
        person.Yield(2);
    });
    EXPECT_FALSE(is_open());
    EXPECT_TRUE(shell().help_open());
    EXPECT_EQ(workspace().position(), before);
    key(ImGuiKey_Escape);
    EXPECT_FALSE(shell().help_open());
    key(ImGuiKey_RightArrow);
    EXPECT_NE(workspace().position(), before) << "keys are commands again";
}

TEST_F(DropList, EscapeClosesTheMenuAndNothingElse) {
    shell().toggle_help();
    frames(2);
    key(ImGuiKey_F10);
    frames(3);
    ASSERT_TRUE(is_open());
    act([](ImGuiTestContext& person) {
        person.KeyPress(ImGuiKey_DownArrow);
        person.KeyPress(ImGuiKey_Escape);
        person.Yield(2);
    });
    EXPECT_FALSE(is_open());
    EXPECT_TRUE(shell().help_open());
    shell().toggle_help();
}

TEST_F(DropList, WhatFitsNothingChoosesNothing) {
    const session::Run* before = workspace().shown()->run.get();
    open("##launch/program");
    act([](ImGuiTestContext& person) {
        person.KeyChars("zzzzqqqq");
        person.KeyPress(ImGuiKey_Enter);
    });
    EXPECT_TRUE(is_open());
    EXPECT_EQ(workspace().shown()->run.get(), before);
    key(ImGuiKey_Escape);
    EXPECT_FALSE(is_open());
}

TEST_F(DropList, InputsAndSpeedsAreTheSameList) {
    open("##launch/input/choices");
    act([](ImGuiTestContext& person) {
        person.KeyChars("ones");
        person.KeyPress(ImGuiKey_Enter);
    });
    EXPECT_EQ(workspace().shown()->run->input, "ones");
    open("##transport/speed");
    act([](ImGuiTestContext& person) {
        person.KeyPress(ImGuiKey_DownArrow);
        person.KeyPress(ImGuiKey_Enter);
    });
    EXPECT_EQ(workspace().settings.speed, 2);
}

TEST_F(DropList, NoListLeavesTheWindow) {
    resize(800, 600);
    for (const char* control : {"##launch/program", "##launch/input/choices", "##transport/speed"}) {
        open(control);
        const auto& stack = ImGui::GetCurrentContext()->OpenPopupStack;
        ASSERT_NE(stack.back().Window, nullptr);
        EXPECT_TRUE(ImRect({0, 0}, ImGui::GetIO().DisplaySize).Contains(stack.back().Window->Rect())) << control;
        key(ImGuiKey_Escape);
    }
}

}  // namespace
}  // namespace lanescope::ui
