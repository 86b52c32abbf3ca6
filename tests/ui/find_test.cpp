// Find in Source, breakpoints, the history of a value, links to a place: by clicks and keys.
#include "base/files.h"
#include "ui/bookmarks.h"
#include "ui/commands.h"
#include "ui/panels/memory.h"
#include "ui/panels/source.h"
#include "ui/value_history.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lanescope::ui {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::uint32_t add_line = 14;      // sdata[tid] += sdata[tid + s];
constexpr std::uint32_t comment_line = 11;  // // do the reduction in shared memory
constexpr std::uint32_t test_line = 13;     // if (tid % (2 * s) == 0)

class GoTest : public WindowTest {
  protected:
    void SetUp() override {
        WindowTest::SetUp();
        if (IsSkipped()) return;
        resize(1920, 1080);
        shell().bring_up("Source");
        frames(8);
    }
    static SourcePanel& source() { return dynamic_cast<SourcePanel&>(panel("Source")); }
    static const SourceFind& find() { return source().find(); }
    static const ImGuiWindow* text_window(const std::string& language) {
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
            if (window->Active && std::string_view(window->Name).starts_with("Source/" + language + "_")) return window;
        return nullptr;
    }
    /// The middle of a line's number.
    static ImVec2 number_of(const std::string& language, std::uint32_t line) {
        const ImGuiWindow* const window = text_window(language);
        const Look& look = shell().look();
        const std::size_t row = source().row_of(language == "cuda" ? Language::cuda : Language::ptx, line);
        return {window->Pos.x + look.px(30), window->Pos.y - window->Scroll.y + look.px(gap) +
                                                 (static_cast<float>(row) + 0.5F) * look.px(source_line_height)};
    }
    void click_number(const std::string& language, std::uint32_t line) {
        act([&](ImGuiTestContext& person) {
            person.MouseMoveToPos(number_of(language, line));
            person.MouseClick(ImGuiMouseButton_Left);
        });
    }
    /// Enters the condition in the menu of the line.
    void give_condition(std::uint32_t line, const char* condition) {
        act([&](ImGuiTestContext& person) {
            person.MouseMoveToPos(number_of("cuda", line));
            person.MouseClick(ImGuiMouseButton_Right);
            person.Yield(2);
            person.ItemClick("//$FOCUSED/##condition");
            person.KeyCharsReplaceEnter(condition);
            person.Yield(2);
            keep_picture("condition-1920");
            person.Yield(2);
        });
    }
    void find_words(const char* words) {
        act([&](ImGuiTestContext& person) {
            person.KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
            person.Yield(4);
            person.KeyChars(words);
            person.Yield(2);
        });
    }
    /// Plays until it stops by itself.
    void play() {
        workspace().settings.speed = fastest;
        key(ImGuiKey_Space);
        until([] { return !workspace().playing(); });
    }
    static const std::vector<Breakpoint>& kept() { return workspace().breakpoints().kept(); }
};

TEST_F(GoTest, FindMarksTheMatchesAndEnterGoesFromOneToTheNext) {
    find_words("SDATA[tid");
    ASSERT_TRUE(find().is_open());
    ASSERT_THAT(find().matches(), SizeIs(3)) << "not case sensitive: lines 8 and 14, there twice";
    EXPECT_EQ(find().matches()[0].line, 8U);
    EXPECT_EQ(find().matches()[1].line, add_line);
    EXPECT_EQ(find().matches()[2].line, add_line);
    EXPECT_LT(find().matches()[1].begin, find().matches()[2].begin);
    EXPECT_THAT(find().on_line(Language::cuda, add_line), SizeIs(2));
    EXPECT_EQ(find().current(), 0U);
    keep_picture("find-1920");
    frames(1);
    key(ImGuiKey_Enter);
    EXPECT_EQ(find().current(), 1U);
    key(ImGuiKey_Enter);
    key(ImGuiKey_Enter);
    EXPECT_EQ(find().current(), 0U) << "after the last one comes the first";
    key(ImGuiMod_Shift | ImGuiKey_Enter);
    EXPECT_EQ(find().current(), 2U);
    key(ImGuiKey_Escape);
    EXPECT_FALSE(find().is_open());
    EXPECT_THAT(find().on_line(Language::cuda, add_line), IsEmpty()) << "nothing is marked any more";
}

TEST_F(GoTest, LinesThatAreWiderThanThePanelAreFoldedAndWhollyShown) {
    for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1920, 1080)}) {
        SCOPED_TRACE(width);
        resize(width, height);
        frames(8);
        const ImGuiWindow* const window = text_window("cuda");
        ASSERT_NE(window, nullptr);
        std::vector<DrawnText> drawn;
        shell().look().watch(&drawn);
        frames(1);
        shell().look().watch(nullptr);
        std::string text;
        for (const DrawnText& each : drawn) {
            if (each.list != window->DrawList) continue;
            EXPECT_LE(each.high.x, window->InnerClipRect.Max.x + 1) << each.text;
            text += each.text;
        }
        std::erase(text, ' ');
        EXPECT_THAT(text, HasSubstr("blockDim.x+threadIdx.x;"));
    }
    resize(1280, 720);
    frames(8);
    const auto rows = [](std::uint32_t line) {
        return source().row_of(Language::cuda, line + 1) - source().row_of(Language::cuda, line);
    };
    EXPECT_THAT(rows(5), Gt(1U)) << "its comment is wider than the panel";
    EXPECT_EQ(rows(2), 1U);
    constexpr std::uint32_t load_line = 8;
    click_number("cuda", load_line);
    ASSERT_THAT(kept(), SizeIs(1)) << "below folded lines a click on a number hits its line";
    EXPECT_EQ(kept()[0].line, load_line);
    click_number("cuda", load_line);
}

TEST_F(GoTest, ASelectedValueBringsItsLineIntoView) {
    workspace().settings.source_view = SourceView::ptx;
    workspace().seek(0);
    frames(8);
    const analysis::Cell& cell = workspace().shown()->picture->rows.back().cells[0];
    const std::uint32_t writer = workspace().shown()->trace().step(cell.writer).line.value;
    const auto in_view = [&] {
        const ImGuiWindow* const window = text_window("ptx");
        const float y = number_of("ptx", writer).y;
        return y > window->Pos.y && y < window->Pos.y + window->Size.y;
    };
    ASSERT_FALSE(in_view());
    workspace().select(static_cast<std::uint32_t>(workspace().shown()->picture->rows.size() - 1), 0);
    frames(8);
    EXPECT_TRUE(in_view());
    workspace().settings.source_view = SourceView::cuda;
}

TEST_F(GoTest, SourceIsAsWideAsItsCodeNeedsUntilItIsDragged) {
    const auto width = [] { return ImGui::FindWindowByName("Source")->Size.x; };
    run("reduce/sequential", "32");
    frames(8);
    const float narrow = width();
    const std::string wide_code = ::testing::TempDir() + "/wide_code.cu";
    std::ofstream(wide_code)
        << "__global__ void wide(float* values, const float* a_name_of_some_length, int count)\n{\n"
           "    values[threadIdx.x] = a_name_of_some_length[threadIdx.x] * 2.0f;\n}\n";
    run(wide_code.c_str(), "32");
    frames(8);
    EXPECT_GT(width(), narrow + 20);
    run("reduce/sequential", "32");
    frames(8);
    EXPECT_NEAR(width(), narrow, 2) << "Source returns the width";
}

TEST_F(GoTest, LettersTypedInTheFieldTriggerNoCommand) {
    key(ImGuiKey_RightArrow);
    const std::size_t position = workspace().position();
    ASSERT_THAT(position, Gt(0U));
    // Among them C, D, E, K, F, P, M, B and N are commands.
    find_words("cdekfpmbn ");
    act([](ImGuiTestContext& person) { person.KeyPress(ImGuiKey_Enter); });
    act([](ImGuiTestContext& person) { person.KeyChars("c"); });
    EXPECT_EQ(workspace().position(), position);
    EXPECT_FALSE(shell().presenter());
    EXPECT_EQ(shell().alone(), nullptr);
    EXPECT_FALSE(workspace().playing());
    EXPECT_FALSE(shell().presentation().black);
    key(ImGuiKey_Escape);
    key(ImGuiKey_RightArrow);
    EXPECT_THAT(workspace().position(), Gt(position)) << "keys are commands again";
}

TEST_F(GoTest, FindSearchesThePtxThatIsShown) {
    workspace().settings.source_view = SourceView::ptx;
    frames(4);
    find_words("bar.sync");
    ASSERT_THAT(find().matches(), Not(IsEmpty()));
    for (const SourceFind::Match& match : find().matches()) {
        EXPECT_EQ(match.language, Language::ptx);
        EXPECT_THAT(std::string(workspace().shown()->map->ptx()[match.line - 1]), HasSubstr("bar.sync"));
    }
    const float before = text_window("ptx")->Scroll.y;
    key(ImGuiKey_Enter);
    frames(4);
    EXPECT_NE(text_window("ptx")->Scroll.y, before) << "the match comes into view";
    key(ImGuiKey_Escape);
    find_words("no such text");
    EXPECT_THAT(find().matches(), IsEmpty());
    key(ImGuiKey_Escape);
    workspace().settings.source_view = SourceView::cuda;
}

TEST_F(GoTest, FindBringsSourceIntoViewAndKeysWorkWhileItIsHidden) {
    shell().maximize("Memory");
    frames(4);
    find_words("sdata");
    ASSERT_TRUE(find().is_open());
    EXPECT_STREQ(shell().alone()->title(), "Source");
    shell().maximize("Memory");
    frames(8);
    key(ImGuiKey_RightArrow);
    EXPECT_THAT(workspace().position(), Gt(0U)) << "a field that is out of view takes no keys";
    shell().maximize("");
    frames(4);
}

TEST_F(GoTest, AClickOnALineNumberSetsABreakpointWherePlayStops) {
    click_number("cuda", add_line);
    ASSERT_THAT(kept(), SizeIs(1));
    EXPECT_EQ(kept()[0].line, add_line);
    EXPECT_EQ(kept()[0].text, "sdata[tid] += sdata[tid + s];");
    const auto* const placed = workspace().breakpoints().at(false, "", add_line);
    ASSERT_NE(placed, nullptr);
    EXPECT_EQ(placed->visits, 4U) << "s = 1, 2, 4 and 8";
    keep_picture("breakpoint-1920");
    frames(1);
    play();
    EXPECT_EQ(workspace().next_cuda_line(), add_line);
    const std::size_t first = workspace().position();
    EXPECT_EQ(workspace().shown()->map->ptx_lines(add_line).front(), workspace().next_ptx_line());
    play();
    EXPECT_EQ(workspace().next_cuda_line(), add_line);
    EXPECT_THAT(workspace().position(), Gt(first));
    click_number("cuda", add_line);
    EXPECT_THAT(kept(), IsEmpty());
    play();
    EXPECT_EQ(workspace().position(), workspace().at().end());
}

TEST_F(GoTest, NextAndPreviousBreakpointGoThere) {
    key(ImGuiKey_K);
    EXPECT_THAT(shell().notice().text(), HasSubstr("no breakpoint"));
    click_number("cuda", add_line);
    std::vector<std::size_t> stops;
    for (std::size_t before = ~std::size_t{0}; workspace().position() != before && stops.size() < 9;) {
        before = workspace().position();
        key(ImGuiKey_K);
        if (workspace().position() != before) stops.push_back(workspace().position());
    }
    ASSERT_THAT(stops, SizeIs(4));
    EXPECT_THAT(shell().notice().text(), StartsWith("No later breakpoint"));
    key(ImGuiMod_Shift | ImGuiKey_K);
    EXPECT_EQ(workspace().position(), stops[2]);
}

TEST_F(GoTest, AConditionIsAboutAVariableAtThatStep) {
    give_condition(test_line, "s == 4 && tid == 9");
    ASSERT_THAT(kept(), SizeIs(1));
    EXPECT_EQ(kept()[0].condition, "s == 4 && tid == 9");
    play();
    EXPECT_EQ(workspace().next_cuda_line(), test_line);
    EXPECT_EQ(workspace().lane(), (std::optional(Lane{WarpId{0}, 9})));
    EXPECT_EQ(workspace().shown()->passes->passes[workspace().pass()].label, "s = 4");
    key(ImGuiKey_K);
    EXPECT_THAT(shell().notice().text(), StartsWith("No later breakpoint")) << "s is 4 once";
}

TEST_F(GoTest, AConditionThatCannotBeReadIsRefusedInTheMenu) {
    give_condition(test_line, "nothing == 4");
    EXPECT_THAT(kept(), IsEmpty());
    key(ImGuiKey_Escape);
    key(ImGuiKey_Escape);
    for (const char* const text : {"s =", "s", "s == four", "== 4", "in == 4"}) {
        const Breakpoint breakpoint{.line = test_line, .text = "if (tid % (2 * s) == 0)"};
        EXPECT_FALSE(workspace().set_condition(breakpoint, text).has_value()) << text;
    }
    EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(GoTest, ALineWithoutInstructionsSaysSo) {
    click_number("cuda", comment_line);
    EXPECT_THAT(kept(), IsEmpty());
    EXPECT_EQ(shell().notice().text(), "Line 11 has no instructions, so no breakpoint is set.");
}

TEST_F(GoTest, ALineThatNoWarpExecutesSaysSo) {
    LaunchValues values;
    values[Field::program] = "reduce/interleaved-modulo";
    values[Field::block] = values[Field::n] = "1";
    values.anyway = true;  // one thread has nothing to add
    workspace().begin(std::move(values));
    settle();
    ASSERT_EQ(workspace().shown()->threads(), 1U);
    click_number("cuda", add_line);
    ASSERT_THAT(kept(), SizeIs(1)) << "another launch may execute it";
    EXPECT_EQ(shell().notice().text(), "No warp of this block executes line 14.");
    workspace().seek_line(add_line);
    frames(2);
    EXPECT_EQ(shell().notice().text(), "No warp of this block executes this line.");
}

TEST_F(GoTest, ABreakpointInThePtxStopsAtThatInstruction) {
    workspace().settings.source_view = SourceView::ptx;
    const PtxLine line = workspace().shown()->map->ptx_lines(add_line).back();
    workspace().seek_ptx_line(line);
    frames(4);
    workspace().home();
    frames(1);
    const ImGuiWindow* const window = text_window("ptx");
    ASSERT_NE(window, nullptr);
    source().find().open();
    source().find().close();
    act([&](ImGuiTestContext& person) {
        const float wanted = static_cast<float>(line.value) * shell().look().px(source_line_height) - 200;
        person.ScrollToY(window->ID, wanted);
        person.Yield(2);
        person.MouseMoveToPos(number_of("ptx", line.value));
        person.MouseClick(ImGuiMouseButton_Left);
    });
    ASSERT_THAT(kept(), SizeIs(1));
    EXPECT_TRUE(kept()[0].ptx);
    play();
    EXPECT_EQ(workspace().next_ptx_line(), line);
    workspace().settings.source_view = SourceView::cuda;
}

TEST_F(GoTest, BreakpointsAreRememberedWithTheProgram) {
    click_number("cuda", add_line);
    give_condition(test_line, "lane == 3");
    ASSERT_THAT(kept(), SizeIs(2));
    run("reduce/sequential", "16");
    frames(3);
    EXPECT_THAT(kept(), IsEmpty()) << "another program has its own";
    run("reduce/interleaved-modulo", "32");
    frames(3);
    ASSERT_THAT(kept(), SizeIs(2));
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "lanescope-breakpoints.json";
    ASSERT_TRUE(save_settings(workspace().settings, file).has_value());
    EXPECT_EQ(load_settings(file).breakpoints, workspace().settings.breakpoints);
    std::filesystem::remove(file);
    key(ImGuiKey_Home);
    command("Delete all breakpoints").act(shell());
    frames(2);
    EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(GoTest, TheHistoryOfACellListsItsWritersAndReadersAndAClickGoesThere) {
    // sdata[0] in the last row: the load, then s = 1, 2, 4 and 8, and the read for the output.
    const analysis::Picture& picture = *workspace().shown()->picture;
    workspace().select(static_cast<std::uint32_t>(picture.rows.size() - 1), 0);
    key(ImGuiKey_H);
    ValueHistory& list = shell().value_history();
    ASSERT_TRUE(list.is_open());
    const auto& accesses = list.history().accesses;
    using Kind = analysis::ElementAccess::Kind;
    std::vector<Kind> kinds;
    kinds.reserve(accesses.size());
    for (const auto& access : accesses) kinds.push_back(access.kind);
    EXPECT_THAT(kinds, ElementsAre(Kind::store, Kind::load, Kind::store, Kind::load, Kind::store, Kind::load,
                                   Kind::store, Kind::load, Kind::store, Kind::load));
    EXPECT_FALSE(list.history().partial) << "shared memory is of this block alone";
    // Each reads what was written last.
    for (std::size_t at = 1; at < accesses.size(); at += 2) EXPECT_EQ(accesses[at].bits, accesses[at - 1].bits);
    EXPECT_EQ(accesses[1].source_line, add_line);
    EXPECT_EQ(accesses.back().source_line, 19U);
    keep_picture("history-1920");
    frames(1);
    act([](ImGuiTestContext& person) {
        const ImGuiWindow* const window = ImGui::FindWindowByName("History");
        ASSERT_NE(window, nullptr);
        const Look& look = shell().look();
        // The fifth row from the bottom.
        person.MouseMoveToPos({window->Pos.x + look.px(100), window->Pos.y + window->Size.y - look.px(8 + 4.5F * 26)});
        person.MouseClick(ImGuiMouseButton_Left);
    });
    EXPECT_EQ(workspace().position(), accesses[5].position);
    EXPECT_EQ(workspace().lane(), (std::optional(Lane{accesses[5].warp, accesses[5].lane})));
    EXPECT_TRUE(list.is_open()) << "for the next click";
    key(ImGuiKey_Escape);
    EXPECT_FALSE(list.is_open());
}

TEST_F(GoTest, TheHistoryOfGlobalMemorySaysWhereBlocksAreNotRecorded) {
    LaunchValues values;
    values[Field::program] = "reduce/interleaved-modulo";
    values[Field::block] = "16";
    values[Field::n] = "64";
    values[Field::record] = "1";
    workspace().begin(values);
    settle();
    const trace::Trace& trace = workspace().shown()->trace();
    ASSERT_LT(trace.launches[0].recorded.size(), trace.launches[0].grid.count());
    const trace::Buffer& in = trace.buffers.front();
    shell().value_history().open(
        workspace(),
        {.name = in.name + "[0]", .space = trace::Space::global, .address = in.address, .type = in.element});
    frames(3);
    EXPECT_TRUE(shell().value_history().history().partial);
    ASSERT_THAT(shell().value_history().history().accesses, Not(IsEmpty()));
    EXPECT_EQ(shell().value_history().history().accesses.back().lane, 0U);
    keep_picture("history-partial-1920");
    frames(1);
    key(ImGuiKey_Escape);
}

TEST_F(GoTest, ALinkIsCopiedAndReopensThePlace) {
    workspace().seek_pass(2);
    workspace().forward(Unit::instruction);
    workspace().select(1, 3);
    const Bookmark place = workspace().bookmark();
    std::string link;
    act([&](ImGuiTestContext& person) {
        person.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C);
        link = ImGui::GetClipboardText();
    });
    EXPECT_THAT(link, StartsWith("lanescope:reduce/interleaved-modulo?block=16&n=16#launch/0/block/0/step/"));
    run("reduce/sequential", "32");
    shell().open(link);
    settle();
    EXPECT_EQ(workspace().shown()->run->program.name, "reduce/interleaved-modulo");
    EXPECT_EQ(workspace().form().ran()[Field::block], "16");
    EXPECT_EQ(workspace().bookmark(), place);
}

TEST_F(GoTest, ALinkWhosePlaceDoesNotExistOrHasAnotherPtxSaysSo) {
    shell().open("lanescope:reduce/interleaved-modulo?block=16&n=16#launch/0/block/7/step/3");
    settle();
    EXPECT_THAT(shell().notice().text(), HasSubstr("does not have the place"));
    shell().open("lanescope:reduce/interleaved-modulo?block=16&n=16#launch/0/block/0/step/3/ptx/00000001");
    settle();
    EXPECT_THAT(shell().notice().text(), StartsWith("The PTX differs"));
    shell().open("lanescope:reduce/interleaved-modulo?blok=16");
    settle();
    EXPECT_THAT(shell().notice().text(), HasSubstr("blok"));
}

TEST_F(GoTest, ABookmarkHasACaptionAndAClickGoesBackToIt) {
    workspace().seek_pass(2);
    frames(2);
    const std::size_t place = workspace().position();
    ASSERT_NE(place, 0U);
    key(ImGuiMod_Ctrl | ImGuiKey_M);
    frames(2);
    ASSERT_TRUE(shell().bookmarks().is_asking());
    keep_picture("bookmark");
    act([&](ImGuiTestContext& person) {
        person.SetRef("Bookmark");
        person.ItemInputValue("##caption", "Eight lanes are left");
        person.Yield(2);
        if (shell().bookmarks().is_asking()) person.ItemClick("##save");
    });
    EXPECT_FALSE(shell().bookmarks().is_asking());
    ASSERT_THAT(shell().bookmarks().all(), SizeIs(1));
    EXPECT_EQ(shell().bookmarks().all().front().caption, "Eight lanes are left");

    workspace().open("scan/double-buffered");
    settle();
    workspace().home();
    key(ImGuiMod_Ctrl | ImGuiKey_K);
    act([&](ImGuiTestContext& person) {
        person.KeyChars("eight lanes");
        person.Yield(2);
        keep_picture("bookmark-search");
        person.Yield(1);
        person.KeyPress(ImGuiKey_Enter);
    });
    settle();
    EXPECT_EQ(workspace().form().ran()[Field::program], "reduce/interleaved-modulo");
    EXPECT_EQ(workspace().position(), place);
    ASSERT_TRUE(shell().bookmarks().remove(shell().bookmarks().all().front().link));
}

TEST(BookmarkFile, KeepsCaptionsAndLinksAndLeavesOutWhatIsDamaged) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("lanescope-bookmarks-" + std::to_string(getpid()));
    const std::filesystem::path file = folder / "bookmarks.json";
    const CaptionedPlace one{.caption = "one", .link = "lanescope:reduce/sequential#launch/0"};
    {
        Bookmarks bookmarks(file);
        EXPECT_TRUE(bookmarks.add(one));
        EXPECT_TRUE(bookmarks.add({.caption = "one", .link = "lanescope:scan/padded"}));
    }
    Bookmarks again(file);
    ASSERT_THAT(again.all(), SizeIs(2));
    EXPECT_EQ(again.all()[0].caption, "one (2)") << "a caption of its own";
    EXPECT_EQ(again.all()[1], one);
    EXPECT_TRUE(again.add({.caption = "renamed", .link = one.link}));
    ASSERT_THAT(again.all(), SizeIs(2)) << "a place has one caption";
    EXPECT_EQ(again.all()[0].caption, "renamed");
    EXPECT_TRUE(again.remove(one.link));
    EXPECT_THAT(Bookmarks(file).all(), SizeIs(1));
    std::ofstream(file) << R"({"bookmarks": [7, {"caption": "x"}, {"caption": "y", "link": "http://z"},)"
                        << R"({"caption": 3, "link": "lanescope:a"}, {"caption": "good", "link": "lanescope:a"}]})";
    Bookmarks damaged(file);
    EXPECT_THAT(damaged.all(), ElementsAre(CaptionedPlace{.caption = "good", .link = "lanescope:a"}));
    EXPECT_THAT(damaged.take_warning(), HasSubstr("4 bookmarks of"));
    EXPECT_THAT(damaged.take_warning(), IsEmpty()) << "once";
    EXPECT_TRUE(damaged.remove("lanescope:a"));
    EXPECT_THAT(read_file(file).value_or(""), AllOf(HasSubstr("http://z"), HasSubstr("7"), Not(HasSubstr("good"))))
        << "what cannot be read stays";
    for (const char* const name : {"bookmarks.json.unreadable", "bookmarks.json.unreadable-2"}) {
        std::ofstream(file) << "{";
        Bookmarks unreadable(file);
        EXPECT_THAT(unreadable.all(), IsEmpty());
        EXPECT_THAT(unreadable.take_warning(), HasSubstr(name));
        EXPECT_EQ(read_file(folder / name).value_or(""), "{");
    }
    std::filesystem::remove_all(folder);
}

TEST(BookmarkFile, KeepsTheBookmarksOfTwoWindowsAndThoseThatCouldNotBeWritten) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("lanescope-two-windows-" + std::to_string(getpid()));
    const std::filesystem::path file = folder / "bookmarks.json";
    std::filesystem::create_directories(folder);
    constexpr int each = 20;
    const auto window = [&](const std::string& name) {
        Bookmarks bookmarks(file);
        for (int i = 0; i < each; ++i)
            EXPECT_TRUE(bookmarks.add({.caption = name, .link = "lanescope:" + name + std::to_string(i)}));
    };
    { const std::jthread one(window, "a"), other(window, "b"); }
    EXPECT_THAT(Bookmarks(file).all(), SizeIs(2 * each));

    Bookmarks bookmarks(file);
    std::filesystem::remove_all(folder);
    std::ofstream(folder) << "a file where the folder was";
    EXPECT_FALSE(bookmarks.add({.caption = "late", .link = "lanescope:late"}));
    EXPECT_FALSE(bookmarks.remove("lanescope:a0"));
    std::filesystem::remove(folder);
    EXPECT_TRUE(bookmarks.add({.caption = "last", .link = "lanescope:last"}));
    const std::vector<CaptionedPlace> all = Bookmarks(file).all();
    EXPECT_THAT(all, SizeIs(2 * each + 1));
    EXPECT_THAT(all, Contains(CaptionedPlace{.caption = "late", .link = "lanescope:late"}));
    EXPECT_THAT(all, Not(Contains(::testing::Field(&CaptionedPlace::link, "lanescope:a0"))));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lanescope::ui
