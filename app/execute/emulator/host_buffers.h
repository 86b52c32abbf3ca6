// The buffers of an emulation, and what its host does with them between launches -> global memory, and the trace's
// buffers and host writes.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/emulation.h"
#include "execute/simt/memory.h"
#include "trace/writer.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lanescope::execute {

/// Emulation documents these functions.
class HostBuffers {
  public:
    HostBuffers(const ptx::Module& module, GlobalMemory& memory, trace::Writer& writer)
        : module_(module), memory_(memory), writer_(writer) {}

    Result<std::uint32_t> add(trace::Buffer buffer);
    std::uint32_t add(trace::Buffer buffer, const OwnedMemory& owned);
    Result<void> place_variables(const std::optional<OwnedMemory>& owned, std::span<const std::uint64_t> known);
    [[nodiscard]] std::optional<std::uint32_t> variable(std::size_t index) const;
    [[nodiscard]] const VariableAddresses& addresses() const { return addresses_; }

    void write_by_host(const HostWrite& write);
    void written_by_host(const Emulation::WrittenByHost& write);
    [[nodiscard]] bool records_write(std::uint32_t index, std::uint64_t bytes) const;
    [[nodiscard]] std::uint64_t unwritten(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes) const;
    void release(std::uint32_t index);

    /// A launch begins: the contents of buffers that are new become their `initial`.
    void take_initials();
    /// The memory that a launch by a BlockRunner reads and writes.
    [[nodiscard]] BlockRunner::Memory mirrored();
    /// Writes the current contents into a copy of the trace.
    void fill_in(trace::Trace& copy) const;
    /// The same for the trace itself, at the end.
    void finish();

  private:
    struct State {
        bool fresh = false;     ///< `initial` is what the next launch finds
        bool released = false;  ///< freed by the host
        bool mirrored = false;  ///< a BlockRunner had it, and may have accessed it
        std::function<std::vector<ByteRun>(std::uint64_t, std::uint64_t)> filled = {};
    };

    [[nodiscard]] trace::Trace& trace() const { return writer_.trace(); }
    std::uint32_t listed(trace::Buffer buffer, State state);
    /// The parts of [offset, offset + bytes) that may be other than zero, from `offset` on.
    [[nodiscard]] std::vector<ByteRun> filled_of(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes) const;
    void mark_input(const trace::Buffer& buffer, std::uint64_t offset, std::uint64_t bytes);
    /// Buffers that were added after the variables come before them: every reader of the trace relies on it.
    void move_variables_last(trace::Trace& trace) const;
    void take_initial(std::uint32_t index);
    void take_final(std::uint32_t index);
    [[nodiscard]] std::span<std::byte> bytes_of(const trace::Buffer& buffer) const;
    void record(std::uint32_t buffer, std::uint64_t offset, std::uint32_t line, std::span<const std::byte> before,
                std::span<const std::byte> after, std::optional<trace::HostWrite::Source> source = {});

    const ptx::Module& module_;
    GlobalMemory& memory_;
    trace::Writer& writer_;
    VariableAddresses addresses_;
    std::vector<State> states_;                       ///< by buffer
    std::vector<std::uint32_t> fresh_;                ///< buffers, those that are fresh among them
    std::uint64_t written_bytes_ = 0;                 ///< of recorded host writes
    std::size_t first_variable_ = 0, variables_ = 0;  ///< the module's, in Trace::buffers
};

}  // namespace lanescope::execute
