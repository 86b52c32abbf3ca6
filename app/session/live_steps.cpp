#include "session/live_steps.h"

#include "base/grouped.h"

#include <fmt/format.h>

#include <utility>

namespace lanescope::session {

using analysis::ProgramLine;

void LiveSteps::add(ProgramLine line) {
    const std::scoped_lock lock(mutex_);
    lines_.push_back(std::move(line));
    changed();
}

void LiveSteps::begin_launch(ProgramLine line) {
    const std::scoped_lock lock(mutex_);
    running_ = lines_.size();
    lines_.push_back(std::move(line));
    changed();
}

void LiveSteps::end_launch(ProgramLine line) {
    const std::scoped_lock lock(mutex_);
    if (!running_) lines_.push_back(std::move(line));
    running_.reset();
    changed();
}

void LiveSteps::print(std::string_view text) {
    const std::scoped_lock lock(mutex_);
    printed_.print(text, lines_);
    changed();
}

std::uint64_t LiveSteps::changes() const {
    const std::scoped_lock lock(mutex_);
    return changes_;
}

std::vector<ProgramLine> LiveSteps::lines() const {
    const std::scoped_lock lock(mutex_);
    std::vector<ProgramLine> lines;
    lines.reserve(lines_.size() + 1);
    if (dropped_ > 0)
        lines.push_back({.kind = ProgramLine::Kind::remark,
                         .launch = {},
                         .text = fmt::format("{} before these", counted(dropped_, "step"))});
    lines.insert(lines.end(), lines_.begin(), lines_.end());
    if (running_) lines[*running_ + (dropped_ > 0 ? 1 : 0)].text += ", running";
    return lines;
}

void LiveSteps::changed() {
    ++changes_;
    // Half of them at once: each is then moved once, on average.
    if (lines_.size() <= most_lines) return;
    const std::size_t some = lines_.size() / 2;
    lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(some));
    dropped_ += some;
    if (running_) *running_ -= some;
}

}  // namespace lanescope::session
