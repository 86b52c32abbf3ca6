#include "analysis/passes/pass_meter.h"

#include "analysis/costs.h"
#include "analysis/dataflow/usefulness.h"
#include "analysis/launch_shape.h"

#include <algorithm>

namespace lanescope::analysis {

PassMeter::PassMeter(const trace::Trace& trace, const Provenance& provenance, std::uint32_t launch,
                     std::span<const StepId> steps)
    : trace_(trace), provenance_(provenance), threads_(threads_of(trace.launches[launch])) {
    if (steps.empty()) return;
    first_ = provenance.values_of(steps.front()).first;
    chain_.resize(provenance.values_of(steps.back()).past_last - first_);
}

void PassMeter::begin(StepId first) {
    reading_ = {.pass = {}, .useful_threads = std::vector<bool>(threads_)};
    pass_begin_ = provenance_.values_of(first).first;
}

void PassMeter::add(StepId id) {
    Pass& pass = reading_.pass;
    const ValueRange written = provenance_.values_of(id);
    const trace::Step& step = trace_.step(id);
    for (std::uint32_t i = written.first; i < written.past_last; ++i) {
        const TracedValue& value = provenance_[ValueId(i)];
        std::uint32_t chain = 0, deepest = 0;
        provenance_.for_each_need(ValueId(i), [&](ValueId need) {
            deepest = std::max(deepest, provenance_[need].depth);
            if (need.value >= pass_begin_) chain = std::max(chain, chain_[need.value - first_]);
        });
        chain += value.depth - deepest;
        chain_[i - first_] = chain;
        if (provenance_.is_address_operation(ValueId(i)))
            pass.address_work += std::max<std::uint64_t>(value.operations, 1);
        if (!value.reaches_output) continue;
        pass.work += value.operations;
        pass.span = std::max<std::uint64_t>(pass.span, chain);
        if (value.operations > 0) pass.depth = std::max<std::uint64_t>(pass.depth, value.depth);
    }
    for (const unsigned lane : lanes_with_results(trace_, provenance_, id)) {
        const std::size_t thread = thread_of(step.warp, lane);
        if (thread >= reading_.useful_threads.size() || reading_.useful_threads[thread]) continue;
        reading_.useful_threads[thread] = true;
        ++pass.lanes;
    }
    const StepFacts facts = facts_of(trace_, provenance_, id);
    pass.counts += facts.counts;
    pass.ways = std::max(pass.ways, facts.ways);
    pass.useful_lanes += (provenance_.useful(id) & step.executed).count();
    pass.unknown_lanes += (provenance_.unknown_use(id) & step.executed).count();
}

void PassMeter::fill_in(Pass& pass) const {
    const Pass& read = reading_.pass;
    pass.counts = read.counts;
    pass.work = read.work;
    pass.address_work = read.address_work;
    pass.span = read.span;
    pass.depth = read.depth;
    pass.ways = read.ways;
    pass.lanes = read.lanes;
    pass.useful_lanes = read.useful_lanes;
    pass.unknown_lanes = read.unknown_lanes;
}

PassUnderWay::PassUnderWay(const BlockView& block)
    : passes_(block.passes), meter_(block.trace, block.provenance, block.passes.launch, block.passes.steps) {}

const Pass& PassUnderWay::at(std::size_t position) {
    if (passes_.passes.empty()) return under_way_ = {};
    const std::size_t index = passes_.pass_of(position).index();
    const Pass& whole = passes_.passes[index];
    if (position >= whole.past_last) return under_way_ = whole;
    if (index != pass_) {
        pass_ = index;
        kept_.clear();
        meter_.begin(passes_.steps[whole.first]);
        measured_ = whole.first;
        kept_.push_back(meter_.reading());
    } else if (position < measured_) {
        const std::size_t reading = (position - whole.first) / interval;
        meter_.resume(kept_[reading]);
        measured_ = whole.first + reading * interval;
    }
    for (; measured_ < position; ++measured_) {
        if (measured_ > whole.first && (measured_ - whole.first) % interval == 0 &&
            (measured_ - whole.first) / interval == kept_.size()) {
            kept_.push_back(meter_.reading());
        }
        meter_.add(passes_.steps[measured_]);
    }
    under_way_ = whole;
    under_way_.past_last = position;
    meter_.fill_in(under_way_);
    return under_way_;
}

}  // namespace lanescope::analysis
