#include "cli/progress_lines.h"

#include "base/progress.h"

#include <fmt/format.h>

#include <chrono>
#include <ostream>
#include <string>
#include <string_view>

namespace lanescope::cli {

ProgressLines::ProgressLines(Environment& environment) : environment_(environment) {
    if (environment.progress_every > std::chrono::milliseconds(0)) thread_ = std::thread([this] { write(); });
}

ProgressLines::~ProgressLines() {
    if (!thread_.joinable()) return;
    {
        const std::scoped_lock lock(mutex_);
        end_ = true;
    }
    ended_.notify_one();
    thread_.join();
}

void ProgressLines::write() {
    const auto began = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    const std::string_view clear_line = environment_.clear_line();
    bool any = false;
    while (!ended_.wait_for(lock, environment_.progress_every, [this] { return end_; })) {
        const std::string doing = environment_.progress.doing();
        std::string text = doing.empty() ? "running" : doing;
        if (const float share = environment_.progress.share(); share >= 0)
            text += fmt::format(", {:.0f} %", 100 * share);
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began);
        text += fmt::format(", {} s", seconds.count());
        environment_.err << clear_line << text << (environment_.err_is_terminal ? "" : "\n") << std::flush;
        any = true;
    }
    if (any) environment_.err << clear_line << std::flush;
}

}  // namespace lanescope::cli
