#include "execute/emulator/block_independence.h"

namespace lanescope::execute {

BlockIndependence::BlockIndependence(const std::vector<const Region*>& written) {
    for (const Region* region : written) {
        const std::uint64_t words = (region->bytes() + word_bytes - 1) / word_bytes;
        Words& marks = written_[region];
        marks.readers = Tags(words);
        marks.writers = Tags(words);
    }
}

bool BlockIndependence::touch(const Region& region, const Targets& targets, unsigned bytes, bool writes, Part part) {
    bool free = true;
    if (const auto found = written_.find(&region); found != written_.end()) {
        for (const unsigned lane : targets.lanes) {
            const std::uint64_t first = targets.offset[lane] / word_bytes;
            const std::uint64_t last = (targets.offset[lane] + bytes - 1) / word_bytes;
            for (std::uint64_t word = first; word <= last; ++word) {
                free = (writes ? write(found->second, word, part) : read(found->second, word, part)) && free;
            }
        }
    } else {
        free = !writes;
    }
    if (!free) violated_.store(true, std::memory_order_relaxed);
    return free;
}

// Each thread sets its tag before it reads the other's, in one order for all threads: when two parts meet, the later
// one sees the earlier and does not access the word.

bool BlockIndependence::read(Words& words, std::uint64_t word, Part part) {
    const std::atomic_ref readers(words.readers[word]);
    Part before = readers.load(std::memory_order_relaxed);
    while (before != part && before != several) {
        if (readers.compare_exchange_weak(before, before == 0 ? part : several)) break;
    }
    const Part writer = std::atomic_ref(words.writers[word]).load();
    return writer == 0 || writer == part;
}

bool BlockIndependence::write(Words& words, std::uint64_t word, Part part) {
    const std::atomic_ref writers(words.writers[word]);
    Part before = part;
    if (writers.load(std::memory_order_relaxed) != part) before = writers.exchange(part);
    const Part reader = std::atomic_ref(words.readers[word]).load();
    return (before == 0 || before == part) && (reader == 0 || reader == part);
}

}  // namespace lanescope::execute
