// Whole programs in the window: the question before their host code runs, and the Program panel.
#include "ui/panels/program.h"
#include "scratch_folder.h"
#include "session/whole_program.h"
#include "ui/panels/timing.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace lanescope::ui {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

using Kind = analysis::ProgramLine::Kind;

constexpr const char* source = R"(#include <cstdio>
#include <cstdlib>
__global__ void twice(int* data) { data[threadIdx.x] *= 2; }
int main(int argc, char** argv)
{
    int words = argc - 1, h_data[4] = {1, 2, 3, 4}, read = 0;
    if (scanf("%d", &read) == 1) h_data[0] = read;
    int* d_data;
    cudaMalloc(&d_data, sizeof h_data);
    cudaMemcpy(d_data, h_data, sizeof h_data, cudaMemcpyHostToDevice);
    twice<<<1, 4>>>(d_data);
    twice<<<1, 4>>>(d_data);
    cudaMemcpy(h_data, d_data, sizeof h_data, cudaMemcpyDeviceToHost);
    cudaFree(d_data);
    printf("%d words, first %d\n", words, h_data[0]);
    return 0;
}
)";

class Programs : public WindowTest {
  protected:
    void SetUp() override {
        WindowTest::SetUp();
        if (IsSkipped()) return;
        if (const auto problem = session::cannot_run_programs()) GTEST_SKIP() << problem->message();
        folder_.add("twice.cu", source);
        folder_.add("other.cu", source);
    }
    void open(const char* file) {
        workspace().open((folder_ / file).string());
        until([] { return !workspace().busy(); });
        frames(4);
    }
    void press(const char* id) {
        act([id](ImGuiTestContext& person) {
            person.SetRef("//$FOCUSED");
            person.ItemClick(id);
        });
        until([] { return !workspace().busy(); });
        frames(4);
    }
    static bool ran_main() { return workspace().shown() != nullptr && workspace().shown()->run->kernel == "main"; }
    static ProgramPanel& program() { return dynamic_cast<ProgramPanel&>(panel("Program")); }

    ScratchFolder folder_;
};

TEST_F(Programs, TheHostCodeOfAFileRunsOnlyWithPermission) {
    open("twice.cu");
    ASSERT_TRUE(workspace().question());
    EXPECT_FALSE(ran_main());
    EXPECT_THAT(workspace().question()->text,
                AllOf(HasSubstr("nvcc will compile twice.cu, and main() will run on this machine"),
                      HasSubstr("no network access")));
    keep_picture("trust");
    frames(2);
    press("run");
    EXPECT_TRUE(ran_main());
    EXPECT_FALSE(workspace().question());
    // The question comes once for each file; for another file of the folder it comes again.
    workspace().reload();
    settle();
    EXPECT_FALSE(workspace().question());
    open("other.cu");
    EXPECT_TRUE(workspace().question());
    key(ImGuiKey_Escape);
    frames(4);
    EXPECT_FALSE(workspace().question());
    EXPECT_THAT(workspace().shown()->run->program.source.name, HasSubstr("twice.cu"));
}

TEST_F(Programs, ItsTabCutsNoOther) {
    open("twice.cu");
    press("run");
    ASSERT_TRUE(ran_main());
    for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1920, 1080)}) {
        resize(width, height);
        for (const Arrangement arrangement : arrangements) {
            SCOPED_TRACE(testing::Message() << width << " x " << height << ", " << name_of(arrangement));
            shell().arrange(arrangement);
            frames(20);
            expect_no_tab_cut();
            if (arrangement == Arrangement::study) keep_picture("program-tabs-" + std::to_string(height));
            frames(2);
        }
        shell().toggle_presenter();
        frames(20);
        expect_no_tab_cut();
        keep_picture("program-tabs-presented-" + std::to_string(height));
        frames(2);
        shell().toggle_presenter();
    }
    resize(1280, 720);
    shell().arrange(Arrangement::study);
    frames(8);
}

TEST_F(Programs, AKernelOfAnotherFileOfTheProgramIsChosenInTheList) {
    fs::create_directory(folder_ / "parts");
    folder_.add("parts/fill.cu",
                "__global__ void fill(int* p, int x) {\n    p[threadIdx.x] = x;\n}\n"
                "void launch(int* p, int x) {\n    fill<<<1, 32>>>(p, x);\n}\n");
    folder_.add("parts/main.cu",
                "void launch(int* p, int x);\n__global__ void add(int* p) { p[threadIdx.x] += 1; }\n"
                "int main() {\n    int* d;\n    cudaMalloc(&d, 128);\n    launch(d, 3);\n    add<<<1, 32>>>(d);\n"
                "    cudaDeviceSynchronize();\n    cudaFree(d);\n}\n");
    open("parts");
    ASSERT_TRUE(workspace().question()) << (workspace().refusal() ? workspace().refusal()->message() : "no refusal");
    press("run");
    ASSERT_TRUE(ran_main());
    ASSERT_EQ(workspace().shown()->trace().launches.size(), 2U);
    const auto choose = [this](const char* kernel) {
        act([kernel](ImGuiTestContext& person) {
            person.ItemClick("##launch/kernel");
            person.Yield(3);
            keep_picture("kernels-of-two-files");
            person.Yield(2);
            person.KeyChars(kernel);
            person.Yield(2);
            person.KeyPress(ImGuiKey_Enter);
        });
        until([] { return !workspace().busy(); });
        frames(4);
    };
    choose("fill");
    ASSERT_EQ(workspace().shown()->run->kernel, "fill");
    EXPECT_EQ(workspace().shown()->trace().origin.source_name, "fill.cu");
    EXPECT_THAT(workspace().shown()->trace().origin.source, HasSubstr("p[threadIdx.x] = x;"));
    EXPECT_FALSE(workspace().refusal());
    choose("add");
    EXPECT_EQ(workspace().shown()->run->kernel, "add");
    EXPECT_THAT(workspace().shown()->trace().origin.source, HasSubstr("p[threadIdx.x] += 1;"));
}

TEST_F(Programs, WhereThePanelSharesADockWithPassesItStaysBehind) {
    resize(800, 600);
    open("twice.cu");
    press("run");
    ASSERT_TRUE(ran_main());
    frames(8);
    const ImGuiWindow* const passes = ImGui::FindWindowByName("Passes");
    ASSERT_NE(passes, nullptr);
    EXPECT_TRUE(passes->DockTabIsVisible);
    EXPECT_TRUE(program().open);
    resize(1280, 720);
    open("other.cu");
    press("run");
    frames(8);
    const ImGuiWindow* const own = ImGui::FindWindowByName("Program");
    ASSERT_NE(own, nullptr);
    EXPECT_TRUE(own->DockTabIsVisible) << "it has a place beside Passes";
}

TEST_F(Programs, NothingOfTheFileBeforeIsBesideTheQuestion) {
    workspace().open("faulty/missing-barrier");
    settle();
    ASSERT_NE(workspace().shown(), nullptr);
    open("twice.cu");
    ASSERT_TRUE(workspace().question());
    EXPECT_EQ(workspace().shown(), nullptr);
    EXPECT_EQ(workspace().narration(), "");
    EXPECT_EQ(workspace().step_label(), "");
    key(ImGuiKey_Escape);
    frames(4);
    ASSERT_NE(workspace().shown(), nullptr) << "after Escape the previous run is shown again";
    EXPECT_EQ(workspace().shown()->run->program.name, "faulty/missing-barrier");
}

TEST_F(Programs, TimingSaysWhatIsKnownOfAProgramAndHasTheCatalogOnRequest) {
    open("twice.cu");
    ASSERT_TRUE(workspace().question());
    press("run");
    shell().bring_up("Timing");
    frames(4);
    auto& timing = dynamic_cast<TimingPanel&>(panel("Timing"));
    EXPECT_THAT(timing.own_text(), AllOf(HasSubstr("No time of twice.cu is recorded."),
                                         HasSubstr("twice.cu --view written --n "), HasSubstr(" --out times.json")));
    std::vector<DrawnText> drawn;
    shell().look().watch(&drawn);
    frames(1);
    shell().look().watch(nullptr);
    for (const DrawnText& each : drawn)
        EXPECT_FALSE(each.text.starts_with("NVIDIA") && each.text.ends_with("…")) << "a part of the device's name";
    act([](ImGuiTestContext& person) { person.ItemClick("//Timing/catalog"); });
    frames(4);
    EXPECT_EQ(timing.own_text(), "");
}

TEST_F(Programs, ATrustedFolderIsNotAskedForAgain) {
    open("twice.cu");
    ASSERT_TRUE(workspace().question());
    press("folder");
    EXPECT_TRUE(ran_main());
    EXPECT_THAT(shell().settings().trusted_folders, ElementsAre(fs::canonical(folder_.path()).string()));
    open("other.cu");
    EXPECT_FALSE(workspace().question());
    EXPECT_TRUE(ran_main());
}

TEST_F(Programs, AKernelAloneNeedsNoPermission) {
    open("twice.cu");
    ASSERT_TRUE(workspace().question());
    press("kernel");
    EXPECT_FALSE(workspace().question());
    ASSERT_NE(workspace().shown(), nullptr);
    EXPECT_EQ(workspace().shown()->run->kernel, "twice");
    EXPECT_FALSE(program().exists(workspace()));
}

TEST_F(Programs, KernelsOfTheCatalogAskForNothing) {
    workspace().open("reduce/sequential");
    settle();
    EXPECT_FALSE(workspace().question());
    EXPECT_FALSE(program().exists(workspace()));
}

TEST_F(Programs, ThePanelShowsTheHostStepsAndGoesToALaunch) {
    resize(1920, 1080);
    workspace().permit((folder_ / "twice.cu").string());
    open("twice.cu");
    ASSERT_TRUE(ran_main());
    shell().bring_up("Program");
    frames(4);
    using analysis::ProgramLine;
    EXPECT_THAT(
        program().lines(),
        ElementsAre(Field(&ProgramLine::text, "allocate d_data, 16 bytes"),
                    Field(&ProgramLine::text, "copy to d_data, 16 bytes"), Field(&ProgramLine::text, "twice<<<1, 4>>>"),
                    Field(&ProgramLine::text, "twice<<<1, 4>>>"), Field(&ProgramLine::text, "synchronize"),
                    Field(&ProgramLine::text, "copy from d_data, 16 bytes"), Field(&ProgramLine::text, "free d_data"),
                    Field(&ProgramLine::text, "0 words, first 4"), Field(&ProgramLine::text, "exit status 0")));
    EXPECT_THAT(program().lines(),
                Contains(AllOf(Field(&ProgramLine::source_line, 12), Field(&ProgramLine::launch, 1))));
    keep_picture("program");
    frames(2);
    const auto second = program().view().on_screen(scene::TraceRef::Kind::row, 1);
    ASSERT_TRUE(second);
    act([&](ImGuiTestContext& person) {
        person.MouseMoveToPos(*second);
        person.MouseClick();
    });
    EXPECT_EQ(workspace().shown()->launch, 1U);
}

TEST_F(Programs, ALaunchThatTheRecordHadNoRoomForIsRecordedOnAClick) {
    resize(1920, 1080);
    const std::string file = folder_.add("many.cu", R"(__global__ void k(int* p) {
    for (int i = 0; i < 2000; ++i) p[threadIdx.x] += i;
}
int main() {
    int* p;
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
    for (int i = 0; i < 4; ++i) k<<<1, 1024>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
}
)");
    workspace().permit(file);
    open("many.cu");
    ASSERT_TRUE(ran_main());
    const auto recorded = [](std::uint32_t launch) {
        const trace::Launch& of = workspace().shown()->trace().launches.at(launch);
        return !of.recorded.empty() && !of.cut;
    };
    ASSERT_TRUE(recorded(0));
    ASSERT_FALSE(recorded(3));
    shell().bring_up("Program");
    frames(4);
    const auto last = program().view().on_screen(scene::TraceRef::Kind::row, 3);
    ASSERT_TRUE(last);
    act([&](ImGuiTestContext& person) {
        person.MouseMoveToPos(*last);
        person.MouseClick();
    });
    until([] { return !workspace().busy(); });
    frames(4);
    EXPECT_EQ(workspace().shown()->launch, 3U);
    EXPECT_TRUE(recorded(3));
}

TEST_F(Programs, ShowWhatTheyPrintWhileTheyRunAndTheirPartWhenTheyAreCancelled) {
    resize(1280, 720);
    const std::string file = folder_.add("slow.cu", R"(#include <cstdio>
#include <unistd.h>
__global__ void twice(int* data) { data[threadIdx.x] *= 2; }
int main()
{
    int* d_data;
    cudaMalloc(&d_data, 16);
    cudaMemset(d_data, 0, 16);
    twice<<<1, 4>>>(d_data);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; ++i) {
        printf("round %d\n", i);
        fflush(stdout);
        sleep(2);
    }
    sleep(60);
    cudaFree(d_data);
}
)");
    workspace().permit(file);
    workspace().open(file);
    using analysis::ProgramLine;
    until([] { return program().lines().size() == 6; });
    EXPECT_TRUE(workspace().busy());
    EXPECT_THAT(program().lines(),
                ElementsAre(Field(&ProgramLine::text, "allocate d_data, 16 bytes"),
                            Field(&ProgramLine::text, "fill d_data, 16 bytes"),
                            Field(&ProgramLine::text, "twice<<<1, 4>>>"), Field(&ProgramLine::text, "synchronize"),
                            Field(&ProgramLine::text, "round 0"), Field(&ProgramLine::text, "round 1")));
    EXPECT_THAT(program().lines(),
                Contains(AllOf(Field(&ProgramLine::source_line, 9U), Field(&ProgramLine::launch, 0U))));
    EXPECT_TRUE(ImGui::FindWindowByName("Program")->DockTabIsVisible);
    keep_picture("program-running");
    frames(2);
    ASSERT_NE(workspace().shown(), nullptr) << "its first launch";
    workspace().cancel();
    EXPECT_TRUE(workspace().keeps_part());
    until([] { return !workspace().shown()->trace().running; });
    frames(4);
    shell().bring_up("Program");
    frames(4);
    EXPECT_THAT(program().lines(), Contains(Field(&ProgramLine::text, "cancelled")));
    shell().bring_up("Findings");
    frames(4);
    std::vector<DrawnText> drawn;
    shell().look().watch(&drawn);
    frames(1);
    shell().look().watch(nullptr);
    EXPECT_THAT(drawn, Contains(Field(&DrawnText::text, "partial")));
    keep_picture("program-cancelled");
    frames(2);
}

TEST_F(Programs, TheWordsOfTheCommandLineAndStandardInputReachMain) {
    workspace().permit((folder_ / "twice.cu").string());
    open("twice.cu");
    workspace().set_field(ui::Field::command_line, "one \"two three\"");
    workspace().set_field(ui::Field::standard_input, "25\n");
    until([] { return !workspace().busy(); });
    frames(4);
    ASSERT_TRUE(ran_main());
    EXPECT_EQ(analysis::printed_by(workspace().shown()->trace()), "2 words, first 100\n");
    EXPECT_EQ(workspace().form().ran()[ui::Field::command_line], "one \"two three\"");
}

}  // namespace
}  // namespace lanescope::ui
