// Does this machine's GPU do what the window shows? `lanescope verify` of the same launch, run beside the window. No
// ImGui, no OpenGL: tests drive it without a display.
#pragma once

#include "base/child_process.h"
#include "session/session.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace lanescope::ui {

/// `lanescope verify` of a run, as it was launched; another program in its place is told the same.
[[nodiscard]] ChildProcess::Command verify_command(const session::Run& run);

class GpuCheck {
  public:
    enum class State : std::uint8_t {
        unknown,  ///< nobody asked, or there is no answer: said() tells why
        running,
        agree,
        differ,
    };
    /// Where the GPU first does something else than the emulator.
    struct Difference {
        std::uint32_t launch = 0;
        BlockId block{0};
        std::uint32_t thread = 0;  ///< in its block
        PtxLine line;
        std::uint64_t nth = 0;          ///< time that the thread is at this instruction, from 0
        std::uint32_t source_line = 0;  ///< 0: unknown
    };

    /// Asks anew. A failure to start is an answer, too.
    void start(std::shared_ptr<const session::Run> run);
    /// The same with another program that speaks as `verify --json` does.
    void follow(std::shared_ptr<const session::Run> run, const ChildProcess::Command& command);
    void cancel();
    /// What is known holds for this run only: another one stops the question and forgets the answer.
    void keep_to(const std::shared_ptr<const session::Run>& run);
    /// Takes what has come. True when it has ended, with or without an answer.
    bool poll();

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] bool running() const { return state_ == State::running; }
    /// A sentence or two: what was compared, what differs, or why nothing could be compared. Empty where nobody asked.
    [[nodiscard]] const std::string& said() const { return said_; }
    [[nodiscard]] const std::string& device() const { return device_; }  ///< "NVIDIA H200"; empty before an answer
    /// Nothing where only memory in the end differs.
    [[nodiscard]] const std::optional<Difference>& difference() const { return difference_; }

  private:
    void forget();
    void read(const Ending& ending, const std::string& errors);

    std::shared_ptr<const session::Run> run_;  // that is asked about
    std::optional<ChildProcess> child_;
    std::string output_;
    State state_ = State::unknown;
    std::string said_, device_;
    std::optional<Difference> difference_;
};

}  // namespace lanescope::ui
