// A __host__ __device__ function that host code calls is also run once as a launch of one thread, with the arguments
// and the memory of the first call; calls that cannot be run are counted, with the reason.
#include "session/host_function_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "run_support.h"
#include "session/whole_program.h"
#include "trace/file.h"

namespace lanescope::session {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* functions = R"(#include <cstdio>
#include <cstdlib>
#include <vector>
__host__ __device__ int sum_serial(const int* in, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += in[i];
    return sum;
}
__host__ __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__host__ __device__ double many(int a, float b, long c, double d, signed char e, unsigned char f, short g, bool h,
                                float i, double j, float k, float l, float m, float n, float o, float p, int q, int r) {
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q * 1000 + r;
}
struct Counter {
    int value, step;
    __host__ __device__ int add(int times) { return value += times * step; }
};
__host__ __device__ void exchange(int& a, int& b) { int t = a; a = b; b = t; }
struct Pair { int x, y; };
__host__ __device__ int by_value(Pair p) { return p.x + p.y; }
__host__ __device__ int next(int x) { return x + 1; }
__host__ __device__ int past_end(const int* in) { return in[0] + in[3]; }
__host__ __device__ int side() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}
int table[4] = {5, 6, 7, 8};
__host__ __device__ signed char narrow(const signed char* in, signed char k) { return in[1] + k; }
struct Node { int value; Node* next; };
__host__ __device__ int length(const Node* at) { int n = 0; for (; at != nullptr; at = at->next) ++n; return n; }
__global__ void kernel(int* out) { Counter counter{0, 1}; out[0] = next(1) + counter.add(1); }
int main() {
    int* heap = (int*)malloc(16 * sizeof(int));
    for (int i = 0; i < 16; ++i) heap[i] = i;
    printf("%d ", sum_serial(heap, 16));
    printf("%d %d ", sum_serial(table, 4), fibonacci(10));
    printf("%g ", many(1, 2.5f, 3, 4.25, -5, 250, -300, true, .5f, .25, 1, 2, 3, 4, 5, 6, 7, 8));
    Counter counter{40, 2};
    printf("%d ", counter.add(1));
    int x = 1, y = 2;
    exchange(x, y);
    Pair pair{1, 2};
    printf("%d %d %d ", x, y, by_value(pair));
    long sum = 0;
    for (int i = 0; i < 1000000; ++i) sum += next(i);
    int* three = (int*)malloc(3 * sizeof(int));
    three[0] = 0;
    volatile int ignored = past_end(three);
    signed char letters[2] = {1, -3};
    printf("%ld %d %d ", sum, side(), narrow(letters, -4));
    Node last{3, nullptr}, middle{2, &last}, first{1, &middle};
    printf("%d\n", length(&first));
    int* out;
    cudaMalloc(&out, sizeof(int));
    kernel<<<1, 1>>>(out);
    cudaFree(out);
    free(heap);
    free(three);
}
)";

class HostFunctions : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        if (cannot_run_programs()) return;
        folder_ = new ScratchFolder;
        file_ = folder_->add("functions.cu", functions);
        program_ = run_of({.program = file_});
    }
    static void TearDownTestSuite() {
        program_.reset();
        delete folder_;
        folder_ = nullptr;
    }
    void SetUp() override {
        NEEDS_HOST_CODE();
        ASSERT_NE(program_, nullptr);
    }
    /// The step of the program that shows the function.
    static std::string step_of(const std::string& function) {
        for (const trace::HostStep& step : program_->trace().host_steps)
            if (step.kind == trace::HostStep::Kind::call && step.text.starts_with(function + "(")) return step.text;
        return "no step";
    }
    static std::shared_ptr<const session::Run> shown(const std::string& function) {
        Request request;
        request.program = file_;
        request.host_function = function;
        return run_of(request);
    }
    static const trace::Buffer* buffer_of(const session::Run& run, const std::string& name) {
        const auto found = std::ranges::find(run.trace().buffers, name, &trace::Buffer::name);
        return found == run.trace().buffers.end() ? nullptr : &*found;
    }
    static ScratchFolder* folder_;
    static std::string file_;
    static std::shared_ptr<const session::Run> program_;
};
ScratchFolder* HostFunctions::folder_ = nullptr;
std::string HostFunctions::file_;
std::shared_ptr<const session::Run> HostFunctions::program_;

std::string printed_by(const trace::Trace& trace) {
    std::string printed;
    for (const trace::HostStep& step : trace.host_steps)
        if (step.kind == trace::HostStep::Kind::print) printed += step.text;
    return printed;
}

TEST_F(HostFunctions, AreStepsOfTheProgramAndNoLaunches) {
    EXPECT_EQ(program_->trace().launches.size(), 1U);
    EXPECT_EQ(printed_by(program_->trace()), "120 26 55 6986.5 42 2 1 3 500000500000 2 -7 3\n")
        << "each function has run once on the host";
    EXPECT_EQ(program_->trace().host_end, trace::successful_exit);
}

TEST_F(HostFunctions, StateHowOftenTheyWereCalledAndWhatBothReturn) {
    const std::string sum = step_of("sum_serial");
    EXPECT_THAT(sum, HasSubstr("n = 16) on the CPU: 2 calls, the first is also run as a launch of one thread"));
    EXPECT_THAT(sum, HasSubstr("both return 120"));
    EXPECT_THAT(step_of("next"), HasSubstr("1,000,000 calls"));
    EXPECT_THAT(step_of("next"), HasSubstr("both return 1"));
}

TEST_F(HostFunctions, StandAtTheLineOfTheCall) {
    const auto step = std::ranges::find_if(
        program_->trace().host_steps, [](const trace::HostStep& each) { return each.text.starts_with("fibonacci("); });
    ASSERT_NE(step, program_->trace().host_steps.end());
    const std::string text(functions);
    const std::size_t at = text.find("fibonacci(10)");
    EXPECT_EQ(step->source_line, 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n'));
}

TEST_F(HostFunctions, CallsThatTheyMakeArePartOfThem) {
    EXPECT_THAT(step_of("fibonacci"),
                HasSubstr("on the CPU: 1 call, also run as a launch of one thread: both return 55"));
}

TEST_F(HostFunctions, TakeArgumentsInRegistersAndInMemory) {
    EXPECT_THAT(step_of("many"), HasSubstr("both return 6986.5"));
    EXPECT_THAT(step_of("many"), HasSubstr("b = 2.5, c = 3, d = 4.25, e = -5, f = 250, g = -300, h = 1"));
    EXPECT_THAT(step_of("many"), HasSubstr("p = 6, q = 7, r = 8)"));
    EXPECT_THAT(step_of("narrow"), HasSubstr("both return -7"));
}

TEST_F(HostFunctions, ReachObjectsByThisAndByReference) {
    EXPECT_THAT(step_of("Counter::add"), HasSubstr("both return 42"));
    const auto run = shown("exchange");
    ASSERT_NE(run, nullptr);
    const trace::Buffer* const x = buffer_of(*run, "x");
    ASSERT_NE(x, nullptr) << "the variable's own name";
    EXPECT_EQ(x->bytes, 4U);
    EXPECT_EQ(x->initial[0], std::byte{1});
    EXPECT_EQ(x->final[0], std::byte{2});
    EXPECT_THAT(run->trace().findings, IsEmpty());
}

TEST_F(HostFunctions, FollowPointersInMemory) { EXPECT_THAT(step_of("length"), HasSubstr("both return 3")); }

TEST_F(HostFunctions, ShowTheirRunAsALaunchOfOneThread) {
    const auto run = shown("sum_serial");
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->trace().launches.size(), 1U);
    EXPECT_EQ(run->kernel, "sum_serial");
    EXPECT_EQ(run->trace().launches[0].grid.count() * run->trace().launches[0].block.count(), 1U);
    EXPECT_EQ(run->n, 16U);
    EXPECT_EQ(run->analysis->work, 15U);
    const trace::Buffer* const in = buffer_of(*run, "in");
    ASSERT_NE(in, nullptr);
    EXPECT_EQ(in->bytes, 64U) << "the block of the heap, no more";
    EXPECT_EQ(in->element, trace::Element::s32);
    const trace::Buffer* const returned = buffer_of(*run, "returned");
    ASSERT_NE(returned, nullptr);
    EXPECT_EQ(returned->final[0], std::byte{120});
    EXPECT_THAT(run->trace().findings, IsEmpty());
    EXPECT_THAT(run->notes, testing::Contains(HasSubstr("This is not a GPU launch.")));
}

TEST_F(HostFunctions, AsCompiledReturnTheSame) {
    Request request;
    request.program = file_;
    request.view = trace::View::compiled;
    const auto run = run_of(request);
    ASSERT_NE(run, nullptr);
    std::vector<std::string> texts;
    for (const trace::HostStep& step : run->trace().host_steps)
        if (step.kind == trace::HostStep::Kind::call) texts.push_back(step.text);
    EXPECT_THAT(texts, testing::Contains(HasSubstr("both return 120")));
    EXPECT_THAT(texts, testing::Contains(HasSubstr("both return 6986.5")));
}

TEST_F(HostFunctions, AnAccessPastTheirMemoryIsAFinding) {
    const auto run = shown("past_end");
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->trace().findings.size(), 1U);
    EXPECT_EQ(run->trace().findings[0].kind, trace::Finding::Kind::out_of_bounds);
    EXPECT_EQ(run->trace().findings[0].source_line, 22U);
}

TEST_F(HostFunctions, WhereBothSidesDifferBothAreShown) {
    EXPECT_THAT(step_of("side"), HasSubstr("the CPU returns 2, the device version 1"));
}

TEST_F(HostFunctions, AStructureByValueIsRefusedWithTheReason) {
    EXPECT_THAT(step_of("by_value"), HasSubstr("1 call, counted only: it takes a structure by value"));
    Progress progress;
    Request request;
    request.program = file_;
    request.host_function = "by_value";
    const auto run = session::run(request, progress);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().field, "function");
    EXPECT_THAT(run.error().problem.what, HasSubstr("it takes a structure by value"));
    request.host_function = "nothing";
    const auto none = session::run(request, progress);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().problem.message(), HasSubstr("sum_serial"));
}

TEST_F(HostFunctions, TheirStepsAreSaved) {
    const auto read = trace::from_bytes(trace::to_bytes(program_->trace()), "saved");
    ASSERT_TRUE(read) << read.error().message();
    const auto step = std::ranges::find((*read)->host_steps, trace::HostStep::Kind::call, &trace::HostStep::kind);
    ASSERT_NE(step, (*read)->host_steps.end());
    EXPECT_EQ(step->function, "sum_serial");
}

std::vector<std::string> calls_in(const session::Run& run) {
    std::vector<std::string> texts;
    for (const trace::HostStep& step : run.trace().host_steps)
        if (step.kind == trace::HostStep::Kind::call) texts.push_back(step.text);
    return texts;
}

TEST(HostFunctionsOfPrograms, OfInternalLinkageAreFoundByTheirNamesInTheSource) {
    NEEDS_HOST_CODE();
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("internal.cu", R"(#include <cstdio>
static __host__ __device__ int twice(int n) { return 2 * n; }
static __host__ __device__ int twice(int n, int m) { return 2 * n + m; }
namespace inner {
static __host__ __device__ int thrice(int n) { return 3 * n; }
namespace {
__host__ __device__ float halve(float x) { return x / 2; }
}
}
template <class T> static __host__ __device__ T least(T a, T b) { return a < b ? a : b; }
static __host__ __device__ int of_the_host(int n) { return n + 1; }
__global__ void use(int* out) {
    out[0] = twice(1) + twice(1, 2) + inner::thrice(2) + (int)inner::halve(4) + least(5, 6);
}
int main() {
    printf("%d %d %d %g %d %d\n", twice(4), twice(4, 1), inner::thrice(5), inner::halve(5), least(9, 8),
           of_the_host(1));
    int* out;
    cudaMalloc(&out, 4);
    use<<<1, 1>>>(out);
    cudaFree(out);
}
)")});
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(calls_in(*run),
                testing::UnorderedElementsAre(HasSubstr("twice(n = 4) on the CPU: 1 call, also run as a "
                                                        "launch of one thread: both return 8"),
                                              HasSubstr("both return 9"), HasSubstr("thrice(n = 5) on the CPU"),
                                              HasSubstr("both return 2.5"), HasSubstr("both return 8")));
    EXPECT_THAT(run->notes, testing::Contains(HasSubstr("static functions that no kernel calls")))
        << "of_the_host has no device version";
}

TEST(HostFunctionsOfPrograms, ANameThatSeveralFilesDefineIdentifiesNoneOfThem) {
    NEEDS_HOST_CODE();
    const ScratchFolder folder;
    folder.add("other.cu", R"(static __host__ __device__ int twice(int n) { return 2 * n + 1; }
__global__ void other(int* out) { out[1] = twice(1); }
int of_other(int* out) { other<<<1, 1>>>(out); return twice(7); }
)");
    const auto run = run_of({.program = folder.add("main.cu", R"(#include <cstdio>
static __host__ __device__ int twice(int n) { return 2 * n; }
__host__ __device__ int once(int n) { return n; }
int of_other(int* out);
__global__ void own(int* out) { out[0] = twice(1) + once(2); }
int main() {
    int* out;
    cudaMalloc(&out, 8);
    own<<<1, 1>>>(out);
    printf("%d %d %d\n", twice(4), once(3), of_other(out));
    cudaFree(out);
}
)")});
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(calls_in(*run), testing::ElementsAre(HasSubstr("once(n = 3) on the CPU")));
}

TEST(HostFunctionsOfPrograms, AProgramWithoutThemHasNoSuchStep) {
    NEEDS_HOST_CODE();
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("total.cu", student_file)});
    ASSERT_NE(run, nullptr);
    for (const trace::HostStep& step : run->trace().host_steps) EXPECT_NE(step.kind, trace::HostStep::Kind::call);
}

}  // namespace
}  // namespace lanescope::session
