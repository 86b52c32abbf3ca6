// One warp instruction at a time: reads an operation, acts on the warp and on memory, counts, and where told records.
// The recording interpreter and the counting one are the same code, compiled twice; they do the same.
#pragma once

#include "execute/emulator/access_check.h"
#include "execute/emulator/block_independence.h"
#include "execute/emulator/code.h"
#include "execute/emulator/faults.h"
#include "execute/emulator/heap.h"
#include "execute/emulator/machine.h"
#include "execute/simt/access_cost.h"
#include "execute/simt/replay_source.h"
#include "trace/writer.h"

#include <algorithm>
#include <deque>
#include <vector>

namespace lanescope::execute {

/// What the blocks of one launch share.
struct LaunchState {
    const Code& code;
    GlobalMemory& global;
    Region& parameters;
    Faults& faults;
    trace::Writer& writer;
    AccessCheck& check;
    Heap& heap;
    std::vector<AccessCost> costs;              ///< one for each of Code::accesses
    std::deque<trace::Counts> epochs;           ///< deque: warps point into it
    bool stopped = false;                       ///< a trap: the kernel ends here
    bool drops_text = false;                    ///< printf has written too much
    Region* last_found = nullptr;               ///< of global memory
    std::vector<Region*> written;               ///< regions of global memory, each once
    BlockIndependence* independence = nullptr;  ///< where parts of the grid run at once
    Part part = 0;                              ///< which of them this is
    ReplaySource* replay = nullptr;             ///< where a real machine is followed: what it read
    std::uint32_t number = 0;                   ///< of the launch

    [[nodiscard]] Region* find(std::uint64_t address) { return global.find(address, last_found); }
    void writes(Region* region) {
        if (std::find(written.begin(), written.end(), region) == written.end()) written.push_back(region);
    }
    /// Costs that nothing is known of yet, for another thread.
    [[nodiscard]] std::vector<AccessCost> fresh_costs() const {
        std::vector<AccessCost> fresh;
        fresh.reserve(costs.size());
        for (const AccessCost& cost : costs) fresh.push_back(cost.fresh());
        return fresh;
    }
    trace::Counts& counts_of(std::uint32_t epoch) {
        while (epochs.size() <= epoch) epochs.emplace_back();
        return epochs[epoch];
    }
};

/// What an interpreter hands to the record.
enum class Recording : std::uint8_t {
    none,
    accesses,    ///< the instructions that touch memory, order what does, or cross lanes
    everything,  ///< all instructions, and what they write to registers
};

template <Recording recording>
class Interpreter {
  public:
    explicit Interpreter(LaunchState& launch) : launch_(launch), code_(launch.code), writer_(launch.writer) {}

    /// The next instructions of each warp that is runnable, in order; how many those were.
    unsigned turn(Block& block);
    static constexpr bool records = recording != Recording::none;
    static constexpr bool records_registers = recording == Recording::everything;
    /// In the full record warps alternate from one instruction to the next. Else each goes on while its registers are at hand.
    static constexpr unsigned steps_of_turn = records_registers ? 1 : 32;

    /// No thread of the block can go on as it should: those go on that wait for threads which will not come, with a finding.
    /// False where there are none: a deadlock.
    bool go_on_without_the_absent(Block& block);

  private:
    /// What instructions count, added up before it goes to the counts of an epoch.
    struct Issued {
        std::uint64_t warps = 0;
        std::uint64_t threads = 0;
        std::uint64_t active_threads = 0;
    };
    /// Up to `limit` instructions of a warp that is runnable; how many those were.
    unsigned run(Block& block, Warp& warp, unsigned limit);
    /// The same of one instruction.
    void run_one(Block& block, Warp& warp);
    void step(Block& block, Warp& warp, const Micro& micro, Issued& issued);
    /// `count` instructions, no more than Micro::straight of the first, in `lanes`.
    void straight(Block& block, Warp& warp, Pc begin, unsigned count, LaneMask lanes);
    /// Where the lanes of an access go, all in one region.
    struct Piece {
        Region* region = nullptr;
        ptx::Space space = ptx::Space::global;
        Targets targets;
    };

    void compute(Warp& warp, const Micro& micro, LaneMask executed);
    void branch(Warp& warp, const Micro& micro, LaneMask executed);
    static void turn_back(Warp& warp);
    void branch_indexed(Warp& warp, const Micro& micro, LaneMask executed);
    void exit(Block& block, Warp& warp, LaneMask executed);
    void trap(Block& block, Warp& warp, const Micro& micro, LaneMask executed);
    void clock(const Block& block, Warp& warp, const Micro& micro, LaneMask executed);

    // functions (calls.cpp)
    void call(Warp& warp, Block& block, const Micro& micro, LaneMask executed);
    bool enter(Block& block, Warp& warp, const Micro& micro, const Call& site, const Callee& callee, LaneMask lanes);
    void return_from_call(Warp& warp, Block& block, const Micro& micro, LaneMask executed);
    void restore_registers(Warp& warp, const Micro& micro, const Callee& callee, LaneMask lanes);
    // functions that the system brings (builtins.cpp)
    void builtin(Block& block, Warp& warp, const Micro& micro, LaneMask executed);
    void print(Block& block, Warp& warp, const BuiltinCall& call, const Micro& caller, LaneMask executed);
    std::optional<std::string> text_at(Block& block, const Warp& warp, unsigned lane, std::uint64_t address);
    std::uint64_t parameter(Block& block, const Warp& warp, unsigned lane, const BuiltinCall& call, unsigned number);
    void give_result(Block& block, const Warp& warp, unsigned lane, const BuiltinCall& call, std::uint64_t value);
    /// `bytes` at a generic address, as the lane sees them; null where they are not all there.
    std::byte* bytes_at(Block& block, const Warp& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes);

    // memory (memory_access.cpp)
    void access(Block& block, Warp& warp, const Micro& micro, LaneMask executed);
    bool access_words(Block& block, Warp& warp, const Micro& micro, const MemoryAccess& access,
                      const AddressRow& addresses, ptx::Space space, LaneMask executed);
    bool find_piece(Block& block, const Warp& warp, const MemoryAccess& access, ptx::Space space,
                    const AddressRow& addresses, LaneMask lanes, Piece& piece);
    void access_lane_by_lane(Block& block, Warp& warp, const Micro& micro, const MemoryAccess& access,
                             const AddressRow& addresses, LaneMask executed);
    void carry_out(Block& block, Warp& warp, const Micro& micro, const MemoryAccess& access, Piece& piece,
                   const AddressRow& addresses, LaneMask executed, bool first_of_space);
    void watch(Block& block, const Warp& warp, const Micro& micro, const MemoryAccess& access, const Piece& piece,
               LaneMask executed);
    bool claim(const Block& block, const Micro& micro, const MemoryAccess& access, const Piece& piece);
    void check_array(const Block& block, const Warp& warp, const Micro& micro, const MemoryAccess& access,
                     const Piece& piece);
    void copy(Block& block, Warp& warp, const Micro& micro, LaneMask executed);
    void load(Warp& warp, const MemoryAccess& access, const Piece& piece);
    void record_load(Warp& warp, const MemoryAccess& access, const Piece& piece, trace::Space space,
                     const LaneAddresses& addresses);
    void record_store(Warp& warp, const MemoryAccess& access, Piece& piece, trace::Space space,
                      const LaneAddresses& addresses);
    void store(Warp& warp, const MemoryAccess& access, Piece& piece);
    void atomic(const Block& block, Warp& warp, const Micro& micro, const MemoryAccess& access, Piece& piece,
                const LaneAddresses& addresses);
    void load_as_answered(const Block& block, Warp& warp, const Micro& micro, const MemoryAccess& access,
                          const Piece& piece, trace::Space space, const LaneAddresses& addresses);
    void count(Warp& warp, const Micro& micro, const Piece& piece, bool first_of_space);
    void note_poll(Warp& warp, const Micro& micro, const MemoryAccess& access, const Piece& piece) const;
    void read_nothing(Warp& warp, const MemoryAccess& access, LaneMask lanes);

    // across lanes (across_lanes.cpp)
    void shuffle(Block& block, Warp& warp, const Micro& micro, LaneMask executed);
    void vote(Block& block, Warp& warp, const Micro& micro, LaneMask executed);
    void active_mask(Warp& warp, const Micro& micro, LaneMask executed);
    void match(Block& block, Warp& warp, const Micro& micro, LaneMask executed);
    void reduce(Block& block, Warp& warp, const Micro& micro, LaneMask executed);

    // the lanes of a mask (gathering.cpp)
    bool sync(Block& block, Warp& warp, const Micro& micro, LaneMask executed);
    bool sync_by_masks(Block& block, Warp& warp, const Micro& micro, LaneMask executed);
    void release_synced(Block& block, Warp& warp, LaneMask exited);
    bool go_on_without_the_masked(Block& block, Warp& warp);
    bool release_early(Warp& warp);
    [[nodiscard]] LaneMask waits_with(const Warp& warp, const Divergence::Waiting& path) const;
    [[nodiscard]] LaneMask absent_for(const Warp& warp, const Divergence::Waiting& path) const;
    [[nodiscard]] bool counts_for(Pc pc, Pc other) const;
    [[nodiscard]] bool meets(const Warp& warp, const Divergence::Waiting& path, const Divergence::Waiting& other) const;
    [[nodiscard]] bool leads_to(Pc from, Pc pc) const;
    template <class Visit>
    void for_each_group(Block& block, Warp& warp, const Micro& micro, LaneMask executed, Visit visit);

    // barriers (barriers.cpp)
    void barrier(Block& block, Warp& warp, const Micro& micro, LaneMask executed);
    void meet_block(Block& block, Warp& warp, LaneMask executed);
    void threads_left(Block& block, Warp& warp, LaneMask exited);
    [[nodiscard]] bool only_exits(Pc pc) const;
    void complete_barriers(Block& block);
    void complete(Block& block, std::uint32_t number);
    void release(Block& block, std::uint32_t number);
    void reduce_over_block(Block& block, std::uint32_t number);
    [[nodiscard]] bool reached_in_several_places(const Block& block, std::uint32_t number) const;

    // recording (recording.h)
    void begin_step(const Block& block, Warp& warp, const Micro& micro, LaneMask active, LaneMask executed);
    /// What was written to a register, or to all that the instruction writes.
    void record_write(const Warp& warp, const Destination& destination, LaneMask lanes);
    void record_writes(const Warp& warp, const Micro& micro, LaneMask lanes);

    LaunchState& launch_;
    const Code& code_;
    trace::Writer& writer_;
};

extern template class Interpreter<Recording::none>;
extern template class Interpreter<Recording::accesses>;
extern template class Interpreter<Recording::everything>;

}  // namespace lanescope::execute
