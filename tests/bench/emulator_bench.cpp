// How fast the emulator is: thread instructions a second (one PTX instruction by one active thread) on the reductions of
// 2^20 ints in blocks of 256, counting and recording, beside the plain way to run a kernel: a fiber a thread.
#include "execute/emulator/emulator.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace lanescope::execute {
namespace {

constexpr unsigned block_size = 256;
constexpr unsigned elements = 1U << 20;

ptx::Module module_of(const std::string& name) {
    std::ifstream in(std::string(LANESCOPE_SOURCE_DIR) + "/tests/unit/execute/data/" + name + ".ptx");
    std::ostringstream text;
    text << in.rdbuf();
    return ptx::parse(text.str()).value();
}

Program reduction(unsigned count) {
    Program program;
    trace::Buffer in{.name = "in", .bytes = std::uint64_t{count} * sizeof(int)};
    in.initial.resize(in.bytes);
    for (unsigned i = 0; i < count; ++i) {
        const int value = static_cast<int>(i % 1000);
        std::memcpy(in.initial.data() + std::size_t{i} * sizeof(int), &value, sizeof value);
    }
    trace::Buffer out{.name = "out", .bytes = std::uint64_t{count} / block_size * sizeof(int)};
    out.initial.resize(out.bytes);
    program.buffers = {std::move(in), std::move(out)};
    LaunchRequest launch{.kernel = "_Z6reducePKiPi", .grid = {count / block_size}, .block = {block_size}};
    launch.dynamic_shared_bytes = block_size * sizeof(int);
    launch.arguments = {{.name = "in", .buffer = 0}, {.name = "out", .buffer = 1}};
    program.launches = {launch};
    return program;
}

void run(benchmark::State& state, const std::string& name, unsigned count, const Limits& limits) {
    const ptx::Module module = module_of(name);
    const Program program = reduction(count);
    std::uint64_t instructions = 0;
    std::uint64_t bytes = 0;
    for (auto _ : state) {
        Progress progress;
        const auto trace = emulate(module, program, limits, progress).value();
        instructions += trace->totals().active_thread_instructions;
        bytes = trace->memory_bytes();
    }
    state.counters["thread_instructions/s"] =
        benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
    state.counters["trace_MB"] = static_cast<double>(bytes) / 1e6;
}

void count(benchmark::State& state, const std::string& name) {
    run(state, name, elements, Limits{.record_blocks = 0, .threads = 1});
}
void record(benchmark::State& state, const std::string& name) {
    run(state, name, block_size * 64, Limits{.record_blocks = 64});
}

BENCHMARK_CAPTURE(count, interleaved, std::string("interleaved_modulo.compiled"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count, sequential, std::string("sequential.compiled"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count, interleaved_as_written, std::string("interleaved_modulo.written"))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count, sequential_as_written, std::string("sequential.written"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, interleaved, std::string("interleaved_modulo.compiled"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, sequential, std::string("sequential.compiled"))->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanescope::execute
