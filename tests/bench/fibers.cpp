#include "bench/reduction.h"

#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>

#include <utility>

namespace lanescope::bench {

namespace {

namespace context = boost::context;

/// A kernel's view of its launch, with the function that waits.
struct Thread {
    unsigned thread;
    unsigned block;
    int* shared;
    context::fiber* scheduler;
    void barrier() const { *scheduler = std::move(*scheduler).resume(); }
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

}  // namespace

OnFibers::OnFibers(Kernel kernel, unsigned count) : kernel_(kernel), in_(count), out_(count / block_size) {
    for (unsigned i = 0; i < count; ++i) in_[i] = static_cast<int>(i % 1000);
}

/// Runs all blocks one after the other; each fiber serves one thread of every block.
void OnFibers::run() {
    const auto kernel = kernel_ == Kernel::interleaved ? &interleaved : &sequential;
    constexpr std::size_t stack_bytes = 16 * 1024;
    context::pooled_fixedsize_stack stacks(stack_bytes);
    std::vector<int> shared(block_size);
    unsigned block = 0;
    std::vector<context::fiber> fibers;
    for (unsigned thread = 0; thread < block_size; ++thread) {
        fibers.emplace_back(std::allocator_arg, stacks, [&, thread](context::fiber&& scheduler) {
            Thread self{thread, 0, shared.data(), &scheduler};
            while (block < out_.size()) {
                self.block = block;
                kernel(self, in_.data(), out_.data());
                self.barrier();
            }
            return std::move(scheduler);
        });
    }
    constexpr unsigned switches = 1 + 1 + 8;  // barriers of a block and its end
    for (; block < out_.size(); ++block) {
        for (unsigned turn = 0; turn < switches; ++turn) {
            for (context::fiber& fiber : fibers) fiber = std::move(fiber).resume();
        }
    }
    for (context::fiber& fiber : fibers) fiber = std::move(fiber).resume();
}

}  // namespace lanescope::bench
