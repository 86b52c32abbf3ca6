// Sectors of global memory; app/model/README.md states the rule in words.
#include "model/model.h"

#include <algorithm>
#include <map>
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

/// Summed over sectors, the most lanes at one address. 51 of 54 measured accesses count so many, the others 1 more.
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

std::vector<SectorRequest> plain_schedule(unsigned bytes, const Addresses& addresses, LaneMask active) {
    std::map<std::uint64_t, LaneMask> sectors;
    for (const unsigned lane : active) {
        sectors[addresses[lane] / sector_bytes] |= LaneMask::only(lane);
        sectors[(addresses[lane] + bytes - 1) / sector_bytes] |= LaneMask::only(lane);
    }
    std::vector<SectorRequest> requests;
    requests.reserve(sectors.size());
    for (const auto& [sector, lanes] : sectors) requests.push_back({sector, lanes});
    return requests;
}

/// The turn of a lane is the number of lower lanes at its address.
std::vector<SectorRequest> atomic_schedule(const Addresses& addresses, LaneMask active) {
    std::map<std::uint64_t, unsigned> lanes_at;
    std::map<std::pair<std::uint64_t, unsigned>, LaneMask> turns;
    for (const unsigned lane : active) {
        const unsigned turn = lanes_at[addresses[lane]]++;
        turns[{addresses[lane] / sector_bytes, turn}] |= LaneMask::only(lane);
    }
    std::vector<SectorRequest> requests;
    requests.reserve(turns.size());
    for (const auto& [turn, lanes] : turns) requests.push_back({turn.first, lanes});
    return requests;
}

}  // namespace

std::vector<SectorRequest> sector_schedule(Access access, unsigned bytes, const Addresses& addresses, LaneMask active) {
    return is_plain(access) ? plain_schedule(bytes, addresses, active) : atomic_schedule(addresses, active);
}

unsigned global_sectors(Access access, unsigned bytes, const Addresses& addresses, LaneMask active) {
    return is_plain(access) ? distinct_sectors(bytes, addresses, active) : atomic_sectors(addresses, active);
}

}  // namespace lanescope::model
