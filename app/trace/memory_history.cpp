#include "trace/memory_history.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <ranges>

namespace lanescope::trace {

namespace {

/// A checkpoint costs the pages changed since the last one, and is worth it when it saves that many steps: with at most
/// this many bytes a step, all checkpoints together are smaller than the trace.
constexpr std::size_t checkpoint_bytes_per_step = 256;
constexpr std::size_t shortest_interval = 256;
/// No interval is longer, so no seek applies more steps than this.
constexpr std::size_t longest_interval = 8192;

bool writes_memory(const Effect& effect) {
    return is_write(effect.kind) && (effect.space == Space::shared || effect.space == Space::global);
}

}  // namespace

MemoryHistory::MemoryHistory(const Trace& trace) : trace_(trace) {
    for (const Buffer& buffer : trace.buffers) {
        Region& region = add_region(buffer.address, buffer.bytes, buffer.initial.span());
        region.filled = buffer.initial.filled();
        by_address_.push_back(region.id);
    }
    std::ranges::sort(by_address_, {}, [&](std::uint32_t i) { return regions_[i].address; });

    for (const HostWrite& write : host_writes_at(0)) write_by_host(write, Direction::forward);
    lay_checkpoint(0);
    for (std::size_t position = 0; position < trace.step_count();) {
        apply(position);
        ++position;
        const std::size_t interval = position - checkpoints_.back();
        const bool worth_it = interval * checkpoint_bytes_per_step >= dirty_.size() * sizeof(Snapshot);
        if (interval >= longest_interval || (interval >= shortest_interval && worth_it)) lay_checkpoint(position);
    }
    laying_ = false;
    ++jumps_;  // to the start
    visited_ = 0;
}

MemoryHistory::Region& MemoryHistory::add_region(std::uint64_t address, std::uint64_t bytes,
                                                 std::span<const std::byte> initial) {
    Region& region = regions_.emplace_back();
    region.id = static_cast<std::uint32_t>(regions_.size() - 1);
    region.address = address;
    region.bytes = bytes;
    region.initial = initial.first(std::min<std::size_t>(initial.size(), bytes));
    return region;
}

MemoryImage& MemoryHistory::image_of(Region& region) {
    if (!region.made) {
        region.made = true;
        region.image.bytes = ZeroedArray<std::byte>(region.bytes);
        for (const ByteRun& run : region.filled) {
            const auto given =
                region.initial.subspan(run.first, std::min(run.bytes, region.initial.size() - run.first));
            std::ranges::copy(given, region.image.bytes.begin() + run.first);
        }
        region.image.writes = ZeroedArray<std::uint32_t>(region.bytes);
        region.pages = ZeroedArray<std::uint32_t>((region.bytes + page_bytes - 1) / page_bytes);
    }
    return region.image;
}

MemoryHistory::Region& MemoryHistory::block_region(std::uint32_t launch, BlockId block) {
    const std::uint64_t key = std::uint64_t{launch} << 32 | block.value;
    const auto [at, fresh] = blocks_.try_emplace(key, static_cast<std::uint32_t>(regions_.size()));
    if (fresh) add_region(0, trace_.launches[launch].shared_bytes(), {});
    return regions_[at->second];
}

MemoryHistory::Region* MemoryHistory::buffer_region(std::uint64_t address) {
    const auto above = std::ranges::upper_bound(by_address_, address, {}, [&](auto i) { return regions_[i].address; });
    if (above == by_address_.begin()) return nullptr;
    return &regions_[*std::prev(above)];
}

void MemoryHistory::note_store(Region& region, std::uint64_t offset, std::uint64_t bytes) {
    for (std::uint64_t index = offset / page_bytes; index <= (offset + bytes - 1) / page_bytes; ++index) {
        if (region.pages[index] == 0) {
            pages_.push_back({.region = region.id, .index = static_cast<std::uint32_t>(index), .versions = {}});
            region.pages[index] = static_cast<std::uint32_t>(pages_.size());
            region.stored.push_back(index);
        }
        Page& page = pages_[region.pages[index] - 1];
        if (!page.dirty) {
            page.dirty = true;
            dirty_.push_back(region.pages[index] - 1);
        }
    }
}

void MemoryHistory::write_lane(const Effect& effect, unsigned lane, Region* block, Direction direction) {
    const std::uint64_t address = trace_.address(effect, lane);
    Region* region = block != nullptr ? block : buffer_region(address);
    if (region == nullptr) return;
    const std::uint64_t offset = address - region->address;
    const std::uint64_t bytes = std::uint64_t{effect.bytes} * effect.elements;
    // A store past the end is a finding; it changes no memory here.
    if (offset >= region->bytes || bytes > region->bytes - offset) return;
    MemoryImage& image = image_of(*region);
    if (laying_) note_store(*region, offset, bytes);
    for (std::uint64_t index = offset / page_bytes; index <= (offset + bytes - 1) / page_bytes; ++index) {
        put_back(*region, index);
    }
    std::uint64_t at = offset;
    for (unsigned element = 0; element < effect.elements; ++element) {
        std::uint64_t value = direction == Direction::forward ? trace_.after(effect, lane, element)
                                                              : trace_.before(effect, lane, element);
        for (unsigned i = 0; i < effect.bytes; ++i, ++at, value >>= 8) {
            image.bytes[at] = static_cast<std::byte>(value);  // PTX memory is little-endian
            image.writes[at] += direction == Direction::forward ? 1U : -1U;
        }
    }
}

void MemoryHistory::put_back(const Region& region, std::uint64_t index) {
    if (region.pages[index] == 0) return;
    Page& page = pages_[region.pages[index] - 1];
    if (page.jumps == jumps_) return;
    page.jumps = jumps_;
    ++visited_;
    restore(page, checkpoint_);
}

const MemoryImage& MemoryHistory::whole(Region& region) {
    MemoryImage& image = image_of(region);
    for (const std::uint64_t index : region.stored) put_back(region, index);
    return image;
}

std::span<const HostWrite> MemoryHistory::host_writes_at(std::size_t position) const {
    const auto at = [&](const HostWrite& write) { return trace_.position_of(write); };
    const auto found = std::ranges::equal_range(trace_.host_writes, position, {}, at);
    return {found.begin(), found.end()};
}

/// The host's bytes count as contents, like a buffer's initial ones, and not as a store of the kernel.
void MemoryHistory::write_by_host(const HostWrite& write, Direction direction) {
    const std::vector<std::byte>& bytes = direction == Direction::forward ? write.after : write.before;
    if (bytes.empty()) return;
    Region& region = regions_[write.buffer];
    MemoryImage& image = image_of(region);
    if (laying_) note_store(region, write.offset, bytes.size());
    for (std::uint64_t index = write.offset / page_bytes; index <= (write.offset + bytes.size() - 1) / page_bytes;
         ++index) {
        put_back(region, index);
    }
    std::ranges::copy(bytes, image.bytes.begin() + static_cast<std::ptrdiff_t>(write.offset));
}

void MemoryHistory::apply(std::size_t position) {
    ++visited_;
    const Step& step = trace_.steps()[position];
    for (const Effect& effect : trace_.effects(step)) {
        if (!writes_memory(effect)) continue;
        Region* block = effect.space == Space::shared ? &block_region(step.launch, step.block) : nullptr;
        for (const unsigned lane : effect.lanes) write_lane(effect, lane, block, Direction::forward);
    }
    for (const HostWrite& write : host_writes_at(position + 1)) write_by_host(write, Direction::forward);
}

// In reverse order: several lanes may have stored to one address, and each restores the value that it overwrote.
void MemoryHistory::undo(std::size_t position) {
    ++visited_;
    for (const HostWrite& write : host_writes_at(position + 1) | std::views::reverse) {
        write_by_host(write, Direction::back);
    }
    const Step& step = trace_.steps()[position];
    for (const Effect& effect : trace_.effects(step) | std::views::reverse) {
        if (!writes_memory(effect)) continue;
        Region* block = effect.space == Space::shared ? &block_region(step.launch, step.block) : nullptr;
        for (unsigned lane = warp_size; lane-- > 0;) {
            if (effect.lanes.has(lane)) write_lane(effect, lane, block, Direction::back);
        }
    }
}

void MemoryHistory::lay_checkpoint(std::size_t position) {
    const auto checkpoint = static_cast<std::uint32_t>(checkpoints_.size());
    checkpoints_.push_back(position);
    for (const std::uint32_t index : dirty_) {
        Page& page = pages_[index];
        page.dirty = false;
        page.versions.push_back({checkpoint, static_cast<std::uint32_t>(snapshots_.size())});
        const MemoryImage& image = regions_[page.region].image;
        const std::size_t first = std::size_t{page.index} * page_bytes;
        const std::size_t count = std::min(page_bytes, image.bytes.size() - first);
        Snapshot& snapshot = snapshots_.emplace_back();
        std::copy_n(image.bytes.begin() + static_cast<std::ptrdiff_t>(first), count, snapshot.bytes.begin());
        std::copy_n(image.writes.begin() + static_cast<std::ptrdiff_t>(first), count, snapshot.writes.begin());
    }
    dirty_.clear();
}

void MemoryHistory::restore(const Page& page, std::uint32_t checkpoint) {
    Region& region = regions_[page.region];
    const std::size_t first = std::size_t{page.index} * page_bytes;
    const std::size_t count = std::min(page_bytes, static_cast<std::size_t>(region.bytes) - first);
    const auto bytes = region.image.bytes.begin() + static_cast<std::ptrdiff_t>(first);
    const auto writes = region.image.writes.begin() + static_cast<std::ptrdiff_t>(first);

    const auto later = std::ranges::upper_bound(page.versions, checkpoint, {}, &Version::checkpoint);
    if (later != page.versions.begin()) {
        const Snapshot& snapshot = snapshots_[std::prev(later)->snapshot];
        std::copy_n(snapshot.bytes.begin(), count, bytes);
        std::copy_n(snapshot.writes.begin(), count, writes);
        return;
    }
    const auto given = region.initial.subspan(std::min(first, region.initial.size()));
    const auto rest = std::copy_n(given.begin(), std::min(count, given.size()), bytes);
    std::fill(rest, bytes + static_cast<std::ptrdiff_t>(count), std::byte{0});
    std::fill_n(writes, count, 0U);
}

std::size_t MemoryHistory::jump(std::size_t from, std::size_t to) {
    const auto above = std::ranges::upper_bound(checkpoints_, to);
    const auto checkpoint = static_cast<std::uint32_t>(above - checkpoints_.begin() - 1);
    const std::size_t start = checkpoints_[checkpoint];
    const std::size_t by_stepping = from > to ? from - to : to - from;
    if (by_stepping <= to - start) return from;
    checkpoint_ = checkpoint;
    ++jumps_;
    return start;
}

const MemoryImage& MemoryHistory::shared(std::uint32_t launch, BlockId block) {
    return whole(block_region(launch, block));
}

const MemoryImage& MemoryHistory::global(std::uint32_t buffer) {
    assert(buffer < trace_.buffers.size());
    return whole(regions_[buffer]);
}

}  // namespace lanescope::trace
