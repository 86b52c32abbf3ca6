// Plain reads that race with an atomic update, held back until it is known whether a compare-and-swap verifies what
// they read:
//
//     int old = *address, assumed;                          // plain
//     do {
//         assumed = old;
//         old = atomicCAS(address, assumed, f(assumed));    // changes nothing unless `assumed` is what is there
//     } while (assumed != old);
//
// The CUDA C++ Programming Guide writes any atomic function this way ("Atomic Functions"). The two accesses are
// formally a data race, because a plain read is not morally strong (PTX ISA 8.7). But with a wrong value the swap fails
// and returns the right one, so the race is harmless: a note says so. Any other read that is not verified is a race.
#pragma once

#include "execute/emulator/faults.h"
#include "trace/trace.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

namespace lanescope::execute {

class HeldRaces {
  public:
    explicit HeldRaces(Faults& faults) : faults_(faults) {}

    /// A thread that reads a place (AccessCheck's name for it).
    struct Reader {
        BlockId block;
        unsigned thread = 0;
        std::uint64_t place = 0;
        friend auto operator<=>(const Reader&, const Reader&) = default;
    };

    /// `reader` has read `value` by the instruction at `read`, and raced with an atomic update.
    void hold(const Reader& reader, std::uint64_t value, Pc read, trace::Finding race);
    [[nodiscard]] bool none() const { return held_.empty(); }
    /// The reader accesses the place again by the instruction at `pc`: with a compare-and-swap of `comparand`, or with
    /// something else.
    void settle(const Reader& reader, std::optional<std::uint64_t> comparand, Pc pc);
    /// The launch ends: the remaining reads stay unverified.
    void report_rest();

  private:
    struct Held {
        std::uint64_t value = 0;
        Pc read = no_pc;
        trace::Finding race;
    };
    Faults& faults_;
    std::map<Reader, Held> held_;
};

}  // namespace lanescope::execute
