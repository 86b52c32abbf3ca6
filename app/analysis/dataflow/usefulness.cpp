#include "analysis/dataflow/usefulness.h"

#include "analysis/launch_shape.h"
#include "analysis/passes/traffic.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;

/// The values that the rest of a warp's run still needs.
struct WarpNeeds {
    std::vector<LaneMask> registers;  ///< lanes of each register that steer something useful: addresses, predicates
    LaneMask working;                 ///< lanes that do something useful later
    StepId barrier;                   ///< the next barrier of the warp
};

class Backwards {
  public:
    Backwards(const trace::Trace& trace, const InstructionTable& code, const Provenance& provenance,
              bool TracedValue::*seed)
        : trace_(trace),
          code_(code),
          provenance_(provenance),
          with_unknown_(seed == &TracedValue::reaches_output),
          useful_(trace.step_count()),
          needed_(provenance.size()) {
        for (std::uint32_t i = 0; i < needed_.size(); ++i) needed_[i] = provenance[ValueId(i)].*seed ? 1 : 0;
    }

    std::vector<LaneMask> run() {
        std::uint32_t launch = std::numeric_limits<std::uint32_t>::max();
        for (std::size_t number = trace_.step_count(); number-- > 0;) {
            const trace::Step& step = trace_.steps()[number];
            if (step.launch != launch) {
                launch = step.launch;
                warps_per_block_ = warps_of(trace_.launches[launch]);
                warps_.clear();
                warps_.resize(trace_.launches[launch].recorded.size() * warps_per_block_);
                cut_ = trace_.launches[launch].cut;
            }
            const InstructionInfo* const line = code_.at(step.line);
            WarpNeeds* const warp = needs_of(step);
            if (line == nullptr || warp == nullptr) continue;
            const StepId id(static_cast<std::uint32_t>(number));
            if (line->flow == Flow::control) {
                pass_control(id, step, *line, *warp);
            } else {
                pass_result(id, step, *line, *warp);
            }
        }
        return std::move(useful_);
    }

  private:
    WarpNeeds* needs_of(const trace::Step& step) {
        const auto& recorded = trace_.launches[step.launch].recorded;
        if (block_ >= recorded.size() || recorded[block_] != step.block) {
            const auto found = std::ranges::lower_bound(recorded, step.block);
            if (found == recorded.end() || *found != step.block) return nullptr;
            block_ = static_cast<std::size_t>(found - recorded.begin());
        }
        if (step.warp.index() >= warps_per_block_) return nullptr;
        WarpNeeds& warp = warps_[block_ * warps_per_block_ + step.warp.index()];
        if (warp.registers.empty()) {
            // The steps after a cut may need every register, and each lane may do something useful in them.
            const LaneMask last = with_unknown_ && cut_ == step.block ? LaneMask::first(warp_size) : LaneMask();
            warp.registers.resize(trace_.registers.size() + 1, last);
            warp.working = last;
        }
        return &warp;
    }

    static LaneMask& of(WarpNeeds& warp, RegisterId reg) {
        return warp.registers[std::min(reg.index(), warp.registers.size() - 1)];  // the last one: unknown registers
    }

    void pass_result(StepId id, const trace::Step& step, const InstructionInfo& line, WarpNeeds& warp) {
        const ValueRange written = provenance_.values_of(id);
        std::uint32_t value = written.first;
        LaneMask stores, conditions;
        for (const Effect& effect : trace_.effects(step)) {
            if (trace::is_write(effect.kind)) {
                value += effect.lanes.count() * effect.elements;
                stores |= effect.lanes;
            }
        }
        for (const Effect& effect : trace_.effects(step)) {
            if (effect.kind != EffectKind::register_write) continue;
            if (effect.bytes == 0) conditions |= effect.lanes;
            LaneMask& steering = of(warp, RegisterId(effect.id));
            for (const unsigned lane : steering& effect.lanes) needed_[value + effect.lanes.rank(lane)] = 1;
            steering &= ~effect.lanes;
            value += effect.lanes.count();
        }
        LaneMask useful;
        for (std::uint32_t i = written.first; i < written.past_last; ++i) {
            if (needed_[i] == 0) continue;
            useful |= LaneMask::only(provenance_[ValueId(i)].lane);
            for (const ValueId parent : provenance_.parents(ValueId(i))) needed_[parent.index()] = 1;
        }
        useful_[id.index()] = useful;
        if (useful.none()) return;
        warp.working |= useful;
        for (const RegisterId reg : code_.steering(line)) {
            if (reg.valid()) of(warp, reg) |= useful;
        }
        // The operands of a condition are not data, and so not among its parents.
        if (line.flow == Flow::vote || (conditions & useful).any()) {
            for (const RegisterId reg : code_.data(line)) {
                if (reg.valid()) of(warp, reg) |= line.flow == Flow::vote ? step.executed : useful;
            }
        }
        if (line.guard.valid()) of(warp, line.guard) |= useful;
        if ((stores & useful).any() && warp.barrier.valid()) {
            useful_[warp.barrier.index()] |= useful & trace_.step(warp.barrier).executed;
        }
    }

    void pass_control(StepId id, const trace::Step& step, const InstructionInfo& line, WarpNeeds& warp) {
        const ptx::Group group = line.instruction->meaning().group;
        LaneMask useful = warp.working & step.active;
        if (group == ptx::Group::exit) useful = step.executed;
        if (group == ptx::Group::barrier) warp.barrier = id;
        useful_[id.index()] = useful;
        if (line.guard.valid()) of(warp, line.guard) |= warp.working & step.active;
    }

    const trace::Trace& trace_;
    const InstructionTable& code_;
    const Provenance& provenance_;
    bool with_unknown_;           ///< lanes whose use is not known count
    std::optional<BlockId> cut_;  ///< Launch::cut
    std::vector<LaneMask> useful_;
    std::vector<std::uint8_t> needed_;  ///< by value: an output depends on it somehow
    std::vector<WarpNeeds> warps_;      ///< of the launch, by recorded block, then warp
    std::size_t warps_per_block_ = 0;
    std::size_t block_ = 0;
};

}  // namespace

std::vector<LaneMask> useful_lanes(const trace::Trace& trace, const InstructionTable& code,
                                   const Provenance& provenance, bool TracedValue::*seed) {
    return Backwards(trace, code, provenance, seed).run();
}

namespace {

/// Lanes for which the step loads values of shared or global memory.
LaneMask loading_lanes(const trace::Trace& trace, StepId step) {
    LaneMask lanes;
    for (const Effect& effect : trace.effects(trace.step(step))) {
        const bool of_others = effect.space == trace::Space::shared || effect.space == trace::Space::global;
        if (effect.kind == EffectKind::load && of_others) lanes |= effect.lanes;
    }
    return lanes;
}

/// The lanes whose result is the purpose of a pass, useful or not. Arriving and waiting at an mbarrier is none, as at
/// any barrier.
LaneMask purposeful_lanes(const trace::Trace& trace, const Provenance& provenance, StepId step) {
    if (std::ranges::any_of(trace.effects(trace.step(step)), is_of_mbarrier)) return {};
    const bool exchanged = exchanges(trace, provenance.instructions(), trace.step(step));
    const ValueRange written = provenance.values_of(step);
    LaneMask lanes, others;
    for (std::uint32_t i = written.first; i < written.past_last; ++i) {
        const TracedValue& value = provenance[ValueId(i)];
        if (value.application || value.is_cell() || exchanged || provenance.comes_in(ValueId(i)))
            lanes |= LaneMask::only(value.lane);
        else if (value.input_dependent)
            others |= LaneMask::only(value.lane);
    }
    others &= ~lanes;
    if (others.any()) lanes |= others & loading_lanes(trace, step);
    return lanes;
}

}  // namespace

LaneMask lanes_with_results(const trace::Trace& trace, const Provenance& provenance, StepId step) {
    return purposeful_lanes(trace, provenance, step) & provenance.useful(step);
}

LaneMask lanes_with_wasted_results(const trace::Trace& trace, const Provenance& provenance, StepId step) {
    return purposeful_lanes(trace, provenance, step) & ~provenance.useful(step);
}

LaneMask exiting_lanes(const trace::Trace& trace, const trace::Step& step) {
    LaneMask lanes;
    for (const trace::Effect& effect : trace.effects(step))
        if (effect.kind == trace::EffectKind::exit) lanes |= effect.lanes;
    return lanes;
}

}  // namespace lanescope::analysis
