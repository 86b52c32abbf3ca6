// The requested residency of a launch: the number of multiprocessors, the blocks on each at once, the order in which
// blocks start, and the blocks that stall. An order <-> its text.
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::trace {

/// In which order blocks start, by their number in the grid.
struct BlockOrder {
    enum class Kind : std::uint8_t { ascending, descending, shuffled };
    Kind kind = Kind::ascending;
    std::uint64_t seed = 0;              ///< of shuffled
    std::vector<std::uint32_t> late;     ///< start after all others, in this order
    std::vector<std::uint32_t> stalled;  ///< stop at their first block barrier while any other resident block executes
    friend bool operator==(const BlockOrder&, const BlockOrder&) = default;

    /// Whether block i starts as the i-th.
    [[nodiscard]] bool starts_ascending() const { return kind == Kind::ascending && late.empty(); }
    [[nodiscard]] bool usual() const { return starts_ascending() && stalled.empty(); }
};

/// The blocks of a grid of `count` in the order in which they start. Blocks that are not in the grid are left out.
[[nodiscard]] std::vector<std::uint32_t> blocks_in_order(const BlockOrder& order, std::uint64_t count);

/// "descending", "shuffled 7", "late 3", "descending, late 3 5, stall 1"; "ascending" is the default.
[[nodiscard]] std::string text_of(const BlockOrder& order);
[[nodiscard]] Result<BlockOrder> read_block_order(std::string_view text);

/// A stall of a block: it executed no step between its last one before `resumed` and `resumed` itself.
struct Stall {
    BlockId block;
    StepId resumed;
    friend bool operator==(const Stall&, const Stall&) = default;
};

/// The largest number of multiprocessors, and of blocks on each, that can be requested.
inline constexpr std::uint64_t most_multiprocessors = 1024;

/// The residency that a launch asks for.
struct Residency {
    std::uint32_t multiprocessors = 0;  ///< 0: none requested
    std::uint32_t blocks_each = 0;      ///< on a multiprocessor at once, at most
    BlockOrder order;
    std::vector<Stall> stalls{};  ///< of recorded blocks, by step
    [[nodiscard]] bool given() const { return multiprocessors > 0; }
    /// Blocks at once, at most.
    [[nodiscard]] std::uint64_t places() const { return std::uint64_t{multiprocessors} * blocks_each; }
    friend bool operator==(const Residency&, const Residency&) = default;
};

}  // namespace lanescope::trace
