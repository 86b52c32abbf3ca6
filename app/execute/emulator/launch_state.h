// The state that the blocks of one launch share while they execute.
#pragma once

#include "execute/emulator/access_check.h"
#include "execute/emulator/accessed_bytes.h"
#include "execute/emulator/atomic_words.h"
#include "execute/emulator/block_independence.h"
#include "execute/emulator/code.h"
#include "execute/emulator/endless_loops.h"
#include "execute/emulator/faults.h"
#include "execute/emulator/heap.h"
#include "execute/emulator/schedule_control.h"
#include "execute/emulator/stale_reads.h"
#include "execute/simt/access_cost.h"
#include "execute/simt/replay_source.h"
#include "trace/writer.h"

#include <algorithm>
#include <deque>
#include <span>
#include <vector>

namespace lanescope::execute {

struct LaunchState {
    const Code& code;
    GlobalMemory& global;
    Region& parameters;
    Faults& faults;
    trace::Writer& writer;
    AccessCheck& check;
    Heap& heap;
    std::vector<AccessCost> costs;     ///< one for each of Code::accesses
    std::deque<trace::Counts> epochs;  ///< deque: warps point into it
    AtomicWords atomics = {};
    std::span<trace::BlockRun> runs = {};       ///< what each block of the grid executed; empty: not kept
    bool stopped = false;                       ///< a trap: the kernel ends here
    bool out_of_memory = false;                 ///< the memory touched has reached Limits::memory_bytes
    bool cut = false;                           ///< fewer blocks are recorded than requested: no room for more
    bool drops_text = false;                    ///< printf has written too much
    Region* last_found = nullptr;               ///< of global memory
    std::vector<Region*> written;               ///< regions of global memory, each once
    BlockIndependence* independence = nullptr;  ///< set if parts of the grid run at once
    AccessedBytes* accessed = nullptr;          ///< set if the request asks for it
    Part part = 0;                              ///< the number of this part
    ReplaySource* replay = nullptr;             ///< the reads of a GPU's record that is replayed
    std::uint32_t number = 0;                   ///< of the launch
    EndlessLoops* loops = nullptr;              ///< set while a window is open
    ScheduleControl* schedule = nullptr;        ///< set if the launch is under a schedule
    StaleReads* stale = nullptr;                ///< set if the schedule makes loads return old values

    [[nodiscard]] Region* find(std::uint64_t address) { return global.find(address, last_found); }
    void writes(Region* region) {
        if (std::find(written.begin(), written.end(), region) == written.end()) written.push_back(region);
    }
    /// An empty cost cache, for another thread.
    [[nodiscard]] std::vector<AccessCost> fresh_costs() const {
        std::vector<AccessCost> fresh;
        fresh.reserve(costs.size());
        for (const AccessCost& cost : costs) fresh.push_back(cost.fresh());
        return fresh;
    }
    trace::Counts& counts_of(std::uint32_t epoch) {
        epoch = counted_epoch(epoch);
        while (epochs.size() <= epoch) epochs.emplace_back();
        return epochs[epoch];
    }
};

}  // namespace lanescope::execute
