// A buffer, a module's variables -> global memory and the trace's list of buffers.
#pragma once

#include "base/result.h"
#include "execute/emulator/code.h"
#include "execute/emulator/emulation.h"
#include "execute/simt/memory.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <optional>
#include <span>
#include <vector>

namespace lanescope::execute {

struct PlacedVariables {
    VariableAddresses addresses;         ///< by Module::variables; 0: it is not in global memory
    std::vector<trace::Buffer> buffers;  ///< as the trace lists them; addresses filled in
};

/// Places the buffer at its address or, if it has none, after all others; it begins with `initial`, which is input
/// data. Fills in address and the rest of `initial`.
[[nodiscard]] Result<void> place(trace::Buffer& buffer, GlobalMemory& memory);

/// Places the module's global and constant variables after all buffers, or one after the other from the start of
/// `owned`, or at the addresses `known`, one for each that lies in global memory. Values set by the program or the host
/// are input data.
[[nodiscard]] Result<PlacedVariables> place_variables(const ptx::Module& module, GlobalMemory& memory,
                                                      const std::optional<OwnedMemory>& owned,
                                                      std::span<const std::uint64_t> known = {});

}  // namespace lanescope::execute
