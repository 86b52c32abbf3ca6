// Blocks on several CPU threads give the same results as on one, bit for bit.
#include "harness.h"

namespace lanescope::execute {
namespace {

using Words = std::vector<std::uint64_t>;

std::shared_ptr<const trace::Trace> run_on(Kernel kernel, unsigned threads) {
    return kernel.limits({.record_blocks = 2, .threads = threads}).run();
}

void expect_same(const Kernel& kernel) {
    const auto one = run_on(kernel, 1);
    const auto four = run_on(kernel, 4);
    EXPECT_EQ(one->counts, four->counts);
    ASSERT_EQ(one->buffers.size(), four->buffers.size());
    for (std::size_t i = 0; i < one->buffers.size(); ++i) EXPECT_EQ(one->buffers[i].final, four->buffers[i].final);
    ASSERT_EQ(one->findings.size(), four->findings.size());
    for (std::size_t i = 0; i < one->findings.size(); ++i) {
        EXPECT_EQ(one->findings[i].message, four->findings[i].message);
        EXPECT_EQ(one->findings[i].count, four->findings[i].count);
    }
    EXPECT_EQ(one->step_count(), four->step_count());
    ASSERT_EQ(one->launches.size(), four->launches.size());
    for (std::size_t i = 0; i < one->launches.size(); ++i) {
        EXPECT_EQ(one->launches[i].blocks, four->launches[i].blocks);
        EXPECT_EQ(one->launches[i].resident, four->launches[i].resident);
        EXPECT_EQ(one->launches[i].atomics_at_one_word, four->launches[i].atomics_at_one_word);
    }
}

constexpr unsigned blocks = 300;

/// A kernel with one warp per block, in which %in and %out point to the thread's element in the whole grid.
Kernel of_grid(const std::string& body) {
    Kernel kernel(kernel_of(R"(
mov.u32 %r10, %ctaid.x;
mul.wide.u32 %d10, %r10, 256;
add.u64 %in, %in, %d10;
add.u64 %out, %out, %d10;
)" + body));
    Words values(std::size_t{blocks} * 32);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i * 7 % 1000;
    kernel.grid(blocks).block(32).buffer("in", values).buffer("out", Words(values.size()));
    return kernel;
}

TEST(Parallel, GivesTheSameWhereBlocksKeepToTheirOwn) {
    expect_same(of_grid("ld.global.u64 %d0, [%in];\nadd.u64 %d0, %d0, %d0;\nst.global.u64 [%out], %d0;"));
}

TEST(Parallel, KeepsWhatEachBlockExecuted) {
    const auto trace = run_on(of_grid("ld.global.u64 %d0, [%in];\nst.global.u64 [%out], %d0;"), 4);
    const trace::Launch& launch = trace->launches.front();
    ASSERT_EQ(launch.blocks.size(), blocks);
    std::uint64_t sum = 0;
    for (const trace::BlockRun& run : launch.blocks) {
        EXPECT_EQ(run.longest_warp, run.warp_instructions) << "a block is one warp";
        EXPECT_EQ(run.waited, 0U);
        sum += run.warp_instructions;
    }
    EXPECT_EQ(sum, trace->totals().warp_instructions);
}

std::uint64_t atomics_at_one_word(const std::string& body, unsigned threads = 1) {
    const auto trace = run_on(of_grid(body), threads);
    EXPECT_THAT(trace->findings, testing::IsEmpty());
    return trace->launches.front().atomics_at_one_word.value_or(~0ULL);
}

TEST(AtomicWords, CountTheWarpInstructionsOfTheWordThatMostOfThemAccess) {
    EXPECT_EQ(atomics_at_one_word("ld.global.u64 %d0, [%in];\nst.global.u64 [%out], %d0;"), 0U) << "no atomics";
    // %out - 256 * %ctaid.x and 8 * %tid.x less: the first element of the grid.
    const std::string first =
        "sub.u64 %out, %out, %d10;\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %d1, %r0, 8;\n"
        "sub.u64 %out, %out, %d1;\n";
    EXPECT_EQ(atomics_at_one_word(first + "red.global.add.u64 [%out], 1;"), blocks) << "the lanes of a warp are one";
    EXPECT_EQ(atomics_at_one_word("red.global.add.u64 [%out], 1;"), 1U) << "each lane has a word of its own";
    EXPECT_EQ(atomics_at_one_word("red.global.add.u64 [%out], 1;\natom.global.add.u64 %d0, [%out], 1;"), 2U);
    // Lanes 0 to 3 access word 0, lanes 4 to 7 word 2, and so on: the same eight words in each block.
    EXPECT_EQ(atomics_at_one_word(first + "shr.u32 %r0, %r0, 2;\nmul.wide.u32 %d1, %r0, 8;\nadd.u64 %out, %out, %d1;\n"
                                          "red.global.add.u64 [%out], 1;"),
              blocks);
    // Block 0 alone has two.
    EXPECT_EQ(atomics_at_one_word("red.global.add.u64 [%out], 1;\nsetp.ne.u32 %p0, %r10, 0;\n@%p0 bra END;\n"
                                  "red.global.add.u64 [%out], 1;\nEND:"),
              2U);
}

TEST(AtomicWords, OfSeveralThreadsAreAdded) {
    const std::string body = "red.global.add.u64 [%out], 1;\nred.global.add.u64 [%out], 2;";
    EXPECT_EQ(atomics_at_one_word(body, 4), 2U);
    expect_same(of_grid(body));
}

TEST(Parallel, GivesTheSameInPlace) {
    expect_same(of_grid("ld.global.u64 %d0, [%in];\nadd.u64 %d0, %d0, 3;\nst.global.u64 [%in], %d0;"));
}

TEST(Parallel, GivesTheSameWhereABlockReadsWhatTheOneBeforeItWrote) {
    expect_same(of_grid(R"(
setp.eq.u32 %p0, %r10, 0;
@%p0 bra FIRST;
ld.global.u64 %d0, [%out - 256];
FIRST:
add.u64 %d0, %d0, 1;
st.global.u64 [%out], %d0;)"));
    const auto trace = run_on(of_grid(R"(
setp.eq.u32 %p0, %r10, 0;
@%p0 bra FIRST;
ld.global.u64 %d0, [%out - 256];
FIRST:
add.u64 %d0, %d0, 1;
st.global.u64 [%out], %d0;)"),
                              4);
    EXPECT_EQ(final_of<std::uint64_t>(*trace, "out").back(), blocks) << "a chain through all blocks, in their order";
}

TEST(Parallel, GivesTheSameWhereAllBlocksWriteOnePlace) {
    expect_same(of_grid("sub.u64 %out, %out, %d10;\nld.global.u64 %d0, [%in];\nst.global.u64 [%out], %d0;"));
}

TEST(Parallel, GivesTheSameWhereALaterBlockWritesWhatTheFirstDidNot) {
    expect_same(of_grid(R"(
setp.lt.u32 %p0, %r10, 200;
@%p0 bra END;
ld.global.u64 %d0, [%in];
st.global.u64 [%out], %d0;
END:)"));
}

TEST(Parallel, FindsTheSameFaults) {
    expect_same(of_grid(R"(
setp.lt.u32 %p0, %r10, 250;
@%p0 bra END;
add.u64 %out, %out, 90000;
st.global.u64 [%out], %d0;
END:)"));
}

TEST(Parallel, SpendsTheSameBudget) {
    Kernel kernel = of_grid("mov.u32 %r0, 0;\nLOOP:\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p0, %r0, 50;\n@%p0 bra LOOP;");
    const auto run = [&](unsigned threads) {
        return kernel.limits({.record_blocks = 2, .warp_instructions = 20'000, .threads = threads}).run();
    };
    const auto one = run(1);
    const auto four = run(4);
    ASSERT_FALSE(one->notes.empty());
    EXPECT_EQ(one->notes, four->notes);
    EXPECT_EQ(one->counts, four->counts);
}

}  // namespace
}  // namespace lanescope::execute
