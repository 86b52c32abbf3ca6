// Words the findings: what a kernel does wrong, with names and numbers.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/finding_list.h"
#include "execute/emulator/guards.h"
#include "execute/emulator/heap.h"
#include "execute/emulator/loop_period.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/wording.h"
#include "trace/trace.h"
#include "trace/writer.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::execute {

/// One side of a race: a thread and the instruction of its access.
struct Accessor {
    BlockId block;
    unsigned thread = 0;  ///< in its block
    Pc pc = no_pc;
    Pc blamed = no_pc;  ///< Code::blamed()
    std::optional<StepId> step;
    bool writes = false;
    bool still_copies = false;     ///< a cp.async that its thread has not waited for
    bool only_for_blocks = false;  ///< the two would be ordered if not one of them had block scope (.cta)
    /// An access by its strength (PTX ISA 8.4).
    enum class Strength : std::uint8_t {
        plain,
        strong,  ///< volatile, relaxed, acquire or release
        atomic,
    };
    Strength strength = Strength::plain;  ///< its own
    Strength now = Strength::plain;       ///< that of the access that races with it
    std::optional<Guard> guard = {};      ///< a lock or flag that does not order the two
};

/// Where grid.sync() of a launch counts its blocks.
struct GridBarrier {
    std::uint64_t address = 0;  ///< 0: the kernel has none
    std::uint64_t blocks = 0;
    static constexpr std::uint64_t bytes = 256;
    [[nodiscard]] bool holds(std::uint64_t at) const { return address != 0 && at - address < bytes; }
};

/// A loop that cannot end, and what else is known about it.
struct EndlessLoop {
    const Block& block;
    const Warp& warp;
    const LoopPeriod& period;
    Loop loop;
    std::uint64_t value = 0;                       ///< the value of what it waits for
    std::optional<Accessor> last_write;            ///< of that
    bool all_are_checked = false;                  ///< else others may have written it, too
    std::uint64_t repeating_warps = 1;             ///< with this one
    std::vector<std::uint32_t> resident_blocks{};  ///< which cannot end, ascending
    std::vector<std::uint32_t> blocks_to_come{};   ///< which therefore cannot start, ascending
    std::uint64_t multiprocessors = 0;             ///< which have no room for more blocks
    GridBarrier grid_barrier{};
};

class Faults {
  public:
    /// Findings go to the writer, at most `limit` of each kind.
    Faults(trace::Writer& writer, const GlobalMemory& memory, const Heap& heap, std::uint64_t limit)
        : writer_(writer), memory_(memory), heap_(heap), wording_(writer.trace(), memory, heap), list_(writer, limit) {}

    /// Sets the names of the launch that runs now.
    void begin_launch(std::uint32_t number, const Code& code, const trace::Launch& launch,
                      const std::vector<trace::SharedArray>& arrays, const OutOfReach& out_of_reach);
    /// The current launch synchronizes its grid, but is not a cooperative launch.
    void without_grid_barrier() { has_grid_barrier_ = false; }
    /// Whether the launch accessed global memory so far from all allocations that any GPU ends the kernel with
    /// CUDA_ERROR_ILLEGAL_ADDRESS.
    [[nodiscard]] bool left_mapped_memory() const { return left_mapped_memory_; }
    /// Reports how many findings are not listed.
    void finish() { list_.finish(launch_number_); }
    /// Withdraws the findings for which `wrong` returns true. `from_data`: the address of the access depends on input
    /// data.
    void withdraw(const std::function<bool(const trace::Finding&, bool from_data)>& wrong) {
        list_.withdraw(wrong);
        sites_.clear();
    }
    /// How far accesses missed each piece of memory, by its address; of all launches.
    [[nodiscard]] const std::map<std::uint64_t, Overreach>& reached() const { return reached_; }

    /// `lane` accessed `bytes` at an address (of the access's own space) outside of memory or of the intended array.
    void out_of_bounds(const WarpStep& step, unsigned lane, ptx::Space space, std::uint64_t address, unsigned bytes);
    void misaligned(const WarpStep& step, unsigned lane, ptx::Space space, std::uint64_t address, unsigned bytes);
    struct Part {
        std::uint64_t address = 0;
        unsigned bytes = 0;
    };
    /// Whether numbers of at least that many bytes are known to be there: not a structure, nor a part of one.
    [[nodiscard]] bool is_of_numbers(ptx::Space space, std::uint64_t address, unsigned bytes) const {
        return wording_.is_of_numbers(space, address, bytes);
    }
    /// `uninitialized`: from its first to its last uninitialized byte.
    void uninitialized_read(const WarpStep& step, unsigned lane, ptx::Space space, std::uint64_t address,
                            unsigned bytes, Part uninitialized);
    /// The site of a fault: a second fault at a site is counted, and no message is written for it.
    struct Site {
        trace::Finding::Kind kind{};
        Pc pc = no_pc, blamed = no_pc;
        Pc other = no_pc, other_blamed = no_pc;  ///< of the other access of a race
        std::uint64_t object = 0;                ///< Wording::object_at()
        bool is_remark = false;
        auto operator<=>(const Site&) const = default;
    };
    /// The site of a race between the step's access of the address and `earlier`.
    [[nodiscard]] Site race_site(const WarpStep& step, ptx::Space space, std::uint64_t address, const Accessor& earlier,
                                 bool is_remark) const;
    /// Counts a fault of the step's access to the address if the fault's site is known. False: it is not known.
    bool count_again(const Site& site, const WarpStep& step, std::uint64_t address);
    /// The finding for `lane` accessing what `earlier` accessed, with nothing to order the two.
    [[nodiscard]] trace::Finding race(const WarpStep& step, unsigned lane, bool writes, ptx::Space space,
                                      std::uint64_t address, unsigned bytes, const Accessor& earlier) const;
    /// The same, where it can change the result, with what the two lack if that is more than a barrier.
    [[nodiscard]] trace::Finding harmful_race(const WarpStep& step, unsigned lane, bool writes, ptx::Space space,
                                              std::uint64_t address, unsigned bytes, const Accessor& earlier) const;
    /// See FindingList::report().
    std::size_t report(trace::Finding finding) { return list_.report(std::move(finding)); }
    void report(const Site& site, trace::Finding finding) { sites_[site] = report(std::move(finding)); }
    /// The same for an access whose address is wrong.
    std::size_t report_address(trace::Finding finding, const WarpStep& step, unsigned lane);
    /// A race in which both threads write the same value. If races that can change the result are found at the same two
    /// lines, only they are reported.
    void remark(const Site& site, trace::Finding race);
    /// Notes a harmless race in Trace::notes: the compare-and-swap `swap` verifies what `read` reads of `variable`.
    void remark_verified_read(const std::string& variable, Pc read, Pc swap);

    /// A call through a pointer that names no function, or a function with other parameters.
    void bad_call(const WarpStep& step, LaneMask lanes, std::uint64_t target);
    /// The handle names no texture object or surface object that exists.
    void bad_handle(const WarpStep& step, unsigned lane, std::uint64_t handle);
    /// A surface access with .trap outside of a surface of that many bytes a row and that many rows and slices.
    struct SurfacePlace {
        std::array<std::int64_t, 3> at{}, extent{};  ///< x in bytes
        unsigned dimensions = 1;
        unsigned bytes = 0;
    };
    void outside_surface(const WarpStep& step, unsigned lane, const SurfacePlace& place);
    /// The call of a recursive function that a thread's stack of `room` bytes has no frame left for.
    struct StackUse {
        std::string function;  ///< as the source names it
        std::uint64_t frame = 0, used = 0, room = 0;
        std::uint64_t calls = 0;  ///< of it on the stack; 0: several functions have frames there
    };
    void stack_overflow(const WarpStep& step, unsigned lane, const StackUse& use);
    void trap(const WarpStep& step);
    /// `__assertfail`, called by the step, with its message.
    void assertion(const WarpStep& step, const std::string& message);
    void out_of_memory(const WarpStep& step, unsigned lane, std::uint64_t wanted, std::uint64_t left);
    [[nodiscard]] Heap::Caller caller(const WarpStep& step, unsigned lane) const;
    /// free() of an address that malloc() did not return, or of one that is already free.
    void bad_free(const WarpStep& step, unsigned lane, std::uint64_t address);

    void shuffle_from_inactive(const WarpStep& step, unsigned lane, unsigned source);
    /// `lanes` execute with a mask that does not include themselves.
    void not_in_own_mask(const WarpStep& step, LaneMask lanes, LaneMask mask);
    /// The mask names lanes that have not exited and do not arrive, or arrive with another mask.
    void absent_from_mask(const Block& block, const Warp& warp, const WarpControl::Absence& absence);

    /// No thread of the block can continue.
    void deadlock(const Block& block);
    /// Threads pass a block barrier at several places, or some lanes of a warp cannot reach it.
    void divergent_barrier(const Block& block, std::uint32_t number);
    /// A warp repeats itself, and with it the launch cannot end.
    void endless_loop(const EndlessLoop& loop);
    /// Which budget: of all launches, or of instructions during which no block ends and no memory changes, or during
    /// which no block ends and a loop does not count towards an exit.
    enum class Spent : std::uint8_t { all, unchanged, uncounted };
    void budget_spent(const Block& block, std::uint64_t budget, Spent spent = Spent::all);

  private:
    [[nodiscard]] trace::Finding at(trace::Finding::Kind kind, const Block& block, const Warp& warp, LaneId lane, Pc pc,
                                    const Divergence::Waiting* waiting = nullptr) const;
    [[nodiscard]] trace::Finding at(trace::Finding::Kind kind, const WarpStep& step, unsigned lane) const;
    [[nodiscard]] std::string line(const Warp& warp, Pc pc, const Divergence::Waiting* waiting = nullptr) const;
    [[nodiscard]] std::string line(const WarpStep& step) const;
    /// The pc of the step. The memory unit makes the two halves of a copy (cp.async), which are at the warp's pc.
    [[nodiscard]] Pc pc_of(const WarpStep& step) const;
    [[nodiscard]] std::string thread(const WarpStep& step, unsigned lane) const;
    [[nodiscard]] std::string threads_wait(const Warp& warp, LaneMask lanes) const;
    [[nodiscard]] std::vector<std::string> waiting_threads(const Block& block) const;

    trace::Writer& writer_;
    const GlobalMemory& memory_;
    const Heap& heap_;
    Wording wording_;
    FindingList list_;
    [[nodiscard]] Site site_of(trace::Finding::Kind kind, const WarpStep& step, std::uint64_t object) const;

    std::map<Site, std::size_t> sites_;  ///< of this launch: as FindingList::report() and remark() return
    std::map<std::uint64_t, Overreach> reached_;
    std::uint32_t launch_number_ = 0;
    bool left_mapped_memory_ = false;
    bool has_grid_barrier_ = true;
    const Code* code_ = nullptr;
};

}  // namespace lanescope::execute
