// Tests of mbarriers that came too early: how often a thread repeats a test until the phase is complete depends on
// timing. A failed test, and what leads from it to the same test again without an access to memory, is no difference.
#pragma once

#include "execute/gpu/record.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lanescope::execute {

/// Whether any of the sites is a test of an mbarrier.
[[nodiscard]] bool waits(const Rewritten& rewritten);

/// Whether the entry says that an mbarrier's phase is not complete.
[[nodiscard]] bool is_early_test(const Rewritten& rewritten, const Entry& entry);

/// The entries without repeated tests, by their index in a log of `size` entries.
template <class EntryAt>
[[nodiscard]] std::vector<std::size_t> without_early_tests(const Rewritten& rewritten, std::size_t size,
                                                           EntryAt entry_at) {
    const auto follows = [&](std::size_t test) {
        const Entry early = entry_at(test);
        for (std::size_t i = test + 1; i < size; ++i) {
            const Entry entry = entry_at(i);
            const Site& site = rewritten.sites[entry.site];
            if (site.logged == Logged::wait)
                return entry.site == early.site && entry.address == early.address ? i : test;
            if (site.space != ptx::Space::none || site.logged == Logged::barrier) return test;
        }
        return test;
    };
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < size;) {
        const std::size_t again = is_early_test(rewritten, entry_at(i)) ? follows(i) : i;
        if (again == i) kept.push_back(i++);
        i = std::max(i, again);
    }
    return kept;
}

}  // namespace lanescope::execute
