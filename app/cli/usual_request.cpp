#include "cli/usual_request.h"

#include "session/request_flags.h"

#include <algorithm>

namespace lanescope::cli {

namespace {

constexpr std::uint32_t usual_block = 256;
constexpr std::uint64_t usual_blocks = 4;

}  // namespace

session::Request usual_request(const UsualSizes& sizes, const std::string& program, trace::View view) {
    session::Request request = sizes.launch;
    request.program = program;
    request.view = view;
    const auto found = session::find_requested(request);
    const bool runs_as_it_stands = found && !found->built_in && found->host;  // with its own data
    if (request.input.empty() && !runs_as_it_stands) request.input = "random 7";
    if (!found || !found->built_in) return request;
    const bool any_block = !request.block && !request.block_extent;
    if (any_block && session::check_block(*found, usual_block)) request.block = usual_block;
    const auto threads = request.block_extent ? request.block_extent->count() : request.block.value_or(0);
    if (!request.n && threads > 0) {
        const std::uint64_t most =
            session::largest_n(*found, {.block = static_cast<std::uint32_t>(threads)}).value_or(1);
        request.n = std::min(usual_blocks * threads - 1, most);
    }
    return request;
}

void add_flags(const UsualSizes& sizes, std::vector<std::string>& arguments) {
    if (sizes.view) arguments.insert(arguments.end(), {"--view", session::name_of(*sizes.view)});
    const std::vector<std::string> launch = session::launch_flags(sizes.launch);
    arguments.insert(arguments.end(), launch.begin(), launch.end());
}

std::vector<std::string> programs_or_all(const std::vector<std::string>& programs) {
    if (!programs.empty()) return programs;
    std::vector<std::string> all;
    for (const session::Program& program : session::catalog()) all.push_back(program.name);
    return all;
}

}  // namespace lanescope::cli
