// The functions that a kernel reaches, and the frame of each in a thread's local memory: its .local variables, the
// .param variables it passes to functions it calls, and its own parameters and results (PTX ISA 7.1). A function that
// is active at most once has a fixed frame; frames of recursive functions are on a stack after those.
#pragma once

#include "base/result.h"
#include "execute/simt/memory.h"
#include "ptx/module.h"

#include <vector>

namespace lanescope::execute {

struct Frame {
    const ptx::Function* function = nullptr;
    bool reentrant = false;             ///< it may be active several times: offsets count from its frame's start
    std::uint64_t locals = 0;           ///< where .local variables begin, offsets in the thread's local memory
    std::uint64_t call_parameters = 0;  ///< .param variables declared inside
    std::uint64_t parameters = 0;       ///< its own; a kernel's are in the param space
    std::uint64_t results = 0;
    std::uint64_t bytes = 0;
};

struct Frames {
    std::vector<Frame> frames;  ///< the kernel's first
    std::uint64_t stack = 0;    ///< where the frames of reentrant functions begin
    std::uint64_t bytes = 0;    ///< of all, the stack included
};

/// Refuses functions without a body, by name. A call through a pointer may reach every function whose address is taken.
[[nodiscard]] Result<Frames> lay_out_frames(const ptx::Module& module, const ptx::Function& kernel);

}  // namespace lanescope::execute
