// A trace -> the blocks of each launch on one clock: when each was resident, when it only waited, and which block read
// what another had written.
//
// The clock counts instructions of a warp: in one tick, every warp of every resident block executes one. A block takes
// the first slot that is free. A warp that reads what another block of the launch writes is not past the read before
// the write, so a block that polls a flag waits until the flag is written, whatever the emulator's scheduling order.
//
// Where a number of multiprocessors was requested (trace::Residency), slot s is a place on multiprocessor s mod that
// number, and blocks start in the requested order. A block that stalls goes on when every other recorded block that had
// begun has ended or waits.
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::analysis {

/// Ticks [first, past_last).
struct GridSpan {
    std::uint64_t first = 0, past_last = 0;
    [[nodiscard]] std::uint64_t length() const { return past_last - first; }
    friend bool operator==(const GridSpan&, const GridSpan&) = default;
};

struct GridBlock {
    BlockId id;
    GridSpan time;
    std::uint32_t slot = 0;  ///< among the resident blocks, from 0
    bool recorded = false;
    std::uint64_t warp_instructions = 0;
    /// Ticks in which no warp of it executed; for a block that is not recorded, ticks in which all of its warps polled.
    std::uint64_t waited = 0;
    std::vector<GridSpan> waits{};                  ///< where they were; of recorded blocks
    std::optional<GridSpan> stall{};                ///< of a recorded block that stalled on request
    bool ended = true;                              ///< false: the launch was stopped before the block ended
    std::optional<std::uint64_t> recorded_until{};  ///< the tick at which the record of a block ends before it does
    /// The array of which a recorded block wrote most elements, and what it left there: "y[0..3] = 1 3 6 10". Empty
    /// where these are many or not adjacent.
    std::string left{};
    std::vector<std::string> also_left{};  ///< the same for other arrays: a flag, the value of a tile
};

/// A step of the host between two launches.
struct GridHostStep {
    std::string text;                       ///< "copy to d_in, 400 bytes", "print \"PASSED\""
    std::uint32_t source_line = 0;          ///< of the host code, 0: unknown
    std::string source_file = {};           ///< of Origin::other_sources; empty: the main one
    std::string function = {};              ///< called by host code, and its run can be shown
    std::vector<std::string> printed = {};  ///< the lines of a step that stands for several
};

struct GridLaunch {
    enum class Residency : std::uint8_t {
        device,    ///< no block waits for another: as many as fit on the emulated device
        emulated,  ///< as many as the emulator ran in turns
        asked,     ///< as many as were requested
    };
    GridSpan time;
    Residency residency = Residency::device;
    std::uint64_t resident = 0;            ///< blocks at once, at most
    std::uint32_t slots = 0;               ///< slots in use
    std::vector<GridBlock> blocks;         ///< those that began, by id
    std::uint64_t unknown = 0;             ///< blocks besides these, whose instructions were not kept
    std::uint32_t multiprocessors = 0;     ///< as requested; 0: no number was
    std::vector<BlockId> never_started{};  ///< ascending
    std::vector<GridHostStep> host_steps;  ///< before the launch

    [[nodiscard]] const GridBlock* block(BlockId id) const;
};

/// A read by one block of what another wrote to global memory.
struct GridArc {
    std::uint32_t from_launch = 0, to_launch = 0;
    BlockId from, to;
    std::uint32_t buffer = 0;                   ///< index in Trace::buffers
    bool atomic = false;                        ///< read by an atomic that changed it: a ticket, a counter
    StepId write, read;                         ///< the first ones
    std::uint64_t address = 0, bits = 0;        ///< of the word that the first read found there, and its value
    unsigned bytes = 0;                         ///< of that read
    std::uint64_t written_at = 0, read_at = 0;  ///< ticks
    std::uint64_t reads = 0;                    ///< by lanes
};

struct GridPicture {
    std::vector<GridLaunch> launches;      ///< as Trace::launches
    std::vector<GridHostStep> host_steps;  ///< after the last launch
    std::vector<GridArc> arcs;             ///< among recorded blocks
    bool arcs_left_out = false;            ///< there are more
    bool through_host = false;             ///< the host copied results back and later copied to the device: no arc
    std::vector<std::uint64_t> ticks;      ///< of each step of the trace
    std::uint64_t end = 0;                 ///< the clock's last tick

    [[nodiscard]] const GridBlock* block(std::uint32_t launch, BlockId id) const;
};

[[nodiscard]] GridPicture grid_picture(const trace::Trace& trace);

/// A step of a recorded block.
struct GridMoment {
    BlockId block;
    StepId step;
};

/// The step that the launch executes at that tick: of the block in `preferred`, if it is resident then, otherwise of
/// the block that executed a step last. Nothing before the first recorded step.
[[nodiscard]] std::optional<GridMoment> moment_at(const trace::Trace& trace, const GridPicture& picture,
                                                  std::uint32_t launch, std::uint64_t tick, BlockId preferred);

}  // namespace lanescope::analysis
