#include "ui/estimator.h"

#include "session/unmeasured.h"

#include <fmt/format.h>

#include <array>

namespace lanescope::ui {

namespace {

// Enough to see the bend between launch and memory; the largest takes the emulator a fraction of a second.
constexpr std::array<std::uint64_t, 5> sizes = {1U << 10U, 1U << 13U, 1U << 16U, 1U << 18U, 1U << 20U};

}  // namespace

void Estimator::follow(const session::Request& request, std::uint32_t block, const timing::Recording& recording,
                       std::uint64_t version) {
    if (model_of_ != version) {
        model_of_ = version;
        model_ = timing::judged_model(recording);
        asked_.clear();
    }
    const std::string wanted = fmt::format("{}/{}/{}", request.program, request.kernel, block);
    if (wanted == asked_ || !model_) return;
    asked_ = wanted;
    counted_.clear();
    estimates_ = {};
    next_ = 0;
    // The person's kernel and arguments; size and view are those that a measurement would have.
    request_ = {.program = request.program,
                .kernel = request.kernel,
                .block = block,
                .arguments = request.arguments,
                .view = trace::View::compiled,
                .record_blocks = 1};
    ask();
}

void Estimator::ask() {
    if (next_ == sizes.size()) return;
    request_.n = sizes[next_++];
    runner_.submit(request_);
}

bool Estimator::poll() {
    const auto answer = runner_.take();
    if (!answer) return false;
    // A size that the kernel refuses, or computes wrongly, has no estimate.
    if (*answer && model_ && (**answer)->verdict.ok != false && (**answer)->trace().findings.empty()) {
        timing::Point point = session::unmeasured(***answer);
        const double time = timing::estimate(model_->model, point);
        point.time = {.median = time, .least = time, .p10 = time, .p90 = time, .samples = 0};
        counted_.push_back(std::move(point));
        estimates_ = {
            .points = counted_, .median_error = model_->error.median_relative, .sentence = model_->sentence()};
    }
    ask();
    return true;
}

}  // namespace lanescope::ui
