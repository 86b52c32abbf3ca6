#include "ui/estimator.h"

#include "base/newest_asked.h"
#include "session/algorithm_counts.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace lanescope::ui {

struct Estimator::Work {
    struct Question {
        session::Request request;
        std::vector<std::uint64_t> sizes;
        timing::ModeledGpu machine;
    };
    NewestAsked<Question, session::AlgorithmCounts> asked{
        [](const Question& question, Progress& progress, const auto& give) {
            session::count_algorithm(question.request, question.sizes, question.machine, progress, give);
        }};
};

Estimator::Estimator() : work_(std::make_unique<Work>()) {}

Estimator::~Estimator() = default;

void Estimator::follow(const session::Request& request, std::uint32_t block, const timing::Recording& recording,
                       std::uint64_t version) {
    if (model_of_ != version) {
        model_of_ = version;
        model_ = timing::judged_model(recording);
        asked_.clear();
        estimates_ = {};
        work_->asked.cancel();
    }
    std::string wanted = fmt::format("{}/{}/{}", request.program, request.kernel, block);
    for (const auto& [name, value] : request.arguments) wanted += fmt::format(" {}={}", name, value);
    if (wanted == asked_ || !model_) return;
    asked_ = wanted;
    estimates_ = {};
    work_->asked.ask({.request = {.program = request.program,
                                  .kernel = request.kernel,
                                  .block = block,
                                  .arguments = request.arguments},
                      .sizes = timing::sizes_to_estimate(recording),
                      .machine = model_->model.machine});
}

bool Estimator::busy() const { return work_->asked.is_pending(); }

bool Estimator::poll() {
    std::vector<session::AlgorithmCounts> found = work_->asked.take();
    if (!model_) return false;  // they belong to a recording that is no longer shown
    for (session::AlgorithmCounts& counts : found)
        timing::add(estimates_, std::move(counts.point), counts.emulated, *model_);
    return !found.empty();
}

}  // namespace lanescope::ui
