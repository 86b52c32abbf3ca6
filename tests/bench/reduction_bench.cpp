// The speed of counting and of recording whole grids. `asked/...` are the ratios that the product promises, each
// measured against its baseline in the same run; the others report thread instructions a second (one PTX instruction by
// one active thread).
#include "bench/reduction.h"
#include "bench/turns.h"

#include <benchmark/benchmark.h>

#include <cstring>

namespace lanescope::bench {
namespace {

constexpr unsigned elements = 1U << 20;
constexpr unsigned asked_elements = 1U << 22;
constexpr unsigned recorded_blocks = 64;

void set_rate(benchmark::State& state, std::uint64_t instructions) {
    state.counters["thread_instructions/s"] =
        benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

void run(benchmark::State& state, const std::string& name, unsigned count, const execute::Limits& limits) {
    const ptx::Module module = module_of(name);
    const execute::Program program = reduction_of(count);
    std::uint64_t instructions = 0;
    std::uint64_t bytes = 0;
    for (auto _ : state) {
        const auto trace = emulate(module, program, limits);
        instructions += trace->totals().active_thread_instructions;
        bytes = trace->memory_bytes();
    }
    set_rate(state, instructions);
    state.counters["trace_MB"] = static_cast<double>(bytes) / 1e6;
}

void count(benchmark::State& state, const std::string& name) { run(state, name, elements, {.record_blocks = 0}); }
/// Records as a session does, with its checks.
void record(benchmark::State& state, const std::string& name, bool registers) {
    run(state, name, block_size * recorded_blocks, {.record_blocks = recorded_blocks, .record_registers = registers});
}

/// The rate counts the PTX instructions that the emulator executes for the same work.
void fibers(benchmark::State& state, OnFibers::Kernel kernel, const std::string& name) {
    const std::uint64_t instructions =
        emulate(module_of(name), reduction_of(elements), {.record_blocks = 0})->totals().active_thread_instructions;
    OnFibers baseline(kernel, elements);
    for (auto _ : state) {
        baseline.run();
        benchmark::DoNotOptimize(baseline.sums().data());
    }
    set_rate(state, instructions * static_cast<std::uint64_t>(state.iterations()));
}

/// Counts lanes, conflicts and sectors, and checks bounds, as a multiple of the fibers' speed.
void counting_to_fibers(benchmark::State& state, OnFibers::Kernel kernel, const std::string& name, double asked) {
    constexpr unsigned turns = 5;
    const ptx::Module module = module_of(name);
    const execute::Program program = reduction_of(asked_elements);
    OnFibers baseline(kernel, asked_elements);
    std::shared_ptr<const trace::Trace> counted;
    for (auto _ : state) {
        const auto [slow, fast] = medians_in_turns<2>(
            turns, {[&] { baseline.run(); }, [&] { counted = emulate(module, program, {.record_blocks = 0}); }});
        state.counters["times_the_fibers"] = slow / fast;
    }
    state.counters["asked"] = asked;
    const trace::Buffer& sums = counted->buffers.at(1);
    if (std::memcmp(sums.final.data(), baseline.sums().data(), sums.final.size()) != 0) {
        state.SkipWithError("the two sums differ");
    }
}

/// Records every access of all blocks with its values, or also the results of all instructions, as a multiple of the
/// time for counting the same blocks. Without the checks for races and uninitialized reads, which are reported beside
/// it.
void recording_to_counting(benchmark::State& state, const std::string& name, bool registers, double asked) {
    constexpr unsigned turns = 31;
    using execute::Checked;
    const ptx::Module module = module_of(name);
    const execute::Program program = reduction_of(block_size * recorded_blocks);
    const auto with = [&](std::uint64_t blocks, Checked checked) {
        return [&, blocks, checked] {
            benchmark::DoNotOptimize(
                emulate(module, program, {.record_blocks = blocks, .record_registers = registers, .checked = checked}));
        };
    };
    for (auto _ : state) {
        const auto [counted, recorded, checked, both] =
            medians_in_turns<4>(turns, {with(0, Checked::no_blocks), with(recorded_blocks, Checked::no_blocks),
                                        with(0, Checked::all_blocks), with(recorded_blocks, Checked::all_blocks)});
        state.counters["times_counting"] = recorded / counted;
        state.counters["checks_times_counting"] = checked / counted;
        state.counters["both_times_counting"] = both / counted;
        state.counters["both_times_checks"] = both / checked;
    }
    state.counters["asked"] = asked;
}

using Kernel = OnFibers::Kernel;
const std::string interleaved = "interleaved_modulo.compiled";
const std::string sequential = "sequential.compiled";

BENCHMARK_CAPTURE(counting_to_fibers, interleaved, Kernel::interleaved, interleaved, 2.5)
    ->Name("asked/counting_to_fibers/interleaved")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(counting_to_fibers, sequential, Kernel::sequential, sequential, 4.0)
    ->Name("asked/counting_to_fibers/sequential")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(recording_to_counting, interleaved, interleaved, false, 1.5)
    ->Name("asked/recording_accesses_to_counting/interleaved")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(recording_to_counting, sequential, sequential, false, 1.5)
    ->Name("asked/recording_accesses_to_counting/sequential")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(recording_to_counting, interleaved, interleaved, true, 3.0)
    ->Name("asked/recording_registers_to_counting/interleaved")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(recording_to_counting, sequential, sequential, true, 3.0)
    ->Name("asked/recording_registers_to_counting/sequential")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(fibers, interleaved, Kernel::interleaved, interleaved)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fibers, sequential, Kernel::sequential, sequential)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count, interleaved, interleaved)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count, sequential, sequential)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count, interleaved_as_written, std::string("interleaved_modulo.written"))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count, sequential_as_written, std::string("sequential.written"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count, strided_index, std::string("strided_index.compiled"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count, scattered, std::string("scattered"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, accesses_strided_index, std::string("strided_index.compiled"), false)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, accesses_scattered, std::string("scattered"), false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, accesses_interleaved, interleaved, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, accesses_sequential, sequential, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, registers_interleaved, interleaved, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, registers_sequential, sequential, true)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanescope::bench
