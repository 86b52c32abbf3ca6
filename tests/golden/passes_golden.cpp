#include "golden/golden.h"
#include "golden/panel_scenes.h"
#include "scene/passes_scene.h"
#include "session/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::golden {
namespace {

using scene::Theme;

/// One picture of one run of a kernel that ships with the program, as written.
struct Golden {
    std::string_view name;     ///< of the file, without theme and ending
    std::string_view program;  ///< in the catalog
    std::uint64_t n = 16;
    std::uint32_t block = 16;
    std::optional<std::size_t> pass;  ///< the picture is taken at its last step; nothing: at the end
    std::optional<std::uint32_t> select_row, select_column;
    float width = 900, height = 0;
    float lens_x = -1, lens_y = -1;
    bool svg = true, png = false;
    bool joint = true;  ///< arrays that form one value share cells
};

constexpr std::array goldens = {
    Golden{.name = "two_elements", .program = "reduce/two-elements", .n = 16, .block = 8, .pass = 2},
    Golden{.name = "interleaved_modulo",
           .program = "reduce/interleaved-modulo",
           .pass = 3,
           .select_row = 3,
           .select_column = 8,
           .png = true},
    Golden{.name = "strided_index", .program = "reduce/strided-index"},
    Golden{.name = "sequential", .program = "reduce/sequential", .pass = 1},
    Golden{.name = "double_buffered", .program = "scan/double-buffered", .n = 8, .block = 8, .width = 520, .png = true},
    Golden{.name = "values_per_thread", .program = "reduce/values-per-thread", .n = 20, .block = 8, .png = true},
    Golden{.name = "grid_stride", .program = "reduce/grid-stride", .n = 32, .block = 8},
    Golden{.name = "partition", .program = "apply/partition"},
    Golden{.name = "ring_copy", .program = "scan/ring-copy", .n = 512, .block = 128},
    Golden{.name = "specialized_warps", .program = "scan/specialized-warps", .n = 512, .block = 128},
    Golden{.name = "recurrence", .program = "apply/recurrence", .n = 8, .block = 8, .pass = 2, .png = true},
    Golden{.name = "recurrence_apart", .program = "apply/recurrence", .n = 8, .block = 8, .pass = 2, .joint = false},
    Golden{.name = "mean_and_variance",
           .program = "apply/mean-and-variance",
           .n = 8,
           .block = 8,
           .select_row = 2,
           .select_column = 9},
    Golden{.name = "sequential_256",
           .program = "reduce/sequential",
           .n = 256,
           .block = 256,
           .pass = 3,
           .width = 990,
           .height = 480,
           .svg = false,
           .png = true},
    Golden{.name = "interleaved_modulo_1024",
           .program = "reduce/interleaved-modulo",
           .n = 1024,
           .block = 1024,
           .width = 760,
           .height = 520,
           .lens_x = 400,
           .lens_y = 170,
           .svg = false,
           .png = true},
};

scene::Scene scene_of(const Golden& golden, const session::Run& run) {
    const BlockId block{0};
    const analysis::BlockPasses& passes = run.analysis->block_passes(0, block);
    const analysis::Picture& picture = run.analysis->picture(0, block);
    scene::PassesOptions options;
    options.width = golden.width;
    options.height = golden.height;
    options.lens_x = golden.lens_x;
    options.lens_y = golden.lens_y;
    options.position = golden.pass ? passes.passes.at(*golden.pass).past_last - 1 : passes.steps.size();
    if (golden.joint) options.joint = analysis::joint_values_of(run.analysis->view(passes), picture);
    if (golden.select_row) options.selected = picture.rows.at(*golden.select_row).cells.at(*golden.select_column).value;
    return scene::passes_scene(passes, picture, *run.analysis->provenance, options);
}

class GoldenTest : public testing::Test {
  public:
    GoldenTest(const Golden& golden, Theme theme, bool rebaseline)
        : golden_(golden), theme_(theme), rebaseline_(rebaseline) {}

    void TestBody() override {
        const auto run = run_of(golden_.program, golden_.n, golden_.block);
        ASSERT_NE(run, nullptr);
        const scene::Scene scene = scene_of(golden_, *run);
        const std::string name = std::string(golden_.name) + (theme_ == Theme::dark ? "-dark" : "-light");
        std::string wrong;
        if (golden_.svg) wrong += check_svg(name, render::to_svg(scene, theme_), rebaseline_);
        if (golden_.png) wrong += check_png(name, render::rasterize(scene, theme_, 1), rebaseline_);
        EXPECT_EQ(wrong, "");
    }

  private:
    const Golden& golden_;
    Theme theme_;
    bool rebaseline_;
};

void register_goldens(bool rebaseline) {
    for (const Golden& golden : goldens)
        for (const Theme theme : {Theme::dark, Theme::light}) {
            const std::string name = test_name(golden.name, theme);
            testing::RegisterTest(
                "Passes", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                [&golden, theme, rebaseline]() -> testing::Test* { return new GoldenTest(golden, theme, rebaseline); });
        }
}

TEST(GoldenComparison, SeesAValueThatChanged) {
    const auto run = run_of(goldens[1].program, goldens[1].n, goldens[1].block);
    ASSERT_NE(run, nullptr);
    scene::Scene scene = scene_of(goldens[1], *run);
    const render::Pixels before = render::rasterize(scene, Theme::dark, 1);
    for (scene::Shape& shape : scene.shapes)
        if (auto* text = std::get_if<scene::Text>(&shape); text != nullptr && text->text == "24") text->text = "29";
    EXPECT_FALSE(close_enough(distance_of(before, render::rasterize(scene, Theme::dark, 1))));
    EXPECT_TRUE(close_enough(distance_of(before, before)));
}

}  // namespace
}  // namespace lanescope::golden

int main(int count, char** arguments) {
    testing::InitGoogleTest(&count, arguments);
    const bool rebaseline =
        std::any_of(arguments, arguments + count, [](std::string_view word) { return word == "--rebaseline"; });
    lanescope::golden::register_goldens(rebaseline);
    lanescope::golden::register_panels(rebaseline);
    lanescope::golden::register_grids(rebaseline);
    lanescope::golden::register_maps(rebaseline);
    lanescope::golden::register_array_grids(rebaseline);
    lanescope::golden::register_sectors(rebaseline);
    lanescope::golden::register_theories(rebaseline);
    lanescope::golden::register_timings(rebaseline);
    lanescope::golden::register_comparisons(rebaseline);
    lanescope::golden::register_lectures(rebaseline);
    return RUN_ALL_TESTS();
}
