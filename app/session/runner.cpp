#include "session/session.h"
#include "session/session_plan.h"
#include "trace/file.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace lanescope::session {

namespace {

using Answer = std::expected<std::shared_ptr<const Run>, Refusal>;

Answer answer(const Request& request, Progress& progress) {
    return trace::is_trace_file(request.program) ? open_trace(request.program) : run(request, progress);
}

}  // namespace

struct Runner::Impl {
    using Clock = std::chrono::steady_clock;

    mutable std::mutex mutex;
    std::condition_variable_any changed;
    std::optional<Request> waiting;
    std::shared_ptr<Progress> in_flight;  ///< of the request that runs, if one does
    Clock::time_point began;              ///< the newest request
    std::optional<Answer> finished;
    std::jthread thread;  ///< last: it stops before the rest is gone

    void work(const std::stop_token& stop) {
        std::unique_lock lock(mutex);
        while (changed.wait(lock, stop, [&] { return waiting.has_value(); })) {
            const Request request = std::move(*waiting);
            waiting.reset();
            const auto progress = std::make_shared<Progress>();
            in_flight = progress;
            lock.unlock();
            Answer result = answer(request, *progress);
            lock.lock();
            in_flight.reset();
            if (!progress->cancelled()) finished = std::move(result);
        }
    }

    void cancel_all() {
        waiting.reset();
        if (in_flight) in_flight->cancel();
    }
};

Runner::Runner() : impl_(std::make_unique<Impl>()) {
    impl_->thread = std::jthread([impl = impl_.get()](const std::stop_token& stop) { impl->work(stop); });
}

Runner::~Runner() {
    const std::scoped_lock lock(impl_->mutex);
    impl_->cancel_all();
    impl_->thread.request_stop();
}

void Runner::submit(Request request) {
    {
        const std::scoped_lock lock(impl_->mutex);
        impl_->cancel_all();
        impl_->finished.reset();  // an answer to an older question would only flash by
        impl_->waiting = std::move(request);
        impl_->began = Impl::Clock::now();
    }
    impl_->changed.notify_one();
}

void Runner::cancel() {
    const std::scoped_lock lock(impl_->mutex);
    impl_->cancel_all();
}

bool Runner::busy() const {
    const std::scoped_lock lock(impl_->mutex);
    return impl_->waiting || (impl_->in_flight && !impl_->in_flight->cancelled());
}

float Runner::share() const {
    const std::scoped_lock lock(impl_->mutex);
    return !impl_->waiting && impl_->in_flight ? impl_->in_flight->share() : -1.0F;
}

double Runner::seconds() const {
    const std::scoped_lock lock(impl_->mutex);
    if (!impl_->waiting && !impl_->in_flight) return 0;
    return std::chrono::duration<double>(Impl::Clock::now() - impl_->began).count();
}

std::optional<Answer> Runner::take() {
    const std::scoped_lock lock(impl_->mutex);
    return std::exchange(impl_->finished, std::nullopt);
}

}  // namespace lanescope::session
