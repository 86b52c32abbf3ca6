// A program chosen, its inputs, oracle, launch: run it, follow it, cancel it. All that the window and the commands
// share.
#pragma once

#include "analysis/analysis.h"
#include "base/machine_memory.h"
#include "base/progress.h"
#include "base/result.h"
#include "compile/compile.h"
#include "session/catalog.h"
#include "trace/trace.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// A request. Absent values are chosen by the program's own defaults, and the choice is reported.
struct Request {
    std::string program;  ///< catalog name, or path of a .cu or .ptx
    std::string kernel;   ///< which kernel of the file; empty: the only one, or the catalog's
    std::optional<std::uint64_t> n;
    std::optional<std::uint32_t> block;                    ///< threads
    std::optional<std::uint64_t> grid;                     ///< blocks
    std::optional<trace::Dim3> block_extent, grid_extent;  ///< where they have several dimensions; these win
    std::optional<std::uint64_t> shared_bytes;             ///< dynamic
    std::string input;  ///< "iota", "ones", "random SEED", "lecture", "6 4 16 ..."; empty: the default
    std::map<std::string, std::string> arguments;  ///< by parameter: "in=iota", "n=7"; beats comment and guess
    std::vector<std::string> command_line;         ///< what main gets beside its name
    std::string standard_input;                    ///< what it reads from stdin
    std::vector<std::string> compiler_options;     ///< "-I", "../common", "-DN=4" (compile/compiler_options.h)
    /// Otherwise the host code of a file is neither compiled nor run: the refusal has the field "trust".
    bool trusted = true;
    trace::View view = trace::View::written;
    std::optional<unsigned> arch;
    /// Multiprocessors of the GPU that is timed: then Recipe::timed_grid and timed template arguments apply.
    std::optional<unsigned> multiprocessors;
    unsigned banks = 32;      ///< of shared memory: 32, or 16 as compute capability 1.x has them
    PlacementText placement;  ///< where its blocks run; what is empty is the program's own
    std::uint64_t record_blocks = 16;
    bool check_all_blocks = false;  ///< look for races and uninitialized reads in blocks that are not recorded, too
    bool sanitize = false;          ///< host code is built with AddressSanitizer
    bool anyway = false;            ///< also where the kernel's own rule says that it cannot: to see what goes wrong
};

/// Is the result right?
struct Verdict {
    std::optional<bool> ok;  ///< nothing without an oracle
    std::string oracle;      ///< "the sum of each block's elements"
    std::string output;      ///< the buffer that it checks
    trace::Element element = trace::Element::s32;
    std::size_t compared = 0;                   ///< elements
    std::size_t first_difference = 0;           ///< where !ok
    std::vector<std::string> expected, actual;  ///< as text, the first elements, `most_shown` at most
    std::string expected_there, actual_there;   ///< at the first difference; actual empty where the output is too short

    static constexpr std::size_t most_shown = 4096;
};

/// One finished run: everything that a panel or a command reads.
struct Run {
    Request request;  ///< as asked
    Program program;  ///< as read
    std::string kernel;
    std::uint64_t n = 0;
    std::uint32_t block = 0;  ///< threads; the launch in the trace has the dimensions
    std::uint64_t grid = 0;   ///< blocks
    std::string input;
    std::vector<ArgumentPlan> arguments;           ///< as they were made; empty for a saved trace
    std::vector<std::string> notes;                ///< guesses and choices made, a sentence each
    std::vector<compile::Diagnostic> diagnostics;  ///< warnings of the compiler
    std::shared_ptr<const analysis::Analysis> analysis;
    Verdict verdict;
    double seconds = 0;  ///< that the launches took the emulator; 0: not known

    [[nodiscard]] const trace::Trace& trace() const { return *analysis->trace; }
    [[nodiscard]] const ptx::Module& module() const { return *analysis->module; }
};

/// A catalog name, or the kernel of a file.
[[nodiscard]] std::string display_name(const Run& run);

/// A whole program that ended by itself and launched no kernel: its output and exit status are its result.
struct NoLaunch {
    std::string printed;
    std::string end;  ///< "exit status 0"
};

/// A request that could not be run: the problem, the field it belongs to ("program", "kernel", "block", "grid", "n",
/// "shared", "input", "arch", "argument", "command line", "source", "trust", or "cancelled" where the person did not
/// want to wait), and the compiler's diagnostics where it was the compiler.
struct Refusal {
    Problem problem;
    std::string field;
    std::vector<compile::Diagnostic> diagnostics;
    bool by_rule = false;                    ///< it is the kernel's own rule: Request::anyway runs it
    std::optional<NoLaunch> no_launch = {};  ///< no error was met
};

// Limits of the emulation, beside the device's own (model/device_limits.h).
inline constexpr std::uint64_t most_elements = std::uint64_t{1} << 24;  ///< n
inline constexpr std::uint64_t most_blocks = std::uint64_t{1} << 24;    ///< in a grid
/// All buffers of a kernel alone together: they are made, kept as they were, worked on, and kept as they are then.
[[nodiscard]] inline std::uint64_t most_buffer_bytes() { return memory_cap() / 4; }
/// NVRTC 13 compiles for no older capability; the emulator's counts are verified up to the newest of these.
inline constexpr unsigned least_arch = 75, most_arch = 90;
/// The compute capabilities that Lanescope compiles for, of the table of device limits.
[[nodiscard]] std::vector<unsigned> arches();
[[nodiscard]] bool is_arch(unsigned arch);

/// The program and the kernel that a request names: from the catalog, or from a file.
[[nodiscard]] std::expected<Program, Refusal> find_requested(const Request& request);

/// Sees a program's first launch as soon as its chosen blocks have run, while the rest still runs (Trace::running).
using FirstPicture = std::function<void(std::shared_ptr<const Run>)>;

/// Runs a request from source to analysis, on the calling thread. Errors of the kernel are in the run's findings.
[[nodiscard]] std::expected<std::shared_ptr<const Run>, Refusal> run(const Request& request, Progress& progress,
                                                                     const FirstPicture& first = {});

/// Opens a saved trace: the same Run, without compiler or kernel.
[[nodiscard]] std::expected<std::shared_ptr<const Run>, Refusal> open_trace(const std::filesystem::path& path);

/// The candidates that a misspelt name may have meant, best first, three at most.
[[nodiscard]] std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& candidates);
/// `Did you mean "x" or "y"?`, or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// Runs requests one at a time on a thread of its own; a newer one cancels the one before. No call waits for a run; a
/// cancelled run produces no answer. A program may give two: its first launch while it is running, and the whole.
class Runner {
  public:
    Runner();
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    void submit(Request request);  ///< also a trace file, by its path
    void cancel();
    void stop();  ///< what has run of a program is an answer (Trace::cancelled)
    [[nodiscard]] bool busy() const;
    [[nodiscard]] bool has_answer() const;    ///< to be taken
    [[nodiscard]] float share() const;        ///< 0..1, below 0: not known
    [[nodiscard]] std::string doing() const;  ///< "compiling", "launch 12"; empty: not said
    [[nodiscard]] double seconds() const;     ///< since the request in flight began
    /// The newest finished answer, once.
    [[nodiscard]] std::optional<std::expected<std::shared_ptr<const Run>, Refusal>> take();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanescope::session
