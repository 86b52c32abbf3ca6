// Module + Launch -> Trace, on the CPU. Deterministic: the same module and launch give the same trace on any host.
#pragma once

#include "base/machine_memory.h"
#include "base/progress.h"
#include "base/result.h"
#include "execute/emulator/schedule.h"
#include "execute/simt/addresses.h"
#include "execute/simt/block_runner.h"
#include "execute/simt/replay_source.h"
#include "model/device_limits.h"
#include "model/model.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::execute {

/// A write of the host to a buffer between two launches: a copy, a fill, or a direct access.
struct HostWrite {
    std::uint32_t buffer = 0;  ///< in Program::buffers
    std::uint64_t offset = 0;  ///< bytes; with `bytes` it stays inside the buffer
    std::vector<std::byte> bytes;
    std::uint32_t source_line = 0;  ///< of the host's code, 0: unknown
};

/// One launch, with arguments already placed: pointers name a buffer of the trace.
struct LaunchRequest {
    std::string kernel;  ///< function name in the PTX
    trace::Dim3 grid, block;
    std::uint64_t dynamic_shared_bytes = 0;
    std::uint64_t stack_bytes = 0;           ///< stack of each thread for recursive functions; 0: the device's
    std::vector<trace::Argument> arguments;  ///< `buffer` set for pointers (value is filled in), else `value`
    std::vector<HostWrite> writes;           ///< what the host does just before it
    OutOfReach out_of_reach;
    bool notes_accesses = false;  ///< for Emulation::accessed()
    bool ordinary = false;        ///< not a cooperative launch, so it has no grid.sync()
};

/// The blocks that are checked for races and uninitialized reads. Bounds are always checked.
enum class Checked : std::uint8_t { no_blocks, recorded_blocks, all_blocks };

/// The multiprocessors that run a launch's blocks, and how blocks are assigned to them.
struct Multiprocessors {
    const model::DeviceLimits* device = &model::emulated_device();
    std::uint32_t count = model::emulated_multiprocessors;
    std::uint32_t blocks_each = 0;  ///< resident on each at most; 0: as many as fit
    trace::BlockOrder order;
};

struct Limits {
    std::uint64_t record_blocks = 16;  ///< first blocks of each launch to record
    bool record_registers = true;      ///< else only the accesses of recorded blocks, and what orders them
    std::uint64_t record_bytes = std::uint64_t{1} << 30;  ///< fewer blocks are recorded rather than more memory taken
    std::uint64_t warp_instructions = std::uint64_t{4} << 30;  ///< step budget of the whole program
    /// The part of warp_instructions that may be spent before a block ends or a value in memory changes.
    std::uint64_t unchanged_instructions = std::uint64_t{1} << 30;
    /// The part of warp_instructions that loops which do not count towards an exit may spend before a block ends: such
    /// a loop may have no end. About ten seconds of a core.
    std::uint64_t uncounted_instructions = std::uint64_t{1} << 28;
    unsigned resident_blocks = 0;  ///< resident at once, in turns; 0: one, or several if blocks may wait for each other
    std::uint64_t memory_bytes = memory_cap();  ///< of this process; a launch that takes more is stopped
    std::uint64_t max_findings = 100;           ///< of different lines, arrays or kinds
    unsigned threads = 0;  ///< for blocks that do not depend on one another; 0: one a core. The result is the same
    Checked checked = Checked::recorded_blocks;
    std::uint64_t gap = usual_gap;  ///< between pieces of global memory
    /// As requested. Without it, any order of blocks that an H200 may have, with its limits.
    std::optional<Multiprocessors> multiprocessors = {};
    Schedule schedule = {};         ///< which threads wait, and where
    BlockRunner* runner = nullptr;  ///< runs all blocks: none is recorded, counted or checked. Not owned
};

struct Program {
    trace::Origin origin;
    std::vector<trace::Buffer> buffers;  ///< name, element, bytes, initial, output; addresses that are 0 are assigned
    std::vector<std::uint64_t> variable_addresses = {};  ///< of the module's, in a run that is repeated; empty: any
    std::vector<LaunchRequest> launches;                 ///< run one after the other on the same buffers
    model::BankModel banks;
    ReplaySource* replay = nullptr;  ///< a GPU's record that recorded blocks replay; not owned
};

/// Runs the program. Fails only for requests that cannot be launched at all (no such kernel, a block or
/// shared memory beyond model::emulated_device(), argument count or size); what the kernel does wrong is a finding of
/// the trace. Cancelling returns the trace so far, marked.
[[nodiscard]] Result<std::shared_ptr<const trace::Trace>> emulate(const ptx::Module& module, const Program& program,
                                                                  const Limits& limits, Progress& progress);

}  // namespace lanescope::execute
