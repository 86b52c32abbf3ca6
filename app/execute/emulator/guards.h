// The locks and flags of a launch: which place a thread wrote after its access to data, and another one read before its
// own. If the accesses race all the same, a fence is missing between data and guard.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/happens_before.h"

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanescope::execute {

/// A lock or flag between two accesses.
struct Guard {
    ptx::Space space = ptx::Space::global;
    std::uint64_t address = 0;  ///< in its space
    unsigned bytes = 4;
    Pc write = no_pc,
       read = no_pc;      ///< Code::blamed() of its write after the first access, and its read before the second
    bool fenced = false;  ///< there is a fence between the first access and the write
};

class Guards {
  public:
    /// `shared`: places in shared memory may be guards, too.
    explicit Guards(bool shared) : shared_(shared) {}

    struct Access {
        ptx::Space space = ptx::Space::global;
        std::uint64_t place = 0;  ///< names it in the grid
        std::uint64_t address = 0;
        unsigned bytes = 4;
        BlockId block;
        unsigned thread = 0;  ///< in its block
        Pc blamed = no_pc;
        Time time = 0;
        std::uint32_t serial = 0;  ///< WarpRecord::serial, ascending in the order of execution
    };
    [[nodiscard]] bool wants(ptx::Space space) const { return shared_ || space == ptx::Space::global; }
    void begin(BlockId block) { reads_.erase(block); }
    /// A volatile, relaxed or atomic access. `waits`: the thread's way may depend on what it reads; else it does where
    /// the thread polls, reading the place there again.
    void read(const Access& access, bool waits);
    /// `clock`: of the thread's block, after the access.
    void write(const Access& access, const BlockClock& clock);

    /// An access to data: of which thread, when, and where.
    struct Side {
        BlockId block;
        unsigned thread = 0;
        Time time = 0;
        std::uint32_t serial = 0;
        std::uint64_t place = 0;
    };
    /// The guard that a thread wrote after its access `earlier` and that `now` has read since. Between blocks, any
    /// threads of theirs write and read it: a barrier orders them with the accesses.
    [[nodiscard]] std::optional<Guard> between(const Side& earlier, const Side& now) const;

  private:
    struct Write {
        std::uint64_t number = 0;
        Pc blamed = no_pc;
        Time time = 0;
        std::uint32_t serial = 0;
        BlockClock::Carried carried;
    };
    using Thread = std::pair<std::uint32_t, unsigned>;  ///< block, and thread of it
    struct Place {
        Guard named;
        std::map<Thread, Write> last;  ///< of each thread
    };
    struct Read {
        std::uint64_t number = 0;
        unsigned thread = 0;
        Pc blamed = no_pc;
        bool waits = false;
    };
    static constexpr std::size_t most_writers = 1024, most_places = 1U << 16U, most_read = 256;

    bool shared_;
    std::uint64_t number_ = 0;  ///< of the accesses, in the order of execution
    std::unordered_map<std::uint64_t, Place> places_;
    std::unordered_map<BlockId, std::unordered_map<std::uint64_t, Read>> reads_;  ///< of each block, by place
};

}  // namespace lanescope::execute
