// Which instructions may write a place in memory: those whose addresses are made from the same variable, or from a
// parameter that points to the same buffer.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/wording.h"

#include <vector>

namespace lanescope::execute {

struct Writers {
    std::vector<Pc> stores;  ///< stores, atomics and copies, ascending
    bool all_known = false;  ///< no other instruction writes there
};
/// `read`: the instruction that reads the place at `address` of global or shared memory.
[[nodiscard]] Writers writers_of(const Code& code, const Wording& launch, Pc read, ptx::Space space,
                                 std::uint64_t address);

}  // namespace lanescope::execute
