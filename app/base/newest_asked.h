// Works on long questions in a thread of its own; of several, only the newest counts.
#pragma once

#include "base/progress.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace lanescope {

/// One question at a time; a newer one cancels the one before. No call blocks; a cancelled question gives no answer.
template <class Question, class Answer>
class NewestAsked {
  public:
    using Give = std::function<void(Answer)>;
    /// Runs on the thread; gives any number of answers, each as soon as it is known.
    using Work = std::function<void(const Question&, Progress&, const Give&)>;

    explicit NewestAsked(Work work)
        : work_(std::move(work)), thread_([this](const std::stop_token& stop) { follow(stop); }) {}
    ~NewestAsked() {
        const std::scoped_lock lock(mutex_);
        drop();
        thread_.request_stop();
    }
    NewestAsked(const NewestAsked&) = delete;
    NewestAsked& operator=(const NewestAsked&) = delete;

    void ask(Question question) {
        {
            const std::scoped_lock lock(mutex_);
            drop();
            answers_.clear();  // answers to an older question would only flash by
            waiting_ = std::move(question);
            began_ = Clock::now();
        }
        changed_.notify_one();
    }
    void cancel() {
        const std::scoped_lock lock(mutex_);
        drop();
    }
    /// Cancels the question, but answers that the work gives afterwards still count.
    void stop() {
        const std::scoped_lock lock(mutex_);
        drop();
        stopped_ = in_flight_;
    }

    /// Whether a question waits for its answer, or is worked on.
    [[nodiscard]] bool busy() const {
        const std::scoped_lock lock(mutex_);
        return waiting_ || (in_flight_ && !in_flight_->cancelled());
    }
    /// The finished share, 0..1, of the current question; below 0: not known.
    [[nodiscard]] float share() const {
        const std::scoped_lock lock(mutex_);
        return !waiting_ && in_flight_ ? in_flight_->share() : -1.0F;
    }
    /// The current step of the question in flight; empty: unknown.
    [[nodiscard]] std::string doing() const {
        const std::scoped_lock lock(mutex_);
        return !waiting_ && in_flight_ ? in_flight_->doing() : std::string();
    }
    /// Since the newest question was asked; 0 when none is worked on.
    [[nodiscard]] double seconds() const {
        const std::scoped_lock lock(mutex_);
        if (!waiting_ && !in_flight_) return 0;
        return std::chrono::duration<double>(Clock::now() - began_).count();
    }
    [[nodiscard]] bool has_answers() const {
        const std::scoped_lock lock(mutex_);
        return !answers_.empty();
    }
    /// The newest question is worked on, or its answers were not taken yet.
    [[nodiscard]] bool is_pending() const { return busy() || has_answers(); }
    /// The answers to the newest question that were not taken yet, in the order in which they were given.
    [[nodiscard]] std::vector<Answer> take() {
        const std::scoped_lock lock(mutex_);
        return std::exchange(answers_, {});
    }

  private:
    using Clock = std::chrono::steady_clock;

    void drop() {
        waiting_.reset();
        stopped_.reset();
        if (in_flight_) in_flight_->cancel();
    }

    void follow(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (changed_.wait(lock, stop, [&] { return waiting_.has_value(); })) {
            const Question question = std::move(*waiting_);
            waiting_.reset();
            const auto progress = std::make_shared<Progress>();
            in_flight_ = progress;
            lock.unlock();
            work_(question, *progress, [&](Answer answer) {
                const std::scoped_lock given(mutex_);
                if (!progress->cancelled() || progress == stopped_) answers_.push_back(std::move(answer));
            });
            lock.lock();
            in_flight_.reset();
        }
    }

    Work work_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<Question> waiting_;
    std::shared_ptr<Progress> in_flight_;  // of the question that is worked on, if one is
    std::shared_ptr<Progress> stopped_;    // the same, if it was stopped
    Clock::time_point began_;              // the newest question
    std::vector<Answer> answers_;
    std::jthread thread_;  // last: it stops before the rest is gone
};

}  // namespace lanescope
