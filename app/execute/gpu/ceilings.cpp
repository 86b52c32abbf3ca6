#include "execute/gpu/ceilings.h"

#include "base/grouped.h"
#include "base/ids.h"
#include "execute/gpu/delay.h"
#include "execute/gpu/device.h"
#include "model/device_limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace lanescope::execute {

namespace {

/// Times `act` repeatedly, after a few untimed calls; all are queued while a delay kernel runs.
Result<std::vector<double>> time_action(const Device& device, unsigned samples,
                                        const std::function<Status(unsigned)>& act) {
    constexpr unsigned warm_ups = 5;
    const auto clock = Clock::make(device, samples);
    if (!clock) return std::unexpected(clock.error());
    const auto delay = Delay::make(device);
    if (!delay) return std::unexpected(delay.error());
    if (const auto done = delay->start(3 * (warm_ups + samples)); !done) return std::unexpected(done.error());
    for (unsigned run = 0; run < warm_ups + samples; ++run) {
        if (run >= warm_ups) clock->start(run - warm_ups);
        if (const Status status = act(run); status != 0)
            return std::unexpected(device.driver().problem("the GPU rejects the measurement", status));
        if (run >= warm_ups) clock->stop(run - warm_ups);
    }
    if (const auto done = device.finish(); !done) return std::unexpected(done.error());
    std::vector<double> times;
    for (unsigned run = 0; run < samples; ++run) {
        const auto time = clock->microseconds(run);
        if (!time) return std::unexpected(time.error());
        times.push_back(*time);
    }
    return times;
}

/// Memory in regions of `bytes`, together twice the L2 cache. They are used in turn, so that none is still in the
/// cache, not even at first, since all of it has just been filled.
struct Regions {
    DeviceMemory memory;
    std::uint64_t bytes, count;

    static Result<Regions> make(const Device& device, std::uint64_t bytes) {
        const std::uint64_t count = std::max<std::uint64_t>(device.facts().past_cache_bytes() / bytes + 1, 2);
        auto memory = DeviceMemory::allocate(device, bytes * count);
        if (!memory) return std::unexpected(memory.error());
        constexpr unsigned char anything = 0x55;
        if (const auto done = memory->fill(anything, 0, bytes * count); !done) return std::unexpected(done.error());
        return Regions{std::move(*memory), bytes, count};
    }
    [[nodiscard]] DeviceAddress at(std::uint64_t run) const { return memory.address() + run % count * bytes; }
};

/// The launch configuration of a sweep.
struct Shape {
    unsigned block;
    unsigned in_flight;  ///< loads of a thread before it uses the first
    bool resident;  ///< as many blocks as fit at once, in a grid-stride loop; otherwise one for each part of the memory
};
constexpr std::array shapes{Shape{512, 4, true},  Shape{1024, 2, true}, Shape{256, 8, true},
                            Shape{256, 4, false}, Shape{512, 2, false}, Shape{128, 8, false}};
constexpr unsigned vector_bytes = 16;
/// Loads in flight, and the bytes of each: four of 4 bytes bring as much as one of 16.
constexpr std::array<std::pair<unsigned, unsigned>, 6> resident_loads{
    {{1, 4}, {2, 4}, {4, 4}, {1, 16}, {8, 4}, {4, 16}}};

/// A kernel that xors words of memory, `in_flight` loads at a time, and stores the result only if it is one number
/// among 2^32, so that the compiler keeps every load. Parameters: memory, number of loads, where to store.
std::string sweep_ptx(unsigned in_flight, unsigned load_bytes) {
    constexpr unsigned first = 10;  // the registers before it are the kernel's own
    const unsigned words = load_bytes / 4;
    const auto load = [&](unsigned from) {
        std::vector<std::string> names;
        for (unsigned i = 0; i < words; ++i) names.push_back(fmt::format("%r{}", from + i));
        return words == 1 ? fmt::format("\tld.global.nc.u32 {}, [%a];\n", names[0])
                          : fmt::format("\tld.global.nc.v{}.u32 {{{}}}, [%a];\n", words, fmt::join(names, ", "));
    };
    const auto use = [&](unsigned from) {
        std::string text;
        for (unsigned i = 0; i < words; ++i) text += fmt::format("\txor.b32 %acc, %acc, %r{};\n", from + i);
        return text;
    };
    std::string loads, uses;
    for (unsigned k = 0; k < in_flight; ++k) {
        loads += load(first + words * k) + "\tadd.u64 %a, %a, %step;\n";
        uses += use(first + words * k);
    }
    return fmt::format(R"(.version 6.3
.target sm_50
.address_size 64
.visible .entry sweep(.param .u64 from, .param .u64 vectors, .param .u64 to)
{{
	.reg .pred %p;
	.reg .b32 %acc, %r<{registers}>;
	.reg .b64 %from, %vectors, %to, %i, %last, %stride, %step, %more, %a;
	ld.param.u64 %from, [from];
	ld.param.u64 %vectors, [vectors];
	ld.param.u64 %to, [to];
	cvta.to.global.u64 %from, %from;
	cvta.to.global.u64 %to, %to;
	mov.u32 %r0, %ctaid.x;
	mov.u32 %r1, %ntid.x;
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %nctaid.x;
	cvt.u64.u32 %i, %r2;
	mul.wide.u32 %a, %r0, %r1;
	add.u64 %i, %i, %a;
	mul.wide.u32 %stride, %r3, %r1;
	mul.lo.u64 %step, %stride, {vector};
	mul.lo.u64 %more, %stride, {in_flight};
	mov.u32 %acc, 0;
wide:
	add.u64 %last, %i, %more;
	sub.u64 %last, %last, %stride;
	setp.ge.u64 %p, %last, %vectors;
	@%p bra rest;
	mad.lo.u64 %a, %i, {vector}, %from;
{loads}{uses}	add.u64 %i, %i, %more;
	bra wide;
rest:
	setp.ge.u64 %p, %i, %vectors;
	@%p bra done;
	mad.lo.u64 %a, %i, {vector}, %from;
{one}{use_one}	add.u64 %i, %i, %stride;
	bra rest;
done:
	setp.ne.u32 %p, %acc, 0x9e3779b9;
	@%p bra end;
	st.global.u32 [%to], %acc;
end:
	ret;
}}
)",
                       fmt::arg("registers", first + words * in_flight), fmt::arg("vector", load_bytes),
                       fmt::arg("in_flight", in_flight), fmt::arg("loads", loads), fmt::arg("uses", uses),
                       fmt::arg("one", load(first)), fmt::arg("use_one", use(first)));
}

/// The memory that sweeps read, and that they would store to.
class Sweeps {
  public:
    static Result<Sweeps> make(const Device& device, std::uint64_t bytes, unsigned samples) {
        auto from = Regions::make(device, bytes);
        if (!from) return std::unexpected(from.error());
        auto to = DeviceMemory::allocate(device, vector_bytes);
        if (!to) return std::unexpected(to.error());
        return Sweeps(device, std::move(*from), std::move(*to), samples);
    }
    /// Microseconds of each run.
    Result<std::vector<double>> time(unsigned in_flight, unsigned load_bytes, unsigned blocks, unsigned block) {
        const auto module = DeviceModule::load(device_, sweep_ptx(in_flight, load_bytes));
        if (!module) return std::unexpected(module.error());
        const auto kernel = module->kernel("sweep", 0);
        if (!kernel) return std::unexpected(kernel.error());
        std::uint64_t loads = from_.bytes / load_bytes;
        return time_action(device_, samples_, [&](unsigned) {
            DeviceAddress input = from_.at(read_++), output = to_.address();
            std::array<void*, 3> arguments{&input, &loads, &output};
            return device_.driver().launch(*kernel, blocks, 1, 1, block, 1, 1, 0, nullptr, arguments.data(), nullptr);
        });
    }

  private:
    Sweeps(const Device& device, Regions from, DeviceMemory to, unsigned samples)
        : device_(device), from_(std::move(from)), to_(std::move(to)), samples_(samples) {}

    const Device& device_;
    Regions from_;
    DeviceMemory to_;
    unsigned samples_;
    std::uint64_t read_ = 0;  // regions read by all shapes: what one shape has read is still in the cache for the next
};

double median_of(std::vector<double> times) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return *middle;
}

}  // namespace

Result<std::vector<double>> time_copy(const Device& device, std::uint64_t bytes, unsigned samples) {
    const auto from = Regions::make(device, bytes);
    if (!from) return std::unexpected(from.error());
    const auto to = Regions::make(device, bytes);
    if (!to) return std::unexpected(to.error());
    return time_action(device, samples,
                       [&](unsigned run) { return device.driver().copy(to->at(run), from->at(run), bytes, nullptr); });
}

Result<ReadSweep> time_read_sweep(const Device& device, std::uint64_t bytes, unsigned samples) {
    auto sweeps = Sweeps::make(device, bytes, samples);
    if (!sweeps) return std::unexpected(sweeps.error());
    const GpuFacts& facts = device.facts();
    const std::uint64_t vectors = bytes / vector_bytes;
    ReadSweep best;
    for (const Shape& shape : shapes) {
        const std::uint64_t part = std::uint64_t{shape.block} * shape.in_flight;
        const std::uint64_t parts = std::max<std::uint64_t>((vectors + part - 1) / part, 1);
        const std::uint64_t at_once = std::uint64_t{facts.processors} * facts.threads_per_processor / shape.block;
        const auto blocks =
            static_cast<unsigned>(shape.resident ? std::clamp<std::uint64_t>(at_once, 1, parts) : parts);
        auto times = sweeps->time(shape.in_flight, vector_bytes, blocks, shape.block);
        if (!times) return std::unexpected(times.error());
        if (best.microseconds.empty() || median_of(*times) < median_of(best.microseconds)) {
            best.shape =
                fmt::format("{} of {}, {} of {} in flight", counted(blocks, "block"), counted(shape.block, "thread"),
                            counted(shape.in_flight, "load"), counted(vector_bytes, "byte"));
            best.microseconds = std::move(*times);
        }
    }
    return best;
}

Result<std::vector<ResidentRead>> time_resident_reads(const Device& device, std::uint64_t bytes, unsigned samples,
                                                      Progress& progress) {
    auto sweeps = Sweeps::make(device, bytes, samples);
    if (!sweeps) return std::unexpected(sweeps.error());
    const GpuFacts& facts = device.facts();
    const auto most_block = static_cast<unsigned>(model::limits_of(facts.arch).threads_per_block);
    std::vector<ResidentRead> reads;
    for (const auto& [in_flight, load_bytes] : resident_loads) {
        for (unsigned warps = 1; warps * warp_size <= facts.threads_per_processor; warps *= 2) {
            if (progress.cancelled()) return reads;
            // As many blocks as make the warps on every multiprocessor: the GPU spreads them evenly.
            const unsigned threads = warps * warp_size, block = std::min(threads, most_block);
            auto times = sweeps->time(in_flight, load_bytes, facts.processors * (threads / block), block);
            if (!times) return std::unexpected(times.error());
            reads.push_back(
                {.warps = warps, .in_flight = in_flight, .load_bytes = load_bytes, .microseconds = std::move(*times)});
        }
    }
    return reads;
}

Result<std::vector<double>> time_empty_launch(const Device& device, unsigned samples) {
    const auto module = DeviceModule::load(device,
                                           ".version 6.3\n.target sm_50\n.address_size 64\n"
                                           ".visible .entry nothing()\n{\n\tret;\n}\n");
    if (!module) return std::unexpected(module.error());
    const auto kernel = module->kernel("nothing", 0);
    if (!kernel) return std::unexpected(kernel.error());
    return time_action(device, samples, [&](unsigned) {
        return device.driver().launch(*kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
    });
}

}  // namespace lanescope::execute
