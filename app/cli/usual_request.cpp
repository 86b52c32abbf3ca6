#include "cli/usual_request.h"

#include <algorithm>

namespace lanescope::cli {

namespace {

constexpr std::uint32_t usual_block = 256;
constexpr std::uint64_t usual_blocks = 4;

}  // namespace

session::Request usual_request(const UsualSizes& sizes, const std::string& program, trace::View view) {
    session::Request request;
    request.program = program;
    request.view = view;
    request.n = sizes.n;
    request.block = sizes.block;
    request.input = sizes.input.empty() ? "random 7" : sizes.input;
    const auto found = session::find_requested(request);
    if (!found || !found->built_in) return request;
    if (!request.block && session::check_block(*found, usual_block)) request.block = usual_block;
    if (!request.n && request.block) {
        const std::uint64_t most = session::largest_n(*found, {.block = *request.block}).value_or(1);
        request.n = std::min(usual_blocks * *request.block - 1, most);
    }
    return request;
}

void add_flags(const UsualSizes& sizes, std::vector<std::string>& arguments) {
    const auto add = [&](const char* flag, const std::string& value) {
        arguments.emplace_back(flag);
        arguments.push_back(value);
    };
    if (sizes.view) add("--view", *sizes.view == trace::View::written ? "written" : "compiled");
    if (sizes.n) add("--n", std::to_string(*sizes.n));
    if (sizes.block) add("--block", std::to_string(*sizes.block));
    if (!sizes.input.empty()) add("--input", sizes.input);
}

std::vector<std::string> programs_or_all(const std::vector<std::string>& programs) {
    if (!programs.empty()) return programs;
    std::vector<std::string> all;
    for (const session::Program& program : session::catalog()) all.push_back(program.name);
    return all;
}

}  // namespace lanescope::cli
