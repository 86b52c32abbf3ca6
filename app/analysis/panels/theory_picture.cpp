#include "analysis/panels/theory_picture.h"

#include "analysis/theory/greedy_schedule.h"
#include "analysis/theory/operation_graph.h"
#include "base/grouped.h"
#include "trace/record_extent.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace lanescope::analysis {

namespace {

constexpr std::uint64_t most_processors = std::uint64_t{1} << 20;

std::vector<std::string> scope_of(const TheoryPicture& picture, const Analysis& analysis) {
    std::vector<std::string> scope;
    std::uint64_t blocks = 0, recorded = 0;
    for (const LaunchTheory& launch : picture.launches) {
        blocks += launch.blocks;
        recorded += launch.recorded_blocks;
        if (!launch.cut.empty())
            scope.push_back(launch.cut + ": work, span, steps and elements cover only these steps.");
    }
    const bool cut = !scope.empty();
    if (recorded < blocks) {
        scope.push_back(fmt::format("{} of {} recorded: work, span, steps and elements cover only these.",
                                    grouped(recorded), counted(blocks, "block")));
        scope.emplace_back("Operations count as work even where only unrecorded blocks may have read their results.");
    } else if (cut) {
        scope.emplace_back("Operations count as work even where only unrecorded steps may have read their results.");
    } else if (!analysis.work) {
        scope.emplace_back("The use of some results is not known: their operations count as work.");
    }
    if (analysis.trace->running) {
        scope.emplace_back("The program is still running: these are the numbers of its first launch.");
    } else if (analysis.trace->is_cut_short()) {
        scope.emplace_back("The run ended early: these are the numbers of what ran.");
    }
    return scope;
}

std::vector<LaunchTheory> launches_of(const Analysis& analysis, const OperationGraph& graph) {
    const trace::Trace& trace = *analysis.trace;
    const std::vector<std::uint64_t> steps = graph.steps_by_launch(trace.launches.size());
    std::vector<std::vector<GlobalElements>> elements = global_elements(trace);
    std::vector<LaunchTheory> launches;
    for (std::size_t i = 0; i < trace.launches.size(); ++i) {
        const trace::Launch& launch = trace.launches[i];
        trace::Counts counts;
        if (i < trace.counts.size()) {
            for (const trace::Counts& epoch : trace.counts[i]) counts += epoch;
        }
        launches.push_back({.blocks = launch.grid.count(),
                            .recorded_blocks = launch.recorded.size(),
                            .threads = launch.grid.count() * launch.block.count(),
                            .threads_of_block = launch.block.count(),
                            .shared_bytes = launch.shared_bytes(),
                            .steps = steps[i],
                            .elements = std::move(elements[i]),
                            .sectors_read = counts.global_load_sectors + counts.global_atomic_sectors,
                            .sectors_written = counts.global_store_sectors + counts.global_atomic_sectors,
                            .cut = trace::cut_text(trace, static_cast<std::uint32_t>(i))});
    }
    return launches;
}

/// The curve goes up to as many processors as a launch has threads, or the program elements; for a part of a run, as
/// many as the recorded blocks have threads.
std::vector<ScheduledSteps> schedule_of(const TheoryPicture& picture, const GreedySchedule& greedy) {
    std::uint64_t most = std::max<std::uint64_t>(picture.complete() ? picture.n : 0, 2);
    for (const LaunchTheory& launch : picture.launches)
        most = std::max(most, launch.recorded_blocks * launch.threads_of_block);
    most = std::bit_ceil(std::min(most, most_processors));
    std::vector<ScheduledSteps> schedule;
    for (std::uint64_t p = 1; p <= most; p *= 2)
        schedule.push_back({.name = {}, .processors = p, .steps = greedy.steps(p)});
    return schedule;
}

std::vector<ScheduledSteps> cost_by_processors(std::uint64_t n, const GreedySchedule& greedy) {
    if (n < 2) return {};
    const auto elements = static_cast<double>(n);
    const auto whole = [](double value) { return static_cast<std::uint64_t>(std::max(std::nearbyint(value), 1.0)); };
    std::vector<ScheduledSteps> rows{{.name = "N", .processors = n},
                                     {.name = "N / log2 N", .processors = whole(elements / std::log2(elements))},
                                     {.name = "log2 N", .processors = whole(std::log2(elements))},
                                     {.name = "1", .processors = 1}};
    for (ScheduledSteps& row : rows) row.steps = greedy.steps(row.processors);
    return rows;
}

std::vector<OccupancyOf> occupancy_of(const trace::Launch& launch) {
    std::vector<OccupancyOf> found;
    const model::Extent block{launch.block.x, launch.block.y, launch.block.z};
    for (const model::GpuModel& gpu : model::gpu_models())
        found.push_back({gpu, model::occupancy(model::limits_of(gpu.capability), block, launch.shared_bytes())});
    return found;
}

}  // namespace

std::uint64_t TheoryPicture::cost() const {
    std::uint64_t sum = 0;
    for (const LaunchTheory& each : launches) sum += each.cost();
    return sum;
}

bool TheoryPicture::complete() const { return std::ranges::all_of(launches, &LaunchTheory::complete); }

TheoryPicture theory_picture(const Analysis& analysis, std::uint64_t n, std::uint32_t launch) {
    TheoryPicture picture;
    picture.n = n;
    picture.address_work = analysis.address_work.value_or(0);
    OperationGraph graph(*analysis.trace, *analysis.provenance);
    if (graph.work() == 0 && picture.address_work > 0) {
        graph = OperationGraph(*analysis.trace, *analysis.provenance, OperationGraph::Of::address_work);
        picture.of_addresses = true;
    }
    picture.work = graph.work();
    picture.span = graph.span();
    picture.launches = launches_of(analysis, graph);
    for (const trace::Buffer& buffer : analysis.trace->buffers) picture.arrays.push_back(buffer.name);
    picture.scope = scope_of(picture, analysis);
    picture.exact = picture.scope.empty();
    if (picture.work > 0) {
        const GreedySchedule greedy(graph);
        picture.schedule = schedule_of(picture, greedy);
        if (picture.complete()) picture.processors = cost_by_processors(n, greedy);
    }
    picture.launch = launch;
    if (launch < analysis.trace->launches.size()) picture.occupancy = occupancy_of(analysis.trace->launches[launch]);
    return picture;
}

}  // namespace lanescope::analysis
