// PTX -> the same PTX, which keeps a log of what each of its threads does: shared and global loads, stores and atomics,
// barriers, what comes from other lanes, and which way conditional branches go. Copies on their own (cp.async),
// mbarriers and branches by a table (brx.idx) are not logged: what they lead to is, and Rewritten::left_out says that
// they are there.
//
// A thread writes its log itself, inline and without a branch, so that what it does stays in its own order; lanes are
// never taken together, for a logging function's lanes may come from different places. An entry has 16 bytes:
//
//     bits 127..64   a value: what was read, written, received
//     bits  63..48   which Site it is from; 0: nothing was written here
//     bits  47..0    the byte address: in the block's shared memory, or in global memory
//
// A thread's cursor lives in a register and goes to its *slot* in memory around calls. It moves on past the end of the
// log, too, where nothing is written: so a first run without a log counts, and an overflow shows.
#pragma once

#include "base/result.h"
#include "ptx/module.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lanescope::execute {

/// What an entry tells.
enum class Logged : std::uint8_t {
    load,     ///< an element that was read
    store,    ///< an element that was written
    compare,  ///< what an atomic compares with
    operand,  ///< what an atomic combines with memory
    old,      ///< an atomic's result
    result,   ///< of a shuffle, vote, match, redux, activemask
    taken,    ///< of a conditional branch: 1 or 0
    barrier,  ///< bar, barrier: the address is the barrier's number, the value a reduction's result
    warp_barrier,
    time,  ///< a clock that was read
};

/// One kind of entry of one instruction.
struct Site {
    Logged logged = Logged::load;
    PtxLine line;                                   ///< of the PTX that was rewritten
    ptx::Space space = ptx::Space::none;            ///< shared or global; none: no memory
    std::uint8_t bytes = 0;                         ///< of an element
    std::uint8_t element = 0;                       ///< of a vector
    bool known = true;                              ///< the value is logged: not of what goes to `_`
    const ptx::Instruction* instruction = nullptr;  ///< in the module that was rewritten
};

/// An instruction's sites follow one another: those of an access to global memory, then the same of shared memory.
struct SiteGroup {
    std::uint16_t first = 0;
    std::uint16_t count = 0;  ///< for each space
    bool by_address = false;  ///< generic: the address tells the space, and both have sites
    bool in_shared = false;   ///< !by_address: which of the two
};

struct Rewritten {
    std::string ptx;
    std::vector<Site> sites;              ///< by number; [0] is none
    std::map<PtxLine, SiteGroup> groups;  ///< by the instruction's line
    std::vector<std::string> left_out;    ///< mnemonics in it that are not logged: "cp.async", "mbarrier.arrive", ...
    std::vector<const ptx::Variable*> shared;  ///< shared variables in use, in the order of Desk's `places`
};

/// The variable of the rewritten PTX that says where to log: four words of 64 bits.
inline constexpr const char* recorder_variable = "lanescope_recorder";
struct RecorderWords {
    std::uint64_t first_block = 0;  ///< that logs, by its linear index
    std::uint64_t blocks = 0;       ///< so many do
    std::uint64_t slots = 0;        ///< address: Slot by block and linear thread index
    std::uint64_t places = 0;       ///< address: where each of Rewritten::shared lies, written by the kernel
};
/// A thread's own.
struct Slot {
    std::uint64_t cursor = 0;  ///< address of its next entry
    std::uint64_t end = 0;     ///< entries from here on are not written
};

/// In the address of an entry: global memory that is in no buffer of the trace, as what grid.sync() counts in.
inline constexpr std::uint64_t elsewhere = std::uint64_t{1} << 63;

inline constexpr unsigned site_shift = 48;  ///< in an entry's first word
inline constexpr std::uint64_t entry_bytes = 16;
/// The lanes of a warp write side by side: from one entry of a lane to its next.
inline constexpr std::uint64_t entry_stride = 32 * entry_bytes;

/// Products and sums without a rounding get .rn, so that the driver's compiler does not fuse them: the emulator does
/// not. Fails where the log cannot tell so many instructions apart.
[[nodiscard]] Result<Rewritten> rewrite(const ptx::Module& module);

}  // namespace lanescope::execute
