// Several threads work on many items; the results come in the order of the items.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace lanescope {

/// The threads take the items in order. The destructor waits for work that has begun and skips the rest.
template <class Result>
class InOrder {
  public:
    /// `work` is called with the number of an item, from several threads at once.
    InOrder(std::size_t items, unsigned threads, std::function<Result(std::size_t)> work)
        : work_(std::move(work)), results_(items) {
        threads_.reserve(threads);
        for (unsigned i = 0; i < threads; ++i)
            threads_.emplace_back([this](const std::stop_token& stop) { follow(stop); });
    }
    ~InOrder() {
        for (std::jthread& thread : threads_) thread.request_stop();
    }
    InOrder(const InOrder&) = delete;
    InOrder& operator=(const InOrder&) = delete;

    /// Waits for the result of the next item. Call it once for each item.
    [[nodiscard]] Result next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return results_[taken_].has_value(); });
        Result result = *std::move(results_[taken_]);
        results_[taken_++].reset();
        return result;
    }

  private:
    void follow(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (begun_ < results_.size() && !stop.stop_requested()) {
            const std::size_t item = begun_++;
            lock.unlock();
            std::optional<Result> result(work_(item));
            lock.lock();
            results_[item] = std::move(result);
            changed_.notify_one();
        }
    }

    std::function<Result(std::size_t)> work_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::optional<Result>> results_;
    std::size_t begun_ = 0, taken_ = 0;
    std::vector<std::jthread> threads_;  // last: they end before the rest is gone
};

}  // namespace lanescope
