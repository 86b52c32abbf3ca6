// Confines a user's program: it can read the system's files and write only its scratch folder, has no network, and has
// limits of memory and time.
//
// Uses bubblewrap where it works (not inside a chroot, nor where user namespaces are restricted), else Landlock and
// seccomp. A trial run decides, once.
#pragma once

#include "base/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::host {

enum class Confinement : std::uint8_t {
    none,        ///< the system has no means: the program is not run
    landlock,    ///< Landlock for files, seccomp for the network and other processes
    bubblewrap,  ///< namespaces of its own, seccomp for sockets and tracing
};
[[nodiscard]] std::string_view name_of(Confinement confinement);

/// The strongest that works on this machine; LANESCOPE_SANDBOX ("bubblewrap", "landlock") selects one, for tests.
[[nodiscard]] Confinement confinement();
/// The problem to report if confinement() is none.
[[nodiscard]] Problem no_confinement();
/// All that work on this machine, for tests and reports.
[[nodiscard]] std::vector<Confinement> confinements();

/// Limits of the program together with all processes that it starts.
struct SandboxLimits {
    std::uint64_t memory_bytes = std::uint64_t{8} << 30;  ///< of the program's own data, without device memory
    std::uint64_t file_bytes = std::uint64_t{1} << 30;    ///< of one file
    std::chrono::seconds cpu{600};
    std::size_t processes = 256;  ///< at one time
};

/// The program to run, and where it may write.
struct Confined {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    std::filesystem::path folder;          ///< current folder: its files can be read
    std::filesystem::path scratch;         ///< the only place that it can write; also its HOME and TMPDIR
    std::vector<std::string> environment;  ///< "NAME=value"
    int input = -1, output = -1, errors = -1;
    std::vector<int> inherited;  ///< more descriptors that it keeps, under their own numbers
    SandboxLimits limits;
};

/// Starts it as the leader of a process group of its own. Returns its process, or -1 with errno.
[[nodiscard]] int start_confined(const Confined& what, Confinement how);

}  // namespace lanescope::host
