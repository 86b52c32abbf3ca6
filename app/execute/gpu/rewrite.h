// PTX -> the same PTX with a log of what each thread does: shared and global loads, stores and atomics, asynchronous
// copies, barriers and mbarriers, values from other lanes, results of approximate instructions, and where branches go.
//
// A thread writes its log itself, inline and without a branch, so that its own order is kept. Lanes are never logged
// together, because a logging function's lanes may come from different call sites. An entry has 16 bytes:
//
//     bits 127..64   a value: read, written, or received
//     bits  63..48   the number of its Site; 0: nothing was written here
//     bits  47..0    the byte address: in the block's shared memory, or in global memory
//
// A thread's cursor is in a register and is saved to its *slot* in memory around calls. It also advances past the end
// of the log, where nothing is written, so that a first run without a log counts the entries, and an overflow is
// visible.
#pragma once

#include "base/result.h"
#include "ptx/module.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::execute {

/// The kind of value in an entry.
enum class Logged : std::uint8_t {
    load,     ///< an element that was read
    store,    ///< an element that was written
    compare,  ///< what an atomic compares with
    operand,  ///< what an atomic combines with memory
    old,      ///< an atomic's result
    result,   ///< of a shuffle, vote, match, redux, activemask
    taken,    ///< of a conditional branch: 1 or 0
    target,   ///< of a branch by a table (brx.idx): on the machine the index, in an Entry the PTX line that it goes to
    copy_to,  ///< cp.async: the address that it writes to; the value is the number of bytes that it reads
    copy_from,  ///< cp.async: the address that it reads from, if it reads any
    arrival,    ///< an mbarrier is initialized or invalidated, or a thread arrives there; the value is the count
    wait,       ///< a test of an mbarrier: the parity that it waits for, and in bit 32 whether its phase is complete
    barrier,    ///< bar, barrier: the address is the barrier's number, the value a reduction's result
    warp_barrier,
    time,         ///< a clock that was read
    approximate,  ///< the result of an approximate instruction, such as ex2.approx
};

/// One kind of entry of one instruction.
struct Site {
    Logged logged = Logged::load;
    PtxLine line;                                   ///< of the PTX that was rewritten
    ptx::Space space = ptx::Space::none;            ///< shared or global; none: no memory
    std::uint8_t bytes = 0;                         ///< of an element
    std::uint8_t element = 0;                       ///< of a vector
    bool known = true;                              ///< the value is logged; false if the destination is `_`
    const ptx::Instruction* instruction = nullptr;  ///< in the module that was rewritten
};

/// An instruction's sites follow one another: those of an access to global memory, then the same of shared memory.
struct SiteGroup {
    std::uint16_t first = 0;
    std::uint16_t count = 0;  ///< for each space
    bool by_address = false;  ///< generic: the address decides the space, and both have sites
    bool in_shared = false;   ///< !by_address: shared, not global
};

/// An object that each machine's compiler places: a shared variable in use, or a function whose address is taken.
struct Placed {
    const ptx::Variable* shared = nullptr;
    std::optional<std::uint32_t> function;  ///< in Module::functions
    friend bool operator==(const Placed&, const Placed&) = default;
};

/// The bit of a predicate in an entry's value, beside a result or a parity of at most 32 bits.
inline constexpr unsigned predicate_bit = 32;

struct Rewritten {
    std::string ptx;
    std::vector<Site> sites;              ///< by number; [0] is none
    std::map<PtxLine, SiteGroup> groups;  ///< by the instruction's line
    /// By the number of a site of Logged::target: the line that each index goes to. The last also serves larger
    /// indices.
    std::map<std::uint16_t, std::vector<PtxLine>> tables;
    std::vector<Placed> placed;  ///< in the order of RecorderWords::places
};

/// The variable of the rewritten PTX that configures logging: four words of 64 bits.
inline constexpr const char* recorder_variable = "lanescope_recorder";
struct RecorderWords {
    std::uint64_t first_block = 0;  ///< the first block that logs, by its linear index
    std::uint64_t blocks = 0;       ///< the number of blocks that log
    std::uint64_t slots = 0;        ///< address: Slot by block and linear thread index
    std::uint64_t places = 0;       ///< address: where the kernel writes the address of each of Rewritten::placed
};
/// The state of one thread.
struct Slot {
    std::uint64_t cursor = 0;  ///< address of its next entry
    std::uint64_t end = 0;     ///< entries from here on are not written
};

/// Marks the address of an entry: global memory outside all buffers of the trace, such as grid.sync()'s counters.
inline constexpr std::uint64_t elsewhere = std::uint64_t{1} << 63;

inline constexpr unsigned site_shift = 48;  ///< in an entry's first word
inline constexpr std::uint64_t entry_bytes = 16;
/// The lanes of a warp write side by side: the distance from one entry of a lane to its next.
inline constexpr std::uint64_t entry_stride = 32 * entry_bytes;

/// Unrounded products and sums get .rn, so that the driver's compiler does not fuse them: the emulator does not. Fails
/// if the kernel has more instructions than an entry can number.
[[nodiscard]] Result<Rewritten> rewrite(const ptx::Module& module);

}  // namespace lanescope::execute
