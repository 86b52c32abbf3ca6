#include "analysis/dataflow/data_flow.h"

#include "analysis/launch_shape.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;

bool writes(const Effect& effect) { return effect.kind == EffectKind::register_write || trace::is_write(effect.kind); }

/// Which element of a vector load goes to that register: ld.v4 {%r1, %r2, %r3, %r4}, [..].
unsigned vector_element_of(const InstructionInfo& line, RegisterId reg) {
    const ptx::Operand& destination = line.instruction->operands[0];
    if (line.instruction->destination_count == 0 || destination.kind != ptx::Operand::Kind::vector) return 0;
    for (unsigned e = 0; e < destination.elements; ++e) {
        if (line.function->vector_elements[destination.first + e].reg == reg) return e;
    }
    return 0;
}

/// Did blocks run whose steps are not known? One that never started has read nothing.
bool has_unrecorded_blocks(const trace::Launch& launch) {
    if (launch.blocks.empty()) return !launch.all_recorded();
    const auto began = [](const trace::BlockRun& run) { return run.longest_warp > 0; };
    return static_cast<std::size_t>(std::ranges::count_if(launch.blocks, began)) > launch.recorded.size();
}

bool returns(const InstructionInfo* line) {
    return line != nullptr && line->instruction->action() == ptx::Action::return_;
}

}  // namespace

DataFlow::DataFlow(const trace::Trace& trace, Provenance& provenance, Provenance::Index& index)
    : trace_(trace),
      out_(provenance),
      index_(index),
      keeps_results_(!trace.host_steps.empty() && trace.origin.oracle.empty()) {
    for (const trace::Launch& launch : trace.launches) {
        index.first_shared.push_back(static_cast<std::uint32_t>(index.shared.size()));
        index.shared.insert(index.shared.end(), launch.recorded.size(), MemoryHistory(shared_bytes_of(launch)));
    }
    for (const trace::Buffer& buffer : trace.buffers)
        index.buffers.emplace_back(std::min<std::uint64_t>(buffer.bytes, buffer.initial.size()));

    std::size_t results = 0;
    for (const trace::Step& step : trace.steps()) {
        for (const Effect& effect : trace.effects(step)) {
            if (writes(effect)) results += std::size_t{effect.lanes.count()} * effect.elements;
            if (effect.kind == EffectKind::register_write)
                restores_ = restores_ || returns(index.instructions.at(step.line));
        }
    }
    out_.values_.reserve(results + results / 8);
    out_.parent_start_.reserve(results + results / 8 + 1);
    out_.parents_.reserve(results + results / 2);
    out_.written_.resize(trace.step_count());
    out_.exited_.resize(trace.step_count());
}

void DataFlow::run() {
    launch_ = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t number = 0; number < trace_.step_count(); ++number) follow(number);
    finish_operations();
    mark_outputs();
}

void DataFlow::begin_launch(std::uint32_t launch) {
    launch_ = launch;
    const trace::Launch& started = trace_.launches[launch];
    warps_ = warps_of(started);
    register_count_ = trace_.registers.size();
    blocks_.clear();
    blocks_.resize(started.recorded.size());
    last_block_ = 0;
    follow_host(launch);
    if (has_unrecorded_blocks(started)) mark_read_by_others();
}

DataFlow::BlockState* DataFlow::state_of(const trace::Step& step) {
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
        if (restores_) state.calls.resize(warps_ * warp_size);
        state.shared = &index_.shared[index_.first_shared[launch_] + last_block_];
    }
    return &state;
}

void DataFlow::follow(std::size_t number) {
    const trace::Step& step = trace_.steps()[number];
    if (step.launch != launch_) begin_launch(step.launch);
    auto& written = out_.written_[number];
    written.first = written.past_last = static_cast<std::uint32_t>(out_.values_.size());
    block_ = state_of(step);
    line_ = index_.instructions.at(step.line);
    if (block_ == nullptr || line_ == nullptr) return;
    step_ = StepId(static_cast<std::uint32_t>(number));
    executed_ = step.executed;
    warp_ = step.warp.value;
    data_ = index_.instructions.data(*line_);
    registers_ = block_->registers.data() + std::size_t{warp_} * register_count_ * warp_size;
    out_.exited_[number] = block_->exited[warp_];

    if (branched_) leave_ways(step);
    if (line_->guard.valid())
        line_->instruction->action() == ptx::Action::jump ? follow_branch(step) : follow_guard(step);
    const auto effects = trace_.effects(step);
    const Effect* shuffle = nullptr;
    read_.clear();
    if (line_->flow == Flow::load || line_->flow == Flow::atomic || line_->flow == Flow::copy) reads_.fill({});
    if (line_->flow == Flow::copy) read_copied(effects);
    for (const Effect& effect : effects) {
        if ((effect.kind == EffectKind::load && line_->flow != Flow::copy) || effect.kind == EffectKind::atomic)
            read(effect);
        if (effect.kind == EffectKind::shuffle) shuffle = &effect;
        if (effect.kind == EffectKind::exit) block_->exited[warp_] |= effect.lanes;
    }
    // Reading can create values for initial contents of memory; they are older than the step's own values.
    written.first = static_cast<std::uint32_t>(out_.values_.size());
    for (const Effect& effect : effects) {
        if (effect.kind == EffectKind::store) store(effect);
        if (effect.kind == EffectKind::atomic) apply(effect);
    }
    auto first_register = static_cast<std::uint32_t>(out_.values_.size());
    for (const Effect& effect : effects) {
        if (effect.kind == EffectKind::register_write) write_registers(effect, shuffle);
    }
    if (restores_ && returns(line_)) return_from_call(step.executed);
    written.past_last = static_cast<std::uint32_t>(out_.values_.size());
    // Written only now: other lanes of a shuffle, and the second result of an instruction, read the old value.
    for (const Effect& effect : effects) {
        if (effect.kind != EffectKind::register_write) continue;
        update_registers(effect, first_register);
        first_register += effect.lanes.count();
    }
    if (restores_ && line_->instruction->action() == ptx::Action::call) call(step.executed);
}

// --- Registers ---------------------------------------------------------------------------------------------------

ValueId DataFlow::held(RegisterId reg, unsigned lane) const {
    return reg.index() < register_count_ ? registers_[reg.index() * warp_size + lane] : ValueId{};
}

/// Which data operand of a select the lane takes. selp d, a, b, p: a where p; slct d, a, b, c: a where c >= 0 (PTX ISA
/// 9.7.3). An operand whose register is not known chooses the first.
unsigned DataFlow::chosen(unsigned lane) const {
    const auto steering = index_.instructions.steering(*line_);
    if (steering.empty()) return 0;
    const ValueId value = held(steering.front(), lane);
    if (!value.valid()) return 0;
    const TracedValue& by = out_.values_[value.index()];
    const ptx::Operand& operand = line_->instruction->operands[line_->instruction->destination_count + 2U];
    if (by.bytes == 0) return ((by.bits & 1U) != 0) != operand.negated ? 0 : 1;
    const bool negative = ((by.bits >> 31U) & 1U) != 0;
    const bool zero = ptx::is_float(line_->instruction->modifiers.source_type) && (by.bits << 33U) == 0;
    return negative && !zero ? 1 : 0;
}

void DataFlow::write_registers(const Effect& write, const Effect* shuffle) {
    const unsigned element =
        line_->flow == Flow::load ? vector_element_of(*line_, RegisterId(write.id - line_->first_register)) : 0;
    const auto first = static_cast<std::uint32_t>(out_.values_.size());
    for (const unsigned lane : write.lanes) {
        begin_value(TracedValue::Kind::reg, lane, write.bytes, trace_.after(write, lane));
        unsigned input_dependent = 0;  // operands
        switch (line_->flow) {
            case Flow::load:
            case Flow::atomic: take_read(element * warp_size + lane); break;
            case Flow::select:
                if (const unsigned operand = chosen(lane); operand < data_.size()) take(held(data_[operand], lane));
                break;
            case Flow::shuffle:
                // The predicate beside the result says whether the source lane is in range; it depends on no data.
                if (shuffle != nullptr && shuffle->lanes.has(lane) && write.bytes != 0 && !data_.empty()) {
                    take(held(data_.front(), static_cast<unsigned>(trace_.after(*shuffle, lane)) % warp_size));
                }
                break;
            case Flow::reduce:
                if (lane == write.lanes.lowest()) {
                    for (const unsigned other : executed_) {
                        for (const RegisterId reg : data_) input_dependent += take(held(reg, other)) ? 1 : 0;
                    }
                } else {  // one result for all: the others copy it
                    take(ValueId(first));
                }
                break;
            case Flow::vote: follow_vote(ValueId(static_cast<std::uint32_t>(out_.values_.size() - 1)), lane); break;
            default:
                if (returns(line_)) {
                    const auto before = calls_of(lane).held_before(line_->function, RegisterId(write.id));
                    if (before) take(*before);
                }
                // A predicate is a condition: control, not data (app/README.md, Terms).
                if (write.bytes == 0) break;
                for (const RegisterId reg : data_) input_dependent += take(held(reg, lane)) ? 1 : 0;
                if (line_->instruction->opcode == ptx::Opcode::add) add_flags(lane);
        }
        end_value(input_dependent);
        follow_register(write, lane);
    }
}

void DataFlow::update_registers(const Effect& write, std::uint32_t first) {
    if (write.id >= register_count_) return;
    ValueId* const to = registers_ + std::size_t{write.id} * warp_size;
    for (const unsigned lane : write.lanes) {
        if (restores_) calls_of(lane).overwrite(RegisterId(write.id), to[lane]);
        to[lane] = ValueId(first++);
    }
}

void DataFlow::call(LaneMask lanes) {
    const ptx::Operand& target = line_->instruction->operands[1];
    const bool direct = target.kind == ptx::Operand::Kind::function;
    const ptx::Function* const callee = direct ? &index_.module.functions[target.function] : nullptr;
    if (direct && !callee->defined) return;  // a system call, without steps
    for (const unsigned lane : lanes) calls_of(lane).call(callee);
}

/// Runs before the step's register changes: registers that kept their bits are restored, too.
void DataFlow::return_from_call(LaneMask lanes) {
    for (const unsigned lane : lanes) {
        calls_of(lane).return_from_call(line_->function, line_->first_register, line_->function->registers.size(),
                                        [&](RegisterId reg, ValueId held) {
                                            if (reg.index() < register_count_) {
                                                registers_[reg.index() * warp_size + lane] = held;
                                            }
                                        });
    }
}

// --- Values ------------------------------------------------------------------------------------------------------

void DataFlow::begin_value(TracedValue::Kind kind, unsigned lane, unsigned bytes, std::uint64_t bits) {
    out_.parent_start_.push_back(static_cast<std::uint32_t>(out_.parents_.size()));
    TracedValue& value = out_.values_.emplace_back();
    value.kind = kind;
    value.lane = static_cast<std::uint8_t>(lane);
    value.bytes = static_cast<std::uint8_t>(bytes);
    value.step = step_;
    value.bits = bits;
    passed_operands_ = flag_operands_ = 0;
    other_operands_ = false;
}

/// Makes `parent` a parent of the newest value; true if it depends on input data. Registers never written are not
/// parents.
bool DataFlow::take(ValueId parent) {
    if (!parent.valid()) return false;
    out_.parents_.push_back(parent);
    const TracedValue& from = out_.values_[parent.index()];
    TracedValue& value = out_.values_.back();
    value.input_dependent |= from.input_dependent;
    value.depth = std::max(value.depth, from.depth);
    const bool passed = from.passed_on || from.is_cell() || line_->flow == Flow::shuffle;
    value.passed_on = value.passed_on || passed;
    if (passed || from.input_dependent) ++passed_operands_;
    const Lineage& like = lineage(parent);
    if (like.flag)
        ++flag_operands_;
    else if (from.input_dependent && !(from.is_given() && from.bits == 0))
        other_operands_ = true;
    if (like.kept_by.valid()) decide_by(ValueId(static_cast<std::uint32_t>(out_.values_.size() - 1)), like.kept_by);
    return from.input_dependent;
}

void DataFlow::take_read(std::uint32_t slot) {
    const Found found = reads_[slot];
    for (std::uint32_t i = 0; i < found.count; ++i) take(read_[found.first + i]);
}

/// Completes the newest value, with that many operands that depend on input data. Only a reduction over the lanes of a
/// warp has more than a few; it can be done as a tree.
void DataFlow::end_value(unsigned input_dependent) {
    TracedValue& value = out_.values_.back();
    // A sum of flags is an operation already.
    if (!value.application && line_->operator_like && input_dependent > 1) {
        const bool reduces = line_->flow == Flow::reduce;
        value.application = true;
        value.operations = static_cast<std::uint16_t>(reduces ? input_dependent - 1 : 1);
        value.depth += reduces ? static_cast<unsigned>(std::bit_width(input_dependent - 1)) : 1;
    }
    value.counts = line_->operator_like && !value.application && passed_operands_ > 1 && value.bytes > 0;
    if (value.kind != TracedValue::Kind::reg) return;
    const auto parents = std::span(out_.parents_).subspan(out_.parent_start_.back());
    const bool made_of_data = std::ranges::any_of(
        parents, [&](ValueId parent) { return out_.values_[parent.index()].kind != TracedValue::Kind::constant; });
    if (!made_of_data) value.kind = TracedValue::Kind::constant;
}

// --- Outputs -----------------------------------------------------------------------------------------------------

bool DataFlow::is_result(ValueId id) const {
    const TracedValue& value = out_.values_[id.index()];
    if (value.kind == TracedValue::Kind::memory) return true;
    return value.kind == TracedValue::Kind::host && !out_.parents(id).empty();
}

void DataFlow::follow_host(std::uint32_t launch) {
    const auto write_until = [&](auto is_due) {
        while (host_writes_ < trace_.host_writes.size() && is_due(host_writes_)) write_by_host(host_writes_++);
    };
    for (; host_steps_ < trace_.host_steps.size() && trace_.host_steps[host_steps_].launch <= launch; ++host_steps_) {
        const trace::HostStep& step = trace_.host_steps[host_steps_];
        // A read after a copy reads the copy.
        if (step.host_write) write_until([&](std::uint32_t number) { return number <= *step.host_write; });
        mark_host_read(step);
    }
    write_until([&](std::uint32_t number) { return trace_.host_writes[number].launch <= launch; });
}

/// Memory that the host reads between launches is an output, whatever overwrites it later. A step does not say which
/// part of the buffer it reads, so all of it counts.
void DataFlow::mark_host_read(const trace::HostStep& step) {
    // A copy of which the trace has no source may have read anything.
    const bool followed =
        step.host_write && *step.host_write < trace_.host_writes.size() && trace_.host_writes[*step.host_write].source;
    if (step.kind == trace::HostStep::Kind::write && trace::is_copy_of_buffer(step.text) && !followed)
        mark_read_by_others();
    if (step.kind != trace::HostStep::Kind::read || !step.buffer || *step.buffer >= index_.buffers.size()) return;
    index_.buffers[*step.buffer].for_each_newest([&](ValueId id) {
        TracedValue& value = out_.values_[id.index()];
        if (is_result(id)) value.reaches_output = value.use_known = true;
    });
}

/// The contents of global memory may be read: by blocks of a launch that begins which are not recorded (what its
/// recorded blocks write to it, they may read as well, see mark_outputs), or by a copy.
void DataFlow::mark_read_by_others() {
    for (MemoryHistory& buffer : index_.buffers) {
        buffer.for_each_newest([&](ValueId id) {
            TracedValue& value = out_.values_[id.index()];
            if (is_result(id)) value.reaches_output = true;
        });
    }
}

void DataFlow::mark_outputs() {
    follow_host(std::numeric_limits<std::uint32_t>::max());
    // If a program names no output, every buffer that it wrote is one.
    const bool named = std::ranges::any_of(trace_.buffers, &trace::Buffer::output);
    for (std::size_t i = 0; i < trace_.buffers.size(); ++i) {
        if (named && !trace_.buffers[i].output) continue;
        index_.buffers[i].for_each_newest([&](ValueId id) {
            TracedValue& value = out_.values_[id.index()];
            if (is_result(id)) value.reaches_output = value.use_known = true;
        });
    }
    std::vector<bool> in_part;  // by launch
    in_part.reserve(trace_.launches.size());
    for (const trace::Launch& launch : trace_.launches) in_part.push_back(has_unrecorded_blocks(launch));
    if (std::ranges::find(in_part, true) != in_part.end()) {
        for (TracedValue& value : out_.values_) {
            const bool stored = value.kind == TracedValue::Kind::memory && value.space == trace::Space::global;
            if (stored && value.step.valid() && in_part[trace_.step(value.step).launch]) value.reaches_output = true;
        }
    }
    out_.parent_start_.push_back(static_cast<std::uint32_t>(out_.parents_.size()));
    // What an output holds because a comparison let it stay depends on the comparison.
    for (std::size_t i = 0; i < std::min(lineages_.size(), out_.values_.size()); ++i) {
        const ValueId test = lineages_[i].kept_by;
        if (!test.valid() || !out_.values_[i].reaches_output) continue;
        TracedValue& decided = out_.values_[test.index()];
        decided.reaches_output = true;
        decided.use_known = decided.use_known || out_.values_[i].use_known;
    }
    // Parents are older than their results.
    for (std::size_t i = out_.values_.size(); i-- > 0;) {
        if (!out_.values_[i].reaches_output) continue;
        for (std::uint32_t p = out_.parent_start_[i]; p < out_.parent_start_[i + 1]; ++p) {
            TracedValue& parent = out_.values_[out_.parents_[p].index()];
            parent.reaches_output = true;
            parent.use_known = parent.use_known || out_.values_[i].use_known;
        }
        for (const auto& [of, need] : out_.decided_by(ValueId(static_cast<std::uint32_t>(i)))) {
            TracedValue& needed = out_.values_[need.index()];
            needed.reaches_output = true;
            needed.use_known = needed.use_known || out_.values_[i].use_known;
        }
    }
}

}  // namespace lanescope::analysis
