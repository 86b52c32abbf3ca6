// Wavefronts of shared memory. One rule serves counting and playing: an access becomes a list of wavefronts, each with
// the lanes that it serves. app/model/README.md states the rule in words; its D and N are below.
#include "model/model.h"

#include <algorithm>
#include <cassert>

namespace lanescope::model {

namespace {

enum class Counter : std::uint8_t { load, store, atomic };

/// Collects wavefronts: always their number, and their lanes if the caller asks for them.
class Schedule {
  public:
    explicit Schedule(std::vector<Wavefront>* played) : played_(played) {}

    void add(Counter counter, LaneMask lanes, LaneMask group) {
        ++(counter == Counter::load ? count_.load : counter == Counter::store ? count_.store : count_.atomic);
        if (played_ != nullptr) played_->push_back({lanes, group, counter == Counter::load});
    }
    [[nodiscard]] const Wavefronts& count() const { return count_; }

  private:
    Wavefronts count_;
    std::vector<Wavefront>* played_;
};

/// Banks as wide as the access: an aligned access of 8 bytes takes the same pair of banks always, so that pairs collide
/// exactly as words do.
struct Columns {
    unsigned bytes;
    unsigned count;

    Columns(const BankModel& banks, unsigned access_bytes)
        : bytes(std::max(access_bytes, banks.word_bytes)), count(std::max(1U, banks.banks * banks.word_bytes / bytes)) {
        assert(count <= warp_size);
    }
    [[nodiscard]] std::uint64_t word(std::uint64_t address) const { return address / bytes; }
    [[nodiscard]] unsigned column(std::uint64_t address) const { return static_cast<unsigned>(word(address) % count); }
};

/// Lanes served by each wavefront of one group, in order.
class Group {
  public:
    void serve(unsigned wavefront, unsigned lane) {
        lanes_[wavefront] |= LaneMask::only(lane);
        size_ = std::max(size_, wavefront + 1);
    }
    void append_to(Schedule& schedule, Counter counter, unsigned times = 1) const {
        LaneMask all;
        for (unsigned wavefront = 0; wavefront < size_; ++wavefront) all |= lanes_[wavefront];
        for (unsigned wavefront = 0; wavefront < size_; ++wavefront) {
            schedule.add(counter, lanes_[wavefront], all);
            for (unsigned again = 1; again < times; ++again) schedule.add(counter, LaneMask(), all);
        }
    }

  private:
    std::array<LaneMask, warp_size> lanes_{};
    unsigned size_ = 0;
};

/// D(lanes): the most distinct words in one bank. A wavefront serves one word a bank, to every lane that wants it.
Group distinct_words(const Columns& columns, const Addresses& addresses, LaneMask lanes) {
    Group group;
    std::array<std::array<std::uint64_t, warp_size>, warp_size> words;  // [bank][in the order met]
    std::array<unsigned, warp_size> met{};
    for (const unsigned lane : lanes) {
        const unsigned bank = columns.column(addresses[lane]);
        const auto first = words[bank].begin();
        const auto last = first + met[bank];
        const auto found = std::find(first, last, columns.word(addresses[lane]));
        if (found == last) words[bank][met[bank]++] = columns.word(addresses[lane]);
        group.serve(static_cast<unsigned>(found - first), lane);
    }
    return group;
}

/// D(lanes) alone, for callers that do not ask which lanes.
unsigned most_distinct_words(const Columns& columns, const Addresses& addresses, LaneMask lanes) {
    std::array<unsigned, warp_size> met{};
    unsigned most = 0;
    for (const unsigned lane : without_repeated(addresses, columns.bytes, lanes)) {
        most = std::max(most, ++met[columns.column(addresses[lane])]);
    }
    return most;
}

/// N(lanes): the most lanes in one bank. A wavefront serves one lane a bank.
Group lanes_in_turn(const Columns& columns, const Addresses& addresses, LaneMask lanes) {
    Group group;
    std::array<unsigned, warp_size> met{};
    for (const unsigned lane : lanes) group.serve(met[columns.column(addresses[lane])]++, lane);
    return group;
}

template <class Visit>
void for_each_group(LaneMask lanes, unsigned size, Visit visit) {
    for (unsigned first = 0; first < warp_size; first += size) {
        const LaneMask group = lanes & LaneMask(LaneMask::first(size).bits() << first);
        if (group.any()) visit(group);
    }
}

/// Whether every active lane finds lane ^ distance inactive or at its own address.
bool pairs_agree(const Addresses& addresses, LaneMask active, unsigned distance) {
    for (const unsigned lane : active) {
        if (active.has(lane ^ distance) && addresses[lane ^ distance] != addresses[lane]) return false;
    }
    return true;
}

unsigned group_of_store(unsigned bytes) { return bytes <= 4 ? 32 : bytes == 8 ? 16 : 8; }

unsigned group_of_load(Access access, unsigned bytes, const Addresses& addresses, LaneMask active) {
    const unsigned group = group_of_store(bytes);
    // 16-byte generic loads were not measured with addresses for which this makes a difference.
    if (bytes <= 4 || (bytes == 8 && access == Access::generic_load)) return group;
    return pairs_agree(addresses, active, 1) || pairs_agree(addresses, active, 2) ? 2 * group : group;
}

/// Compute capability 1.x, a read (CUDA C Programming Guide 4.2, F.3.3.2): of the lanes left, all that want the
/// broadcast word and one of each other bank. Which word is broadcast is unspecified; here the lowest lane's.
Group broadcast_one_word(const Columns& columns, const Addresses& addresses, LaneMask lanes) {
    Group group;
    for (unsigned wavefront = 0; lanes.any(); ++wavefront) {
        const std::uint64_t broadcast = columns.word(addresses[lanes.lowest()]);
        LaneMask busy = LaneMask::only(columns.column(addresses[lanes.lowest()]));
        LaneMask served;
        for (const unsigned lane : lanes) {
            const LaneMask bank = LaneMask::only(columns.column(addresses[lane]));
            if (columns.word(addresses[lane]) != broadcast && (busy & bank).any()) continue;
            busy |= bank;
            served |= LaneMask::only(lane);
            group.serve(wavefront, lane);
        }
        lanes &= ~served;
    }
    return group;
}

/// Compute capability 1.x: accesses wider than a word are split into requests of one word each (F.3.3.4).
void half_warp_accesses(Schedule& schedule, Access access, unsigned bytes, const Addresses& addresses, LaneMask active,
                        const BankModel& banks) {
    const Columns columns(banks, banks.word_bytes);
    const unsigned requests = std::max(1U, bytes / banks.word_bytes);
    for (unsigned request = 0; request < requests; ++request) {
        Addresses words = addresses;
        for (std::uint64_t& address : words) address += std::uint64_t{request} * banks.word_bytes;
        for_each_group(active, banks.group, [&](LaneMask lanes) {
            if (is_load(access)) {
                broadcast_one_word(columns, words, lanes).append_to(schedule, Counter::load);
            } else {
                distinct_words(columns, words, lanes).append_to(schedule, Counter::store);
            }
        });
    }
}

void loads(Schedule& schedule, Access access, unsigned bytes, const Addresses& addresses, LaneMask active,
           const BankModel& banks) {
    for_each_group(active, group_of_load(access, bytes, addresses, active), [&](LaneMask lanes) {
        distinct_words(Columns(banks, bytes), addresses, lanes).append_to(schedule, Counter::load);
    });
}

unsigned group_of_atomic(unsigned bytes, const BankModel& banks) { return bytes == 8 ? 16 : banks.group; }

bool has_address(const Addresses& addresses, LaneMask lanes, std::uint64_t address) {
    for (const unsigned lane : lanes) {
        if (addresses[lane] == address) return true;
    }
    return false;
}

/// Rounds of a load and a compare-and-swap, until every lane has had its swap. In each group the lowest lane of each
/// bank swaps, unless its address was changed earlier in the round.
void loops(Schedule& schedule, unsigned bytes, const Addresses& addresses, LaneMask active, const BankModel& banks) {
    const Columns columns(banks, bytes);
    const unsigned group = group_of_atomic(bytes, banks);
    while (active.any()) {
        if (banks.group == warp_size) {
            loads(schedule, Access::load, bytes, addresses, active, banks);
        } else {
            half_warp_accesses(schedule, Access::load, bytes, addresses, active, banks);
        }
        LaneMask swapped;
        for_each_group(active, group, [&](LaneMask lanes) {
            const LaneMask before = swapped;
            LaneMask banks_tried;
            LaneMask winners;
            for (const unsigned lane : lanes) {
                const LaneMask bank = LaneMask::only(columns.column(addresses[lane]));
                if ((banks_tried & bank).any()) continue;
                banks_tried |= bank;
                if (!has_address(addresses, before, addresses[lane])) winners |= LaneMask::only(lane);
            }
            swapped |= winners;
            schedule.add(Counter::atomic, winners, lanes);
            schedule.add(Counter::atomic, LaneMask(), lanes);
        });
        active &= ~swapped;
    }
}

void schedule_access(Schedule& schedule, Access access, unsigned bytes, const Addresses& addresses, LaneMask active,
                     const BankModel& banks) {
    const bool half_warps = banks.group != warp_size;
    const Columns columns(banks, bytes);
    switch (access) {
        case Access::load:
        case Access::generic_load:
            if (half_warps) return half_warp_accesses(schedule, access, bytes, addresses, active, banks);
            return loads(schedule, access, bytes, addresses, active, banks);
        case Access::store:
            if (half_warps) return half_warp_accesses(schedule, access, bytes, addresses, active, banks);
            return for_each_group(active, group_of_store(bytes), [&](LaneMask lanes) {
                distinct_words(columns, addresses, lanes).append_to(schedule, Counter::store);
            });
        case Access::atomic_add_one:
            return for_each_group(active, banks.group, [&](LaneMask lanes) {
                distinct_words(columns, addresses, lanes).append_to(schedule, Counter::atomic);
            });
        case Access::atomic:
        case Access::compare_and_swap:
            return for_each_group(active, group_of_atomic(bytes, banks), [&](LaneMask lanes) {
                lanes_in_turn(columns, addresses, lanes)
                    .append_to(schedule, Counter::atomic, access == Access::compare_and_swap ? 2 : 1);
            });
        case Access::atomic_loop: return loops(schedule, bytes, addresses, active, banks);
    }
}

}  // namespace

Wavefronts wavefronts(Access access, unsigned bytes, const Addresses& addresses, LaneMask active,
                      const BankModel& banks) {
    const bool plain = is_plain(access);
    if (plain && bytes <= banks.word_bytes && banks.group == warp_size) {
        const unsigned most = most_distinct_words(Columns(banks, bytes), addresses, active);
        return is_load(access) ? Wavefronts{.load = most} : Wavefronts{.store = most};
    }
    Schedule schedule(nullptr);
    schedule_access(schedule, access, bytes, addresses, active, banks);
    return schedule.count();
}

unsigned shared_wavefronts(Access access, unsigned bytes, const Addresses& addresses, LaneMask active,
                           const BankModel& banks) {
    return wavefronts(access, bytes, addresses, active, banks).total();
}

unsigned conflict_ways(Access access, unsigned bytes, const Addresses& addresses, LaneMask active,
                       const BankModel& banks) {
    assert(is_plain(access));
    const bool half_warps = banks.group != warp_size;
    const unsigned requests = half_warps ? std::max(1U, bytes / banks.word_bytes) : 1;
    const unsigned group = half_warps        ? banks.group
                           : is_load(access) ? group_of_load(access, bytes, addresses, active)
                                             : group_of_store(bytes);
    unsigned ways = 0;
    for_each_group(active, group, [&](LaneMask lanes) {
        const unsigned wavefronts = shared_wavefronts(access, bytes, addresses, lanes, banks);
        ways = std::max(ways, (wavefronts + requests - 1) / requests);
    });
    return ways;
}

std::vector<Wavefront> shared_schedule(Access access, unsigned bytes, const Addresses& addresses, LaneMask active,
                                       const BankModel& banks) {
    std::vector<Wavefront> played;
    Schedule schedule(&played);
    schedule_access(schedule, access, bytes, addresses, active, banks);
    return played;
}

}  // namespace lanescope::model
