// A child process: started without a shell, its output read line by line without blocking, killed when it prints
// nothing for too long. Its failures do not affect this process.
//
// It leads its own process group, so that the processes it starts end with it.
#pragma once

#include "base/result.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// How a program came to its end.
struct Ending {
    enum class How : std::uint8_t {
        exited,  ///< by itself; `code` is its exit status
        signal,  ///< `code` is the signal
        silent,  ///< killed: it printed no line within Command::longest_silence
        killed,  ///< by kill()
    };
    How how = How::exited;
    int code = 0;
    [[nodiscard]] bool fine() const { return how == How::exited && code == 0; }
};
/// "it was ended by signal 11 (Segmentation fault)", "it ended with exit status 2", ...: no full stop.
[[nodiscard]] std::string text_of(const Ending& ending);
/// The ending that a status of waitpid() describes.
[[nodiscard]] Ending ending_of(int status);

class ChildProcess {
  public:
    struct Command {
        std::filesystem::path program;  ///< searched in PATH if it names no folder
        std::vector<std::string> arguments;
        /// The process is killed when it completes no line of output for this long; 0: no limit.
        std::chrono::milliseconds longest_silence{0};
    };
    /// Fails if the program does not exist or cannot be run.
    [[nodiscard]] static Result<ChildProcess> start(const Command& command);

    ChildProcess(ChildProcess&&) noexcept;
    ChildProcess& operator=(ChildProcess&&) noexcept;
    /// Kills the process if it still runs.
    ~ChildProcess();

    /// The lines of standard output completed since the last call, without line ends. The last one may lack its line
    /// end once the process has ended. Never blocks.
    [[nodiscard]] std::vector<std::string> lines();
    /// Blocks until there is output to read, the process ends, or the time is over.
    void wait(std::chrono::milliseconds longest);
    /// Replaces Command::longest_silence and restarts its time.
    void limit_silence(std::chrono::milliseconds longest);
    /// Empty while the process runs or lines() has lines left to return.
    [[nodiscard]] std::optional<Ending> ending();
    /// What it wrote to standard error last, a few thousand bytes at most.
    [[nodiscard]] const std::string& errors() const;
    /// Kills the process and all that it started.
    void kill();

  private:
    struct State;
    explicit ChildProcess(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// The executable file of this process.
[[nodiscard]] std::filesystem::path own_program();
/// Called by a child: the system kills it as soon as its parent is gone.
void end_with_parent();

/// Whether a folder of PATH has an executable program of that name.
[[nodiscard]] bool is_installed(std::string_view program);

}  // namespace lanescope
