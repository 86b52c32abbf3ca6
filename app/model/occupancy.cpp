#include "model/occupancy.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace lanescope::model {

namespace {

/// The multiprocessor if this limit alone applied.
MultiprocessorLimits only(Occupancy::Limit limit, const MultiprocessorLimits& all) {
    constexpr std::uint64_t unbounded = std::numeric_limits<std::uint32_t>::max();
    MultiprocessorLimits one{.blocks = unbounded,
                             .warps = unbounded,
                             .shared_bytes = unbounded * unbounded,
                             .reserved_shared_bytes = all.reserved_shared_bytes};
    switch (limit) {
        case Occupancy::Limit::blocks: one.blocks = all.blocks; break;
        case Occupancy::Limit::warps: one.warps = all.warps; break;
        case Occupancy::Limit::shared_memory: one.shared_bytes = all.shared_bytes; break;
        case Occupancy::Limit::registers: break;
    }
    return one;
}

/// Blocks that the registers allow, by CUDA's own rule (cuda_occupancy.h): each scheduler has its share of them for its
/// own warps, and a launch is checked as if the block had warps of every scheduler.
std::uint64_t blocks_by_registers(const DeviceLimits& device, std::uint64_t warps, std::uint64_t registers_per_thread) {
    const std::uint64_t unit = device.register_unit, parts = device.schedulers;
    const std::uint64_t of_warp = (registers_per_thread * warp_size + unit - 1) / unit * unit;
    if ((warps + parts - 1) / parts * parts * of_warp > device.registers_per_block) return 0;
    return device.registers / parts / of_warp * parts / warps;
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
    const std::uint64_t warps = (threads + warp_size - 1) / warp_size;
    const BlockNeeds needs{.warps = warps, .shared_bytes = shared_bytes};
    const MultiprocessorLimits all = device.multiprocessor();
    std::optional<std::uint64_t> by_registers;
    if (registers_per_thread > 0) by_registers = blocks_by_registers(device, warps, registers_per_thread);
    found.blocks = resident_blocks(all, needs);
    if (by_registers) found.blocks = std::min(found.blocks, *by_registers);
    found.warps = found.blocks * warps;
    using Limit = Occupancy::Limit;
    for (const Limit limit : {Limit::blocks, Limit::warps, Limit::shared_memory}) {
        if (resident_blocks(only(limit, all), needs) == found.blocks) found.limits.push_back(limit);
    }
    if (by_registers == found.blocks) found.limits.push_back(Limit::registers);
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
