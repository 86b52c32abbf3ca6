#include "analysis/dataflow/data_flow.h"

#include "analysis/dataflow/branch_ways.h"
#include "analysis/dataflow/call_frames.h"
#include "analysis/dataflow/decisions.h"
#include "analysis/dataflow/flag_sums.h"
#include "analysis/dataflow/host_flow.h"
#include "analysis/dataflow/outputs.h"
#include "analysis/dataflow/step_reads.h"
#include "analysis/dataflow/value_builder.h"
#include "analysis/launch_shape.h"

#include <algorithm>
#include <limits>
#include <span>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;
using Kind = ptx::Operand::Kind;

bool writes(const Effect& effect) { return effect.kind == EffectKind::register_write || trace::is_write(effect.kind); }

/// Which element of a vector load goes to that register: ld.v4 {%r1, %r2, %r3, %r4}, [..].
unsigned vector_element_of(const InstructionInfo& line, RegisterId reg) {
    const ptx::Operand& destination = line.instruction->operands[0];
    if (line.instruction->destination_count == 0 || destination.kind != Kind::vector) return 0;
    for (unsigned e = 0; e < destination.elements; ++e) {
        if (line.function->vector_elements[destination.first + e].reg == reg) return e;
    }
    return 0;
}

bool returns(const InstructionInfo* line) {
    return line != nullptr && line->instruction->action() == ptx::Action::return_;
}

/// Does the result hold the bits, or the number, of the one data operand?
bool copies(const InstructionInfo& line) {
    switch (line.flow) {
        case Flow::load:
        case Flow::store:
        case Flow::copy:
        case Flow::select:
        case Flow::shuffle: return true;
        case Flow::compute: {
            const ptx::Opcode opcode = line.instruction->opcode;
            return opcode == ptx::Opcode::mov || opcode == ptx::Opcode::cvt || opcode == ptx::Opcode::cvta;
        }
        default: return false;
    }
}

/// Which data operand of a select the lane takes. selp d, a, b, p: a where p; slct d, a, b, c: a where c >= 0 (PTX ISA
/// 9.7.3). An operand whose register is not known chooses the first.
unsigned selected_operand(const FlowStep& step, const ValueGraph& values, unsigned lane) {
    if (step.steering.empty()) return 0;
    const ValueId value = step.held(step.steering.front(), lane);
    if (!value.valid()) return 0;
    const TracedValue& by = values[value];
    const ptx::Operand& operand = step.instruction().operands[step.instruction().destination_count + 2U];
    if (by.bytes == 0) return ((by.bits & 1U) != 0) != operand.negated ? 0 : 1;
    const bool negative = ((by.bits >> 31U) & 1U) != 0;
    const bool zero = ptx::is_float(step.instruction().modifiers.source_type) && (by.bits << 33U) == 0;
    return negative && !zero ? 1 : 0;
}

class Walk {
  public:
    Walk(const trace::Trace& trace, const ptx::Module& module, const InstructionTable& instructions, DataFlow& out);
    void run();

  private:
    /// The state of a recorded block.
    struct BlockState {
        std::vector<ValueId> registers;  ///< by warp, then register, then lane
        std::vector<LaneMask> exited;    ///< by warp
    };

    void begin_launch(std::uint32_t launch);
    void end_launch();
    [[nodiscard]] BlockState* state_of(const trace::Step& step);
    void follow(std::size_t number);

    void store(const Effect& store);
    void keep_result_of_launch(const MemoryPlace& place);
    void apply(const Effect& atomic);
    void write_registers(const Effect& write, const Effect* shuffle);
    void update_registers(const Effect& write, std::uint32_t first);
    void call(LaneMask lanes);
    void return_from_call(LaneMask lanes);

    void classify_register(const Effect& write, unsigned lane);
    void classify_compute(unsigned lane);
    void classify_copy();
    void classify_stored(unsigned lane);
    void classify_in_way(const Effect& write, unsigned lane);

    const trace::Trace& trace_;
    const ptx::Module& module_;
    const InstructionTable& instructions_;
    DataFlow& out_;
    ValueGraph& values_;

    Lineages lineages_;
    ValueBuilder builder_;
    TracedMemory memory_;
    StepReads reads_;
    LearnedAddresses addresses_;
    BranchWays ways_;
    Decisions decisions_;
    FlagSums flags_;
    HostFlow host_;

    bool keeps_results_ = false;  ///< keep_result_of_launch
    bool restores_ = false;       ///< some function calls itself, and returns
    std::uint32_t launch_ = 0;
    std::size_t register_count_ = 0;
    std::size_t warps_ = 0;
    std::vector<BlockState> blocks_;  ///< as Launch::recorded
    std::size_t last_block_ = 0;
    PerThread<CallFrames> calls_;  ///< only of programs that restore registers

    FlowStep step_;                 ///< the step being followed
    ValueId* registers_ = nullptr;  ///< FlowStep::registers
};

Walk::Walk(const trace::Trace& trace, const ptx::Module& module, const InstructionTable& instructions, DataFlow& out)
    : trace_(trace),
      module_(module),
      instructions_(instructions),
      out_(out),
      values_(out.values),
      lineages_(values_),
      builder_(values_, lineages_),
      memory_(trace, instructions, out.memories, values_),
      reads_(trace, memory_),
      ways_(values_, lineages_, addresses_, memory_),
      decisions_(values_, lineages_),
      flags_(values_, lineages_, builder_),
      host_(trace, memory_, out.memories, values_),
      keeps_results_(!trace.host_steps.empty() && trace.origin.oracle.empty()),
      register_count_(trace.registers.size()) {
    std::size_t results = 0;
    for (const trace::Step& step : trace.steps()) {
        for (const Effect& effect : trace.effects(step)) {
            if (writes(effect)) results += std::size_t{effect.lanes.count()} * effect.elements;
            if (effect.kind == EffectKind::register_write) restores_ = restores_ || returns(instructions.at(step.line));
        }
    }
    values_.reserve(results);
    out.written.resize(trace.step_count());
    out.exited.resize(trace.step_count());
}

void Walk::run() {
    launch_ = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t number = 0; number < trace_.step_count(); ++number) follow(number);
    end_launch();
    values_.finish_operations();
    host_.follow_until(HostFlow::end_of_trace);
    mark_outputs(trace_, out_.memories, lineages_, values_);
}

/// What a block holds when its record ends may be read by the steps that follow.
void Walk::end_launch() {
    if (launch_ >= trace_.launches.size() || !trace_.launches[launch_].cut) return;
    const std::vector<BlockId>& recorded = trace_.launches[launch_].recorded;
    const auto cut =
        static_cast<std::size_t>(std::ranges::lower_bound(recorded, *trace_.launches[launch_].cut) - recorded.begin());
    const auto mark = [&](ValueId id) {
        if (id.valid() && values_[id].step.valid()) values_[id].reaches_output = true;
    };
    for (const ValueId id : blocks_[cut].registers) mark(id);
    out_.memories.shared[out_.memories.first_shared[launch_] + cut].for_each_newest(mark);
    memory_.for_each_of_threads(cut, warps_ * warp_size, mark);
}

void Walk::begin_launch(std::uint32_t launch) {
    end_launch();
    launch_ = launch;
    const trace::Launch& started = trace_.launches[launch];
    warps_ = warps_of(started);
    const std::size_t blocks = started.recorded.size(), threads = warps_ * warp_size;
    blocks_.assign(blocks, {});
    last_block_ = 0;
    memory_.begin_launch(launch);
    ways_.begin_launch(blocks, threads);
    decisions_.begin_launch(blocks, threads);
    flags_.begin_launch(blocks, warps_, started.block.count());
    calls_.begin_launch(blocks, threads);
    host_.follow_until(launch);
    if (has_unrecorded_steps(started)) mark_read_by_others(out_.memories, values_);
}

Walk::BlockState* Walk::state_of(const trace::Step& step) {
    const std::vector<BlockId>& recorded = trace_.launches[launch_].recorded;
    if (last_block_ >= recorded.size() || recorded[last_block_] != step.block) {
        const auto found = std::ranges::lower_bound(recorded, step.block);
        if (found == recorded.end() || *found != step.block) return nullptr;
        last_block_ = static_cast<std::size_t>(found - recorded.begin());
    }
    if (step.warp.index() >= warps_) return nullptr;
    BlockState& state = blocks_[last_block_];
    if (state.exited.empty()) {
        state.registers.resize(warps_ * register_count_ * warp_size);
        state.exited.resize(warps_);
    }
    return &state;
}

void Walk::follow(std::size_t number) {
    const trace::Step& step = trace_.steps()[number];
    if (step.launch != launch_) begin_launch(step.launch);
    ValueRange& written = out_.written[number];
    written.first = written.past_last = static_cast<std::uint32_t>(values_.size());
    BlockState* const block = state_of(step);
    const InstructionInfo* const line = instructions_.at(step.line);
    if (block == nullptr || line == nullptr) return;
    const std::size_t registers = register_count_ * warp_size;
    registers_ = block->registers.data() + step.warp.value * registers;
    step_ = {.id = StepId(static_cast<std::uint32_t>(number)),
             .block = last_block_,
             .warp = step.warp.value,
             .active = step.active,
             .executed = step.executed,
             .line = line,
             .data = instructions_.data(*line),
             .steering = instructions_.steering(*line),
             .registers = {registers_, registers}};
    LaneMask& exited = block->exited[step_.warp];
    out_.exited[number] = exited;

    const auto effects = trace_.effects(step);
    const Effect* shuffle = nullptr;
    LaneMask taken;
    for (const Effect& effect : effects) {
        if (effect.kind == EffectKind::shuffle) shuffle = &effect;
        if (effect.kind == EffectKind::branch) taken = effect.lanes;
        if (effect.kind == EffectKind::exit) exited |= effect.lanes;
    }
    if (ways_.any()) {
        const ptx::Group group = step_.instruction().meaning().group;
        if (group == ptx::Group::barrier || group == ptx::Group::shuffle) decisions_.forget(step_);
        ways_.leave(step_);
    }
    if (line->guard.valid())
        step_.instruction().action() == ptx::Action::jump ? ways_.branch(step_, taken) : ways_.guard(step_);
    reads_.read(step_, effects);
    // Reading can create values for initial contents of memory; they are older than the step's own values.
    written.first = static_cast<std::uint32_t>(values_.size());
    for (const Effect& effect : effects) {
        if (effect.kind == EffectKind::store) store(effect);
        if (effect.kind == EffectKind::atomic) apply(effect);
    }
    auto first_register = static_cast<std::uint32_t>(values_.size());
    for (const Effect& effect : effects) {
        if (effect.kind == EffectKind::register_write) write_registers(effect, shuffle);
    }
    if (restores_ && returns(line)) return_from_call(step.executed);
    written.past_last = static_cast<std::uint32_t>(values_.size());
    // Written only now: other lanes of a shuffle, and the second result of an instruction, read the old value.
    for (const Effect& effect : effects) {
        if (effect.kind != EffectKind::register_write) continue;
        update_registers(effect, first_register);
        first_register += effect.lanes.count();
    }
    if (restores_ && step_.instruction().action() == ptx::Action::call) call(step.executed);
}

// --- Memory ------------------------------------------------------------------------------------------------------

void Walk::store(const Effect& store) {
    for (const unsigned lane : store.lanes) {
        for (unsigned e = 0; e < store.elements; ++e) {
            const std::uint64_t address = trace_.address(store, lane) + std::uint64_t{e} * store.bytes;
            const ValueId id =
                builder_.begin(step_, TracedValue::Kind::memory, lane, store.bytes, trace_.after(store, lane, e));
            values_[id].space = store.space;
            values_[id].address = address;
            if (step_.line->flow == Flow::copy)
                builder_.take(reads_.of(e, lane));
            else if (e < step_.data.size())
                builder_.take(step_.held(step_.data[e], lane));
            builder_.end(0);
            classify_stored(lane);
            const MemoryPlace place = memory_.place_of(step_, store, trace_.address(store, lane), e, lane);
            keep_result_of_launch(place);
            if (place.memory != nullptr) place.memory->write(place.offset, store.bytes, id);
        }
    }
}

/// Host code often launches several kernels on the same buffers to compare them. If a program names no output, all that
/// a launch leaves in global memory is one, even if a later launch overwrites it.
void Walk::keep_result_of_launch(const MemoryPlace& place) {
    if (!keeps_results_ || place.buffer == nullptr || place.memory == nullptr) return;
    const ValueId before = place.memory->newest(place.offset);
    if (!before.valid()) return;
    TracedValue& left = values_[before];
    if (left.kind == TracedValue::Kind::memory && left.step.valid() && trace_.step(left.step).launch != launch_)
        left.reaches_output = left.use_known = true;
}

/// Lanes of a warp act one after the other, lowest first: each reads the result of the one before it.
void Walk::apply(const Effect& atomic) {
    const auto operation = static_cast<ptx::Atomic>(atomic.id);
    const bool compares = operation == ptx::Atomic::cas;
    for (const unsigned lane : atomic.lanes) {
        const std::uint64_t address = trace_.address(atomic, lane);
        const MemoryPlace place = memory_.place_of(step_, atomic, address, 0, lane);
        reads_.read_again(place, atomic, lane);
        // Compare-and-swap (PTX ISA 9.7.13.5) has the operands {compare, new}: it stores `new` or leaves memory
        // unchanged, and then its thread has written nothing.
        const bool swaps = compares && trace_.before(atomic, lane) != trace_.after(atomic, lane);
        const auto kind = compares && !swaps ? TracedValue::Kind::unchanged : TracedValue::Kind::memory;
        const ValueId id = builder_.begin(step_, kind, lane, atomic.bytes, trace_.after(atomic, lane));
        values_[id].space = atomic.space;
        values_[id].address = address;
        unsigned input_dependent = 0;
        if (operation != ptx::Atomic::exch && !swaps) {
            builder_.take(reads_.of(0, lane));
            input_dependent += values_[id].input_dependent ? 1 : 0;
        }
        if (swaps && step_.data.size() > 1) builder_.take(step_.held(step_.data[1], lane));
        if (!compares) {
            for (const RegisterId reg : step_.data) input_dependent += builder_.take(step_.held(reg, lane)) ? 1 : 0;
        }
        if (operation == ptx::Atomic::add) flags_.addition(step_, lane, ways_.once(step_, lane));
        builder_.end(input_dependent);
        // The first addition to a cell that the host set to 0 has one summand: it is no operation of the algorithm.
        if (operation == ptx::Atomic::add && memory_.begins_with_zero(place)) values_[id].operations = 0;
        if (place.memory != nullptr && kind == TracedValue::Kind::memory)
            place.memory->write(place.offset, atomic.bytes, id);
    }
}

// --- Registers ---------------------------------------------------------------------------------------------------

void Walk::write_registers(const Effect& write, const Effect* shuffle) {
    const InstructionInfo& line = *step_.line;
    const unsigned element =
        line.flow == Flow::load ? vector_element_of(line, RegisterId(write.id - line.first_register)) : 0;
    const auto first = static_cast<std::uint32_t>(values_.size());
    for (const unsigned lane : write.lanes) {
        builder_.begin(step_, TracedValue::Kind::reg, lane, write.bytes, trace_.after(write, lane));
        unsigned input_dependent = 0;  // operands
        switch (line.flow) {
            case Flow::load:
            case Flow::atomic: builder_.take(reads_.of(element, lane)); break;
            case Flow::select:
                if (const unsigned operand = selected_operand(step_, values_, lane); operand < step_.data.size())
                    builder_.take(step_.held(step_.data[operand], lane));
                break;
            case Flow::shuffle:
                // The predicate beside the result says whether the source lane is in range; it depends on no data.
                if (shuffle != nullptr && shuffle->lanes.has(lane) && write.bytes != 0 && !step_.data.empty()) {
                    const auto source = static_cast<unsigned>(trace_.after(*shuffle, lane)) % warp_size;
                    builder_.take(step_.held(step_.data.front(), source));
                }
                break;
            case Flow::reduce:
                if (lane == write.lanes.lowest()) {
                    for (const unsigned other : step_.executed) {
                        for (const RegisterId reg : step_.data)
                            input_dependent += builder_.take(step_.held(reg, other)) ? 1 : 0;
                    }
                } else {  // one result for all: the others copy it
                    builder_.take(ValueId(first));
                }
                break;
            case Flow::vote: flags_.vote(step_, lane); break;
            default:
                if (returns(&line)) {
                    const auto before = calls_.at(step_.thread(lane)).held_before(line.function, RegisterId(write.id));
                    if (before) builder_.take(*before);
                }
                // A predicate is a condition: control, not data (app/README.md, Terms).
                if (write.bytes == 0) break;
                for (const RegisterId reg : step_.data) input_dependent += builder_.take(step_.held(reg, lane)) ? 1 : 0;
                if (line.instruction->opcode == ptx::Opcode::add) flags_.addition(step_, lane, ways_.once(step_, lane));
        }
        builder_.end(input_dependent);
        classify_register(write, lane);
    }
}

void Walk::update_registers(const Effect& write, std::uint32_t first) {
    if (write.id >= register_count_) return;
    ValueId* const to = registers_ + std::size_t{write.id} * warp_size;
    for (const unsigned lane : write.lanes) {
        if (restores_) calls_.at(step_.thread(lane)).overwrite(RegisterId(write.id), to[lane]);
        to[lane] = ValueId(first++);
    }
}

void Walk::call(LaneMask lanes) {
    const ptx::Operand& target = step_.instruction().operands[1];
    const bool direct = target.kind == Kind::function;
    const ptx::Function* const callee = direct ? &module_.functions[target.function] : nullptr;
    if (direct && !callee->defined) return;  // a system call, without steps
    for (const unsigned lane : lanes) calls_.at(step_.thread(lane)).call(callee);
}

/// Runs before the step's register changes: registers that kept their bits are restored, too.
void Walk::return_from_call(LaneMask lanes) {
    const InstructionInfo& line = *step_.line;
    for (const unsigned lane : lanes) {
        calls_.at(step_.thread(lane))
            .return_from_call(line.function, line.first_register, line.function->registers.size(),
                              [&](RegisterId reg, ValueId held) {
                                  if (reg.index() < register_count_) registers_[reg.index() * warp_size + lane] = held;
                              });
    }
}

// --- What a value stands for -------------------------------------------------------------------------------------

/// The newest value is complete: a register of the lane.
void Walk::classify_register(const Effect& write, unsigned lane) {
    const Flow flow = step_.line->flow;
    if (write.bytes == 0) {
        if (flow != Flow::shuffle && flow != Flow::vote) decisions_.predicate(step_, lane);
        const Way way = ways_.way_of(step_, lane);
        if (way.function == nullptr) return;
        if (ways_.merges(step_, RegisterId(write.id - step_.line->first_register)))
            lineages_.mark_conditional(values_.newest(), way.test);
        return;
    }
    if (flow == Flow::vote) return;
    addresses_.learn(step_, values_, values_.newest(), lane);
    if (flow == Flow::select) decisions_.selection(step_, lane);
    if (copies(*step_.line)) classify_copy();
    classify_compute(lane);
    classify_in_way(write, lane);
}

void Walk::classify_compute(unsigned lane) {
    const ValueId id = values_.newest();
    const Flow flow = step_.line->flow;
    const ptx::Opcode opcode = step_.instruction().opcode;
    if (opcode == ptx::Opcode::mov && step_.instruction().operands[1].kind == Kind::immediate)
        lineages_.change(id).literal = true;
    if (opcode == ptx::Opcode::min || opcode == ptx::Opcode::max) decisions_.extreme(step_, lane);
    if (flow == Flow::load) decisions_.chosen_load(step_, lane);
    if (flow == Flow::compute) decisions_.computed_address(step_, lane);
    if (opcode == ptx::Opcode::and_ || opcode == ptx::Opcode::popc) flags_.count_votes(step_, lane);
    if (opcode == ptx::Opcode::and_) decisions_.masked_condition(step_, lane);
    const bool sums = opcode == ptx::Opcode::add || flow == Flow::reduce;
    if (sums && builder_.flags() > 0 && !builder_.has_other_data()) lineages_.change(id).flag = true;
}

/// The newest value is a copy of its one parent.
void Walk::classify_copy() {
    const ValueId id = values_.newest();
    const auto parents = values_.parents(id);
    if (parents.size() != 1) return;
    const ValueId from = parents.front();
    const bool loaded = step_.line->flow == Flow::load && values_[from].kind != TracedValue::Kind::constant;
    lineages_.mark_copy(id, from, loaded ? step_.loaded_from : lineages_[from].loaded_from);
    flags_.copy(id, from);
}

void Walk::classify_stored(unsigned lane) {
    const ValueId id = values_.newest();
    classify_copy();
    if (step_.line->flow == Flow::store && step_.instruction().operands[1].kind == Kind::immediate)
        lineages_.change(id).literal = true;
    const Way way = ways_.way_of(step_, lane);
    if (way.test.valid()) values_.add_need(way.test);
    if (way.flags.cells && lineages_.is_literal_flag(id)) lineages_.mark_flag(id, way.test);
}

/// A register that both ways of the lane's branch may write depends on the condition, which may make it a flag.
void Walk::classify_in_way(const Effect& write, unsigned lane) {
    const Way way = ways_.way_of(step_, lane);
    if (way.function == nullptr) return;
    const ValueId id = values_.newest();
    const RegisterId own(write.id - step_.line->first_register);
    const bool guarded = step_.line->guard.valid();
    if (!guarded && !ways_.merges(step_, own)) return;
    if (way.test.valid()) values_.add_need(way.test);
    if (!way.once || !copies(*step_.line) || !lineages_.is_literal_flag(id)) return;
    const ValueId before = step_.held(RegisterId(write.id), lane);
    const bool differs =
        guarded && before.valid() && lineages_.is_literal_flag(before) && values_[before].bits != values_[id].bits;
    if (differs || std::ranges::find(way.flags.registers, own) != way.flags.registers.end())
        lineages_.mark_flag(id, way.test);
}

}  // namespace

DataFlow follow_data(const trace::Trace& trace, const ptx::Module& module, const InstructionTable& instructions) {
    DataFlow flow{.values = {}, .written = {}, .exited = {}, .memories = MemoryHistories(trace)};
    Walk(trace, module, instructions, flow).run();
    return flow;
}

}  // namespace lanescope::analysis
