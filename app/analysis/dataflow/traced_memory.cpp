#include "analysis/dataflow/traced_memory.h"

#include "analysis/dataflow/host_contents.h"
#include "analysis/launch_shape.h"
#include "base/demangle.h"

#include <algorithm>
#include <cstddef>

namespace lanescope::analysis {

using trace::Effect;

MemoryHistories::MemoryHistories(const trace::Trace& trace) {
    for (const trace::Launch& launch : trace.launches) {
        first_shared.push_back(static_cast<std::uint32_t>(shared.size()));
        shared.insert(shared.end(), launch.recorded.size(), ByteHistory(shared_bytes_of(launch)));
    }
    for (const trace::Buffer& buffer : trace.buffers)
        buffers.emplace_back(std::min<std::uint64_t>(buffer.bytes, buffer.initial.size()));
}

TracedMemory::TracedMemory(const trace::Trace& trace, const InstructionTable& instructions, MemoryHistories& histories,
                           ValueGraph& values)
    : trace_(trace),
      histories_(histories),
      values_(values),
      local_(ByteHistory(most_local_bytes())),
      passed_(ByteHistory(instructions.parameter_bytes())) {}

void TracedMemory::begin_launch(std::uint32_t launch) {
    launch_ = launch;
    const std::size_t blocks = trace_.launches[launch].recorded.size();
    const std::size_t threads = std::size_t{warps_of(trace_.launches[launch])} * warp_size;
    local_.begin_launch(blocks, threads);
    passed_.begin_launch(blocks, threads);
}

MemoryPlace TracedMemory::place_of(const FlowStep& step, const Effect& access, std::uint64_t address, unsigned element,
                                   unsigned lane) {
    if (access.space == trace::Space::param && step.line->passed != InstructionInfo::none) {
        const MemoryPlace place{.memory = &passed_.at(step.thread(lane)),
                                .offset = step.line->passed + std::uint64_t{element} * access.bytes};
        return place.memory->holds(place.offset, access.bytes) ? place : MemoryPlace{};
    }
    return place_at(access.space, address + std::uint64_t{element} * access.bytes, access.bytes, step.thread(lane));
}

MemoryPlace TracedMemory::place_at(trace::Space space, std::uint64_t address, unsigned bytes, FlowThread thread) {
    MemoryPlace place;
    place.offset = address;
    if (space == trace::Space::shared) {
        place.memory = &histories_.shared[histories_.first_shared[launch_] + thread.block];
    } else if (space == trace::Space::local) {
        place.memory = &local_.at(thread);
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
        place =
            place_in_buffer(static_cast<std::uint32_t>(last_buffer_), address - trace_.buffers[last_buffer_].address);
    }
    if (place.memory == nullptr || !place.memory->holds(place.offset, bytes)) return {};
    return place;
}

MemoryPlace TracedMemory::place_in_buffer(std::uint32_t buffer, std::uint64_t offset) {
    return {.memory = &histories_.buffers[buffer], .offset = offset, .buffer = &trace_.buffers[buffer]};
}

ValueId TracedMemory::add_given(std::uint32_t number, std::uint64_t offset, std::uint32_t host_writes) {
    const trace::Buffer& buffer = trace_.buffers[number];
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
    } else if (is_initializer(buffer.name)) {
        value.kind = TracedValue::Kind::constant;
        value.input_dependent = false;
    }
    const ValueId id = values_.add(value);
    if (given.host_write) values_.set_host_write(*given.host_write);
    return id;
}

ValueId TracedMemory::first_contents(const MemoryPlace& place, trace::Space space, std::uint64_t offset,
                                     unsigned bytes) {
    ValueId id;
    if (place.buffer != nullptr) {
        const auto number = static_cast<std::uint32_t>(place.buffer - trace_.buffers.data());
        id = add_given(number, offset, host_writes_);
        offset = values_[id].address - place.buffer->address;
    } else {
        TracedValue value;
        value.kind = TracedValue::Kind::uninitialized;
        value.space = space;
        value.bytes = static_cast<std::uint8_t>(bytes);
        value.address = offset;
        id = values_.add(value);
    }
    const std::uint64_t past = offset + values_[id].bytes;
    // Bytes that were overwritten before the rest was first read keep their newer value.
    for (std::uint64_t byte = offset; byte < past;) {
        std::uint64_t end = byte;
        while (end < past && !place.memory->newest(end).valid()) ++end;
        if (end > byte) place.memory->write(byte, static_cast<unsigned>(end - byte), id);
        byte = end + 1;
    }
    return id;
}

void TracedMemory::collect(const MemoryPlace& place, trace::Space space, unsigned bytes, std::vector<ValueId>& into) {
    if (place.memory == nullptr) return;
    const auto begin = static_cast<std::ptrdiff_t>(into.size());
    const std::uint64_t end = place.offset + bytes;
    for (std::uint64_t byte = place.offset; byte < end;) {
        ValueId found = place.memory->newest(byte);
        if (!found.valid()) {
            unsigned unknown = 1;
            while (byte + unknown < end && !place.memory->newest(byte + unknown).valid()) ++unknown;
            found = first_contents(place, space, byte, unknown);
        }
        if (std::find(into.begin() + begin, into.end(), found) == into.end()) into.push_back(found);
        // A granule with one writer needs one lookup.
        const bool whole = byte % ByteHistory::granule == 0 && place.memory->newest_word(byte).valid();
        byte += whole ? ByteHistory::granule : 1;
    }
}

bool TracedMemory::begins_with_zero(const MemoryPlace& place) const {
    if (place.buffer == nullptr || place.memory == nullptr) return false;
    const ValueId newest = place.memory->newest(place.offset);
    if (!newest.valid()) return false;
    const TracedValue& value = values_[newest];
    if (value.kind == TracedValue::Kind::input) return place.buffer->initial.filled().empty();
    if (value.kind != TracedValue::Kind::host) return false;
    const std::optional<std::uint32_t> write = values_.host_write(newest);
    return write &&
           std::ranges::all_of(trace_.host_writes[*write].after, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace lanescope::analysis
