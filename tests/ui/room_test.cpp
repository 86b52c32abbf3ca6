#include "ui/room.h"

#include "ui/panels/passes.h"
#include "ui/window_test.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lanescope::ui {
namespace {

TEST(Room, EachHasWhatItWantsAndGrowsByItsWeight) {
    const Need first{.least = 100, .wanted = 200, .grows = 3}, second{.least = 50, .wanted = 100, .grows = 1};
    EXPECT_FLOAT_EQ(room_of_first(300, first, second), 200);
    EXPECT_FLOAT_EQ(room_of_first(340, first, second), 230);
}

TEST(Room, WhereItIsScarceWhatIsMissingIsShared) {
    const Need first{.least = 100, .wanted = 200, .grows = 0}, second{.least = 50, .wanted = 100, .grows = 1};
    EXPECT_FLOAT_EQ(room_of_first(150, first, second), 100);
    EXPECT_FLOAT_EQ(room_of_first(225, first, second), 150);
    EXPECT_FLOAT_EQ(room_of_first(75, first, second), 50);
}

TEST(Room, TabsAreCutLast) {
    const Need first{.least = 100, .wanted = 200, .tabs = 90}, second{.least = 150, .wanted = 300, .tabs = 60};
    EXPECT_FLOAT_EQ(room_of_first(160, first, second), 90) << "64 in proportion";
    EXPECT_FLOAT_EQ(room_of_first(75, first, second), 45);
}

TEST(Room, NeitherGrowsBothDo) {
    const Need same{.least = 10, .wanted = 20, .grows = 0};
    EXPECT_FLOAT_EQ(room_of_first(100, same, same), 50);
}

TEST(Room, SeveralPanelsAddUpInARowAndTheLargestDecidesAcross) {
    const Need first{.least = 100, .wanted = 200, .grows = 1}, second{.least = 120, .wanted = 150, .grows = 2};
    EXPECT_EQ(one_after_another(first, second), (Need{.least = 220, .wanted = 350, .grows = 3}));
    EXPECT_EQ(side_by_side(first, second), (Need{.least = 120, .wanted = 200, .grows = 2}));
}

class GridsInRoom : public WindowTest {
  protected:
    void run_stencil() {
        run_source("stencil.cu", R"(__global__ void stencil(const int* in, int* out) {
    __shared__ int t[6][6];
    int x = threadIdx.x, y = threadIdx.y;
    t[y][x] = in[6 * y + x];
    __syncthreads();
    out[6 * y + x] = t[5 - y][5 - x];
}
)",
                   "6x6", "36", "1");
        frames(16);
    }
    static float pitch() {
        auto& passes = dynamic_cast<PassesPanel&>(panel("Passes"));
        const auto first = passes.cell_on_screen(0, 0), second = passes.cell_on_screen(0, 1);
        return first && second ? second->x - first->x : 0;
    }
};

TEST_F(GridsInRoom, CellsAndTheirTextGrowWithALargeWindow) {
    resize(3840, 2160);
    shell().arrange(Arrangement::study);
    run_stencil();
    keep_picture("grids-4k");
    frames(2);
    EXPECT_GT(pitch(), 60);
    const auto& passes = dynamic_cast<PassesPanel&>(panel("Passes"));
    const auto last = passes.cell_on_screen(1, 35);
    ASSERT_TRUE(last);
    const ImRect rect = ImGui::FindWindowByName("Passes")->Rect();
    EXPECT_TRUE(rect.Contains(*last)) << "all frames are in view";
}

TEST_F(GridsInRoom, NoTabIsCutInASmallWindow) {
    resize(800, 600);
    shell().arrange(Arrangement::study);
    run_stencil();
    keep_picture("grids-small");
    frames(2);
    expect_no_tab_cut();
}

class SharedRoom : public WindowTest {
  protected:
    void SetUp() override {
        WindowTest::SetUp();
        if (HasFatalFailure() || IsSkipped()) return;
        resize(1920, 1080);
        shell().arrange(Arrangement::study);
        settled_run("reduce/sequential", "32");
    }
    void settled_run(const char* program, const char* block) {
        run(program, block);
        frames(16);
    }
    static ImVec2 size(const char* title) { return ImGui::FindWindowByName(title)->Size; }
    static bool in_front(const char* title) { return ImGui::FindWindowByName(title)->DockTabIsVisible; }
};

TEST_F(SharedRoom, OneWarpLeavesTheHeightToTheSource) {
    keep_picture("room-1-warp");
    frames(2);
    const float low = size("Banks").y, lines = size("Source").y;
    EXPECT_LT(low, shell().look().px(290));
    const ImGuiWindow* code = nullptr;
    for (const ImGuiWindow* each : ImGui::GetCurrentContext()->Windows) {
        if (each->Active && std::string_view(each->Name).find("Source/cuda") != std::string_view::npos) code = each;
    }
    ASSERT_NE(code, nullptr);
    EXPECT_EQ(code->ScrollMax.y, 0) << "all 20 lines are in sight";
    settled_run("reduce/sequential", "1024");
    keep_picture("room-32-warps");
    frames(2);
    EXPECT_GT(size("Banks").y, low + shell().look().px(60)) << "32 rows of banks and 32 warps need more";
    EXPECT_LT(size("Source").y, lines);
    settled_run("reduce/sequential", "32");
    EXPECT_NEAR(size("Banks").y, low, 2) << "Banks and Warps return the height";
}

TEST_F(SharedRoom, NothingMovesWhileOneSteps) {
    const ImVec2 banks = size("Banks"), lines = size("Source");
    for (int step = 0; step < 12; ++step) {
        key(ImGuiKey_RightArrow);
        EXPECT_EQ(size("Banks").y, banks.y);
        EXPECT_EQ(size("Source").x, lines.x);
    }
    shell().bring_up("Sectors");
    frames(6);
    EXPECT_EQ(size("Sectors").y, banks.y) << "another tab has the same dock";
}

TEST_F(SharedRoom, ADraggedSplitterIsKept) {
    const ImGuiWindow* const lines = ImGui::FindWindowByName("Source");
    const float before = lines->Size.x, separator = ImGui::GetStyle().DockingSeparatorSize;
    const ImVec2 grip{lines->Pos.x + lines->Size.x + separator / 2, lines->Pos.y + lines->Size.y / 2};
    act([&](ImGuiTestContext& person) {
        person.MouseMoveToPos(grip);
        person.MouseDragWithDelta({-120, 0});
    });
    const float dragged = size("Source").x;
    constexpr float near = 0.015F;
    const auto share = [] { return size("Source").x / (size("Source").x + size("Passes").x); };
    const float kept = share();
    ASSERT_LT(dragged, before - 80);
    settled_run("reduce/sequential", "1024");
    EXPECT_NEAR(share(), kept, near) << "it keeps its share, whatever Counts beside both needs";
    EXPECT_EQ(shell().settings().splits.size(), 1U) << "the other splitters still follow the content";
    const std::string wide_code = ::testing::TempDir() + "/wide_code_of_room.cu";
    std::ofstream(wide_code)
        << "__global__ void wide(float* values, const float* a_name_of_some_length, int count)\n{\n"
           "    values[threadIdx.x] = a_name_of_some_length[threadIdx.x] * 2.0f;\n}\n";
    settled_run(wide_code.c_str(), "32");
    EXPECT_NEAR(share(), kept, near);
    resize(1280, 720);
    frames(16);
    resize(1920, 1080);
    frames(16);
    EXPECT_NEAR(share(), kept, near) << "the same share, in a window of the same size";
    shell().arrange(Arrangement::study);
    settled_run("reduce/sequential", "32");
    EXPECT_NEAR(size("Source").x, before, 2) << "arranged again";
    EXPECT_TRUE(shell().settings().splits.empty());
}

TEST_F(SharedRoom, WithoutSharedMemorySectorsAreInFront) {
    ASSERT_TRUE(in_front("Banks"));
    const std::string scale = ::testing::TempDir() + "/scale_of_room.cu";
    std::ofstream(scale) << "__global__ void scale(float* values)\n{\n    values[threadIdx.x] *= 2.0f;\n}\n";
    settled_run(scale.c_str(), "64");
    EXPECT_TRUE(in_front("Sectors"));
    shell().arrange(Arrangement::study);
    frames(20);
    EXPECT_TRUE(in_front("Sectors")) << "arranged again";
    settled_run("reduce/sequential", "32");
    EXPECT_TRUE(in_front("Banks"));
}

TEST_F(SharedRoom, AFrameOfAGridIsSeenWhole) {
    run_source("transposition_of_room.cu",
               "__global__ void transposition(const float* in, float* out)\n{\n"
               "    for (int j = 0; j < 32; j += 8)\n"
               "        out[threadIdx.x * 32 + threadIdx.y + j] =\n"
               "            in[(threadIdx.y + j) * 32 + threadIdx.x];\n}\n",
               "32x8", "1024", "1");
    frames(16);
    keep_picture("room-transposition");
    frames(2);
    ASSERT_TRUE(workspace().shown()->picture->has_grids());
    const auto& passes = dynamic_cast<const PassesPanel&>(panel("Passes"));
    ASSERT_EQ(workspace().shown()->picture->rows.size(), 2U);
    const ImRect inside = ImGui::FindWindowByName("Passes")->Rect();
    for (std::uint32_t row = 0; row < 2; ++row) {
        const auto& cells = workspace().shown()->picture->rows[row].cells;
        for (std::uint32_t column = 0; column < cells.size(); ++column) {
            if (!cells[column].known) continue;
            const std::optional<ImVec2> at = passes.cell_on_screen(row, column);
            ASSERT_TRUE(at.has_value());
            EXPECT_TRUE(inside.Contains(*at)) << "row " << row << ", column " << column;
        }
    }
}

TEST_F(SharedRoom, TheFrameOfAFarPassComesIntoView) {
    run_source("elimination_of_room.cu",
               "__global__ void eliminate(float* m)\n{\n    __shared__ float a[12][12];\n"
               "    int i = threadIdx.y, j = threadIdx.x;\n    a[i][j] = m[12 * i + j] + (i == j ? 9 : 0);\n"
               "    __syncthreads();\n    for (int k = 0; k < 11; k++) {\n"
               "        if (i > k && j == k) a[i][k] /= a[k][k];\n        __syncthreads();\n"
               "        if (i > k && j > k) a[i][j] -= a[i][k] * a[k][j];\n        __syncthreads();\n    }\n"
               "    m[12 * i + j] = a[i][j];\n}\n",
               "12x12", "144", "1");
    frames(16);
    const auto& passes = dynamic_cast<const PassesPanel&>(panel("Passes"));
    const auto last = static_cast<std::uint32_t>(workspace().shown()->picture->rows.size() - 1);
    ASSERT_GE(last, 20);
    ASSERT_FALSE(passes.cell_on_screen(last, 0).has_value()) << "too far away to be drawn";
    workspace().finish();
    frames(6);
    const ImRect inside = ImGui::FindWindowByName("Passes")->Rect();
    const std::optional<ImVec2> at = passes.cell_on_screen(last, 0);
    ASSERT_TRUE(at.has_value());
    EXPECT_TRUE(inside.Contains(*at));
}

}  // namespace
}  // namespace lanescope::ui
