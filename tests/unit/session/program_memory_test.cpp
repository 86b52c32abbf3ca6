// Memory of whole programs: a large buffer takes only the memory that is touched, and a program gets an error when the
// device has no more.
#include "session/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

#include "base/files.h"
#include "base/machine_memory.h"
#include "run_support.h"
#include "session/whole_program.h"

namespace lanescope::session {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20, gibibyte = std::uint64_t{1} << 30;

/// The peak memory of this process since the object's construction.
class Peak {
  public:
    Peak() {
        std::ofstream("/proc/self/clear_refs") << 5;  // proc_pid_clear_refs(5): the peak starts again
        before_ = memory_taken();
    }
    [[nodiscard]] std::uint64_t grown() const {
        const std::string status = read_file("/proc/self/status").value_or("");
        const std::size_t at = status.find("VmHWM:");
        const std::size_t digits = status.find_first_of("0123456789", at);
        std::uint64_t kibibytes = 0;
        std::from_chars(status.data() + digits, status.data() + status.size(), kibibytes);
        return std::max(kibibytes * 1024, before_) - before_;
    }

  private:
    std::uint64_t before_ = 0;
};

class ProgramMemory : public testing::Test {
  protected:
    void SetUp() override {
        NEEDS_HOST_CODE();
#ifdef __SANITIZE_THREAD__
        GTEST_SKIP() << "the thread sanitizer takes several times the memory of the program";
#endif
    }
};

TEST_F(ProgramMemory, EightGigabytesOfWhichOneMegabyteIsTouchedCostLittle) {
    if (memory_cap() < 9 * gibibyte) GTEST_SKIP() << "the emulated device has less than 9 GiB here";
    const ScratchFolder folder;
    const Peak peak;
    const auto run = run_of({.program = folder.add("large.cu",
                                                   "#include <cstdio>\n"
                                                   "__global__ void touch(char* p, size_t from) {\n"
                                                   "    p[from + blockIdx.x * size_t(blockDim.x) + threadIdx.x] += 3;\n"
                                                   "}\n"
                                                   "int main() {\n"
                                                   "    const size_t bytes = size_t(8) << 30;\n"
                                                   "    char *d, last[2] = {};\n"
                                                   "    if (cudaMalloc(&d, bytes) != cudaSuccess) return 1;\n"
                                                   "    cudaMemset(d, 0, bytes);\n"
                                                   "    touch<<<1024, 1024>>>(d, bytes - (1 << 20));\n"
                                                   "    touch<<<1, 1>>>(d, bytes - 1);\n"
                                                   "    cudaMemcpy(last, d + bytes - 2, 2, cudaMemcpyDeviceToHost);\n"
                                                   "    printf(\"%d %d\\n\", last[0], last[1]);\n"
                                                   "    cudaFree(d);\n"
                                                   "    return 0;\n"
                                                   "}\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->trace().host_end, "exit status 0");
    EXPECT_THAT(run->trace().findings, IsEmpty());
    ASSERT_EQ(run->trace().buffers.size(), 1U);
    const trace::Buffer& buffer = run->trace().buffers.front();
    EXPECT_EQ(buffer.bytes, 8 * gibibyte);
    EXPECT_EQ(buffer.final[8 * gibibyte - 1], std::byte{6});
    EXPECT_EQ(buffer.final[8 * gibibyte - 2], std::byte{3});
    EXPECT_LT(peak.grown(), 600 * mebibyte);
    RecordProperty("peak_mebibytes", static_cast<int>(peak.grown() / mebibyte));
}

TEST_F(ProgramMemory, AllocatingUntilItFailsEndsWithCudasErrorAndWhatTheDeviceSays) {
    const ScratchFolder folder;
    const Peak peak;
    const auto run =
        run_of({.program = folder.add("greedy.cu",
                                      "#include <cstdio>\n"
                                      "#include <vector>\n"
                                      "__global__ void k(int* p) { *p = 1; }\n"
                                      "int main() {\n"
                                      "    const size_t piece = size_t(256) << 20;\n"
                                      "    size_t left, total;\n"
                                      "    cudaDeviceProp facts;\n"
                                      "    cudaGetDeviceProperties(&facts, 0);\n"
                                      "    cudaMemGetInfo(&left, &total);\n"
                                      "    if (total != facts.totalGlobalMem || left > total) return 1;\n"
                                      "    std::vector<char*> all;\n"
                                      "    char* d;\n"
                                      "    cudaError_t error;\n"
                                      "    while ((error = cudaMalloc(&d, piece)) == cudaSuccess) all.push_back(d);\n"
                                      "    if (error != cudaErrorMemoryAllocation || all.empty()) return 2;\n"
                                      "    cudaMemGetInfo(&left, &total);\n"
                                      "    if (left >= piece || all.size() * piece > total) return 3;\n"
                                      "    k<<<1, 1>>>((int*)all.back());\n"
                                      "    for (char* each : all) cudaFree(each);\n"
                                      "    if (cudaMalloc(&d, piece) != cudaSuccess) return 4;\n"
                                      "    cudaFree(d);\n"
                                      "    return 0;\n"
                                      "}\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->trace().host_end, "exit status 0");
    EXPECT_LT(peak.grown(), 600 * mebibyte);
}

TEST_F(ProgramMemory, TenThousandBuffersThatAreFreedGiveTheirMemoryBack) {
    const ScratchFolder folder;
    const Peak peak;
    const auto run = run_of({.program = folder.add("many.cu",
                                                   "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n"
                                                   "int main() {\n"
                                                   "    for (int i = 0; i < 10000; ++i) {\n"
                                                   "        int* d;\n"
                                                   "        if (cudaMalloc(&d, 4 << 20) != cudaSuccess) return 1;\n"
                                                   "        cudaMemset(d, 1, 4 << 20);\n"
                                                   "        if (i % 100 == 0) k<<<1, 32>>>(d);\n"
                                                   "        cudaFree(d);\n"
                                                   "    }\n"
                                                   "    return 0;\n"
                                                   "}\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->trace().host_end, "exit status 0");
    EXPECT_EQ(run->trace().launches.size(), 100U);
    EXPECT_EQ(run->trace().buffers.size(), 100U) << "the others no launch has seen";
    EXPECT_LT(peak.grown(), 2 * gibibyte) << "40 GiB were allocated one after the other";
}

TEST_F(ProgramMemory, PinnedMemoryIsComparedByPage) {
    const ScratchFolder folder;
    const Peak peak;
    const auto run = run_of({.program = folder.add("pinned.cu",
                                                   "__global__ void k(int* p, size_t at) { p[at] += 1; }\n"
                                                   "int main() {\n"
                                                   "    int* h;\n"
                                                   "    const size_t count = size_t(1) << 28;\n"
                                                   "    cudaMallocHost(&h, count * sizeof(int));\n"
                                                   "    for (int i = 0; i < 3; ++i) {\n"
                                                   "        h[count - 1] += 10;\n"
                                                   "        k<<<1, 1>>>(h, count - 1);\n"
                                                   "        cudaDeviceSynchronize();\n"
                                                   "    }\n"
                                                   "    const int result = h[count - 1];\n"
                                                   "    cudaFreeHost(h);\n"
                                                   "    return result == 33 ? 0 : 1;\n"
                                                   "}\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->trace().host_end, "exit status 0");
    ASSERT_EQ(run->trace().host_writes.size(), 2U) << "before the second and the third launch";
    EXPECT_LE(run->trace().host_writes.front().after.size(), sizeof(int));
    EXPECT_LT(peak.grown(), 600 * mebibyte);
}

}  // namespace
}  // namespace lanescope::session
