#include "analysis/passes/pass_cuts.h"

#include "analysis/dataflow/instruction_table.h"

#include <algorithm>

namespace lanescope::analysis {
namespace {

using trace::EffectKind;

class PhaseFinder {
  public:
    PhaseFinder(const trace::Trace& trace, const Provenance& provenance, const Traffic& traffic,
                std::span<const StepId> steps)
        : trace_(trace), provenance_(provenance), traffic_(traffic), steps_(steps), phases_(steps.size()) {
        if (steps.empty()) return;
        first_ = provenance.values_of(steps.front()).first;
        shuffled_in_.resize(provenance.values_of(steps.back()).past_last - first_);
    }

    std::vector<std::uint32_t> find() {
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const trace::Step& step = trace_.step(steps_[i]);
            if (warps_.size() <= step.warp.index()) warps_.resize(step.warp.index() + 1);
            Warp& warp = warps_[step.warp.index()];
            if (warp.epoch != step.epoch) {
                warp.epoch = step.epoch;
                warp.phase = 0;
                warp.synchronized = false;
                warp.shuffled = false;
                warp.stamp = ++stamps_;
            }
            take(i, step, warp);
        }
        return std::move(phases_);
    }

  private:
    struct Warp {
        std::uint32_t epoch = ~0U;
        std::uint32_t phase = 0;
        std::uint32_t stamp = 0;                 ///< of the phase; unique within the block
        bool synchronized = false;               ///< the next access begins a new phase
        bool shuffled = false;                   ///< the phase has a shuffle
        ptx::Shuffle mode = ptx::Shuffle::none;  ///< of the phase's first shuffle
        std::uint32_t sent = 0;                  ///< newest stamp of the values that the phase's first shuffle sends
    };

    void take(std::size_t i, const trace::Step& step, Warp& warp) {
        const auto effects = trace_.effects(step);
        const bool shuffles = exchanges(trace_, provenance_.instructions(), step);
        const bool traffic = traffic_(step);
        const bool loads = std::ranges::any_of(effects, [](const auto& e) { return e.kind == EffectKind::load; });
        const bool begins =
            traffic && (warp.synchronized ||
                        (shuffles && (!warp.shuffled || sends_on(steps_[i], warp) || is_other(steps_[i], warp))) ||
                        (loads && relies_on_lockstep(i, step)));
        if (begins) {
            ++warp.phase;
            warp.stamp = ++stamps_;
            warp.synchronized = warp.shuffled = false;
        }
        if (shuffles && !warp.shuffled) {
            warp.mode = mode_of(step);
            warp.sent = newest_sent(steps_[i]);
        }
        warp.shuffled |= shuffles;
        any_shuffle_ |= shuffles;
        phases_[i] = warp.phase;
        if (const InstructionInfo* line = provenance_.instructions().at(step.line);
            line != nullptr && line->instruction->action() == ptx::Action::warp_barrier) {
            warp.synchronized = true;
        }
        if (any_shuffle_) spread(steps_[i], shuffles ? warp.stamp : 0);
    }

    /// Does the shuffle read a value that depends on another shuffle of the phase?
    bool sends_on(StepId step, const Warp& warp) const {
        const ValueRange written = provenance_.values_of(step);
        for (std::uint32_t v = written.first; v < written.past_last; ++v) {
            for (const ValueId parent : provenance_.parents(ValueId(v))) {
                if (parent.value >= first_ && shuffled_in_[parent.value - first_] == warp.stamp) return true;
            }
        }
        return false;
    }

    ptx::Shuffle mode_of(const trace::Step& step) const {
        const InstructionInfo* const line = provenance_.instructions().at(step.line);
        return line == nullptr ? ptx::Shuffle::none : line->instruction->modifiers.shuffle;
    }

    std::uint32_t newest_sent(StepId step) const {
        const ValueRange written = provenance_.values_of(step);
        std::uint32_t newest = 0;
        for (std::uint32_t v = written.first; v < written.past_last; ++v) {
            for (const ValueId parent : provenance_.parents(ValueId(v)))
                if (parent.value >= first_) newest = std::max(newest, shuffled_in_[parent.value - first_]);
        }
        return newest;
    }

    /// Does the shuffle belong to another algorithm, such as a scan of what a reduction has just summed? Then it has
    /// another mode and sends what another number of shuffles made. A phase may send to neighbors on both sides.
    bool is_other(StepId step, const Warp& warp) const {
        const ptx::Shuffle mode = mode_of(trace_.step(step));
        const bool both = mode != ptx::Shuffle::none && warp.mode != ptx::Shuffle::none;
        return both && mode != warp.mode && newest_sent(step) != warp.sent;
    }

    /// Marks values that depend on the phase's shuffles with the stamp of the newest such shuffle.
    void spread(StepId step, std::uint32_t stamp) {
        const ValueRange written = provenance_.values_of(step);
        for (std::uint32_t v = written.first; v < written.past_last; ++v) {
            std::uint32_t newest = stamp;
            for (const ValueId parent : provenance_.parents(ValueId(v))) {
                if (parent.value >= first_) newest = std::max(newest, shuffled_in_[parent.value - first_]);
            }
            shuffled_in_[v - first_] = newest;
        }
    }

    bool relies_on_lockstep(std::size_t i, const trace::Step& step) const {
        const ValueRange written = provenance_.values_of(steps_[i]);
        for (std::uint32_t v = written.first; v < written.past_last; ++v) {
            for (const ValueId parent : provenance_.parents(ValueId(v))) {
                const TracedValue& read = provenance_[parent];
                if (!read.is_cell() || read.space != trace::Space::shared || read.lane == provenance_[ValueId(v)].lane)
                    continue;
                const trace::Step& writer = trace_.step(read.step);
                if (writer.block != step.block || writer.warp != step.warp || writer.epoch != step.epoch) continue;
                const auto at = std::ranges::lower_bound(steps_.first(i), read.step) - steps_.begin();
                if (phases_[static_cast<std::size_t>(at)] == warps_[step.warp.index()].phase) return true;
            }
        }
        return false;
    }

    const trace::Trace& trace_;
    const Provenance& provenance_;
    const Traffic& traffic_;
    std::span<const StepId> steps_;
    std::vector<std::uint32_t> phases_;
    std::vector<Warp> warps_;
    std::uint32_t stamps_ = 0;
    bool any_shuffle_ = false;
    std::uint32_t first_ = 0;
    std::vector<std::uint32_t> shuffled_in_;  ///< by value, from first_: stamp of the newest shuffle it depends on
};

}  // namespace

std::vector<std::uint32_t> phases_of(const trace::Trace& trace, const Provenance& provenance, const Traffic& traffic,
                                     std::span<const StepId> steps) {
    return PhaseFinder(trace, provenance, traffic, steps).find();
}

}  // namespace lanescope::analysis
