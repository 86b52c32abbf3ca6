// The cost of a lesson from a change of the launch to its picture: 1024 threads by ten passes, as written, with every
// register result recorded. The first row runs it without recording; the others are multiples of it.
#include "analysis/analysis.h"
#include "execute/emulator/emulator.h"
#include "places.h"
#include "trace/cursor.h"
#include "trace/file.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <fstream>
#include <sstream>

namespace lanescope {
namespace {

constexpr unsigned threads = 1024;

std::shared_ptr<const ptx::Module> lesson_module() {
    std::ifstream in(std::string(LANESCOPE_SOURCE_DIR) + "/kernels/reduce/interleaved_modulo.written.ptx");
    std::ostringstream text;
    text << in.rdbuf();
    return std::make_shared<const ptx::Module>(ptx::parse(text.str()).value());
}

execute::Program lesson(const ptx::Module& module) {
    execute::Program program;
    program.origin.ptx = module.text;
    trace::Buffer in{.name = "in", .bytes = threads * sizeof(int)};
    in.initial = std::vector<std::byte>(in.bytes, std::byte{1});
    trace::Buffer out{.name = "out", .bytes = sizeof(int), .output = true};
    out.initial.resize(out.bytes);
    program.buffers = {std::move(in), std::move(out)};
    execute::LaunchRequest launch{.kernel = module.entries().at(0)->name, .grid = {1}, .block = {threads}};
    launch.dynamic_shared_bytes = threads * sizeof(int);
    launch.arguments = {{.name = "in", .buffer = 0}, {.name = "out", .buffer = 1}};
    program.launches = {launch};
    return program;
}

std::shared_ptr<const trace::Trace> run(const ptx::Module& module, std::uint64_t record_blocks) {
    Progress progress;
    return execute::emulate(module, lesson(module), {.record_blocks = record_blocks}, progress).value();
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// The lesson without recording, in seconds.
double seconds_to_count(const ptx::Module& module) {
    constexpr int runs = 20;
    const auto begin = Clock::now();
    for (int i = 0; i < runs; ++i) benchmark::DoNotOptimize(run(module, 0));
    return seconds_since(begin) / runs;
}

/// Runs `what` and reports its time as a multiple of counting.
template <class What>
void measure(benchmark::State& state, const ptx::Module& module, What what) {
    const double unit = seconds_to_count(module);
    const auto begin = Clock::now();
    for (auto _ : state) what();
    state.counters["times_counting"] = seconds_since(begin) / static_cast<double>(state.iterations()) / unit;
}

void count(benchmark::State& state) {
    const auto module = lesson_module();
    measure(state, *module, [&] { benchmark::DoNotOptimize(run(*module, 0)); });
}

void record(benchmark::State& state) {
    const auto module = lesson_module();
    measure(state, *module, [&] { benchmark::DoNotOptimize(run(*module, 1)); });
    state.counters["trace_MB"] = static_cast<double>(run(*module, 1)->memory_bytes()) / 1e6;
}

/// The whole requirement: recorded within so much time, memory and disk space.
void asked_of_a_lesson(benchmark::State& state) {
    const auto module = lesson_module();
    std::shared_ptr<const trace::Trace> trace;
    for (auto _ : state) trace = run(*module, 1);
    state.counters["asked_ms"] = 100;
    state.counters["memory_MB"] = static_cast<double>(trace->memory_bytes()) / 1e6;
    state.counters["asked_memory_MB"] = 64;
    state.counters["file_MB"] = static_cast<double>(trace::to_bytes(*trace).size()) / 1e6;
    state.counters["asked_file_MB"] = 4;
}

void analyse_and_draw(benchmark::State& state) {
    const auto module = lesson_module();
    const auto trace = run(*module, 1);
    measure(state, *module, [&] {
        Progress progress;
        const auto analysis = analysis::analyze(trace, module, progress);
        benchmark::DoNotOptimize(analysis->picture(0, BlockId(0)).columns);
    });
}

void save(benchmark::State& state) {
    const auto module = lesson_module();
    const auto trace = run(*module, 1);
    std::size_t bytes = 0;
    measure(state, *module, [&] { bytes = trace::to_bytes(*trace).size(); });
    state.counters["file_MB"] = static_cast<double>(bytes) / 1e6;
}

void load(benchmark::State& state) {
    const auto module = lesson_module();
    const auto bytes = trace::to_bytes(*run(*module, 1));
    measure(state, *module, [&] { benchmark::DoNotOptimize(trace::from_bytes(bytes, "lesson").value()); });
}

void follow(benchmark::State& state) {
    const auto module = lesson_module();
    const auto trace = run(*module, 1);
    measure(state, *module, [&] { benchmark::DoNotOptimize(trace::Cursor(trace).end()); });
}

BENCHMARK(asked_of_a_lesson)->Name("asked/lesson")->Unit(benchmark::kMillisecond);
BENCHMARK(count)->Name("lesson/count")->Unit(benchmark::kMillisecond);
BENCHMARK(record)->Name("lesson/record")->Unit(benchmark::kMillisecond);
BENCHMARK(analyse_and_draw)->Name("lesson/analyse_and_draw")->Unit(benchmark::kMillisecond);
BENCHMARK(save)->Name("lesson/save")->Unit(benchmark::kMillisecond);
BENCHMARK(load)->Name("lesson/load")->Unit(benchmark::kMillisecond);
BENCHMARK(follow)->Name("lesson/open_a_cursor")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanescope
