// The memory accesses of the SASS, and those of the PTX whose SASS differs: merged with others, removed, wider,
// narrower, or predicated. For these, the hardware's counters may differ from counts of the PTX.
#pragma once

#include "ptx/module.h"
#include "sass/sass.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::sass {

/// An instruction that accesses memory; one whose guard is never true ("@!PT") does not.
struct Access {
    std::string function;       ///< as in the PTX
    std::string opcode;         ///< "LDS.128"
    std::uint32_t address = 0;  ///< of the instruction, in bytes, in the function's section
    PtxLine line;               ///< for which ptxas made it; invalid: not stated
    unsigned bytes = 4;         ///< of a lane
    bool atomic = false;
    bool predicated = false;
    bool generic = false;  ///< shared, global or local, by its address: LD, ST, ATOM
    bool strong = false;   ///< ".STRONG": it sees what other threads write in the meantime
};
/// Loads and stores of shared, global, local and generic memory, and atomics; in the order of the listing.
[[nodiscard]] std::vector<Access> accesses(const Listing& listing);

/// From the instruction that a branch jumps back to, to the last of such branches; addresses in one function.
struct Loop {
    std::string function;
    std::uint32_t first = 0, last = 0;
    friend bool operator==(const Loop&, const Loop&) = default;
};
/// The innermost loop around the instruction; if its own function has none, the loop around a call of that function, at
/// any depth. Calls through a register are not followed.
[[nodiscard]] std::optional<Loop> loop_around(const Listing& listing, const Access& access);

struct ChangedAccess {
    enum class Kind : std::uint8_t {
        removed,     ///< no SASS access was made for it
        width,       ///< it accesses more or fewer bytes
        predicated,  ///< it is predicated, whereas the PTX branches; that alone changes no count
    };
    PtxLine line;
    std::string what;  ///< "LDS.128 at 0150 accesses 16 bytes, the PTX 4"
    Kind kind = Kind::removed;
    friend bool operator==(const ChangedAccess&, const ChangedAccess&) = default;
};

/// The changed accesses of all functions that were assembled, by line. The line table alone says which instruction was
/// made for which; for atomics it is compared only whether there is one, for accesses with several instructions only
/// their widths. A removed access is attributed to the instruction of the nearest line that reads or writes the same
/// bytes from the same register or variable; that register must have one definition, so that no instruction changes it
/// in between.
[[nodiscard]] std::vector<ChangedAccess> changed_accesses(const Listing& listing, const ptx::Module& module);

}  // namespace lanescope::sass
