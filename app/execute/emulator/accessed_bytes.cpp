#include "execute/emulator/accessed_bytes.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace lanescope::execute {

AccessedBytes::AccessedBytes(const GlobalMemory& memory) {
    memory.for_each([&](const Region& region) { used_.emplace(&region, region.bytes()); });
}

void AccessedBytes::note(const Region& region, const Targets& targets, unsigned bytes, Uses use) {
    const auto found = used_.find(&region);
    if (found == used_.end()) return;
    for (const unsigned lane : targets.lanes) {
        Uses* const first = found->second.data() + targets.offset[lane];
        for (unsigned i = 0; i < bytes; ++i) {
            const std::atomic_ref uses(first[i]);
            if ((uses.load(std::memory_order_relaxed) & use) == 0) uses.fetch_or(use, std::memory_order_relaxed);
        }
    }
}

std::vector<AccessedBytes::Span> AccessedBytes::spans() const {
    std::vector<Span> spans;
    for (const auto& [region, uses] : used_) {
        if (!region->accessed()) continue;
        for (std::uint64_t at = 0; at < uses.size();) {
            std::uint64_t next = 0;
            if (uses.size() - at >= sizeof next) {
                std::memcpy(&next, uses.data() + at, sizeof next);
                if (next == 0) {
                    at += sizeof next;
                    continue;
                }
            }
            const Uses of_first = uses[at];
            std::uint64_t end = at + 1;
            while (end < uses.size() && uses[end] == of_first) ++end;
            if (of_first != 0) spans.push_back({.address = region->base() + at, .bytes = end - at, .uses = of_first});
            at = end;
        }
    }
    std::ranges::sort(spans, {}, &Span::address);
    return spans;
}

}  // namespace lanescope::execute
