#include "ui/arrangement.h"
#include "ui/panels/passes.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <utility>
#include <variant>

namespace lanescope::ui {
namespace {

// A new panel needs no edit of the arrangements: each docks also what it does not name.
TEST(Arrangements, DockAPanelThatTheyDoNotName) {
    ImGuiContext* const before = ImGui::GetCurrentContext();
    const std::vector<std::string> titles{"Source", "Passes", "A new panel"};
    for (const Arrangement arrangement : arrangements) {
        for (const Room room : {Room{}, Room{.narrow = true}, Room{.low = true}, Room{.wide = true}, Room{.two = true},
                                Room{.low = true, .two = true}, Room{.two = true, .many = true}, Room{.stage = true}}) {
            ImGui::SetCurrentContext(ImGui::CreateContext());
            ImGuiIO& io = ImGui::GetIO();
            io.IniFilename = nullptr;
            io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
            io.DisplaySize = {1600, 1000};
            io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
            ImGui::NewFrame();
            constexpr ImGuiID space = 1;
            dock_panels(space, 1600, 1000, arrangement, room, false, titles);
            std::vector<ImGuiID> docks;
            for (const std::string& title : titles) {
                const ImGuiWindowSettings* const settings = ImGui::FindWindowSettingsByID(ImHashStr(title.c_str()));
                docks.push_back(settings != nullptr ? settings->DockId : 0);
            }
            ImGui::EndFrame();
            ImGui::DestroyContext();
            EXPECT_NE(docks[1], 0U) << name_of(arrangement);
            EXPECT_NE(docks[2], 0U) << name_of(arrangement);
        }
    }
    ImGui::SetCurrentContext(before);
}

class Layout : public WindowTest {
  protected:
    static std::string described(const ImRect& rect) {
        return "[" + std::to_string(rect.Min.x) + " " + std::to_string(rect.Min.y) + " .. " +
               std::to_string(rect.Max.x) + " " + std::to_string(rect.Max.y) + "]";
    }
    static ImRect screen() { return {{0, 0}, ImGui::GetIO().DisplaySize}; }

    /// Every window stands on the screen, no panel lies on another, and every control lies in its bar, on no other.
    void expect_tidy() {
        std::vector<ImRect> panels;
        for (const std::unique_ptr<Panel>& panel : shell().panels()) {
            if (!panel->open || !panel->exists(workspace())) continue;
            const ImGuiWindow* docked = ImGui::FindWindowByName(panel->title());
            ASSERT_NE(docked, nullptr) << panel->title();
            EXPECT_TRUE(docked->DockIsActive) << panel->title();
            if (!docked->DockTabIsVisible) continue;  // behind another
            const ImRect rect = docked->Rect();
            EXPECT_TRUE(screen().Contains(rect)) << panel->title() << " " << described(rect);
            EXPECT_GT(rect.GetWidth(), 60) << panel->title();
            EXPECT_GT(rect.GetHeight(), 40) << panel->title();
            for (const ImRect& other : panels)
                EXPECT_FALSE(rect.Overlaps(other)) << panel->title() << " lies on another panel";
            panels.push_back(rect);
        }
        act([&](ImGuiTestContext& person) {
            for (const char* bar : {"##launch", "##transport"}) {
                const ImRect inside = ImGui::FindWindowByName(bar)->Rect();
                EXPECT_TRUE(screen().Contains(inside)) << bar;
                ImGuiTestItemList items;
                person.GatherItems(&items, bar, -1);
                std::vector<ImRect> seen;
                for (const ImGuiTestItemInfo& item : items) {
                    if (item.Window == nullptr || std::string_view(item.Window->Name) != bar) continue;
                    EXPECT_TRUE(inside.Contains(item.RectFull))
                        << bar << " " << item.DebugLabel << " " << described(item.RectFull);
                    for (const ImRect& other : seen) {
                        ImRect common = item.RectFull;
                        common.ClipWith(other);
                        const bool apart = common.GetWidth() <= 1 || common.GetHeight() <= 1;
                        EXPECT_TRUE(apart) << bar << " " << item.DebugLabel << " " << described(item.RectFull) << " on "
                                           << described(other);
                    }
                    seen.push_back(item.RectFull);
                }
            }
        });
    }
};

TEST_F(Layout, NothingLeavesTheWindowOrLiesOnSomethingElseAtAnySize) {
    constexpr std::array sizes = {ImVec2(1280, 720), ImVec2(1920, 1080), ImVec2(1024, 640), ImVec2(1366, 768),
                                  ImVec2(1600, 900)};
    for (const ImVec2 size : sizes) {
        SCOPED_TRACE(std::to_string(static_cast<int>(size.x)) + " x " + std::to_string(static_cast<int>(size.y)));
        resize(static_cast<int>(size.x), static_cast<int>(size.y));
        shell().arrange(Arrangement::study);
        frames(4);
        expect_tidy();
    }
}

TEST_F(Layout, NothingLeavesTheWindowAtAnyInterfaceScale) {
    resize(1920, 1080);
    for (const float scale : {0.75F, 1.25F, 1.5F, 2.0F, 3.0F}) {
        SCOPED_TRACE(scale);
        workspace().settings.scale = scale;
        shell().arrange(Arrangement::study);
        frames(4);
        expect_tidy();
        const ImVec2 points(ImGui::GetIO().DisplaySize.x / shell().look().scale(),
                            ImGui::GetIO().DisplaySize.y / shell().look().scale());
        EXPECT_GE(points.x, 799);
        EXPECT_GE(points.y, 479);
    }
}

TEST_F(Layout, NoTabIsCutInAnyArrangement) {
    for (const auto& [width, height] :
         {std::pair(800, 600), std::pair(1280, 720), std::pair(1920, 1080), std::pair(3840, 2160)}) {
        resize(width, height);
        for (const Arrangement arrangement : arrangements) {
            // So many tabs fit in two docks of a small window only where all texts share one.
            if (width < 1280 && arrangement != Arrangement::study) continue;
            shell().arrange(arrangement);
            for (const bool presented : {false, true}) {
                SCOPED_TRACE(testing::Message() << width << " x " << height << ", " << name_of(arrangement)
                                                << (presented ? ", presented" : ""));
                if (shell().presenter() != presented) shell().toggle_presenter();
                frames(20);
                expect_no_tab_cut();
            }
            shell().toggle_presenter();
        }
    }
}

// The progress of a run stands in the place of the last run's outcome, be that one icon or three badges.
TEST_F(Layout, ARunUnderWayMovesNothing) {
    const auto items_of_bar = [](ImGuiTestContext& person) {
        std::map<ImGuiID, ImRect> all{{0, ImGui::FindWindowByName("##launch")->Rect()}};
        ImGuiTestItemList items;
        person.GatherItems(&items, "##launch", -1);
        for (const ImGuiTestItemInfo& item : items) all.emplace(item.ID, item.RectFull);
        return all;
    };
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "pauses.cu";
    const auto write = [&](const char* pause, const char* end) {
        std::ofstream(file) << "#include <unistd.h>\n__global__ void one(int* a) { a[threadIdx.x] = 1; }\n"
                            << "int main() { int* a; cudaMalloc(&a, 256);\n"
                            << pause << " one<<<1, 64>>>(a); cudaDeviceSynchronize(); " << end << " }\n";
    };
    workspace().permit(file.string());
    for (const char* const end : {"cudaFree(a);", ""}) {  // without a finding, and with one
        for (const auto& [width, height] : {std::pair(1280, 720), std::pair(800, 600)}) {
            SCOPED_TRACE(testing::Message() << "\"" << end << "\", " << width << " x " << height);
            resize(width, height);
            write("", end);
            workspace().open(file.string());
            settle();
            ASSERT_EQ(workspace().shown()->trace().findings.empty(), *end != '\0');
            std::map<ImGuiID, ImRect> still;
            act([&](ImGuiTestContext& person) { still = items_of_bar(person); });
            write("sleep(60);", end);
            workspace().open(file.string());
            until([] { return workspace().busy_seconds() > 0.3; });
            if (width == 1280) keep_picture("run-under-way");
            frames(2);
            act([&](ImGuiTestContext& person) {
                std::size_t compared = 0;
                for (const auto& [id, rect] : items_of_bar(person)) {
                    const auto was = still.find(id);
                    if (was == still.end()) continue;
                    ++compared;
                    EXPECT_EQ(described(rect), described(was->second));
                }
                EXPECT_GT(compared, 6U);
                person.ItemClick("##launch/cancel");
            });
            EXPECT_FALSE(workspace().busy());
        }
    }
    std::filesystem::remove(file);
}

TEST_F(Layout, ARefusalKeepsEverythingInPlace) {
    type("n", "a number that is none at all");
    type("block", "2048");
    expect_tidy();
    resize(1024, 640);
    expect_tidy();
}

TEST_F(Layout, AtRestNoFrameIsDrawn) {
    until([&] { return shell().quiet_for() < 0; });  // estimates are made first
    frames(5);
    EXPECT_LT(shell().quiet_for(), 0) << "until something happens";
    workspace().play(true);
    EXPECT_GT(shell().quiet_for(), 0) << "until the next step";
    workspace().play(false);
}

TEST_F(Layout, TheThemeIsSwitchedByButtonAndByKey) {
    EXPECT_EQ(shell().look().theme(), scene::Theme::dark);
    act([](ImGuiTestContext& person) { person.ItemClick("##launch/theme"); });
    EXPECT_EQ(shell().look().theme(), scene::Theme::light);
    act([](ImGuiTestContext& person) { person.KeyPress(ImGuiMod_Ctrl | ImGuiKey_T); });
    EXPECT_EQ(shell().look().theme(), scene::Theme::dark);
}

TEST_F(Layout, TheThemeColorsTheGround) {
    const auto corner = [] {
        const render::Pixels& pixels = window().picture();
        const std::size_t below_the_bar = (static_cast<std::size_t>(pixels.height) / 2 * pixels.width + 2) * 4;
        return std::array{pixels.rgba[below_the_bar], pixels.rgba[below_the_bar + 1], pixels.rgba[below_the_bar + 2]};
    };
    const auto expected = [](scene::Theme theme) {
        const scene::Color color = scene::color_of(theme, {scene::Role::ground, 1});
        return std::array{color.r, color.g, color.b};
    };
    EXPECT_EQ(corner(), expected(scene::Theme::dark));
    shell().toggle_theme();
    frames(3);
    EXPECT_EQ(corner(), expected(scene::Theme::light));
}

TEST_F(Layout, CtrlPlusAndMinusScaleTheInterface) {
    resize(1920, 1080);
    act([](ImGuiTestContext& person) { person.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal); });
    EXPECT_GT(workspace().settings.scale, 1);
    act([](ImGuiTestContext& person) { person.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Minus, 2); });
    EXPECT_LT(workspace().settings.scale, 1);
    act([](ImGuiTestContext& person) { person.KeyPress(ImGuiMod_Ctrl | ImGuiKey_0); });
    EXPECT_EQ(workspace().settings.scale, 1);
}

TEST_F(Layout, HelpListsTheKeysOnTheScreen) {
    for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1024, 640)}) {
        resize(width, height);
        act([](ImGuiTestContext& person) { person.ItemClick("##launch/help"); });
        ASSERT_TRUE(shell().help_open());
        keep_picture("help-" + std::to_string(width));
        frames(2);
        EXPECT_TRUE(screen().Contains(ImGui::FindWindowByName("Keys")->Rect()));
        act([](ImGuiTestContext& person) { person.KeyPress(ImGuiKey_Escape); });
        EXPECT_FALSE(shell().help_open());
    }
}

class Narrations : public WindowTest {
  protected:
    /// As the transport sets it: two lines at the smallest of its sizes, in the narrowest of the usual windows.
    void fit_at_every(std::size_t stride) {
        const float room = ImGui::GetIO().DisplaySize.x - 2 * shell().look().px(18);
        for (const session::Program& program : session::catalog()) {
            workspace().open(program.name);
            settle();
            ASSERT_EQ(workspace().shown()->run->program.name, program.name);
            const std::size_t end = workspace().at().end();
            for (std::size_t stop = 0; stop <= end; stop += stop == end ? 1 : std::min(stride, end - stop)) {
                workspace().seek_exactly(stop);
                EXPECT_FALSE(workspace().narration().empty()) << program.name << " at " << stop;
                const float width = shell().look().text_width(scene::Font::words_medium, 14, workspace().narration());
                EXPECT_LT(width, 2 * room * 0.97F) << workspace().narration();
            }
        }
    }
};
class LongNarrations : public Narrations {};

// A prime that falls on another instruction of a loop in each round.
TEST_F(Narrations, AreNotCut) { fit_at_every(13); }

TEST_F(LongNarrations, AreNotCut) { fit_at_every(1); }

class Picture : public WindowTest {
  protected:
    static PassesPanel& passes() {
        for (const std::unique_ptr<Panel>& panel : shell().panels()) {
            if (auto* found = dynamic_cast<PassesPanel*>(panel.get())) return *found;
        }
        throw std::logic_error("the window has no Passes panel");
    }
    void click_cell(std::uint32_t row, std::uint32_t column) {
        const std::optional<ImVec2> at = passes().cell_on_screen(row, column);
        ASSERT_TRUE(at.has_value());
        act([&](ImGuiTestContext& person) {
            person.MouseSetViewport(ImGui::FindWindowByName("Passes"));
            person.MouseMoveToPos(*at);
            person.MouseClick();
        });
    }
};

TEST_F(Picture, AHoveredCellShowsItsDetails) {
    workspace().finish();
    frames(2);
    const std::optional<ImVec2> at = passes().cell_on_screen(2, 4);
    ASSERT_TRUE(at.has_value());
    act([&](ImGuiTestContext& person) {
        person.MouseSetViewport(ImGui::FindWindowByName("Passes"));
        person.MouseMoveToPos(*at);
        person.Yield(2);
        bool has_tooltip = false;
        for (const ImGuiWindow* each : ImGui::GetCurrentContext()->Windows) {
            if ((each->Flags & ImGuiWindowFlags_Tooltip) == 0 || !each->Active) continue;
            has_tooltip = true;
            EXPECT_TRUE(ImRect({0, 0}, ImGui::GetIO().DisplaySize).Contains(each->Rect()));
        }
        EXPECT_TRUE(has_tooltip);
        keep_picture("hovered-cell");
        person.Yield(2);
    });
}

TEST_F(Layout, TheLineOfAFaultKeepsItsSignUnderTheCursor) {
    workspace().open("faulty/missing-barrier");
    settle();
    resize(1920, 1080);
    workspace().seek_finding(0);
    frames(10);
    const Look& look = shell().look();
    const ImU32 sign = look.color(scene::Role::cost);
    // Signs stand between a line's number and its text; the heat, of the same color, left of the number.
    const auto signs = [&] {
        std::size_t found = 0;
        for (const ImGuiWindow* each : ImGui::GetCurrentContext()->Windows) {
            if (!each->Active || std::string_view(each->Name).find("/cuda") == std::string_view::npos) continue;
            for (const ImDrawVert& corner : each->DrawList->VtxBuffer)
                found += corner.col == sign && corner.pos.x > each->Pos.x + look.px(46) ? 1 : 0;
        }
        return found;
    };
    ASSERT_EQ(workspace().shown()->trace().findings.front().source_line, 12U);
    ASSERT_EQ(workspace().shown()->cuda_line_at(workspace().position()), 12U);
    EXPECT_GT(signs(), 0U);
}

TEST_F(Layout, ATermInTheNarrationExplainsItselfAboveIt) {
    run("reduce/interleaved-modulo", "16");
    resize(1920, 1080);
    workspace().settings.toured = true;
    workspace().seek_pass(1);
    frames(3);
    const std::string said = workspace().narration();
    const std::size_t term = said.find("operation");
    ASSERT_NE(term, std::string::npos) << said;
    const ImGuiWindow* const bar = ImGui::FindWindowByName("##transport");
    ASSERT_NE(bar, nullptr);
    const Look& look = shell().look();
    const float line = look.line_height(scene::Font::words_medium, type::narration);
    const float before = look.text_width(scene::Font::words_medium, type::narration, said.substr(0, term + 3));
    const ImVec2 at{bar->Pos.x + look.px(18) + before, bar->Pos.y + look.px(12) + line};
    act([&](ImGuiTestContext& person) {
        person.MouseSetViewport(ImGui::FindWindowByName("##transport"));
        person.MouseMoveToPos(at);
        person.SleepNoSkip(1, 0.1F);
        bool has_tooltip = false;
        for (const ImGuiWindow* each : ImGui::GetCurrentContext()->Windows) {
            if ((each->Flags & ImGuiWindowFlags_Tooltip) == 0 || !each->Active) continue;
            has_tooltip = true;
            EXPECT_LE(each->Rect().Max.y, at.y - line / 2) << "the text that it explains stays visible";
        }
        EXPECT_TRUE(has_tooltip);
    });
}

TEST_F(Picture, AClickSelectsAValueAndAnotherLetsItGo) {
    workspace().finish();
    frames(2);
    click_cell(1, 0);
    ASSERT_TRUE(workspace().selection().has_value());
    EXPECT_EQ(workspace().selection()->row, 1U);
    EXPECT_EQ(workspace().selection()->column, 0U);
    EXPECT_FALSE(workspace().expression().empty());
    click_cell(1, 0);
    EXPECT_FALSE(workspace().selection().has_value());
}

TEST_F(Picture, EscapeLetsTheSelectionGo) {
    workspace().select(1, 2);
    act([](ImGuiTestContext& person) { person.KeyPress(ImGuiKey_Escape); });
    EXPECT_FALSE(workspace().selection().has_value());
}

TEST_F(Picture, TheWheelZoomsAndZeroFits) {
    const std::optional<ImVec2> at = passes().cell_on_screen(0, 3);
    ASSERT_TRUE(at.has_value());
    act([&](ImGuiTestContext& person) {
        person.MouseSetViewport(ImGui::FindWindowByName("Passes"));
        person.MouseMoveToPos(*at);
        person.MouseWheelY(3);
    });
    EXPECT_GT(passes().zoom(), 1);
    act([](ImGuiTestContext& person) { person.KeyPress(ImGuiKey_0); });
    EXPECT_EQ(passes().zoom(), 1);
}

TEST_F(Picture, SavedItHasTheLegendThatItsFooterShows) {
    const auto names_computed_cells = [](const scene::Scene& scene) {
        return std::ranges::any_of(scene.shapes, [](const scene::Shape& shape) {
            const auto* const text = std::get_if<scene::Text>(&shape);
            return text != nullptr && text->text == "computed";
        });
    };
    const scene::Scene saved = passes().whole_picture(workspace());
    EXPECT_TRUE(names_computed_cells(saved));
    EXPECT_FALSE(names_computed_cells(passes().picture())) << "the rows scroll above the footer";
    EXPECT_FLOAT_EQ(saved.height, passes().picture().height + scene::passes_legend_height) << "the rows are as high";
}

// The share of the window that a window of ImGui takes.
float share_of(const char* name) {
    const ImVec2 all = ImGui::GetIO().DisplaySize;
    const ImGuiWindow* const window = ImGui::FindWindowByName(name);
    return window == nullptr || !window->WasActive ? 0 : window->Size.x * window->Size.y / (all.x * all.y);
}

TEST_F(Picture, PresentedInASmallWindowItTakesTheRoom) {
    const float before = share_of("Passes");
    key(ImGuiKey_P);
    frames(8);
    keep_picture("presenter");
    frames(2);
    EXPECT_GT(share_of("Passes"), 0.7F) << "it had " << before;
    const float line = shell().look().px(40);
    EXPECT_LT(ImGui::FindWindowByName("##launch")->Size.y, line) << "one line";
    for (std::uint32_t row = 0; row < workspace().shown()->picture->rows.size(); ++row) {
        const std::optional<ImVec2> at = passes().cell_on_screen(row, 15);
        ASSERT_TRUE(at.has_value()) << "row " << row;
        EXPECT_TRUE(ImGui::FindWindowByName("Passes")->Rect().Contains(*at)) << "row " << row;
    }
    // The other panels are tabs of the same dock, and the keys go to them.
    shell().bring_up("Source");
    frames(4);
    EXPECT_GT(share_of("Source"), 0.7F);
    key(ImGuiKey_P);
    frames(8);
    EXPECT_NEAR(share_of("Passes"), before, 0.01F);
}

TEST_F(Picture, TheFoldedBarUnfoldsOnAClick) {
    key(ImGuiKey_P);
    frames(8);
    const float folded = ImGui::FindWindowByName("##launch")->Size.y;
    act([](ImGuiTestContext& person) {
        EXPECT_FALSE(person.ItemExists("##launch/block/##value"));
        person.ItemClick("##launch/unfold");
    });
    EXPECT_GT(ImGui::FindWindowByName("##launch")->Size.y, folded);
    type("block", "8");
    EXPECT_EQ(workspace().shown()->run->block, 8U);
    act([](ImGuiTestContext& person) { person.ItemClick("##launch/fold"); });
    EXPECT_EQ(ImGui::FindWindowByName("##launch")->Size.y, folded);
    key(ImGuiKey_P);
}

// Row and column of the cells of the picture in which a text stands.
std::set<std::pair<std::uint32_t, std::uint32_t>> cells_with_values(const scene::Scene& picture) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> cells;
    for (const scene::Shape& shape : picture.shapes) {
        const auto* const cell = std::get_if<scene::Rect>(&shape);
        if (cell == nullptr || cell->ref.kind != scene::TraceRef::Kind::cell) continue;
        const bool has_text = std::ranges::any_of(picture.shapes, [&](const scene::Shape& other) {
            const auto* const text = std::get_if<scene::Text>(&other);
            return text != nullptr && !text->text.empty() && text->x >= cell->x && text->x <= cell->x + cell->width &&
                   text->y >= cell->y && text->y <= cell->y + cell->height;
        });
        if (has_text) cells.emplace(cell->ref.row, cell->ref.column);
    }
    return cells;
}

TEST_F(Picture, SixteenCellsHaveTheirValuesAtEveryScale) {
    for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1920, 1080)}) {
        resize(width, height);
        for (const float scale : {1.0F, 1.25F, 1.5F, 1.75F, 2.0F}) {
            for (const bool presented : {false, true}) {
                workspace().settings.scale = scale;
                if (shell().presenter() != presented) shell().toggle_presenter();
                frames(8);
                SCOPED_TRACE(testing::Message() << width << " x " << height << " at " << scale << " " << presented);
                EXPECT_EQ(cells_with_values(passes().picture()).size(), 5U * 16U);
            }
        }
    }
    if (shell().presenter()) shell().toggle_presenter();
}

TEST_F(Picture, MaximizedItIsAloneWithASlimTransport) {
    act([](ImGuiTestContext& person) {
        person.MouseSetViewport(ImGui::FindWindowByName("Passes"));
        person.MouseMoveToPos(ImGui::FindWindowByName("Passes")->Rect().GetCenter());
    });
    const float type_before = passes().picture().width;
    key(ImGuiKey_F);
    frames(6);
    keep_picture("maximized");
    frames(2);
    ASSERT_EQ(shell().alone(), &passes());
    EXPECT_FALSE(ImGui::FindWindowByName("##launch")->WasActive);
    EXPECT_GT(share_of("##alone/Passes"), 0.8F);
    EXPECT_LT(ImGui::FindWindowByName("##transport")->Size.y, shell().look().px(80));
    EXPECT_LT(passes().picture().width, type_before * 2)
        << "the larger panel enlarges the type, not the amount of text";
    const float pass_before = static_cast<float>(workspace().pass());
    act([](ImGuiTestContext& person) { person.ItemClick("##transport/pass"); });
    EXPECT_GT(static_cast<float>(workspace().pass()), pass_before) << "its buttons act";
    key(ImGuiKey_Escape);
    frames(4);
    EXPECT_TRUE(ImGui::FindWindowByName("##launch")->WasActive);
}

TEST_F(Picture, FactsOfAPresentedCellCoverNoCell) {
    workspace().finish();
    key(ImGuiKey_P);
    frames(8);
    const std::optional<ImVec2> at = passes().cell_on_screen(2, 4);
    ASSERT_TRUE(at.has_value());
    act([&](ImGuiTestContext& person) {
        person.MouseSetViewport(ImGui::FindWindowByName("Passes"));
        person.MouseMoveToPos(*at);
        person.Yield(3);
        const ImGuiWindow* const strip = ImGui::FindWindowByName("##facts");
        ASSERT_NE(strip, nullptr);
        EXPECT_TRUE(strip->WasActive);
        EXPECT_FALSE(strip->Rect().Overlaps(ImGui::FindWindowByName("Passes")->Rect()));
        for (const ImGuiWindow* each : ImGui::GetCurrentContext()->Windows)
            EXPECT_FALSE((each->Flags & ImGuiWindowFlags_Tooltip) != 0 && each->Active) << each->Name;
        keep_picture("fact-strip");
        person.Yield(2);
        person.MouseMoveToPos({4, 4});
    });
    key(ImGuiKey_P);
}

TEST_F(Picture, EveryPassHasItsRowInView) {
    for (std::size_t pass = 0; pass < workspace().shown()->passes->passes.size(); ++pass) {
        workspace().seek_pass(pass);
        frames(2);
    }
    const ImGuiWindow* panel = ImGui::FindWindowByName("Passes");
    for (std::uint32_t row = 0; row < workspace().shown()->picture->rows.size(); ++row) {
        const std::optional<ImVec2> at = passes().cell_on_screen(row, 0);
        ASSERT_TRUE(at.has_value()) << "row " << row;
        EXPECT_TRUE(panel->Rect().Contains(*at)) << "row " << row;
    }
}

}  // namespace
}  // namespace lanescope::ui
