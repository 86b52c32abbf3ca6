// The halo of a stencil is found from the cells that the outputs depend on, and nothing else is mistaken for one.
#include "analysis/passes_picture/picture.h"
#include "places.h"
#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace lanescope::analysis {
namespace {

using testing::IsEmpty;
using trace::View;

class HaloOfBothViews : public testing::TestWithParam<View> {};
INSTANTIATE_TEST_SUITE_P(Picture, HaloOfBothViews, testing::Values(View::written, View::compiled),
                         [](const auto& chosen) {
                             return chosen.param == View::written ? "as_written" : "as_compiled";
                         });

TEST_P(HaloOfBothViews, IsWhatATileHoldsBeyondTheOutputs) {
    std::ifstream file(std::string(LANESCOPE_SOURCE_DIR "/tests/unit/analysis/data/halo.") +
                       (GetParam() == View::written ? "written" : "compiled") + ".ptx");
    std::stringstream text;
    text << file.rdbuf();
    KernelRun run;
    run.name = "halo";
    run.view = GetParam();
    run.threads = run.threads_y = 4;
    run.input = iota(36);
    run.outputs = 16;
    const auto analysis = analysis_of(run, text.str());
    const Picture& picture = analysis->picture(0, BlockId(0));
    const auto tile = std::ranges::find(picture.groups, "tile", &ColumnGroup::name);
    ASSERT_NE(tile, picture.groups.end());
    ASSERT_EQ(tile->count, 36U);
    ASSERT_EQ(picture.halo.size(), picture.columns);
    for (std::uint32_t number = 0; number < 36; ++number) {
        const std::uint32_t row = number / 6, column = number % 6;
        const bool beside_rows = row == 0 || row == 5, beside_columns = column == 0 || column == 5;
        // No thread accesses the corners.
        EXPECT_EQ(picture.halo[tile->first_column + number], beside_rows != beside_columns) << number;
    }
}

TEST_P(HaloOfBothViews, IsInNoReductionAndNoScan) {
    for (const char* name :
         {"reduce/interleaved_modulo", "reduce/sequential", "reduce/first_add_during_load", "scan/double_buffered"}) {
        const auto analysis = analysis_of(kernel_run(name, GetParam(), 8, classic));
        EXPECT_THAT(analysis->picture(0, BlockId(0)).halo, IsEmpty()) << name;
    }
}

}  // namespace
}  // namespace lanescope::analysis
