// Calls of functions by host code, observed at their entries: the registers, the number of calls, and unchanged results
// of the program.
#include "unit/host/host_program.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

namespace lanescope::host {
namespace {

constexpr const char* counting_program = R"(#include <cstdio>
__host__ __device__ int sum(const int* in, int n) { int s = 0; for (int i = 0; i < n; ++i) s += in[i]; return s; }
static double scale(float x, int k, double y) { return x * k + y; }
int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void unused(int* out) { out[0] = sum(out, 1); }
int values[5] = {1, 2, 3, 4, 5};
int main() {
    long all = 0;
    for (int i = 0; i < 1000000; ++i) all += fibonacci(i & 1);
    printf("%d %g %ld\n", sum(values, 5), scale(1.5f, 4, 0.25), all);
}
)";

/// Asks for the memory that the first argument of sum() points to.
class CallMachine : public AddingMachine {
  public:
    std::optional<std::uint64_t> host_call(const HostCall& call) override {
        calls.push_back(call);
        if (call.facts.function != sum) return std::nullopt;
        return call.facts.general[0];
    }
    std::optional<std::uint64_t> host_memory(HostMemory&& memory) override {
        pieces.push_back(std::move(memory));
        return std::nullopt;
    }
    void host_return(std::uint32_t function, std::uint64_t general, std::uint64_t vector) override {
        returned[function] = {general, vector};
    }
    std::uint32_t sum = 0;
    std::vector<HostCall> calls;
    std::vector<HostMemory> pieces;
    std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> returned;
};

/// With the host compiler's options: its optimizer passes and returns in the same registers.
void expect_calls(const std::vector<std::string>& options) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / ("lanescope-calls-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "calls.cu") << counting_program;
    Progress progress;
    BuildRequest request;
    request.sources = {folder / "calls.cu"};
    request.options = options;
    request.host_calls = true;
    const auto built = build(request, progress);
    ASSERT_TRUE(built) << built.error().problem.message();
    ProgramStart start{.program = built->program,
                       .arguments = {},
                       .input = {},
                       .folder = folder,
                       .sources = {folder},
                       .functions = host_functions(built->program, {"_Z3sumPKii", "_ZL5scalefid", "_Z9fibonaccii"}),
                       .limits = {}};
    ASSERT_EQ(start.functions.size(), 3U);
    std::map<std::string, std::uint32_t> number;
    for (const HostFunction& function : start.functions) {
        EXPECT_EQ(function.refused, "") << function.name;
        number[function.name] = static_cast<std::uint32_t>(&function - start.functions.data());
    }
    CallMachine machine;
    machine.sum = number["_Z3sumPKii"];
    const auto run = run_program(start, machine, progress);
    std::filesystem::remove_all(folder);
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_EQ(run->printed, "15 6.25 500000\n");
    ASSERT_EQ(run->host_calls.size(), 3U);
    EXPECT_EQ(run->host_calls[number["_Z9fibonaccii"]], 1'000'000U);
    EXPECT_EQ(run->host_calls[machine.sum], 1U);
    ASSERT_EQ(machine.calls.size(), 3U) << "the first call of each";
    EXPECT_EQ(machine.returned[machine.sum].first & 0xFFFF'FFFFU, 15U);
    double scaled = 0;
    std::memcpy(&scaled, &machine.returned[number["_ZL5scalefid"]].second, sizeof scaled);
    EXPECT_EQ(scaled, 6.25);
    ASSERT_EQ(machine.pieces.size(), 1U);
    EXPECT_EQ(machine.pieces[0].name, "values");
    EXPECT_EQ(machine.pieces[0].bytes.size(), 20U);
    EXPECT_EQ(machine.pieces[0].bytes[4], std::byte{2});
}

TEST(HostCalls, AreSeenWithoutOptimization) {
    NEEDS_PROGRAMS();
    expect_calls({});
}

TEST(HostCalls, AreSeenInOptimizedCode) {
    NEEDS_PROGRAMS();
    expect_calls({"-O2"});
}

}  // namespace
}  // namespace lanescope::host
