#include "analysis/dataflow/memory_history.h"

#include <algorithm>
#include <cassert>

namespace lanescope::analysis {
MemoryHistory::Reference& MemoryHistory::entry_for_write(std::uint64_t address) {
    const std::uint64_t page = address / page_bytes;
    if (page >= pages_.size()) pages_.resize(page + 1, 0);
    if (pages_[page] == 0) {
        entries_.resize(entries_.size() + page_granules, none);
        pages_[page] = static_cast<std::uint32_t>(entries_.size() / page_granules);
    }
    return entries_[std::size_t{pages_[page] - 1} * page_granules + address / granule % page_granules];
}

void MemoryHistory::write(std::uint64_t address, unsigned bytes, ValueId value) {
    assert(holds(address, bytes));
    const std::uint64_t end = address + bytes;
    while (address < end) {
        const std::uint64_t granule_end = (address / granule + 1) * granule;
        Reference& held = entry_for_write(address);
        if (address % granule == 0 && granule_end <= end) {
            events_.push_back({value, held});
            held = static_cast<Reference>(events_.size() - 1);
        } else {
            if (!is_split(held)) {
                splits_.push_back({held, held, held, held});
                held = static_cast<Reference>(splits_.size() - 1) | split_bit;
            }
            auto& parts = splits_[held & ~split_bit];
            for (std::uint64_t byte = address; byte < std::min(end, granule_end); ++byte) {
                events_.push_back({value, parts[byte % granule]});
                parts[byte % granule] = static_cast<Reference>(events_.size() - 1);
            }
        }
        address = granule_end;
    }
}

HostContents host_contents_at(const trace::Trace& trace, std::uint32_t number, std::uint64_t offset, unsigned bytes,
                              std::uint32_t host_writes) {
    assert(bytes <= sizeof(HostContents::bits));
    const trace::Buffer& buffer = trace.buffers[number];
    HostContents given;
    const auto put = [&](unsigned byte, std::byte value) {  // PTX memory is little-endian
        given.bits |= std::uint64_t{std::to_integer<std::uint8_t>(value)} << (8 * byte);
    };
    // The newest first.
    unsigned missing = (1U << bytes) - 1U;
    for (std::uint32_t w = host_writes; w-- > 0 && missing != 0;) {
        const trace::HostWrite& write = trace.host_writes[w];
        if (write.buffer != number) continue;
        const unsigned before = missing;
        for (unsigned i = 0; i < bytes; ++i) {
            if ((missing >> i & 1U) == 0 || offset + i < write.offset) continue;
            const std::uint64_t at = offset + i - write.offset;
            if (at >= write.after.size()) continue;
            put(i, write.after[at]);
            missing &= ~(1U << i);
        }
        if (missing != before && !given.host_write) given.host_write = w;
    }
    for (unsigned i = 0; i < bytes && offset + i < buffer.initial.size(); ++i) {
        if ((missing >> i & 1U) != 0) put(i, buffer.initial[offset + i]);
    }
    return given;
}

std::uint32_t host_writes_at(const trace::Trace& trace, std::size_t position) {
    const auto after = [&](const trace::HostWrite& write) { return trace.position_of(write); };
    const auto past = std::ranges::upper_bound(trace.host_writes, position, {}, after);
    return static_cast<std::uint32_t>(past - trace.host_writes.begin());
}

}  // namespace lanescope::analysis
