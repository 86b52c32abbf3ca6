#include "analysis/dataflow/host_flow.h"

#include "analysis/dataflow/outputs.h"

#include <algorithm>

namespace lanescope::analysis {

void HostFlow::follow_until(std::uint32_t launch) {
    const auto write_until = [&](auto is_due) {
        while (host_writes_ < trace_.host_writes.size() && is_due(host_writes_)) write(host_writes_++);
    };
    for (; host_steps_ < trace_.host_steps.size() && trace_.host_steps[host_steps_].launch <= launch; ++host_steps_) {
        const trace::HostStep& step = trace_.host_steps[host_steps_];
        // A read after a copy reads the copy.
        if (step.host_write) write_until([&](std::uint32_t number) { return number <= *step.host_write; });
        mark_read(step);
    }
    write_until([&](std::uint32_t number) { return trace_.host_writes[number].launch <= launch; });
}

/// Memory that the host reads between launches is an output, whatever overwrites it later. A step does not say which
/// part of the buffer it reads, so all of it counts.
void HostFlow::mark_read(const trace::HostStep& step) {
    // A copy of which the trace has no source may have read anything.
    const bool followed =
        step.host_write && *step.host_write < trace_.host_writes.size() && trace_.host_writes[*step.host_write].source;
    if (step.kind == trace::HostStep::Kind::write && trace::is_copy_of_buffer(step.text) && !followed)
        mark_read_by_others(histories_, values_);
    if (step.kind != trace::HostStep::Kind::read || !step.buffer || *step.buffer >= histories_.buffers.size()) return;
    mark_contents(histories_.buffers[*step.buffer], values_);
}

/// The host's contents replace the values of kernels. Where there were none, the contents are found when first read.
/// The host may have read a kernel's value before replacing it, so that value counts as an output.
void HostFlow::write(std::uint32_t number) {
    memory_.see_host_writes(number + 1);
    const trace::HostWrite& write = trace_.host_writes[number];
    if (write.source) return copy(number);
    if (write.launch >= trace_.launches.size()) return;  // no launch reads it
    ByteHistory& memory = *memory_.place_in_buffer(write.buffer, 0).memory;
    const std::uint64_t end = write.offset + write.after.size();
    for (std::uint64_t offset = write.offset; offset < end;) {
        const ValueId before = memory.newest(offset);
        if (!before.valid()) {
            ++offset;
            continue;
        }
        TracedValue& left = values_[before];
        const bool stored = left.kind == TracedValue::Kind::memory;
        left.reaches_output = left.reaches_output || stored;
        left.use_known = left.use_known || stored;
        const TracedValue& value = values_[memory_.add_given(write.buffer, offset, number + 1)];
        const std::uint64_t first = value.address - trace_.buffers[write.buffer].address;
        if (!memory.holds(first, value.bytes)) return;
        memory.write(first, value.bytes, values_.newest());
        offset = first + value.bytes;
    }
}

/// A copy on the device: each value is made of those that the source held. What it replaces, the host has not read.
void HostFlow::copy(std::uint32_t number) {
    const trace::HostWrite& write = trace_.host_writes[number];
    ByteHistory& memory = *memory_.place_in_buffer(write.buffer, 0).memory;
    const MemoryPlace from = memory_.place_in_buffer(write.source->buffer, write.source->offset);
    const std::uint64_t end = write.offset + write.after.size();
    for (std::uint64_t offset = write.offset; offset < end;) {
        const std::uint64_t size = trace::bytes_of(trace_.buffers[write.buffer].element);
        const auto count = static_cast<unsigned>(std::min(size - offset % size, end - offset));
        MemoryPlace part = from;
        part.offset += offset - write.offset;
        if (!from.memory->holds(part.offset, count) || !memory.holds(offset, count)) return;
        read_.clear();
        memory_.collect(part, trace::Space::global, count, read_);
        const ValueId id = memory_.add_given(write.buffer, offset, number + 1);
        TracedValue& value = values_[id];
        value.input_dependent = false;
        for (const ValueId read : read_) {
            values_.add_parent(read);
            value.input_dependent = value.input_dependent || values_[read].input_dependent;
            value.depth = std::max(value.depth, values_[read].depth);
        }
        memory.write(offset, count, id);
        offset += count;
    }
}

}  // namespace lanescope::analysis
