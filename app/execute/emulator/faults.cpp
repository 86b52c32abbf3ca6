#include "execute/emulator/faults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lanescope::execute {

namespace {

using FindingKind = trace::Finding::Kind;

std::string plural(std::uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string_view verb_of(const Micro& micro) {
    switch (micro.kind) {
        case Kind::load: return "reads";
        case Kind::store: return "writes";
        default: return "updates";
    }
}

std::string_view name_of_space(ptx::Space space) {
    switch (space) {
        case ptx::Space::shared: return "shared memory";
        case ptx::Space::local: return "local memory";
        case ptx::Space::param: return "the parameters";
        default: return "global memory";
    }
}

/// "in[16], 1 element past the end of in (16 elements)"; `distance` counts bytes from the array's begin.
std::string element_of(const std::string& name, std::int64_t distance, std::uint64_t bytes, unsigned element_bytes) {
    const auto size = static_cast<std::int64_t>(element_bytes);
    const std::int64_t index = distance >= 0 ? distance / size : -((-distance + size - 1) / size);
    const auto count = static_cast<std::int64_t>(bytes / element_bytes);
    const std::string total = plural(static_cast<std::uint64_t>(count), "element");
    if (index < 0) {
        return fmt::format("{}[{}], {} before the begin of {} ({})", name, index,
                           plural(static_cast<std::uint64_t>(-index), "element"), name, total);
    }
    if (index < count) return fmt::format("{}[{}] ({})", name, index, total);
    return fmt::format("{}[{}], {} past the end of {} ({})", name, index,
                       plural(static_cast<std::uint64_t>(index - count + 1), "element"), name, total);
}

/// "0 to 15, 32 to 47": runs of ascending numbers.
std::string runs_of(const std::vector<unsigned>& numbers) {
    std::vector<std::string> runs;
    for (std::size_t first = 0; first < numbers.size();) {
        std::size_t last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        runs.push_back(first == last ? fmt::format("{}", numbers[first])
                                     : fmt::format("{} to {}", numbers[first], numbers[last]));
        first = last + 1;
    }
    constexpr std::size_t shown = 8;
    if (runs.size() > shown) {
        runs.resize(shown);
        runs.emplace_back("...");
    }
    return fmt::format("{}", fmt::join(runs, ", "));
}

}  // namespace

void Faults::begin_launch(std::uint32_t number, const Code& code, const trace::Launch& launch,
                          const std::vector<trace::SharedArray>& arrays) {
    launch_number_ = number;
    code_ = &code;
    launch_ = launch;
    arrays_ = arrays;
}

void Faults::finish() {
    for (std::size_t kind = 0; kind < found_.size(); ++kind) {
        if (found_[kind] <= limit_) continue;
        trace::Finding more;
        more.kind = static_cast<FindingKind>(kind);
        more.launch = launch_number_;
        more.message = fmt::format("{} more of kind {}, not listed", found_[kind] - limit_, trace::name_of(more.kind));
        writer_.finding(std::move(more));
    }
}

void Faults::report(FindingKind kind, const Block& block, WarpId warp, LaneId lane, const Micro& micro,
                    std::optional<std::uint64_t> address, std::string message) {
    if (++found_[static_cast<std::size_t>(kind)] > limit_) return;
    trace::Finding finding;
    finding.kind = kind;
    finding.launch = launch_number_;
    finding.block = block.id;
    finding.warp = warp;
    finding.lane = lane;
    finding.line = micro.line;
    finding.source_line = code_->source_line(micro);
    finding.address = address;
    finding.message = std::move(message);
    writer_.finding(std::move(finding));
}

// Names ---------------------------------------------------------------------------------------------------------

std::string Faults::block_name(const Block& block) const {
    if (launch_.grid.y == 1 && launch_.grid.z == 1) return fmt::format("block {}", block.id.value);
    return fmt::format("block ({}, {}, {})", block.index.x, block.index.y, block.index.z);
}

std::string Faults::thread(const Block& block, const Warp& warp, unsigned lane) const {
    const unsigned number = warp.id.value * warp_size + lane;
    if (launch_.block.y == 1 && launch_.block.z == 1) return fmt::format("{}, thread {}", block_name(block), number);
    return fmt::format("{}, thread ({}, {}, {})", block_name(block), number % launch_.block.x,
                       number / launch_.block.x % launch_.block.y, number / launch_.block.x / launch_.block.y);
}

std::string Faults::threads_in(const Warp& warp, LaneMask lanes) const {
    std::vector<unsigned> numbers;
    for (const unsigned lane : lanes) numbers.push_back(warp.id.value * warp_size + lane);
    return fmt::format("{} {}", numbers.size() == 1 ? "thread" : "threads", runs_of(numbers));
}

std::string Faults::line_of(const Micro& micro) const {
    const std::uint32_t source = code_->source_line(micro);
    return source != 0 ? fmt::format("line {}", source) : fmt::format("PTX line {}", micro.line.value);
}

std::string Faults::global_place(std::uint64_t address) const {
    const std::optional<std::size_t> nearest = memory_.nearest(address);
    if (!nearest || *nearest >= writer_.trace().buffers.size()) {
        if (address < shared_window) return fmt::format("address {:#x}: a null pointer", address);
        return fmt::format("address {:#x}, where no buffer is", address);
    }
    const trace::Buffer& buffer = writer_.trace().buffers[*nearest];
    return element_of(buffer.name, static_cast<std::int64_t>(address - buffer.address), buffer.bytes,
                      trace::bytes_of(buffer.element));
}

std::string Faults::shared_place(std::uint64_t address) const {
    // A negative index wraps: what is far beyond lies before.
    const auto distance = static_cast<std::int64_t>(static_cast<std::int32_t>(address));
    const trace::SharedArray* nearest = nullptr;
    for (const trace::SharedArray& array : arrays_) {
        if (nearest == nullptr || static_cast<std::int64_t>(array.offset) <= distance) nearest = &array;
    }
    if (nearest == nullptr) {
        return fmt::format("shared memory at byte {}, of {}", distance, plural(launch_.shared_bytes(), "byte"));
    }
    return element_of(nearest->name, distance - static_cast<std::int64_t>(nearest->offset), nearest->bytes,
                      trace::bytes_of(nearest->element.value_or(trace::Element::u32)));
}

std::string Faults::place_of(ptx::Space space, std::uint64_t address, unsigned bytes) const {
    switch (space) {
        case ptx::Space::global: return global_place(address);
        case ptx::Space::shared: return shared_place(address);
        default:
            return fmt::format("{} at byte {} to {}", name_of_space(space), static_cast<std::int64_t>(address),
                               static_cast<std::int64_t>(address) + bytes - 1);
    }
}

// Findings ------------------------------------------------------------------------------------------------------

void Faults::access(const Block& block, const Warp& warp, unsigned lane, const Micro& micro, ptx::Space space,
                    std::uint64_t address, unsigned bytes, bool misaligned) {
    const std::string who = thread(block, warp, lane);
    if (misaligned) {
        report(FindingKind::misaligned, block, warp.id, LaneId(lane), micro, address,
               fmt::format("{} {} {} at {:#x} of {}, which is no multiple of {}", who, verb_of(micro),
                           plural(bytes, "byte"), address, name_of_space(space), bytes));
        return;
    }
    const bool null = space == ptx::Space::global && address < shared_window;
    report(null ? FindingKind::null_access : FindingKind::out_of_bounds, block, warp.id, LaneId(lane), micro, address,
           fmt::format("{} {} {}", who, verb_of(micro), place_of(space, address, bytes)));
}

void Faults::trap(const Block& block, const Warp& warp, LaneMask lanes, const Micro& micro) {
    report(
        FindingKind::trap, block, warp.id, LaneId(lanes.lowest()), micro, {},
        fmt::format("{} reaches a trap in {}: the kernel stops", thread(block, warp, lanes.lowest()), line_of(micro)));
}

void Faults::shuffle_from_inactive(const Block& block, const Warp& warp, unsigned lane, unsigned source,
                                   const Micro& micro) {
    report(FindingKind::shuffle_inactive, block, warp.id, LaneId(lane), micro, {},
           fmt::format("{} shuffles from lane {} of its warp, which does not take part", thread(block, warp, lane),
                       source));
}

void Faults::deadlock(const Block& block) {
    std::vector<std::string> reasons;
    const Micro* first = nullptr;
    WarpId at;
    for (const Warp& warp : block.warps) {
        LaneMask waiting;
        warp.paths.for_each_waiting([&](const Paths::Waiting& path) {
            const Micro& micro = code_->micros[path.pc];
            if (first == nullptr) {
                first = &micro;
                at = warp.id;
            }
            waiting |= path.lanes;
            reasons.push_back(
                path.reason == waits_for_warp
                    ? fmt::format("{} for the warp in {}", threads_in(warp, path.lanes), line_of(micro))
                    : fmt::format("{} at barrier {} in {}", threads_in(warp, path.lanes), path.reason, line_of(micro)));
        });
        const LaneMask rest = warp.paths.live() & ~waiting;
        if (rest.any()) {
            reasons.push_back(fmt::format("{} for those, past the branch that parted them", threads_in(warp, rest)));
        }
    }
    constexpr std::size_t shown = 6;
    if (reasons.size() > shown) {
        const std::size_t more = reasons.size() - shown;
        reasons.resize(shown);
        reasons.push_back(fmt::format("{} more", more));
    }
    if (first == nullptr) return;
    report(FindingKind::deadlock, block, at, LaneId(), *first, {},
           fmt::format("{} cannot go on: waiting are {}", block_name(block), fmt::join(reasons, "; ")));
}

void Faults::divergent_barrier(const Block& block, const Warp& warp) {
    std::vector<std::string> places;
    const Micro* first = nullptr;
    warp.paths.for_each_waiting([&](const Paths::Waiting& path) {
        const Micro& micro = code_->micros[path.pc];
        if (first == nullptr) first = &micro;
        places.push_back(fmt::format("{} in {}", threads_in(warp, path.lanes), line_of(micro)));
    });
    report(FindingKind::barrier_divergence, block, warp.id, LaneId(), *first, {},
           fmt::format("{}, warp {} meets the barrier in several places: {}", block_name(block), warp.id.value,
                       fmt::join(places, "; ")));
}

void Faults::budget_spent(const Block& block, const Warp& warp, std::uint64_t budget) {
    const bool loops = warp.loop != no_pc;
    const Micro& micro = code_->micros[loops ? warp.loop : warp.paths.runnable() ? warp.paths.pc() : 0];
    report(FindingKind::step_budget, block, warp.id, LaneId(), micro, {},
           fmt::format("the budget of {} warp instructions is spent; {}, warp {} is {} {}", budget, block_name(block),
                       warp.id.value, loops ? "in the loop of" : "at", line_of(micro)));
}

}  // namespace lanescope::execute
