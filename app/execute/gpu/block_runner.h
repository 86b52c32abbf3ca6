// A GPU that runs the launches of a program whose host code waits for their results.
#pragma once

#include "execute/gpu/device.h"
#include "execute/simt/block_runner.h"

#include <functional>
#include <optional>
#include <utility>

namespace lanescope::execute {

class GpuBlockRunner : public BlockRunner {
  public:
    /// The device must outlive it. `uses` is called with true when a launch begins, and with false when it has ended.
    explicit GpuBlockRunner(const Device& device, std::function<void(bool begins)> uses = {})
        : device_(device), uses_(std::move(uses)) {}

    /// Copies all memory to the device before the launch and back after it. Pointers in arguments are translated;
    /// pointers in memory are not, and a kernel that follows one fails with an illegal access.
    [[nodiscard]] Result<void> run(const ptx::Module& module, const trace::Trace& trace, const Memory& memory) override;

    /// The first launch that failed; the host code may continue after it.
    [[nodiscard]] const std::optional<Problem>& failed() const { return failed_; }

  private:
    [[nodiscard]] Result<void> run_last(const ptx::Module& module, const trace::Trace& trace,
                                        const Memory& memory) const;

    const Device& device_;
    std::function<void(bool begins)> uses_;
    std::optional<Problem> failed_;
};

}  // namespace lanescope::execute
