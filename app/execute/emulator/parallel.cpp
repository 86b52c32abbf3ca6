#include "execute/emulator/parallel.h"

#include "base/machine_memory.h"
#include "execute/emulator/block_independence.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace lanescope::execute {

namespace {

/// With fewer blocks, threads cost more than they save.
constexpr std::uint64_t least_blocks = 64;

/// Parts for each thread: small enough that the threads finish at about the same time.
constexpr unsigned parts_of_thread = 8;

unsigned threads_for(const Limits& limits) {
    return limits.threads > 0 ? limits.threads : std::max(1U, std::thread::hardware_concurrency());
}

/// The contents of a region, to be restored.
struct Kept {
    Region* region;
    std::vector<std::byte> data;
    std::vector<std::uint8_t> marks;

    explicit Kept(Region& kept)
        : region(&kept),
          data(kept.data(), kept.data() + kept.bytes()),
          marks(kept.marks(), kept.marks() + kept.bytes()) {}
    void put_back() const {
        std::ranges::copy(data, region->data());
        std::ranges::copy(marks, region->marks());
    }
};

/// The state of one thread: its counts, and its findings, of which there must be none.
class Worker {
  public:
    Worker(LaunchState& state, const LaunchRequest& request, const Limits& limits, std::uint64_t budget,
           BlockIndependence& independence)
        : request_(request),
          limits_(limits),
          writer_({}),
          heap_(state.global),
          faults_(writer_, state.global, heap_, 1),
          check_(state.code, faults_),
          state_{.code = state.code,
                 .global = state.global,
                 .parameters = state.parameters,
                 .faults = faults_,
                 .writer = writer_,
                 .check = check_,
                 .heap = heap_,
                 .costs = state.fresh_costs(),
                 .epochs = {},
                 .runs = state.runs,
                 .number = state.number},
          budget_(budget) {
        state_.independence = &independence;
        state_.accessed = state.accessed;
        trace::Launch launch;
        launch.grid = request.grid;
        launch.block = request.block;
        faults_.begin_launch(0, state.code, launch, {}, {});
        writer_.begin_launch(std::move(launch));
    }

    Grid::End run(Part part, std::uint64_t first, std::uint64_t past_last, Progress& progress, BlocksDone& done) {
        state_.part = part;
        Grid grid(state_, request_, limits_, {.first = first, .past_last = past_last, .recorded = 0}, 0, 0, budget_);
        const Grid::End end = grid.run(progress, done);
        return end == Grid::End::complete && !writer_.trace().findings.empty() ? Grid::End::stopped : end;
    }

    [[nodiscard]] const std::deque<trace::Counts>& epochs() const { return state_.epochs; }
    [[nodiscard]] const AtomicWords& atomics() const { return state_.atomics; }
    [[nodiscard]] std::uint64_t budget_left() const { return budget_; }

  private:
    const LaunchRequest& request_;
    const Limits& limits_;
    trace::Writer writer_;
    Heap heap_;
    Faults faults_;
    AccessCheck check_;
    LaunchState state_;
    std::uint64_t budget_;
};

}  // namespace

bool may_run_in_parallel(const Code& code, const Limits& limits, std::uint64_t blocks_left) {
    return threads_for(limits) > 1 && blocks_left >= least_blocks && !code.signals_other_blocks && !code.cooperates &&
           code.builtins.empty() && limits.checked != Checked::all_blocks && limits.resident_blocks <= 1;
}

Grid::End run_in_parallel(LaunchState& state, const LaunchRequest& request, const Limits& limits, std::uint64_t first,
                          std::uint64_t past_last, std::uint64_t& budget, Progress& progress, BlocksDone& done) {
    // Blocks that follow may write the other regions of the same buffers.
    std::set<Region*> all;
    for (Region* region : state.written) state.global.add_adjoining(*region, all);
    std::uint64_t bytes = 0;
    for (const Region* region : all) bytes += region->bytes();
    if (bytes > memory_cap() / 8) return Grid::End::stopped;
    std::vector<Kept> kept;
    std::vector<const Region*> written;
    for (Region* region : all) {
        kept.emplace_back(*region);
        written.push_back(region);
    }
    BlockIndependence independence(written);
    const std::uint64_t done_before = done.blocks;
    const unsigned threads = threads_for(limits);
    const std::uint64_t parts = std::min<std::uint64_t>({threads * parts_of_thread, most_parts, past_last - first});
    const auto begin_of = [&](std::uint64_t part) { return first + (past_last - first) * part / parts; };

    std::atomic<std::uint64_t> next = 0;
    std::atomic<Grid::End> end = Grid::End::complete;
    std::vector<std::unique_ptr<Worker>> workers;
    for (unsigned i = 0; i < threads; ++i) {
        workers.push_back(std::make_unique<Worker>(state, request, limits, budget, independence));
    }
    {
        std::vector<std::jthread> running;
        running.reserve(workers.size());
        for (const auto& worker : workers) {
            running.emplace_back([&, own = worker.get()] {
                for (std::uint64_t part = next++; part < parts; part = next++) {
                    if (end.load() != Grid::End::complete || independence.violated()) return;
                    const Grid::End ended =
                        own->run(static_cast<Part>(part + 1), begin_of(part), begin_of(part + 1), progress, done);
                    if (ended != Grid::End::complete) end = ended;
                }
            });
        }
    }
    std::uint64_t used = 0;
    for (const auto& worker : workers) used += budget - worker->budget_left();
    const bool cancelled = progress.cancelled();
    if (!cancelled && (end != Grid::End::complete || independence.violated() || used >= budget)) {
        for (const Kept& region : kept) region.put_back();
        done.blocks = done_before;
        return Grid::End::stopped;
    }
    budget -= used;
    for (const auto& worker : workers) {
        std::uint32_t epoch = 0;
        for (const trace::Counts& counts : worker->epochs()) state.counts_of(epoch++) += counts;
        state.atomics.add(worker->atomics());
    }
    return cancelled ? Grid::End::cancelled : Grid::End::complete;
}

}  // namespace lanescope::execute
