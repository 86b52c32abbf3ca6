// Types and extents of variables in memory come from the compiler, in both views, however the source spells them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/panels/memory_table.h"
#include "compile/compile.h"
#include "run_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::session {
namespace {

using testing::UnorderedElementsAre;

/// "tile: float[8][9]"; "tile: ?" where the type is not known.
std::vector<std::string> shared_in(const Run& run) {
    std::vector<std::string> texts;
    for (const ptx::SourceArray& array : run.analysis->module->arrays) {
        if (array.space != ptx::Space::shared) continue;
        std::string text = fmt::format("{}: {}", array.name, array.element_bytes == 0 ? "?" : array.element_type);
        for (const std::uint64_t extent : array.extents) text += fmt::format("[{}]", extent);
        texts.push_back(std::move(text));
    }
    return texts;
}

class DescribedVariables : public testing::TestWithParam<trace::View> {
  protected:
    void SetUp() override {
        if (!compile::compiler()) GTEST_SKIP() << compile::compiler().error().message();
    }
    std::shared_ptr<const session::Run> run_source(const std::string& source) {
        return run_of({.program = folder_.add("source.cu", source), .n = 32, .block = 32, .view = GetParam()});
    }
    ScratchFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Views, DescribedVariables, testing::Values(trace::View::written, trace::View::compiled));

TEST_P(DescribedVariables, HaveTheExtentsThatTemplateArgumentsMake) {
    const auto run = run_source(R"(template <typename T, int rows> __global__ void turn(const T* in, T* out) {
    __shared__ T tile[rows][32 / rows + 1];
    tile[threadIdx.x % rows][threadIdx.x / rows] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[(threadIdx.x + 1) % rows][threadIdx.x / rows];
}
// lanescope: template = float, 4
)");
    EXPECT_THAT(shared_in(*run), UnorderedElementsAre("tile: float[4][9]"));
}

/// A type of the source is described in one place, so that a change there reaches every reader.
TEST_P(DescribedVariables, ChangedInTheSourceChangeForEveryReader) {
    for (const auto& [type, element] : {std::pair("int", trace::Element::s32), std::pair("float", trace::Element::f32),
                                        std::pair("unsigned", trace::Element::u32)}) {
        SCOPED_TRACE(type);
        const auto run = run_source(fmt::format(R"(using Number = {};
__global__ void turn(const Number* in, Number* out) {{
    __shared__ Number tile[32];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}}
)",
                                                type));
        ASSERT_NE(run, nullptr);
        const trace::Trace& trace = run->trace();
        EXPECT_EQ(trace.shared_arrays.at(0).element, element) << "the emulator, whose findings name values";
        for (const trace::Buffer& buffer : trace.buffers) EXPECT_EQ(buffer.element, element) << buffer.name;
        const analysis::MemoryTable table(run->analysis, 0, BlockId(0));
        ASSERT_GE(table.areas().size(), 3U);
        for (const analysis::MemoryArea& area : table.areas()) EXPECT_EQ(area.element, element) << area.name;
        const analysis::Picture& picture = run->analysis->picture(0, BlockId(0));
        for (const analysis::ColumnGroup& group : picture.groups) EXPECT_EQ(group.element, element) << group.name;
    }
}

TEST_P(DescribedVariables, AreOfTheBranchThatIsCompiled) {
    const auto run = run_source(R"(#define WIDE 0
using Row = int[4];
__global__ void turn(const int* in, int* out) {
#if WIDE
    __shared__ double tile[16];
#else
    __shared__ Row tile[8];
#endif
    tile[threadIdx.x / 4][threadIdx.x % 4] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x % 8][threadIdx.x / 8];
}
)");
    EXPECT_THAT(shared_in(*run), UnorderedElementsAre("tile: int[8][4]"));
}

TEST_P(DescribedVariables, OfOneNameInSeveralFunctionsAndScopesAreDistinguished) {
    const auto run = run_source(R"(template <int n> __device__ __noinline__ int sum(int x) {
    __shared__ int cells[n];
    cells[threadIdx.x % n] = x;
    __syncthreads();
    return cells[(threadIdx.x + 1) % n];
}
__global__ void turn(const int* in, int* out) {
    if (blockDim.x > 16) {
        __shared__ float cells[32];
        cells[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        out[threadIdx.x] = cells[31 - threadIdx.x];
    } else {
        __shared__ unsigned char cells[2][32];
        cells[in[0] & 1][threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        out[threadIdx.x] = cells[in[1] & 1][31 - threadIdx.x];
    }
    out[threadIdx.x] += sum<8>(in[threadIdx.x]) + sum<16>(1);
}
)");
    EXPECT_THAT(shared_in(*run), UnorderedElementsAre("cells: float[32]", "cells: unsigned char[2][32]",
                                                      "cells: int[8]", "cells: int[16]"));
}

TEST_P(DescribedVariables, OfEqualSizeAndNameButOtherTypesStayUnknown) {
    const auto run = run_source(R"(__global__ void turn(const int* in, int* out) {
    if (blockDim.x > 16) {
        __shared__ float cells[32];
        cells[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        out[threadIdx.x] = cells[31 - threadIdx.x];
    } else {
        __shared__ int cells[32];
        cells[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        out[threadIdx.x] = cells[31 - threadIdx.x];
    }
}
)");
    EXPECT_THAT(shared_in(*run), UnorderedElementsAre("cells: ?", "cells: ?"));
}

TEST_P(DescribedVariables, OfTheWholeFileAndDynamicOnesAreKnownToo) {
    const auto run = run_source(R"(__shared__ unsigned int ticket;
__device__ double totals[2][3];
extern __shared__ long long dynamic[];
__global__ void turn(const int* in, int* out) {
    if (threadIdx.x == 0) ticket = in[0];
    dynamic[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    totals[1][2] = ticket;
    out[threadIdx.x] = dynamic[31 - threadIdx.x] + ticket;
}
// lanescope: shared = block * 8
)");
    EXPECT_THAT(shared_in(*run), UnorderedElementsAre("ticket: unsigned int", "dynamic: long long[0]"));
    const auto& arrays = run->analysis->module->arrays;
    const auto totals = std::ranges::find(arrays, "totals", &ptx::SourceArray::name);
    ASSERT_NE(totals, arrays.end());
    EXPECT_EQ(totals->element_type, "double");
    EXPECT_EQ(totals->extents, (std::vector<std::uint64_t>{2, 3}));
}

}  // namespace
}  // namespace lanescope::session
