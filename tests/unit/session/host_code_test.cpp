#include "session/host_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace lanescope::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// As if every kernel left zeros.
Result<std::vector<std::vector<std::byte>>> zeros(const HostRun& run) {
    std::vector<std::vector<std::byte>> contents;
    for (const HostBuffer& buffer : run.buffers) contents.emplace_back(buffer.initial.size());
    return contents;
}

Result<HostRun> main_of(const std::string& body, const std::string& before = "") {
    return run_host_code("__global__ void k(int* p, int n) {}\n" + before + "\nint main() {\n" + body + "\n}\n", "t.cu",
                         {.function = "main", .arguments = {}}, zeros);
}

std::vector<int> ints(const std::vector<std::byte>& bytes) {
    std::vector<int> values(bytes.size() / sizeof(int));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(int));
    return values;
}

TEST(HostCode, makes_the_launches_that_it_reads) {
    const auto run = main_of(
        "int n = 100, threads = 32; int* d; cudaMalloc((void**)&d, n * sizeof(int));\n"
        "dim3 block(threads), grid((n + threads - 1) / threads);\nk<<<grid, block, 4 * threads>>>(d, n);");
    ASSERT_TRUE(run) << run.error().message();
    ASSERT_EQ(run->launches.size(), 1U);
    const HostLaunch& launch = run->launches[0];
    EXPECT_EQ(launch.kernel, "k");
    EXPECT_EQ(launch.grid, (trace::Dim3{4, 1, 1}));
    EXPECT_EQ(launch.block, (trace::Dim3{32, 1, 1}));
    EXPECT_EQ(launch.shared_bytes, 128U);
    EXPECT_EQ(launch.line, 6U);
    ASSERT_EQ(launch.arguments.size(), 2U);
    EXPECT_EQ(launch.arguments[0].buffer, 0U);
    EXPECT_EQ(launch.arguments[1].whole, 100);
    EXPECT_EQ(run->buffers[0].name, "d");
    EXPECT_EQ(run->buffers[0].initial.size(), 400U);
    EXPECT_EQ(run->buffers[0].element, trace::Element::s32);
}

TEST(HostCode, repeats_until_one_is_left_and_swaps_pointers) {
    const auto run = main_of(
        "int *a, *b; cudaMalloc(&a, 400); cudaMalloc(&b, 400); int n = 100;\n"
        "while (n > 1) { int blocks = (n + 9) / 10; k<<<blocks, 10>>>(a, n); std::swap(a, b); n = blocks; }");
    ASSERT_TRUE(run) << run.error().message();
    ASSERT_EQ(run->launches.size(), 2U);
    EXPECT_EQ(run->launches[0].grid.x, 10U);
    EXPECT_EQ(run->launches[1].grid.x, 1U);
    EXPECT_EQ(run->launches[1].arguments[0].buffer, 1U);
}

TEST(HostCode, puts_what_the_host_made_before_the_first_launch_into_its_memory) {
    for (const char* array : {"int h[4];", "int* h = (int*)malloc(4 * sizeof(int));", "int* h = new int[4];",
                              "std::vector<int> h(4);", "int* h = (int*)calloc(4, sizeof(*h));"}) {
        const auto run = main_of(std::string(array) +
                                     "int* d; CHECK(cudaMalloc(&d, 16)); for (int i = 0; i < 4; ++i) h[i] = i * i;\n"
                                     "CHECK(cudaMemcpy(d, &h[0], 16, cudaMemcpyHostToDevice)); k<<<1, 4>>>(d, 4);",
                                 "#define CHECK(call) do { if (call) exit(1); } while (0)");
        ASSERT_TRUE(run) << array << run.error().message();
        EXPECT_THAT(ints(run->buffers[0].initial), ElementsAre(0, 1, 4, 9)) << array;
    }
}

TEST(HostCode, writes_between_launches_and_follows_a_flag_that_a_kernel_sets) {
    const auto run = main_of(
        "int flag = 1, *d; cudaMalloc(&d, 4);\n"
        "do { flag = 7; cudaMemcpy(d, &flag, 4, cudaMemcpyHostToDevice); k<<<1, 1>>>(d, 1);\n"
        "cudaMemcpy(&flag, d, 4, cudaMemcpyDeviceToHost); } while (flag);\nk<<<1, 2>>>(d, 1);");
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_EQ(run->launches.size(), 2U);
    EXPECT_TRUE(run->launches[0].writes.empty());
    EXPECT_THAT(ints(run->buffers[0].initial), ElementsAre(7));
}

TEST(HostCode, calls_the_files_own_functions) {
    const auto run = main_of("int* d; cudaMalloc(&d, 8); go(d, 3);",
                             "int twice(int x) { return 2 * x; }\n"
                             "void go(int* p, int n) { if (n == 0) return; k<<<1, twice(n)>>>(p, n); go(p, n - 1); }");
    ASSERT_TRUE(run) << run.error().message();
    ASSERT_EQ(run->launches.size(), 3U);
    EXPECT_EQ(run->launches[2].block.x, 2U);
}

TEST(HostCode, sets_constant_memory) {
    const auto run = main_of(
        "int h[2] = {3, 4}; cudaMemcpyToSymbol(c, h, sizeof(h)); int* d; cudaMalloc(&d, 4);\n"
        "k<<<1, 1>>>(d, 1);",
        "__constant__ int c[2];");
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_THAT(ints(run->symbols.at("c")), ElementsAre(3, 4));
}

TEST(HostCode, switches_over_the_block_size_as_unrolled_reductions_are_launched) {
    const auto run = main_of(
        "int* d; cudaMalloc(&d, 4096); int threads = 64; int n = 7;\n"
        "switch (threads) {\n"
        "  case 128: total<128><<<1, threads>>>(d, n); break;\n"
        "  case 64: n = 8;\n"
        "  case 32: { total<64><<<1, threads>>>(d, n); } break;\n"
        "  default: total<1><<<1, threads>>>(d, n);\n"
        "}\n"
        "switch (n) { default: k<<<1, 2>>>(d, n); break; case 9: k<<<1, 3>>>(d, n); }",
        "template <int B> __global__ void total(int* p, int n) {}");
    ASSERT_TRUE(run) << run.error().message();
    ASSERT_EQ(run->launches.size(), 2U);
    EXPECT_EQ(run->launches[0].kernel, "total");
    EXPECT_THAT(run->launches[0].template_arguments, ElementsAre("64"));
    EXPECT_EQ(run->launches[0].arguments[1].whole, 8) << "one case falls into the next";
    EXPECT_EQ(run->launches[1].block.x, 2U);
}

TEST(HostCode, reads_and_writes_managed_memory_as_its_own) {
    const auto run = main_of(
        "int *x, *h; cudaMallocManaged(&x, 16); cudaMallocHost((void**)&h, 16);\n"
        "for (int i = 0; i < 4; ++i) { h[i] = i; x[i] = 10 * h[i]; }\n"
        "k<<<1, 4>>>(x, 4); cudaDeviceSynchronize();\n"
        "for (int i = 1; i < 4; ++i) x[i] += 5;\n"
        "k<<<1, 4>>>(x, x[0]);");
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_THAT(ints(run->buffers[0].initial), ElementsAre(0, 10, 20, 30));
    ASSERT_EQ(run->launches.size(), 2U);
    ASSERT_EQ(run->launches[1].writes.size(), 1U) << "one after the other, in one line";
    EXPECT_EQ(run->launches[1].writes[0].offset, 4U);
    EXPECT_THAT(ints(run->launches[1].writes[0].bytes), ElementsAre(5, 5, 5)) << "the kernel left zeros";
    EXPECT_EQ(run->launches[1].arguments[1].whole, 0);
}

TEST(HostCode, does_not_need_what_follows_the_last_launch) {
    const auto run =
        main_of("int* d; cudaMalloc(&d, 4); k<<<1, 1>>>(d, 1);\nfor (auto x : results) show(x); switch (1) {}");
    EXPECT_TRUE(run) << run.error().message();
}

TEST(HostCode, that_it_cannot_follow_is_refused_with_its_line) {
    struct Wrong {
        const char* body;
        const char* what;
    };
    for (const auto& [body, what] :
         {Wrong{"int n = atoi(s);\nk<<<n, 1>>>(0, 1);", "the size of this launch is not known"},
          Wrong{"\nint* d; cudaMalloc(&d, unknown());", "the size that cudaMalloc is given"},
          Wrong{"\nfor (int x : list) k<<<1, 1>>>(0, 1);", "a loop over a range"},
          Wrong{"int h[2];\nh[5] = 1; k<<<1, 1>>>(0, 1);", "past the end of h"},
          Wrong{"\nwhile (true) {} k<<<1, 1>>>(0, 1);", "takes too long"},
          Wrong{"\nint x = 1 / 0; k<<<1, 1>>>(0, 1);", "division by zero"},
          Wrong{"\nk<<<0, 1>>>(0, 1);", "no blocks or no threads"},
          Wrong{"int* d; cudaMalloc(&d, 8);\nint y = *d; k<<<1, 1>>>(d, 1);", "looks into device memory"}}) {
        const auto run = main_of(body);
        ASSERT_FALSE(run) << body;
        EXPECT_THAT(run.error().what, HasSubstr(what)) << body;
        EXPECT_EQ(run.error().where.line, 5U) << body;
    }
}

TEST(HostCode, of_any_text_does_no_harm) {
    const std::string whole =
        "int *a, *b; cudaMalloc(&a, 400); int n = 10; for (int i = 0; i < n; ++i) { k<<<i + 1, 10>>>(a, n ? i : 2); }";
    for (std::size_t length = 0; length < whole.size(); ++length) {
        (void)main_of(whole.substr(0, length));
        std::string without = whole;
        (void)main_of(without.erase(length, 1));
    }
}

}  // namespace
}  // namespace lanescope::session
