// Map: warps, some with bank conflicts; and blocks, of which one differs, others are equal or not recorded.
#include "analysis/panels/access_map.h"
#include "golden/golden.h"
#include "scene/map_scene.h"
#include "session/run.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lanescope::golden {
namespace {

using scene::Theme;

struct Map {
    std::string_view name, program;
    std::uint64_t n = 64;
    std::uint32_t block = 64;
    std::uint64_t recorded = 16;  ///< blocks
    bool apart = false;           ///< a column for each execution
    float width = 900, height = 0;
};

constexpr std::array maps = {
    Map{.name = "map-strided_index", .program = "reduce/strided-index", .n = 256, .block = 256},
    Map{.name = "map-executions", .program = "reduce/strided-index", .n = 64, .block = 64, .apart = true},
    Map{.name = "map-sectors", .program = "reduce/contiguous-chunks", .n = 1024, .block = 64},
    Map{.name = "map-unknown", .program = "apply/histogram-global", .n = 1024, .block = 64, .recorded = 3},
};

class MapTest : public testing::Test {
  public:
    MapTest(const Map& map, Theme theme, bool rebaseline) : map_(map), theme_(theme), rebaseline_(rebaseline) {}

    void TestBody() override {
        Progress progress;
        const auto run = session::run(
            {.program = std::string(map_.program), .n = map_.n, .block = map_.block, .record_blocks = map_.recorded},
            progress);
        if (!run) throw std::runtime_error(run.error().problem.message());
        const analysis::AccessMap map = analysis::access_map(*(*run)->analysis, 0, map_.apart);
        ASSERT_FALSE(map.columns.empty());
        const scene::Scene scene = scene::map_scene(
            map, analysis::map_view_within(map, scene::map_rows_within(map_.height)),
            {.width = map_.width, .height = map_.height, .shown = std::pair(BlockId(0), WarpId(0)), .next = {}});
        const std::string name = std::string(map_.name) + (theme_ == Theme::dark ? "-dark" : "-light");
        EXPECT_EQ(check_svg(name, render::to_svg(scene, theme_), rebaseline_), "");
    }

  private:
    const Map& map_;
    Theme theme_;
    bool rebaseline_;
};

}  // namespace

void register_maps(bool rebaseline) {
    for (const Map& map : maps) {
        for (const Theme theme : {Theme::dark, Theme::light}) {
            const std::string name = test_name(map.name, theme);
            testing::RegisterTest(
                "Map", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                [&map, theme, rebaseline]() -> testing::Test* { return new MapTest(map, theme, rebaseline); });
        }
    }
}

}  // namespace lanescope::golden
