// Passes as grids, for the kernels in data/: a transposition with a padded tile and its declaration; a stencil with a
// halo, whose rows follow from its accesses. One value is selected in each.
#include "golden/golden.h"
#include "places.h"
#include "scene/passes_scene.h"
#include "session/run.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lanescope::golden {
namespace {

using scene::Theme;

struct GridKernel {
    std::string_view name;
    trace::Dim3 block, grid;
    std::uint64_t shared = 0;
    std::string_view width, height;
    std::uint32_t from_last = 0;  ///< the selected column of the last row, counted from its end
    float points = 900;
};

const std::array grid_kernels = {
    GridKernel{
        .name = "transposition", .block = {4, 4, 1}, .grid = {2, 3, 1}, .width = "8", .height = "12", .from_last = 9},
    GridKernel{.name = "stencil",
               .block = {6, 4, 1},
               .grid = {2, 2, 1},
               .shared = 192,
               .width = "12",
               .height = "8",
               .from_last = 9,
               .points = 640},
};

class ArrayGridsTest : public testing::Test {
  public:
    ArrayGridsTest(const GridKernel& kernel, Theme theme, bool rebaseline)
        : kernel_(kernel), theme_(theme), rebaseline_(rebaseline) {}

    void TestBody() override {
        session::Request request;
        request.program = LANESCOPE_SOURCE_DIR "/tests/golden/data/" + std::string(kernel_.name) + ".cu";
        request.block_extent = kernel_.block;
        request.grid_extent = kernel_.grid;
        if (kernel_.shared > 0) request.shared_bytes = kernel_.shared;
        request.arguments = {{"in", "input(96)"},
                             {"out", "zeros(96)"},
                             {"width", std::string(kernel_.width)},
                             {"height", std::string(kernel_.height)}};
        Progress progress;
        const auto run = session::run(request, progress);
        if (!run) throw std::runtime_error(run.error().problem.message());
        const analysis::Analysis& analysis = *(*run)->analysis;
        const analysis::BlockPasses& passes = analysis.block_passes(0, BlockId(0));
        const analysis::Picture& picture = analysis.picture(0, BlockId(0));
        scene::PassesOptions options;
        options.width = kernel_.points;
        options.position = passes.steps.size();
        options.selected = picture.rows.back().cells.at(picture.columns - kernel_.from_last).value;
        const scene::Scene scene = scene::passes_scene(passes, picture, *analysis.provenance, options);
        const std::string name = "grids-" + std::string(kernel_.name) + (theme_ == Theme::dark ? "-dark" : "-light");
        EXPECT_EQ(check_svg(name, render::to_svg(scene, theme_), rebaseline_), "");
        EXPECT_EQ(check_png(name, render::rasterize(scene, theme_, 1), rebaseline_), "");
    }

  private:
    const GridKernel& kernel_;
    Theme theme_;
    bool rebaseline_;
};

}  // namespace

void register_array_grids(bool rebaseline) {
    for (const GridKernel& kernel : grid_kernels) {
        for (const Theme theme : {Theme::dark, Theme::light}) {
            testing::RegisterTest("ArrayGrids", test_name(kernel.name, theme).c_str(), nullptr, nullptr, __FILE__,
                                  __LINE__, [&kernel, theme, rebaseline]() -> testing::Test* {
                                      return new ArrayGridsTest(kernel, theme, rebaseline);
                                  });
        }
    }
}

}  // namespace lanescope::golden
