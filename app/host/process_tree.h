// The memory and CPU time of a program together with all processes that it has started.
//
// The operating system's limits (setrlimit) apply to each process separately: a program that forks gets them once per
// process, and shared memory counts for none.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>

namespace lanescope::host {

struct TreeUse {
    std::uint64_t own_bytes = 0;     ///< resident anonymous memory
    std::uint64_t shared_bytes = 0;  ///< resident shared memory, counted once per process that maps it
    std::chrono::milliseconds cpu{0};
    std::size_t processes = 0;
};

/// The use of the process, its descendants, and its process group; processes that have ended count by their CPU time.
/// Source: /proc (proc_pid_stat(5), proc_pid_status(5)); zero where it is not readable.
[[nodiscard]] TreeUse use_of_tree(pid_t process);

/// Threads of all processes on the machine. Source: proc_loadavg(5); 0 where it is not readable.
[[nodiscard]] std::uint64_t threads_of_machine();

}  // namespace lanescope::host
