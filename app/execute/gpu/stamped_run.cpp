#include "execute/gpu/stamped_run.h"

#include "base/ids.h"
#include "execute/gpu/delay.h"
#include "execute/gpu/prepared.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace lanescope::execute {

namespace {

std::uint32_t warps_of_block(const GpuLaunch& launch) {
    return static_cast<std::uint32_t>((launch.block.count() + warp_size - 1) / warp_size);
}

constexpr std::uint64_t readings = 256;

/// Waits for each new value.
constexpr const char* timer_ptx = R"(.version 6.3
.target sm_50
.address_size 64
.visible .entry read_timer(.param .u64 out)
{
	.reg .pred %p;
	.reg .b32 %i;
	.reg .b64 %at, %now, %last;
	ld.param.u64 %at, [out];
	cvta.to.global.u64 %at, %at;
	mov.u32 %i, 0;
	mov.u64 %last, %globaltimer;
again:
	mov.u64 %now, %globaltimer;
	setp.eq.s64 %p, %now, %last;
	@%p bra again;
	st.global.b64 [%at], %now;
	mov.b64 %last, %now;
	add.s64 %at, %at, 8;
	add.s32 %i, %i, 1;
	setp.lt.u32 %p, %i, 256;
	@%p bra again;
	ret;
}
)";

WarpTime warp_time(const WarpStamps& of, std::uint64_t first_cycle) {
    const auto since = [&](std::uint64_t cycle) { return cycle > first_cycle ? cycle - first_cycle : 0; };
    WarpTime time{.begin = since(of.stamps.begin_cycles),
                  .end = since(of.stamps.end_cycles),
                  .waits = of.stamps.waits,
                  .kept = of.waits};
    for (WaitStamp& wait : time.kept) wait.arrived = since(wait.arrived);
    return time;
}

}  // namespace

std::vector<WarpStamps> warp_stamps(std::span<const std::byte> bytes, unsigned waits) {
    const std::size_t each = stamp_bytes + waits * wait_bytes;
    std::vector<WarpStamps> warps(bytes.size() / each);
    for (std::size_t i = 0; i < warps.size(); ++i) {
        const std::span<const std::byte> of_warp = bytes.subspan(i * each, each);
        std::memcpy(&warps[i].stamps, of_warp.data(), stamp_bytes);
        warps[i].waits.resize(std::min<std::size_t>(waits, warps[i].stamps.waits));
        if (warps[i].waits.empty()) continue;
        std::memcpy(warps[i].waits.data(), of_warp.data() + stamp_bytes, warps[i].waits.size() * wait_bytes);
    }
    return warps;
}

std::vector<BlockTime> block_times(std::span<const WarpStamps> warps, std::uint32_t warps_of_block,
                                   std::uint64_t first) {
    std::vector<BlockTime> blocks;
    for (std::size_t at = 0; at + warps_of_block <= warps.size(); at += warps_of_block) {
        BlockTime block{.begin = std::numeric_limits<std::uint64_t>::max()};
        std::uint64_t first_cycle = std::numeric_limits<std::uint64_t>::max(), last_cycle = 0;
        std::uint64_t not_first_poll = 0, last_poll = 0;
        const std::span<const WarpStamps> of_block = warps.subspan(at, warps_of_block);
        for (const auto& [warp, waits] : of_block) {
            block.whole = block.whole && warp.begin != 0 && warp.end != 0;
            if (warp.begin == 0) continue;
            block.multiprocessor = warp.multiprocessor - 1;
            block.begin = std::min(block.begin, warp.begin - first);
            block.end = std::max(block.end, warp.end == 0 ? 0 : warp.end - first);
            first_cycle = std::min(first_cycle, warp.begin_cycles);
            last_cycle = std::max(last_cycle, warp.end_cycles);
            block.polled_cycles = std::max(block.polled_cycles, warp.polled_cycles);
            not_first_poll = std::max(not_first_poll, warp.not_first_poll);
            last_poll = std::max(last_poll, warp.last_poll);
        }
        block.cycles = last_cycle > first_cycle ? last_cycle - first_cycle : 0;
        if (block.polled_cycles > 0) {
            block.first_poll = ~not_first_poll - first;
            block.last_poll = last_poll - first;
        }
        for (const WarpStamps& warp : of_block) block.warps.push_back(warp_time(warp, first_cycle));
        blocks.push_back(std::move(block));
    }
    return blocks;
}

GpuProgram stamped_program(GpuProgram program, const Stamped& stamped) {
    program.ptx = stamped.ptx;
    program.instrumented = true;
    for (GpuBuffer& buffer : program.buffers) buffer.result = false;
    GpuBuffer stamps{.name = "stamps", .element = trace::Element::u64, .result = true};
    for (GpuLaunch& launch : program.launches) {
        launch.arguments.push_back(
            {.buffer = static_cast<std::uint32_t>(program.buffers.size()), .offset = stamps.bytes});
        stamps.bytes += launch.grid.count() * warps_of_block(launch) * (stamp_bytes + stamped.waits * wait_bytes);
    }
    program.buffers.push_back(std::move(stamps));
    return program;
}

Result<StampedRun> run_stamped(const Device& device, const GpuProgram& stamped, unsigned waits, unsigned runs,
                               Progress& progress) {
    const auto prepared = Prepared::make(device, stamped, Prepared::Copies::one);
    if (!prepared) return std::unexpected(prepared.error());
    const std::uint64_t past_cache = device.facts().past_cache_bytes();
    const auto other = DeviceMemory::allocate(device, past_cache);
    if (!other) return std::unexpected(other.error());
    const auto delay = Delay::make(device);
    if (!delay) return std::unexpected(delay.error());

    const auto once = [&]() -> Result<StampedRun> {
        Result<void> done = prepared->restore(0);
        if (done) done = other->fill(0, 0, past_cache);
        if (done) done = delay->start(4 * stamped.launches.size());
        for (std::size_t i = 0; i < stamped.launches.size() && done; ++i) {
            done = prepared->write(i, 0);
            if (done) done = prepared->launch(i, 0);
        }
        if (done) done = device.finish();
        if (!done) return std::unexpected(done.error());
        const auto results = prepared->results(0);
        if (!results) return std::unexpected(results.error());
        const std::vector<WarpStamps> warps = warp_stamps(results->back(), waits);
        std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0;
        for (const auto& [warp, of_warp] : warps) {
            if (warp.begin != 0) first = std::min(first, warp.begin);
            last = std::max(last, warp.end);
        }
        if (last < first)
            return fail("no warp of the program ran to its end", {}, "The emulator's findings may say why.");
        StampedRun run{.launches = {}, .span = last - first};
        std::size_t at = 0;
        for (const GpuLaunch& launch : stamped.launches) {
            const std::size_t count = launch.grid.count() * warps_of_block(launch);
            run.launches.push_back(block_times(std::span(warps).subspan(at, count), warps_of_block(launch), first));
            at += count;
        }
        return run;
    };

    std::vector<StampedRun> all;
    for (unsigned i = 0; i <= runs && !progress.cancelled(); ++i) {
        auto run = once();
        if (!run) return run;
        if (i > 0) all.push_back(std::move(*run));
    }
    if (all.empty()) return fail("cancelled");
    std::ranges::sort(all, {}, &StampedRun::span);
    return std::move(all[all.size() / 2]);
}

Result<std::uint64_t> timer_step(const Device& device) {
    const auto module = DeviceModule::load(device, timer_ptx);
    if (!module) return std::unexpected(module.error());
    const auto kernel = module->kernel("read_timer", 0);
    if (!kernel) return std::unexpected(kernel.error());
    const auto memory = DeviceMemory::allocate(device, readings * sizeof(std::uint64_t));
    if (!memory) return std::unexpected(memory.error());
    DeviceAddress address = memory->address();
    std::array<void*, 1> arguments{&address};
    const Status status = device.driver().launch(*kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments.data(), nullptr);
    if (status != 0) return std::unexpected(device.driver().problem("the GPU rejects the measurement", status));
    if (const auto done = device.finish(); !done) return std::unexpected(done.error());
    const auto bytes = memory->read(readings * sizeof(std::uint64_t));
    if (!bytes) return std::unexpected(bytes.error());
    std::array<std::uint64_t, readings> values{};
    std::memcpy(values.data(), bytes->data(), bytes->size());
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 1; i < values.size(); ++i) least = std::min(least, values[i] - values[i - 1]);
    return least;
}

}  // namespace lanescope::execute
