// The user's request, in the window or on the command line, and the program that it means.
#pragma once

#include "base/machine_memory.h"
#include "model/device_limits.h"
#include "session/catalog.h"
#include "session/refusal.h"
#include "trace/trace.h"

#include <cstdint>
#include <expected>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

inline constexpr std::uint64_t most_elements = std::uint64_t{1} << 24;      ///< n, of an emulated launch
inline constexpr std::uint64_t most_gpu_elements = std::uint64_t{1} << 30;  ///< n, of one on a GPU

/// A request. Absent values are chosen by the program's own defaults, and the choice is reported.
struct Request {
    std::string program;  ///< catalog name, or path of a .cu or .ptx
    std::string kernel;   ///< which kernel of the file; empty: the only one, or the catalog's
    std::optional<std::uint64_t> n;
    std::uint64_t most_n = most_elements;                  ///< the largest n that is accepted
    std::optional<std::uint32_t> block;                    ///< threads
    std::optional<std::uint64_t> grid;                     ///< blocks
    std::optional<trace::Dim3> block_extent, grid_extent;  ///< where they have several dimensions; these win
    std::optional<std::uint64_t> shared_bytes;             ///< dynamic
    std::string input;  ///< "iota", "ones", "random SEED", "lecture", "6 4 16 ..."; empty: the default
    std::map<std::string, std::string> arguments;  ///< by parameter: "in=iota", "n=7"; overrides comment and guess
    std::vector<std::string> command_line;         ///< arguments of main, after its name
    std::string standard_input;                    ///< what it reads from stdin
    /// A `__host__ __device__` function that host code calls: the trace is of its run as a launch of one thread.
    std::string host_function;
    /// Main runs in a copy of this folder. Relative to the source's; empty: the source's own. If the source lies in it,
    /// it is the program's folder: other sources are found there.
    std::string working_folder;
    std::optional<std::uint64_t> max_instructions;  ///< warp instructions that the launches may execute, in loops too
    /// The launch of a program whose blocks are recorded; the blocks of other launches make room for them.
    std::optional<std::uint64_t> record_launch;
    std::optional<std::uint64_t> time_limit;    ///< of host code, in seconds of CPU time
    std::vector<std::string> compiler_options;  ///< "-I", "../common", "-DN=4" (compile/compiler_options.h)
    /// Otherwise the host code of a file is neither compiled nor run: the refusal has the field "trust".
    bool trusted = true;
    trace::View view = trace::View::written;
    std::optional<unsigned> arch;
    /// Multiprocessors of the GPU that is timed: then Recipe::timed applies.
    std::optional<unsigned> multiprocessors;
    unsigned banks = model::usual_banks;  ///< of shared memory: 32, or 16 as compute capability 1.x has them
    PlacementText placement;              ///< where its blocks run; what is empty is the program's own
    std::uint64_t record_blocks = 16;
    bool check_all_blocks = false;  ///< look for races and uninitialized reads in blocks that are not recorded, too
    bool sanitize = false;          ///< host code is built with AddressSanitizer
    bool anyway = false;            ///< run although the kernel's own rule excludes the launch: to see what goes wrong
};

// Limits of the emulation, beside the device's own (model/device_limits.h).
inline constexpr std::uint64_t most_blocks = std::uint64_t{1} << 24;  ///< in a requested grid
/// The limit of all buffers of a kernel alone together. Memory has each four times: as made, as kept before the launch,
/// as the kernel works on it, and as kept after the launch.
[[nodiscard]] inline std::uint64_t most_buffer_bytes() { return memory_cap() / 4; }
/// NVRTC 13 compiles for none older, and NVRTC 13.0 for none newer.
inline constexpr unsigned least_arch = model::least_capability, most_arch = 121;
/// The newest whose hardware the emulator's counts of wavefronts and sectors were compared with.
inline constexpr unsigned most_verified_arch = 90;
/// The compute capabilities that Lanescope compiles for, of the table of device limits.
[[nodiscard]] std::vector<unsigned> arches();
[[nodiscard]] bool is_arch(unsigned arch);

/// The program and the kernel that a request names: from the catalog, or from a file.
[[nodiscard]] std::expected<Program, Refusal> find_requested(const Request& request);

/// The source that has main in a folder that the user opens; any other path as it is. Fails where no source of the
/// folder has a main, or several have.
struct OpenedSource {
    std::string path;
    std::string folder;  ///< Request::working_folder: the one opened, where the source is in an inner one
};
[[nodiscard]] Result<OpenedSource> opened_source(const std::string& path);

/// The folder that is copied for main of the source to run in.
[[nodiscard]] std::filesystem::path working_folder_of(const Request& request, const std::filesystem::path& source);

/// A kernel of another source of the same program.
struct OtherKernel {
    std::filesystem::path source;
    std::string name;
    std::uint32_t line = 0;
};
/// Those that the text defines; none where it cannot be read.
[[nodiscard]] std::vector<OtherKernel> kernels_in(const std::string& text, const std::filesystem::path& source);
/// Those of the sources in the working folder and in the one of the request's source, with their inner folders. `but`:
/// a source to leave out.
[[nodiscard]] std::vector<OtherKernel> kernels_of_other_sources(const Request& request,
                                                                const std::filesystem::path& but);

}  // namespace lanescope::session
