#include "analysis/panels/program_lines.h"

#include "analysis/source/source_line.h"
#include "base/grouped.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace lanescope::analysis {

namespace {

using trace::HostStep;

/// "256", "(16, 16)", as in an execution configuration.
std::string configured(const trace::Dim3& extent) {
    if (extent.z != 1) return fmt::format("({}, {}, {})", extent.x, extent.y, extent.z);
    if (extent.y != 1) return fmt::format("({}, {})", extent.x, extent.y);
    return fmt::format("{}", extent.x);
}

std::string buffer_of(const trace::Trace& trace, const HostStep& step) {
    if (!step.buffer) return {};
    const std::string& name = trace.buffers[*step.buffer].name;
    return name == trace::unnamed_buffer ? std::string() : name;
}

/// Is the text that of a library call? The host itself writes device memory only by copies and fills.
bool is_library_call(std::string_view text) {
    return !text.empty() && text != "copy" && !trace::is_copy_of_buffer(text) && text != "fill";
}

/// "copy to d_in, 400 bytes"; without the name where it is not known.
std::string step_text(const HostStep& step, std::string_view name) {
    const std::string bytes = counted(step.bytes, "byte");
    const auto with_bytes = [&](std::string_view named, std::string_view unnamed) {
        return name.empty() ? fmt::format("{} {}", unnamed, bytes) : fmt::format("{} {}, {}", named, name, bytes);
    };
    switch (step.kind) {
        case HostStep::Kind::allocate: return with_bytes("allocate", "allocate");
        case HostStep::Kind::release: return name.empty() ? "free" : fmt::format("free {}", name);
        case HostStep::Kind::write:
            if (step.text == "fill") return with_bytes("fill", "fill");
            if (is_library_call(step.text)) return with_bytes(step.text + ": writes", step.text + ": writes");
            return with_bytes(step.text.empty() ? "write" : step.text + " to",
                              step.text.empty() ? "write" : step.text + ",");
        case HostStep::Kind::read:
            if (is_library_call(step.text)) return with_bytes(step.text + ": reads", step.text + ": reads");
            return with_bytes("copy from", "copy from the device,");
        case HostStep::Kind::synchronize: return "synchronize";
        default: return step.text;
    }
}

}  // namespace

void PrintedLines::print(std::string_view text, std::vector<ProgramLine>& lines) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const bool goes_on = open_ && !lines.empty() && lines.back().kind == ProgramLine::Kind::printed;
        if (!goes_on) lines.push_back({.kind = ProgramLine::Kind::printed, .launch = {}, .text = {}});
        lines.back().text += text.substr(0, end);
        open_ = end == text.size();
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

ProgramLine line_of(const HostStep& step, std::string_view buffer) {
    using Kind = ProgramLine::Kind;
    ProgramLine line{.source_line = step.source_line, .source_file = step.source_file, .launch = {}, .text = step.text};
    switch (step.kind) {
        case HostStep::Kind::error: line.kind = Kind::problem; break;
        case HostStep::Kind::remark: line.kind = Kind::remark; break;
        case HostStep::Kind::call:
            line.kind = Kind::call;
            line.function = step.function;
            break;
        default: line.text = step_text(step, buffer);
    }
    return line;
}

std::string launch_text(const std::string& kernel, const trace::Dim3& grid, const trace::Dim3& block,
                        std::uint64_t dynamic_shared_bytes) {
    std::string text = fmt::format("{}<<<{}, {}", launch_name_of(kernel), configured(grid), configured(block));
    if (dynamic_shared_bytes != 0) text += fmt::format(", {}", dynamic_shared_bytes);
    return text + ">>>";
}

bool is_program(const trace::Trace& trace) { return !trace.host_steps.empty() || !trace.host_end.empty(); }

std::vector<std::optional<std::uint32_t>> launches_made(const trace::Trace& trace) {
    std::vector<std::optional<std::uint32_t>> made(trace.host_steps.size());
    // Steps after a launch count it as made.
    std::size_t after = trace.launches.size();
    for (std::size_t i = trace.host_steps.size(); i-- > 0;) {
        const HostStep& step = trace.host_steps[i];
        if (step.kind == HostStep::Kind::launch && step.launch < after) made[i] = step.launch;
        after = step.launch;
    }
    return made;
}

std::vector<ProgramLine> program_lines(const trace::Trace& trace) {
    using Kind = ProgramLine::Kind;
    std::vector<ProgramLine> lines;
    if (!is_program(trace)) return lines;
    const std::vector<std::optional<std::uint32_t>> made = launches_made(trace);
    PrintedLines printed;
    for (std::size_t i = 0; i < trace.host_steps.size(); ++i) {
        const HostStep& step = trace.host_steps[i];
        if (step.kind == HostStep::Kind::error && step.text.empty()) continue;  // another step reports it
        if (step.kind == HostStep::Kind::print) {
            printed.print(step.text, lines);
            continue;
        }
        ProgramLine& line = lines.emplace_back(line_of(step, buffer_of(trace, step)));
        if (step.kind != HostStep::Kind::launch) continue;
        line.kind = Kind::launch;
        line.launch = made[i];
        if (!made[i]) {
            line.text = fmt::format("{}<<<...>>>, not launched", launch_name_of(step.text));
            continue;
        }
        const trace::Launch& launch = trace.launches[*made[i]];
        line.text = launch_text(step.text, launch.grid, launch.block, launch.dynamic_shared_bytes);
    }
    if (!trace.host_end.empty()) lines.push_back({.kind = Kind::end, .launch = {}, .text = trace.host_end});
    return lines;
}

std::string printed_by(const trace::Trace& trace) {
    std::string text;
    for (const HostStep& step : trace.host_steps)
        if (step.kind == HostStep::Kind::print) text += step.text;
    return text;
}

std::string_view end_of_partial_launch(const trace::Trace& trace) {
    const auto noted = [&](std::string_view words) {
        return std::ranges::any_of(trace.notes,
                                   [&](const std::string& note) { return note.find(words) != std::string::npos; });
    };
    if (trace.launches.empty() || !trace.is_cut_short()) return {};
    if (noted(trace::Trace::launch_cancelled)) return "cancelled";
    return noted(trace::Trace::step_limit) ? "stopped at the step limit" : "";
}

std::string partial_run_text(const trace::Trace& trace) {
    if (!trace.is_cut_short() || trace.running || trace.launches.empty()) return {};
    const std::size_t last = trace.launches.size() - 1;
    const std::string launch = fmt::format("launch {}, {}", grouped(last), launch_name_of(trace.launches[last].kernel));
    const std::string_view end = end_of_partial_launch(trace);
    if (trace.cancelled)
        return fmt::format("Partial: the run was cancelled {} {}.", end.empty() ? "after" : "in", launch);
    if (end.empty()) return {};
    return fmt::format(
        "Partial: {}, was {}. This is not an error; a larger instruction limit (--max-instructions) lets it run on.",
        launch, end);
}

bool ended_well(const trace::Trace& trace) {
    return trace.host_end.empty() || trace.host_end == trace::successful_exit;
}

}  // namespace lanescope::analysis
