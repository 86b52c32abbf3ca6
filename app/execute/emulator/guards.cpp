#include "execute/emulator/guards.h"

namespace lanescope::execute {

void Guards::read(const Access& access, bool waits) {
    auto& own = reads_[access.block];
    // What a kernel reads at so many places is no guard.
    if (own.size() >= most_read && !own.contains(access.place)) own.clear();
    Read& last = own[access.place];
    const bool polls = last.number != 0 && last.thread == access.thread && last.blamed == access.blamed;
    last = {.number = ++number_, .thread = access.thread, .blamed = access.blamed, .waits = waits || polls};
}

void Guards::write(const Access& access, const BlockClock& clock) {
    if (places_.size() >= most_places && !places_.contains(access.place)) return;
    Place& place = places_[access.place];
    place.named = {.space = access.space, .address = access.address, .bytes = access.bytes};
    const Thread thread{access.block.value, access.thread};
    if (place.last.size() >= most_writers && !place.last.contains(thread)) return;
    place.last[thread] = {.number = ++number_,
                          .blamed = access.blamed,
                          .time = access.time,
                          .serial = access.serial,
                          .carried = clock.threads[access.thread].released};
}

std::optional<Guard> Guards::between(const Side& earlier, const Side& now) const {
    const bool same_block = earlier.block == now.block;
    const auto of_block = reads_.find(now.block);
    if (of_block == reads_.end()) return std::nullopt;
    std::optional<Guard> found;
    std::uint64_t newest = 0;
    for (const auto& [place, read] : of_block->second) {
        const auto known = places_.find(place);
        if (known == places_.end() || place == earlier.place || place == now.place || read.number < newest) continue;
        if (!read.waits || (same_block && read.thread != now.thread)) continue;
        const auto& last = known->second.last;
        const unsigned first = same_block ? earlier.thread : 0;
        for (auto write = last.lower_bound({earlier.block.value, first});
             write != last.end() && write->first.first == earlier.block.value; ++write) {
            const bool own = write->first.second == earlier.thread;
            if (same_block && !own) break;
            const Write& by = write->second;
            if (by.number > read.number || by.serial <= earlier.serial) continue;
            if (!own && by.time <= earlier.time) continue;  // no barrier came between the two threads
            const KnowledgePtr& carried = same_block ? by.carried.block : by.carried.grid;
            found = known->second.named;
            found->write = by.blamed;
            found->read = read.blamed;
            found->fenced = HappensBefore::covers(carried, earlier.block, earlier.thread, earlier.time);
            newest = read.number;
            if (own) break;
        }
    }
    return found;
}

}  // namespace lanescope::execute
