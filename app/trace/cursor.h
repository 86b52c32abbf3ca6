// A position in a Trace with the machine's state there: registers, shared and global memory, every warp's next line.
// Position p: p steps have been applied; step p executes next. Forward and back cost the same.
#pragma once

#include "base/zeroed_array.h"
#include "trace/trace.h"

#include <memory>
#include <vector>

namespace lanescope::trace {

/// Bytes with a count of their writes: a zero differs from an unwritten byte.
struct MemoryImage {
    ZeroedArray<std::byte> bytes;
    ZeroedArray<std::uint32_t> writes;  ///< per byte: how many stores so far; 0 = never written
    friend bool operator==(const MemoryImage&, const MemoryImage&) = default;
};

/// Stores of recorded blocks, and host writes between launches; global writes of other blocks are not in the trace. Not
/// thread-safe: each thread needs its own cursor.
class Cursor {
  public:
    /// Reads the whole trace once, to create checkpoints.
    explicit Cursor(std::shared_ptr<const Trace> trace);
    ~Cursor();
    Cursor(Cursor&&) noexcept;
    Cursor& operator=(Cursor&&) noexcept;

    [[nodiscard]] const Trace& trace() const { return *trace_; }
    [[nodiscard]] std::size_t position() const { return position_; }
    [[nodiscard]] std::size_t end() const { return trace_->step_count(); }

    bool forward();  ///< false at the end
    bool back();     ///< false at the start
    /// Clamped to the trace. O(log n): finds the checkpoint and applies the steps from there, at most a constant
    /// number.
    void seek(std::size_t position);
    /// Records visited so far by moves and queries: steps applied or undone, pages of memory restored, register writes
    /// searched. The cost of a cursor, independent of the machine.
    [[nodiscard]] std::uint64_t visited() const;

    /// The launch that the step at the position belongs to; at the end, the last one that recorded a step.
    [[nodiscard]] std::uint32_t launch() const;

    /// Shared memory of a recorded block of the launch that the position is in. References stay valid as long as the
    /// cursor exists, and show its current position.
    [[nodiscard]] const MemoryImage& shared(BlockId block) const;
    [[nodiscard]] const MemoryImage& global(std::uint32_t buffer) const;  ///< index in Trace::buffers

    /// The register's value: 0 before its first write, unless that write's record says otherwise.
    [[nodiscard]] std::uint64_t register_value(BlockId block, WarpId warp, RegisterId reg, unsigned lane) const;
    [[nodiscard]] bool register_written(BlockId block, WarpId warp, RegisterId reg, unsigned lane) const;

    /// The step that this warp executes next at or after the position, in the position's launch; invalid if there is
    /// none.
    [[nodiscard]] StepId next_step(BlockId block, WarpId warp) const;
    /// The last step that this warp executed before the position; invalid if there is none.
    [[nodiscard]] StepId last_step(BlockId block, WarpId warp) const;
    [[nodiscard]] LaneMask exited(BlockId block, WarpId warp) const;

  private:
    struct State;
    std::shared_ptr<const Trace> trace_;
    std::unique_ptr<State> state_;
    std::size_t position_ = 0;
};

}  // namespace lanescope::trace
