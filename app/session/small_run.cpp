#include "session/small_run.h"

#include <algorithm>
#include <cassert>

namespace lanescope::session {

namespace {

constexpr std::uint64_t first_blocks = 16;  // the first try has as many elements as their threads

}  // namespace

bool has_instance_for(const Run& run, std::uint64_t n) {
    const Variables small{
        .n = run.n, .block = run.block, .grid = run.grid, .multiprocessors = run.request.multiprocessors.value_or(0)};
    Variables final = small;
    final.n = n;
    return instance_of(run.program, small) == instance_of(run.program, final);
}

std::expected<std::shared_ptr<const Run>, Refusal> small_run(const Request& request, Progress& progress) {
    assert(request.n && request.block);
    const auto program = find_requested(request);
    if (!program) return std::unexpected(program.error());
    if (program->recipe.host) return run(request, progress);
    const std::uint64_t wanted = *request.n;
    Request small = request;
    small.n = std::min(wanted, first_blocks * *request.block);
    auto found = run(small, progress);
    const auto is_too_small = [&](const Run& of) {
        return (of.grid < several_blocks && of.n < std::min(wanted, most_small)) ||
               (!has_instance_for(of, wanted) && of.n < std::min(wanted, most_instance));
    };
    while (found && is_too_small(**found) && (*found)->trace().findings.empty() && !(*found)->trace().is_cut_short() &&
           !progress.cancelled()) {
        small.n = std::min(wanted, 4 * *small.n);
        auto larger = run(small, progress);
        if (!larger) break;
        found = std::move(larger);
    }
    return found;
}

}  // namespace lanescope::session
