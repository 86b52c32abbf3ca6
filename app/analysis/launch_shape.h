// The size of a block, kept within what CUDA allows: a trace from a file may claim anything.
#pragma once

#include "base/ids.h"
#include "trace/trace.h"

#include <algorithm>
#include <cstdint>

namespace lanescope::analysis {

/// CUDA programming guide, "Technical Specifications per Compute Capability".
inline constexpr std::uint64_t most_threads = 1024;            // a block
inline constexpr std::uint64_t most_shared_bytes = 256 << 10;  // a block; 228 KB on the largest
inline constexpr std::uint64_t most_local_bytes = 512 << 10;   // a thread

[[nodiscard]] inline unsigned threads_of(const trace::Launch& launch) {
    return static_cast<unsigned>(std::min(launch.block.count(), most_threads));
}
[[nodiscard]] inline unsigned warps_of(const trace::Launch& launch) {
    return (threads_of(launch) + warp_size - 1) / warp_size;
}
[[nodiscard]] inline std::uint64_t shared_bytes_of(const trace::Launch& launch) {
    return std::min(launch.shared_bytes(), most_shared_bytes);
}
/// The lanes that the warp has threads for.
[[nodiscard]] inline LaneMask lanes_of(const trace::Launch& launch, WarpId warp) {
    const unsigned threads = threads_of(launch);
    return warp.index() * warp_size >= threads ? LaneMask{} : LaneMask::first(threads - warp.value * warp_size);
}
[[nodiscard]] inline unsigned thread_of(WarpId warp, unsigned lane) { return warp.value * warp_size + lane; }

}  // namespace lanescope::analysis
