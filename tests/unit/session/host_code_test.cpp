#include "session/host_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "execute/simt/addresses.h"

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
    return run_host_code(
        "__global__ void k(int* p, int n) {}\n" + before + "\nint main(int argc, char** argv) {\n" + body + "\n}\n",
        "t.cu", {.function = "main", .arguments = {}, .most_work = 200'000}, zeros);
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

TEST(HostCode, tells_that_a_limit_of_the_device_stays_where_more_is_asked_for) {
    const std::string launch = " int* d; cudaMalloc(&d, 400); k<<<1, 32>>>(d, 1);";
    const auto beyond = main_of(
        "cudaDeviceSetLimit(cudaLimitStackSize, 65536);\n"
        "cudaDeviceSetLimit(cudaLimitMallocHeapSize, 256 << 20);" +
        launch);
    ASSERT_TRUE(beyond) << beyond.error().message();
    EXPECT_THAT(beyond->notes,
                ElementsAre(HasSubstr("a thread's stack stays at 4096 bytes, though cudaDeviceSetLimit asks for 65536"),
                            HasSubstr("the device's heap stays at 8388608 bytes")));
    const auto within = main_of(
        "cudaDeviceSetLimit(cudaLimitStackSize, 2048);\n"
        "cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 64 << 20);" +
        launch);
    ASSERT_TRUE(within) << within.error().message();
    EXPECT_THAT(within->notes, testing::IsEmpty()) << "what is printed is not bounded";
}

TEST(HostCode, knows_the_bytes_of_curands_states) {
    const auto run = main_of(
        "curandState* x; curandStatePhilox4_32_10_t* p; curandStateMRG32k3a* m;\n"
        "cudaMalloc(&x, 10 * sizeof(curandState)); cudaMalloc((void**)&p, 10 * sizeof(curandStatePhilox4_32_10_t));\n"
        "cudaMalloc(&m, 10 * sizeof(*m)); k<<<1, 32>>>((int*)x, 1);");
    ASSERT_TRUE(run) << run.error().message();
    ASSERT_EQ(run->buffers.size(), 3U);
    EXPECT_EQ(run->buffers[0].initial.size(), 480U);
    EXPECT_EQ(run->buffers[1].initial.size(), 640U);
    EXPECT_EQ(run->buffers[2].initial.size(), 480U);
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

const char* const matrix =
    "struct Matrix {\n"
    "    int w, h;\n"
    "    float* data;\n"
    "    Matrix(int width, int height) : w(width), h(height), data(nullptr) { cudaMalloc(&data, bytes()); }\n"
    "    size_t bytes() const { return w * h * sizeof(float); }\n"
    "    __host__ __device__ int at(int r, int c) const { return r * w + c; }\n"
    "};\n"
    "typedef struct { int n; float *x, *y; } Pair;\n"
    "struct Body { float x, y; int id; };\n"
    "__global__ void m(Matrix a) {}\n__global__ void p(Pair a) {}\n__global__ void b(Body* a) {}\n";

TEST(HostCode, passes_structures_by_value_with_the_addresses_of_their_buffers) {
    const auto run = main_of(
        "Matrix a(4, 3); m<<<1, 1>>>(a);\n"
        "Pair s = {7, nullptr, NULL}; cudaMalloc((void**)&s.y, 40); Pair t = s; t.n += 1; p<<<1, 1>>>(t);\n"
        "k<<<1, 1>>>(0, a.at(1, 2));",
        matrix);
    ASSERT_TRUE(run) << run.error().message();
    ASSERT_EQ(run->launches.size(), 3U);
    const auto word = [&](std::size_t launch, std::size_t offset, auto value) {
        std::memcpy(&value, run->launches[launch].arguments[0].structure.data() + offset, sizeof value);
        return value;
    };
    ASSERT_EQ(run->launches[0].arguments[0].structure.size(), 16U);
    EXPECT_EQ(word(0, 0, 0), 4);
    EXPECT_EQ(word(0, 4, 0), 3);
    EXPECT_EQ(word(0, 8, std::uint64_t{0}), execute::next_global_address(0)) << "where the emulator puts the first";
    EXPECT_EQ(run->buffers[0].name, "a.data") << "as main calls it";
    EXPECT_EQ(run->buffers[0].initial.size(), 48U);
    EXPECT_EQ(run->buffers[1].name, "s.y");
    ASSERT_EQ(run->launches[1].arguments[0].structure.size(), 24U);
    EXPECT_EQ(word(1, 0, 0), 8);
    EXPECT_EQ(word(1, 8, std::uint64_t{0}), 0U);
    EXPECT_EQ(word(1, 16, std::uint64_t{0}), execute::next_global_address(word(0, 8, std::uint64_t{0}) + 48));
    EXPECT_EQ(run->launches[2].arguments[1].whole, 6);
}

TEST(HostCode, fills_arrays_of_structures_and_of_rows) {
    const auto run = main_of(
        "Body h[3]; for (int i = 0; i < 3; ++i) { h[i].x = i + 0.5f; h[i].id = 10 * i; } h[2] = h[1];\n"
        "Body* d; cudaMalloc(&d, sizeof(h)); cudaMemcpy(d, h, 3 * sizeof(Body), cudaMemcpyHostToDevice);\n"
        "b<<<1, 3>>>(d); b<<<1, 1>>>(d + 1);\n"
        "int grid[2][3] = {{1, 2, 3}, {4, 5}}; grid[1][2] = 6; int* g; cudaMalloc(&g, sizeof grid);\n"
        "cudaMemcpy(g, grid, sizeof(grid), cudaMemcpyHostToDevice); k<<<1, 1>>>(g, grid[1][0]);",
        matrix);
    ASSERT_TRUE(run) << run.error().message();
    ASSERT_EQ(run->launches.size(), 3U);
    EXPECT_EQ(ints(run->buffers[0].initial)[2], 0);
    EXPECT_EQ(ints(run->buffers[0].initial)[5], 10);
    EXPECT_EQ(ints(run->buffers[0].initial)[8], 10);
    EXPECT_FALSE(run->launches[0].arguments[0].address);
    EXPECT_EQ(run->launches[1].arguments[0].address, execute::next_global_address(0) + 12);
    EXPECT_EQ(run->launches[2].arguments[1].whole, 4);
    EXPECT_THAT(ints(run->launches[2].writes.at(0).bytes), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(HostCode, refers_to_what_is_passed_by_reference_or_address) {
    const auto run = main_of(
        "int n = 1; int* d; twice(n); make(&d, n); std::vector<int> v; grow(v, n);\n"
        "cudaMemcpy(d, v.data(), v.size() * sizeof(int), cudaMemcpyHostToDevice); k<<<1, 1>>>(d, n);",
        "void twice(int& n) { n = 2 * n; }\n"
        "void make(int** p, int n) { cudaMalloc((void**)p, n * sizeof(int)); }\n"
        "void grow(std::vector<int>& v, int n) { for (int i = 0; i < n; ++i) v.push_back(i + 5); for (auto& x : v) x "
        "*= 2; }");
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_EQ(run->buffers[0].name, "d");
    EXPECT_THAT(ints(run->buffers[0].initial), ElementsAre(10, 12));
    EXPECT_EQ(run->launches[0].arguments[1].whole, 2);
}

TEST(HostCode, launches_by_calls_of_the_runtime) {
    const auto run = main_of(
        "int n = 5, *d; float f = 0.5f; cudaMalloc(&d, 64); void* args[] = {&d, &n};\n"
        "cudaLaunchKernel((void*)k, dim3(2), dim3(32), args, 16, 0);\n"
        "int* second = d + 2; void* others[3] = {&second, &f}; cudaLaunchCooperativeKernel(&scale<float, 4>, 1, 8, "
        "others);",
        "template <typename T, int B> __global__ void scale(int* p, float x) {}");
    ASSERT_TRUE(run) << run.error().message();
    ASSERT_EQ(run->launches.size(), 2U);
    EXPECT_EQ(run->launches[0].kernel, "k");
    EXPECT_EQ(run->launches[0].grid.x, 2U);
    EXPECT_EQ(run->launches[0].shared_bytes, 16U);
    EXPECT_EQ(run->launches[0].line, 5U);
    EXPECT_EQ(run->launches[0].arguments[0].buffer, 0U);
    EXPECT_EQ(run->launches[0].arguments[1].whole, 5);
    EXPECT_THAT(run->launches[1].template_arguments, ElementsAre("float", "4"));
    EXPECT_EQ(run->launches[1].arguments[0].address, execute::next_global_address(0) + 8);
    EXPECT_EQ(run->launches[1].arguments[1].real, 0.5);
}

TEST(HostCode, knows_what_else_course_programs_ask_of_the_runtime) {
    const auto run = main_of(
        "cudaError_t err = cudaSuccess; int *d, n = argc > 1 ? atoi(argv[1]) : 4; size_t pitch;\n"
        "err = cudaMallocPitch((void**)&d, &pitch, 3 * sizeof(int), 2); if (err != cudaSuccess) exit(1);\n"
        "int h[2][3] = {1, 2, 3}; cudaMemcpy2D(d, pitch, h, 12, 12, 2, cudaMemcpyHostToDevice);\n"
        "cudaDeviceProp prop; cudaGetDeviceProperties(&prop, 0); int sms = 0, least, best;\n"
        "cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);\n"
        "cudaOccupancyMaxPotentialBlockSize(&least, &best, k, 0, 0);\n"
        "if (prop.maxThreadsPerBlock < best) { fprintf(stderr, \"no\"); exit(EXIT_FAILURE); }\n"
        "k<<<prop.multiProcessorCount, best>>>(d, sms * n);\nexit(0);\nk<<<1, 1>>>(d, 1);");
    ASSERT_TRUE(run) << run.error().message();
    ASSERT_EQ(run->launches.size(), 1U);
    EXPECT_EQ(run->launches[0].grid.x, 132U);
    EXPECT_EQ(run->launches[0].arguments[1].whole, 528);
    EXPECT_EQ(run->buffers[0].initial.size(), 1024U);
    EXPECT_THAT(run->notes, testing::Contains(HasSubstr("NVIDIA H200")));
}

TEST(HostCode, knows_names_in_namespaces_enumerations_and_what_is_sorted) {
    const auto run = main_of(
        "nets::Layer layer(nets::Kind::deep, 12); int h[4] = {7, 2, 9, 4}; std::sort(h, h + 4); std::reverse(h, h + "
        "2);\n"
        "int* d; cudaMalloc(&d, layer.bytes()); cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice);\n"
        "k<<<layer.kind, 1>>>(d, nets::twice<int, 5>(1));",
        "namespace nets { enum class Kind { flat = 1, deep = 3 };\n"
        "template <typename T, int N> T twice(T x) { return 2 * x + N; }\n"
        "struct Layer { Kind kind; int size; Layer(Kind k, int s) : kind(k), size(s) {} int bytes() { return size * 4; "
        "} }; }");
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_THAT(ints(run->buffers[0].initial), ElementsAre(4, 2, 7, 9, 0, 0, 0, 0, 0, 0, 0, 0));
    EXPECT_EQ(run->launches[0].grid.x, 3U);
    EXPECT_EQ(run->launches[0].arguments[1].whole, 7);
}

std::string text(const std::vector<std::byte>& bytes) {
    std::string all;
    for (const std::byte each : bytes) all += char(each);
    return all;
}

TEST(HostCode, reads_strings_into_arrays_of_characters) {
    struct Program {
        const char* code;
        std::string held;
    };
    for (const auto& [code, held] :
         {Program{"char t[] = \"hello\"; cudaMalloc(&d, sizeof t); cudaMemcpy(d, t, sizeof(t), up);", {"hello", 6}},
          Program{"char t[8] = {\"a\\n\\x41\\\"\" \"b\"}; cudaMalloc(&d, 8); cudaMemcpy(d, t, 8, up);",
                  {"a\nA\"b\0\0\0", 8}},
          Program{"char t[2][3] = {\"ab\", \"c\"}; cudaMalloc(&d, 6); cudaMemcpy(d, t, sizeof t, up);",
                  {"ab\0c\0\0", 6}},
          Program{"const char* t = \"four\"; cudaMalloc(&d, strlen(t)); cudaMemcpy(d, t, strlen(t), up);",
                  {"four", 4}}}) {
        const auto run =
            main_of(std::string("char* d; auto up = cudaMemcpyHostToDevice; ") + code + " k<<<1, 1>>>(d, 1);");
        ASSERT_TRUE(run) << run.error().message();
        EXPECT_EQ(text(run->buffers[0].initial), held) << code;
        EXPECT_TRUE(run->faults.empty()) << code;
    }
}

TEST(HostCode, follows_pointers_that_own_what_they_point_to) {
    for (const char* const begins :
         {"std::unique_ptr<int[]> h(new int[4]);", "auto h = std::make_unique<int[]>(4);",
          "std::unique_ptr<int[]> h; h.reset(new int[4]);", "std::shared_ptr<int> h(new int[4], Deleter());",
          "auto other = std::make_unique<int[]>(4); auto h = std::move(other);"}) {
        const auto run = main_of(std::string(begins) +
                                 "for (int i = 0; i < 4; ++i) h[i] = i; int* d; cudaMalloc(&d, 16);\n"
                                 "cudaMemcpy(d, h.get(), 16, cudaMemcpyHostToDevice); k<<<1, 1>>>(d, 1);");
        ASSERT_TRUE(run) << begins << run.error().message();
        EXPECT_THAT(ints(run->buffers[0].initial), ElementsAre(0, 1, 2, 3)) << begins;
        EXPECT_TRUE(run->faults.empty()) << begins;
    }
    const auto run = main_of("auto n = std::make_unique<int>(3); k<<<*n, 1>>>(nullptr, 1);");
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_EQ(run->launches[0].grid.x, 3U);
}

TEST(HostCode, goes_through_as_many_streams_as_there_are) {
    for (const char* const streams :
         {"cudaStream_t s[3];", "cudaEvent_t e, s[3];", "std::vector<cudaStream_t> s(3);"}) {
        const auto run = main_of(std::string(streams) +
                                 "for (auto& each : s) { cudaStreamCreate(&each);\n"
                                 "k<<<1, 1, 0, each>>>(nullptr, 1); }");
        ASSERT_TRUE(run) << streams << run.error().message();
        EXPECT_EQ(run->launches.size(), 3U) << streams;
    }
    const char* const more = "void more(std::vector<cudaStream_t>& s) { s.push_back(0); }";
    for (const char* const grows : {"s.push_back(x);", "more(s);"}) {
        const auto run = main_of(std::string("std::vector<cudaStream_t> s(1);") + grows +
                                     "\nfor (auto& each : s) k<<<1, 1, 0, each>>>(nullptr, 1);",
                                 more);
        ASSERT_FALSE(run) << "how many there are is not known: " << grows;
        EXPECT_THAT(run.error().what, HasSubstr("a loop over this range"));
    }
}

TEST(HostCode, knows_a_type_by_the_name_that_a_function_gives_it) {
    for (const char* const names : {"typedef int T;", "using T = int;"}) {
        const auto run = main_of(std::string(names) + "T* d = (T*)made(); k<<<1, sizeof(T)>>>(d, 1);",
                                 "float* made() { float* p; cudaMalloc(&p, 16); return p; }");
        ASSERT_TRUE(run) << names << run.error().message();
        EXPECT_EQ(run->launches[0].block.x, 4U);
    }
}

TEST(HostCode, knows_the_structures_of_a_function) {
    for (const char* const defines :
         {"struct P { int n, b; } p = {4, 5};", "struct { int n, b; } p = {4, 5};",
          "struct P { int n, b; }; P p{4, 5};", "typedef struct { int n, b; } P; P p; p.n = 4; p.b = 5;"}) {
        const auto run = main_of(std::string(defines) + "k<<<p.n, p.b>>>(nullptr, sizeof(p));");
        ASSERT_TRUE(run) << defines << run.error().message();
        EXPECT_EQ(run->launches[0].grid.x, 4U) << defines;
        EXPECT_EQ(run->launches[0].block.x, 5U) << defines;
        EXPECT_EQ(run->launches[0].arguments[1].whole, 8) << defines;
    }
}

TEST(HostCode, that_changes_memory_in_a_way_that_is_not_known_is_told) {
    const auto run = main_of("int h[4]; shuffled(h, 4); int* d; cudaMalloc(&d, 16); k<<<1, 1>>>(d, 1);");
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_THAT(run->notes, ElementsAre(HasSubstr("what shuffled does is not known")));
}

TEST(HostCode, that_it_cannot_follow_is_refused_with_its_line) {
    struct Wrong {
        const char* body;
        const char* what;
    };
    for (const auto& [body, what] :
         {Wrong{"int n = atoi(s);\nk<<<n, 1>>>(0, 1);", "the size of this launch is not known"},
          Wrong{"\nint* d; cudaMalloc(&d, unknown());", "the size that cudaMalloc is given"},
          Wrong{"\nfor (int x : list) k<<<1, 1>>>(0, 1);", "a loop over this range"},
          Wrong{"\nwhile (true) {} k<<<1, 1>>>(0, 1);", "takes too long"},
          Wrong{"\nint x = 1 / 0; k<<<1, 1>>>(0, 1);", "division by zero"},
          Wrong{"\nk<<<0, 1>>>(0, 1);", "no blocks or no threads"}}) {
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
