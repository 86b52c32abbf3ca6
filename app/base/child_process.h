// A program run beside this one: started without a shell, its output read line by line without ever waiting, ended when
// it is silent for too long. Its failures do not affect this process.
//
// It leads a process group of its own, so that what it starts ends with it.
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
/// From the status that waitpid() gives of a program that has ended.
[[nodiscard]] Ending ending_of(int status);

class ChildProcess {
  public:
    struct Command {
        std::filesystem::path program;  ///< looked for in PATH where it names no folder
        std::vector<std::string> arguments;
        /// Killed when it has not ended a line of its output for so long; 0: no limit.
        std::chrono::milliseconds longest_silence{0};
    };
    /// Fails where there is no such program, or where it cannot be run.
    [[nodiscard]] static Result<ChildProcess> start(const Command& command);

    ChildProcess(ChildProcess&&) noexcept;
    ChildProcess& operator=(ChildProcess&&) noexcept;
    /// Kills what still runs.
    ~ChildProcess();

    /// The lines of its standard output that became whole since the last call, without their line ends; the last one
    /// may lack its end when the program has ended. Never waits.
    [[nodiscard]] std::vector<std::string> lines();
    /// Sleeps until there is something to read, it has ended, or the time is over.
    void wait(std::chrono::milliseconds longest);
    /// Replaces Command::longest_silence; the time starts again.
    void limit_silence(std::chrono::milliseconds longest);
    /// Nothing while it runs or has lines that lines() has not given yet.
    [[nodiscard]] std::optional<Ending> ending();
    /// The end of what it wrote to standard error, a few thousand bytes at most.
    [[nodiscard]] const std::string& errors() const;
    /// Kills it and all that it started.
    void kill();

  private:
    struct State;
    explicit ChildProcess(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// The file that this process runs.
[[nodiscard]] std::filesystem::path own_program();
/// Called by a child: the kernel ends it as soon as its parent is gone.
void end_with_parent();

/// Whether a folder of PATH has a program of that name that may be run.
[[nodiscard]] bool is_installed(std::string_view program);

}  // namespace lanescope
