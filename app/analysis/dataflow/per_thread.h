// State that is kept for each thread of a launch's recorded blocks.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace lanescope::analysis {

/// A thread of the launch.
struct FlowThread {
    std::size_t block = 0;   ///< index in Launch::recorded
    std::size_t thread = 0;  ///< of the block
};

/// A T for each thread. Those of a block are made when the first of them is asked for.
template <class T>
class PerThread {
  public:
    explicit PerThread(T initial = T()) : initial_(std::move(initial)) {}

    void begin_launch(std::size_t blocks, std::size_t threads) {
        blocks_.assign(blocks, {});
        threads_ = threads;
    }
    [[nodiscard]] T& at(FlowThread of) {
        std::vector<T>& block = blocks_[of.block];
        if (block.empty()) block.resize(threads_, initial_);
        return block[of.thread];
    }
    /// Null where no thread of the block was asked for.
    [[nodiscard]] T* find(FlowThread of) {
        std::vector<T>& block = blocks_[of.block];
        return block.empty() ? nullptr : &block[of.thread];
    }
    [[nodiscard]] const T* find(FlowThread of) const {
        const std::vector<T>& block = blocks_[of.block];
        return block.empty() ? nullptr : &block[of.thread];
    }

  private:
    T initial_;
    std::size_t threads_ = 0;
    std::vector<std::vector<T>> blocks_;
};

}  // namespace lanescope::analysis
