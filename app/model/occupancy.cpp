#include "model/occupancy.h"

#include <limits>

namespace lanescope::model {

namespace {

/// A multiprocessor that this limit alone bounds.
MultiprocessorLimits only(Occupancy::Limit limit, const MultiprocessorLimits& all) {
    constexpr std::uint64_t unbounded = std::numeric_limits<std::uint32_t>::max();
    MultiprocessorLimits one{.blocks = unbounded,
                             .warps = unbounded,
                             .shared_bytes = unbounded * unbounded,
                             .reserved_shared_bytes = all.reserved_shared_bytes,
                             .registers = unbounded * unbounded,
                             .register_unit = all.register_unit};
    switch (limit) {
        case Occupancy::Limit::blocks: one.blocks = all.blocks; break;
        case Occupancy::Limit::warps: one.warps = all.warps; break;
        case Occupancy::Limit::shared_memory: one.shared_bytes = all.shared_bytes; break;
        case Occupancy::Limit::registers: one.registers = all.registers; break;
    }
    return one;
}

}  // namespace

Occupancy occupancy(const DeviceLimits& device, const Extent& block, std::uint64_t shared_bytes,
                    std::uint64_t registers_per_thread) {
    Occupancy found{.most_warps = device.warps, .limits = {}, .excess = {}};
    const auto excess = [&](const std::optional<LaunchExcess>& why) {
        if (why && found.excess.empty()) found.excess = why->remedy();
    };
    excess(block_excess(block, device.threads_per_block, device.block));
    excess(shared_memory_excess(0, shared_bytes, device.shared_bytes_per_block));
    if (!found.excess.empty()) return found;

    const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
    const BlockNeeds needs{
        .threads = threads, .shared_bytes = shared_bytes, .registers_per_thread = registers_per_thread};
    const MultiprocessorLimits all = device.multiprocessor();
    found.blocks = resident_blocks(all, needs);
    found.warps = found.blocks * ((threads + warp_size - 1) / warp_size);
    using Limit = Occupancy::Limit;
    for (const Limit limit : {Limit::blocks, Limit::warps, Limit::shared_memory, Limit::registers}) {
        if (resident_blocks(only(limit, all), needs) == found.blocks) found.limits.push_back(limit);
    }
    return found;
}

std::string_view name_of(Occupancy::Limit limit) {
    switch (limit) {
        case Occupancy::Limit::blocks: return "blocks";
        case Occupancy::Limit::warps: return "warps";
        case Occupancy::Limit::shared_memory: return "shared memory";
        case Occupancy::Limit::registers: break;
    }
    return "registers";
}

}  // namespace lanescope::model
