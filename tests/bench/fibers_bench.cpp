// The baseline: the same reductions the plain way, a fiber for each thread of the block and a switch at each barrier, in
// native code and with nothing counted. The rate is of the PTX instructions that the emulator executes for the same work.
#include <benchmark/benchmark.h>
#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace lanescope::execute {
namespace {

namespace context = boost::context;

constexpr unsigned block_size = 256;
constexpr unsigned elements = 1U << 20;

/// What a kernel sees of its launch, and how it waits.
struct Thread {
    unsigned thread;
    unsigned block;
    int* shared;
    context::fiber* scheduler;
    void barrier() { *scheduler = std::move(*scheduler).resume(); }
};

void interleaved(Thread& self, const int* in, int* out) {
    const unsigned tid = self.thread;
    self.shared[tid] = in[self.block * block_size + tid];
    self.barrier();
    for (unsigned s = 1; s < block_size; s *= 2) {
        if (tid % (2 * s) == 0) self.shared[tid] += self.shared[tid + s];
        self.barrier();
    }
    if (tid == 0) out[self.block] = self.shared[0];
}

void sequential(Thread& self, const int* in, int* out) {
    const unsigned tid = self.thread;
    self.shared[tid] = in[self.block * block_size + tid];
    self.barrier();
    for (unsigned s = block_size / 2; s > 0; s /= 2) {
        if (tid < s) self.shared[tid] += self.shared[tid + s];
        self.barrier();
    }
    if (tid == 0) out[self.block] = self.shared[0];
}

using Kernel = void (*)(Thread&, const int*, int*);

/// Runs all blocks one after the other; each fiber serves one thread of every block.
void run_grid(Kernel kernel, const std::vector<int>& in, std::vector<int>& out) {
    constexpr std::size_t stack_bytes = 16 * 1024;
    context::pooled_fixedsize_stack stacks(stack_bytes);
    std::vector<int> shared(block_size);
    unsigned block = 0;
    std::vector<context::fiber> fibers;
    for (unsigned thread = 0; thread < block_size; ++thread) {
        fibers.emplace_back(std::allocator_arg, stacks, [&, thread](context::fiber&& scheduler) {
            Thread self{thread, 0, shared.data(), &scheduler};
            while (block < out.size()) {
                self.block = block;
                kernel(self, in.data(), out.data());
                self.barrier();
            }
            return std::move(scheduler);
        });
    }
    constexpr unsigned switches = 1 + 1 + 8;  // barriers of a block, and its end
    for (; block < out.size(); ++block) {
        for (unsigned turn = 0; turn < switches; ++turn) {
            for (context::fiber& fiber : fibers) fiber = std::move(fiber).resume();
        }
    }
    for (context::fiber& fiber : fibers) fiber = std::move(fiber).resume();
}

void fibers(benchmark::State& state, Kernel kernel, double thread_instructions) {
    std::vector<int> in(elements);
    for (unsigned i = 0; i < elements; ++i) in[i] = static_cast<int>(i % 1000);
    std::vector<int> out(elements / block_size);
    for (auto _ : state) {
        run_grid(kernel, in, out);
        benchmark::DoNotOptimize(out.data());
    }
    state.counters["thread_instructions/s"] =
        benchmark::Counter(thread_instructions * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// What emulator_bench counts for the same grid.
BENCHMARK_CAPTURE(fibers, interleaved, &interleaved, 95.4e6)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fibers, sequential, &sequential, 79.7e6)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanescope::execute
