// A saved trace opens as the original run, without its kernel or a compiler.
#include "session/saved_trace.h"
#include "session/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "analysis/source/display_names.h"
#include "run_support.h"
#include "trace/cursor.h"
#include "trace/file.h"

namespace lanescope::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Session, WhatTheHostWritesBetweenLaunchesIsPartOfTheTrace) {
    NEEDS_HOST_CODE();
    const auto run = run_of({.program = "scan/sums-on-the-host", .n = 24, .block = 8, .input = "ones"});
    ASSERT_NE(run, nullptr);
    const trace::Trace& trace = run->trace();
    ASSERT_EQ(trace.host_writes.size(), 1U);
    const trace::HostWrite& write = trace.host_writes[0];
    EXPECT_EQ(trace.buffers[write.buffer].name, "sums");
    EXPECT_EQ(write.launch, 1U);
    const auto ints = [](const auto& bytes) {
        std::vector<int> values(bytes.size() / sizeof(int));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    };
    EXPECT_THAT(ints(write.before), ElementsAre(8, 8, 8));
    EXPECT_THAT(ints(write.after), ElementsAre(0, 8, 16));
    trace::Cursor cursor(run->analysis->trace);
    const std::size_t second = trace.launches[1].first_step.index();
    cursor.seek(second);
    EXPECT_EQ(ints(cursor.global(write.buffer).bytes), ints(write.after));
    cursor.back();
    EXPECT_EQ(ints(cursor.global(write.buffer).bytes), ints(write.before));

    const analysis::Provenance& provenance = *run->analysis->provenance;
    const auto words = [&](std::uint64_t offset, std::size_t position) {
        const analysis::ValueId value = provenance.memory_at(trace::Space::global, 0, BlockId(0),
                                                             trace.buffers[write.buffer].address + offset, position);
        return value.valid() ? analysis::host_words(provenance, value) : "nothing";
    };
    EXPECT_EQ(words(4, second - 1), "") << "the kernel's own";
    EXPECT_EQ(words(4, second), "before launch 1 (line 42)");
}

TEST(SavedTrace, WithoutTheBeginningOfOneIsRefusedAsNone) {
    const ScratchFolder folder;
    const Refusal foreign = refusal_of({.program = folder.add("foreign.lanescope", "something else")});
    EXPECT_EQ(foreign.problem.what, "this is not a Lanescope trace");
    EXPECT_THAT(foreign.problem.where.file, HasSubstr("foreign.lanescope"));
    EXPECT_EQ(refusal_of({.program = folder.add("empty.lanescope", "")}).problem.what, "this is not a Lanescope trace");
    const Refusal cut = refusal_of({.program = folder.add("cut.ptx", ".version 8.0\n.target sm_75\n")});
    EXPECT_THAT(cut.problem.remedy, HasSubstr(".entry"));
}

TEST(SavedTrace, OpensAsTheRunThatItWas) {
    const ScratchFolder folder;
    for (const Program& program : catalog()) {
        if (!program.recipe.expected.fault.empty()) continue;
        const auto run = run_of({.program = program.name});
        const auto path = folder.path() / "saved.lanescope";
        ASSERT_TRUE(trace::save(run->trace(), path));
        const auto opened = open_trace(path);
        ASSERT_TRUE(opened) << opened.error().problem.message();
        EXPECT_EQ((*opened)->program.name, program.name);
        EXPECT_EQ((*opened)->program.lesson.title, program.lesson.title);
        EXPECT_EQ((*opened)->n, run->n);
        // A host function may make blocks of another shape from the number that it is called with.
        EXPECT_EQ((*opened)->block, program.recipe.host ? run->trace().launches.front().block.count() : run->block);
        EXPECT_EQ((*opened)->input, run->input);
        EXPECT_EQ((*opened)->verdict.ok, true);
        EXPECT_EQ((*opened)->verdict.actual, run->verdict.actual);
        EXPECT_EQ((*opened)->analysis->totals, run->analysis->totals);
        EXPECT_EQ((*opened)->analysis->work, run->analysis->work);
    }
}

TEST(SavedTrace, RunsAgainUnderTheScheduleAndOnTheMultiprocessorsThatItRanOn) {
    const ScratchFolder folder;
    const auto path = folder.path() / "saved.lanescope";
    const Request request{
        .program = folder.add("late.cu",
                              "__global__ void late(int* out) {\n"
                              "    __shared__ int word;\n"
                              "    if (threadIdx.x == 0) word = 7;\n"
                              "    if (threadIdx.x == 32) out[blockIdx.x] = word;\n"
                              "}\n"),
        .block = 64,
        .grid = 2,
        .arguments = {{"out", "zeros(2)"}},
        .placement = {.multiprocessors = "2", .resident = "1", .order = "descending", .schedule = "shuffled 4"}};
    const auto run = run_of(request);
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->trace().schedule, "shuffled 4");
    ASSERT_TRUE(trace::save(run->trace(), path));
    const auto opened = open_trace(path);
    ASSERT_TRUE(opened) << opened.error().problem.message();
    EXPECT_EQ((*opened)->trace().schedule, "shuffled 4");
    EXPECT_EQ((*opened)->request.placement, request.placement);

    Request again = request;
    again.placement = (*opened)->request.placement;
    const auto repeated = run_of(again);
    ASSERT_NE(repeated, nullptr);
    EXPECT_EQ(repeated->trace().step_count(), run->trace().step_count());
    EXPECT_TRUE(std::ranges::equal(repeated->trace().steps(), (*opened)->trace().steps(), {}, &trace::Step::warp,
                                   &trace::Step::warp));
}

TEST(SavedTrace, OfAStudentsFileOpensWithoutTheFile) {
    const ScratchFolder folder;
    const auto path = folder.path() / "saved.lanescope";
    {
        const ScratchFolder gone;
        ASSERT_TRUE(trace::save(run_of({.program = gone.add("total.cu", student_file)})->trace(), path));
    }
    const auto opened = open_trace(path);
    ASSERT_TRUE(opened) << opened.error().problem.message();
    EXPECT_EQ((*opened)->kernel, "total");
    EXPECT_EQ((*opened)->program.source.text, student_file);
    EXPECT_EQ((*opened)->program.source.name, "total.cu");
}

TEST(SavedTrace, AsCompiledKnowsTheTypesOfItsArrays) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("tile.cu",
                                                   "__global__ void turn(const int* in, int* out) {\n"
                                                   "    __shared__ int tile[4][8];\n"
                                                   "    tile[threadIdx.x / 8][threadIdx.x % 8] = in[threadIdx.x];\n"
                                                   "    __syncthreads();\n"
                                                   "    out[threadIdx.x] = tile[threadIdx.x % 4][threadIdx.x / 4];\n"
                                                   "}\n"),
                             .n = 32,
                             .block = 32,
                             .view = trace::View::compiled});
    const auto path = folder.path() / "saved.lanescope";
    ASSERT_TRUE(trace::save(run->trace(), path));
    const auto opened = open_trace(path);
    ASSERT_TRUE(opened) << opened.error().problem.message();
    const std::vector<ptx::SourceArray>& arrays = (*opened)->analysis->module->arrays;
    ASSERT_EQ(arrays.size(), 1U);
    EXPECT_EQ(arrays[0].element_type, "int");
    EXPECT_EQ(arrays[0].extents, run->analysis->module->arrays[0].extents);
    EXPECT_EQ(arrays[0].extents, (std::vector<std::uint64_t>{4, 8}));
}

TEST(SavedTrace, KnowsTheMembersOfItsStructures) {
    const ScratchFolder folder;
    const std::string file = folder.add("argmax.cu", R"(struct Best { float value; int index; };
__global__ void argmax(const float* in, Best* out) {
    __shared__ Best best[32];
    const int t = threadIdx.x;
    best[t].value = in[t];
    best[t].index = t;
    __syncthreads();
    for (int s = 16; s > 0; s /= 2) {
        if (t < s && best[t + s].value > best[t].value) best[t] = best[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = best[0];
}
)");
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        const auto run = run_of({.program = file, .n = 32, .block = 32, .view = view});
        const auto path = folder.path() / "saved.lanescope";
        ASSERT_TRUE(trace::save(run->trace(), path));
        const auto opened = open_trace(path);
        ASSERT_TRUE(opened) << opened.error().problem.message();
        for (const auto& each : {run, *opened}) {
            const trace::Trace& trace = each->trace();
            const ptx::Module& module = *each->analysis->module;
            EXPECT_EQ(analysis::shared_name(trace, module, 0, 29 * 8 + 4, 4), "best[29].index");
            const trace::Buffer& out = trace.buffers.back();
            EXPECT_EQ(analysis::global_name(trace, module, 0, out.address, 4), "out[0].value");
            const analysis::Picture& picture = each->analysis->picture(0, BlockId(0));
            ASSERT_FALSE(picture.groups.empty());
            const analysis::ColumnGroup& best = picture.groups.front();
            EXPECT_EQ(best.index_text(59), "29.index");
            EXPECT_EQ(best.element_of(58), trace::Element::f32);
            EXPECT_EQ(best.element_of(59), trace::Element::s32);
        }
    }
}

TEST(SavedTrace, WhosePtxIsNotItsOwnIsRefused) {
    const ScratchFolder folder;
    const auto run = run_of({.program = "reduce/sequential"});
    trace::Trace other = run->trace();
    other.origin.ptx = run_of({.program = "scan/double-buffered"})->trace().origin.ptx;
    ASSERT_TRUE(trace::save(other, folder.path() / "forged.lanescope"));
    const auto opened = open_trace(folder.path() / "forged.lanescope");
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().problem.message(), HasSubstr("damaged"));
}

TEST(SavedTrace, OfTenPassesAs1024ThreadsWriteThemIsSmall) {
    const auto run = run_of({.program = "scan/double-buffered", .n = 1024, .block = 1024});
    EXPECT_LT(run->trace().memory_bytes(), std::uint64_t{64} << 20);
    EXPECT_LT(trace::to_bytes(run->trace()).size(), std::size_t{4} << 20);
}

}  // namespace
}  // namespace lanescope::session
