#include "analysis/data_flow.h"

#include "analysis/launch_shape.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;

bool writes(const Effect& effect) {
    return effect.kind == EffectKind::register_write || effect.kind == EffectKind::store ||
           effect.kind == EffectKind::atomic;
}

/// Which element of a vector load goes to that register: ld.v4 {%r1, %r2, %r3, %r4}, [..].
unsigned element_of(const CodeLine& line, RegisterId reg) {
    const ptx::Operand& destination = line.instruction->operands[0];
    if (line.instruction->destination_count == 0 || destination.kind != ptx::Operand::Kind::vector) return 0;
    for (unsigned e = 0; e < destination.elements; ++e) {
        if (line.function->vector_elements[destination.first + e].reg == reg) return e;
    }
    return 0;
}

bool returns(const CodeLine* line) { return line != nullptr && line->instruction->opcode == ptx::Opcode::ret; }

}  // namespace

DataFlow::DataFlow(const trace::Trace& trace, Provenance& provenance, Provenance::Index& index)
    : trace_(trace), out_(provenance), index_(index) {
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
            if (effect.kind == EffectKind::register_write) restores_ = restores_ || returns(index.code.at(step.line));
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
    out_.parent_start_.push_back(static_cast<std::uint32_t>(out_.parents_.size()));
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
    while (host_writes_ < trace_.host_writes.size() && trace_.host_writes[host_writes_].launch <= launch) {
        write_by_host(host_writes_++);
    }
}

/// Where something lay, the host's contents are newer. Where nothing did, they are found when they are read. What a kernel left
/// and the host replaces, the host may have looked at: it counts as an output.
void DataFlow::write_by_host(std::uint32_t number) {
    const trace::HostWrite& write = trace_.host_writes[number];
    MemoryHistory& memory = index_.buffers[write.buffer];
    const std::uint64_t end = write.offset + write.after.size();
    for (std::uint64_t offset = write.offset; offset < end;) {
        const ValueId before = memory.newest(offset);
        if (!before.valid()) {
            ++offset;
            continue;
        }
        Value& left = out_.values_[before.index()];
        left.reaches_output = left.reaches_output || left.kind == Value::Kind::memory;
        const ValueId id = given_contents(write.buffer, offset, number + 1);
        const Value& value = out_.values_[id.index()];
        const std::uint64_t first = value.address - trace_.buffers[write.buffer].address;
        if (!memory.holds(first, value.bytes)) return;
        memory.write(first, value.bytes, id);
        offset = first + value.bytes;
    }
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
    line_ = index_.code.at(step.line);
    if (block_ == nullptr || line_ == nullptr) return;
    step_ = StepId(static_cast<std::uint32_t>(number));
    executed_ = step.executed;
    warp_ = step.warp.value;
    data_ = index_.code.data(*line_);
    registers_ = block_->registers.data() + std::size_t{warp_} * register_count_ * warp_size;
    out_.exited_[number] = block_->exited[warp_];

    const auto effects = trace_.effects(step);
    const Effect* shuffle = nullptr;
    read_.clear();
    if (line_->flow == Flow::load || line_->flow == Flow::atomic) reads_.fill({});
    for (const Effect& effect : effects) {
        if (effect.kind == EffectKind::load || effect.kind == EffectKind::atomic) read(effect);
        if (effect.kind == EffectKind::shuffle) shuffle = &effect;
        if (effect.kind == EffectKind::exit) block_->exited[warp_] |= effect.lanes;
    }
    // Reading can bring initial contents of memory into being; they are older than the step's own values.
    written.first = static_cast<std::uint32_t>(out_.values_.size());
    for (const Effect& effect : effects) {
        if (effect.kind == EffectKind::store) store(effect);
        if (effect.kind == EffectKind::atomic) apply(effect);
    }
    auto first_register = static_cast<std::uint32_t>(out_.values_.size());
    for (const Effect& effect : effects) {
        if (effect.kind == EffectKind::register_write) write_registers(effect, shuffle);
    }
    if (restores_ && returns(line_)) give_back(step.executed);
    written.past_last = static_cast<std::uint32_t>(out_.values_.size());
    // Only now: other lanes of a shuffle, and the second result of an instruction, read what was there before.
    for (const Effect& effect : effects) {
        if (effect.kind != EffectKind::register_write) continue;
        update_registers(effect, first_register);
        first_register += effect.lanes.count();
    }
    if (restores_ && line_->instruction->opcode == ptx::Opcode::call) call(step.executed);
}

// --- Registers ---------------------------------------------------------------------------------------------------

ValueId DataFlow::held(RegisterId reg, unsigned lane) const {
    return reg.index() < register_count_ ? registers_[reg.index() * warp_size + lane] : ValueId{};
}

/// Which data operand of a select the lane takes. selp d, a, b, p: a where p; slct d, a, b, c: a where c >= 0 (PTX ISA
/// 9.7.3). An operand whose register is not known chooses the first.
unsigned DataFlow::chosen(unsigned lane) const {
    const auto steering = index_.code.steering(*line_);
    if (steering.empty()) return 0;
    const ValueId value = held(steering.front(), lane);
    if (!value.valid()) return 0;
    const Value& by = out_.values_[value.index()];
    const ptx::Operand& operand = line_->instruction->operands[line_->instruction->destination_count + 2U];
    if (by.bytes == 0) return ((by.bits & 1U) != 0) != operand.negated ? 0 : 1;
    const bool negative = ((by.bits >> 31U) & 1U) != 0;
    const bool zero = ptx::is_float(line_->instruction->modifiers.source_type) && (by.bits << 33U) == 0;
    return negative && !zero ? 1 : 0;
}

void DataFlow::write_registers(const Effect& write, const Effect* shuffle) {
    const unsigned element =
        line_->flow == Flow::load ? element_of(*line_, RegisterId(write.id - line_->first_register)) : 0;
    const auto first = static_cast<std::uint32_t>(out_.values_.size());
    for (const unsigned lane : write.lanes) {
        begin_value(Value::Kind::reg, lane, write.bytes, trace_.after(write, lane));
        unsigned from_input = 0;  // operands
        switch (line_->flow) {
            case Flow::load:
            case Flow::atomic: take_read(element * warp_size + lane); break;
            case Flow::select:
                if (const unsigned operand = chosen(lane); operand < data_.size()) take(held(data_[operand], lane));
                break;
            case Flow::shuffle:
                // The predicate beside the result tells whether the source lane was in range: it is made of no data.
                if (shuffle != nullptr && shuffle->lanes.has(lane) && write.bytes != 0 && !data_.empty()) {
                    take(held(data_.front(), static_cast<unsigned>(trace_.after(*shuffle, lane)) % warp_size));
                }
                break;
            case Flow::reduce:
                if (lane == write.lanes.lowest()) {
                    for (const unsigned other : executed_) {
                        for (const RegisterId reg : data_) from_input += take(held(reg, other)) ? 1 : 0;
                    }
                } else {  // one result for all: the others copy it
                    take(ValueId(first));
                }
                break;
            case Flow::vote: break;
            default:
                if (returns(line_)) {
                    const auto before = calls_of(lane).held_before(line_->function, RegisterId(write.id));
                    if (before) take(*before);
                }
                // A predicate is a condition: control, not data (README, "Dependence").
                if (write.bytes == 0) break;
                for (const RegisterId reg : data_) from_input += take(held(reg, lane)) ? 1 : 0;
        }
        end_value(from_input);
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
    if (direct && !callee->defined) return;  // the system's: it takes no steps
    for (const unsigned lane : lanes) calls_of(lane).call(callee);
}

/// Before the registers that the step is seen to change are changed: those that had the same bits are put back, too.
void DataFlow::give_back(LaneMask lanes) {
    for (const unsigned lane : lanes) {
        calls_of(lane).give_back(line_->function, line_->first_register, line_->function->registers.size(),
                                 [&](RegisterId reg, ValueId held) {
                                     if (reg.index() < register_count_) {
                                         registers_[reg.index() * warp_size + lane] = held;
                                     }
                                 });
    }
}

// --- Memory ------------------------------------------------------------------------------------------------------

/// Element `element` of a lane's access that begins at `address`.
DataFlow::Place DataFlow::place_of(const Effect& access, std::uint64_t address, unsigned element, unsigned lane) {
    const trace::Space space = access.space;
    const unsigned bytes = access.bytes;
    address += std::uint64_t{element} * bytes;
    Place place;
    place.offset = address;
    if (space == trace::Space::shared) {
        place.memory = block_->shared;
    } else if (space == trace::Space::local) {
        if (block_->local.empty()) block_->local.resize(warps_ * warp_size, MemoryHistory(most_local_bytes));
        place.memory = &block_->local[std::size_t{warp_} * warp_size + lane];
    } else if (space == trace::Space::param && line_->passed != CodeLine::none) {
        if (block_->passed.empty()) {
            block_->passed.resize(warps_ * warp_size, MemoryHistory(index_.code.parameter_bytes()));
        }
        place.memory = &block_->passed[std::size_t{warp_} * warp_size + lane];
        place.offset = line_->passed + std::uint64_t{element} * bytes;
    } else if (space == trace::Space::global || space == trace::Space::constant) {
        const auto in = [&](std::size_t i) {
            return address >= trace_.buffers[i].address &&
                   address - trace_.buffers[i].address < trace_.buffers[i].bytes;
        };
        if (trace_.buffers.empty()) return {};
        if (!in(last_buffer_)) {
            std::size_t i = 0;
            while (i < trace_.buffers.size() && !in(i)) ++i;
            if (i == trace_.buffers.size()) return {};
            last_buffer_ = i;
        }
        place.buffer = &trace_.buffers[last_buffer_];
        place.memory = &index_.buffers[last_buffer_];
        place.offset = address - place.buffer->address;
    }
    if (place.memory == nullptr || !place.memory->holds(place.offset, bytes)) return {};
    return place;
}

/// The element of a buffer that holds byte `offset` as no kernel has touched it: as it was at the start, or as the host put it
/// there by the first `host_writes` writes.
ValueId DataFlow::given_contents(std::uint32_t number, std::uint64_t offset, std::uint32_t host_writes) {
    const trace::Buffer& buffer = trace_.buffers[number];
    const ValueId id(static_cast<std::uint32_t>(out_.values_.size()));
    const unsigned size = trace::bytes_of(buffer.element);
    offset -= offset % size;
    Value value;
    value.kind = Value::Kind::input;
    value.bytes = static_cast<std::uint8_t>(std::min<std::uint64_t>(size, buffer.bytes - offset));
    value.address = buffer.address + offset;
    value.from_input = true;
    std::array<std::byte, 8> bytes{};
    for (unsigned i = 0; i < value.bytes && offset + i < buffer.initial.size(); ++i)
        bytes[i] = buffer.initial[offset + i];
    // The newest first; where several are told apart byte by byte, the newest names them.
    unsigned missing = (1U << value.bytes) - 1U;
    for (std::uint32_t w = host_writes; w-- > 0 && missing != 0;) {
        const trace::HostWrite& write = trace_.host_writes[w];
        if (write.buffer != number) continue;
        const unsigned before = missing;
        for (unsigned i = 0; i < value.bytes; ++i) {
            if ((missing >> i & 1U) == 0 || offset + i < write.offset) continue;
            const std::uint64_t at = offset + i - write.offset;
            if (at >= write.after.size()) continue;
            bytes[i] = write.after[at];
            missing &= ~(1U << i);
        }
        if (missing == before || value.kind == Value::Kind::host) continue;
        value.kind = Value::Kind::host;
        out_.host_values_.emplace_back(id, w);
    }
    std::memcpy(&value.bits, bytes.data(), sizeof value.bits);  // PTX memory is little-endian, as its hosts are
    out_.values_.push_back(value);
    out_.parent_start_.push_back(static_cast<std::uint32_t>(out_.parents_.size()));
    return id;
}

/// What lies in a memory where nothing has been written: of a buffer its element that holds byte `offset`, else the `bytes` from
/// there as "unwritten". It becomes part of the history.
ValueId DataFlow::first_contents(const Place& place, trace::Space space, std::uint64_t offset, unsigned bytes) {
    ValueId id(static_cast<std::uint32_t>(out_.values_.size()));
    if (place.buffer != nullptr) {
        const auto number = static_cast<std::uint32_t>(place.buffer - trace_.buffers.data());
        id = given_contents(number, offset, host_writes_);
        offset = out_.values_[id.index()].address - place.buffer->address;
    } else {
        Value value;
        value.kind = Value::Kind::unwritten;
        value.space = space;
        value.bytes = static_cast<std::uint8_t>(bytes);
        value.address = offset;
        out_.values_.push_back(value);
        out_.parent_start_.push_back(static_cast<std::uint32_t>(out_.parents_.size()));
    }
    const Value value = out_.values_[id.index()];
    // Bytes of it that were overwritten before anyone read the rest keep their newer value.
    for (std::uint64_t byte = offset; byte < offset + value.bytes;) {
        std::uint64_t end = byte;
        while (end < offset + value.bytes && !place.memory->newest(end).valid()) ++end;
        if (end > byte) place.memory->write(byte, static_cast<unsigned>(end - byte), id);
        byte = end + 1;
    }
    return id;
}

/// Appends to read_ the values that lie in `bytes` from `place`, each once, by address.
void DataFlow::collect(const Place& place, trace::Space space, unsigned bytes) {
    if (place.memory == nullptr) return;
    const auto begin = static_cast<std::ptrdiff_t>(read_.size());
    const std::uint64_t end = place.offset + bytes;
    for (std::uint64_t byte = place.offset; byte < end;) {
        ValueId found = place.memory->newest(byte);
        if (!found.valid()) {
            unsigned unknown = 1;
            while (byte + unknown < end && !place.memory->newest(byte + unknown).valid()) ++unknown;
            found = first_contents(place, space, byte, unknown);
        }
        if (std::find(read_.begin() + begin, read_.end(), found) == read_.end()) read_.push_back(found);
        // A granule that one write fills needs one look.
        byte +=
            byte % MemoryHistory::granule == 0 && place.memory->newest_word(byte).valid() ? MemoryHistory::granule : 1;
    }
}

void DataFlow::read(const Effect& access) {
    for (unsigned e = 0; e < std::min<unsigned>(access.elements, max_elements); ++e) {
        for (const unsigned lane : access.lanes) {
            Found& found = reads_[e * warp_size + lane];
            found.first = static_cast<std::uint32_t>(read_.size());
            collect(place_of(access, trace_.address(access, lane), e, lane), access.space, access.bytes);
            found.count = static_cast<std::uint32_t>(read_.size()) - found.first;
        }
    }
}

void DataFlow::store(const Effect& store) {
    for (const unsigned lane : store.lanes) {
        for (unsigned e = 0; e < store.elements; ++e) {
            const std::uint64_t address = trace_.address(store, lane) + std::uint64_t{e} * store.bytes;
            const ValueId id(static_cast<std::uint32_t>(out_.values_.size()));
            begin_value(Value::Kind::memory, lane, store.bytes, trace_.after(store, lane, e));
            out_.values_.back().space = store.space;
            out_.values_.back().address = address;
            if (e < data_.size()) take(held(data_[e], lane));
            end_value(0);
            const Place place = place_of(store, trace_.address(store, lane), e, lane);
            if (place.memory != nullptr) place.memory->write(place.offset, store.bytes, id);
        }
    }
}

/// Lanes of a warp act one after the other, lowest first: each finds what the one before it left.
void DataFlow::apply(const Effect& atomic) {
    const auto operation = static_cast<ptx::Atomic>(atomic.id);
    const bool compares = operation == ptx::Atomic::cas;
    for (const unsigned lane : atomic.lanes) {
        const std::uint64_t address = trace_.address(atomic, lane);
        const Place place = place_of(atomic, address, 0, lane);
        Found& old = reads_[lane];
        old.first = static_cast<std::uint32_t>(read_.size());
        collect(place, atomic.space, atomic.bytes);
        old.count = static_cast<std::uint32_t>(read_.size()) - old.first;

        const ValueId id(static_cast<std::uint32_t>(out_.values_.size()));
        begin_value(Value::Kind::memory, lane, atomic.bytes, trace_.after(atomic, lane));
        out_.values_.back().space = atomic.space;
        out_.values_.back().address = address;
        unsigned from_input = 0;
        // Compare-and-swap (PTX ISA 9.7.13.5) has the operands {compare, new}: it stores `new` or leaves what was there.
        const bool swaps = compares && trace_.before(atomic, lane) != trace_.after(atomic, lane);
        if (operation != ptx::Atomic::exch && !swaps) {
            take_read(lane);
            from_input += out_.values_.back().from_input ? 1 : 0;
        }
        if (swaps && data_.size() > 1) take(held(data_[1], lane));
        if (!compares) {
            for (const RegisterId reg : data_) from_input += take(held(reg, lane)) ? 1 : 0;
        }
        end_value(from_input);
        if (place.memory != nullptr) place.memory->write(place.offset, atomic.bytes, id);
    }
}

// --- Values ------------------------------------------------------------------------------------------------------

void DataFlow::begin_value(Value::Kind kind, unsigned lane, unsigned bytes, std::uint64_t bits) {
    out_.parent_start_.push_back(static_cast<std::uint32_t>(out_.parents_.size()));
    Value& value = out_.values_.emplace_back();
    value.kind = kind;
    value.lane = static_cast<std::uint8_t>(lane);
    value.bytes = static_cast<std::uint8_t>(bytes);
    value.step = step_;
    value.bits = bits;
}

/// Makes `parent` one of the newest value's; true if it depends on input data. Registers never written count for nothing.
bool DataFlow::take(ValueId parent) {
    if (!parent.valid()) return false;
    out_.parents_.push_back(parent);
    const Value& from = out_.values_[parent.index()];
    Value& value = out_.values_.back();
    value.from_input |= from.from_input;
    value.depth = std::max(value.depth, from.depth);
    return from.from_input;
}

void DataFlow::take_read(std::uint32_t slot) {
    const Found found = reads_[slot];
    for (std::uint32_t i = 0; i < found.count; ++i) take(read_[found.first + i]);
}

/// Completes the newest value, of which so many operands depend on input data. Only a reduction over the lanes of a warp
/// has more than a few; it can be done in a tree.
void DataFlow::end_value(unsigned from_input) {
    Value& value = out_.values_.back();
    if (line_->operator_like && from_input > 1) {
        const bool reduces = line_->flow == Flow::reduce;
        value.application = true;
        value.applications = static_cast<std::uint8_t>(reduces ? from_input - 1 : 1);
        value.depth += reduces ? static_cast<unsigned>(std::bit_width(from_input - 1)) : 1;
    }
    if (value.kind != Value::Kind::reg) return;
    const auto parents = std::span(out_.parents_).subspan(out_.parent_start_.back());
    const bool made_of_data = std::ranges::any_of(
        parents, [&](ValueId parent) { return out_.values_[parent.index()].kind != Value::Kind::constant; });
    if (!made_of_data) value.kind = Value::Kind::constant;
}

// --- Outputs -----------------------------------------------------------------------------------------------------

void DataFlow::mark_outputs() {
    // A program that names no output has whatever it wrote for one.
    const bool named = std::ranges::any_of(trace_.buffers, &trace::Buffer::output);
    for (std::size_t i = 0; i < trace_.buffers.size(); ++i) {
        if (named && !trace_.buffers[i].output) continue;
        index_.buffers[i].for_each_newest([&](ValueId id) {
            Value& value = out_.values_[id.index()];
            if (value.kind == Value::Kind::memory) value.reaches_output = true;
        });
    }
    // Parents are older than what is made of them.
    for (std::size_t i = out_.values_.size(); i-- > 0;) {
        if (!out_.values_[i].reaches_output) continue;
        for (std::uint32_t p = out_.parent_start_[i]; p < out_.parent_start_[i + 1]; ++p) {
            out_.values_[out_.parents_[p].index()].reaches_output = true;
        }
    }
}

}  // namespace lanescope::analysis
