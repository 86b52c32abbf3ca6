#include "session/algorithm_counts.h"

#include "execute/emulator/emulator.h"
#include "session/gpu_plan.h"
#include "session/small_run.h"
#include "session/unmeasured.h"
#include "timing/further_counts.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace lanescope::session {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t most_emulated = std::uint64_t{1} << 22;  // elements
constexpr double longest_emulation = 4;                          // seconds, of one size
constexpr double short_emulation = 0.25;  // says nothing of larger sizes: compiling may have been in it

class Counter {
  public:
    Counter(const Request& request, const timing::Machine& machine, Progress& progress)
        : request_(request), machine_(machine), progress_(progress) {
        request_.view = trace::View::compiled;
        request_.record_blocks = 1;
        request_.multiprocessors = machine.processors;
        request_.grid.reset();
        request_.grid_extent.reset();
    }

    /// Nothing where there are no counts, or no such size.
    std::optional<AlgorithmCounts> at(std::uint64_t n) {
        request_.n = n;
        const bool host = small_ && small_->program.host;
        if (host && (n > most_emulated || would_take_long(n))) return std::nullopt;
        if ((!small_ || host || small_->grid < several_blocks) && !run_small()) return std::nullopt;
        if (small_->program.host) return AlgorithmCounts{.point = unmeasured(*small_)};
        const auto plan = plan_for_gpu(
            *small_, {.n = n,
                      .grid = {},
                      .per_thread = {},
                      .multiprocessors = machine_.processors,
                      .resident_threads = std::uint64_t{machine_.processors} * machine_.residency.threads});
        if (!plan) return std::nullopt;
        AlgorithmCounts found{.point = untimed_point(small_->program, *plan)};
        found.point.counts = emulated(*plan);
        if (found.point.counts) {
            counted_.push_back(found.point);
        } else {
            found.point.counts = timing::further_counts(counted_, found.point);
            found.emulated = false;
        }
        return found.point.counts && !wrong_ ? std::optional(std::move(found)) : std::nullopt;
    }

    /// The kernel does something wrong: its counts are no use at any size.
    [[nodiscard]] bool wrong() const { return wrong_; }

  private:
    bool run_small() {
        const auto begin = Clock::now();
        auto run = small_run(request_, progress_);
        if (!run || progress_.cancelled()) return false;
        took(begin, (*run)->n);
        small_ = std::move(*run);
        wrong_ = small_->verdict.ok == false || !small_->trace().findings.empty();
        return !wrong_;
    }

    /// Nothing where it would take too long, or was cancelled.
    std::optional<timing::Counts> emulated(const GpuPlan& plan) {
        if (plan.n > most_emulated || would_take_long(plan.n)) return std::nullopt;
        const auto begin = Clock::now();
        const auto trace =
            execute::emulate(small_->module(), emulation_of(plan, *small_), {.record_blocks = 0}, progress_);
        took(begin, plan.n);
        if (!trace || (*trace)->cancelled) return std::nullopt;
        wrong_ = !(*trace)->findings.empty();
        return counts_of(**trace);
    }

    void took(Clock::time_point begin, std::uint64_t n) {
        seconds_ = std::chrono::duration<double>(Clock::now() - begin).count();
        elements_ = n;
    }
    [[nodiscard]] bool would_take_long(std::uint64_t n) const {
        return seconds_ > short_emulation &&
               seconds_ / static_cast<double>(elements_) * static_cast<double>(n) > longest_emulation;
    }

    Request request_;
    const timing::Machine& machine_;
    Progress& progress_;
    std::shared_ptr<const Run> small_;
    std::vector<timing::Point> counted_;  // by the emulator
    double seconds_ = 0;                  // that the emulator took last,
    std::uint64_t elements_ = 1;          // for so many
    bool wrong_ = false;
};

}  // namespace

void count_algorithm(const Request& request, std::span<const std::uint64_t> sizes, const timing::Machine& machine,
                     Progress& progress, const std::function<void(AlgorithmCounts)>& found) {
    Counter counter(request, machine, progress);
    for (const std::uint64_t n : sizes) {
        if (auto counts = counter.at(n)) found(std::move(*counts));
        if (counter.wrong() || progress.cancelled()) return;
    }
}

}  // namespace lanescope::session
