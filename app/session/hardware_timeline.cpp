#include "session/hardware_timeline.h"

#include "base/command_line.h"
#include "base/fnv1a.h"
#include "base/grouped.h"
#include "session/launch_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace lanescope::session {

namespace {

bool is_same_launch(const timing::Timeline& timeline, const Run& run) {
    const trace::Trace& trace = run.trace();
    if (timeline.view != name_of(trace.origin.view) || timeline.n != run.n || timeline.input != data_text(run))
        return false;
    const auto same = [](const timing::TimelineLaunch& recorded, const trace::Launch& launch) {
        return recorded.kernel == launch.kernel && recorded.grid == launch.grid.sides() &&
               recorded.block == launch.block.sides();
    };
    return std::ranges::equal(timeline.launches, trace.launches, same);
}

std::size_t blocks_of(const timing::Timeline& timeline) {
    std::size_t blocks = 0;
    for (const timing::TimelineLaunch& launch : timeline.launches) blocks += launch.blocks.size();
    return blocks;
}

}  // namespace

std::string data_text(const Run& run) {
    std::string text = run.input;
    for (const auto& [parameter, plan] : run.request.arguments) text += fmt::format(", {} = {}", parameter, plan);
    for (const std::string& option : run.request.compiler_options) text += ", " + option;
    if (const auto arch = run.request.arch)
        text += fmt::format(", for compute capability {}.{}", *arch / 10, *arch % 10);
    if (run.request.shared_bytes)
        text += fmt::format(", {} of shared memory", counted(*run.request.shared_bytes, "byte"));
    if (!run.request.command_line.empty()) text += ", -- " + command_text(run.request.command_line);
    if (const std::string& read = run.request.standard_input; !read.empty())
        text += fmt::format(", {} of standard input with the hash {:016x}", counted(read.size(), "byte"), fnv1a(read));
    return text;
}

std::vector<HardwareTimeline> hardware_timelines(const Run& run, const timing::TimelineRecordings& recordings) {
    std::vector<HardwareTimeline> found;
    for (const auto& recording : recordings) {
        for (const timing::Timeline& timeline : recording->timelines) {
            if (timeline.kernel != run.trace().origin.program || timeline.launches.empty()) continue;
            if (std::ranges::any_of(timeline.launches, [](const auto& launch) { return launch.blocks.empty(); }))
                continue;
            const auto known = [&](const HardwareTimeline& other) {
                return other.timeline->view == timeline.view && other.timeline->n == timeline.n &&
                       other.timeline->block == timeline.block && other.timeline->input == timeline.input &&
                       blocks_of(*other.timeline) == blocks_of(timeline) &&
                       (other.timeline->waits > 0) == (timeline.waits > 0);
            };
            if (std::ranges::any_of(found, known)) continue;
            found.push_back({std::shared_ptr<const timing::Timeline>(recording, &timeline), recording->text(),
                             is_same_launch(timeline, run)});
        }
    }
    std::ranges::stable_sort(found, std::greater(), [](const HardwareTimeline& one) {
        return std::tuple(one.same_launch, blocks_of(*one.timeline), one.timeline->waits);
    });
    return found;
}

namespace {

std::string in_words(std::string_view view) { return fmt::format("as {}", view); }

std::vector<std::string> differences_of(const Run& run, const RecordedLaunch& recorded) {
    std::vector<std::string> all;
    if (const std::string view = name_of(run.trace().origin.view); view != recorded.view)
        all.push_back(fmt::format("{} instead of {}", in_words(view), in_words(recorded.view)));
    if (run.n != recorded.n) all.push_back(fmt::format("n = {} instead of {}", grouped(run.n), grouped(recorded.n)));
    if (run.block != recorded.block)
        all.push_back(fmt::format("blocks of {} instead of {}", counted(run.block, "thread"), grouped(recorded.block)));
    if (const std::string data = data_text(run); data != recorded.input)
        all.push_back(fmt::format("{} instead of {}", data, recorded.input));
    return all;
}

}  // namespace

std::string how_run_differs(const Run& run, const RecordedLaunch& recorded) {
    return fmt::format("{}", fmt::join(differences_of(run, recorded), ", "));
}

std::string how_run_differs(const Run& run, const timing::Timeline& recorded) {
    std::vector<std::string> all =
        differences_of(run, {.view = recorded.view, .n = recorded.n, .block = recorded.block, .input = recorded.input});
    const std::vector<trace::Launch>& launches = run.trace().launches;
    if (launches.size() != recorded.launches.size()) {
        all.push_back(
            fmt::format("{} instead of {}", counted(launches.size(), "launch"), grouped(recorded.launches.size())));
    }
    // Grids follow from n and the block size; they are named where those do not explain the difference.
    for (std::size_t i = 0; all.empty() && i < launches.size(); ++i) {
        const trace::Launch& here = launches[i];
        const timing::TimelineLaunch& there = recorded.launches[i];
        if (here.kernel != there.kernel)
            all.push_back(fmt::format("launch {} is of {} instead of {}", i, here.kernel, there.kernel));
        else if (here.grid.sides() != there.grid)
            all.push_back(fmt::format("a grid of {} instead of {}", fmt::join(here.grid.sides(), " x "),
                                      fmt::join(there.grid, " x ")));
        else if (here.block.sides() != there.block)
            all.push_back(fmt::format("blocks of {} instead of {}", fmt::join(here.block.sides(), " x "),
                                      fmt::join(there.block, " x ")));
    }
    return fmt::format("{}", fmt::join(all, ", "));
}

namespace {

/// Whether the waits of the run's warps are recorded by default: their timestamps take at most 64 MB.
bool has_few_warps(const Run& run) {
    constexpr std::uint64_t most = 60'000;
    std::uint64_t warps = 0;
    for (const trace::Launch& launch : run.trace().launches)
        warps += launch.grid.count() * ((launch.block.count() + warp_size - 1) / warp_size);
    return warps <= most;
}

}  // namespace

std::vector<std::string> timeline_arguments(const Run& run) {
    std::vector<std::string> arguments{"timeline", run.request.program, "--view", name_of(run.trace().origin.view),
                                       "--out",    "timeline.json"};
    if (has_few_warps(run)) arguments.insert(arguments.begin() + 2, "--warps");
    add_launch(arguments, run.request);
    return arguments;
}

std::vector<std::string> timing_arguments(const Run& run) {
    std::vector<std::string> arguments{"time", run.request.program};
    if (run.trace().origin.view == trace::View::written) arguments.insert(arguments.end(), {"--view", "written"});
    // The size on the screen also where it is the kernel's own: timing has other defaults. What only concerns a main
    // function and the emulator is no option of timing.
    Request timed = run.request;
    timed.n = run.n;
    timed.block = run.block;
    timed.standard_input.clear();
    timed.command_line.clear();
    timed.host_function.clear();
    timed.working_folder.clear();
    timed.time_limit.reset();
    timed.max_instructions.reset();
    add_launch(arguments, timed, {"--out", "times.json"});
    return arguments;
}

}  // namespace lanescope::session
