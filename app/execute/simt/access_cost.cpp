#include "execute/simt/access_cost.h"

#include "execute/simt/lanes.h"

namespace lanescope::execute {

namespace {

LANESCOPE_FOR_EACH_PROCESSOR void distances_of(const std::uint32_t* offsets, std::uint32_t* distances) {
    const std::uint32_t first = offsets[0];
    for (unsigned lane = 0; lane < 32; ++lane) distances[lane] = offsets[lane] - first;
}

LANESCOPE_FOR_EACH_PROCESSOR bool same_distances(const std::uint32_t* offsets, const std::uint32_t* distances) {
    const std::uint32_t first = offsets[0];
    std::uint32_t different = 0;
    for (unsigned lane = 0; lane < 32; ++lane) different |= (offsets[lane] - first) ^ distances[lane];
    return different == 0;
}

model::Addresses addresses_of(const Targets& targets) {
    model::Addresses addresses;
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = targets.offset[lane];
    return addresses;
}

}  // namespace

bool AccessCost::look_up(std::unique_ptr<Patterns>& patterns, const Targets& targets, std::uint32_t begin,
                         Pattern*& place) {
    if (!patterns) patterns = std::make_unique<Patterns>();
    const std::uint32_t spread =
        targets.offset[31 - static_cast<unsigned>(std::countl_zero(targets.lanes.bits()))] - targets.offset[0];
    const std::uint32_t hash = (targets.lanes.bits() * 0x9E3779B1U) ^ (spread * 0x85EBCA6BU) ^ (begin * 0xC2B2AE35U);
    place = &(*patterns)[hash >> 26];
    if (place->lanes == targets.lanes && place->begin == begin &&
        same_distances(targets.offset.data(), place->distance.data())) {
        return true;
    }
    distances_of(targets.offset.data(), place->distance.data());
    place->lanes = targets.lanes;
    place->begin = begin;
    return false;
}

model::Wavefronts AccessCost::wavefronts(const Targets& targets) {
    // One word, or consecutive words: no two in one bank.
    if (one_wavefront_ && targets.shape != Targets::Shape::scattered && targets.lanes.any()) {
        return model::is_load(access_) ? model::Wavefronts{.load = 1} : model::Wavefronts{.store = 1};
    }
    // Moving all lanes by the same number of words rotates the banks.
    const std::uint32_t begin = targets.offset[0] & (banks_.word_bytes - 1U);
    Pattern* pattern = nullptr;
    if (!look_up(shared_, targets, begin, pattern)) {
        pattern->wavefronts = model::wavefronts(access_, bytes_, addresses_of(targets), targets.lanes, banks_);
    }
    return pattern->wavefronts;
}

unsigned AccessCost::sectors(const Targets& targets) {
    if (plain_ && targets.consecutive() && targets.lanes == LaneMask::all()) {
        return sectors_of_consecutive(targets.offset[0], bytes_);
    }
    Pattern* pattern = nullptr;
    if (!look_up(global_, targets, targets.offset[0] % model::sector_bytes, pattern)) {
        pattern->sectors = model::global_sectors(access_, bytes_, addresses_of(targets), targets.lanes);
    }
    return pattern->sectors;
}

}  // namespace lanescope::execute
