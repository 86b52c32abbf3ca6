// Panels open and close, stand in arrangements and by themselves; menus and the search reach everything.
#include "ui/commands.h"
#include "ui/completion.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>
#include <imgui_internal.h>
#include <imgui_te_internal.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace lanescope::ui {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

class Panels : public WindowTest {
  protected:
    static const ImGuiWindow* window_of(const Panel& panel) { return ImGui::FindWindowByName(panel.title()); }
    static bool in_view(const Panel& panel) {
        const ImGuiWindow* found = window_of(panel);
        return found != nullptr && found->Active && found->DockIsActive && found->DockTabIsVisible;
    }
    /// "View/Full screen"
    void menu(const std::string& path) {
        std::vector<std::string> words;
        std::istringstream stream(path);
        for (std::string word; std::getline(stream, word, '/');) words.push_back(word);
        act([&](ImGuiTestContext& person) {
            // A child window's name has a slash in it, which the engine would take for a path.
            ImGuiID bar = 0;
            for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
                if (std::string_view(window->Name).starts_with("##launch/menu_")) bar = window->GetID("##MenuBar");
            }
            const auto item = [&](const std::string& word) { return ImHashStr(word.c_str(), 0, bar); };
            if (person.ItemExists(item("Menu"))) words.insert(words.begin(), "Menu");
            person.ItemClick(item(words.front()));
            person.Yield(2);
            keep_picture("menu");
            person.Yield(2);
            for (std::size_t depth = 1; depth < words.size(); ++depth)
                person.ItemClick(("//###Menu_0" + std::to_string(depth - 1) + "/" + words[depth]).c_str());
        });
    }
};

TEST_F(Panels, CudaAndPtxStandSideBySideAtEverySizeAndInEveryArrangement) {
    const auto text = [](const char* language) {
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
            if (window->Active && std::string_view(window->Name).starts_with("Source/" + std::string(language) + "_"))
                return window->Rect();
        }
        return ImRect();
    };
    for (const auto& [width, height] : {std::pair(1920, 1080), std::pair(1280, 720)}) {
        resize(width, height);
        for (const Arrangement arrangement : arrangements) {
            SCOPED_TRACE(std::to_string(width) + " " + std::string(name_of(arrangement)));
            workspace().settings.source_view = SourceView::cuda;
            shell().arrange(arrangement);
            shell().bring_up("Source");
            frames(10);
            const float before = text("cuda").GetWidth();
            workspace().settings.source_view = SourceView::both;
            workspace().seek_pass(2);
            frames(6);
            const ImRect cuda = text("cuda"), ptx = text("ptx");
            EXPECT_FLOAT_EQ(cuda.Min.y, ptx.Min.y);
            EXPECT_LE(cuda.Max.x, ptx.Min.x);
            EXPECT_GT(cuda.GetWidth(), 240);
            EXPECT_GT(ptx.GetWidth(), 240);
            keep_picture("both-" + std::to_string(width) + "-" + std::string(name_of(arrangement)));
            frames(1);
            workspace().settings.source_view = SourceView::cuda;
            frames(6);
            EXPECT_NEAR(text("cuda").GetWidth(), before, 3) << "PTX returns the width";
        }
    }
}

TEST_F(Panels, ArraysThatFormOneValueAreJoinedOrApart) {
    resize(1920, 1080);
    run("apply/recurrence", "8");
    workspace().finish();
    frames(8);
    const auto click = [&](int segment) {
        act([&](ImGuiTestContext& person) {
            // The controls stand beside the tabs, in the dock's own window.
            const ImGuiWindow* const passes = ImGui::FindWindowByName("Passes");
            person.SetRef(passes->DockNode->HostWindow->ID);
            person.ItemClick(segment == 0 ? "##joint/$$0/segment" : "##joint/$$1/segment");
        });
        frames(5);
    };
    const scene::Scene* const picture = panel("Passes").drawn();
    const float joined = picture->height;
    const std::size_t shapes = picture->shapes.size();
    keep_picture("joined");
    frames(2);
    click(1);
    EXPECT_NE(picture->shapes.size(), shapes) << "each array has cells of its own";
    keep_picture("apart");
    frames(2);
    click(0);
    EXPECT_EQ(picture->shapes.size(), shapes);
    EXPECT_EQ(picture->height, joined);
    // Nothing to join, and no button.
    run("reduce/sequential", "16");
    frames(5);
    act([&](ImGuiTestContext& person) {
        person.SetRef(ImGui::FindWindowByName("Passes")->DockNode->HostWindow->ID);
        EXPECT_FALSE(person.ItemExists("##joint/$$1/segment"));
    });
}

TEST_F(Panels, WithoutRoomForTheirTabsAreClosedUntilTheyAreOpenedOrTheWindowIsWider) {
    resize(1024, 640);
    shell().arrange(Arrangement::lecture);
    frames(8);
    EXPECT_FALSE(panel("Map").open);
    EXPECT_TRUE(panel("Banks").open);
    shell().bring_up("Map");
    frames(8);
    EXPECT_TRUE(panel("Map").open) << "a panel that the user opens stays open";
    resize(1920, 1080);
    frames(8);
    for (const char* title : {"Map", "Sectors", "Memory", "Theory"}) EXPECT_TRUE(panel(title).open) << title;
    resize(1280, 720);
    shell().arrange(Arrangement::study);
    frames(8);
}

TEST_F(Panels, TheTwoTextsAreAsWideAsTheirSplitIsDragged) {
    resize(1920, 1080);
    workspace().settings.source_view = SourceView::both;
    frames(8);
    const float before = workspace().settings.source_split;
    act([](ImGuiTestContext& person) {
        ImGuiWindow* split = nullptr;
        for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
            if (window->Active && std::string_view(window->Name).starts_with("Source/split_")) split = window;
        }
        ASSERT_NE(split, nullptr);
        person.MouseMoveToPos(split->Rect().GetCenter());
        person.MouseDragWithDelta({100, 0});
    });
    EXPECT_GT(workspace().settings.source_split, before + 0.05F);
    workspace().settings.source_view = SourceView::cuda;
    frames(4);
}

TEST_F(Panels, ADoubleClickGoesToALineOfEitherText) {
    resize(1920, 1080);
    workspace().settings.source_view = SourceView::both;
    workspace().home();
    frames(8);
    const std::uint32_t line = 14;  // sdata[tid] += sdata[tid + s];
    const PtxLine first = workspace().shown()->map->ptx_lines(line).front(),
                  last = workspace().shown()->map->ptx_lines(line).back();
    workspace().seek_ptx_line(last);
    EXPECT_EQ(workspace().next_ptx_line(), last);
    EXPECT_EQ(workspace().next_cuda_line(), line);
    workspace().home();
    workspace().seek_line(line);
    EXPECT_EQ(workspace().next_ptx_line(), first);
    workspace().settings.source_view = SourceView::cuda;
    frames(4);
}

TEST_F(Panels, EachIsClosedAndOpenedAgainWhereItWas) {
    resize(1920, 1080);
    shell().arrange(Arrangement::study);
    frames(8);
    for (const std::unique_ptr<Panel>& panel : shell().panels()) {
        SCOPED_TRACE(panel->title());
        if (!panel->exists(workspace())) continue;
        const ImGuiID dock = window_of(*panel)->DockId;
        // One panel by the menu, which takes many frames of mouse movement, the others by the function that it calls.
        const bool by_menu = panel == shell().panels().front();
        const auto toggle = [&] {
            if (by_menu) {
                menu(std::string("View/Panels/") + panel->title());
            } else {
                shell().toggle_panel(panel->title());
                frames(4);
            }
        };
        toggle();
        EXPECT_FALSE(panel->open);
        EXPECT_FALSE(window_of(*panel)->Active);
        toggle();
        EXPECT_TRUE(in_view(*panel)) << "opened again, it is in front";
        EXPECT_EQ(window_of(*panel)->DockId, dock);
    }
    EXPECT_EQ(shell().arrangement(), Arrangement::study) << "nothing was moved";
}

TEST_F(Panels, EachArrangementShowsWhatItIsFor) {
    resize(1920, 1080);
    const auto shown_by = [&](ImGuiKey number) {
        key(ImGuiMod_Ctrl | number);
        frames(10);
        keep_picture("arrangement-" + std::string(name_of(*shell().arrangement())));
        frames(2);
        std::set<std::string> titles;
        for (const std::unique_ptr<Panel>& panel : shell().panels()) {
            if (!panel->exists(workspace())) continue;
            EXPECT_TRUE(window_of(*panel)->DockIsActive) << panel->title();
            if (in_view(*panel)) titles.insert(panel->title());
        }
        return titles;
    };
    EXPECT_THAT(shown_by(ImGuiKey_1), ElementsAre("Passes", "Source"));
    EXPECT_THAT(shown_by(ImGuiKey_2), ElementsAre("Banks", "Counts", "Passes", "Source", "Timing", "Warps"));
    EXPECT_THAT(shown_by(ImGuiKey_3), ElementsAre("Banks", "Counts", "Passes", "Source", "Timing", "Warps"));
    resize(1500, 1000);  // no room for Timing beside the others
    EXPECT_THAT(shown_by(ImGuiKey_2), ElementsAre("Banks", "Counts", "Findings", "Passes", "Source", "Warps"));
    EXPECT_THAT(shown_by(ImGuiKey_3), ElementsAre("Banks", "Counts", "Passes", "Source", "Warps"));
}

TEST_F(Panels, AnArrangementFollowsTheWindowsSize) {
    resize(1920, 1080);
    shell().arrange(Arrangement::study);
    frames(10);
    EXPECT_TRUE(in_view(panel("Warps")));
    resize(1280, 720);
    frames(10);
    EXPECT_FALSE(in_view(panel("Warps"))) << "there is no room for two rows";
    EXPECT_TRUE(in_view(panel("Passes")));
}

TEST_F(Panels, FindingsComeToTheFrontOnceAfterARunWithErrors) {
    resize(1280, 720);
    shell().arrange(Arrangement::study);
    run("reduce/interleaved-modulo", "64");
    frames(10);
    shell().bring_up("Counts");
    frames(4);
    ASSERT_FALSE(ImGui::FindWindowByName("Findings")->DockTabIsVisible);
    workspace().open("faulty/missing-barrier");
    settle();
    frames(6);
    EXPECT_TRUE(ImGui::FindWindowByName("Findings")->DockTabIsVisible);
    shell().bring_up("Counts");
    frames(6);
    EXPECT_FALSE(ImGui::FindWindowByName("Findings")->DockTabIsVisible) << "once a run";
}

TEST_F(Panels, WhatErrorsHaveHiddenComesBackWithARunWithoutErrors) {
    resize(1280, 720);
    shell().arrange(Arrangement::study);
    run("reduce/interleaved-modulo", "64");
    frames(10);
    const auto in_front = [](const char* title) { return ImGui::FindWindowByName(title)->DockTabIsVisible; };
    shell().bring_up("Counts");
    frames(4);
    workspace().open("faulty/missing-barrier");
    settle();
    frames(6);
    ASSERT_TRUE(in_front("Findings"));
    workspace().undo();
    settle();
    frames(6);
    EXPECT_TRUE(in_front("Counts"));
    shell().bring_up("Findings");
    frames(4);
    run("reduce/interleaved-modulo", "32");
    frames(6);
    EXPECT_TRUE(in_front("Findings")) << "the user has selected it";
}

TEST_F(Panels, FShowsThePanelUnderTheMouseAloneAndEscapeGoesBack) {
    act([&](ImGuiTestContext& person) {
        const ImGuiWindow* source = window_of(panel("Source"));
        person.MouseSetViewport(ImGui::FindWindowByName("Source"));
        person.MouseMoveToPos(source->Rect().GetCenter());
        person.KeyPress(ImGuiKey_F);
    });
    ASSERT_EQ(shell().alone(), &panel("Source"));
    keep_picture("alone");
    frames(2);
    const ImGuiWindow* alone = ImGui::FindWindowByName("##alone/Source");
    ASSERT_NE(alone, nullptr);
    EXPECT_GT(alone->Size.x, ImGui::GetIO().DisplaySize.x * 0.95F);
    const ImGuiID dock = window_of(panel("Passes"))->DockId;
    key(ImGuiKey_Escape);
    EXPECT_EQ(shell().alone(), nullptr);
    frames(4);
    EXPECT_TRUE(in_view(panel("Passes")));
    EXPECT_EQ(window_of(panel("Passes"))->DockId, dock);
}

TEST_F(Panels, AfterOneWasAloneTheSameAreInFrontInEveryArrangement) {
    resize(1920, 1080);
    for (const Arrangement arrangement : arrangements) {
        shell().arrange(arrangement);
        frames(12);
        const auto in_front = [&] {
            std::vector<std::string> titles;
            for (const std::unique_ptr<Panel>& each : shell().panels()) {
                if (in_view(*each)) titles.emplace_back(each->title());
            }
            return titles;
        };
        const std::vector<std::string> before = in_front();
        key(ImGuiKey_F);
        frames(4);
        ASSERT_NE(shell().alone(), nullptr);
        key(ImGuiKey_F);
        frames(6);
        EXPECT_THAT(in_front(), ElementsAreArray(before)) << name_of(arrangement);
    }
}

TEST_F(Panels, PresenterDoublesTheTypeAsFarAsThereIsRoom) {
    resize(1920, 1080);
    const float before = shell().look().scale();
    key(ImGuiKey_P);
    EXPECT_EQ(shell().look().scale(), 2 * before);
    key(ImGuiKey_P);
    EXPECT_EQ(shell().look().scale(), before);
}

TEST_F(Panels, PresenterFoldsTheBarIntoOneLineThatNamesTheKernel) {
    for (const auto& [width, height] : {std::pair(1920, 1080), std::pair(1280, 720)}) {
        resize(width, height);
        key(ImGuiKey_P);
        frames(3);
        act([](ImGuiTestContext& person) {
            const ImRect name = person.ItemInfo("##launch/program").RectFull;
            EXPECT_GE(name.GetWidth(), shell().look().px(240)) << "the name of the kernel";
            const ImRect verdict = person.ItemInfo("##launch/verdict").RectFull;
            EXPECT_GE(verdict.GetWidth(), shell().look().px(70)) << "in words";
            EXPECT_EQ(verdict.Min.y, name.Min.y);
        });
        key(ImGuiKey_P);
    }
}

TEST_F(Panels, TheMenusKeepTheirNamesInAWideWindow) {
    resize(1920, 1080);
    for (const char* program : {"reduce/interleaved-modulo", "reduce/until-one-is-left", "scan/three-launches"}) {
        LaunchValues values;
        values[Field::program] = program;
        values[Field::block] = "16";
        values[Field::n] = "64";
        workspace().begin(std::move(values));
        settle();
        const auto is_menus = [](const ImGuiWindow* window) {
            return std::string_view(window->Name).starts_with("##launch/menu_");
        };
        const auto& windows = ImGui::GetCurrentContext()->Windows;
        const auto* const menus = std::find_if(windows.begin(), windows.end(), is_menus);
        ASSERT_NE(menus, windows.end());
        EXPECT_GT((*menus)->Size.x, shell().look().px(250)) << program;
    }
}

TEST_F(Panels, EveryKeyIsInAMenu) {
    for (const Command& command : commands()) EXPECT_FALSE(command.menu.empty()) << command.name;
}

TEST_F(Panels, TheMenusDoWhatTheySay) {
    for (const int width : {1280, 1920}) {
        resize(width, width == 1280 ? 720 : 1080);
        workspace().home();
        menu("Go/Next instruction");
        EXPECT_GT(workspace().position(), 0U);
        menu("View/Switch theme");
        EXPECT_EQ(shell().look().theme(), scene::Theme::light);
        menu("View/Switch theme");
        menu("Help/Keyboard shortcuts");
        EXPECT_TRUE(shell().help_open());
        key(ImGuiKey_Escape);
    }
}

TEST_F(Panels, SpaceAndArrowsWalkOnlyAfterTab) {
    key(ImGuiKey_RightArrow);
    const std::size_t once = workspace().position();
    EXPECT_GT(once, 0U);
    key(ImGuiKey_Tab);
    EXPECT_TRUE(shell().walking());
    key(ImGuiKey_RightArrow);
    EXPECT_EQ(workspace().position(), once) << "the arrow walks through the controls";
    key(ImGuiKey_Escape);
    EXPECT_FALSE(shell().walking());
    key(ImGuiKey_RightArrow);
    EXPECT_GT(workspace().position(), once);
}

class SearchTest : public Panels {
  protected:
    void search(const char* text) {
        act([&](ImGuiTestContext& person) {
            person.KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
            person.Yield(2);
            person.KeyChars(text);
            person.Yield(2);
            keep_picture("search");
            person.Yield(2);
        });
    }
    void in_search(ImGuiKeyChord chord) { key(chord); }
};

TEST_F(SearchTest, AKernelIsOpenedByAFewLetters) {
    search("open seqential");
    ASSERT_TRUE(shell().searching());
    act([](ImGuiTestContext& person) {
        person.KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
        person.KeyChars("reseq");
        person.Yield(2);
        person.KeyPress(ImGuiKey_Enter);
    });
    EXPECT_FALSE(shell().searching());
    EXPECT_EQ(workspace().shown()->run->program.name, "reduce/sequential");
}

TEST_F(SearchTest, TheArrowsChooseAndEscapeLeaves) {
    search("next");
    in_search(ImGuiKey_DownArrow);
    EXPECT_EQ(workspace().position(), 0U) << "the arrows belong to the search";
    key(ImGuiKey_Escape);
    EXPECT_FALSE(shell().searching());
    search("to end");
    key(ImGuiKey_Enter);
    EXPECT_EQ(workspace().position(), workspace().at().end());
}

TEST_F(SearchTest, APathIsTypedAndCompleted) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "lanescope-search-test";
    std::filesystem::create_directories(folder / "deeper");
    std::ofstream(folder / "deeper" / "mine.cu") << "__global__ void mine(int* out) { out[threadIdx.x] = 7; }\n";
    std::ofstream(folder / "deeper" / "notes.txt") << "nothing\n";
    EXPECT_THAT(paths_like(folder.string() + "/deeper/"), ElementsAre(folder.string() + "/deeper/mine.cu"));
    EXPECT_THAT(paths_like("/nowhere/at/all/"), IsEmpty());
    search((folder.string() + "/de").c_str());
    key(ImGuiKey_Enter);  // the folder
    frames(4);
    EXPECT_TRUE(shell().searching());
    key(ImGuiKey_Enter);  // the only file in it
    EXPECT_FALSE(shell().searching());
    EXPECT_EQ(workspace().file(), (folder / "deeper" / "mine.cu").string());
    EXPECT_THAT(workspace().settings.recent, Contains((folder / "deeper" / "mine.cu").string()));
    std::filesystem::remove_all(folder);
}

TEST(Fuzzy, LettersMustOccurInOrder) {
    EXPECT_TRUE(fit("rseq", "reduce/sequential").has_value());
    EXPECT_TRUE(fit("REDUCE", "reduce/sequential").has_value());
    EXPECT_TRUE(fit("next pass", "Next pass").has_value());
    EXPECT_FALSE(fit("qes", "sequential").has_value());
    EXPECT_FALSE(fit("x", "").has_value());
    EXPECT_EQ(fit("", "anything"), fit("  ", "at all"));
}

TEST(Fuzzy, BeginningsOfWordsAndRunsComeFirst) {
    EXPECT_GT(fit("np", "Next pass"), fit("np", "Open a kernel, input"));
    EXPECT_GT(fit("seq", "reduce/sequential"), fit("seq", "the last else is quiet"));
    EXPECT_GT(fit("time", "Show the timing, or the time"), fit("time", "To its median error"));
    EXPECT_GT(fit("step back", "One step of the warp back"), fit("step back", "Show the earliest pass, by a click"));
    EXPECT_GT(fit("scan", "scan/padded"), fit("scan", "scan/reduction-distribution-divergent"));
}

}  // namespace
}  // namespace lanescope::ui
