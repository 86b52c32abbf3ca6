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
    [[nodiscard]] static const session::Run& run() { return *workspace().shown()->run; }
    /// The field refuses the text and says why, and the previous run is still shown.
    void expect_refused(Field field, const std::string& text, const session::Run* before) {
        ASSERT_TRUE(workspace().form().problem(field).has_value()) << name_of(field) << " took " << text;
        EXPECT_FALSE(workspace().form().problem(field)->what.empty());
        EXPECT_EQ(workspace().form().shown(field), text) << "the refused text must stay, to be corrected";
        EXPECT_EQ(&run(), before);
    }
};

TEST_F(Launch, ABlockSizeRunsAtOnce) {
    type("block", "32");
    EXPECT_EQ(run().block, 32U);
    EXPECT_FALSE(workspace().form().problem(Field::block).has_value());
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
    EXPECT_FALSE(workspace().form().problem(Field::block).has_value());
}

TEST_F(Launch, NTakesNumbersAndPowers) {
    type("n", "64");
    EXPECT_EQ(run().n, 64U);
    type("n", "2^8");
    EXPECT_EQ(run().n, 256U);
    EXPECT_EQ(run().verdict.ok, true);
}

TEST_F(Launch, ARefusalHangsBelowItsFieldAndMovesNothing) {
    const float before = ImGui::FindWindowByName("##launch")->Size.y;
    const ImVec2 passes = ImGui::FindWindowByName("Passes")->Pos;
    type("n", "many");
    keep_picture("refused");
    frames(2);
    const ImGuiWindow* message = ImGui::FindWindowByName("##refused0");
    ASSERT_NE(message, nullptr);
    EXPECT_TRUE(message->Active);
    EXPECT_TRUE(ImRect({0, 0}, ImGui::GetIO().DisplaySize).Contains(message->Rect()));
    EXPECT_EQ(ImGui::FindWindowByName("##launch")->Size.y, before);
    EXPECT_EQ(ImGui::FindWindowByName("Passes")->Pos.y, passes.y);
    type("n", "16");
    frames(2);
    EXPECT_FALSE(message->Active);
}

TEST_F(Launch, WhatTheKernelsOwnRuleRefusesIsRunOnRequest) {
    type("block", "48");
    ASSERT_TRUE(workspace().form().problem(Field::block).has_value());
    ASSERT_TRUE(workspace().form().can_run_anyway());
    frames(2);
    act([](ImGuiTestContext& person) { person.ItemClick("//##refused0/##anyway"); });
    settle();
    EXPECT_EQ(run().block, 48U);
    EXPECT_FALSE(workspace().form().problem(Field::block).has_value());
    EXPECT_FALSE(run().trace().findings.empty() && run().verdict.ok == true) << "something goes wrong";
    // Another size has to keep the rule again.
    type("block", "40");
    EXPECT_TRUE(workspace().form().can_run_anyway());
    key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(run().block, 48U) << "undo returns to the launch that was run anyway";
    key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(run().block, 16U);
    EXPECT_FALSE(workspace().form().can_run_anyway());
}

TEST_F(Launch, UndoDoesNotComeBackToWhatWasRefused) {
    type("block", "64");
    type("block", "2048");
    ASSERT_TRUE(workspace().form().problem(Field::block).has_value());
    type("block", "32");
    key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(run().block, 64U);
    EXPECT_FALSE(workspace().form().problem(Field::block).has_value());
    key(ImGuiMod_Ctrl | ImGuiKey_Y);
    EXPECT_EQ(run().block, 32U);
}

TEST_F(Launch, SixteenBanksAreChosenAndCounted) {
    const auto wavefronts = [] {
        std::uint64_t sum = 0;
        for (const analysis::Pass& pass : workspace().shown()->passes->passes)
            sum += pass.counts.shared_load_wavefronts + pass.counts.shared_store_wavefronts;
        return sum;
    };
    type("block", "128");
    const std::uint64_t warps = wavefronts();
    act([](ImGuiTestContext& person) {
        person.ItemClick("##launch/more");
        person.Yield(2);
        person.SetRef("//$FOCUSED");
        keep_picture("more");
        person.ItemClick("banks/$$1/segment");
    });
    EXPECT_EQ(run().trace().origin.banks, 16U);
    EXPECT_GT(wavefronts(), warps) << "half-warps take turns";
    key(ImGuiKey_Escape);
    key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(run().trace().origin.banks, 32U);
}

TEST_F(Launch, AnArgumentIsTypedAndRefusedWhereItCannotBe) {
    const auto set = [&](const char* text) {
        act([&](ImGuiTestContext& person) {
            person.ItemClick("##launch/more");
            person.Yield(2);
            person.SetRef("//$FOCUSED");
            person.ItemClick("argument\\/in/##value");
            person.KeyCharsReplaceEnter(text);
            person.KeyPress(ImGuiKey_Escape);
        });
    };
    set("input(n) as ones");
    EXPECT_EQ(run().verdict.output, "out");
    EXPECT_THAT(workspace().form().shown_argument("in"), HasSubstr("ones"));
    const session::Run* before = &run();
    set("a heap of nonsense");
    EXPECT_TRUE(workspace().form().argument_problem("in").has_value());
    EXPECT_EQ(&run(), before);
}

TEST_F(Launch, TheElementTypeOfATemplateIsChosen) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "lanescope-template-test.cu";
    std::ofstream(path) << "template <typename T>\n__global__ void twice(const T* in, T* out) {\n"
                           "    out[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x];\n}\n";
    workspace().open(path.string());
    settle();
    ASSERT_EQ(run().kernel, "twice") << "needs NVRTC";
    act([](ImGuiTestContext& person) {
        person.ItemClick("##launch/more");
        person.Yield(2);
        person.SetRef("//$FOCUSED");
        keep_picture("template");
        person.ItemClick("float");
    });
    EXPECT_EQ(workspace().form().shown(Field::type), "float");
    EXPECT_EQ(run().trace().buffers.front().element, trace::Element::f32);
    key(ImGuiKey_Escape);
    std::filesystem::remove(path);
}

TEST_F(Launch, ABlockMayHaveTwoDimensions) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "lanescope-extent-test.cu";
    std::ofstream(path) << "__global__ void fill(int* out) {\n"
                           "    out[threadIdx.y * blockDim.x + threadIdx.x] = threadIdx.y;\n}\n";
    workspace().open(path.string());
    settle();
    type("block", "4x4");
    EXPECT_EQ(run().trace().launches.front().block, (trace::Dim3{4, 4, 1}));
    EXPECT_EQ(workspace().form().shown(Field::block), "4x4");
    std::filesystem::remove(path);
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
        person.ItemClick("**/reduce\\/sequential");
    });
    EXPECT_EQ(run().program.name, "reduce/sequential");
    EXPECT_EQ(run().block, 16U) << "what was typed for one kernel holds for the next";
}

TEST_F(Launch, ThePlaceInTheAlgorithmIsKeptOverARun) {
    workspace().seek_pass(2);
    const std::string label = workspace().shown()->passes->passes[2].label;
    type("input", "ones");
    EXPECT_EQ(workspace().shown()->passes->passes[workspace().pass()].label, label);
    EXPECT_EQ(workspace().position(), workspace().shown()->passes->passes[2].first);
}

TEST_F(Launch, UndoTakesBackAnEdit) {
    type("block", "64");
    ASSERT_EQ(run().block, 64U);
    act([](ImGuiTestContext& person) { person.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z); });
    EXPECT_EQ(run().block, 16U);
    act([](ImGuiTestContext& person) { person.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Y); });
    EXPECT_EQ(run().block, 64U);
}

TEST_F(Launch, UndoReturnsToThePlaceWhereTheLaunchWasLeft) {
    workspace().seek_pass(2);
    workspace().select(1, 4);
    const std::size_t left_at = workspace().position();
    const std::optional<Selection> selected = workspace().selection();
    type("block", "8");
    key(ImGuiKey_End);
    key(ImGuiKey_Escape);
    const std::size_t end = workspace().position();
    key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(run().block, 16U);
    EXPECT_EQ(workspace().position(), left_at);
    ASSERT_TRUE(workspace().selection().has_value());
    EXPECT_EQ(workspace().selection()->row, selected->row);
    EXPECT_EQ(workspace().selection()->column, selected->column);
    key(ImGuiMod_Ctrl | ImGuiKey_Y);
    EXPECT_EQ(run().block, 8U);
    EXPECT_EQ(workspace().position(), end);
    EXPECT_FALSE(workspace().selection().has_value());
}

TEST_F(Launch, UndoBringsBackKernelAndView) {
    workspace().seek_pass(3);
    const std::size_t left_at = workspace().position();
    act([](ImGuiTestContext& person) { person.ItemClick("##launch/view/$$1/segment"); });
    workspace().open("scan/double-buffered");
    settle();
    ASSERT_EQ(run().program.name, "scan/double-buffered");
    key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(run().program.name, "reduce/interleaved-modulo");
    EXPECT_EQ(run().trace().origin.view, trace::View::compiled);
    key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(run().trace().origin.view, trace::View::written);
    EXPECT_EQ(workspace().position(), left_at);
}

TEST_F(Launch, ResetLaunchRestoresTheKernelsOwnLaunch) {
    workspace().open("reduce/sequential");
    settle();
    type("block", "32");
    type("input", "ones");
    key(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_R);
    EXPECT_EQ(run().program.name, "reduce/sequential");
    EXPECT_NE(run().input, "ones");
    EXPECT_TRUE(workspace().form().values()[Field::block].empty());
    EXPECT_FALSE(workspace().form().can_reset());
    key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(run().block, 32U);
    EXPECT_EQ(run().input, "ones");
}

TEST_F(Launch, AChangeKeepsTheLaunchOfSeveral) {
    LaunchValues values;
    values[Field::program] = "reduce/until-one-is-left";
    values[Field::n] = "64";
    values[Field::block] = "8";
    workspace().begin(std::move(values));
    settle();
    ASSERT_GT(run().trace().launches.size(), 1U);
    workspace().show_launch(1);
    type("input", "ones");
    EXPECT_EQ(workspace().shown()->launch, 1U);
    // A run of fewer launches lacks the one that was shown.
    type("n", "8");
    EXPECT_LT(workspace().shown()->launch, run().trace().launches.size());
}

TEST_F(Launch, ACancelledRunLeavesTheResultBeforeItMarked) {
    const session::Run* before = &run();
    EXPECT_FALSE(workspace().shows_previous());
    workspace().set_field(Field::n, "2^24");
    ASSERT_TRUE(workspace().busy());
    workspace().cancel();
    frames(3);
    EXPECT_EQ(&run(), before);
    EXPECT_EQ(workspace().form().shown(Field::n), "16");
    EXPECT_TRUE(workspace().shows_previous());
    act([](ImGuiTestContext& person) { EXPECT_TRUE(person.ItemExists("##launch/previous")); });
    type("n", "32");
    EXPECT_FALSE(workspace().shows_previous());
    act([](ImGuiTestContext& person) { EXPECT_FALSE(person.ItemExists("##launch/previous")); });
}

TEST_F(Launch, OfTheFileBeforeOneThatDoesNotCompileNothingRemains) {
    workspace().open("faulty/missing-barrier");
    settle();
    ASSERT_FALSE(run().trace().findings.empty());
    const std::string finding(trace::name_of(run().trace().findings.front().kind));
    const std::string file = run().trace().origin.source_name;
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "lanescope-broken-test.cu";
    std::ofstream(path) << "__global__ void broken(int* out) {\n    out[threadIdx.x] = undeclared;\n}\n";
    workspace().open(path.string());
    settle();
    std::filesystem::remove(path);
    ASSERT_FALSE(workspace().diagnostics().empty()) << "needs NVRTC";
    EXPECT_EQ(workspace().shown(), nullptr);
    EXPECT_TRUE(workspace().form().shown(Field::block).empty());
    shell().bring_up("Findings");
    frames(4);
    keep_picture("refused-file");
    frames(2);
    std::vector<DrawnText> drawn;
    shell().look().watch(&drawn);
    frames(1);
    shell().look().watch(nullptr);
    const auto is_drawn = [&](std::string_view text) {
        return std::ranges::find(drawn, text, &DrawnText::text) != drawn.end();
    };
    EXPECT_TRUE(is_drawn("does not compile"));
    EXPECT_TRUE(is_drawn("lanescope-broken-test.cu"));
    EXPECT_FALSE(is_drawn(finding)) << "a finding of the previous file";
    EXPECT_FALSE(is_drawn(file));
    key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(run().program.name, "faulty/missing-barrier");
}

TEST_F(Launch, WhatTheCompilerSaidOfOneFileIsNotSaidOfTheNext) {
    run_source("refused.cu", "__global__ void refused(int* out) { out[threadIdx.x] = undeclared; }\n", "32", "32");
    ASSERT_FALSE(workspace().diagnostics().empty()) << "needs NVRTC";
    const auto path = std::filesystem::path(workspace().file()).parent_path() / "sound-after-refused.cu";
    std::ofstream(path) << "__global__ void sound(int* out) { out[threadIdx.x] = threadIdx.x; }\n";
    workspace().open(path.string());
    EXPECT_TRUE(workspace().diagnostics().empty()) << "while it runs";
    EXPECT_TRUE(workspace().refused_source().empty());
    workspace().cancel();
    EXPECT_TRUE(workspace().diagnostics().empty()) << "after Cancel";
    settle();
    std::filesystem::remove(path);
}

TEST_F(Launch, WhileAChangedFileDoesNotCompileItIsSaidThatTheLastRunIsShown) {
    resize(1920, 1080);
    run_source("changed.cu", "__global__ void changed(int* out) { out[threadIdx.x] = threadIdx.x; }\n", "32", "32");
    ASSERT_NE(workspace().shown(), nullptr);
    std::ofstream(workspace().file()) << "__global__ void changed(int* out) { out[threadIdx.x] = undeclared; }\n";
    workspace().reload();
    settle();
    ASSERT_NE(workspace().shown(), nullptr);
    std::vector<DrawnText> drawn;
    shell().look().watch(&drawn);
    frames(2);
    shell().look().watch(nullptr);
    EXPECT_NE(std::ranges::find(drawn, "does not compile: last run", &DrawnText::text), drawn.end());
}

TEST_F(Launch, EscapeInAFieldLeavesItAsItWas) {
    const session::Run* before = &run();
    act([](ImGuiTestContext& person) {
        person.ItemClick("##launch/n/##value");
        person.KeyCharsReplace("512");
        person.KeyPress(ImGuiKey_Escape);
    });
    EXPECT_EQ(&run(), before);
    EXPECT_EQ(workspace().form().shown(Field::n), "16");
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
    workspace().open("/nowhere/at/all.cu");
    settle();
    EXPECT_TRUE(workspace().form().problem(Field::program).has_value());
    EXPECT_EQ(&run(), before);
}

TEST_F(Launch, AFileThatDoesNotCompileShowsTheCompilersWords) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "lanescope-window-test.cu";
    std::ofstream(path) << "__global__ void broken(int* out) {\n    out[threadIdx.x] = undeclared;\n}\n";
    workspace().open(path.string());
    settle();
    std::filesystem::remove(path);
    ASSERT_FALSE(workspace().diagnostics().empty()) << "needs NVRTC";
    EXPECT_EQ(workspace().diagnostics().front().line, 2U);
    EXPECT_THAT(workspace().diagnostics().front().text, HasSubstr("undeclared"));
}

}  // namespace
}  // namespace lanescope::ui
