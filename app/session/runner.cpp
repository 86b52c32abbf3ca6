#include "session/runner.h"

#include "base/newest_asked.h"
#include "session/run.h"
#include "session/saved_trace.h"
#include "trace/file.h"

namespace lanescope::session {

namespace {

using Answer = std::expected<std::shared_ptr<const Run>, Refusal>;

Answer answer(const Request& request, Progress& progress, const FirstPicture& first) {
    return trace::is_trace_file(request.program) ? open_trace(request.program) : run(request, progress, first);
}

}  // namespace

struct Runner::Impl {
    NewestAsked<Request, Answer> asked{[](const Request& request, Progress& progress, const auto& give) {
        Answer whole = answer(request, progress, [&](std::shared_ptr<const Run> run) { give(std::move(run)); });
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

std::string Runner::printed(std::size_t first) const { return impl_->asked.printed(first); }

double Runner::seconds() const { return impl_->asked.seconds(); }

std::optional<Answer> Runner::take() {
    std::vector<Answer> answers = impl_->asked.take();
    return answers.empty() ? std::nullopt : std::optional(std::move(answers.back()));
}

}  // namespace lanescope::session
