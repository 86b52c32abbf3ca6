#include "ui/collected_child.h"

#include <utility>

namespace lanescope::ui {

Result<void> CollectedChild::start(const ChildProcess::Command& command) {
    cancel();
    auto started = ChildProcess::start(command);
    if (!started) return std::unexpected(started.error());
    child_.emplace(std::move(*started));
    return {};
}

void CollectedChild::cancel() {
    child_.reset();  // kills what still runs
    output_.clear();
}

std::optional<CollectedChild::Ended> CollectedChild::poll() {
    if (!child_) return std::nullopt;
    for (const std::string& line : child_->lines()) output_ += line + '\n';
    const auto ending = child_->ending();
    if (!ending) return std::nullopt;
    Ended ended{.output = std::exchange(output_, {}), .ending = *ending, .errors = child_->errors()};
    child_.reset();
    return ended;
}

}  // namespace lanescope::ui
