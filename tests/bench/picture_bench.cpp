// A slider moves: the time from the change of a launch to its new picture, 1024 elements as written, without the
// compiler (its output is cached by content). The requirement is under 150 ms for all steps: plan, run and record,
// check the result, analyze, and lay the picture out as shapes; no window.
#include "scene/passes_scene.h"
#include "session/run.h"

#include <benchmark/benchmark.h>

namespace lanescope::bench {
namespace {

constexpr std::uint64_t elements = 1024;

void change_of_launch_to_picture(benchmark::State& state, const std::string& kernel) {
    session::Request request{.program = kernel, .n = elements};
    std::uint32_t block = 512;
    for (auto _ : state) {
        block = block == 512 ? 1024 : 512;
        request.block = block;
        Progress progress;
        const auto run = session::run(request, progress);
        if (!run) return state.SkipWithError(run.error().problem.what.c_str());
        const analysis::Analysis& analysis = *(*run)->analysis;
        const analysis::Picture& picture = analysis.picture(0, BlockId(0));
        const scene::Scene drawn =
            scene::passes_scene(analysis.block_passes(0, BlockId(0)), picture, *analysis.provenance, {});
        benchmark::DoNotOptimize(&drawn);
    }
    state.counters["asked_ms"] = 150;
}

BENCHMARK_CAPTURE(change_of_launch_to_picture, reduction, std::string("reduce/interleaved-modulo"))
    ->Name("asked/change_of_launch_to_picture/reduction")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(change_of_launch_to_picture, scan, std::string("scan/double-buffered"))
    ->Name("asked/change_of_launch_to_picture/scan")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanescope::bench
