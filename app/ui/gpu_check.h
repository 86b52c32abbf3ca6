// Does this machine's GPU agree with the emulator? Runs `lanescope verify` of the same launch beside the window. No
// ImGui, no OpenGL: tests drive it without a display.
#pragma once

#include "base/child_process.h"
#include "session/run.h"
#include "ui/collected_child.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace lanescope::ui {

/// `verify` and `time` stop a kernel after a minute; without output for longer than this, the process hangs.
inline constexpr std::chrono::minutes longest_silence{3};

/// The command line of `lanescope verify` for a run.
[[nodiscard]] ChildProcess::Command verify_command(const session::Run& run);

class GpuCheck {
  public:
    enum class State : std::uint8_t {
        unknown,  ///< not verified, or no result: said() has the reason
        running,
        agree,
        differ,
    };
    /// The first difference between the GPU and the emulator.
    struct Difference {
        std::uint32_t launch = 0;
        BlockId block{0};
        std::uint32_t thread = 0;  ///< in its block
        PtxLine line;
        std::uint64_t nth = 0;          ///< how often the thread has executed this instruction before
        std::uint32_t source_line = 0;  ///< 0: unknown
    };

    /// Starts the verification. A failure to start is a result as well.
    void start(std::shared_ptr<const session::Run> run);
    /// The same with another program that writes the output of `verify --json`.
    void follow(std::shared_ptr<const session::Run> run, const ChildProcess::Command& command);
    void cancel();
    /// The result holds for this run only: another run cancels the verification and clears the result.
    void keep_to(const std::shared_ptr<const session::Run>& run);
    /// Takes new output. True when it has ended, with or without a result.
    bool poll();

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] bool running() const { return state_ == State::running; }
    /// A sentence or two: what was compared, what differs, or why nothing could be compared. Empty before the first
    /// call.
    [[nodiscard]] const std::string& said() const { return said_; }
    [[nodiscard]] const std::string& device() const { return device_; }  ///< "NVIDIA H200"; empty before an answer
    /// Nothing where only the final memory differs.
    [[nodiscard]] const std::optional<Difference>& difference() const { return difference_; }

  private:
    void forget();
    void read(const CollectedChild::Ended& ended);

    std::shared_ptr<const session::Run> run_;  // being verified
    CollectedChild child_;
    State state_ = State::unknown;
    std::string said_, device_;
    std::optional<Difference> difference_;
};

}  // namespace lanescope::ui
