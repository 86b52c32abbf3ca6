#include "analysis/lost_time.h"

#include "base/ids.h"

#include <algorithm>

namespace lanescope::analysis {

double lost_issues(const Pass& pass) {
    const trace::Counts& counts = pass.counts;
    const std::uint64_t accesses =
        counts.shared_load_instructions + counts.shared_store_instructions + counts.shared_atomic_instructions;
    const std::uint64_t wavefronts =
        counts.shared_load_wavefronts + counts.shared_store_wavefronts + counts.shared_atomic_wavefronts;
    const double replays = wavefronts > accesses ? static_cast<double>(wavefronts - accesses) : 0;
    return static_cast<double>(counts.warp_instructions) + replays - static_cast<double>(pass.useful_lanes) / warp_size;
}

std::optional<std::size_t> costliest_pass(const BlockPasses& passes) {
    if (passes.passes.empty()) return std::nullopt;
    const auto worst = std::ranges::max_element(passes.passes, {}, lost_issues);
    return static_cast<std::size_t>(worst - passes.passes.begin());
}

}  // namespace lanescope::analysis
