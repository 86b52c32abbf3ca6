// Which value each thread holds while the lanes exchange values in registers.
#include "analysis/passes_picture/cell_sources.h"

#include "analysis/dataflow/instruction_table.h"
#include "analysis/expressions/operator_text.h"
#include "analysis/launch_shape.h"
#include "analysis/passes/traffic.h"

#include <algorithm>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;

/// The registers that some exchange of the block sends.
std::vector<bool> sent_registers(const trace::Trace& trace, const Provenance& provenance,
                                 std::span<const StepId> steps) {
    std::vector<bool> sent(trace.registers.size());
    for (const StepId id : steps) {
        const trace::Step& step = trace.step(id);
        const InstructionInfo* const line = provenance.instructions().at(step.line);
        if (line == nullptr || !exchanges(trace, provenance.instructions(), step)) continue;
        const auto data = provenance.instructions().data(*line);
        if (!data.empty() && data.front().index() < sent.size()) sent[data.front().index()] = true;
    }
    return sent;
}

class Follower {
  public:
    explicit Follower(const BlockView& block) : block_(block) {}

    std::vector<LaneEvent> follow() {
        const std::vector<bool> sent = sent_registers(block_.trace, block_.provenance, block_.passes.steps);
        if (std::ranges::find(sent, true) == sent.end()) return {};
        const unsigned threads = threads_of(block_.launch());
        holds_.resize(threads);
        held_.assign(sent.size() * threads, {});
        first_ = block_.provenance.values_of(block_.passes.steps.front()).first;
        brought_in_.resize(block_.provenance.values_of(block_.passes.steps.back()).past_last - first_);
        for (const Pass& pass : block_.passes.passes) follow_pass(pass, sent, threads);
        std::ranges::stable_sort(events_, {}, &LaneEvent::at);
        return std::move(events_);
    }

  private:
    void follow_pass(const Pass& pass, const std::vector<bool>& sent, unsigned threads) {
        const std::uint32_t stamp = pass.id.value + 1;
        std::vector<ValueId> combined(threads), brought(threads);
        bool combines = false;
        const auto steps = std::span(block_.passes.steps).subspan(pass.first, pass.past_last - pass.first);
        const bool exchanged = std::ranges::any_of(steps, [&](StepId id) {
            return exchanges(block_.trace, block_.provenance.instructions(), block_.trace.step(id));
        });
        for (std::size_t i = pass.first; i < pass.past_last; ++i) {
            const StepId id = block_.passes.steps[i];
            const trace::Step& step = block_.trace.step(id);
            const InstructionInfo* const line = block_.provenance.instructions().at(step.line);
            const ValueRange written = block_.provenance.values_of(id);
            if (line == nullptr || written.first == written.past_last) continue;
            const bool exchange = exchanges(block_.trace, block_.provenance.instructions(), step);
            if (exchange) give(id, step, *line, sent, threads);
            for (std::uint32_t v = written.first; v < written.past_last; ++v) {
                const TracedValue& value = block_.provenance[ValueId(v)];
                const unsigned thread = thread_of(step.warp, value.lane);
                if (thread >= threads) continue;
                bool follows = exchange && value.bytes != 0;
                for (const ValueId parent : block_.provenance.parents(ValueId(v))) {
                    follows |= parent.value >= first_ && brought_in_[parent.value - first_] == stamp;
                    // Without an exchange, a result of the thread's value replaces it.
                    follows |= !exchanged && value.application && holds_[thread].value.valid() &&
                               past_register_copies(block_.trace, block_.provenance, parent) == holds_[thread].value;
                }
                if (!follows) continue;
                brought_in_[v - first_] = stamp;
                if (exchange) brought[thread] = ValueId(v);
                // Adding the zero of a lane without a value is no operation, but makes the thread's new value.
                if (line->operator_like && value.bytes != 0) {
                    combined[thread] = ValueId(v);
                    combines = true;
                }
            }
            for (const Effect& effect : block_.trace.effects(step)) {
                if (effect.kind != EffectKind::register_write || !sent[effect.id]) continue;
                for (const unsigned lane : effect.lanes) {
                    const unsigned thread = thread_of(step.warp, lane);
                    if (thread >= threads) continue;
                    held_[effect.id * std::size_t{threads} + thread] =
                        block_.provenance.written_to(RegisterId(effect.id), id, lane);
                }
            }
        }
        for (unsigned thread = 0; thread < threads; ++thread)
            hold(thread, combines ? combined[thread] : brought[thread], StepId{});
    }

    /// The value that each lane gives to an exchange is the value of its thread.
    void give(StepId id, const trace::Step& step, const InstructionInfo& line, const std::vector<bool>& sent,
              unsigned threads) {
        const auto data = block_.provenance.instructions().data(line);
        if (data.empty() || data.front().index() >= sent.size()) return;
        for (const unsigned lane : step.executed) {
            const unsigned thread = thread_of(step.warp, lane);
            if (thread >= threads) continue;
            const ValueId given = held_[data.front().index() * std::size_t{threads} + thread];
            if (given.valid()) hold(thread, past_register_copies(block_.trace, block_.provenance, given), id);
        }
    }

    /// `now`: the time of the exchange, where the value is older than the thread's current one.
    void hold(unsigned thread, ValueId value, StepId now) {
        LaneEvent& held = holds_[thread];
        if (!value.valid() || held.value == value) return;
        const StepId made = block_.provenance[value].step;
        held = {value, thread, held.value.valid() && made < held.at && now.valid() ? now : made};
        if (held.at.valid()) events_.push_back(held);
    }

    BlockView block_;
    std::vector<LaneEvent> events_;
    std::vector<LaneEvent> holds_;  ///< by thread
    std::vector<ValueId> held_;     ///< by register that is sent, then thread
    std::uint32_t first_ = 0;
    std::vector<std::uint32_t> brought_in_;  ///< by value, from first_: 1 + the pass of the exchange that it came from
};

}  // namespace

std::vector<LaneEvent> lane_events(const BlockView& block) {
    if (block.passes.steps.empty()) return {};
    return Follower(block).follow();
}

ValueId past_register_copies(const trace::Trace& trace, const Provenance& provenance, ValueId id) {
    while (true) {
        const TracedValue& value = provenance[id];
        const auto parents = provenance.parents(id);
        if (parents.size() != 1 || !value.step.valid() || value.is_cell()) return id;
        const TracedValue& parent = provenance[parents.front()];
        if (parent.bits != value.bits || parent.is_cell() || !parent.step.valid()) return id;
        const InstructionInfo* const line = provenance.instructions().at(trace.step(value.step).line);
        if (line == nullptr || line->flow == Flow::shuffle) return id;
        const bool computes =
            line->flow == Flow::compute && operator_text(*line->instruction).form != OperatorText::Form::transparent;
        if (computes) return id;
        id = parents.front();
    }
}

}  // namespace lanescope::analysis
