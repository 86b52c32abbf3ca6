// The functions that a kernel reaches, and the frame that each has in a thread's local memory: its .local variables, the
// .param variables it passes to functions it calls, and its own parameters and results (PTX ISA 7.1). A function is
// never active twice in a thread, for recursion is refused: so a frame has one place.
#pragma once

#include "base/result.h"
#include "ptx/module.h"

#include <vector>

namespace lanescope::execute {

struct Frame {
    const ptx::Function* function = nullptr;
    std::uint64_t locals = 0;           ///< where .local variables begin, offsets in the thread's local memory
    std::uint64_t call_parameters = 0;  ///< .param variables declared inside
    std::uint64_t parameters = 0;       ///< its own; a kernel's lie elsewhere
    std::uint64_t results = 0;
};

struct Frames {
    std::vector<Frame> frames;  ///< the kernel's first
    std::uint64_t bytes = 0;    ///< of all
};

/// Refuses recursion, indirect calls and functions without a body, by name.
[[nodiscard]] Result<Frames> lay_out_frames(const ptx::Module& module, const ptx::Function& kernel);

}  // namespace lanescope::execute
