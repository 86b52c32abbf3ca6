// The host's writes between launches, in a trace file.
#include "trace/sections.h"

#include <algorithm>
#include <limits>

namespace lanescope::trace {

void write_host(ByteWriter& out, const Trace& trace) {
    out.number(trace.host_writes.size());
    for (const HostWrite& write : trace.host_writes) {
        out.number(write.launch);
        out.number(write.buffer);
        out.number(write.offset);
        out.number(write.source_line);
        out.number(write.after.size());
        out.raw(write.before);
        out.raw(write.after);
    }
    const bool copies =
        std::ranges::any_of(trace.host_writes, [](const auto& write) { return write.source.has_value(); });
    if (trace.host_steps.empty() && trace.host_end.empty() && !copies) return;  // as format 4 has it
    out.text(trace.host_end);
    out.number(trace.host_steps.size());
    for (const HostStep& step : trace.host_steps) {
        out.number(static_cast<std::uint64_t>(step.kind));
        out.number(step.launch);
        out.number(step.source_line);
        out.number(step.buffer ? std::uint64_t{*step.buffer} + 1 : 0);
        out.number(step.bytes);
        out.text(step.text);
        if (step.kind == HostStep::Kind::call) out.text(step.function);
    }
    if (trace.origin.other_sources.empty() && !trace.running && !copies) return;
    out.number(trace.running ? 1 : 0);
    out.number(trace.origin.other_sources.size());
    for (const SourceText& source : trace.origin.other_sources) {
        out.text(source.name);
        out.text(source.text);
    }
    for (const HostStep& step : trace.host_steps) out.number(number_of_source(trace.origin, step.source_file));
    if (!copies) return;
    for (const HostWrite& write : trace.host_writes) {
        out.number(write.source ? std::uint64_t{write.source->buffer} + 1 : 0);
        if (write.source) out.number(write.source->offset);
    }
    for (const HostStep& step : trace.host_steps) out.number(step.host_write ? std::uint64_t{*step.host_write} + 1 : 0);
}

std::uint64_t number_of_source(const Origin& origin, const std::string& name) {
    const auto found = std::ranges::find(origin.other_sources, name, &SourceText::name);
    if (name.empty() || found == origin.other_sources.end()) return 0;
    return static_cast<std::uint64_t>(found - origin.other_sources.begin()) + 1;
}

namespace {

void read_copies(ByteReader& in, Trace& trace) {
    for (HostWrite& write : trace.host_writes) {
        const std::uint64_t buffer = in.number_up_to(trace.buffers.size());
        if (buffer == 0) continue;
        const std::uint64_t bytes = trace.buffers[buffer - 1].bytes;
        if (bytes < write.after.size()) return in.fail();
        write.source = {.buffer = static_cast<std::uint32_t>(buffer - 1),
                        .offset = in.number_up_to(bytes - write.after.size())};
    }
    for (HostStep& step : trace.host_steps) {
        const std::uint64_t number = in.number_up_to(trace.host_writes.size());
        if (number != 0) step.host_write = static_cast<std::uint32_t>(number - 1);
    }
}

void read_host_steps(ByteReader& in, Trace& trace) {
    trace.host_end = in.text();
    trace.host_steps.resize(in.count(6));
    std::uint64_t launch = 0;
    for (HostStep& step : trace.host_steps) {
        step.kind = static_cast<HostStep::Kind>(in.number_up_to(static_cast<std::uint64_t>(HostStep::Kind::call)));
        const std::uint64_t before = in.number_up_to(trace.launches.size());
        if (before < launch) return in.fail();
        launch = before;
        step.launch = static_cast<std::uint32_t>(launch);
        step.source_line = static_cast<std::uint32_t>(in.number_up_to(std::numeric_limits<std::uint32_t>::max()));
        if (const std::uint64_t buffer = in.number_up_to(trace.buffers.size()); buffer != 0)
            step.buffer = static_cast<std::uint32_t>(buffer - 1);
        step.bytes = in.number();
        step.text = in.text();
        if (step.kind == HostStep::Kind::call) step.function = in.text();
    }
    if (in.done() || in.failed()) return;
    trace.running = in.number_up_to(1) != 0;
    trace.origin.other_sources.resize(in.count(2));
    for (SourceText& source : trace.origin.other_sources) {
        source.name = in.text();
        source.text = in.text();
    }
    for (HostStep& step : trace.host_steps) {
        const std::uint64_t file = in.number_up_to(trace.origin.other_sources.size());
        if (file != 0) step.source_file = trace.origin.other_sources[file - 1].name;
    }
    if (!in.done() && !in.failed()) read_copies(in, trace);
}

}  // namespace

void read_host(ByteReader& in, Trace& trace) {
    trace.host_writes.resize(in.count(5));
    std::uint64_t launch = 0;
    for (HostWrite& write : trace.host_writes) {
        // In their order, so that the writes of a launch are adjacent.
        const std::uint64_t before_launch = in.number();
        const std::uint64_t buffer = in.number();
        if (before_launch < launch || before_launch > trace.launches.size() || buffer >= trace.buffers.size()) {
            return in.fail();
        }
        launch = before_launch;
        write.launch = static_cast<std::uint32_t>(launch);
        write.buffer = static_cast<std::uint32_t>(buffer);
        write.offset = in.number_up_to(trace.buffers[buffer].bytes);
        write.source_line = static_cast<std::uint32_t>(in.number_up_to(std::numeric_limits<std::uint32_t>::max()));
        const std::uint64_t bytes = in.number_up_to(trace.buffers[buffer].bytes - write.offset);
        const auto before = in.raw(bytes);
        const auto after = in.raw(bytes);
        if (in.failed()) return;
        write.before.assign(before.begin(), before.end());
        write.after.assign(after.begin(), after.end());
    }
    if (!in.done() && !in.failed()) read_host_steps(in, trace);
}

}  // namespace lanescope::trace
