// Sectors: a coalesced load, one of neighboring lanes in chunks, one that skips cache lines, a misaligned one, one of
// its sectors alone, and atomics of a warp to one address and to a few.
#include "analysis/panels/access_near.h"
#include "analysis/panels/sector_picture.h"
#include "golden/golden.h"
#include "scene/sectors_scene.h"
#include "session/run.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lanescope::golden {
namespace {

using scene::Theme;

struct Access {
    std::string_view name, program;
    std::uint64_t n = 64;
    std::string_view input = "iota";
    std::uint32_t warp = 0;
    std::size_t sectors = 0;  ///< the first access with that many sectors, instead of the first access
    bool atomic = false;      ///< the first atomic
    std::optional<unsigned> request = {};
    float width = 900, height = 0;
};

constexpr std::array accesses = {
    Access{.name = "sectors-coalesced", .program = "reduce/sequential"},
    Access{.name = "sectors-narrow", .program = "apply/run-lengths", .warp = 1, .sectors = 5, .width = 430},
    Access{.name = "sectors-strided", .program = "reduce/contiguous-chunks", .n = 1024},
    Access{.name = "sectors-apart", .program = "reduce/contiguous-chunks", .n = 4096},
    Access{.name = "sectors-apart-low", .program = "reduce/contiguous-chunks", .n = 4096, .width = 430, .height = 260},
    Access{.name = "sectors-misaligned", .program = "apply/run-lengths", .warp = 1, .sectors = 5},
    Access{.name = "sectors-one", .program = "apply/run-lengths", .warp = 1, .sectors = 5, .request = 4},
    Access{.name = "sectors-one_address", .program = "apply/histogram-global", .input = "ones", .atomic = true},
    Access{.name = "sectors-addresses", .program = "apply/histogram-global", .input = "classic", .atomic = true},
};

/// The warp's first access of global memory, or its first atomic, or its first access with that many sectors.
std::optional<std::size_t> index_of(const analysis::BlockView& block, const Access& access) {
    for (std::size_t i = 0; i < block.passes.steps.size(); ++i) {
        const trace::Step& step = block.step_at(i);
        const trace::Effect* const effect = analysis::access_in(block.trace, step, trace::Space::global);
        if (effect == nullptr || step.warp != WarpId(access.warp)) continue;
        if (access.atomic && effect->kind != trace::EffectKind::atomic) continue;
        if (access.sectors > 0 && analysis::sector_picture(block, i)->sectors != access.sectors) continue;
        return i;
    }
    return std::nullopt;
}

class SectorsTest : public testing::Test {
  public:
    SectorsTest(const Access& access, Theme theme, bool rebaseline)
        : access_(access), theme_(theme), rebaseline_(rebaseline) {}

    void TestBody() override {
        Progress progress;
        session::Request request;
        request.program = access_.program;
        request.n = access_.n;
        request.block = 64;
        request.grid = 1;
        request.input = std::string(access_.input);
        const auto run = session::run(request, progress);
        if (!run) throw std::runtime_error(run.error().problem.message());
        const analysis::BlockView block = (*run)->analysis->view((*run)->analysis->block_passes(0, BlockId(0)));
        const auto index = index_of(block, access_);
        ASSERT_TRUE(index.has_value());
        const scene::Scene scene =
            scene::sectors_scene(*analysis::sector_picture(block, *index),
                                 {.width = access_.width, .height = access_.height, .turn = access_.request});
        const std::string name = std::string(access_.name) + (theme_ == Theme::dark ? "-dark" : "-light");
        EXPECT_EQ(check_svg(name, render::to_svg(scene, theme_), rebaseline_), "");
    }

  private:
    const Access& access_;
    Theme theme_;
    bool rebaseline_;
};

}  // namespace

void register_sectors(bool rebaseline) {
    for (const Access& access : accesses) {
        for (const Theme theme : {Theme::dark, Theme::light}) {
            const std::string name = test_name(access.name, theme);
            testing::RegisterTest("Sectors", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                                  [&access, theme, rebaseline]() -> testing::Test* {
                                      return new SectorsTest(access, theme, rebaseline);
                                  });
        }
    }
}

}  // namespace lanescope::golden
