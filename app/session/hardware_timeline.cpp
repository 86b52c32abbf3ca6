#include "session/hardware_timeline.h"

#include "base/command_line.h"
#include "base/fnv1a.h"
#include "base/grouped.h"
#include "session/launch_values.h"

#include <fmt/format.h>

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

std::string launch_text(const Run& run) {
    std::string text = run.trace().origin.view == trace::View::written ? "as written" : "as compiled";
    text += fmt::format(", n = {}", grouped(run.n));
    if (run.trace().launches.empty()) return text;
    const trace::Launch& launch = run.trace().launches.front();
    return text +
           fmt::format(", {} of {}", counted(launch.grid.count(), "block"), counted(launch.block.count(), "thread"));
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

}  // namespace lanescope::session
