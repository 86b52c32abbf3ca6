#include "execute/emulator/copies.h"

#include <algorithm>

namespace lanescope::execute {

void Copies::begin(std::size_t threads) {
    copies_.clear();
    threads_.assign(threads, {});
}

void Copies::start(WarpId warp, LaneMask lanes, std::uint32_t serial, Shadow& shadow) {
    Copy& copy = copies_[serial];
    if (std::ranges::find(copy.touches, &shadow) == copy.touches.end()) copy.touches.push_back(&shadow);
    for (const unsigned lane : lanes & ~copy.under_way) {
        Thread& thread = threads_[warp.index() * warp_size + lane];
        thread.under_way.push_back({.serial = serial, .group = thread.closed});
    }
    copy.under_way |= lanes;
}

void Copies::close_group(WarpId warp, LaneMask lanes) {
    for (const unsigned lane : lanes) ++threads_[warp.index() * warp_size + lane].closed;
}

template <class Ends>
void Copies::finish(unsigned thread, Time now, Ends ends) {
    std::erase_if(threads_[thread].under_way, [&](const Started& started) {
        if (!ends(started)) return false;
        Copy& copy = copies_[started.serial];
        const unsigned lane = thread % warp_size;
        copy.done[lane] = now;
        copy.under_way &= ~LaneMask::only(lane);
        if (copy.under_way.none()) {
            for (Shadow* shadow : copy.touches) shadow->finish(started.serial, now);
        }
        return true;
    });
}

void Copies::wait_for_groups(WarpId warp, LaneMask lanes, std::uint64_t kept, Time now) {
    for (const unsigned lane : lanes) {
        const unsigned thread = warp.value * warp_size + lane;
        const std::uint64_t closed = threads_[thread].closed;
        finish(thread, now, [&](const Started& started) { return started.group + kept < closed; });
    }
}

void Copies::wait_for_all(WarpId warp, LaneMask lanes, Time now) {
    close_group(warp, lanes);
    wait_for_groups(warp, lanes, 0, now);
}

Time Copies::done(std::uint32_t serial, unsigned lane) const {
    const auto copy = copies_.find(serial);
    return copy == copies_.end() ? 0 : copy->second.done[lane];
}

}  // namespace lanescope::execute
