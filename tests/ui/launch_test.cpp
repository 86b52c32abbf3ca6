#include "ui/window_test.h"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <filesystem>
#include <fstream>

namespace lanescope::ui {
namespace {

using ::testing::HasSubstr;

class Launch : public WindowTest {
  protected:
    [[nodiscard]] static const session::Run& run() { return *model().shown()->run; }
    /// The field refuses, says why, and the run before is still there.
    void expect_refused(Field field, const std::string& text, const session::Run* before) {
        ASSERT_TRUE(model().form().problem(field).has_value()) << name_of(field) << " took " << text;
        EXPECT_FALSE(model().form().problem(field)->what.empty());
        EXPECT_EQ(model().form().shown(field), text) << "the refused text must stay, to be mended";
        EXPECT_EQ(&run(), before);
    }
};

TEST_F(Launch, ABlockSizeRunsAtOnce) {
    type("block", "32");
    EXPECT_EQ(run().block, 32U);
    EXPECT_FALSE(model().form().problem(Field::block).has_value());
}

TEST_F(Launch, EveryBlockSizeFromTwoToTheLargestRuns) {
    for (const char* size : {"2", "64", "1024"}) {
        type("block", size);
        EXPECT_EQ(std::to_string(run().block), size);
        EXPECT_EQ(run().verdict.ok, true) << size;
    }
}

TEST_F(Launch, ABlockSizeThatCannotBeIsRefusedAtTheField) {
    const session::Run* before = &run();
    for (const char* text : {"0", "2048", "-4", "twelve", "1e3", "99999999999999999999"}) {
        type("block", text);
        expect_refused(Field::block, text, before);
    }
    type("block", "16");
    EXPECT_FALSE(model().form().problem(Field::block).has_value());
}

TEST_F(Launch, NTakesNumbersAndPowers) {
    type("n", "64");
    EXPECT_EQ(run().n, 64U);
    type("n", "2^8");
    EXPECT_EQ(run().n, 256U);
    EXPECT_EQ(run().verdict.ok, true);
}

TEST_F(Launch, ARefusalIsSeenUnderItsField) {
    type("n", "many");
    keep_picture("refused");
    frames(1);
    const ImGuiWindow* bar = ImGui::FindWindowByName("##launch");
    const float with = bar->Size.y;
    type("n", "16");
    frames(2);
    EXPECT_GT(with, bar->Size.y) << "the bar makes room for the message";
}

TEST_F(Launch, AnNThatCannotBeIsRefusedAtTheField) {
    const session::Run* before = &run();
    for (const char* text : {"0", "many", "2^", "2^99", "16 16"}) {
        type("n", text);
        expect_refused(Field::n, text, before);
    }
}

TEST_F(Launch, AGridThatCannotBeIsRefusedAtTheField) {
    const session::Run* before = &run();
    for (const char* text : {"0", "x", "-1"}) {
        type("grid", text);
        expect_refused(Field::grid, text, before);
    }
}

TEST_F(Launch, AGridRuns) {
    type("grid", "3");
    EXPECT_EQ(run().grid, 3U);
}

TEST_F(Launch, AnInputIsTakenByNameOrAsTyped) {
    type("input", "ones");
    EXPECT_EQ(run().input, "ones");
    EXPECT_EQ(run().verdict.ok, true);
    type("input", "6 4 16 10 16 14 2 8 1 1 1 1 1 1 1 1");
    EXPECT_EQ(run().verdict.ok, true);
}

TEST_F(Launch, AnInputThatIsNoneIsRefusedAtTheField) {
    const session::Run* before = &run();
    type("input", "bananas");
    expect_refused(Field::input, "bananas", before);
}

TEST_F(Launch, TheViewIsSwitched) {
    act([](ImGuiTestContext& person) { person.ItemClick("##launch/view/$$1/segment"); });
    EXPECT_EQ(run().trace().origin.view, trace::View::compiled);
    act([](ImGuiTestContext& person) { person.ItemClick("##launch/view/$$0/segment"); });
    EXPECT_EQ(run().trace().origin.view, trace::View::written);
}

TEST_F(Launch, AnotherKernelIsChosenFromTheList) {
    act([](ImGuiTestContext& person) {
        person.ItemClick("##launch/program");
        keep_picture("programs");
        person.Yield(2);
        person.SetRef("//$FOCUSED");
        person.ItemClick("reduce\\/sequential");
    });
    EXPECT_EQ(run().program.name, "reduce/sequential");
    EXPECT_EQ(run().block, 16U) << "what was typed for one kernel holds for the next";
}

TEST_F(Launch, ThePlaceInTheAlgorithmIsKeptOverARun) {
    model().seek_pass(2);
    const std::string label = model().shown()->passes->passes[2].label;
    type("input", "ones");
    EXPECT_EQ(model().shown()->passes->passes[model().pass()].label, label);
    EXPECT_EQ(model().position(), model().shown()->passes->passes[2].first);
}

TEST_F(Launch, UndoTakesBackAnEdit) {
    type("block", "64");
    ASSERT_EQ(run().block, 64U);
    act([](ImGuiTestContext& person) { person.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z); });
    EXPECT_EQ(run().block, 16U);
    act([](ImGuiTestContext& person) { person.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Y); });
    EXPECT_EQ(run().block, 64U);
}

TEST_F(Launch, EscapeInAFieldLeavesItAsItWas) {
    const session::Run* before = &run();
    act([](ImGuiTestContext& person) {
        person.ItemClick("##launch/n/##value");
        person.KeyCharsReplace("512");
        person.KeyPress(ImGuiKey_Escape);
    });
    EXPECT_EQ(&run(), before);
    EXPECT_EQ(model().form().shown(Field::n), "16");
}

TEST_F(Launch, UpAndDownGoToTheNextPowerOfTwo) {
    act([](ImGuiTestContext& person) {
        person.ItemClick("##launch/block/##value");
        person.KeyPress(ImGuiKey_UpArrow);
        person.KeyPress(ImGuiKey_UpArrow);
        person.KeyPress(ImGuiKey_DownArrow);
        person.KeyPress(ImGuiKey_Enter);
    });
    EXPECT_EQ(run().block, 32U);
}

TEST_F(Launch, AFileThatIsNotThereIsRefusedAndThePictureStays) {
    const session::Run* before = &run();
    model().open("/nowhere/at/all.cu");
    settle();
    EXPECT_TRUE(model().form().problem(Field::program).has_value());
    EXPECT_EQ(&run(), before);
}

TEST_F(Launch, AFileThatDoesNotCompileShowsTheCompilersWords) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "lanescope-window-test.cu";
    std::ofstream(path) << "__global__ void broken(int* out) {\n    out[threadIdx.x] = undeclared;\n}\n";
    model().open(path.string());
    settle();
    std::filesystem::remove(path);
    ASSERT_FALSE(model().diagnostics().empty()) << "needs NVRTC";
    EXPECT_EQ(model().diagnostics().front().line, 2U);
    EXPECT_THAT(model().diagnostics().front().text, HasSubstr("undeclared"));
}

}  // namespace
}  // namespace lanescope::ui
