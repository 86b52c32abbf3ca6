// The GPU that a program is recorded on.
#pragma once

#include "execute/gpu/device.h"
#include "execute/gpu/record.h"

#include <memory>

namespace lanescope::execute {

/// Ready to run the rewritten PTX on the trace's initial memory. All arguments must outlive it. Fails where the device
/// cannot take the program.
[[nodiscard]] Result<std::unique_ptr<RecordingMachine>> recording_device(const Device& device,
                                                                         const trace::Trace& trace,
                                                                         const ptx::Module& module,
                                                                         const Rewritten& rewritten);

}  // namespace lanescope::execute
