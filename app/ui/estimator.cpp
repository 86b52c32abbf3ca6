#include "ui/estimator.h"

#include "session/algorithm_counts.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace lanescope::ui {

/// Counts one request at a time; a newer one cancels the one before.
struct Estimator::Work {
    struct Question {
        session::Request request;
        std::vector<std::uint64_t> sizes;
        timing::Machine machine;
    };

    mutable std::mutex mutex;
    std::condition_variable_any changed;
    std::optional<Question> waiting;
    std::shared_ptr<Progress> in_flight;  // of the question that is worked on, if one is
    std::vector<session::AlgorithmCounts> found;
    std::jthread thread{[this](const std::stop_token& stop) { work(stop); }};  // last: it stops before the rest is gone

    void work(const std::stop_token& stop) {
        std::unique_lock lock(mutex);
        while (changed.wait(lock, stop, [&] { return waiting.has_value(); })) {
            const Question question = std::move(*waiting);
            waiting.reset();
            const auto progress = std::make_shared<Progress>();
            in_flight = progress;
            lock.unlock();
            session::count_algorithm(question.request, question.sizes, question.machine, *progress,
                                     [&](session::AlgorithmCounts counts) {
                                         const std::scoped_lock answer(mutex);
                                         if (!progress->cancelled()) found.push_back(std::move(counts));
                                     });
            lock.lock();
            in_flight.reset();
        }
    }

    void cancel() {
        waiting.reset();
        found.clear();
        if (in_flight) in_flight->cancel();
    }
};

Estimator::Estimator() : work_(std::make_unique<Work>()) {}

Estimator::~Estimator() {
    const std::scoped_lock lock(work_->mutex);
    work_->cancel();
    work_->thread.request_stop();
}

void Estimator::follow(const session::Request& request, std::uint32_t block, const timing::Recording& recording,
                       std::uint64_t version) {
    if (model_of_ != version) {
        model_of_ = version;
        model_ = timing::judged_model(recording);
        asked_.clear();
    }
    std::string wanted = fmt::format("{}/{}/{}", request.program, request.kernel, block);
    for (const auto& [name, value] : request.arguments) wanted += fmt::format(" {}={}", name, value);
    if (wanted == asked_ || !model_) return;
    asked_ = wanted;
    estimates_ = {};
    {
        const std::scoped_lock lock(work_->mutex);
        work_->cancel();
        work_->waiting = Work::Question{.request = {.program = request.program,
                                                    .kernel = request.kernel,
                                                    .block = block,
                                                    .arguments = request.arguments},
                                        .sizes = timing::sizes_to_estimate(recording),
                                        .machine = model_->model.machine};
    }
    work_->changed.notify_one();
}

bool Estimator::busy() const {
    const std::scoped_lock lock(work_->mutex);
    return work_->waiting || work_->in_flight || !work_->found.empty();
}

bool Estimator::poll() {
    std::vector<session::AlgorithmCounts> found;
    {
        const std::scoped_lock lock(work_->mutex);
        found = std::exchange(work_->found, {});
    }
    for (session::AlgorithmCounts& counts : found)
        timing::add(estimates_, std::move(counts.point), counts.emulated, *model_);
    return !found.empty();
}

}  // namespace lanescope::ui
