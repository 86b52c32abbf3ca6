#include "execute/emulator/held_races.h"

#include <utility>

namespace lanescope::execute {

void HeldRaces::hold(const Reader& reader, std::uint64_t value, Pc read, trace::Finding race) {
    // Each takes some hundred bytes. A kernel with more of them pending makes such reads on purpose or not at all.
    constexpr std::size_t most = 100'000;
    if (held_.contains(reader)) return;
    if (held_.size() >= most)
        faults_.report(std::move(race));
    else
        held_.emplace(reader, Held{.value = value, .read = read, .race = std::move(race)});
}

void HeldRaces::settle(const Reader& reader, std::optional<std::uint64_t> comparand, Pc pc) {
    const auto found = held_.find(reader);
    if (found == held_.end()) return;
    Held held = std::move(found->second);
    held_.erase(found);
    if (comparand == held.value) return faults_.remark_verified_read(held.race.variable, held.read, pc);
    faults_.report(std::move(held.race));
}

void HeldRaces::report_rest() {
    for (auto& [reader, held] : held_) faults_.report(std::move(held.race));
    held_.clear();
}

}  // namespace lanescope::execute
