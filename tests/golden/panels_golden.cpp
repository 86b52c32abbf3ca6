// Banks, Warps, Memory and Counts of five kernels in both themes: as SVG, and of one kernel as PNG.
#include "analysis/memory_table.h"
#include "golden/golden.h"
#include "scene/banks_scene.h"
#include "scene/counts_scene.h"
#include "scene/memory_scene.h"
#include "scene/warps_scene.h"
#include "session/closed_forms.h"
#include "session/session.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace lanescope::golden {
namespace {

using scene::Scene;
using scene::Theme;

struct Kernel {
    std::string_view name, program;
    std::uint64_t n = 16;
    std::uint32_t block = 16;
    std::uint32_t pass = 2;  ///< stands in its middle
    bool png = false;
};

constexpr std::array kernels = {
    Kernel{"two_elements", "reduce/two-elements", 16, 8, 2},
    Kernel{"interleaved_modulo", "reduce/interleaved-modulo", 16, 16, 3, true},
    Kernel{"strided_index", "reduce/strided-index", 16, 16, 2},
    Kernel{"sequential", "reduce/sequential", 16, 16, 1},
    Kernel{"double_buffered", "scan/double-buffered", 8, 8, 2},
};

/// A run and the moment that its pictures show.
struct Moment {
    std::shared_ptr<const session::Run> run;
    const analysis::BlockPasses& passes;
    std::size_t position;
};

Scene banks_of(const Moment& moment) {
    const auto access = analysis::shared_access_near(moment.run->trace(), moment.passes, moment.position, WarpId(0));
    if (!access) return scene::no_banks_scene({.height = 0, .wavefront = {}});
    return scene::banks_scene(
        *analysis::bank_picture(moment.run->trace(), *moment.run->analysis->provenance, moment.passes.steps[*access]),
        {.height = 0, .wavefront = {}});
}

Scene warps_of(const Moment& moment) {
    const analysis::WarpPicture picture = analysis::warp_picture(moment.run->trace(), *moment.run->analysis->provenance,
                                                                 moment.passes, moment.passes.pass_of(moment.position));
    return scene::warps_scene(picture, {.height = 0, .next = {}});
}

Scene memory_of(const Moment& moment) {
    analysis::MemoryTable table(moment.run->analysis, 0, BlockId(0));
    table.seek(analysis::memory_moment(*moment.run->analysis, moment.passes, moment.position));
    return scene::memory_scene(table, {.width = 640, .height = 0});
}

Scene counts_of(const Moment& moment) {
    analysis::PassUnderWay under_way(moment.run->trace(), *moment.run->analysis->provenance, moment.passes);
    analysis::CountsPicture picture =
        analysis::counts_picture(moment.run->trace(), moment.passes, under_way, moment.position);
    picture.forms = session::closed_forms(*moment.run);
    return scene::counts_scene(picture, {.width = 560});
}

struct Picture {
    const char* panel;
    Scene (*draw)(const Moment& moment);
};
constexpr std::array pictures = {Picture{"banks", banks_of}, Picture{"warps", warps_of}, Picture{"memory", memory_of},
                                 Picture{"counts", counts_of}};

std::shared_ptr<const session::Run> run_of(const Kernel& kernel) {
    static std::map<std::string_view, std::shared_ptr<const session::Run>> runs;
    if (const auto known = runs.find(kernel.name); known != runs.end()) return known->second;
    session::Request request;
    request.program = kernel.program;
    request.n = kernel.n;
    request.block = kernel.block;
    Progress progress;
    auto run = session::run(request, progress);
    if (!run) {
        ADD_FAILURE() << run.error().problem.message();
        return nullptr;
    }
    return runs[kernel.name] = *run;
}

/// Behind the last store to shared memory of the pass: what it wrote is new.
std::size_t position_of(const session::Run& run, const analysis::BlockPasses& passes, std::uint32_t number) {
    const analysis::Pass& pass = passes.passes.at(number);
    for (std::size_t i = pass.past_last; i-- > pass.first;) {
        for (const trace::Effect& effect : run.trace().effects(run.trace().step(passes.steps[i]))) {
            if (effect.kind == trace::EffectKind::store && effect.space == trace::Space::shared) return i + 1;
        }
    }
    return pass.past_last - 1;
}

class PanelTest : public testing::Test {
  public:
    PanelTest(const Kernel& kernel, const Picture& picture, Theme theme, bool rebaseline)
        : kernel_(kernel), picture_(picture), theme_(theme), rebaseline_(rebaseline) {}

    void TestBody() override {
        const auto run = run_of(kernel_);
        ASSERT_NE(run, nullptr);
        const analysis::BlockPasses& passes = run->analysis->block_passes(0, BlockId(0));
        const Scene scene = picture_.draw({run, passes, position_of(*run, passes, kernel_.pass)});
        const std::string name = std::string(picture_.panel) + "-" + std::string(kernel_.name) +
                                 (theme_ == Theme::dark ? "-dark" : "-light");
        std::string wrong = check_svg(name, render::to_svg(scene, theme_), rebaseline_);
        if (kernel_.png) wrong += check_png(name, render::rasterise(scene, theme_, 1), rebaseline_);
        EXPECT_EQ(wrong, "");
    }

  private:
    const Kernel& kernel_;
    const Picture& picture_;
    Theme theme_;
    bool rebaseline_;
};

}  // namespace

void register_panels(bool rebaseline) {
    for (const Picture& picture : pictures) {
        for (const Kernel& kernel : kernels) {
            for (const Theme theme : {Theme::dark, Theme::light}) {
                const std::string name = std::string(kernel.name) + (theme == Theme::dark ? "-dark" : "-light");
                testing::RegisterTest(picture.panel, name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                                      [&kernel, &picture, theme, rebaseline]() -> testing::Test* {
                                          return new PanelTest(kernel, picture, theme, rebaseline);
                                      });
            }
        }
    }
}

}  // namespace lanescope::golden
