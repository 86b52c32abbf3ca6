#include "cli/progress_lines.h"

#include "base/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace lanescope::cli {

ProgressLines::ProgressLines(Environment& environment)
    : environment_(environment), printed_(environment.progress.printed().size()) {
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
    std::optional<std::chrono::steady_clock::time_point> prints_since;
    auto said = began;
    constexpr std::chrono::milliseconds often(200), pause(1000);
    while (!ended_.wait_for(lock, std::min(environment_.progress_every, often), [this] { return end_; })) {
        const auto now = std::chrono::steady_clock::now();
        std::string lines = environment_.progress.printed(printed_);
        lines.resize(lines.rfind('\n') + 1);
        if (!lines.empty() && !prints_since) prints_since = now;
        if (!lines.empty() && now - *prints_since >= pause) {  // a short program's output is in its report
            printed_ += lines.size();
            environment_.err << clear_line << lines << std::flush;
        }
        if (now - said < environment_.progress_every) continue;
        said = now;
        const std::string doing = environment_.progress.doing();
        std::string text = doing.empty() ? "running" : doing;
        if (const float share = environment_.progress.share(); share >= 0)
            text += fmt::format(", {:.0f} %", 100 * share);
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - began).count();
        if (seconds > 0) text += fmt::format(", {} s", seconds);
        environment_.err << clear_line << text << (environment_.err_is_terminal ? "" : "\n") << std::flush;
        any = true;
    }
    if (any) environment_.err << clear_line << std::flush;
}

}  // namespace lanescope::cli
