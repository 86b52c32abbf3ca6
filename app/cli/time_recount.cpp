#include "cli/time_recount.h"

#include "cli/time_emulation.h"
#include "model/device_limits.h"
#include "session/unmeasured.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <ostream>

namespace lanescope::cli {

namespace {

/// The emulator's counts of one point; nullopt if it does not run it.
std::optional<timing::CostCounts> counts_now(TimeEmulation& emulation, const timing::Recording& recording,
                                             const TimeOptions& options, const TimeGroup& group,
                                             const timing::Point& point) {
    const TimeJob job{.n = point.n, .block = point.block};
    const auto program = session::find_requested(emulation.request_for(job, job.n));
    if (!program) return std::nullopt;
    const auto& small = emulation.small_run(job, *program);
    if (!small) return std::nullopt;
    const bool free_grid = session::grid_is_free(*program) && !group.jobs.empty() &&
                           (group.jobs.front().grid > 0 || group.jobs.front().per_thread > 0);
    const std::uint64_t resident = model::limits_of(recording.arch).threads();
    const auto plan = session::plan_for_gpu(**small, {.n = point.n,
                                                      .grid = free_grid ? std::optional(point.grid) : std::nullopt,
                                                      .per_thread = {},
                                                      .multiprocessors = recording.processors,
                                                      .resident_threads = recording.processors * resident,
                                                      .until_one = !options.one_launch});
    if (!plan) return std::nullopt;
    const auto trace = emulation.emulate(**small, *plan, std::numeric_limits<double>::infinity());
    return trace == nullptr ? std::nullopt : std::optional(session::counts_of(*trace));
}

}  // namespace

Result<Recount> recount(timing::Recording& recording, const TimeOptions& options, Environment& environment) {
    const auto groups = groups_of(options);
    if (!groups) return std::unexpected(groups.error());
    Recount done;
    for (const TimeGroup& group : *groups) {
        TimeEmulation emulation(options, group.program, group.kernel, recording.processors, environment.progress);
        bool differs = false;
        for (timing::Point& point : recording.points) {
            if (environment.progress.cancelled()) return done;
            if (!point.counts || point.kernel != group.name || (!group.type.empty() && point.element != group.type))
                continue;
            ++done.points;
            if (environment.err_is_terminal)
                environment.err << environment.clear_line() << describe(group, {.n = point.n, .block = point.block})
                                << std::flush;
            const auto now = counts_now(emulation, recording, options, group, point);
            if (!now || *now == *point.counts) continue;
            timing::CostCounts lacked = *point.counts;
            lacked.atomics_at_one_word = now->atomics_at_one_word;
            differs = differs || point.counts->atomics_at_one_word != 0 || lacked != *now;
            point.counts = *now;
            ++done.changed;
        }
        if (differs) done.changes.push_back(group.name);
    }
    environment.err << environment.clear_line();
    return done;
}

}  // namespace lanescope::cli
