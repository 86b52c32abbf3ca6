#include "base/newest_asked.h"
#include "session/session.h"
#include "session/session_plan.h"
#include "trace/file.h"

namespace lanescope::session {

namespace {

using Answer = std::expected<std::shared_ptr<const Run>, Refusal>;

Answer answer(const Request& request, Progress& progress) {
    return trace::is_trace_file(request.program) ? open_trace(request.program) : run(request, progress);
}

}  // namespace

struct Runner::Impl {
    NewestAsked<Request, Answer> asked{
        [](const Request& request, Progress& progress, const auto& give) { give(answer(request, progress)); }};
};

Runner::Runner() : impl_(std::make_unique<Impl>()) {}

Runner::~Runner() = default;

void Runner::submit(Request request) { impl_->asked.ask(std::move(request)); }

void Runner::cancel() { impl_->asked.cancel(); }

bool Runner::busy() const { return impl_->asked.busy(); }

bool Runner::has_answer() const { return impl_->asked.has_answers(); }

float Runner::share() const { return impl_->asked.share(); }

std::string Runner::doing() const { return impl_->asked.doing(); }

double Runner::seconds() const { return impl_->asked.seconds(); }

std::optional<Answer> Runner::take() {
    std::vector<Answer> answers = impl_->asked.take();
    return answers.empty() ? std::nullopt : std::optional(std::move(answers.back()));
}

}  // namespace lanescope::session
