// How soon a loop that cannot end is found: within what one core executes in two seconds, for every such loop. The
// core's speed is measured beside it, on a loop that ends.
#include "execute/emulator/emulator.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <ctime>
#include <string>

namespace lanescope {
namespace {

std::string kernel(const std::string& body) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry test(.param .u64 test_flags)\n{\n"
           ".reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %d<8>;\nld.param.u64 %d0, [test_flags];\n"
           "mov.u32 %r0, %ctaid.x;\nmul.wide.u32 %d1, %r0, 4;\nadd.u64 %d0, %d0, %d1;\nmov.u32 %r1, 0;\n" +
           body + "\nret;\n}\n";
}

struct Found {
    double seconds = 0;  ///< of the processor
    std::uint64_t instructions = 0;
    bool ends = true;
};

Found run(const std::string& body, unsigned blocks, unsigned threads, std::uint64_t recorded) {
    const ptx::Module module = ptx::parse(kernel(body)).value();
    execute::Program program;
    trace::Buffer flags{.name = "flags", .bytes = (blocks + 1) * sizeof(int)};
    flags.initial.resize(flags.bytes);
    program.buffers = {std::move(flags)};
    execute::LaunchRequest launch{.kernel = "test", .grid = {blocks}, .block = {threads}};
    launch.arguments = {{.name = "flags", .buffer = 0}};
    program.launches = {launch};
    Progress progress;
    const std::clock_t begin = std::clock();
    const auto trace = execute::emulate(module, program, {.record_blocks = recorded, .threads = 1}, progress).value();
    return {.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC,
            .instructions = trace->totals().warp_instructions,
            .ends = trace->findings.empty()};
}

/// Warp instructions a second of a loop that ends.
double core_speed() {
    const Found counted = run("LOOP:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p0, %r1, 4000000;\n@%p0 bra LOOP;", 1, 32, 0);
    return static_cast<double>(counted.instructions) / counted.seconds;
}

/// The share used of what a core executes in two seconds.
void share_of_two_seconds(benchmark::State& state, const std::string& body, unsigned blocks, unsigned threads,
                          std::uint64_t recorded) {
    Found found;
    double speed = 0;
    for (auto _ : state) {
        speed = core_speed();
        found = run(body, blocks, threads, recorded);
    }
    if (found.ends) state.SkipWithError("the loop was not found");
    state.counters["share_of_two_seconds"] = found.seconds / 2;
    state.counters["asked"] = 1;
    state.counters["instructions"] = static_cast<double>(found.instructions);
    state.counters["instructions_of_two_seconds"] = 2 * speed;
}

/// A loop of many iterations, in which states are compared now and then.
void cost_of_windows(benchmark::State& state) {
    const std::string body =
        "LOOP:\nst.global.u32 [%d0], %r1;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p0, %r1, 1000000;\n"
        "@%p0 bra LOOP;";
    Found found;
    for (auto _ : state) found = run(body, 1, 256, 0);
    state.counters["warp_instructions/s"] = static_cast<double>(found.instructions) / found.seconds;
}

const std::string no_exit = "LOOP:\nbra LOOP;";
const std::string chain = "LOOP:\nld.volatile.global.u32 %r2, [%d0+4];\nsetp.eq.u32 %p0, %r2, 0;\n@%p0 bra LOOP;";
const std::string plain = "LOOP:\nld.global.u32 %r2, [%d0+4];\nsetp.eq.u32 %p0, %r2, 0;\n@%p0 bra LOOP;";
const std::string fails = "LOOP:\natom.global.cas.b32 %r2, [%d0+4], 1, 2;\nsetp.eq.u32 %p0, %r2, 0;\n@%p0 bra LOOP;";

BENCHMARK_CAPTURE(share_of_two_seconds, no_exit, no_exit, 1U, 256U, 0U)->Name("asked/endless/no_exit");
BENCHMARK_CAPTURE(share_of_two_seconds, recorded, no_exit, 16U, 256U, 16U)->Name("asked/endless/recorded");
BENCHMARK_CAPTURE(share_of_two_seconds, chain, chain, 4096U, 256U, 16U)->Name("asked/endless/chain_of_blocks");
BENCHMARK_CAPTURE(share_of_two_seconds, plain, plain, 4096U, 256U, 16U)->Name("asked/endless/plain_reads");
BENCHMARK_CAPTURE(share_of_two_seconds, lock, fails, 4096U, 32U, 16U)->Name("asked/endless/lock");
BENCHMARK(cost_of_windows)->Name("endless/long_loop_that_ends")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanescope
