// The value of every byte of one memory (a block's shared memory, a buffer, a thread's local memory) at every time.
#pragma once

#include "analysis/dataflow/value_graph.h"

#include <array>
#include <cstdint>
#include <vector>

namespace lanescope::analysis {

/// Every write to one memory, newest first, found by address. Kept by granules of four bytes, which most accesses fill;
/// a granule that is written in parts keeps its bytes apart. Pages are created when first written.
class ByteHistory {
  public:
    static constexpr unsigned granule = 4;  ///< bytes

    /// `limit`: bytes of the memory; writes beyond are not kept.
    explicit ByteHistory(std::uint64_t limit = 0) : limit_(limit) {}

    [[nodiscard]] bool holds(std::uint64_t address, unsigned bytes) const {
        return address < limit_ && bytes <= limit_ - address;
    }

    /// `value` fills [address, address + bytes), for which holds() must be true. Calls are in the order of time.
    void write(std::uint64_t address, unsigned bytes, ValueId value);

    /// The value now in that byte; invalid: never written.
    [[nodiscard]] ValueId newest(std::uint64_t address) const { return value_of(byte_of(entry(address), address)); }

    /// The value that fills the whole granule of `address`, if one write does; invalid if none or several do.
    [[nodiscard]] ValueId newest_word(std::uint64_t address) const {
        const Reference found = entry(address);
        return is_split(found) ? ValueId{} : value_of(found);
    }

    /// The value in that byte before step number `position`; there_from(ValueId) gives the first position that has it.
    template <class ThereFrom>
    [[nodiscard]] ValueId before(std::uint64_t address, std::size_t position, ThereFrom&& there_from) const {
        for (Reference at = byte_of(entry(address), address); at != none; at = byte_of(events_[at].previous, address)) {
            if (there_from(events_[at].value) <= position) return events_[at].value;
        }
        return {};
    }

    /// Calls visit(ValueId) for the final contents of memory, once a granule or a byte.
    template <class Visit>
    void for_each_newest(Visit&& visit) const {
        for (const Reference found : entries_) {
            if (!is_split(found)) {
                if (found != none) visit(value_of(found));
                continue;
            }
            for (const Reference part : splits_[found & ~split_bit]) {
                if (part != none) visit(value_of(part));
            }
        }
    }

  private:
    /// An index in events_, or, with split_bit, in splits_; none: nothing was written.
    using Reference = std::uint32_t;
    static constexpr Reference none = ~0U;
    static constexpr Reference split_bit = 1U << 31U;
    static constexpr unsigned page_granules = 256;
    static constexpr unsigned page_bytes = granule * page_granules;

    struct Event {
        ValueId value;
        Reference previous = none;  ///< the granule's (or byte's, where split) previous value
    };

    [[nodiscard]] static bool is_split(Reference r) { return r != none && (r & split_bit) != 0; }
    [[nodiscard]] Reference entry(std::uint64_t address) const {
        const std::uint64_t page = address / page_bytes;
        if (page >= pages_.size() || pages_[page] == 0) return none;
        return entries_[std::size_t{pages_[page] - 1} * page_granules + address / granule % page_granules];
    }
    [[nodiscard]] Reference byte_of(Reference r, std::uint64_t address) const {
        return is_split(r) ? splits_[r & ~split_bit][address % granule] : r;
    }
    [[nodiscard]] ValueId value_of(Reference r) const { return r == none ? ValueId{} : events_[r].value; }
    Reference& entry_for_write(std::uint64_t address);

    std::uint64_t limit_;
    std::vector<std::uint32_t> pages_;  ///< 1 + number of the page in entries_, 0: never written
    std::vector<Reference> entries_;    ///< one a granule of the pages
    std::vector<std::array<Reference, granule>> splits_;
    std::vector<Event> events_;
};

}  // namespace lanescope::analysis
