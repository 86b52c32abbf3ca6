// The host code of a program in its trace: steps with their lines, and findings of no thread.
#pragma once

#include "base/result.h"
#include "execute/emulator/heap.h"
#include "host/program.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::session {

class HostFunctionRuns;

/// "exit status 0"
[[nodiscard]] std::string end_of(const host::ProgramEnd& end);

/// The kind in a trace: an error and a fault are one.
[[nodiscard]] trace::HostStep::Kind kind_of(host::ProgramStep::Kind kind);

/// The facts of a step that are known when it arrives: without its line, its buffer, and counts that end with the
/// program. `to_pinned`, `from_pinned`: the destination, the source is in pinned memory.
[[nodiscard]] trace::HostStep plain_step(const host::ProgramStep& step, bool to_pinned, bool from_pinned);

/// Where a step of the program stands in the trace.
struct StepPlace {
    std::uint32_t launch = 0;  ///< launches made before it
    std::optional<std::uint32_t> buffer;
    std::optional<std::size_t> write;  ///< in Trace::host_writes: the first
    std::size_t writes = 0;            ///< there; several where rows of a copy are apart
    bool reads_unwritten = false;      ///< a copy of bytes none of which has been written
};

class HostStory {
  public:
    /// The allocation that is, or was, at an address of device memory.
    struct Place {
        std::uint64_t address = 0;  ///< of its first byte
        host::MemoryKind kind = host::MemoryKind::device;
        std::string name;                     ///< empty: not known
        std::optional<std::uint32_t> buffer;  ///< in the trace
    };
    struct Input {
        const host::ProgramRun& run;
        std::span<const StepPlace> places;  ///< of the run's steps
        std::function<std::optional<Place>(std::uint64_t address)> place_at;
        const std::vector<std::filesystem::path>& folders;  ///< of sources, which the names in a trace leave out
        std::span<const Problem> refused;                   ///< launches that were not made
        const HostFunctionRuns* functions = nullptr;
    };
    HostStory(trace::Trace& trace, Input input) : trace_(trace), input_(std::move(input)) {}

    /// Adds all steps, the findings among them, and how the program ended.
    void add_steps();
    /// Like compute-sanitizer's leak check, reports what is on the device's heap when the program ends. After a launch
    /// that failed nothing can be freed.
    void add_heap_leaks(std::span<const execute::Heap::Leak> leaks);
    void add_written_files();
    /// Reports them even if the program checks the error: without any launch they are the reason why nothing is shown.
    void add_refused_launches();

  private:
    /// The line of the program's own source that made the step; 0: not known, or a file that is not kept.
    [[nodiscard]] std::uint32_t line_of(const host::ProgramStep& step) const;
    /// The name of the step's source, of Origin::other_sources; empty: the main one.
    [[nodiscard]] std::string file_of(const host::ProgramStep& step) const;
    /// "line 6", "line 6 of stage.cu"; empty: not known.
    [[nodiscard]] std::string where(const host::ProgramStep& step) const;
    [[nodiscard]] std::string name_at(std::uint64_t address) const;

    void add_step(std::size_t number);
    void add_fault(std::size_t number);
    void add_unwritten_copy(std::size_t number);
    [[nodiscard]] trace::Finding finding_of(std::size_t number, std::uint64_t address) const;
    [[nodiscard]] std::string where_freed(std::size_t number) const;
    [[nodiscard]] std::string unordered_text(std::size_t number) const;
    [[nodiscard]] std::string when_noticed(std::size_t number) const;
    [[nodiscard]] std::string elements_at(std::uint64_t address, std::uint64_t bytes) const;

    trace::Trace& trace_;
    Input input_;
};

}  // namespace lanescope::session
