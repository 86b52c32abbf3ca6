// Progress and cancellation of long work. Shared between the worker and its observers; every member is thread-safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace lanescope {

class Progress {
  public:
    Progress() = default;
    /// The progress of a part of `whole`, which must outlive it: the part has its own share, and is cancelled with
    /// `whole`.
    explicit Progress(const Progress* whole) : whole_(whole) {}

    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool cancelled() const {
        return cancelled_.load(std::memory_order_relaxed) || (whole_ != nullptr && whole_->cancelled());
    }

    /// Share done, 0..1; below 0: not known.
    void report(float share) { share_.store(share, std::memory_order_relaxed); }
    [[nodiscard]] float share() const { return share_.load(std::memory_order_relaxed); }

    /// The current step: "compiling", "launch 12".
    void say(std::string what) {
        const std::scoped_lock lock(mutex_);
        doing_ = std::move(what);
    }
    /// Empty: unknown.
    [[nodiscard]] std::string doing() const {
        const std::scoped_lock lock(mutex_);
        return doing_;
    }

    /// Appends output of the running program; the first MiB is kept.
    void print(std::string_view text) {
        constexpr std::size_t most = std::size_t{1} << 20;
        const std::scoped_lock lock(mutex_);
        printed_.append(text.substr(0, most - std::min(printed_.size(), most)));
    }
    /// The output from this byte on.
    [[nodiscard]] std::string printed(std::size_t first = 0) const {
        const std::scoped_lock lock(mutex_);
        return printed_.substr(std::min(first, printed_.size()));
    }

  private:
    const Progress* whole_ = nullptr;
    mutable std::mutex mutex_;
    std::string doing_;
    std::string printed_;
    std::atomic<bool> cancelled_{false};
    std::atomic<float> share_{-1.0F};
};

}  // namespace lanescope
