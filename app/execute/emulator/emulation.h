// Executes a program launch by launch, on memory that its host code fills, copies and frees in between: like emulate(),
// but for a program whose launches are known only when it makes them.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "base/sparse_bytes.h"
#include "execute/emulator/accessed_bytes.h"
#include "execute/emulator/emulator.h"
#include "execute/emulator/heap.h"
#include "model/model.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lanescope::execute {

/// Device memory owned by the caller: the address kernels use, and where it is mapped in this process.
struct OwnedMemory {
    std::uint64_t address = 0;
    std::byte* bytes = nullptr;
    /// The parts of [address, address + bytes) that may be other than zero, from its start, ascending; the rest must
    /// not be read, because reading alone would take memory. Empty: all of it.
    std::function<std::vector<ByteRun>(std::uint64_t address, std::uint64_t bytes)> filled = {};
};

/// The note of a trace that lacks host writes, because they are more than 128 MiB.
inline constexpr std::string_view host_writes_dropped =
    "The first 128 MiB that the host writes between launches are recorded. Kernels read all of it; the pictures show "
    "memory without the rest.";

class Emulation {
  public:
    /// The module and the replay source must outlive the emulation.
    Emulation(const ptx::Module& module, trace::Origin origin, const model::BankModel& banks, const Limits& limits,
              ReplaySource* replay = nullptr);
    ~Emulation();
    Emulation(const Emulation&) = delete;
    Emulation& operator=(const Emulation&) = delete;

    /// Adds a buffer that begins with `buffer.initial`, at its address or, if that is 0, after all others. Returns its
    /// index in Trace::buffers.
    [[nodiscard]] Result<std::uint32_t> add(trace::Buffer buffer);
    /// Adds a buffer in memory owned by the caller, at an address that is not in use. Its contents at the first launch
    /// after this become its `initial`.
    std::uint32_t add(trace::Buffer buffer, const OwnedMemory& memory);
    /// Places the module's global and constant variables: after all buffers so far, or consecutively in memory owned by
    /// the caller, or where another run had them (`known`). To be called once, before the first launch.
    [[nodiscard]] Result<void> place_variables(const std::optional<OwnedMemory>& memory = std::nullopt,
                                               std::span<const std::uint64_t> known = {});
    /// The buffer of the variable `index` of the module; nothing if the variable is not in global memory.
    [[nodiscard]] std::optional<std::uint32_t> variable(std::size_t index) const;

    /// The host puts bytes into a buffer.
    void write_by_host(const HostWrite& write);
    /// The host has written bytes to a buffer in memory owned by the caller. `before` holds the overwritten bytes; if
    /// it is shorter than the write, they are not known, and the write is not recorded.
    struct WrittenByHost {
        std::uint32_t buffer = 0;
        std::uint64_t offset = 0, bytes = 0;
        std::span<const std::byte> before = {};
        std::uint32_t source_line = 0;       ///< of the host's code, 0: unknown
        std::uint64_t pitch = 0, width = 0;  ///< bytes: it writes `width` in each `pitch` alone; 0: all
        std::optional<trace::HostWrite::Source> source = {};  ///< of a copy on the device
    };
    void written_by_host(const WrittenByHost& write);
    /// Whether written_by_host() records a write of so many bytes to the buffer.
    [[nodiscard]] bool records_write(std::uint32_t buffer, std::uint64_t bytes) const;
    /// How many of these bytes neither the host nor a thread has written.
    [[nodiscard]] std::uint64_t unwritten(std::uint32_t buffer, std::uint64_t offset, std::uint64_t bytes) const;
    /// The host frees the buffer: its contents become its `final`, and every later access to it is a fault. No contents
    /// are kept if no launch has accessed it.
    void release(std::uint32_t buffer);

    /// Whether the launch can be made: fails for what emulate() fails for.
    [[nodiscard]] Result<void> prepare(const LaunchRequest& request);

    enum class End : std::uint8_t {
        complete,
        stopped,  ///< a trap, a deadlock, a spent budget: a finding says why
        cancelled,
    };
    /// How much of a launch is recorded: the first blocks, in no more than `share` of the room that is left for the
    /// record, in (0, 1].
    struct Recording {
        std::uint64_t blocks = 0;
        double share = 1;
        std::uint64_t where_below = ~std::uint64_t{0};  ///< nothing is recorded once the record has more bytes
        /// Called when the blocks that are recorded have run, and others are still to run; snapshot() may be called.
        std::function<void()> recorded = {};
    };
    /// Makes the launch, after its `writes`.
    [[nodiscard]] Result<End> launch(const LaunchRequest& request, const Recording& recording, Progress& progress);
    /// How many blocks all launches together have, for the progress.
    void expect_blocks(std::uint64_t total);

    /// The trace so far, marked as running. A launch in progress ends there with what has run so far.
    [[nodiscard]] std::shared_ptr<trace::Trace> snapshot() const;
    /// The growing trace. Facts that are known only later may be filled in: a buffer's name and element, that it is an
    /// output, what the host does.
    [[nodiscard]] trace::Trace& trace();
    /// The allocations of kernels by malloc or new that no kernel has freed.
    [[nodiscard]] std::vector<Heap::Leak> heap_leaks() const;
    /// The bytes that the last launch has accessed, ascending, if its request asked for them.
    [[nodiscard]] const std::vector<AccessedBytes::Span>& accessed() const;
    /// Faults::left_mapped_memory of the last launch.
    [[nodiscard]] bool left_mapped_memory() const;
    /// The range of the accesses, of all launches, that missed the buffer by less than Limits::gap and are nearest to
    /// it; nothing if there are none.
    [[nodiscard]] std::optional<Overreach> reach_of(std::uint32_t buffer) const;
    /// Withdraws findings that follow from a guess of the caller; `from_data`: the address of the access depends on
    /// input data. To be called after the last launch.
    void withdraw(const std::function<bool(const trace::Finding&, bool from_data)>& wrong);

    /// No launch follows: adds the findings and remarks that were held back to the trace.
    void end_launches();
    /// The trace, in which the module's variables follow all other buffers; nothing can be done after it.
    [[nodiscard]] std::shared_ptr<const trace::Trace> finish();

  private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::execute
