#include "execute/emulator/atomic_words.h"

#include <algorithm>
#include <array>
#include <limits>
#include <new>

namespace lanescope::execute {

AtomicWords::Counters& AtomicWords::counters_of(std::uint64_t base, std::uint64_t words) {
    if (last_ != nullptr && last_base_ == base) return *last_;
    Counters& counters = regions_[base];
    if (counters.counts == nullptr) {
        counters.words = words;
        counters.counts.reset(static_cast<std::uint32_t*>(std::calloc(words, sizeof(std::uint32_t))));
        if (counters.counts == nullptr) throw std::bad_alloc();
    }
    last_base_ = base;
    last_ = &counters;
    return counters;
}

void AtomicWords::add(Counters& counters, std::uint64_t at, std::uint32_t times) {
    std::uint32_t& count = counters.counts[at];
    count += std::min(times, std::numeric_limits<std::uint32_t>::max() - count);
    most_ = std::max<std::uint64_t>(most_, count);
}

void AtomicWords::add(const Region& region, const Targets& targets) {
    Counters& counters = counters_of(region.base(), (region.bytes() + word - 1) / word);
    if (targets.shape == Targets::Shape::same) {
        if (targets.lanes.any()) add(counters, targets.offset[targets.lanes.lowest()] / word, 1);
        return;
    }
    std::array<std::uint32_t, 32> words{};
    unsigned count = 0;
    for (const unsigned lane : targets.lanes) words[count++] = targets.offset[lane] / static_cast<std::uint32_t>(word);
    std::sort(words.begin(), words.begin() + count);
    const auto* const past = std::unique(words.begin(), words.begin() + count);
    for (const auto* at = words.begin(); at != past; ++at) add(counters, *at, 1);
}

void AtomicWords::add(const AtomicWords& other) {
    for (const auto& [base, from] : other.regions_) {
        Counters& to = counters_of(base, from.words);
        for (std::uint64_t at = 0; at < from.words; ++at)
            if (from.counts[at] != 0) add(to, at, from.counts[at]);
    }
}

}  // namespace lanescope::execute
