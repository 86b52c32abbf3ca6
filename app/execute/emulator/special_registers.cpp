#include "execute/emulator/special_registers.h"

#include <algorithm>

namespace lanescope::execute {

namespace {

struct Position {
    const Code& code;
    const trace::Dim3& grid;
    const trace::Dim3& block_size;
    const LaunchPlaces& places;
    const Block& block;
    const Warp& warp;

    [[nodiscard]] std::uint64_t value(ptx::Special special, unsigned lane) const {
        using enum ptx::Special;
        const std::uint32_t thread = warp.id.value * warp_size + lane;
        const std::uint32_t one = 1U << lane;
        switch (special) {
            case tid_x: return thread % block_size.x;
            case tid_y: return thread / block_size.x % block_size.y;
            case tid_z: return thread / block_size.x / block_size.y;
            case ntid_x: return block_size.x;
            case ntid_y: return block_size.y;
            case ntid_z: return block_size.z;
            case ctaid_x: return block.index.x;
            case ctaid_y: return block.index.y;
            case ctaid_z: return block.index.z;
            case nctaid_x: return grid.x;
            case nctaid_y: return grid.y;
            case nctaid_z: return grid.z;
            case laneid: return lane;
            case warpid: return warp.id.value;
            case nwarpid: return block.warps.size();
            case nsmid: return 1;
            case lanemask_eq: return one;
            case lanemask_le: return one | (one - 1U);
            case lanemask_lt: return one - 1U;
            case lanemask_ge: return ~(one - 1U);
            case lanemask_gt: return ~(one | (one - 1U));
            case dynamic_smem_size: return places.dynamic_shared_bytes;
            case envreg1: return places.workspace >> 32;  // the grid's workspace, high and low
            case envreg2: return places.workspace & 0xFFFF'FFFFU;
            case reserved_smem_offset_1: return places.reserved_shared;
            case total_smem_size:
            case aggr_smem_size: return block.shared.bytes();
            default: return 0;  // smid, gridid: one of each
        }
    }
};

bool differs_by_block(ptx::Special special) {
    return special == ptx::Special::ctaid_x || special == ptx::Special::ctaid_y || special == ptx::Special::ctaid_z;
}

}  // namespace

void write_special_registers(const Code& code, const trace::Dim3& grid, const trace::Dim3& block_size,
                             const LaunchPlaces& places, const Block& block, Warp& warp, bool of_block) {
    const Position position{code, grid, block_size, places, block, warp};
    for (const SpecialRow& row : code.specials) {
        if (differs_by_block(row.special) != of_block) continue;
        if (of_block) {  // the same in all lanes
            const std::uint64_t value = position.value(row.special, 0);
            if (row.row == Row::wide)
                std::fill_n(warp.wide(row.slot), warp_size, value);
            else
                std::fill_n(warp.narrow(row.slot), warp_size, static_cast<std::uint32_t>(value));
            continue;
        }
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const std::uint64_t value = position.value(row.special, lane);
            if (row.row == Row::wide)
                warp.wide(row.slot)[lane] = value;
            else
                warp.narrow(row.slot)[lane] = static_cast<std::uint32_t>(value);
        }
    }
}

}  // namespace lanescope::execute
