// Verification of asynchronous copies, mbarriers, indexed branches and calls through pointers.
#include "emulated_verifier.h"
#include "run_support.h"

#include <gmock/gmock.h>

#include <array>

namespace lanescope::session {
namespace {

using testing::HasSubstr;
using Verdict = Verification::Verdict;

constexpr std::array both_views{trace::View::written, trace::View::compiled};

const std::string switches = R"(
__global__ void pick(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int r = 0, k = in[i] & 3;
    asm volatile("{\n\t"
                 "table: .branchtargets zero, one, two, zero;\n\t"
                 "brx.idx %1, table;\n\t"
                 "zero: add.s32 %0, %0, 10;\n\t"
                 "bra.uni done;\n\t"
                 "one: add.s32 %0, %0, 20;\n\t"
                 "bra.uni done;\n\t"
                 "two: add.s32 %0, %0, 30;\n\t"
                 "done:\n\t"
                 "}" : "+r"(r) : "r"(k));
    out[i] = r;
}
)";

TEST(VerificationOfATableOfBranches, ComparesWhereEachThreadGoes) {
    const ScratchFolder folder;
    const std::string file = folder.add("switches.cu", switches);
    for (const trace::View view : both_views) {
        const auto same = verified_by(emulator(), file, view);
        ASSERT_TRUE(same) << same.error().message();
        EXPECT_EQ(same->verdict, Verdict::agree) << description_of(*same);
    }
}

TEST(VerificationOfATableOfBranches, NamesTheOneThatGoesElsewhere) {
    const ScratchFolder folder;
    const std::string file = folder.add("switches.cu", switches);
    const auto other_case = [](std::string ptx) {
        const std::size_t brx = ptx.find("brx.idx");
        const std::size_t name = ptx.find('%', brx);
        const std::string index = ptx.substr(name, ptx.find(',', name) - name);
        const std::size_t taken = ptx.rfind("cvt.u64.u32 %lanescope_value, " + index, brx);
        return ptx.insert(taken, "xor.b32 " + index + ", " + index + ", 1;\n\t");
    };
    const auto other = verified_by(edited(other_case), file);
    ASSERT_TRUE(other) << other.error().message();
    EXPECT_EQ(other->verdict, Verdict::differ);
    ASSERT_TRUE(other->difference);
    EXPECT_THAT(other->difference->instruction, HasSubstr("brx.idx"));
    EXPECT_THAT(other->difference->found, HasSubstr("branches to line "));
    EXPECT_NE(other->difference->found, other->difference->expected);
}

TEST(VerificationOfACopy, NamesTheOneFromAnotherAddress) {
    const auto from_elsewhere = [](std::string ptx) {
        const std::size_t copy = ptx.find("cp.async.ca");
        const std::size_t name = ptx.find('%', ptx.find("],", copy));
        const std::string from = ptx.substr(name, ptx.find_first_of("]+", name) - name);
        return ptx.insert(ptx.rfind("add.s64 %lanescope_x, " + from, copy),
                          "add.s64 " + from + ", " + from + ", 4;\n\t");
    };
    const auto other = verified_by(edited(from_elsewhere), "reduce/copy-ahead");
    ASSERT_TRUE(other) << other.error().message();
    EXPECT_EQ(other->verdict, Verdict::differ) << description_of(*other);
    ASSERT_TRUE(other->difference);
    EXPECT_THAT(other->difference->instruction, HasSubstr("cp.async"));
    EXPECT_THAT(other->difference->found, HasSubstr("begins to copy from global memory at"));
}

TEST(VerificationOfACopy, ComparesHowManyBytesItReads) {
    const ScratchFolder folder;
    const std::string file = folder.add("fills.cu", R"(
__global__ void fill(const int* in, int* out, int n) {
    __shared__ int4 four[64];
    unsigned to = (unsigned)__cvta_generic_to_shared(&four[threadIdx.x]);
    int bytes = threadIdx.x % 17;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to), "l"(in + threadIdx.x / 4 * 4), "r"(bytes));
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = four[threadIdx.x].x + four[threadIdx.x].w;
}
)");
    for (const trace::View view : both_views) {
        const auto same = verified_by(emulator(), file, view);
        ASSERT_TRUE(same) << same.error().message();
        EXPECT_EQ(same->verdict, Verdict::agree) << description_of(*same);
    }
    const auto one_more = [](std::string ptx) {
        const std::size_t copy = ptx.find("cp.async.cg");
        const std::size_t taken = ptx.rfind("cvt.u64.u32 %lanescope_value, ", copy);
        const std::string bytes = ptx.substr(taken + 30, ptx.find(';', taken) - taken - 30);
        return ptx.insert(taken, "min.u32 " + bytes + ", " + bytes + ", 8;\n\t");
    };
    const auto other = verified_by(edited(one_more), file);
    ASSERT_TRUE(other) << other.error().message();
    ASSERT_TRUE(other->difference) << description_of(*other);
    EXPECT_EQ(other->difference->thread, 9U);
    EXPECT_THAT(other->difference->expected, HasSubstr("begins to copy 9 bytes to shared memory at"));
    EXPECT_THAT(other->difference->found, HasSubstr("begins to copy 8 bytes to shared memory at"));
}

const std::string barriers = R"(
__global__ void meet(const int* in, int* out, int n, int arrivals) {
    __shared__ unsigned long long full, other;
    __shared__ int cells[64];
    unsigned at = (unsigned)__cvta_generic_to_shared(&full);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(blockDim.x) : "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], %1;"
                     :: "r"((unsigned)__cvta_generic_to_shared(&other)), "r"(arrivals) : "memory");
    }
    __syncthreads();
    cells[threadIdx.x] = in[threadIdx.x];
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" :: "r"(at) : "memory");
    int complete = 0;
    WAIT {
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0;  selp.s32 %0, 1, 0, p; }"
                     : "=r"(complete) : "r"(at) : "memory");
    }
    out[threadIdx.x] = complete ? cells[63 - threadIdx.x] : 7;
}
)";

TEST(VerificationOfAnMbarrier, DoesNotCompareHowOftenAThreadTests) {
    const ScratchFolder folder;
    for (const std::string& program : {std::string("scan/ring"), std::string("scan/specialized-warps"),
                                       folder.add("barriers.cu", "#define WAIT while (!complete)\n" + barriers)}) {
        for (const trace::View view : both_views) {
            SCOPED_TRACE(program);
            const auto same = verified_by(emulator(), program, view);
            ASSERT_TRUE(same) << same.error().message();
            EXPECT_EQ(same->verdict, Verdict::agree) << description_of(*same);
        }
    }
}

TEST(VerificationOfAnMbarrier, NamesTheCountThatDiffers) {
    const ScratchFolder folder;
    const std::string file = folder.add("barriers.cu", "#define WAIT while (!complete)\n" + barriers);
    const auto other_count = [](std::string ptx) {
        const std::size_t load = ptx.find("ld.param.u32", ptx.find("ld.param.u64"));
        const std::size_t name = ptx.find('%', load);
        const std::string count = ptx.substr(name, ptx.find(',', name) - name);
        return ptx.insert(ptx.find(';', load) + 1, "\n\tadd.u32 " + count + ", " + count + ", 1;");
    };
    const auto other = verified_by(edited(other_count), file);
    ASSERT_TRUE(other) << other.error().message();
    ASSERT_TRUE(other->difference) << description_of(*other);
    EXPECT_THAT(other->difference->instruction, HasSubstr("mbarrier.init"));
    EXPECT_THAT(other->difference->found, HasSubstr("initializes the mbarrier in shared memory at"));
}

TEST(VerificationOfAnMbarrier, HasNoVerdictOfAThreadThatActsOnAnEarlyTest) {
    const ScratchFolder folder;
    const std::string file = folder.add("barriers.cu", "#define WAIT\n" + barriers);
    const auto too_early = [](std::string ptx) {
        return ptx.insert(ptx.find(';', ptx.find("mbarrier.test_wait")) + 1, "setp.ne.u32 p, 0, 0;");
    };
    const auto early = verified_by(edited(too_early), file);
    ASSERT_TRUE(early) << early.error().message();
    EXPECT_EQ(early->verdict, Verdict::skipped);
    EXPECT_THAT(early->why, HasSubstr("is a question of time"));
}

const std::string functions = R"(
__device__ int triple(int x) { return x * 3; }
__device__ int less(int x) { return x - 7; }
typedef int (*Function)(int);
__device__ Function table[2] = {triple, less};
__device__ Function last;
__global__ void apply(const int* in, int* out, int n) {
    __shared__ Function mine[64];
    mine[threadIdx.x] = table[(unsigned)in[threadIdx.x] % 2];
    __syncthreads();
    out[threadIdx.x] = mine[63 - threadIdx.x](in[threadIdx.x]);
    if (threadIdx.x == 0) last = mine[0];
}
)";

TEST(VerificationOfFunctionPointers, ComparesThemByFunction) {
    const ScratchFolder folder;
    const std::string file = folder.add("functions.cu", functions);
    // Functions of this machine have other addresses.
    const auto one_before = [](std::string ptx) {
        return ptx.insert(ptx.find('\n', ptx.find(".address_size")) + 1, ".func before_all()\n{\n\tret;\n}\n");
    };
    for (const trace::View view : both_views) {
        const auto same = verified_by(edited(one_before), file, view);
        ASSERT_TRUE(same) << same.error().message();
        EXPECT_EQ(same->verdict, Verdict::agree) << description_of(*same);
    }
}

}  // namespace
}  // namespace lanescope::session
