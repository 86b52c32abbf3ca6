// A change of one type in the source reaches every reader of types.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/panels/memory_table.h"
#include "compile/compile.h"
#include "scratch_folder.h"
#include "session/run.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace lanescope {
namespace {

using testing::HasSubstr;
using trace::Element;

// Number is spelled by a macro, an alias, a structure's member and a template's argument on its way.
constexpr const char* turning_kernel = R"(using Value = NUMBER;
template <typename T> struct Reading {
    T value;
    unsigned char valid;
};
__constant__ Value offset = 1;
__global__ void turn(const Reading<Value>* in, Value* out, Value factor) {
    __shared__ Reading<Value> tile[8];
    __shared__ Value sums[8];
    const int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    const Value scaled = tile[7 - t].value * factor + offset;
    sums[t] = scaled;
    __syncthreads();
    out[t] = sums[t ^ 1];
}
// lanescope: block = 8
// lanescope: arg in = zeros(8)
// lanescope: arg out = zeros(8)
// lanescope: arg factor = 3
)";

struct Case {
    const char* number;
    Element element;
    unsigned bytes;
};

class OneType : public testing::TestWithParam<Case> {
  protected:
    void SetUp() override {
        if (!compile::compiler()) GTEST_SKIP() << compile::compiler().error().message();
        const std::string file = folder_.add("turn.cu", turning_kernel);
        Progress progress;
        auto run = session::run({.program = file, .compiler_options = {std::string("-DNUMBER=") + GetParam().number}},
                                progress);
        ASSERT_TRUE(run) << run.error().problem.message();
        run_ = *run;
    }

    ScratchFolder folder_;
    std::shared_ptr<const session::Run> run_;
};

INSTANTIATE_TEST_SUITE_P(Types, OneType,
                         testing::Values(Case{"short", Element::s16, 2}, Case{"unsigned", Element::u32, 4},
                                         Case{"float", Element::f32, 4}, Case{"double", Element::f64, 8}),
                         [](const auto& tested) { return std::string(tested.param.number); });

TEST_P(OneType, IsThatOfBuffersOfTheTraceAndTheirMembers) {
    const trace::Trace& trace = run_->trace();
    const auto named = [&](const std::string& name) {
        return std::ranges::find(trace.buffers, name, &trace::Buffer::name);
    };
    ASSERT_NE(named("out"), trace.buffers.end());
    EXPECT_EQ(named("out")->element, GetParam().element);
    EXPECT_EQ(named("out")->bytes, 8U * GetParam().bytes);
    ASSERT_NE(named("in"), trace.buffers.end());
    const auto members = trace::members_of(trace, run_->module(), *named("in"));
    ASSERT_TRUE(members);
    EXPECT_EQ(members->bytes, 2U * GetParam().bytes);
    ASSERT_EQ(members->all.size(), 2U);
    EXPECT_EQ(members->all[0].element, GetParam().element);
    EXPECT_EQ(members->all[1].offset, GetParam().bytes);
}

TEST_P(OneType, IsThatOfTheKernelsArguments) {
    const auto& arguments = run_->trace().launches.front().arguments;
    ASSERT_EQ(arguments.size(), 3U);
    EXPECT_THAT(arguments[2].type, HasSubstr("Value")) << "named as the source names it";
    EXPECT_EQ(arguments[2].value.size(), GetParam().bytes);
}

TEST_P(OneType, IsThatOfTheCellsOfPassesAndMemory) {
    const analysis::Picture& picture = run_->analysis->picture(0, BlockId{0});
    const auto sums = std::ranges::find(picture.groups, "sums", &analysis::ColumnGroup::name);
    ASSERT_NE(sums, picture.groups.end());
    EXPECT_EQ(sums->element, GetParam().element);
    const analysis::MemoryTable memory(run_->analysis, 0, BlockId{0});
    for (const char* name : {"sums", "out"}) {
        const auto area = std::ranges::find(memory.areas(), name, &analysis::MemoryArea::name);
        ASSERT_NE(area, memory.areas().end()) << name;
        EXPECT_EQ(area->element, GetParam().element) << name;
        EXPECT_EQ(area->count, 8U) << name;
    }
}

TEST_P(OneType, IsThatOfALanesVariables) {
    analysis::MemoryTable memory(run_->analysis, 0, BlockId{0});
    const std::size_t end = run_->analysis->block_passes(0, BlockId{0}).steps.size();
    bool seen = false;
    for (std::size_t position = 0; position <= end && !seen; ++position) {
        memory.seek({.position = position, .since = position});
        const auto scaled = std::ranges::find(memory.variables(), "scaled", &analysis::LaneVariable::name);
        if (scaled == memory.variables().end() || !scaled->written) continue;
        seen = true;
        EXPECT_EQ(scaled->element, GetParam().element);
        EXPECT_EQ(scaled->bytes, GetParam().bytes);
    }
    EXPECT_TRUE(seen);
}

}  // namespace
}  // namespace lanescope
