// A launch and the limits of a device -> why it does not fit, and how many of its blocks a multiprocessor holds: one
// rule and one sentence for requests, the emulator and the CUDA runtime of whole programs.
//
// Included by that runtime, which is compiled with the program, so nothing beyond the standard library of C++17.
#pragma once

#include "base/grouped.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::model {

using Extent = std::array<std::uint32_t, 3>;  ///< x, y, z

/// Why a launch does not fit.
struct LaunchExcess {
    std::string what;   ///< "a block of 2,048 threads cannot be launched"
    std::string limit;  ///< "a block has 1 to 1,024 threads"

    /// The limit as a sentence.
    [[nodiscard]] std::string remedy() const {
        std::string text = limit + '.';
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
        return text;
    }
};

/// "1,024", "16 x 16", "1 x 1 x 64": without trailing dimensions of 1.
[[nodiscard]] inline std::string text_of(const Extent& extent) {
    std::string text = grouped(std::uint64_t{extent[0]});
    if (extent[1] != 1 || extent[2] != 1) text += " x " + grouped(std::uint64_t{extent[1]});
    if (extent[2] != 1) text += " x " + grouped(std::uint64_t{extent[2]});
    return text;
}

/// The first dimension that is 0 or larger than the device's limit; `shape` is "block" or "grid".
[[nodiscard]] inline std::optional<std::string> side_limit(const Extent& extent, const Extent& most,
                                                           const char* shape) {
    constexpr const char* names[] = {"first", "second", "third"};
    for (std::size_t i = 0; i < extent.size(); ++i) {
        if (extent[i] == 0 || extent[i] > most[i])
            return std::string("the ") + names[i] + " dimension of a " + shape + " is 1 to " +
                   grouped(std::uint64_t{most[i]});
    }
    return std::nullopt;
}

[[nodiscard]] inline std::optional<LaunchExcess> block_excess(const Extent& block, std::uint64_t most_threads,
                                                              const Extent& most) {
    const std::string what =
        "a block of " + text_of(block) + ' ' + noun(block[0] * block[1] * block[2], "thread") + " cannot be launched";
    std::uint64_t threads = 1;
    for (const std::uint64_t side : block) {
        threads *= side;
        if (threads == 0 || threads > most_threads)
            return LaunchExcess{what, "a block has 1 to " + counted(most_threads, "thread")};
    }
    if (const auto limit = side_limit(block, most, "block")) return LaunchExcess{what, *limit};
    return std::nullopt;
}

/// The excess over the threads per block in the kernel's __launch_bounds__; 0: it states no limit.
[[nodiscard]] inline std::optional<LaunchExcess> launch_bounds_excess(std::uint64_t threads, std::uint64_t most) {
    if (most == 0 || threads <= most) return std::nullopt;
    return LaunchExcess{"a block of " + counted(threads, "thread") + " cannot be launched",
                        "the kernel's __launch_bounds__ allow at most " + counted(most, "thread") + " per block"};
}

[[nodiscard]] inline std::optional<LaunchExcess> grid_excess(const Extent& grid, const Extent& most) {
    const auto limit = side_limit(grid, most, "grid");
    if (!limit) return std::nullopt;
    return LaunchExcess{
        "a grid of " + text_of(grid) + ' ' + noun(grid[0] * grid[1] * grid[2], "block") + " cannot be launched",
        *limit};
}

/// The excess over the blocks that can be emulated, of a grid that a device could launch; `grid`: "65,536 x 2".
[[nodiscard]] inline std::optional<LaunchExcess> emulated_grid_excess(const std::string& grid, std::uint64_t blocks,
                                                                      std::uint64_t most) {
    if (blocks > 0 && blocks <= most) return std::nullopt;
    return LaunchExcess{"a grid of " + grid + ' ' + noun(blocks, "block") + " cannot be emulated",
                        "a grid has 1 to " + limit_text(most) + ' ' + noun(most, "block") + " here"};
}

/// The sizes are in bytes per block.
[[nodiscard]] inline std::optional<LaunchExcess> shared_memory_excess(std::uint64_t static_bytes,
                                                                      std::uint64_t dynamic_bytes, std::uint64_t most) {
    if (static_bytes <= most && dynamic_bytes <= most - static_bytes) return std::nullopt;
    const std::string of_them = static_bytes > 0 ? ", including " + counted(static_bytes, "static byte") : "";
    const std::string kilobytes = most % 1024 == 0 ? " (" + grouped(most / 1024) + " KB)" : "";
    return LaunchExcess{
        "a block needs " + counted(static_bytes + dynamic_bytes, "byte") + " of shared memory" + of_them,
        "a block has at most " + counted(most, "byte") + kilobytes + ", static arrays included"};
}

/// The capacity of a multiprocessor; sizes are in bytes.
struct MultiprocessorLimits {
    std::uint64_t blocks = 0, warps = 0;
    std::uint64_t shared_bytes = 0, reserved_shared_bytes = 0;  ///< all, and what the system takes of it for each block
};
struct BlockNeeds {
    std::uint64_t warps = 0, shared_bytes = 0;
};

/// Blocks that a multiprocessor holds at once, without counting registers (occupancy.h does); 0: not even one.
[[nodiscard]] constexpr std::uint64_t resident_blocks(const MultiprocessorLimits& limits, const BlockNeeds& needs) {
    std::uint64_t most = std::min(limits.blocks, limits.warps / std::max<std::uint64_t>(needs.warps, 1));
    if (const std::uint64_t shared = needs.shared_bytes + limits.reserved_shared_bytes; shared > 0)
        most = std::min(most, limits.shared_bytes / shared);
    return most;
}

}  // namespace lanescope::model
