// Arrays of the Passes picture that form one value, found in what the threads read and write.
#include "analysis/passes_picture/joint_values.h"

#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace lanescope::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using trace::View;

std::shared_ptr<const Analysis> mean_and_variance(View view) {
    KernelRun run = kernel_run("apply/mean_and_variance", view, 8, iota(8));
    run.floats = true;
    run.outputs = 2;
    run.shared_elements = 24;
    return analysis_of(run);
}

std::vector<JointValue> joint_of(const Analysis& analysis, const Picture& picture) {
    return joint_values_of(analysis.view(analysis.block_passes(0, BlockId(0))), picture);
}

std::vector<JointValue> joint_of(const KernelRun& run) {
    const auto analysis = analysis_of(run);
    return joint_of(*analysis, analysis->picture(0, BlockId(0)));
}

TEST(JointValues, AreThePartsThatAKernelDividesAnArrayInto) {
    const auto analysis = mean_and_variance(View::written);
    const auto joint = joint_of(*analysis, analysis->picture(0, BlockId(0)));
    ASSERT_THAT(joint, SizeIs(1));
    EXPECT_THAT(joint[0].first_columns, ElementsAre(0, 8, 16));
    EXPECT_EQ(joint[0].count, 8U);
    EXPECT_EQ(joint[0].title(), "count, mean, squares: one value");
    EXPECT_EQ(joint[0].place_of(17), (JointValue::Place{2, 1}));
    EXPECT_FALSE(joint[0].place_of(24).has_value());
}

TEST(JointValues, AreNamedByTheirElementsWithoutNamesOfPointers) {
    const auto analysis = mean_and_variance(View::compiled);
    const auto joint = joint_of(*analysis, analysis->picture(0, BlockId(0)));
    ASSERT_THAT(joint, SizeIs(1));
    EXPECT_THAT(joint[0].names, ElementsAre("count", "count[8..15]", "count[16..23]"));
}

/// The same picture with an array for each part.
Picture apart(Picture picture, std::uint32_t parts) {
    const ColumnGroup whole = picture.groups.front();
    std::vector<ColumnGroup> arrays(parts, whole);
    for (std::uint32_t part = 0; part < parts; ++part) {
        arrays[part].name = std::string(1, static_cast<char>('a' + part));
        arrays[part].count = whole.count / parts;
        arrays[part].first_column = part * arrays[part].count;
    }
    picture.groups = std::move(arrays);
    return picture;
}

TEST(JointValues, AreArraysOfTheirOwn) {
    const auto analysis = mean_and_variance(View::written);
    Picture picture = apart(analysis->picture(0, BlockId(0)), 3);
    const auto joint = joint_of(*analysis, picture);
    ASSERT_THAT(joint, SizeIs(1));
    EXPECT_THAT(joint[0].names, ElementsAre("a", "b", "c"));
    picture.groups[1].element = trace::Element::f64;
    EXPECT_THAT(joint_of(*analysis, picture), ElementsAre(testing::Field(&JointValue::names, ElementsAre("a", "c"))));
}

TEST(JointValues, AreWrittenByTheSameThreads) {
    const auto analysis = mean_and_variance(View::written);
    Picture picture = analysis->picture(0, BlockId(0));
    ++picture.rows[1].nodes.back().thread;
    EXPECT_THAT(joint_of(*analysis, picture), IsEmpty());
}

TEST(JointValues, AreReadAtOneIndexInEveryPassThatCombines) {
    const auto analysis = mean_and_variance(View::written);
    Picture picture = analysis->picture(0, BlockId(0));
    for (Node& node : picture.rows.back().nodes)
        std::erase_if(node.sources, [](const Source& source) { return source.column >= 8; });
    EXPECT_THAT(joint_of(*analysis, picture), IsEmpty());
}

TEST(JointValues, AreReplacedTogetherByAComparison) {
    for (const View view : {View::written, View::compiled}) {
        KernelRun run = kernel_run("apply/arg_max", view, 8, iota(8));
        run.outputs = 2;
        run.shared_elements = 16;
        const auto joint = joint_of(run);
        ASSERT_THAT(joint, SizeIs(1));
        EXPECT_THAT(joint[0].first_columns, ElementsAre(0, 8));
    }
}

TEST(JointValues, AreNoHalvesOfAReductionOrAScan) {
    for (const View view : {View::written, View::compiled}) {
        for (const char* name : {"reduce/interleaved_modulo", "reduce/sequential", "scan/in_place"})
            EXPECT_THAT(joint_of(kernel_run(name, view, 16, iota(16))), IsEmpty()) << name;
        KernelRun two_buffers = kernel_run("scan/double_buffered", view, 16, iota(16));
        two_buffers.outputs = 16;
        two_buffers.shared_elements = 32;
        EXPECT_THAT(joint_of(two_buffers), IsEmpty());
    }
}

}  // namespace
}  // namespace lanescope::analysis
