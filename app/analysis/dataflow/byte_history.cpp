#include "analysis/dataflow/byte_history.h"

#include <algorithm>
#include <cassert>

namespace lanescope::analysis {

ByteHistory::Reference& ByteHistory::entry_for_write(std::uint64_t address) {
    const std::uint64_t page = address / page_bytes;
    if (page >= pages_.size()) pages_.resize(page + 1, 0);
    if (pages_[page] == 0) {
        entries_.resize(entries_.size() + page_granules, none);
        pages_[page] = static_cast<std::uint32_t>(entries_.size() / page_granules);
    }
    return entries_[std::size_t{pages_[page] - 1} * page_granules + address / granule % page_granules];
}

void ByteHistory::write(std::uint64_t address, unsigned bytes, ValueId value) {
    assert(holds(address, bytes));
    const std::uint64_t end = address + bytes;
    while (address < end) {
        const std::uint64_t granule_end = (address / granule + 1) * granule;
        Reference& held = entry_for_write(address);
        if (address % granule == 0 && granule_end <= end) {
            events_.push_back({value, held});
            held = static_cast<Reference>(events_.size() - 1);
        } else {
            if (!is_split(held)) {
                splits_.push_back({held, held, held, held});
                held = static_cast<Reference>(splits_.size() - 1) | split_bit;
            }
            auto& parts = splits_[held & ~split_bit];
            for (std::uint64_t byte = address; byte < std::min(end, granule_end); ++byte) {
                events_.push_back({value, parts[byte % granule]});
                parts[byte % granule] = static_cast<Reference>(events_.size() - 1);
            }
        }
        address = granule_end;
    }
}

}  // namespace lanescope::analysis
