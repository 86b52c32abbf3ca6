// The threads of a launch that the emulator makes wait, and where: one of the orders that a GPU may have, written down
// so that it can be repeated. A schedule <-> its text.
//
//   hold 0:1:3 at 57      block 0, warp 1, lane 3 waits before PTX line 57, each time, while anything else can execute
//   hold 0:1 at 57 #2     the whole warp, and only the second time that it comes there
//   delay 0:1:3 at 57     other threads see the store of PTX line 57 late: the thread continues past it, up to where
//                         memory is ordered, and waits there while anything else can execute
//   stale 1:0:3 at 61     the load of PTX line 61 returns the oldest value that the memory model allows,
//                         and the newest one the next time
//   launch 2 hold ...     in the program's launch number 2 alone, from 0
//   shuffled 7            warps take turns of random lengths, in an order drawn from the seed 7
//
// Several are joined by commas. Nothing that a schedule does is new to a kernel: lanes of a warp need not execute
// together (PTX ISA 3.1, independent thread scheduling), nor warps and blocks in any order, and a weak store may be
// seen after later ones until a fence, a barrier or a release orders them (PTX ISA 8.9), by some threads later than by
// others; nor need a load return the newest value until what wrote it is ordered before the load.
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::execute {

struct Hold {
    enum class Kind : std::uint8_t { hold, delay, stale };
    Kind kind = Kind::hold;
    std::optional<std::uint32_t> launch;  ///< nothing: every launch
    BlockId block{0};
    WarpId warp{0};
    std::optional<unsigned> lane;  ///< nothing: the lanes of the warp that come to the line together
    PtxLine line;
    std::uint32_t time = 0;  ///< from 1; 0: each time
    friend bool operator==(const Hold&, const Hold&) = default;
};

struct Schedule {
    std::vector<Hold> holds;            ///< if several wait, they continue in this order
    std::optional<std::uint64_t> seed;  ///< of shuffled
    [[nodiscard]] bool given() const { return !holds.empty() || seed.has_value(); }
    friend bool operator==(const Schedule&, const Schedule&) = default;
};

[[nodiscard]] std::string text_of(const Hold& hold);
[[nodiscard]] std::string text_of(const Schedule& schedule);
[[nodiscard]] Result<Schedule> read_schedule(std::string_view text);

}  // namespace lanescope::execute
