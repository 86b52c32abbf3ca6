// Files dropped, changed on disk and remembered; the session that outlives the process; pictures written to files.
#include "places.h"
#include "render/image/image.h"
#include "scratch_folder.h"
#include "ui/last_session.h"
#include "ui/start.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

namespace lanescope::ui {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

/// A folder that is the current one until the end of the scope, however the test leaves it.
class Inside {
  public:
    explicit Inside(const fs::path& folder) : before_(fs::current_path()) { fs::current_path(folder); }
    ~Inside() { fs::current_path(before_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

  private:
    fs::path before_;
};

std::string kernel_that_stores(int value) {
    return "__global__ void fill(int* out) {\n    out[threadIdx.x] = " + std::to_string(value) + ";\n}\n";
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

class Files : public WindowTest {
  protected:
    void drop(const fs::path& path) {
        const std::string text = path.string();
        const char* paths[] = {text.c_str()};
        window().dropped(1, paths);
        settle();
    }
    [[nodiscard]] static const session::Run& run() { return *workspace().shown()->run; }
    ScratchFolder folder;
};

TEST_F(Files, ADroppedKernelIsShownAndRemembered) {
    write(folder / "mine.cu", kernel_that_stores(7));
    drop(folder / "mine.cu");
    EXPECT_EQ(run().kernel, "fill");
    EXPECT_EQ(workspace().file(), (folder / "mine.cu").string());
    EXPECT_EQ(workspace().settings.recent.front(), (folder / "mine.cu").string());
}

TEST_F(Files, LinesOfLaunchConfigurationAreCountedInTheSingularToo) {
    for (const auto& [notes, note] :
         {std::pair("// lanescope: block = 32\n", "1 line of launch configuration"),
          std::pair("// lanescope: block = 32\n// lanescope: grid = 1\n", "2 lines of launch configuration")}) {
        write(folder / "mine.cu", kernel_that_stores(7) + notes);
        drop(folder / "mine.cu");
        settle();
        std::vector<DrawnText> drawn;
        shell().look().watch(&drawn);
        frames(1);
        shell().look().watch(nullptr);
        EXPECT_TRUE(std::ranges::any_of(drawn, [&](const DrawnText& text) { return text.text == note; })) << note;
    }
}

TEST_F(Files, ADroppedFileThatIsNoKernelIsRefusedAndThePictureStays) {
    const session::Run* before = &run();
    write(folder / "letter.txt", "Dear reader,\n");
    drop(folder / "letter.txt");
    EXPECT_TRUE(workspace().form().problem(Field::program).has_value());
    drop(folder / "nowhere.cu");
    EXPECT_TRUE(workspace().form().problem(Field::program).has_value());
    drop(folder.path());
    EXPECT_TRUE(workspace().form().problem(Field::program).has_value());
    EXPECT_EQ(&run(), before);
}

TEST_F(Files, AFileThatChangesOnDiskRunsAgainInItsPlace) {
    const fs::path file = folder / "mine.cu";
    write(file, kernel_that_stores(7));
    drop(file);
    (void)shell().look_at_disk();
    workspace().seek_exactly(3);
    const std::size_t place = workspace().position();
    EXPECT_FALSE(shell().look_at_disk()) << "nothing has changed";

    write(file, kernel_that_stores(12345));
    EXPECT_FALSE(shell().look_at_disk()) << "it may still be written to";
    EXPECT_TRUE(shell().look_at_disk());
    settle();
    EXPECT_THAT(run().program.source.text, HasSubstr("12345"));
    EXPECT_EQ(workspace().position(), place);
    EXPECT_FALSE(shell().look_at_disk());

    // As editors save: beside, then renamed.
    write(folder / "mine.cu~", kernel_that_stores(777777));
    fs::rename(folder / "mine.cu~", file);
    (void)shell().look_at_disk();
    EXPECT_TRUE(shell().look_at_disk());
    settle();
    EXPECT_THAT(run().program.source.text, HasSubstr("777777"));

    fs::remove(file);
    EXPECT_FALSE(shell().look_at_disk()) << "the file may be back at the next poll";
    EXPECT_TRUE(shell().look_at_disk()) << "the removal is reported";
    EXPECT_FALSE(workspace().busy());
    EXPECT_THAT(run().program.source.text, HasSubstr("777777")) << "the run of the removed file is still shown";
    EXPECT_FALSE(shell().look_at_disk()) << "the removal is reported once";
}

TEST_F(Files, ThePictureUnderTheMouseIsSavedFromItsMenu) {
    const Inside inside(folder.path());
    const auto save_as = [&](const char* entry) {
        act([&](ImGuiTestContext& person) {
            person.MouseSetViewport(ImGui::FindWindowByName("Passes"));
            person.MouseMoveToPos(ImGui::FindWindowByName("Passes")->Rect().GetCenter());
            person.MouseClick(ImGuiMouseButton_Right);
            person.Yield(2);
            person.SetRef("//$FOCUSED");
            person.ItemClick(entry);
        });
    };
    save_as("Save as SVG");
    EXPECT_THAT(text_of(folder / "lanescope-passes.svg"), HasSubstr("<svg"));
    EXPECT_THAT(text_of(folder / "lanescope-passes.svg"),
                HasSubstr("<metadata>lanescope:reduce/interleaved-modulo?block=16&amp;n=16#launch/0/block/0/step/0"))
        << "the link to the place that it shows";
    EXPECT_THAT(shell().notice().text(), HasSubstr("lanescope-passes.svg"));
    keep_picture("saved");
    frames(2);
    save_as("Save as PNG");
    EXPECT_THAT(text_of(folder / "lanescope-passes.png"), HasSubstr("PNG"));
    save_as("Save as PNG");
    EXPECT_TRUE(fs::exists(folder / "lanescope-passes-2.png")) << "no file is overwritten";
}

TEST_F(Files, APictureOfAnySizeIsSavedWhereOneSays) {
    const Inside inside(folder.path());
    key(ImGuiMod_Ctrl | ImGuiKey_S);
    ASSERT_TRUE(shell().picture_export().is_open());
    const std::string file = (folder / "mine.png").string();
    act([&](ImGuiTestContext& person) {
        person.SetRef("Picture");
        person.ItemClick("format/$$1/segment");
        person.ItemInputValue("##width", 3000);
        keep_picture("export");
        person.ItemInputValue("##path", file.c_str());
        person.Yield(2);
        if (shell().picture_export().is_open()) person.ItemClick("##save");
    });
    EXPECT_FALSE(shell().picture_export().is_open());
    const std::string png = text_of(file);
    ASSERT_GT(png.size(), 24U);
    // The width is the first number of the first chunk (PNG, 11.2.2).
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(png[at]); };
    EXPECT_EQ((byte(16) << 24) + (byte(17) << 16) + (byte(18) << 8) + byte(19), 3000);

    key(ImGuiMod_Ctrl | ImGuiKey_S);
    act([&](ImGuiTestContext& person) {
        person.SetRef("Picture");
        person.ItemInputValue("##path", "/proc/nowhere/mine.svg");
        person.Yield(2);
    });
    EXPECT_TRUE(shell().picture_export().is_open()) << "the dialog stays open with the reason";
    key(ImGuiKey_Escape);
}

/// Another value of an environment variable, for one test.
class Environment {
  public:
    Environment(const char* name, const std::string& value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        setenv(name, value.c_str(), 1);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

  private:
    const char* name_;
    std::optional<std::string> before_;
};

TEST_F(Files, WithoutAProgramThatCopiesPicturesOneIsWrittenAndLeadsBackToItsPlace) {
    const Inside inside(folder.path());
    const Environment none("PATH", folder.path().string());
    workspace().seek_pass(1);
    frames(2);
    const std::size_t place = workspace().position();
    key(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_C);
    frames(1);
    const fs::path file = folder / "lanescope-passes.png";
    ASSERT_TRUE(fs::exists(file));
    EXPECT_THAT(shell().notice().text(), HasSubstr("xclip"));
    EXPECT_THAT(shell().notice().text(), HasSubstr(file.string()));
    workspace().home();
    const std::string path = file.string();
    shell().drop(std::span(&path, 1));
    settle();
    EXPECT_EQ(workspace().position(), place);
}

TEST_F(Files, ACopiedPictureIsGivenToTheProgramThatServesTheClipboard) {
    const Inside inside(folder.path());
    std::ofstream(folder / "xclip") << "#!/bin/sh\nfor last; do :; done; cp \"$last\" \""
                                    << (folder / "copied").string() << "\"\n";
    fs::permissions(folder / "xclip", fs::perms::owner_all);
    const Environment ours("PATH", folder.path().string() + ":/usr/bin:/bin"), display("DISPLAY", ":0");
    const Environment wayland("WAYLAND_DISPLAY", "");
    unsetenv("WAYLAND_DISPLAY");
    key(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_C);
    until([] { return shell().notice().text().find("clipboard") != std::string::npos; });
    EXPECT_THAT(render::source_of_png(text_of(folder / "copied")),
                testing::StartsWith("lanescope:reduce/interleaved-modulo"));
}

TEST_F(Files, ThePassesAreSavedAsAnAnimationAndThePlaceStays) {
    const Inside inside(folder.path());
    workspace().seek_pass(1);
    frames(2);
    const std::size_t place = workspace().position();
    const std::string file = (folder / "passes.gif").string();
    key(ImGuiMod_Ctrl | ImGuiKey_S);
    act([&](ImGuiTestContext& person) {
        person.SetRef("Picture");
        person.ItemClick("format/$$2/segment");
        person.ItemInputValue("##width", 600);
        keep_picture("export-animation");
        person.ItemInputValue("##path", file.c_str());
        person.Yield(2);
        if (shell().picture_export().is_open() && !shell().picture_export().is_animating()) person.ItemClick("##save");
    });
    if (!render::can_animate(file)) {
        EXPECT_TRUE(shell().picture_export().is_open()) << "the dialog says what to install";
        return key(ImGuiKey_Escape);
    }
    until([] { return !shell().picture_export().is_open(); });
    EXPECT_EQ(workspace().position(), place);
    EXPECT_THAT(shell().notice().text(), HasSubstr("passes.gif"));
    const std::string gif = text_of(file);
    ASSERT_GT(gif.size(), 1000U);
    EXPECT_EQ(gif.substr(0, 6), "GIF89a");
    // The extension that says how long an image stays stands before each of them (GIF89a, 23).
    std::size_t images = 0;
    for (std::size_t at = 0; (at = gif.find("\x21\xF9\x04", at)) != std::string::npos; ++at) ++images;
    EXPECT_EQ(images, workspace().shown()->passes->passes.size());
}

TEST_F(Files, ACancelledAnimationLeavesNoFileAndReturnsToThePlace) {
    if (!render::can_animate(folder / "a.gif")) GTEST_SKIP() << "built without giflib";
    const Inside inside(folder.path());
    workspace().seek_pass(1);
    frames(2);
    const std::size_t place = workspace().position();
    PassAnimation animation;
    ASSERT_TRUE(animation.start(panel("Passes"), workspace(), folder / "a.gif", 600, 1, scene::Theme::dark));
    EXPECT_NE(workspace().position(), place) << "it begins at the first pass";
    frames(1);
    EXPECT_FALSE(animation.follow(workspace()));
    animation.cancel(workspace());
    EXPECT_FALSE(animation.running());
    EXPECT_EQ(workspace().position(), place);
    EXPECT_FALSE(fs::exists(folder / "a.gif"));
}

TEST_F(Files, ASessionIsReadAsItWasWritten) {
    Session session;
    session.launch[Field::program] = "scan/padded";
    session.launch[Field::block] = "64";
    session.launch.arguments["in"] = "input(n) as ones";
    session.bookmark = {.launch = 1, .block = BlockId{3}, .position = 42, .selected = std::pair(2U, 5U)};
    session.tries = 1;
    ASSERT_TRUE(save_session(session, folder / "session.json").has_value());
    EXPECT_EQ(load_session(folder / "session.json"), session);
}

TEST_F(Files, ADamagedSessionIsNone) {
    for (const char* text : {"", "[]", "{}", "{\"launch\": 7}", "{\"launch\": {\"program\": 3}}", "\xff\xfe"}) {
        write(folder / "session.json", text);
        EXPECT_FALSE(load_session(folder / "session.json").has_value()) << text;
    }
    write(folder / "session.json",
          R"({"launch": {"program": "scan/padded"}, "position": -4, "row": "x", "column": 1e99, "arguments": [1]})");
    const auto session = load_session(folder / "session.json");
    ASSERT_TRUE(session.has_value());
    EXPECT_EQ(session->bookmark.position, 0U);
}

TEST_F(Files, TheNextStartReturnsToThePlaceAndTheSelection) {
    workspace().open("scan/padded");
    settle();
    type("block", "32");
    workspace().select(2, 5);
    workspace().seek_pass(2);
    SessionKeeper keeper(folder / "session.json");
    keeper.follow(workspace(), 100);
    EXPECT_FALSE(fs::exists(folder / "session.json")) << "a moment after the last change";
    keeper.follow(workspace(), 101);
    const Bookmark bookmark = workspace().bookmark();

    workspace().open("reduce/sequential");
    settle();
    Start start(shell(), session::WindowOptions{}, folder / "session.json");
    EXPECT_EQ(load_session(folder / "session.json")->tries, 1U) << "until it has run";
    settle();
    EXPECT_TRUE(start.follow());
    EXPECT_EQ(run().program.name, "scan/padded");
    EXPECT_EQ(run().block, 32U);
    EXPECT_EQ(workspace().bookmark(), bookmark);
    ASSERT_TRUE(workspace().selection().has_value());
}

TEST_F(Files, ARecordingThatIsNamedOpensInTimingBesideTheFirstKernel) {
    session::WindowOptions options;
    options.launch[Field::program] = std::string(LANESCOPE_SOURCE_DIR) + "/assets/recordings/h200-per-thread.json";
    Start start(shell(), options, {});
    for (int frame = 0; frame < 50 && !start.follow(); ++frame) settle();
    EXPECT_EQ(run().program.name, session::catalog().front().name);
    frames(5);
    EXPECT_FALSE(ImGui::FindWindowByName("Timing")->Hidden);
}

TEST_F(Files, ASessionThatCannotBeShownAgainGivesWayToTheFirstKernel) {
    Session session;
    session.launch[Field::program] = (folder / "gone.cu").string();
    ASSERT_TRUE(save_session(session, folder / "session.json").has_value());
    // Nothing may be shown yet: a window of its own.
    workspace().begin(LaunchValues{});
    settle();
    Start start(shell(), session::WindowOptions{}, folder / "session.json");
    settle();
    for (int frame = 0; frame < 3 && !start.follow(); ++frame) settle();
    EXPECT_NE(workspace().shown(), nullptr);
    session.tries = 2;
    ASSERT_TRUE(save_session(session, folder / "session.json").has_value());
    Start again(shell(), session::WindowOptions{}, folder / "session.json");
    EXPECT_EQ(workspace().file(), "") << "a session that crashed the program twice is not restored";
    settle();
}

/// The program itself, with a configuration folder of its own.
class Killed : public ::testing::Test {
  protected:
    void SetUp() override {
        if (std::getenv("DISPLAY") == nullptr) GTEST_SKIP() << "no display";
    }
    [[nodiscard]] fs::path session_file() const { return folder_ / "lanescope" / "session.json"; }
    [[nodiscard]] pid_t start(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), LANESCOPE_BINARY);
        std::vector<char*> argv;
        argv.reserve(arguments.size() + 1);
        for (std::string& argument : arguments) argv.push_back(argument.data());
        argv.push_back(nullptr);
        setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
        pid_t process = -1;
        EXPECT_EQ(posix_spawn(&process, LANESCOPE_BINARY, nullptr, nullptr, argv.data(), environ), 0);
        unsetenv("XDG_CONFIG_HOME");
        return process;
    }
    /// Waits until the file contains the text; a busy machine may take half a minute.
    [[nodiscard]] bool wait_for(const std::string& text) const {
        for (int tries = 0; tries < 600; ++tries) {
            if (text_of(session_file()).find(text) != std::string::npos) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return false;
    }
    static void kill_and_wait(pid_t process) {
        kill(process, SIGKILL);
        waitpid(process, nullptr, 0);
    }
    ScratchFolder folder_;
};

TEST_F(Killed, TheSessionIsThereAtTheNextStart) {
    const pid_t first = start({"reduce/sequential", "--block", "64", "--n", "64", "--size", "800x600"});
    const bool kept = wait_for("reduce/sequential");
    kill_and_wait(first);
    ASSERT_TRUE(kept);
    auto session = load_session(session_file());
    ASSERT_TRUE(session.has_value());
    EXPECT_EQ(session->launch[Field::block], "64");

    // The next start returns there, and resets the count of tries once it has shown the session.
    session->tries = 1;
    ASSERT_TRUE(save_session(*session, session_file()).has_value());
    const pid_t second = start({"--size", "800x600"});
    const bool shown = wait_for("\"tries\": 0");
    kill_and_wait(second);
    EXPECT_TRUE(shown);
    EXPECT_EQ(load_session(session_file())->launch[Field::program], "reduce/sequential");

    const pid_t fresh = start({"--fresh", "--screenshot", (folder_ / "fresh.png").string(), "--size", "800x600"});
    int status = 0;
    waitpid(fresh, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(load_session(session_file())->launch[Field::program], "reduce/sequential") << "--fresh leaves it alone";
}

}  // namespace
}  // namespace lanescope::ui
