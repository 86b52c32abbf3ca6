#include "host/tool.h"

#include <chrono>
#include <utility>

namespace lanescope::host {

Result<std::optional<ToolOutput>> run_tool(const std::vector<std::string>& command, Progress* progress) {
    std::vector<std::string> arguments{"-c", "exec \"$@\" 2>&1", "sh"};
    arguments.insert(arguments.end(), command.begin(), command.end());
    auto child = ChildProcess::start({.program = "/bin/sh", .arguments = std::move(arguments)});
    if (!child) return std::unexpected(std::move(child.error()));
    ToolOutput output;
    while (true) {
        for (const std::string& line : child->lines()) output.text += line + '\n';
        if (const auto ending = child->ending()) {
            output.ending = *ending;
            return output;
        }
        if (progress != nullptr && progress->cancelled()) {
            child->kill();
            return std::nullopt;
        }
        child->wait(std::chrono::milliseconds(50));
    }
}

}  // namespace lanescope::host
