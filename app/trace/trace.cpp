#include "trace/trace.h"

#include "base/float16.h"
#include "base/number_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <span>

namespace lanescope::trace {

namespace {

template <class To>
To low_bits(std::uint64_t bits) {
    return static_cast<To>(bits);
}

std::string text_of_16(Format16 format, std::uint64_t bits) {
    return fmt::format("{}", static_cast<float>(decode16(format, low_bits<std::uint16_t>(bits))));
}

/// The index of a lane's value in its pool, counted from the effect's first value: element by element, lanes packed.
std::size_t slot(const Effect& effect, unsigned lane, unsigned element) {
    assert(effect.lanes.has(lane) && element < effect.elements);
    return std::size_t{element} * effect.lanes.count() + effect.lanes.rank(lane);
}

template <class Values>
std::uint64_t bytes_held(const Values& values) {
    return values.capacity() * sizeof(*values.data());
}

}  // namespace

std::string_view name_of(Element element) {
    switch (element) {
        case Element::s8: return "signed char";
        case Element::u8: return "unsigned char";
        case Element::s16: return "short";
        case Element::u16: return "unsigned short";
        case Element::s32: return "int";
        case Element::u32: return "unsigned";
        case Element::s64: return "long long";
        case Element::u64: return "unsigned long long";
        case Element::f16: return "half";
        case Element::bf16: return "bfloat16";
        case Element::f32: return "float";
        case Element::f64: return "double";
    }
    return "int";
}

std::string text_of(Element element, std::uint64_t bits) {
    switch (element) {
        case Element::s8: return fmt::format("{}", int{low_bits<std::int8_t>(bits)});
        case Element::u8: return fmt::format("{}", unsigned{low_bits<std::uint8_t>(bits)});
        case Element::s16: return fmt::format("{}", low_bits<std::int16_t>(bits));
        case Element::u16: return fmt::format("{}", low_bits<std::uint16_t>(bits));
        case Element::s32: return fmt::format("{}", low_bits<std::int32_t>(bits));
        case Element::u32: return fmt::format("{}", low_bits<std::uint32_t>(bits));
        case Element::s64: return fmt::format("{}", low_bits<std::int64_t>(bits));
        case Element::u64: return fmt::format("{}", bits);
        case Element::f16: return text_of_16(half_format, bits);
        case Element::bf16: return text_of_16(brain_float_format, bits);
        case Element::f32: return fmt::format("{}", std::bit_cast<float>(low_bits<std::uint32_t>(bits)));
        case Element::f64: return fmt::format("{}", std::bit_cast<double>(bits));
    }
    return {};
}

std::uint64_t bits_at(Element element, std::span<const std::byte> bytes, std::size_t index) {
    const unsigned width = bytes_of(element);
    assert((index + 1) * width <= bytes.size());
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + index * width, width);  // the lowest byte first, as on a GPU
    return bits;
}

namespace {

struct FindingText {
    std::string_view name, title, remedy;
};
constexpr FindingText findings[] = {
#define LANESCOPE_FINDING(enumerator, name, title, remedy) {name, title, remedy},
#include "trace/findings.inc"
};

enum class RacingThreads : std::uint8_t {
#define LANESCOPE_RACE_REMEDY(enumerator, remedy) enumerator,
#include "trace/findings.inc"
};
constexpr std::string_view race_remedies[] = {
#define LANESCOPE_RACE_REMEDY(enumerator, remedy) remedy,
#include "trace/findings.inc"
};

RacingThreads threads_of_race(const Finding& race, const Finding::Side& other) {
    if (other.block != race.block) return RacingThreads::two_blocks;
    return other.warp == race.warp ? RacingThreads::one_warp : RacingThreads::one_block;
}

}  // namespace

std::string_view name_of(Finding::Kind kind) { return findings[static_cast<std::size_t>(kind)].name; }
std::string_view title_of(Finding::Kind kind) { return findings[static_cast<std::size_t>(kind)].title; }
std::string_view remedy_of(const Finding& finding) {
    // Host code accesses memory past the end by a copy, or directly.
    if (finding.kind == Finding::Kind::out_of_bounds && !finding.block.valid())
        return "Copy or write no more bytes than the memory has.";
    if (finding.kind == Finding::Kind::out_of_bounds && finding.variable.empty()) return {};
    // For a missing order of host and device, the message itself says how to establish it.
    if (finding.kind == Finding::Kind::missing_synchronization && finding.message.contains(". ")) return {};
    // The same for a race of a plain access with an atomic one, and for accesses that a lock or a flag guards.
    if (finding.kind == Finding::Kind::race && finding.message.contains(". ")) return {};
    if (finding.kind == Finding::Kind::race && finding.other)
        return race_remedies[static_cast<std::size_t>(threads_of_race(finding, *finding.other))];
    return findings[static_cast<std::size_t>(finding.kind)].remedy;
}

std::string_view name_of(HostStep::Kind kind) {
    switch (kind) {
        case HostStep::Kind::allocate: return "allocate";
        case HostStep::Kind::release: return "free";
        case HostStep::Kind::write: return "write";
        case HostStep::Kind::read: return "read";
        case HostStep::Kind::launch: return "launch";
        case HostStep::Kind::synchronize: return "synchronize";
        case HostStep::Kind::print: return "print";
        case HostStep::Kind::error: return "error";
        case HostStep::Kind::remark: return "remark";
        case HostStep::Kind::call: return "call";
    }
    return "?";
}

Counts& Counts::operator+=(const Counts& other) {
    warp_instructions += other.warp_instructions;
    thread_instructions += other.thread_instructions;
    active_thread_instructions += other.active_thread_instructions;
    shared_load_instructions += other.shared_load_instructions;
    shared_load_wavefronts += other.shared_load_wavefronts;
    shared_store_instructions += other.shared_store_instructions;
    shared_store_wavefronts += other.shared_store_wavefronts;
    shared_atomic_instructions += other.shared_atomic_instructions;
    shared_atomic_wavefronts += other.shared_atomic_wavefronts;
    global_load_instructions += other.global_load_instructions;
    global_load_sectors += other.global_load_sectors;
    global_store_instructions += other.global_store_instructions;
    global_store_sectors += other.global_store_sectors;
    global_atomic_instructions += other.global_atomic_instructions;
    global_atomic_sectors += other.global_atomic_sectors;
    barriers += other.barriers;
    branches += other.branches;
    divergent_branches += other.divergent_branches;
    operations += other.operations;
    return *this;
}

std::uint64_t Trace::before(const Effect& effect, unsigned lane, unsigned element) const {
    assert(effect.kind != EffectKind::register_write);
    if (effect.kind == EffectKind::load || effect.kind == EffectKind::shuffle) return after(effect, lane, element);
    const std::size_t at = effect.first_value + slot(effect, lane, element);
    return effect.bytes == 8 ? wide_[at] : narrow_[at];
}

std::uint64_t Trace::after(const Effect& effect, unsigned lane, unsigned element) const {
    std::size_t at = effect.first_value;
    if (effect.kind == EffectKind::register_write) {
        assert(effect.lanes.has(lane));
        if (effect.bytes == 0) return (narrow_[at] >> lane) & 1U;
        if (effect.even_values && effect.bytes == 8) return wide_[at] + lane * wide_[at + 1];
        if (effect.even_values) return narrow_[at] + lane * narrow_[at + 1];
    } else if (is_write(effect.kind)) {
        at += std::size_t{effect.lanes.count()} * effect.elements;
    }
    at += slot(effect, lane, element);
    return effect.bytes == 8 ? wide_[at] : narrow_[at];
}

std::uint64_t Trace::address(const Effect& effect, unsigned lane) const {
    assert(is_access(effect.kind));
    assert(effect.lanes.has(lane));
    const std::size_t at = effect.first_address;
    if (effect.even_addresses) return addresses_[at] + lane * addresses_[at + 1];
    return addresses_[at + effect.lanes.rank(lane)];
}

bool Trace::recorded(std::uint32_t launch, BlockId block) const {
    return launch < launches.size() && std::ranges::binary_search(launches[launch].recorded, block);
}

bool Trace::all_recorded() const { return std::ranges::all_of(launches, &Launch::all_recorded); }

std::uint64_t Trace::steps_of(std::uint32_t launch, BlockId block) const {
    const std::size_t first = launches[launch].first_step.index(), past_last = launches[launch].past_last_step.index();
    const auto own = steps().subspan(first, past_last - first);
    return static_cast<std::uint64_t>(std::ranges::count(own, block, &Step::block));
}

std::uint64_t Trace::blocks() const {
    std::uint64_t blocks = 0;
    for (const Launch& launch : launches) blocks += launch.grid.count();
    return blocks;
}

bool Trace::is_cut_short() const {
    return cancelled || running || std::ranges::find(notes, ended_early) != notes.end();
}

Counts Trace::totals() const {
    Counts sum;
    for (const auto& launch : counts) {
        for (const Counts& epoch : launch) sum += epoch;
    }
    return sum;
}

const Buffer* Trace::buffer_at(std::uint64_t address) const {
    for (const Buffer& buffer : buffers) {
        if (address >= buffer.address && address - buffer.address < buffer.bytes) return &buffer;
    }
    return nullptr;
}

const std::string& name_in(const Launch& launch, const std::vector<Buffer>& buffers, std::size_t buffer) {
    const Buffer& named = buffers[buffer];
    const Argument* only = nullptr;
    for (const Argument& argument : launch.arguments) {
        // A structure that begins with the address has its own name.
        if (argument.buffer != buffer || (!argument.type.empty() && !is_pointer_type(argument.type))) continue;
        std::uint64_t address = 0;
        const auto bytes = std::span(argument.value).first(std::min(argument.value.size(), sizeof address));
        std::ranges::copy(bytes, std::as_writable_bytes(std::span(&address, 1)).begin());
        if (only != nullptr || address != named.address || argument.name.empty()) return named.name;
        only = &argument;
    }
    return only != nullptr ? only->name : named.name;
}

const std::string& Trace::buffer_name(std::uint32_t launch, const Buffer& buffer) const {
    const auto number = static_cast<std::size_t>(&buffer - buffers.data());
    return launch < launches.size() ? name_in(launches[launch], buffers, number) : buffer.name;
}

std::uint64_t Trace::memory_bytes() const {
    std::uint64_t bytes = sizeof(*this) + bytes_held(steps_) + bytes_held(effects_) + bytes_held(narrow_) +
                          bytes_held(wide_) + bytes_held(addresses_) + origin.source.capacity() + origin.ptx.capacity();
    for (const Buffer& buffer : buffers) bytes += buffer.initial.memory_bytes() + buffer.final.memory_bytes();
    for (const HostWrite& write : host_writes) bytes += bytes_held(write.before) + bytes_held(write.after);
    for (const auto& launch : counts) bytes += bytes_held(launch);
    for (const Launch& launch : launches) bytes += bytes_held(launch.blocks);
    return bytes;
}

}  // namespace lanescope::trace
