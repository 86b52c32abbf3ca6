// Strong ids, so that a lane, a warp and a line cannot be mixed up. Each wraps one unsigned number, and compares.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace lanescope {

template <class Tag>
struct Id {
    std::uint32_t value = std::numeric_limits<std::uint32_t>::max();

    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t v) : value(v) {}

    [[nodiscard]] constexpr bool valid() const { return value != std::numeric_limits<std::uint32_t>::max(); }
    [[nodiscard]] constexpr std::size_t index() const { return value; }
    friend constexpr auto operator<=>(Id, Id) = default;
};

using BlockId = Id<struct BlockTag>;    ///< linear block index in the grid: x + gridDim.x * (y + gridDim.y * z)
using WarpId = Id<struct WarpTag>;      ///< warp in its block: linear thread index / 32
using LaneId = Id<struct LaneTag>;      ///< lane in its warp, 0..31
using StepId = Id<struct StepTag>;      ///< one warp instruction executed, in the order of the timeline
using PtxLine = Id<struct PtxLineTag>;  ///< line of the PTX text, from 1: the only name of an instruction in a trace
using RegisterId = Id<struct RegisterTag>;  ///< index in Trace::registers / ptx::Function::registers
using PassId = Id<struct PassTag>;          ///< pass of one block, from 0

inline constexpr unsigned warp_size = 32;

}  // namespace lanescope

template <class Tag>
struct std::hash<lanescope::Id<Tag>> {
    std::size_t operator()(lanescope::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};
