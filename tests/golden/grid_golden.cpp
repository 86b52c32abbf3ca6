// Grid: blocks that pass a sum on to the next one in one launch, and three launches with the host between them.
#include "analysis/panels/grid_picture.h"
#include "golden/golden.h"
#include "golden/panel_scenes.h"
#include "scene/grid_scene.h"
#include "session/whole_program.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace lanescope::golden {
namespace {

using scene::Theme;

struct Grid {
    std::string_view name, program;
    std::uint64_t n = 64;
    std::uint32_t block = 16;
    std::uint32_t launch = 0, shown = 0;  ///< the block that is shown
    std::optional<std::uint64_t> tick;
    bool of_program = false;  ///< its host code runs, too
    std::string_view multiprocessors = {}, resident = {}, order = {};
    std::uint64_t record = 16;
};

constexpr std::array grids = {
    Grid{.name = "grid-chained_blocks", .program = "scan/chained-blocks", .shown = 2, .tick = 300},
    Grid{.name = "grid-three_launches", .program = "scan/three-launches", .launch = 1, .tick = {}, .of_program = true},
    Grid{.name = "grid-many_blocks", .program = "reduce/sequential", .n = 96'000, .block = 32, .tick = {}},
    Grid{.name = "grid-deadlock", .program = "faulty/grid-barrier", .n = 32, .block = 8, .tick = {}},
    Grid{.name = "grid-stalled_tile",
         .program = "scan/look-back",
         .n = 1024,
         .block = 32,
         .shown = 4,
         .tick = {},
         .multiprocessors = "4",
         .resident = "2",
         .order = "stall 2"},
    Grid{.name = "grid-g80",
         .program = "reduce/sequential",
         .n = 16'384,
         .block = 128,
         .tick = {},
         .multiprocessors = "G80",
         .order = "descending"},
    Grid{.name = "grid-deadlock_of_200_blocks",
         .program = "faulty/grid-barrier",
         .n = 1600,
         .block = 8,
         .tick = {},
         .multiprocessors = "G80",
         .record = 200},
    Grid{.name = "grid-bundled_arcs",
         .program = "scan/chained-blocks",
         .n = 8'192,
         .block = 16,
         .shown = 200,
         .tick = {},
         .record = 512},
    Grid{.name = "grid-bundled_look_back",
         .program = "scan/look-back",
         .n = 16'384,
         .block = 32,
         .shown = 64,
         .tick = {},
         .record = 100},
    Grid{.name = "grid-sums_on_the_host",
         .program = "scan/sums-on-the-host",
         .n = 16,
         .block = 4,
         .tick = {},
         .of_program = true},
};

std::shared_ptr<const session::Run> run_placed(const session::Request& request) {
    Progress progress;
    auto run = session::run(request, progress);
    if (!run) throw std::runtime_error(run.error().problem.message());
    return *run;
}

class GridTest : public testing::Test {
  public:
    GridTest(const Grid& grid, Theme theme, bool rebaseline) : grid_(grid), theme_(theme), rebaseline_(rebaseline) {}

    void TestBody() override {
        if (const auto problem = session::cannot_run_programs(); grid_.of_program && problem)
            GTEST_SKIP() << problem->message();
        const auto run = run_placed({.program = std::string(grid_.program),
                                     .n = grid_.n,
                                     .block = grid_.block,
                                     .placement = {.multiprocessors = std::string(grid_.multiprocessors),
                                                   .resident = std::string(grid_.resident),
                                                   .order = std::string(grid_.order)},
                                     .record_blocks = grid_.record});
        const analysis::GridPicture picture = analysis::grid_picture(run->trace());
        const scene::Scene scene = scene::grid_scene(
            run->trace(), picture,
            {.width = 900, .shown = std::pair(grid_.launch, BlockId(grid_.shown)), .tick = grid_.tick});
        const std::string name = std::string(grid_.name) + (theme_ == Theme::dark ? "-dark" : "-light");
        EXPECT_EQ(check_svg(name, render::to_svg(scene, theme_), rebaseline_), "");
    }

  private:
    const Grid& grid_;
    Theme theme_;
    bool rebaseline_;
};

}  // namespace

void register_grids(bool rebaseline) {
    for (const Grid& grid : grids) {
        for (const Theme theme : {Theme::dark, Theme::light}) {
            const std::string name = test_name(grid.name, theme);
            testing::RegisterTest(
                "Grid", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                [&grid, theme, rebaseline]() -> testing::Test* { return new GridTest(grid, theme, rebaseline); });
        }
    }
}

}  // namespace lanescope::golden
