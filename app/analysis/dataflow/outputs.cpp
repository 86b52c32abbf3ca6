#include "analysis/dataflow/outputs.h"

#include <algorithm>
#include <vector>

namespace lanescope::analysis {
namespace {

/// Stored by a kernel, or a copy of it by the host.
bool is_result(const ValueGraph& values, ValueId id) {
    const TracedValue& value = values[id];
    if (value.kind == TracedValue::Kind::memory) return true;
    return value.kind == TracedValue::Kind::host && !values.parents(id).empty();
}

/// `by` reaches an output, and so does the value that it needs.
void mark_needed(TracedValue& needed, const TracedValue& by) {
    needed.reaches_output = true;
    needed.use_known = needed.use_known || by.use_known;
}

}  // namespace

bool has_unrecorded_steps(const trace::Launch& launch) {
    if (launch.cut) return true;
    if (launch.blocks.empty()) return !launch.all_recorded();
    const auto began = [](const trace::BlockRun& run) { return run.longest_warp > 0; };
    return static_cast<std::size_t>(std::ranges::count_if(launch.blocks, began)) > launch.recorded.size();
}

void mark_contents(const ByteHistory& memory, ValueGraph& values) {
    memory.for_each_newest([&](ValueId id) {
        if (is_result(values, id)) values[id].reaches_output = values[id].use_known = true;
    });
}

void mark_read_by_others(const MemoryHistories& memories, ValueGraph& values) {
    for (const ByteHistory& buffer : memories.buffers) {
        buffer.for_each_newest([&](ValueId id) {
            if (is_result(values, id)) values[id].reaches_output = true;
        });
    }
}

void mark_outputs(const trace::Trace& trace, const MemoryHistories& memories, const Lineages& lineages,
                  ValueGraph& values) {
    // If a program names no output, every buffer that it wrote is one.
    const bool named = std::ranges::any_of(trace.buffers, &trace::Buffer::output);
    for (std::size_t i = 0; i < trace.buffers.size(); ++i)
        if (!named || trace.buffers[i].output) mark_contents(memories.buffers[i], values);
    std::vector<bool> in_part;  // by launch
    in_part.reserve(trace.launches.size());
    for (const trace::Launch& launch : trace.launches) in_part.push_back(has_unrecorded_steps(launch));
    if (std::ranges::find(in_part, true) != in_part.end()) {
        for (TracedValue& value : values.values()) {
            const bool stored = value.kind == TracedValue::Kind::memory && value.space == trace::Space::global;
            if (stored && value.step.valid() && in_part[trace.step(value.step).launch]) value.reaches_output = true;
        }
    }
    // A value that an output holds because a comparison let it stay depends on the comparison.
    lineages.for_each_kept([&](ValueId id, ValueId test) {
        if (values[id].reaches_output) mark_needed(values[test], values[id]);
    });
    // A value is younger than those that it needs, so one pass from the newest on reaches all of them.
    for (std::size_t i = values.size(); i-- > 0;) {
        const ValueId id(static_cast<std::uint32_t>(i));
        if (!values[id].reaches_output) continue;
        values.for_each_need(id, [&](ValueId need) { mark_needed(values[need], values[id]); });
    }
}

}  // namespace lanescope::analysis
