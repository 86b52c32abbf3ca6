#include "ui/window_test.h"

#include <glad/gl.h>
#include <imgui_internal.h>
#include <imgui_te_engine.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <thread>

namespace lanescope::ui {

std::unique_ptr<Window> WindowTest::window_;
ImGuiTestEngine* WindowTest::engine_ = nullptr;
bool WindowTest::unavailable_ = false;
std::string WindowTest::picture_;

namespace {
constexpr const char* default_program = "reduce/interleaved-modulo";
}

void WindowTest::SetUpTestSuite() {
    session::WindowOptions options;
    options.remember = false;
    options.width = 1280;
    options.height = 720;
    auto opened = Window::open(options);
    if (!opened) {
        unavailable_ = true;
        GTEST_SKIP() << opened.error().message();
    }
    window_ = std::move(*opened);
    // ImGui recovers from a window that is not ended or a font that is not popped; such an error fails the test all the
    // same.
    ImGui::GetCurrentContext()->ErrorCallback = [](ImGuiContext*, void*, const char* message) {
        ADD_FAILURE() << "ImGui: " << message;
    };
    engine_ = ImGuiTestEngine_CreateContext();
    ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine_);
    io.ConfigRunSpeed = ImGuiTestRunSpeed_Fast;
    io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Error;
    io.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Info;
    io.ConfigLogToTTY = true;
    io.ConfigNoThrottle = true;
    // Seconds of wall-clock time, in which a busy machine draws few frames. A test that hangs meets its own time limit.
    io.ConfigWatchdogWarning = 300;
    io.ConfigWatchdogKillTest = 900;
    io.ConfigSavedSettings = false;
    io.ConfigRestoreFocusAfterTests = false;
    ImGuiTestEngine_Start(engine_, ImGui::GetCurrentContext());
}

void WindowTest::TearDownTestSuite() {
    if (engine_ != nullptr) ImGuiTestEngine_Stop(engine_);
    window_.reset();
    if (engine_ != nullptr) ImGuiTestEngine_DestroyContext(engine_);
    engine_ = nullptr;
}

void WindowTest::SetUp() {
    if (unavailable_) GTEST_SKIP() << "no display, or no OpenGL 3.3 on it";
    workspace().settings = Settings{};
    workspace().play(false);
    for (int open = 0; open < 7; ++open) shell().escape();  // search, picture, history, help, find, panel alone, ...
    if (shell().presenter()) shell().toggle_presenter();
    shell().arrange(Arrangement::study);
    resize(1280, 720);
    LaunchValues values;
    values[Field::program] = default_program;
    values[Field::block] = "16";
    values[Field::n] = "16";
    workspace().begin(std::move(values));
    settle();
    const std::optional<Problem>& problem = workspace().form().problem(Field::program);
    ASSERT_NE(workspace().shown(), nullptr)
        << "the kernel of every window test does not run: " << (problem ? problem->message() : "");
    ASSERT_EQ(workspace().shown()->run->program.name, default_program);
    workspace().clear_selection();
    shell().fit_picture(false);
    workspace().home();
    frames(3);
}

void WindowTest::run(const char* program, const char* block) {
    LaunchValues values;
    values[Field::program] = program;
    values[Field::block] = block;
    values[Field::n] = block;
    workspace().begin(std::move(values));
    settle();
}

void WindowTest::run_source(const std::string& file, const std::string& text, const char* block, const char* n,
                            const char* grid) {
    const std::string path = ::testing::TempDir() + "/" + file;
    std::ofstream(path) << text;
    LaunchValues values;
    values[Field::program] = path;
    values[Field::block] = block;
    values[Field::grid] = grid;
    values[Field::n] = n;
    workspace().begin(std::move(values));
    settle();
}

void WindowTest::frames(int count) {
    for (int frame = 0; frame < count; ++frame) {
        draw();
        ImGuiTestEngine_PostSwap(engine_);
    }
}

void WindowTest::until(const std::function<bool()>& condition) {
    using namespace std::chrono_literals;
    for (int tries = 0; tries < 60'000 && !condition(); ++tries) {
        frames(1);
        std::this_thread::sleep_for(1ms);
    }
    EXPECT_TRUE(condition());
}

void WindowTest::settle() {
    using namespace std::chrono_literals;
    do {
        do {
            frames(1);
            std::this_thread::sleep_for(1ms);  // the run has a thread of its own
        } while (workspace().busy());
        frames(3);
    } while (workspace().busy());  // a refused value of the previous kernel is dropped, and the kernel runs again
}

void WindowTest::resize(int width, int height) {
    window_->resize(width, height);
    // The X server changes the size at some later time.
    for (int tries = 0; tries < 200; ++tries) {
        window_->poll();
        frames(1);
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        if (static_cast<int>(size.x) == width && static_cast<int>(size.y) == height) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    frames(3);
}

void WindowTest::act(const std::function<void(ImGuiTestContext&)>& actions) {
    const ::testing::TestInfo* info = ::testing::UnitTest::GetInstance()->current_test_info();
    ImGuiTest* test =
        ImGuiTestEngine_RegisterTest(engine_, info->test_suite_name(), info->name(), info->file(), info->line());
    test->TestFunc = [&actions](ImGuiTestContext* context) { actions(*context); };
    ImGuiTestEngine_QueueTest(engine_, test, ImGuiTestRunFlags_RunFromCommandLine);
    while (!ImGuiTestEngine_IsTestQueueEmpty(engine_)) frames(1);
    const ImGuiTestStatus status = test->Output.Status;
    ImGuiTestEngine_UnregisterTest(engine_, test);
    // The engine has restored ImGui's style from before the actions, which may have changed scale or theme.
    Look& look = shell().look();
    look.apply(look.theme(), look.scale(), look.roomy(), look.slim());
    EXPECT_EQ(status, ImGuiTestStatus_Success) << "the test engine could not act as asked; see its log above";
    settle();
}

void WindowTest::keep_picture(const std::string& name) {
    if (std::getenv("LANESCOPE_TEST_PICTURES") != nullptr) picture_ = name;
}

void WindowTest::draw() {
    if (picture_.empty()) {
        // No test looks at such a frame's pixels, and Mesa would spend most of the test's time on them.
        glEnable(GL_RASTERIZER_DISCARD);
        window_->frame();
        glDisable(GL_RASTERIZER_DISCARD);
        return;
    }
    const std::vector<std::byte> png = render::to_png(window_->picture());
    std::ofstream file(std::filesystem::path(std::getenv("LANESCOPE_TEST_PICTURES")) / (picture_ + ".png"),
                       std::ios::binary);
    file.write(reinterpret_cast<const char*>(png.data()), static_cast<std::streamsize>(png.size()));
    picture_.clear();
}

void WindowTest::key(ImGuiKeyChord chord) {
    act([&](ImGuiTestContext& person) { person.KeyPress(chord); });
}

void WindowTest::expect_no_tab_cut() {
    std::set<const ImGuiDockNode*> docks;
    for (const ImGuiWindow* const each : ImGui::GetCurrentContext()->Windows)
        if (each->WasActive && each->DockNode != nullptr && each->DockNode->TabBar != nullptr)
            docks.insert(each->DockNode);
    EXPECT_FALSE(docks.empty());
    for (const ImGuiDockNode* const dock : docks)
        EXPECT_LE(width_of_tabs(*dock, false), dock->TabBar->BarRect.GetWidth()) << dock->Windows[0]->Name;
}

Panel& WindowTest::panel(std::string_view title) {
    for (const std::unique_ptr<Panel>& each : shell().panels()) {
        if (each->title() == title) return *each;
    }
    throw std::logic_error("the window has no panel " + std::string(title));
}

void WindowTest::type(const std::string& field, const std::string& text) {
    act([&](ImGuiTestContext& person) {
        person.SetRef("##launch");
        person.ItemClick((field + "/##value").c_str());
        person.KeyCharsReplaceEnter(text.c_str());
    });
}

}  // namespace lanescope::ui
