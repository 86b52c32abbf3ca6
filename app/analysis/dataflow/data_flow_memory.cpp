// Memory in the walk of a DataFlow: the values that an access reads, and the values it leaves.
#include "analysis/dataflow/data_flow.h"

#include "analysis/dataflow/memory_history.h"
#include "analysis/launch_shape.h"

#include "base/demangle.h"

#include <algorithm>
#include <utility>

namespace lanescope::analysis {

using trace::Effect;

/// Element `element` of a lane's access that begins at `address`.
DataFlow::Place DataFlow::place_of(const Effect& access, std::uint64_t address, unsigned element, unsigned lane) {
    if (access.space == trace::Space::param && line_->passed != InstructionInfo::none) {
        if (block_->passed.empty()) {
            block_->passed.resize(warps_ * warp_size, MemoryHistory(index_.instructions.parameter_bytes()));
        }
        Place place{.memory = &block_->passed[std::size_t{warp_} * warp_size + lane],
                    .offset = line_->passed + std::uint64_t{element} * access.bytes};
        return place.memory->holds(place.offset, access.bytes) ? place : Place{};
    }
    return place_at(access.space, address + std::uint64_t{element} * access.bytes, access.bytes, lane);
}

DataFlow::Place DataFlow::place_at(trace::Space space, std::uint64_t address, unsigned bytes, unsigned lane) {
    Place place;
    place.offset = address;
    if (space == trace::Space::shared) {
        place.memory = block_->shared;
    } else if (space == trace::Space::local) {
        if (block_->local.empty()) block_->local.resize(warps_ * warp_size, MemoryHistory(most_local_bytes()));
        place.memory = &block_->local[std::size_t{warp_} * warp_size + lane];
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

/// The untouched element of a buffer at byte `offset`: its initial value, or the host's value after the first
/// `host_writes` writes.
ValueId DataFlow::given_contents(std::uint32_t number, std::uint64_t offset, std::uint32_t host_writes) {
    const trace::Buffer& buffer = trace_.buffers[number];
    const ValueId id(static_cast<std::uint32_t>(out_.values_.size()));
    const unsigned size = trace::bytes_of(buffer.element);
    offset -= offset % size;
    TracedValue value;
    value.kind = TracedValue::Kind::input;
    value.bytes = static_cast<std::uint8_t>(std::min<std::uint64_t>(size, buffer.bytes - offset));
    value.address = buffer.address + offset;
    value.input_dependent = true;
    const HostContents given = host_contents_at(trace_, number, offset, value.bytes, host_writes);
    value.bits = given.bits;
    if (given.host_write) {
        value.kind = TracedValue::Kind::host;
        out_.host_values_.emplace_back(id, *given.host_write);
    } else if (is_initializer(buffer.name)) {
        value.kind = TracedValue::Kind::constant;
        value.input_dependent = false;
    }
    out_.values_.push_back(value);
    out_.parent_start_.push_back(static_cast<std::uint32_t>(out_.parents_.size()));
    return id;
}

/// The value of memory that no kernel has written: of a buffer its element at byte `offset`, otherwise the `bytes` from
/// there as "uninitialized". It becomes part of the history.
ValueId DataFlow::first_contents(const Place& place, trace::Space space, std::uint64_t offset, unsigned bytes) {
    ValueId id(static_cast<std::uint32_t>(out_.values_.size()));
    if (place.buffer != nullptr) {
        const auto number = static_cast<std::uint32_t>(place.buffer - trace_.buffers.data());
        id = given_contents(number, offset, host_writes_);
        offset = out_.values_[id.index()].address - place.buffer->address;
    } else {
        TracedValue value;
        value.kind = TracedValue::Kind::uninitialized;
        value.space = space;
        value.bytes = static_cast<std::uint8_t>(bytes);
        value.address = offset;
        out_.values_.push_back(value);
        out_.parent_start_.push_back(static_cast<std::uint32_t>(out_.parents_.size()));
    }
    const TracedValue value = out_.values_[id.index()];
    // Bytes that were overwritten before the rest was first read keep their newer value.
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
        // A granule with one writer needs one lookup.
        byte +=
            byte % MemoryHistory::granule == 0 && place.memory->newest_word(byte).valid() ? MemoryHistory::granule : 1;
    }
}

void DataFlow::read(const Effect& access) {
    for (unsigned e = 0; e < std::min<unsigned>(access.elements, max_elements); ++e) {
        for (const unsigned lane : access.lanes) {
            Found& found = reads_[e * warp_size + lane];
            // A texture's filter reads several texels: they add up.
            const Found before = std::exchange(found, {static_cast<std::uint32_t>(read_.size()), 0});
            for (std::uint32_t i = 0; i < before.count; ++i) read_.emplace_back(read_[before.first + i].value);
            const Place place = place_of(access, trace_.address(access, lane), e, lane);
            loaded_from_ = place.memory;
            collect(place, access.space, access.bytes);
            found.count = static_cast<std::uint32_t>(read_.size()) - found.first;
        }
    }
}

/// A lane of a copy may read fewer bytes than it stores, in several loads from its first address on.
void DataFlow::read_copied(std::span<const Effect> effects) {
    const auto stored = std::ranges::find(effects, trace::EffectKind::store, &Effect::kind);
    if (stored == effects.end()) return;
    for (const unsigned lane : stored->lanes) {
        std::uint64_t begin = ~std::uint64_t{0};
        const auto loads = [&](auto visit) {
            for (const Effect& effect : effects) {
                if (effect.kind == trace::EffectKind::load && effect.lanes.has(lane)) visit(effect);
            }
        };
        loads([&](const Effect& load) { begin = std::min(begin, trace_.address(load, lane)); });
        for (unsigned e = 0; e < std::min<unsigned>(stored->elements, max_elements); ++e) {
            Found& found = reads_[e * warp_size + lane];
            found.first = static_cast<std::uint32_t>(read_.size());
            loads([&](const Effect& load) {
                const std::uint64_t address = trace_.address(load, lane);
                for (unsigned part = 0; part < load.elements; ++part) {
                    if ((address - begin + std::uint64_t{part} * load.bytes) / stored->bytes == e)
                        collect(place_of(load, address, part, lane), load.space, load.bytes);
                }
            });
            found.count = static_cast<std::uint32_t>(read_.size()) - found.first;
        }
    }
}

void DataFlow::store(const Effect& store) {
    for (const unsigned lane : store.lanes) {
        for (unsigned e = 0; e < store.elements; ++e) {
            const std::uint64_t address = trace_.address(store, lane) + std::uint64_t{e} * store.bytes;
            const ValueId id(static_cast<std::uint32_t>(out_.values_.size()));
            begin_value(TracedValue::Kind::memory, lane, store.bytes, trace_.after(store, lane, e));
            out_.values_.back().space = store.space;
            out_.values_.back().address = address;
            if (line_->flow == Flow::copy) {
                if (e < max_elements) take_read(e * warp_size + lane);
            } else if (e < data_.size()) {
                take(held(data_[e], lane));
            }
            end_value(0);
            follow_stored(id, lane);
            const Place place = place_of(store, trace_.address(store, lane), e, lane);
            keep_result_of_launch(place);
            if (place.memory != nullptr) place.memory->write(place.offset, store.bytes, id);
        }
    }
}

/// Host code often launches one kernel after another on the same buffers to compare them. Where nothing says what the
/// result is, what a launch leaves in global memory is, also where a later launch overwrites it.
void DataFlow::keep_result_of_launch(const Place& place) {
    if (!keeps_results_ || place.buffer == nullptr || place.memory == nullptr) return;
    const ValueId before = place.memory->newest(place.offset);
    if (!before.valid()) return;
    TracedValue& left = out_.values_[before.index()];
    if (left.kind == TracedValue::Kind::memory && left.step.valid() && trace_.step(left.step).launch != launch_)
        left.reaches_output = left.use_known = true;
}

/// Lanes of a warp act one after the other, lowest first: each reads the result of the one before it.
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
        // Compare-and-swap (PTX ISA 9.7.13.5) has the operands {compare, new}: it stores `new` or leaves memory
        // unchanged, and then its thread has written nothing.
        const bool swaps = compares && trace_.before(atomic, lane) != trace_.after(atomic, lane);
        const auto kind = compares && !swaps ? TracedValue::Kind::unchanged : TracedValue::Kind::memory;
        const ValueId id(static_cast<std::uint32_t>(out_.values_.size()));
        begin_value(kind, lane, atomic.bytes, trace_.after(atomic, lane));
        out_.values_.back().space = atomic.space;
        out_.values_.back().address = address;
        unsigned input_dependent = 0;
        if (operation != ptx::Atomic::exch && !swaps) {
            take_read(lane);
            input_dependent += out_.values_.back().input_dependent ? 1 : 0;
        }
        if (swaps && data_.size() > 1) take(held(data_[1], lane));
        if (!compares) {
            for (const RegisterId reg : data_) input_dependent += take(held(reg, lane)) ? 1 : 0;
        }
        if (operation == ptx::Atomic::add) add_flags(lane);
        end_value(input_dependent);
        // The first addition to a cell that the host set to 0 has one summand: it is no operation of the algorithm.
        if (operation == ptx::Atomic::add && begins_with_zero(place)) out_.values_.back().operations = 0;
        if (place.memory != nullptr && kind == TracedValue::Kind::memory)
            place.memory->write(place.offset, atomic.bytes, id);
    }
}

/// The host's contents replace the values of kernels. Where there were none, the contents are found when first read.
/// The host may have read a kernel's value before replacing it, so that value counts as an output.
void DataFlow::write_by_host(std::uint32_t number) {
    const trace::HostWrite& write = trace_.host_writes[number];
    if (write.source) return copy_by_host(number);
    if (write.launch >= trace_.launches.size()) return;  // no launch reads it
    MemoryHistory& memory = index_.buffers[write.buffer];
    const std::uint64_t end = write.offset + write.after.size();
    for (std::uint64_t offset = write.offset; offset < end;) {
        const ValueId before = memory.newest(offset);
        if (!before.valid()) {
            ++offset;
            continue;
        }
        TracedValue& left = out_.values_[before.index()];
        const bool stored = left.kind == TracedValue::Kind::memory;
        left.reaches_output = left.reaches_output || stored;
        left.use_known = left.use_known || stored;
        const ValueId id = given_contents(write.buffer, offset, number + 1);
        const TracedValue& value = out_.values_[id.index()];
        const std::uint64_t first = value.address - trace_.buffers[write.buffer].address;
        if (!memory.holds(first, value.bytes)) return;
        memory.write(first, value.bytes, id);
        offset = first + value.bytes;
    }
}

/// A copy on the device: each value is made of those that the source held. What it replaces, the host has not read.
void DataFlow::copy_by_host(std::uint32_t number) {
    const trace::HostWrite& write = trace_.host_writes[number];
    MemoryHistory& memory = index_.buffers[write.buffer];
    const Place from{.memory = &index_.buffers[write.source->buffer],
                     .offset = write.source->offset,
                     .buffer = &trace_.buffers[write.source->buffer]};
    const std::uint64_t end = write.offset + write.after.size();
    for (std::uint64_t offset = write.offset; offset < end;) {
        const std::uint64_t size = trace::bytes_of(trace_.buffers[write.buffer].element);
        const auto count = static_cast<unsigned>(std::min(size - offset % size, end - offset));
        Place part = from;
        part.offset += offset - write.offset;
        if (!from.memory->holds(part.offset, count) || !memory.holds(offset, count)) return;
        read_.clear();
        collect(part, trace::Space::global, count);
        const ValueId id = given_contents(write.buffer, offset, number + 1);
        TracedValue& value = out_.values_[id.index()];
        value.input_dependent = false;
        for (const ValueId read : read_) {
            out_.parents_.push_back(read);
            value.input_dependent = value.input_dependent || out_.values_[read.index()].input_dependent;
            value.depth = std::max(value.depth, out_.values_[read.index()].depth);
        }
        memory.write(offset, count, id);
        offset += count;
    }
    read_.clear();
}

}  // namespace lanescope::analysis
