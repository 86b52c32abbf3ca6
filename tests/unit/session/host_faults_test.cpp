// Faults of the host itself, and their sound twins.
#include "session/host_code.h"
#include "session_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lanescope::session {
namespace {

using Kind = trace::Finding::Kind;
using testing::HasSubstr;
using testing::IsEmpty;

/// The body begins in line 3.
Result<HostRun> main_of(const std::string& body, const std::string& before = "") {
    const DeviceContents zeros = [](const HostRun& run) -> Result<std::vector<std::vector<std::byte>>> {
        std::vector<std::vector<std::byte>> contents;
        for (const HostBuffer& buffer : run.buffers) contents.emplace_back(buffer.initial.size());
        return contents;
    };
    return run_host_code("__global__ void k(int* p, int n) {} " + before + "\nint main() {\n" + body + "\n}\n", "t.cu",
                         {.function = "main", .arguments = {}, .most_work = 200'000}, zeros);
}

struct Case {
    std::string body;
    Kind kind;
    unsigned line;
    std::string message;
};

class FaultOfTheHost : public testing::TestWithParam<Case> {};

TEST_P(FaultOfTheHost, is_found_with_its_line_and_the_rest_is_followed) {
    const auto run = main_of(GetParam().body);
    ASSERT_TRUE(run) << run.error().message();
    ASSERT_EQ(run->faults.size(), 1U) << GetParam().body;
    EXPECT_EQ(run->faults[0].kind, GetParam().kind);
    EXPECT_EQ(run->faults[0].line, GetParam().line);
    EXPECT_THAT(run->faults[0].message, HasSubstr(GetParam().message));
    EXPECT_EQ(run->launches.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, FaultOfTheHost,
    testing::Values(
        Case{
            "int h[8], *d; cudaMalloc(&d, 16);\ncudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice); k<<<1, 1>>>(d, 4);",
            Kind::out_of_bounds, 4, "cudaMemcpy writes 32 bytes to d, which has 16 bytes"},
        Case{"int h[2], *d; cudaMalloc(&d, 16); k<<<1, 1>>>(d, 4);\ncudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);",
             Kind::out_of_bounds, 4, "cudaMemcpy writes 16 bytes to h, which has 8 bytes"},
        Case{"int h[4], *d; cudaMalloc(&d, 16);\ncudaMemcpy(d, h, 16, cudaMemcpyDeviceToHost); k<<<1, 1>>>(d, 4);",
             Kind::out_of_bounds, 4, "told cudaMemcpyDeviceToHost, and h, which it copies from, is the host's memory"},
        Case{"int *d; cudaMalloc(&d, 16); k<<<1, 1>>>(d, 4);\ncudaFree(d);\ncudaFree(d);", Kind::double_free, 5,
             "d again, which was freed in line 4"},
        Case{"int *h = new int[4], *d; cudaMalloc(&d, 16); k<<<1, 1>>>(d, 4); delete[] h;\nh[0] = 1;",
             Kind::use_after_free, 4, "h was freed in line 3"},
        Case{"int *d; cudaMalloc(&d, 16); cudaFree(d);\nk<<<1, 1>>>(d, 4);", Kind::use_after_free, 4,
             "k is passed d, which was freed in line 3"},
        Case{"int *d;\nk<<<1, 1>>>(d, 4);", Kind::null_access, 4, "no cudaMalloc gave it memory"},
        Case{"int *h;\nh[0] = 1; int* d; cudaMalloc(&d, 4); k<<<1, 1>>>(d, 1);", Kind::null_access, 4, "never set"},
        Case{"int* h = (int*)malloc(16);\nk<<<1, 1>>>(h, 4);", Kind::out_of_bounds, 4, "h, which is the host's memory"},
        Case{"int *d; cudaMalloc(&d, 16); k<<<1, 1>>>(d, 4);\nprintf(\"%d\", d[1]);", Kind::out_of_bounds, 4,
             "the host reaches d[1], and d is device memory"},
        Case{"int h[4], *d; cudaMalloc(&d, 16);\nfor (int i = 0; i <= 4; i++) h[i] = i;\nk<<<1, 1>>>(d, 4);",
             Kind::out_of_bounds, 4, "the host reaches h[4], and h has 4 elements"},
        Case{"int h[4], *d; cudaMalloc(&d, 16); k<<<1, 1>>>(d, 4);\nfree(h);", Kind::invalid_free, 4, "the variable h"},
        Case{"int *d; cudaMalloc(&d, 16); k<<<1, 1>>>(d, 4);\nfree(d);", Kind::invalid_free, 4,
             "d, which is device memory"},
        Case{"int *d; cudaMallocManaged(&d, 16); k<<<1, 1>>>(d, 4);\nint s = d[0];", Kind::race, 4,
             "cudaDeviceSynchronize() waits for it"},
        Case{"int *d; cudaMalloc(&d, 16);\ncudaMemset(d, 0, 64); k<<<1, 1>>>(d, 4);", Kind::out_of_bounds, 4,
             "cudaMemset writes 64 bytes to d"}));

TEST(HostFaults, are_none_in_sound_programs) {
    for (const char* body :
         {"int h[4], *d; cudaMalloc(&d, 16); cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice); k<<<1, 1>>>(d, 4);\n"
          "cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost); for (int i = 0; i < 4; i++) printf(\"%d\", h[i]);\n"
          "cudaFree(d); cudaFree(0); cudaFree(nullptr); return 0;",
          // Results are not known behind the last launch: what is found by them may be anywhere.
          "int h[4], best = -1, *d; cudaMalloc(&d, 16); k<<<1, 1>>>(d, 4); cudaMemcpy(h, d, 16, cudaMemcpyDefault);\n"
          "for (int i = 0; i < 4; i++) if (h[i] > 0) best = i; printf(\"%d\", h[best]); printf(\"%d\", h[h[0] - 1]);",
          "int *d; cudaMallocManaged(&d, 16); k<<<1, 1>>>(d, 4); cudaDeviceSynchronize(); printf(\"%d\", d[3]);",
          "int *d; cudaMallocManaged(&d, 16); k<<<1, 1>>>(d, 4); WAIT(); printf(\"%d\", d[3]);",
          "int *d, *h; library(&d); cudaMallocHost(&h, 16); h[3] = 1; cudaMalloc(&d, 16); k<<<1, 1>>>(d, 4);\n"
          "cudaMemcpy(h, d + 2, 8, cudaMemcpyDeviceToHost); cudaFreeHost(h);",
          "int *d = NULL, h[4]; cudaMalloc((void**)&d, 16); k<<<1, 1>>>(d, 4); int* end = &h[4]; if (end - h != 4) "
          "goto Error;\nError: cudaFree(d);"}) {
        const auto run = main_of(body, "\n#define WAIT() do { if (cudaDeviceSynchronize()) exit(1); } while (0)\n");
        ASSERT_TRUE(run) << body << run.error().message();
        for (const HostFault& fault : run->faults) ADD_FAILURE() << body << '\n' << fault.message;
        EXPECT_EQ(run->launches.size(), 1U);
    }
}

TEST(HostFaults, stand_among_the_findings) {
    const Folder folder;
    const auto run =
        run_of({.program = folder.add(
                    "twice.cu",
                    "__global__ void k(int* p) { p[threadIdx.x] = 1; }\nint main() {\n    int* d;\n"
                    "    cudaMalloc(&d, 16);\n    k<<<1, 4>>>(d);\n    cudaFree(d);\n    cudaFree(d);\n}\n")});
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->trace().findings.size(), 1U);
    const trace::Finding& finding = run->trace().findings[0];
    EXPECT_EQ(finding.kind, Kind::double_free);
    EXPECT_EQ(finding.source_line, 7U);
    EXPECT_FALSE(finding.block.valid()) << "it is of no thread";
}

}  // namespace
}  // namespace lanescope::session
