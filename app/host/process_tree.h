// Memory and CPU time that a program uses together with all processes that it has started.
//
// A limit of the kernel is of one process each: a program that forks has as many of them as processes, and memory that
// processes share is in none.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>

namespace lanescope::host {

struct TreeUse {
    std::uint64_t own_bytes = 0;     ///< resident, of no file
    std::uint64_t shared_bytes = 0;  ///< resident, of shared memory; each process counts what it has mapped
    std::chrono::milliseconds cpu{0};
    std::size_t processes = 0;
};

/// The use of the process, its descendants, and its process group; processes that have ended count by their CPU time.
/// Source: /proc (proc_pid_stat(5), proc_pid_status(5)); zero where it is not readable.
[[nodiscard]] TreeUse use_of_tree(pid_t process);

/// Threads of all processes on the machine. Source: proc_loadavg(5); 0 where it is not readable.
[[nodiscard]] std::uint64_t threads_of_machine();

}  // namespace lanescope::host
