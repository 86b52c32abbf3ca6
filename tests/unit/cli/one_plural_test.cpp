// A change of the plural rule reaches every text with a number.
#include "analysis/narration/narration.h"
#include "analysis/panels/bank_picture.h"
#include "analysis/panels/sector_picture.h"
#include "analysis/panels/warp_picture.h"
#include "base/grouped.h"
#include "cli/report.h"
#include "scene/banks_scene.h"
#include "scene/warps_scene.h"
#include "session/run.h"
#include "timing/compared_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

namespace lanescope {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// "lane" -> "lanen" while a test runs.
class OnePlural : public testing::Test {
  protected:
    OnePlural() {
        plural_of = [](std::string_view one) { return std::string(one) + 'n'; };
    }
    ~OnePlural() override { plural_of = english_plural; }

    static std::shared_ptr<const session::Run> run_of_plurals(const session::Request& request) {
        Progress progress;
        const auto run = session::run(request, progress);
        EXPECT_TRUE(run) << (run ? "" : run.error().problem.message());
        return run ? *run : nullptr;
    }
};

TEST_F(OnePlural, IsThatOfReports) {
    const auto run = run_of_plurals({.program = "reduce/sequential", .n = 256, .block = 64});
    ASSERT_TRUE(run);
    EXPECT_THAT(cli::report_text(*run, false), AllOf(HasSubstr("4 blockn of 64 threadn"), Not(HasSubstr("threads"))));
}

TEST_F(OnePlural, IsThatOfFindings) {
    const auto run = run_of_plurals({.program = "faulty/next-element", .block = 64});
    ASSERT_TRUE(run);
    const auto past_end =
        std::ranges::find(run->trace().findings, trace::Finding::Kind::out_of_bounds, &trace::Finding::kind);
    ASSERT_NE(past_end, run->trace().findings.end());
    EXPECT_THAT(past_end->message, AllOf(HasSubstr("256 elementn"), Not(HasSubstr("elements"))));
}

TEST_F(OnePlural, IsThatOfRefusals) {
    Progress progress;
    const auto run = session::run({.program = "reduce/sequential", .n = 4096, .block = 4096}, progress);
    ASSERT_FALSE(run);
    EXPECT_THAT(run.error().problem.message(),
                AllOf(HasSubstr("4,096 threadn"), HasSubstr("1,024 threadn"), Not(HasSubstr("threads"))));
}

TEST_F(OnePlural, IsThatOfPanels) {
    const auto run =
        run_of_plurals({.program = "reduce/strided-index", .n = 64, .block = 64, .view = trace::View::compiled});
    ASSERT_TRUE(run);
    const analysis::BlockView block = run->analysis->view(0, BlockId(0));
    std::size_t wavefronts = 0, sectors = 0;
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
        if (const auto picture = analysis::named_bank_picture(block, index); picture && picture->conflict()) {
            wavefronts = picture->wavefronts.size();
            EXPECT_THAT(scene::banks_scene(*picture, {}).title, HasSubstr("wavefrontn"));
            EXPECT_THAT(picture->arithmetic, AllOf(HasSubstr("wordn"), Not(HasSubstr("words"))));
        }
        if (const auto picture = analysis::sector_picture(block, index); picture && picture->requests.size() > 1) {
            sectors = picture->requests.size();
            EXPECT_THAT(picture->arithmetic, AllOf(HasSubstr("byten"), Not(HasSubstr("bytes"))));
        }
    }
    EXPECT_GT(wavefronts, 1U);
    EXPECT_GT(sectors, 1U);
    const scene::Scene passes =
        scene::warp_passes_scene(analysis::warp_pictures(block), block.passes, scene::WarpPassesOptions{});
    EXPECT_THAT(passes.title, HasSubstr("passn"));
}

TEST_F(OnePlural, IsThatOfTheNarration) {
    const auto run = run_of_plurals({.program = "reduce/sequential", .n = 64, .block = 64});
    ASSERT_TRUE(run);
    const analysis::BlockView block = run->analysis->view(0, BlockId(0));
    std::string all;
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index)
        all += analysis::narrate(block, index, warp_size) + '\n';
    EXPECT_THAT(all, AllOf(HasSubstr("32 lanen"), HasSubstr("2 warpn"), Not(HasSubstr("32 lanes"))));
}

}  // namespace
}  // namespace lanescope
