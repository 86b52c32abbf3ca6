// The host's memory and what it knows of the device's: allocations, addresses, copies.
#include "session/host_interpreter.h"

#include "execute/simt/addresses.h"
#include "session/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace lanescope::session {

namespace {

constexpr std::int64_t most_host_bytes = std::int64_t{1} << 30;

/// How a buffer's elements are shown.
std::optional<trace::Element> shown_as(const HostCell& cell) {
    if (cell.pointers > 0) return trace::Element::u64;
    if (cell.structure == nullptr) return cell.element;
    return elements_of_buffer(*cell.structure).element;
}

}  // namespace

/// `grows`: a vector, whose elements keep their addresses when there are more.
std::uint32_t HostInterpreter::make_memory(std::string name, std::int64_t bytes, bool device, const HostCell& cell,
                                           bool grows) {
    if (bytes < 0 || bytes > most_host_bytes || all_bytes_ + bytes > most_host_bytes)
        refuse(fmt::format("{} would have {} bytes, and all memory of the program at most {}", name, bytes,
                           most_host_bytes));
    all_bytes_ += bytes;
    const auto index = static_cast<std::uint32_t>(memories_.size());
    HostMemory& memory = memories_.emplace_back();
    memory.name = std::move(name);
    memory.device = device;
    memory.bytes.resize(std::size_t(bytes));
    if (device) {
        memory.buffer = static_cast<std::uint32_t>(run_.buffers.size());
        memory.base = execute::next_global_address(device_end_);
        device_end_ = memory.base + std::uint64_t(bytes);
        run_.buffers.push_back({.name = memory.name, .element = shown_as(cell), .initial = memory.bytes});
    } else {
        memory.base = next_host_address_;
        constexpr std::uint64_t gap = 256;
        next_host_address_ += grows ? std::uint64_t(most_host_bytes) * 2 : (std::uint64_t(bytes) / gap + 1) * gap;
    }
    by_address_.emplace(memory.base, index);
    return index;
}

void HostInterpreter::resize(std::uint32_t memory, std::int64_t bytes) {
    std::vector<std::byte>& own = memories_[memory].bytes;
    const std::int64_t more = bytes - std::int64_t(own.size());
    if (all_bytes_ + more > most_host_bytes) refuse(fmt::format("{} grows too large", memories_[memory].name));
    all_bytes_ += more;
    own.resize(std::size_t(bytes));
}

std::uint64_t HostInterpreter::address_of(const HostValue& pointer) const {
    return pointer.memory ? memories_[*pointer.memory].base + std::uint64_t(pointer.offset) : 0;
}

HostValue HostInterpreter::pointer_to(std::uint64_t address, HostCell cell) const {
    if (address == 0) return HostValue::to({}, 0, std::move(cell));
    auto after = by_address_.upper_bound(address);
    if (after == by_address_.begin()) return {};
    const auto& [base, index] = *--after;
    if (address - base > memories_[index].bytes.size()) return {};
    return HostValue::to(index, std::int64_t(address - base), std::move(cell));
}

HostValue HostInterpreter::load(std::uint32_t memory, std::int64_t offset, const HostCell& cell) const {
    const std::byte* const at = memories_[memory].bytes.data() + offset;
    if (!cell.extents.empty()) return HostValue::to(memory, offset, cell.item());
    if (memories_[memory].unknown && !cell.is_structure()) return {};
    if (cell.pointers > 0) {
        std::uint64_t address = 0;
        std::memcpy(&address, at, sizeof address);
        return pointer_to(address, cell.item());
    }
    if (cell.structure != nullptr) {
        HostValue value = HostValue::to(memory, offset, cell);
        value.kind = HostValue::Kind::structure;
        return value;
    }
    return load_number(at, *cell.element);
}

void HostInterpreter::store(std::uint32_t memory, std::int64_t offset, const HostCell& cell, const HostValue& value) {
    std::vector<std::byte>& bytes = memories_[memory].bytes;
    if (offset < 0 || offset > std::int64_t(bytes.size()) - cell.bytes())
        refuse(fmt::format("host code reaches past the end of {}", memories_[memory].name));
    std::byte* const at = bytes.data() + offset;
    if (!cell.is_structure() && cell.bytes() == std::int64_t(bytes.size())) memories_[memory].unknown = false;
    if (cell.pointers > 0 && cell.extents.empty()) {
        const bool pointer = value.kind == HostValue::Kind::pointer;
        if (!pointer && !(value.is_number() && whole_of(value) == 0)) refuse("this pointer is not known");
        const std::uint64_t address = pointer ? address_of(value) : 0;
        std::memcpy(at, &address, sizeof address);
    } else if (cell.is_structure()) {
        if (value.kind != HostValue::Kind::structure || value.cell.bytes() != cell.bytes())
            refuse("what is assigned here is not known");
        const std::vector<std::byte> copied = read(HostValue::to(value.memory, value.offset, value.cell), cell.bytes());
        std::ranges::copy(copied, at);
        if (value.memory && memories_[*value.memory].unknown) memories_[memory].unknown = true;
    } else if (cell.is_number()) {
        if (!value.is_number()) refuse("this value is not known");
        store_number(at, *cell.element, cell.boolean ? HostValue::of(std::int64_t{value.truth()}) : value);
    } else {
        refuse("what is assigned here is not known");
    }
}

HostMemory& HostInterpreter::checked(const HostValue& pointer, std::int64_t bytes) {
    if (pointer.kind != HostValue::Kind::pointer || !pointer.memory) refuse("this pointer is not known");
    HostMemory& memory = memories_[*pointer.memory];
    if (pointer.offset < 0 || bytes < 0 || bytes > std::int64_t(memory.bytes.size()) - pointer.offset)
        refuse(
            fmt::format("host code reaches past the end of {}, which has {} bytes", memory.name, memory.bytes.size()));
    return memory;
}

void HostInterpreter::refresh() {
    if (!stale_) return;
    if (after_) {
        for (HostMemory& memory : memories_) memory.unknown = memory.unknown || memory.device;
        stale_ = false;
        return;
    }
    Result<std::vector<std::vector<std::byte>>> contents = contents_(run_);
    if (!contents) refuse(contents.error().what);
    for (HostMemory& memory : memories_) {
        if (!memory.buffer || *memory.buffer >= contents->size()) continue;
        memory.bytes = (*contents)[*memory.buffer];
        memory.unknown = false;
    }
    for (const execute::HostWrite& write : writes_) {  // younger than the launches
        for (HostMemory& memory : memories_) {
            if (memory.buffer == write.buffer)
                std::ranges::copy(write.bytes, memory.bytes.begin() + std::ptrdiff_t(write.offset));
        }
    }
    stale_ = false;
}

std::vector<std::byte> HostInterpreter::read(const HostValue& from, std::int64_t bytes) {
    HostMemory& memory = checked(from, bytes);
    if (memory.device) refresh();
    const auto begin = memory.bytes.begin() + from.offset;
    return {begin, begin + bytes};
}

void HostInterpreter::write_device(HostMemory& memory, std::int64_t offset, const std::vector<std::byte>& bytes) {
    std::ranges::copy(bytes, memory.bytes.begin() + offset);
    if (run_.launches.empty()) {
        std::ranges::copy(bytes, run_.buffers[*memory.buffer].initial.begin() + offset);
        return;
    }
    // A loop over managed memory writes element by element: one write.
    const bool goes_on = !writes_.empty() && writes_.back().buffer == *memory.buffer &&
                         writes_.back().offset + writes_.back().bytes.size() == std::uint64_t(offset) &&
                         writes_.back().source_line == line_here();
    if (goes_on) {
        writes_.back().bytes.insert(writes_.back().bytes.end(), bytes.begin(), bytes.end());
    } else {
        writes_.push_back(
            {.buffer = *memory.buffer, .offset = std::uint64_t(offset), .bytes = bytes, .source_line = line_here()});
    }
}

/// cudaMemcpy2D: `height` rows of `width` bytes, `pitch` bytes apart.
void HostInterpreter::copy_rows(const std::string& who, const HostValue& to, std::int64_t to_pitch,
                                const HostValue& from, std::int64_t from_pitch, std::int64_t width,
                                std::int64_t height) {
    for (std::int64_t row = 0; row < height; ++row) {
        spend();
        HostValue target = to, source = from;
        target.offset += row * to_pitch;
        source.offset += row * from_pitch;
        copy(who, target, source, width);
    }
}

void HostInterpreter::fill(const std::string& who, const HostValue& to, int byte, std::int64_t bytes) {
    if (!holds(who, Side::writes, to, bytes)) return;
    HostMemory& target = memories_[*to.memory];
    if (bytes == std::int64_t(target.bytes.size())) target.unknown = false;
    const std::vector<std::byte> data(static_cast<std::size_t>(bytes), static_cast<std::byte>(byte));
    if (target.device) {
        write_device(target, to.offset, data);
    } else {
        std::ranges::copy(data, target.bytes.begin() + to.offset);
    }
}

}  // namespace lanescope::session
