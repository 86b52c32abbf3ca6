#include "session/algorithm_counts.h"

#include "execute/emulator/emulator.h"
#include "session/gpu_plan.h"
#include "session/small_run.h"
#include "session/unmeasured.h"
#include "timing/extrapolated_counts.h"

#include <algorithm>
#include <vector>

namespace lanescope::session {

namespace {

// The limit of a program whose host code runs: its loops take longer than its kernels.
constexpr std::uint64_t most_of_host_code = std::uint64_t{1} << 20;
// For one size, some seconds. Limited by work and not by time, so that every machine has counts of the same sizes.
constexpr double most_instructions = 150e6;  // of warps

constexpr std::uint64_t recorded_blocks = 16;  // enough to see whether each block reads another part

class Counter {
  public:
    Counter(const Request& request, const timing::ModeledGpu& machine, Progress& progress)
        : request_(request), machine_(machine), progress_(progress) {
        request_.view = trace::View::compiled;
        request_.record_blocks = recorded_blocks;
        request_.multiprocessors = machine.processors;
        request_.grid.reset();
        request_.grid_extent.reset();
    }

    /// Nothing where there are no counts, or no such size.
    std::optional<AlgorithmCounts> at(std::uint64_t n) {
        request_.n = n;
        const bool host = small_ && small_->program.recipe.host;
        if (host && (n > most_of_host_code || would_take_long(n))) return std::nullopt;
        if ((!small_ || host || small_->grid < several_blocks) && !run_small()) return std::nullopt;
        if (small_->program.recipe.host) return AlgorithmCounts{.point = unmeasured(*small_)};
        const auto plan =
            plan_for_gpu(*small_, {.n = n,
                                   .grid = {},
                                   .per_thread = {},
                                   .multiprocessors = machine_.processors,
                                   .resident_threads = std::uint64_t{machine_.processors} * machine_.limits.threads()});
        if (!plan) return std::nullopt;
        AlgorithmCounts found{.point = untimed_point(small_->program, *plan)};
        found.point.counts = emulated(*plan);
        if (found.point.counts) {
            counted_.push_back(found.point);
        } else {
            found.point.counts = timing::extrapolated_counts(counted_, found.point);
            found.emulated = false;
        }
        return found.point.counts && !wrong_ ? std::optional(std::move(found)) : std::nullopt;
    }

    /// The kernel is faulty, or does not process N elements: its counts are useless at any size.
    [[nodiscard]] bool wrong() const { return wrong_; }

  private:
    bool run_small() {
        auto run = small_run(request_, progress_);
        if (!run || progress_.cancelled()) return false;
        small_ = std::move(*run);
        took(small_->trace(), small_->n);
        wrong_ = small_->verdict.ok == false || !small_->trace().findings.empty() || small_->trace().is_cut_short() ||
                 !reads_what_is_given(*small_);
        return !wrong_;
    }

    /// Nothing where it would take too long, or was cancelled.
    std::optional<timing::CostCounts> emulated(const GpuPlan& plan) {
        if (plan.n > most_counted_elements || would_take_long(plan.n)) return std::nullopt;
        const auto trace =
            execute::emulate(small_->module(), emulation_of(plan, *small_), {.record_blocks = 0}, progress_);
        if (!trace || (*trace)->cancelled) return std::nullopt;
        took(**trace, plan.n);
        wrong_ = !(*trace)->findings.empty() || (*trace)->is_cut_short();
        return counts_of(**trace);
    }

    void took(const trace::Trace& trace, std::uint64_t n) {
        const auto instructions = static_cast<double>(trace.totals().warp_instructions);
        instructions_each_ = instructions / static_cast<double>(std::max<std::uint64_t>(n, 1));
    }
    [[nodiscard]] bool would_take_long(std::uint64_t n) const {
        return instructions_each_ * static_cast<double>(n) > most_instructions;
    }

    Request request_;
    const timing::ModeledGpu& machine_;
    Progress& progress_;
    std::shared_ptr<const Run> small_;
    std::vector<timing::Point> counted_;  // by the emulator
    double instructions_each_ = 0;        // warp instructions per element, at the size that was emulated last
    bool wrong_ = false;
};

}  // namespace

std::uint32_t block_to_estimate(const Program& program, std::uint32_t charted) {
    const bool says =
        std::ranges::any_of(program.source.description.lines, [](const auto& line) { return line.key == "block"; });
    return says ? own_block(program).value_or(charted) : charted;
}

void count_algorithm(const Request& request, std::span<const std::uint64_t> sizes, const timing::ModeledGpu& machine,
                     Progress& progress, const std::function<void(AlgorithmCounts)>& found) {
    Counter counter(request, machine, progress);
    for (const std::uint64_t n : sizes) {
        if (auto counts = counter.at(n)) found(std::move(*counts));
        if (counter.wrong() || progress.cancelled()) return;
    }
}

}  // namespace lanescope::session
