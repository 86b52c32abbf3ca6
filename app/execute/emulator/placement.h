// Buffers and module variables -> global memory and the trace's list of buffers.
#pragma once

#include "base/result.h"
#include "execute/emulator/code.h"
#include "execute/simt/memory.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <vector>

namespace lanescope::execute {

struct Placement {
    GlobalMemory memory;
    VariableAddresses addresses;         ///< of the module's global and constant variables
    std::vector<trace::Buffer> buffers;  ///< the program's, then the module's variables; addresses filled in
};

/// Places them and fills memory with their initial contents, which are input data: buffers, and variables that the
/// program or the host has set.
[[nodiscard]] Result<Placement> place(const ptx::Module& module, std::vector<trace::Buffer> buffers);

/// The final contents of memory -> Buffer::final.
void read_back(const GlobalMemory& memory, std::vector<trace::Buffer>& buffers);

}  // namespace lanescope::execute
