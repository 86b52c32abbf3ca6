// A program chosen, its inputs, oracle, launch: run it, follow it, cancel it. All that the window and the commands share.
#pragma once

#include "analysis/analysis.h"
#include "base/progress.h"
#include "base/result.h"
#include "compile/compile.h"
#include "session/catalog.h"
#include "trace/trace.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// What a person asks for. Absent values are chosen by the program's own defaults, and the choice is reported.
struct Request {
    std::string program;                 ///< catalog name, or path of a .cu or .ptx
    std::string kernel;                  ///< which kernel of the file; empty: the only one, or the catalog's
    std::optional<std::uint64_t> n;
    std::optional<std::uint32_t> block;  ///< threads
    std::optional<std::uint64_t> grid;   ///< blocks
    std::optional<std::uint64_t> shared_bytes;  ///< dynamic
    std::string input;                   ///< "iota", "ones", "random SEED", "lecture", "6 4 16 ..."; empty: the default
    std::map<std::string, std::string> arguments;  ///< by parameter: "in=iota", "n=7"; beats comment and guess
    trace::View view = trace::View::written;
    std::optional<unsigned> arch;
    std::uint64_t record_blocks = 16;
};

/// Is the result right?
struct Verdict {
    std::optional<bool> ok;              ///< nothing without an oracle
    std::string oracle;                  ///< "sum of each block"
    trace::Element element = trace::Element::s32;
    std::vector<std::string> expected, actual;  ///< as text, element by element
    std::size_t first_difference = 0;    ///< where !ok
};

/// One finished run: everything that a panel or a command reads.
struct Run {
    Request request;                     ///< as asked
    Program program;                     ///< as read
    std::string kernel;
    std::uint64_t n = 0;
    std::uint32_t block = 0;
    std::uint64_t grid = 0;
    std::string input;
    std::vector<std::string> notes;      ///< guesses and choices made, a sentence each
    std::vector<compile::Diagnostic> diagnostics;  ///< warnings of the compiler
    std::shared_ptr<const analysis::Analysis> analysis;
    Verdict verdict;

    [[nodiscard]] const trace::Trace& trace() const { return *analysis->trace; }
    [[nodiscard]] const ptx::Module& module() const { return *analysis->module; }
};

/// A request that could not be run: the problem, the field it belongs to ("block", "n", "input", "program", ...), and the
/// compiler's diagnostics where it was the compiler.
struct Refusal {
    Problem problem;
    std::string field;
    std::vector<compile::Diagnostic> diagnostics;
};

/// Runs a request from source to analysis, on the calling thread.
[[nodiscard]] std::expected<std::shared_ptr<const Run>, Refusal> run(const Request& request, Progress& progress);

/// Opens a saved trace: the same Run, without compiler or kernel.
[[nodiscard]] std::expected<std::shared_ptr<const Run>, Refusal> open_trace(const std::filesystem::path& path);

/// Runs requests one at a time on a thread of its own; a newer one cancels the one before.
class Runner {
public:
    Runner();
    ~Runner();
    void submit(Request request);        ///< also a trace file, by its path
    void cancel();
    [[nodiscard]] bool busy() const;
    [[nodiscard]] float share() const;   ///< 0..1, below 0: not known
    [[nodiscard]] double seconds() const;///< since the request in flight began
    /// The newest finished answer, once.
    [[nodiscard]] std::optional<std::expected<std::shared_ptr<const Run>, Refusal>> take();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanescope::session
