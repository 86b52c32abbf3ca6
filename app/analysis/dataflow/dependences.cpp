#include "analysis/dataflow/dependences.h"

#include "analysis/dataflow/instruction_table.h"

#include <algorithm>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;

/// The steps of one lane before a step of its own, newest first.
class Backwards {
  public:
    Backwards(const trace::Trace& trace, StepId from, unsigned lane) : trace_(trace), at_(from.value), lane_(lane) {
        const trace::Step& step = trace.step(from);
        block_ = step.block;
        warp_ = step.warp;
        launch_ = step.launch;
    }

    /// The next older step of the lane, whether its guard was true or not; invalid at the start of the launch.
    StepId next() {
        while (at_ > 0) {
            const trace::Step& step = trace_.step(StepId(--at_));
            if (step.launch != launch_) break;
            if (step.block == block_ && step.warp == warp_ && step.active.has(lane_)) return StepId(at_);
        }
        at_ = 0;
        return {};
    }

  private:
    const trace::Trace& trace_;
    std::uint32_t at_;
    unsigned lane_;
    BlockId block_;
    WarpId warp_;
    std::uint32_t launch_ = 0;
};

class Asker {
  public:
    Asker(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance)
        : trace_(trace), module_(module), provenance_(provenance) {}

    Dependences ask(ValueId id) {
        Dependences reasons;
        reasons.readers = readers_of(id);
        const TracedValue& value = provenance_[id];
        const auto parents = provenance_.parents(id);
        reasons.data.assign(parents.begin(), parents.end());
        if (!value.step.valid()) return reasons;
        const InstructionInfo* const line = provenance_.instructions().at(trace_.step(value.step).line);
        if (line == nullptr) return reasons;
        // A condition is not data of the lanes that it steers, but it depends on data.
        const bool condition = value.kind != TracedValue::Kind::memory && value.bytes == 0;
        if (condition && reasons.data.empty()) {
            reasons.data = held_by(provenance_.instructions().data(*line), value.step, value.lane);
        }
        reasons.address = held_by(provenance_.instructions().steering(*line), value.step, value.lane);
        if (line->guard.valid()) reasons.control.push_back({held(line->guard, value.step, value.lane), value.step});
        if (const auto branch = branch_to(value.step, value.lane); branch.step.valid()) {
            reasons.control.push_back(branch);
        }
        return reasons;
    }

  private:
    std::vector<ValueId> readers_of(ValueId id) const {
        std::vector<ValueId> readers;
        for (std::uint32_t v = id.value + 1; v < provenance_.size(); ++v) {
            if (std::ranges::find(provenance_.parents(ValueId(v)), id) != provenance_.parents(ValueId(v)).end()) {
                readers.emplace_back(v);
            }
        }
        return readers;
    }

    /// The register's value just before the step.
    [[nodiscard]] ValueId held(RegisterId reg, StepId before, unsigned lane) const {
        Backwards back(trace_, before, lane);
        for (StepId step = back.next(); step.valid(); step = back.next()) {
            const auto effects = trace_.effects(trace_.step(step));
            const bool writes = std::ranges::any_of(effects, [&](const Effect& effect) {
                return effect.kind == EffectKind::register_write && effect.id == reg.value && effect.lanes.has(lane);
            });
            if (writes) return provenance_.written_to(reg, step, lane);
        }
        return {};
    }

    [[nodiscard]] std::vector<ValueId> held_by(std::span<const RegisterId> registers, StepId before,
                                               unsigned lane) const {
        std::vector<ValueId> values;
        for (const RegisterId reg : registers) {
            if (!reg.valid()) continue;
            if (const ValueId value = held(reg, before, lane); value.valid()) values.push_back(value);
        }
        return values;
    }

    /// The newest branch that had not reconverged when the lane reached the step: the one that led it there. Where the
    /// function has none, the branches that led to its call.
    [[nodiscard]] ControlDependence branch_to(StepId from, unsigned lane) const {
        const InstructionInfo* at = provenance_.instructions().at(trace_.step(from).line);
        std::vector<bool> since(at->function->instructions.size());  // reached later, by instruction
        since[index_of(*at)] = true;
        Backwards back(trace_, from, lane);
        for (StepId step = back.next(); step.valid(); step = back.next()) {
            const InstructionInfo* const line = provenance_.instructions().at(trace_.step(step).line);
            if (line == nullptr) continue;
            const bool calls_function = line->instruction->action() == ptx::Action::call;
            if (line->function != at->function) {
                if (!calls_function || !calls(*line, *at->function)) continue;
                at = line;
                since.assign(at->function->instructions.size(), false);
                since[index_of(*at)] = true;
                continue;
            }
            const std::uint32_t meets = line->instruction->reconvergence;
            const bool branches = ptx::group_of(*line->instruction) == ptx::Group::branch && line->guard.valid();
            if (branches && !calls_function && (meets >= since.size() || !since[meets])) {
                return {held(line->guard, step, lane), step};
            }
            since[index_of(*line)] = true;
        }
        return {};
    }

    static std::size_t index_of(const InstructionInfo& line) {
        return static_cast<std::size_t>(line.instruction - line.function->instructions.data());
    }

    /// By a name of its own, or through a register, which may mean any function.
    [[nodiscard]] bool calls(const InstructionInfo& call, const ptx::Function& callee) const {
        const ptx::Operand& target = call.instruction->operands[1];
        return target.kind != ptx::Operand::Kind::function || &module_.functions[target.function] == &callee;
    }

    const trace::Trace& trace_;
    const ptx::Module& module_;
    const Provenance& provenance_;
};

}  // namespace

Dependences dependences_of(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance,
                           ValueId value) {
    return Asker(trace, module, provenance).ask(value);
}

}  // namespace lanescope::analysis
