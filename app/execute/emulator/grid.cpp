#include "execute/emulator/grid.h"

#include "execute/emulator/special_registers.h"

#include <algorithm>
#include <cstring>

namespace lanescope::execute {

Grid::Grid(LaunchState& state, const LaunchRequest& request, const Limits& limits, std::uint64_t record_blocks,
           std::uint64_t& budget)
    : state_(state),
      request_(request),
      limits_(limits),
      record_blocks_(record_blocks),
      budget_(budget),
      recorder_(state),
      counter_(state) {
    const std::uint64_t threads = request.block.count();
    const std::uint64_t warps = (threads + warp_size - 1) / warp_size;
    const std::uint64_t shared = state.code.kernel->dynamic_shared_offset + request.dynamic_shared_bytes;
    const std::uint64_t shared_bytes = std::max(shared, state.code.kernel->shared_bytes);
    const std::uint64_t resident = std::clamp<std::uint64_t>(limits.resident_blocks, 1, request.grid.count());
    for (std::uint64_t i = 0; i < resident; ++i) {
        auto block = std::make_unique<Block>();
        block->files = RowStorage(warps * state.code.file_bytes);
        block->shared = Region(0, shared_bytes);
        block->local = Region(0, warps * warp_size * state.code.local_bytes);
        block->warps.resize(warps);
        for (std::uint32_t number = 0; number < warps; ++number) {
            Warp& warp = block->warps[number];
            warp.id = WarpId(number);
            warp.file = block->files.data() + std::size_t{number} * state.code.file_bytes;
            std::memset(warp.file, 0, state.code.file_bytes);
            warp.word(always_slot) = ~0U;
            for (const ConstantRow& constant : state.code.constants) {
                switch (constant.row) {
                    case Row::wide: std::fill_n(warp.wide(constant.slot), 32, constant.bits); break;
                    case Row::narrow:
                        std::fill_n(warp.narrow(constant.slot), 32, static_cast<std::uint32_t>(constant.bits));
                        break;
                    default: warp.word(constant.slot) = static_cast<std::uint32_t>(constant.bits); break;
                }
            }
            write_special_registers(state.code, request.grid, request.block, request.dynamic_shared_bytes, *block, warp,
                                    false);
        }
        resident_.push_back(std::move(block));
    }
}

void Grid::start(Block& block, std::uint64_t index) {
    block.id = BlockId(static_cast<std::uint32_t>(index));
    const trace::Dim3& grid = request_.grid;
    block.index = {static_cast<std::uint32_t>(index % grid.x), static_cast<std::uint32_t>(index / grid.x % grid.y),
                   static_cast<std::uint32_t>(index / grid.x / grid.y)};
    block.recorded = index < record_blocks_;
    if (block.recorded) state_.writer.trace().launches.back().recorded.push_back(block.id);
    block.live = static_cast<std::uint32_t>(request_.block.count());
    block.barriers = {};
    block.shared.clear();
    block.local.clear();
    for (Warp& warp : block.warps) start_warp(block, warp);
}

void Grid::start_warp(Block& block, Warp& warp) {
    const Code& code = state_.code;
    const std::uint32_t cleared = block.recorded ? code.registers_end : code.rows_begin;
    std::memset(warp.file + code.registers_begin, 0, cleared - code.registers_begin);
    if (!block.recorded) {
        for (const RowSpan& row : code.cleared_rows) std::memset(warp.file + row.slot, 0, row.bytes);
    }
    write_special_registers(code, request_.grid, request_.block, request_.dynamic_shared_bytes, block, warp, true);
    const auto threads = static_cast<unsigned>(request_.block.count());
    warp.paths.start(LaneMask::first(std::min(warp_size, threads - warp.id.value * warp_size)), 0);
    warp.epoch = 0;
    warp.counts = &state_.counts_of(0);
    warp.clock = 0;
    warp.loop = no_pc;
}

Grid::Turn Grid::turn(Block& block) {
    const std::uint64_t steps = block.recorded ? recorder_.turn(block) : counter_.turn(block);
    budget_ -= std::min(budget_, steps);
    if (block.live == 0) return Turn::finished;
    return steps > 0 ? Turn::goes_on : Turn::stuck;
}

Grid::End Grid::run(Progress& progress, std::uint64_t& done, std::uint64_t total) {
    const std::uint64_t blocks = request_.grid.count();
    std::uint64_t next = 0;
    std::vector<Block*> running;
    for (const auto& block : resident_) {
        start(*block, next++);
        running.push_back(block.get());
    }
    while (!running.empty()) {
        for (std::size_t i = 0; i < running.size();) {
            Block& block = *running[i];
            const Turn turned = turn(block);
            if (state_.stopped) return End::stopped;
            if (turned == Turn::stuck) {
                state_.faults.deadlock(block);
                return End::stopped;
            }
            if (budget_ == 0) {
                state_.faults.budget_spent(block, block.warps.front(), limits_.warp_instructions);
                return End::stopped;
            }
            if (progress.cancelled()) return End::cancelled;
            if (block.recorded && state_.writer.bytes() > limits_.record_bytes) return End::too_much;
            if (turned == Turn::goes_on) {
                ++i;
                continue;
            }
            if (block.recorded) ++recorded_;
            progress.report(static_cast<float>(++done) / static_cast<float>(total));
            if (next < blocks) {
                start(block, next++);
                ++i;
            } else {
                running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    }
    return End::complete;
}

}  // namespace lanescope::execute
