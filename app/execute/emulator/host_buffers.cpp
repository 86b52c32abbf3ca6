#include "execute/emulator/host_buffers.h"

#include "execute/emulator/emulation_notes.h"
#include "execute/emulator/placement.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lanescope::execute {
namespace {

/// Host writes that are recorded, before and after together.
constexpr std::uint64_t most_written_bytes = std::uint64_t{256} << 20;

constexpr std::string_view contents_dropped =
    "The contents of large buffers that are freed before a kernel accesses them are not kept: Memory shows zeros.";

}  // namespace

Result<std::uint32_t> HostBuffers::add(trace::Buffer buffer) {
    const Result<void> placed = place(buffer, memory_);
    if (!placed) return std::unexpected(placed.error());
    return listed(std::move(buffer), {});
}

std::uint32_t HostBuffers::add(trace::Buffer buffer, const OwnedMemory& owned) {
    memory_.add_owned(owned.address, buffer.bytes, owned.bytes, Region::Input::none);
    buffer.address = owned.address;
    return listed(std::move(buffer), {.fresh = true, .filled = owned.filled});
}

Result<void> HostBuffers::place_variables(const std::optional<OwnedMemory>& owned,
                                          std::span<const std::uint64_t> known) {
    Result<PlacedVariables> placed = execute::place_variables(module_, memory_, owned, known);
    if (!placed) return std::unexpected(placed.error());
    addresses_ = std::move(placed->addresses);
    first_variable_ = trace().buffers.size();
    variables_ = placed->buffers.size();
    for (trace::Buffer& buffer : placed->buffers) {
        listed(std::move(buffer), {.fresh = owned.has_value(), .filled = owned ? owned->filled : nullptr});
    }
    return {};
}

std::optional<std::uint32_t> HostBuffers::variable(std::size_t index) const {
    const std::uint64_t address = index < addresses_.size() ? addresses_[index] : 0;
    const auto buffer = std::ranges::find(trace().buffers, address, &trace::Buffer::address);
    if (address == 0 || buffer == trace().buffers.end()) return std::nullopt;
    return static_cast<std::uint32_t>(buffer - trace().buffers.begin());
}

void HostBuffers::write_by_host(const HostWrite& write) {
    const trace::Buffer& buffer = trace().buffers[write.buffer];
    assert(write.offset + write.bytes.size() <= buffer.bytes);
    std::byte* const place = memory_.bytes_of_buffer(buffer.address) + write.offset;
    if (records_write(write.buffer, write.bytes.size()))
        record(write.buffer, write.offset, write.source_line, {place, write.bytes.size()}, write.bytes);
    else if (!states_[write.buffer].fresh)
        note_once(trace(), host_writes_dropped);
    std::ranges::copy(write.bytes, place);
    mark_input(buffer, write.offset, write.bytes.size());
}

void HostBuffers::written_by_host(const Emulation::WrittenByHost& write) {
    const trace::Buffer& buffer = trace().buffers[write.buffer];
    assert(write.offset + write.bytes <= buffer.bytes);
    const std::byte* const place = memory_.bytes_of_buffer(buffer.address) + write.offset;
    // The source may hold results of a launch; what the copy overwrites is then what the launches so far have found.
    const bool of_launch = write.source && !states_[write.source->buffer].fresh;
    if (of_launch && states_[write.buffer].fresh && write.before.size() == write.bytes) {
        take_initial(write.buffer);
        std::ranges::copy(write.before, trace().buffers[write.buffer].initial.writable() + write.offset);
    }
    if (!states_[write.buffer].fresh) {
        if (records_write(write.buffer, write.bytes) && write.before.size() == write.bytes)
            record(write.buffer, write.offset, write.source_line, write.before, {place, write.bytes}, write.source);
        else
            note_once(trace(), host_writes_dropped);
    }
    const std::uint64_t pitch = write.pitch != 0 ? write.pitch : write.bytes;
    const std::uint64_t width = write.pitch != 0 ? write.width : write.bytes;
    for (std::uint64_t row = 0; row < write.bytes; row += pitch)
        mark_input(buffer, write.offset + row, std::min(width, write.bytes - row));
}

std::uint64_t HostBuffers::unwritten(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes) const {
    std::uint64_t count = 0;
    const trace::Buffer& buffer = trace().buffers[index];
    memory_.for_each_region(buffer.address, buffer.bytes, [&](const Region& region, std::uint64_t at) {
        const std::uint64_t begin = std::max(at, offset), end = std::min(at + region.bytes(), offset + bytes);
        if (begin < end && region.begins_unwritten()) count += region.count_unwritten(begin - at, end - begin);
    });
    return count;
}

bool HostBuffers::records_write(std::uint32_t index, std::uint64_t bytes) const {
    return !states_[index].fresh && bytes <= (most_written_bytes - written_bytes_) / 2;
}

void HostBuffers::release(std::uint32_t index) {
    trace::Buffer& buffer = trace().buffers[index];
    bool accessed = states_[index].mirrored;
    memory_.for_each_region(buffer.address, buffer.bytes,
                            [&](const Region& region, std::uint64_t) { accessed |= region.accessed(); });
    constexpr std::uint64_t small = std::uint64_t{1} << 20;
    if (accessed || buffer.bytes <= small) {
        take_initial(index);
        take_final(index);
    } else {
        note_once(trace(), contents_dropped);
        states_[index].fresh = false;
        buffer.initial.clear();
        buffer.final.clear();
    }
    memory_.give_up(buffer.address, buffer.bytes);
    states_[index].released = true;
}

std::uint32_t HostBuffers::listed(trace::Buffer buffer, State state) {
    trace().buffers.push_back(std::move(buffer));
    if (state.fresh) fresh_.push_back(static_cast<std::uint32_t>(states_.size()));
    states_.push_back(std::move(state));
    return static_cast<std::uint32_t>(states_.size() - 1);
}

std::vector<ByteRun> HostBuffers::filled_of(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes) const {
    if (!states_[index].filled) return {{0, bytes}};
    return states_[index].filled(trace().buffers[index].address + offset, bytes);
}

void HostBuffers::mark_input(const trace::Buffer& buffer, std::uint64_t offset, std::uint64_t bytes) {
    for (std::uint64_t at = offset; at < offset + bytes;) {
        Region& region = *memory_.from(buffer.address + at / most_region_bytes * most_region_bytes);
        const std::uint64_t first = at % most_region_bytes;
        const std::uint64_t count = std::min(offset + bytes - at, region.bytes() - first);
        region.mark_input(first, count);
        at += count;
    }
}

void HostBuffers::move_variables_last(trace::Trace& trace) const {
    std::vector<trace::Buffer>& buffers = trace.buffers;
    const std::size_t past_variables = first_variable_ + variables_;
    if (past_variables == buffers.size()) return;
    const auto moved = [&](std::uint32_t index) {
        if (index < first_variable_) return index;
        const std::size_t by = index < past_variables ? buffers.size() - past_variables : -variables_;
        return static_cast<std::uint32_t>(index + by);
    };
    const auto at = [&](std::size_t index) { return buffers.begin() + static_cast<std::ptrdiff_t>(index); };
    std::rotate(at(first_variable_), at(past_variables), buffers.end());
    for (trace::Launch& launch : trace.launches) {
        for (trace::Argument& argument : launch.arguments) {
            if (argument.buffer) argument.buffer = moved(*argument.buffer);
        }
    }
    for (trace::HostWrite& write : trace.host_writes) {
        write.buffer = moved(write.buffer);
        if (write.source) write.source->buffer = moved(write.source->buffer);
    }
    for (trace::HostStep& step : trace.host_steps) {
        if (step.buffer) step.buffer = moved(*step.buffer);
    }
}

void HostBuffers::take_initial(std::uint32_t index) {
    if (!std::exchange(states_[index].fresh, false)) return;
    trace::Buffer& buffer = trace().buffers[index];
    buffer.initial = SparseBytes(bytes_of(buffer), filled_of(index, 0, buffer.bytes));
}

void HostBuffers::take_initials() {
    for (const std::uint32_t index : std::exchange(fresh_, {})) take_initial(index);
}

void HostBuffers::take_final(std::uint32_t index) {
    trace::Buffer& buffer = trace().buffers[index];
    buffer.final = SparseBytes(buffer.initial, bytes_of(buffer), filled_of(index, 0, buffer.bytes));
}

std::span<std::byte> HostBuffers::bytes_of(const trace::Buffer& buffer) const {
    return {memory_.bytes_of_buffer(buffer.address), static_cast<std::size_t>(buffer.bytes)};
}

void HostBuffers::record(std::uint32_t buffer, std::uint64_t offset, std::uint32_t line,
                         std::span<const std::byte> before, std::span<const std::byte> after,
                         std::optional<trace::HostWrite::Source> source) {
    written_bytes_ += before.size() + after.size();
    trace().host_writes.push_back({.launch = static_cast<std::uint32_t>(trace().launches.size()),
                                   .buffer = buffer,
                                   .offset = offset,
                                   .source_line = line,
                                   .before = {before.begin(), before.end()},
                                   .after = {after.begin(), after.end()},
                                   .source = source});
}

BlockRunner::Memory HostBuffers::mirrored() {
    BlockRunner::Memory memory;
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        states_[i].mirrored = true;
        memory.buffers.push_back(states_[i].released ? std::span<std::byte>() : bytes_of(trace().buffers[i]));
    }
    for (std::size_t i = 0; i < module_.variables.size(); ++i) {
        const auto buffer = variable(i);
        memory.variables.push_back(buffer ? bytes_of(trace().buffers[*buffer]) : std::span<std::byte>());
    }
    return memory;
}

void HostBuffers::fill_in(trace::Trace& copy) const {
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        trace::Buffer& buffer = copy.buffers[i];
        if (states_[i].released) continue;
        const SparseBytes now(buffer.initial, bytes_of(buffer), filled_of(i, 0, buffer.bytes));
        if (states_[i].fresh) buffer.initial = now;
        buffer.final = now;
    }
    move_variables_last(copy);
}

void HostBuffers::finish() {
    take_initials();
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (!states_[i].released) take_final(i);
    }
    move_variables_last(trace());
}

}  // namespace lanescope::execute
