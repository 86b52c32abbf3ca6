#include "session/request_flags.h"

#include <fmt/format.h>

namespace lanescope::session {

namespace {

std::string text_of(const trace::Dim3& extent) { return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z); }

}  // namespace

const char* name_of(trace::View view) { return view == trace::View::written ? "written" : "compiled"; }

std::vector<std::string> launch_flags(const Request& request) {
    std::vector<std::string> flags;
    const auto add = [&](const char* flag, std::string value) {
        flags.emplace_back(flag);
        flags.push_back(std::move(value));
    };
    if (!request.kernel.empty()) add("--kernel", request.kernel);
    if (request.n) add("--n", std::to_string(*request.n));
    if (request.block_extent) {
        add("--block", text_of(*request.block_extent));
    } else if (request.block) {
        add("--block", std::to_string(*request.block));
    }
    if (request.grid_extent) {
        add("--grid", text_of(*request.grid_extent));
    } else if (request.grid) {
        add("--grid", std::to_string(*request.grid));
    }
    if (request.shared_bytes) add("--shared", std::to_string(*request.shared_bytes));
    if (!request.input.empty()) add("--input", request.input);
    for (const auto& [parameter, plan] : request.arguments) add("--arg", fmt::format("{}={}", parameter, plan));
    return flags;
}

}  // namespace lanescope::session
