// Runs a program on a GPU and returns what each of its threads did there, in the emulator's terms.
//
// Two runs: the first has no log and counts each thread's entries, the second writes them into a log of exactly that
// size. A thread that waits for others may iterate more often the second time; then the run is repeated with a larger
// log.
#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "execute/gpu/rewrite.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lanescope::execute {

class Device;

/// One entry of a thread's log. Addresses are the trace's: in shared memory the offset in the block's, in global memory
/// the emulator's.
struct Entry {
    std::uint16_t site = 0;  ///< in Rewritten::sites
    std::uint64_t address = 0;
    std::uint64_t value = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
};
using ThreadLog = std::vector<Entry>;

/// All threads of the recorded blocks of one launch, block by block.
struct LaunchLog {
    std::uint64_t first_block = 0;
    std::uint64_t blocks = 0;
    std::uint32_t threads = 0;  ///< of a block
    std::vector<ThreadLog> logs;

    [[nodiscard]] const ThreadLog& of(std::uint64_t block, std::uint32_t thread) const {
        return logs[(block - first_block) * threads + thread];
    }
};

struct Recorded {
    std::vector<LaunchLog> launches;
    std::vector<std::vector<std::byte>> buffers;  ///< by Trace::buffers: their final contents
    unsigned runs = 0;
    std::uint64_t log_bytes = 0;
};

/// The machine that runs the rewritten program: a GPU, or the emulator when the recorder itself is tested.
class RecordingMachine {
  public:
    RecordingMachine() = default;
    RecordingMachine(const RecordingMachine&) = delete;
    RecordingMachine& operator=(const RecordingMachine&) = delete;
    virtual ~RecordingMachine() = default;

    struct Room {
        std::uint64_t control = 0;  ///< addresses
        std::uint64_t log = 0;
    };
    /// Replaces the room of earlier runs.
    virtual Result<Room> make_room(std::uint64_t control_bytes, std::uint64_t log_bytes) = 0;

    struct Ran {
        std::vector<std::byte> control, log;
        std::vector<std::vector<std::byte>> buffers;  ///< by Trace::buffers
    };
    /// Runs all launches, from the program's initial memory; `words` has one element a launch.
    virtual Result<Ran> run(std::span<const std::byte> control, std::span<const RecorderWords> words) = 0;
    /// The machine's address for a buffer of the trace.
    [[nodiscard]] virtual std::uint64_t address_of(std::size_t buffer) const = 0;
    virtual std::uint64_t most_log_bytes() const = 0;
};

struct RecordingRange {
    std::uint64_t first_block = 0;
    std::uint64_t blocks = ~std::uint64_t{0};  ///< at most; all by default
};

/// `trace` is the emulator's, whose launches run. `module` is that of the PTX that was rewritten.
[[nodiscard]] Result<Recorded> record(RecordingMachine& machine, const trace::Trace& trace, const ptx::Module& module,
                                      const Rewritten& rewritten, const RecordingRange& range);

/// The logs that the trace predicts for the threads, launch by launch. The trace does not hold the operands of an
/// atomic: ExpectedEntry marks them.
struct ExpectedEntry {
    Entry entry;
    std::uint64_t before = 0, after = 0;  ///< of an atomic: memory
};
struct ExpectedLaunch {
    std::uint64_t first_block = 0;
    std::uint32_t threads = 0;
    std::vector<std::vector<ExpectedEntry>> logs;
};
[[nodiscard]] std::vector<ExpectedLaunch> expected_logs(const trace::Trace& trace, const Rewritten& rewritten,
                                                        const RecordingRange& range);

/// The GPU as a recording machine (record_device.cpp), ready to run the rewritten PTX on the trace's initial memory.
/// All arguments must outlive it. Fails if the device cannot run the program.
[[nodiscard]] Result<std::unique_ptr<RecordingMachine>> recording_device(const Device& device,
                                                                         const trace::Trace& trace,
                                                                         const ptx::Module& module,
                                                                         const Rewritten& rewritten);

}  // namespace lanescope::execute
