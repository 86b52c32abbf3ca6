// Sectors of global memory; app/model/README.md, has the rule in words.
#include "model/model.h"

#include <algorithm>
#include <utility>

namespace lanescope::model {

namespace {

unsigned distinct_sectors(unsigned bytes, const Addresses& addresses, LaneMask active) {
    bool in_one_sector = true;
    for (const unsigned lane : active) {
        in_one_sector = in_one_sector && addresses[lane] % sector_bytes + bytes <= sector_bytes;
    }
    if (in_one_sector) return without_repeated(addresses, sector_bytes, active).count();
    std::array<std::uint64_t, 2 * warp_size> sectors;
    std::size_t size = 0;
    for (const unsigned lane : active) {
        sectors[size++] = addresses[lane] / sector_bytes;
        sectors[size++] = (addresses[lane] + bytes - 1) / sector_bytes;
    }
    const auto last = sectors.begin() + static_cast<std::ptrdiff_t>(size);
    std::sort(sectors.begin(), last);
    return static_cast<unsigned>(std::unique(sectors.begin(), last) - sectors.begin());
}

/// Summed over sectors, the most lanes at one address. Of 54 measured accesses 51 read so, the rest 1 more.
unsigned atomic_sectors(const Addresses& addresses, LaneMask active) {
    std::array<std::uint64_t, warp_size> sorted;
    std::size_t size = 0;
    for (const unsigned lane : active) sorted[size++] = addresses[lane];
    std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(size));

    unsigned sum = 0;
    unsigned most_in_sector = 0;
    unsigned at_address = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const bool same_address = i > 0 && sorted[i] == sorted[i - 1];
        const bool same_sector = i > 0 && sorted[i] / sector_bytes == sorted[i - 1] / sector_bytes;
        at_address = same_address ? at_address + 1 : 1;
        if (!same_sector) sum += std::exchange(most_in_sector, 0);
        most_in_sector = std::max(most_in_sector, at_address);
    }
    return sum + most_in_sector;
}

}  // namespace

unsigned global_sectors(Access access, unsigned bytes, const Addresses& addresses, LaneMask active) {
    const bool plain = access == Access::load || access == Access::store;
    return plain ? distinct_sectors(bytes, addresses, active) : atomic_sectors(addresses, active);
}

}  // namespace lanescope::model
