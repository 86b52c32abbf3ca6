// Executes calls of functions: values pass between frames in the thread's local memory (PTX ISA 7.1). A recursive
// function has a frame on the thread's stack for each call, and its registers are kept while an inner call uses them.
#pragma once

#include "execute/emulator/launch_state.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/recorder.h"

namespace lanescope::execute {

class Calls {
  public:
    Calls(LaunchState& launch, const Recorder<AnyLevel>& recorder)
        : launch_(launch), code_(launch.code), recorder_(recorder) {}

    void call(const WarpStep& step);
    /// A function's ret: copies results to the caller's frame and restores the registers from before the call.
    void return_from_call(const WarpStep& step) const;

  private:
    bool enter(const WarpStep& step, const Call& site, const Callee& callee, LaneMask lanes);
    [[nodiscard]] Faults::StackUse use_of_stack(const Callee& callee, std::uint64_t used, std::uint64_t room) const;
    void restore_registers(const WarpStep& step, const Callee& callee) const;

    LaunchState& launch_;
    const Code& code_;
    const Recorder<AnyLevel>& recorder_;
};

}  // namespace lanescope::execute
