#include "trace/record_extent.h"

#include "base/grouped.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::trace {

namespace {

std::string name_of_launch(const Trace& trace, std::uint32_t launch) {
    return trace.launches.size() > 1 ? fmt::format(" of launch {}", grouped(launch)) : std::string();
}

}  // namespace

std::string recorded_text(const Trace& trace, std::uint32_t launch, std::string_view recorded) {
    const Launch& of = trace.launches[launch];
    std::string text =
        fmt::format("{} of {} {}", grouped(of.recorded.size()), counted(of.grid.count(), "block"), recorded);
    if (of.cut)
        text +=
            fmt::format(", block {} up to step {}", grouped(of.cut->value), grouped(trace.steps_of(launch, *of.cut)));
    return text;
}

std::string cut_text(const Trace& trace, std::uint32_t launch) {
    const Launch& of = trace.launches[launch];
    if (!of.cut) return {};
    std::string text = fmt::format("Block {}{} is recorded up to step {}", grouped(of.cut->value),
                                   name_of_launch(trace, launch), grouped(trace.steps_of(launch, *of.cut)));
    // Where only accesses are recorded, a step is not an instruction.
    if (trace.detail == Detail::registers && of.cut->index() < of.blocks.size())
        text += fmt::format(" of {}", grouped(of.blocks[of.cut->index()].warp_instructions));
    return text;
}

Problem nothing_recorded(const Trace& trace, std::uint32_t launch) {
    const auto has_some = [](const Launch& each) { return !each.recorded.empty(); };
    const auto other = std::ranges::find_if(trace.launches, has_some);
    const std::string what = fmt::format("no block{} is recorded step by step", name_of_launch(trace, launch));
    if (other == trace.launches.end())
        return {.what = what, .where = {}, .remedy = "Omit --record, or increase it. All blocks are counted."};
    return {
        .what = what,
        .where = {},
        .remedy = fmt::format("The record was full: --record-launch {} makes room for that launch. Launch {} is the "
                              "first with a recorded block.",
                              launch, other - trace.launches.begin())};
}

Problem block_not_recorded(const Trace& trace, std::uint32_t launch, std::uint32_t block) {
    const std::vector<BlockId>& recorded = trace.launches[launch].recorded;
    std::string there = fmt::format("{} to {}", grouped(recorded.front().value), grouped(recorded.back().value));
    const bool adjacent = recorded.back().value - recorded.front().value + 1 == recorded.size();
    const std::string which = recorded.size() == 1 ? fmt::format("Block {} is", grouped(recorded.front().value))
                              : adjacent           ? fmt::format("Blocks {} are", there)
                                         : fmt::format("{} from {} are", counted(recorded.size(), "block"), there);
    return {
        .what = fmt::format("block {}{} is not recorded step by step", grouped(block), name_of_launch(trace, launch)),
        .where = {},
        .remedy = which + " recorded; --record records more."};
}

}  // namespace lanescope::trace
