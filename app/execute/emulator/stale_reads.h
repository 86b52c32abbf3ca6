// Loads that a schedule makes return an old value (Hold::Kind::stale): the oldest that the memory model allows. A write
// may still be unseen by a thread if it is not ordered before it, by synchronization alone or by a read that saw it
// (PTX ISA 8.9.5 and 8.10.2, base causality order and causality order).
#pragma once

#include "execute/emulator/access_check.h"
#include "execute/emulator/schedule.h"
#include "execute/emulator/warp_access.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lanescope::execute {

class StaleReads {
  public:
    /// Of a launch's global memory. The blocks must be followed by the check.
    StaleReads(std::vector<Hold> holds, const AccessCheck& check);

    /// An access of global memory happens next.
    void before(const WarpStep& step, const MemoryAccess& access, const Piece& piece);
    /// It has happened.
    void after();

    /// How often a load returned an old value, by the hold.
    [[nodiscard]] const std::vector<std::uint64_t>& times() const { return times_; }

  private:
    struct Thread {
        BlockId block;
        unsigned number = 0;
        Time time = 0;
    };
    struct Write {
        Thread by;
        std::uint64_t before = 0;   ///< the value that it replaced
        std::vector<Thread> seen;   ///< the first read of each thread that found this value, or a later one
        bool seen_by_many = false;  ///< by more threads than are kept
    };
    struct Word {
        std::uint8_t bytes = 0;
        std::vector<Write> writes;
    };

    void note_write(const WarpStep& step, const MemoryAccess& access, const Piece& piece);
    /// How many of the last writes of the word the thread need not see yet.
    [[nodiscard]] std::size_t unseen(const Block& block, unsigned thread, const Word& word) const;
    void see(const Block& block, unsigned thread, Word& word) const;

    std::vector<Hold> holds_;
    std::vector<std::uint64_t> times_;  ///< by hold
    std::vector<std::uint32_t> comes_;  ///< by hold
    const AccessCheck& check_;
    std::unordered_map<std::uint64_t, Word> words_;  ///< by address
    std::size_t kept_ = 0;                           ///< writes
    bool full_ = false;
    /// The newest values, which the memory has again after the load.
    struct Replaced {
        std::byte* at;
        std::uint64_t value;
        std::uint8_t bytes;
    };
    std::vector<Replaced> replaced_;
};

}  // namespace lanescope::execute
