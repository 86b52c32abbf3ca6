#include "host/device_facts.h"

#include <algorithm>

namespace lanescope::host {

DeviceFacts facts_of(const model::DeviceLimits& limits) {
    DeviceFacts facts;
    facts.major = static_cast<std::int32_t>(limits.capability / 10);
    facts.minor = static_cast<std::int32_t>(limits.capability % 10);
    facts.warp_size = warp_size;
    facts.threads_per_block = static_cast<std::int32_t>(limits.threads_per_block);
    facts.threads_per_multiprocessor = static_cast<std::int32_t>(limits.threads());
    facts.blocks_per_multiprocessor = static_cast<std::int32_t>(limits.blocks);
    std::ranges::copy(limits.block, facts.most_block);
    std::ranges::copy(limits.grid, facts.most_grid);
    facts.registers_per_block = static_cast<std::int32_t>(limits.registers_per_block);
    facts.registers_per_multiprocessor = static_cast<std::int32_t>(limits.registers);
    facts.shared_per_block = limits.static_shared_bytes;
    facts.shared_per_block_optin = limits.shared_bytes_per_block;
    facts.shared_per_multiprocessor = limits.shared_bytes;
    facts.shared_reserved = limits.reserved_shared_bytes;
    facts.constant_bytes = limits.constant_bytes;
    facts.stack_bytes_per_thread = limits.stack_bytes_per_thread;
    facts.heap_bytes = limits.heap_bytes;
    facts.printf_bytes = limits.printf_bytes;
    return facts;
}

}  // namespace lanescope::host
