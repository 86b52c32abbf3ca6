// What lies in a buffer where no kernel has written: what it began with, or what the host has put there since.
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <optional>

namespace lanescope::analysis {

struct Given {
    std::uint64_t bits = 0;
    std::optional<std::uint32_t>
        host_write;  ///< index in Trace::host_writes: the newest that any of the bytes comes from
};

/// `bytes` (8 at most) of a buffer from `offset` on, after the first `host_writes` of the host's writes. Beyond its end: zeros.
[[nodiscard]] Given given_at(const trace::Trace& trace, std::uint32_t buffer, std::uint64_t offset, unsigned bytes,
                             std::uint32_t host_writes);

/// How many of the host's writes are there at a position.
[[nodiscard]] std::uint32_t host_writes_at(const trace::Trace& trace, std::size_t position);

}  // namespace lanescope::analysis
