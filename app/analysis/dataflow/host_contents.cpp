#include "analysis/dataflow/host_contents.h"

#include <algorithm>
#include <cassert>

namespace lanescope::analysis {

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
