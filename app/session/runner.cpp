#include "session/runner.h"

#include "base/newest_asked.h"
#include "session/live_steps.h"
#include "session/run.h"
#include "session/saved_trace.h"
#include "trace/file.h"

#include <mutex>
#include <utility>

namespace lanescope::session {

namespace {

using Answer = std::expected<std::shared_ptr<const Run>, Refusal>;

Answer answer(const Request& request, Progress& progress, const FirstPicture& first, LiveSteps& steps) {
    return trace::is_trace_file(request.program) ? open_trace(request.program) : run(request, progress, first, &steps);
}

}  // namespace

struct Runner::Impl {
    std::mutex mutex;
    std::shared_ptr<LiveSteps> steps;  ///< of the request in flight

    void set_steps(std::shared_ptr<LiveSteps> of) {
        const std::scoped_lock lock(mutex);
        steps = std::move(of);
    }

    // Last: its thread ends before the rest is gone.
    NewestAsked<Request, Answer> asked{[this](const Request& request, Progress& progress, const auto& give) {
        const auto own = std::make_shared<LiveSteps>();
        set_steps(own);
        Answer whole = answer(
            request, progress, [&](std::shared_ptr<const Run> run) { give(std::move(run)); }, *own);
        set_steps(nullptr);
        if (whole || !progress.cancelled()) give(std::move(whole));
    }};
};

Runner::Runner() : impl_(std::make_unique<Impl>()) {}

Runner::~Runner() = default;

void Runner::submit(Request request) { impl_->asked.ask(std::move(request)); }

void Runner::cancel() { impl_->asked.cancel(); }

void Runner::stop() { impl_->asked.stop(); }

bool Runner::busy() const { return impl_->asked.busy(); }

bool Runner::has_answer() const { return impl_->asked.has_answers(); }

float Runner::share() const { return impl_->asked.share(); }

std::string Runner::doing() const { return impl_->asked.doing(); }

std::shared_ptr<const LiveSteps> Runner::steps() const {
    const std::scoped_lock lock(impl_->mutex);
    return impl_->steps;
}

double Runner::seconds() const { return impl_->asked.seconds(); }

std::optional<Answer> Runner::take() {
    std::vector<Answer> answers = impl_->asked.take();
    return answers.empty() ? std::nullopt : std::optional(std::move(answers.back()));
}

}  // namespace lanescope::session
