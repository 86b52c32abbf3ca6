// The bytes of a buffer after some of the host's writes.
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <optional>

namespace lanescope::analysis {

struct HostContents {
    std::uint64_t bits = 0;
    std::optional<std::uint32_t>
        host_write;  ///< index in Trace::host_writes: the newest that any of the bytes comes from
};

/// `bytes` (8 at most) of a buffer from `offset` on, after the first `host_writes` of the host's writes. Beyond its
/// end: zeros.
[[nodiscard]] HostContents host_contents_at(const trace::Trace& trace, std::uint32_t buffer, std::uint64_t offset,
                                            unsigned bytes, std::uint32_t host_writes);

/// How many of the host's writes have happened at a position.
[[nodiscard]] std::uint32_t host_writes_at(const trace::Trace& trace, std::size_t position);

}  // namespace lanescope::analysis
