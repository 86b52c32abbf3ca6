// The size of a block, kept within the emulated device's limits: a trace from a file may name any size.
#pragma once

#include "base/ids.h"
#include "model/device_limits.h"
#include "trace/trace.h"

#include <algorithm>
#include <cstdint>

namespace lanescope::analysis {

/// Addresses of a block's shared memory are below this limit: the most that the block can have, plus the part that the
/// system reserves.
[[nodiscard]] inline std::uint64_t most_shared_bytes() { return model::emulated_device().shared_bytes; }
[[nodiscard]] inline std::uint64_t most_local_bytes() { return model::emulated_device().local_bytes_per_thread; }

[[nodiscard]] inline unsigned threads_of(const trace::Launch& launch) {
    return static_cast<unsigned>(std::min(launch.block.count(), model::emulated_device().threads_per_block));
}
[[nodiscard]] inline unsigned warps_of(const trace::Launch& launch) {
    return (threads_of(launch) + warp_size - 1) / warp_size;
}
[[nodiscard]] inline std::uint64_t shared_bytes_of(const trace::Launch& launch) {
    return std::min(launch.shared_bytes(), most_shared_bytes());
}
/// The lanes of the warp that have threads.
[[nodiscard]] inline LaneMask lanes_of(const trace::Launch& launch, WarpId warp) {
    const unsigned threads = threads_of(launch);
    return warp.index() * warp_size >= threads ? LaneMask{} : LaneMask::first(threads - warp.value * warp_size);
}
[[nodiscard]] inline unsigned thread_of(WarpId warp, unsigned lane) { return warp.value * warp_size + lane; }

}  // namespace lanescope::analysis
