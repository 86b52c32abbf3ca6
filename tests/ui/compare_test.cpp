// Two programs beside each other in the window: opened by a command, moved by one scrubber, swapped, ended.
#include "ui/panels/compare.h"
#include "scene/program_tag.h"
#include "ui/commands.h"
#include "ui/panels/counts.h"
#include "ui/panels/other_side.h"
#include "ui/panels/passes.h"
#include "ui/panels/timing.h"
#include "ui/sentences.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace lanescope::ui {
namespace {

using testing::HasSubstr;

class Compare : public WindowTest {
  protected:
    void SetUp() override {
        WindowTest::SetUp();
        resize(1920, 1080);
    }
    void TearDown() override {
        shell().end_comparing();
        frames(2);
        resize(1280, 720);
        shell().arrange(Arrangement::study);
        frames(8);
        WindowTest::TearDown();
    }

    static Comparing& comparing() { return shell().comparing(); }
    static Workspace& other() { return *comparing().other(); }
    static ComparePanel& compare_panel() { return dynamic_cast<ComparePanel&>(panel("Compare")); }
    static CountsPanel& counts() { return dynamic_cast<CountsPanel&>(panel("Counts")); }

    /// Compares two kernels in blocks of that many threads.
    void compare(const char* one, const char* program, const char* block) {
        run(one, block);
        LaunchValues values = workspace().form().ran();
        values[Field::program] = program;
        shell().compare_with(values);
        until([] { return comparing().comparison() != nullptr; });
        frames(10);
    }
    static void expect_docked() {
        for (const std::unique_ptr<Panel>& each : shell().panels()) {
            const ImGuiWindow* const drawn = ImGui::FindWindowByName(each->title());
            if (!each->open || !each->exists(workspace()) || drawn == nullptr) continue;
            EXPECT_TRUE(drawn->DockIsActive) << each->title() << " floats above the others";
        }
    }
    /// Adds a program with the launch that is shown.
    void add(const char* program) {
        LaunchValues values = workspace().form().ran();
        values[Field::program] = program;
        shell().add_to_comparison(values);
        until([] { return comparing().comparison(comparing().others() - 1) != nullptr; });
        frames(10);
    }
    void choose(std::string_view name) {
        command(name).act(shell());
        until([] { return !comparing().running() || (comparing().comparison() != nullptr && !other().busy()); });
        frames(10);
    }
};

/// The text that Look draws in that window, its lines joined; every line whole, in type of at least `least` points.
std::string legible_text_in(const char* name, const Look& look, const std::vector<DrawnText>& drawn, float least) {
    const ImGuiWindow* const window = ImGui::FindWindowByName(name);
    std::string text;
    if (window == nullptr || !window->WasActive) return text;
    for (const DrawnText& line : drawn) {
        if (line.list != window->DrawList) continue;
        EXPECT_GE(line.high.y - line.low.y, look.px(least)) << line.text;
        EXPECT_TRUE(window->Rect().Contains(ImRect(line.low, line.high))) << line.text;
        text += (text.empty() ? "" : " ") + line.text;
    }
    return text;
}

ImRect rect_of(const char* name) {
    const ImGuiWindow* const window = ImGui::FindWindowByName(name);
    return window == nullptr || !window->WasActive || (window->DockIsActive && !window->DockTabIsVisible)
               ? ImRect(0, 0, 0, 0)
               : window->Rect();
}

void expect_side_by_side(const char* one, const char* other, float least_share) {
    const ImVec2 all = ImGui::GetIO().DisplaySize;
    const ImRect left = rect_of(one), right = rect_of(other);
    EXPECT_GE(left.GetHeight() / all.y, least_share) << one;
    EXPECT_GE(right.GetHeight() / all.y, least_share) << other;
    EXPECT_NEAR(left.GetWidth() / all.x, right.GetWidth() / all.x, 0.01F);
    EXPECT_GE((left.GetWidth() + right.GetWidth()) / all.x, 0.97F);
    EXPECT_LE(left.Max.x, right.Min.x);
}

TEST_F(Compare, PresentedBothPicturesTakeTheRoomAndWhatChangedIsLegible) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "64");
    workspace().seek_pass(2);
    key(ImGuiKey_P);
    for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1920, 1080)}) {
        for (const char* theme : {"dark", "light"}) {
            SCOPED_TRACE(testing::Message() << width << " x " << height << ", " << theme);
            resize(width, height);
            frames(12);
            keep_picture("compare-presented-" + std::to_string(height) + "-" + theme);
            frames(2);
            expect_side_by_side("Passes", "Passes B", 0.7F);
            EXPECT_LT(ImGui::FindWindowByName("##launch")->Size.y, shell().look().px(40)) << "one line";
            EXPECT_LT(ImGui::FindWindowByName("##transport")->Size.y, shell().look().px(70)) << "slim";
            for (const char* title : {"Passes", "Passes B"}) {
                const ImGuiDockNode& node = *ImGui::FindWindowByName(title)->DockNode;
                EXPECT_LE(width_of_tabs(node, false), node.TabBar->BarRect.GetWidth()) << "a tab is cut";
            }
            std::vector<DrawnText> drawn;
            shell().look().watch(&drawn);
            frames(1);
            shell().look().watch(nullptr);
            const std::string text = legible_text_in("##changes", shell().look(), drawn, 14);
            for (const char* words : {"reduce/interleaved-modulo", "reduce/sequential",
                                      "B against A: 1.71 times fewer shared wavefronts (36 to 21)", "307"})
                EXPECT_THAT(text, HasSubstr(words));
            shell().toggle_theme();
        }
    }
    key(ImGuiKey_P);
    frames(12);
    EXPECT_EQ(rect_of("##changes").GetWidth(), 0) << "Compare has the sentence";
}

TEST_F(Compare, PresentedAGuessedSizeIsReadWhateverElseChanged) {
    run_source("blur_of_compare.cu",
               "__global__ void blur(const float* in, float* out, int n) {\n"
               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0f;\n}\n",
               "", "");
    LaunchValues values;
    values[Field::program] = ::testing::TempDir() + "/turn_of_compare.cu";
    std::ofstream(values[Field::program])
        << "__global__ void turn(const float* in, float* out) {\n    __shared__ float tile[8][8];\n"
           "    int x = threadIdx.x, y = threadIdx.y;\n    tile[y][x] = in[y * 8 + x];\n    __syncthreads();\n"
           "    out[y * 8 + x] = tile[x][y];\n}\n";
    shell().compare_with(values);
    until([] { return comparing().comparison() != nullptr; });
    resize(1280, 720);
    key(ImGuiKey_P);
    frames(12);
    keep_picture("compare-guessed");
    frames(2);
    std::vector<DrawnText> drawn;
    shell().look().watch(&drawn);
    frames(1);
    shell().look().watch(nullptr);
    const std::string text = legible_text_in("##changes", shell().look(), drawn, 14);
    EXPECT_THAT(text, HasSubstr("(guessed) in A"));
    EXPECT_THAT(text, HasSubstr("state n to compare the same size."));
    EXPECT_THAT(text, HasSubstr("shared wavefronts where there were none"));
    workspace().finish();
    frames(3);
    EXPECT_EQ(pass_title(*other().shown(), other().pass(), true), "finished: load, store");
    key(ImGuiKey_P);
}

TEST_F(Compare, TheSamePanelOfBothIsMaximizedSideBySide) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "64");
    resize(1280, 720);
    for (const bool presented : {false, true}) {
        SCOPED_TRACE(presented);
        if (presented) key(ImGuiKey_P);
        frames(12);
        for (const char* title : {"Passes", "Warps B"}) {
            shell().bring_up(title);
            frames(5);
            act([&](ImGuiTestContext& person) { person.MouseMoveToPos(rect_of(title).GetCenter()); });
            key(ImGuiKey_F);
            frames(6);
            keep_picture(std::string("compare-maximized-") + (presented ? "presented-" : "") + title);
            frames(2);
            const std::string one = std::string("##alone/") + (title[0] == 'P' ? "Passes" : "Warps"),
                              other = one + " B";
            expect_side_by_side(one.c_str(), other.c_str(), 0.75F);
            EXPECT_EQ(rect_of("##launch").GetWidth(), 0);
            EXPECT_GT(rect_of("##changes").GetWidth(), 0);
            key(ImGuiKey_Escape);
            frames(6);
            EXPECT_EQ(shell().alone(), nullptr);
        }
    }
    key(ImGuiKey_P);
}

TEST_F(Compare, APanelSelectedForOneProgramIsSelectedForTheOther) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "64");
    resize(1280, 720);
    key(ImGuiKey_P);
    frames(12);
    for (const auto& [selected, other] : {std::pair("Banks", "Banks B"), std::pair("Warps B", "Warps")}) {
        ASSERT_EQ(rect_of(other).GetWidth(), 0);
        shell().bring_up(selected);
        frames(6);
        EXPECT_GT(rect_of(selected).GetWidth(), 0);
        EXPECT_GT(rect_of(other).GetWidth(), 0);
    }
    shell().bring_up("Compare");
    frames(6);
    EXPECT_GT(rect_of("Warps").GetWidth(), 0) << "beside Compare, A keeps its panel";
    key(ImGuiKey_P);
}

TEST_F(Compare, PresentedAnExplanationStandsInTheStripAndCoversNothing) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "64");
    resize(1280, 720);
    key(ImGuiKey_P);
    frames(12);
    shell().bring_up("Compare");
    frames(6);
    const auto heading = compare_panel().view().on_screen(scene::TraceRef::Kind::heading, 0, 1);
    ASSERT_TRUE(heading.has_value());
    act([&](ImGuiTestContext& person) {
        person.MouseSetViewport(ImGui::FindWindowByName("Compare"));
        person.MouseMoveToPos(*heading);
        person.SleepNoSkip(1, 0.1F);
        keep_picture("compare-docked-words");
        person.Yield(2);
        const ImGuiWindow* const strip = ImGui::FindWindowByName("##facts");
        ASSERT_NE(strip, nullptr);
        EXPECT_TRUE(strip->WasActive);
        EXPECT_FALSE(strip->Rect().Overlaps(ImGui::FindWindowByName("Compare")->Rect()));
        for (const ImGuiWindow* each : ImGui::GetCurrentContext()->Windows)
            EXPECT_FALSE((each->Flags & ImGuiWindowFlags_Tooltip) != 0 && each->Active) << each->Name;
    });
    key(ImGuiKey_P);
}

TEST_F(Compare, DrawsTheSamePanelsForBoth) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "256");
    EXPECT_EQ(shell().arrangement(), Arrangement::compare);
    expect_docked();
    for (const char* title : {"Compare", "Passes B", "Warps B", "Banks B"})
        EXPECT_TRUE(panel(title).exists(workspace())) << title;
    workspace().seek_pass(3);
    frames(5);
    keep_picture("compare");
    frames(2);
    EXPECT_EQ(other().shown()->run->program.name, "reduce/sequential");
    EXPECT_FALSE(panel("Passes B").drawn()->shapes.empty());
    EXPECT_NE(panel("Passes B").drawn()->description, panel("Passes").drawn()->description);
    EXPECT_THAT(compare_panel().drawn()->description, HasSubstr("times fewer shared wavefronts"));
}

TEST_F(Compare, OneScrubberMovesBothToThePassThatCorresponds) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "256");
    for (const std::size_t pass : {4U, 1U, 9U}) {
        workspace().seek_pass(pass);
        frames(2);
        EXPECT_EQ(other().pass(), pass);
    }
    // As far into the pass.
    const analysis::Pass& own = workspace().shown()->passes->passes[2];
    workspace().seek_exactly((own.first + own.past_last) / 2);
    frames(2);
    const analysis::Pass& theirs = other().shown()->passes->passes[2];
    const auto length = static_cast<double>(theirs.past_last - theirs.first);
    EXPECT_NEAR(static_cast<double>(other().position() - theirs.first) / length, 0.5, 0.1)
        << "the followed warp's last step up to there";
    // A move of B moves A.
    other().seek_pass(6);
    frames(2);
    EXPECT_EQ(workspace().pass(), 6U);
    workspace().finish();
    frames(2);
    EXPECT_EQ(other().position(), other().at().end());
}

TEST_F(Compare, AKeptLaunchIsComparedWithTheNextOne) {
    run("reduce/sequential", "128");
    key(ImGuiMod_Ctrl | ImGuiKey_D);
    until([] { return comparing().comparison() != nullptr; });
    workspace().set_field(Field::n, "256");
    workspace().set_field(Field::block, "256");
    settle();
    frames(3);
    EXPECT_EQ(comparing().names().first, "reduce/sequential, block 256, n = 256");
    EXPECT_EQ(comparing().names().second, "reduce/sequential, block 128, n = 128");
    EXPECT_EQ(comparing().comparison()->alignment, analysis::Alignment::by_variable);
    // s = 128 is in A alone.
    workspace().seek_pass(1);
    frames(3);
    EXPECT_FALSE(comparing().counterpart(1).has_value());
    EXPECT_FALSE(comparing().have_counterparts(workspace()));
    EXPECT_EQ(other().pass(), 1U) << "after the load, the last pass before it that has a counterpart";
    EXPECT_THAT(compare_panel().drawn()->description, HasSubstr("s = 128 | no counterpart"));
    workspace().seek_pass(2);
    frames(3);
    EXPECT_TRUE(comparing().have_counterparts(workspace()));
    EXPECT_EQ(other().shown()->passes->passes[other().pass()].label, "s = 64");
}

TEST_F(Compare, BanksAndViewsAreChosenByACommand) {
    run("reduce/strided-index", "128");
    choose("Compare 16 with 32 banks");
    EXPECT_EQ(other().shown()->trace().origin.banks, 16U);
    EXPECT_EQ(workspace().shown()->trace().origin.banks, 32U);
    choose("Compare as written with as compiled");
    EXPECT_EQ(other().shown()->trace().origin.view, trace::View::compiled);
    until([] { return comparing().times() != nullptr; });
    EXPECT_TRUE(comparing().times()->one.estimated().has_value());
    EXPECT_FALSE(comparing().times()->passes.empty()) << "B is counted as compiled";
    EXPECT_FALSE(panel("Grid").open) << "there is no room for its tab";
    choose("End comparison");
    EXPECT_FALSE(comparing().running());
    EXPECT_EQ(shell().arrangement(), Arrangement::study) << "as before";
    EXPECT_TRUE(panel("Grid").open);
    EXPECT_FALSE(panel("Passes B").exists(workspace()));
}

TEST_F(Compare, SwappedProgramsKeepTheirPlacesAndDoNotRunAgain) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "64");
    workspace().seek_pass(2);
    frames(3);
    const auto run_of_b = other().shown()->run;
    key(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_D);
    frames(3);
    EXPECT_EQ(workspace().shown()->run, run_of_b);
    EXPECT_EQ(workspace().pass(), 2U);
    EXPECT_EQ(other().shown()->run->program.name, "reduce/interleaved-modulo");
    EXPECT_EQ(comparing().names().first, "reduce/sequential");
    EXPECT_EQ(workspace().form().ran()[Field::program], "reduce/sequential") << "the launch bar belongs to A";
}

TEST_F(Compare, CountsHaveTheChangeFromB) {
    compare("reduce/sequential", "reduce/interleaved-modulo", "256");
    workspace().finish();
    shell().bring_up("Counts");
    frames(5);
    const analysis::CountsPicture& picture = counts().picture();
    ASSERT_TRUE(picture.baseline_total.has_value());
    const auto columns = analysis::table_columns(picture);
    EXPECT_EQ(analysis::change_text(columns.front(), picture.rows[1]), "−88") << "152 instructions instead of 240";
    choose("End comparison");
    frames(5);
    EXPECT_FALSE(counts().picture().baseline_total.has_value());
}

TEST_F(Compare, AProgramThatIsRefusedSaysWhy) {
    run("reduce/sequential", "128");
    LaunchValues values = workspace().form().ran();
    values[Field::program] = "scan/warp-shuffle";
    values[Field::block] = "7";
    shell().compare_with(values);
    until([] { return other().refusal().has_value(); });
    frames(5);
    EXPECT_EQ(compare_panel().drawn(), nullptr) << "there is nothing to compare";
    keep_picture("compare-refused");
    frames(2);
}

TEST_F(Compare, TheZoomOfBothPicturesIsOneWhileTheyAreLinked) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "256");
    auto& own = dynamic_cast<PassesPanel&>(panel("Passes"));
    auto& theirs = dynamic_cast<PassesPanel&>(dynamic_cast<OtherSide&>(panel("Passes B")).panel());
    own.zoom_by(3);
    frames(3);
    EXPECT_EQ(theirs.zoom(), own.zoom());
    theirs.zoom_by(-2);
    frames(3);
    EXPECT_EQ(theirs.zoom(), own.zoom());
    comparing().link_zoom = false;
    own.zoom_by(2);
    frames(3);
    EXPECT_NE(theirs.zoom(), own.zoom());
    comparing().link_zoom = true;
}

TEST_F(Compare, AClickOnARowGoesToThatPassInBoth) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "256");
    shell().bring_up("Compare");
    frames(5);
    const auto place = compare_panel().view().on_screen(scene::TraceRef::Kind::row, 4);
    ASSERT_TRUE(place.has_value());
    act([&](ImGuiTestContext& person) {
        person.MouseMoveToPos(*place);
        person.MouseClick();
    });
    EXPECT_EQ(workspace().pass(), 4U);
    EXPECT_EQ(other().pass(), 4U);
}

TEST_F(Compare, ThreeAndFourProgramsAreSmallMultiplesOnOneScrubber) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "64");
    add("reduce/strided-index");
    ASSERT_EQ(comparing().others(), 2U);
    expect_docked();
    EXPECT_THAT(compare_panel().drawn()->description, HasSubstr("C: reduce/strided-index"));
    workspace().seek_pass(3);
    frames(5);
    keep_picture("compare-three");
    frames(2);
    EXPECT_EQ(other().pass(), 3U);
    EXPECT_EQ(comparing().other(1).pass(), 3U);
    EXPECT_THAT(compare_panel().drawn()->description, HasSubstr("s = 4"));
    // A move of B moves A, and with it C.
    other().seek_pass(5);
    frames(3);
    EXPECT_EQ(workspace().pass(), 5U);
    EXPECT_EQ(comparing().other(1).pass(), 5U);
    add("reduce/two-elements");
    EXPECT_EQ(comparing().others(), 3U);
    EXPECT_FALSE(comparing().can_add());
    until([] { return comparing().times(2) != nullptr && !comparing().is_busy(); });
    frames(5);
    const std::string& drawn = compare_panel().drawn()->description;
    for (const char* text : {"B against A", "C against A", "D against A", "D: reduce/two-elements"})
        EXPECT_THAT(drawn, HasSubstr(text));
    keep_picture("compare-four");
    frames(2);
}

/// Compare draws all programs side by side within its panel, with their counts.
void expect_all_in_view(const ComparePanel& panel, std::size_t programs) {
    const ImRect inside = rect_of("Compare");
    const scene::Scene& picture = *panel.drawn();
    EXPECT_LE(panel.view().on_screen(0, picture.height).y, inside.Max.y + 2) << "nothing needs scrolling";
    float right = inside.Min.x;
    for (std::uint32_t program = 0; program < programs; ++program) {
        const auto column = panel.view().on_screen(scene::TraceRef::Kind::row, program);
        ASSERT_TRUE(column.has_value()) << program;
        EXPECT_TRUE(inside.Contains(*column)) << program;
        EXPECT_GT(column->x, right) << "right of the previous one";
        right = column->x;
    }
    for (const char* count : {"instructions", "efficiency", "wavefronts", "sectors", "estimated time"})
        EXPECT_THAT(picture.description, HasSubstr(count));
}

/// The number of rows of the picture that state how many lanes worked.
std::ptrdiff_t count_of_lane_counts(const scene::Scene& picture) {
    return std::ranges::count_if(picture.shapes, [](const scene::Shape& shape) {
        const auto* const text = std::get_if<scene::Text>(&shape);
        return text != nullptr && text->text.find(" of 64") != std::string::npos;
    });
}

/// From the name of a program to its first count, below its picture; points.
float height_of_pictures(const scene::Scene& picture) {
    const auto text_at = [&](std::string_view begin) {
        for (const scene::Shape& shape : picture.shapes)
            if (const auto* const text = std::get_if<scene::Text>(&shape); text != nullptr && text->text == begin)
                return text->y;
        return 0.0F;
    };
    return text_at("instructions") - text_at("reduce/sequential");
}

/// How many shapes are filled in that color.
std::ptrdiff_t filled(const scene::Scene& picture, scene::Role role) {
    return std::ranges::count_if(picture.shapes, [&](const scene::Shape& shape) {
        const auto* const rect = std::get_if<scene::Rect>(&shape);
        return rect != nullptr && rect->fill.role == role;
    });
}

TEST_F(Compare, OnASmallScreenAllProgramsAreInViewEachInItsColor) {
    resize(1280, 720);
    compare("reduce/interleaved-modulo", "reduce/sequential", "64");
    for (const char* program : {"reduce/strided-index", "reduce/two-elements"}) {
        add(program);
        const std::size_t others = comparing().others();
        until([&] { return comparing().times(others - 1) != nullptr && !comparing().is_busy(); });
        for (const bool presented : {false, true}) {
            if (presented) key(ImGuiKey_P);
            for (const char* theme : {"dark", "light"}) {
                SCOPED_TRACE(testing::Message() << others + 1 << " programs, " << theme << presented);
                frames(12);
                keep_picture("compare-" + std::to_string(others + 1) + "-small-" + (presented ? "presented-" : "") +
                             theme);
                frames(2);
                expect_all_in_view(compare_panel(), others + 1);
                EXPECT_GT(height_of_pictures(*compare_panel().drawn()), presented ? 190 : 230);
                shell().toggle_theme();
            }
            if (presented) key(ImGuiKey_P);
        }
    }
    for (std::size_t program = 0; program < 4; ++program)
        EXPECT_GT(filled(*compare_panel().drawn(), scene::role_of_program(program)), 3) << "its letter and its bars";
}

TEST_F(Compare, OneOfFourPicturesFillsThePanelBesideTheCountsOfAll) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "64");
    add("reduce/strided-index");
    add("reduce/two-elements");
    until([] { return comparing().times(2) != nullptr && !comparing().is_busy(); });
    workspace().seek_pass(2);
    for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1920, 1080)}) {
        resize(width, height);
        key(ImGuiKey_P);
        shell().bring_up("Compare");
        frames(12);
        for (const char* theme : {"dark", "light"}) {
            SCOPED_TRACE(testing::Message() << width << " x " << height << ", " << theme);
            const std::ptrdiff_t cells = count_of_lane_counts(*compare_panel().drawn());
            keep_picture("compare-four-" + std::to_string(height) + "-" + theme);
            frames(2);
            const auto heading = compare_panel().view().on_screen(scene::TraceRef::Kind::heading, 2);
            ASSERT_TRUE(heading.has_value());
            act([&](ImGuiTestContext& person) {
                person.MouseMoveToPos(*heading);
                person.MouseClick();
                person.MouseMoveToPos(rect_of("Compare").GetCenter());
            });
            frames(4);
            keep_picture("compare-enlarged-" + std::to_string(height) + "-" + theme);
            frames(2);
            EXPECT_EQ(compare_panel().described_other(), 1U) << "the strip says what C changes";
            EXPECT_EQ(cells, 0) << "the small pictures have no room for them";
            EXPECT_GT(count_of_lane_counts(*compare_panel().drawn()), 4) << "the large one does";
            EXPECT_THAT(compare_panel().drawn()->description, HasSubstr("C 357 (−64), D 515 (+94)"));
            EXPECT_LE(compare_panel().view().on_screen(0, compare_panel().drawn()->height).y,
                      rect_of("Compare").Max.y + 2)
                << "nothing needs scrolling";
            key(ImGuiKey_Escape);
            frames(4);
            EXPECT_THAT(compare_panel().drawn()->description, HasSubstr("instructions: 515 (+94)"));
            EXPECT_TRUE(comparing().running());
            shell().toggle_theme();
            frames(4);
        }
        key(ImGuiKey_P);
    }
}

TEST_F(Compare, FourProgramsWithGridsAreInViewWithTheirCounts) {
    const auto file = [](const char* name, const char* row) {
        std::string path = ::testing::TempDir() + "/" + name + "_of_compare.cu";
        std::ofstream(path) << "__global__ void " << name << "(const int* in, int* out, int side) {\n"
                            << "    __shared__ int tile[16][" << row << "];\n"
                            << "    for (int j = 0; j < 16; j += 4)\n        tile[threadIdx.y + j][threadIdx.x] = "
                            << "in[(threadIdx.y + j) * side + threadIdx.x];\n    __syncthreads();\n"
                            << "    for (int j = 0; j < 16; j += 4)\n"
                            << "        out[(threadIdx.y + j) * side + threadIdx.x] = "
                            << "tile[threadIdx.x][threadIdx.y + j];\n}\n// lanescope: arg side = n\n"
                            << "// lanescope: grid = 1\n// lanescope: block = 16x4\n// lanescope: n = 16\n";
        return path;
    };
    compare(file("turn", "16").c_str(), file("turn_padded", "17").c_str(), "");
    add(file("turn_wide", "20").c_str());
    add(file("turn_wider", "33").c_str());
    until([] { return comparing().times(2) != nullptr && !comparing().is_busy(); });
    workspace().seek_pass(1);
    resize(1280, 720);
    key(ImGuiKey_P);
    frames(16);
    keep_picture("compare-grids");
    frames(2);
    expect_all_in_view(compare_panel(), 4);
    key(ImGuiKey_P);
}

TEST_F(Compare, TimingHasTheProgramsInTheirColorsAndNoOtherLine) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "64");
    add("reduce/strided-index");
    shell().bring_up("Timing");
    frames(8);
    auto& timing = dynamic_cast<TimingPanel&>(panel("Timing"));
    keep_picture("compare-timing");
    frames(2);
    std::set<std::string> named;
    std::set<scene::Role> used;
    for (const scene::PlotSeries& series : timing.plot().series) {
        if (!series.shown || !series.line || series.dashed) continue;
        const scene::Role role = series.highlight.value_or(series.role);
        EXPECT_TRUE(!series.highlight || used.insert(role).second) << series.name;
        named.insert(series.name.substr(0, 3));
        EXPECT_TRUE(!series.name.starts_with("B: ") || role == scene::role_of_program(1));
    }
    EXPECT_THAT(named, testing::IsSupersetOf({"A: ", "B: ", "C: "}));
    for (std::size_t at = 0; at < 3; ++at) {
        const scene::PlotSeries& series = timing.plot().series[at];
        EXPECT_EQ(series.name.front(), scene::letter_of_program(at))
            << "the compared programs come first in the legend";
        EXPECT_TRUE(series.named) << "at the end of its line";
    }
    choose("End comparison");
    shell().bring_up("Timing");
    frames(8);
    for (const scene::PlotSeries& series : timing.plot().series) EXPECT_FALSE(series.name.starts_with("A: "));
}

TEST_F(Compare, AClickOnOneOfSeveralMakesItTheOneThatThePanelsShow) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "64");
    add("reduce/strided-index");
    shell().bring_up("Compare");
    frames(5);
    const auto place = compare_panel().view().on_screen(scene::TraceRef::Kind::row, 2);
    ASSERT_TRUE(place.has_value());
    act([&](ImGuiTestContext& person) {
        person.MouseMoveToPos(*place);
        person.MouseClick();
    });
    frames(5);
    EXPECT_EQ(other().shown()->run->program.name, "reduce/strided-index");
    EXPECT_EQ(comparing().other(1).shown()->run->program.name, "reduce/sequential");
    EXPECT_THAT(compare_panel().drawn()->description, HasSubstr("C: reduce/sequential"));
    command("Close B, and compare with the others").act(shell());
    frames(5);
    EXPECT_EQ(comparing().others(), 1U);
    EXPECT_EQ(other().shown()->run->program.name, "reduce/sequential");
    EXPECT_THAT(compare_panel().drawn()->description, HasSubstr("B against A: "));
    EXPECT_EQ(comparing().names().second, "reduce/sequential");
}

TEST_F(Compare, SwappedBesideOthersAllAreComparedWithTheNewA) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "64");
    add("reduce/strided-index");
    key(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_D);
    frames(5);
    EXPECT_EQ(workspace().shown()->run->program.name, "reduce/sequential");
    for (std::size_t number = 0; number < 2; ++number)
        EXPECT_EQ(comparing().comparison(number)->one_total.counts.warp_instructions, 307U) << number;
}

TEST_F(Compare, AThirdProgramThatIsRefusedSaysWhyInItsPlace) {
    compare("reduce/interleaved-modulo", "reduce/sequential", "64");
    LaunchValues values = workspace().form().ran();
    values[Field::program] = "scan/warp-shuffle";
    values[Field::block] = "7";
    shell().add_to_comparison(values);
    until([] { return comparing().other(1).refusal().has_value(); });
    frames(8);
    EXPECT_EQ(comparing().comparison(1), nullptr);
    EXPECT_NE(comparing().comparison(0), nullptr);
    bool said = false;
    for (const scene::Shape& shape : compare_panel().drawn()->shapes)
        if (const auto* text = std::get_if<scene::Text>(&shape))
            said = said || text->text.starts_with("C could not be run");
    EXPECT_TRUE(said);
}

}  // namespace
}  // namespace lanescope::ui
