#include "session/host_story.h"

#include "analysis/panels/program_lines.h"
#include "analysis/source/source_line.h"
#include "base/demangle.h"
#include "base/grouped.h"
#include "host/cuda_error.h"
#include "session/host_function_runs.h"
#include "session/kept_sources.h"
#include "trace/element.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <csignal>
#include <cstring>
#include <string_view>

namespace lanescope::session {

trace::HostStep::Kind kind_of(host::ProgramStep::Kind kind) {
    using Kind = trace::HostStep::Kind;
    switch (kind) {
        case host::ProgramStep::Kind::allocate: return Kind::allocate;
        case host::ProgramStep::Kind::release: return Kind::release;
        case host::ProgramStep::Kind::write: return Kind::write;
        case host::ProgramStep::Kind::read: return Kind::read;
        case host::ProgramStep::Kind::launch: return Kind::launch;
        case host::ProgramStep::Kind::synchronize: return Kind::synchronize;
        case host::ProgramStep::Kind::print: return Kind::print;
        case host::ProgramStep::Kind::error:
        case host::ProgramStep::Kind::fault: return Kind::error;
        case host::ProgramStep::Kind::remark: return Kind::remark;
        case host::ProgramStep::Kind::call: return Kind::call;
    }
    return Kind::remark;
}

namespace {

trace::Finding::Kind kind_of(host::FaultKind kind) {
    using Kind = trace::Finding::Kind;
    switch (kind) {
        case host::FaultKind::copy_past_end: return Kind::out_of_bounds;
        case host::FaultKind::wrong_direction: return Kind::wrong_direction;
        case host::FaultKind::host_access: return Kind::host_access;
        case host::FaultKind::double_free: return Kind::double_free;
        case host::FaultKind::invalid_free: return Kind::invalid_free;
        case host::FaultKind::leak: return Kind::leak;
        case host::FaultKind::unchecked_error: return Kind::unchecked_error;
        case host::FaultKind::unsynchronized:
        case host::FaultKind::unordered: return Kind::missing_synchronization;
        case host::FaultKind::use_after_free: return Kind::use_after_free;
        case host::FaultKind::host_overrun:
        case host::FaultKind::heap_overrun:
        case host::FaultKind::host_crash: return Kind::out_of_bounds;
        case host::FaultKind::host_stack_overflow: return Kind::stack_overflow;
    }
    return Kind::host_access;
}

/// How device memory was written.
std::string_view way_of(host::WriteKind kind, bool to_pinned, bool from_pinned) {
    switch (kind) {
        case host::WriteKind::from_host: return "copy";
        case host::WriteKind::from_device:
            return to_pinned     ? trace::copied_to_pinned
                   : from_pinned ? trace::copied_from_pinned
                                 : trace::copied_on_device;
        case host::WriteKind::fill: return "fill";
        case host::WriteKind::by_host:
        case host::WriteKind::by_library: break;
    }
    return {};
}

/// "pixels" for the "pixels (2)" of unused_name(): what one variable held, one after the other.
std::string_view without_number(std::string_view name) {
    const std::size_t begin = name.rfind(" (");
    return name.ends_with(')') ? name.substr(0, begin) : name;
}

std::string never_freed(const std::string& buffer) { return fmt::format("{} is never freed", without_number(buffer)); }

/// A fault and the error that the same call returned are reported once, and so is the same error when it was not
/// checked, which is reported at the program's end.
bool is_reported_elsewhere(std::span<const host::ProgramStep> steps, std::size_t number) {
    using Kind = host::ProgramStep::Kind;
    const host::ProgramStep& step = steps[number];
    const auto of_one_call = [&](const host::ProgramStep& other) {
        return !step.callers.empty() && other.callers == step.callers;
    };
    if (step.kind == Kind::error)
        return number > 0 && steps[number - 1].kind == Kind::fault && of_one_call(steps[number - 1]);
    if (step.kind != Kind::fault || step.fault != host::FaultKind::unchecked_error) return false;
    return std::ranges::any_of(steps.first(number), [&](const host::ProgramStep& other) {
        return other.kind == Kind::error && of_one_call(other) && step.what.ends_with(other.what);
    });
}

void add_or_count(std::vector<trace::Finding>& findings, trace::Finding finding) {
    const auto same = std::ranges::find_if(findings, [&](const trace::Finding& other) {
        return other.kind == finding.kind && other.source_line == finding.source_line &&
               other.source_file == finding.source_file && other.message == finding.message;
    });
    if (same != findings.end())
        same->count += finding.count;
    else
        findings.push_back(std::move(finding));
}

/// "the copy to d", "k".
std::string work_of(const host::ProgramStep& step, const std::string& buffer) {
    if (step.kind == host::ProgramStep::Kind::launch) return source_name_of(step.launch.function);
    if (!step.what.empty()) return step.what;
    if (step.kind == host::ProgramStep::Kind::read) return fmt::format("the copy from {}", buffer);
    return fmt::format("the {} {}", step.written == host::WriteKind::fill ? "fill of" : "copy to", buffer);
}

std::string_view access_of(std::uint32_t writes) { return writes != 0 ? "writes" : "reads"; }

}  // namespace

std::string end_of(const host::ProgramEnd& end) {
    switch (end.how) {
        case host::ProgramEnd::How::exited:
            return end.code == 0 ? std::string(trace::successful_exit) : fmt::format("exit status {}", end.code);
        case host::ProgramEnd::How::signal: return fmt::format("signal {}, {}", end.code, strsignal(end.code));
        case host::ProgramEnd::How::cancelled: return "cancelled";
        case host::ProgramEnd::How::too_large: return "terminated at the limit of memory";
        case host::ProgramEnd::How::too_many: return "terminated at the limit of processes";
        case host::ProgramEnd::How::step_limit: return std::string(trace::step_limit_end);
        case host::ProgramEnd::How::unknown: return std::string(analysis::unknown_end);
        case host::ProgramEnd::How::too_long:
            return end.code == SIGXCPU ? "terminated at the limit of CPU time"
                                       : "terminated at the limit of CPU time or memory";
    }
    return {};
}

namespace {

/// "cudaMalloc returned cudaErrorMemoryAllocation: out of memory: ...", as the finding of an unchecked error has it.
std::string failed_call(const host::ProgramStep& step) {
    if (step.call.empty() || step.error == 0) return step.what;
    // Libraries number their errors otherwise; what they returned is in the sentence.
    const bool of_library = step.call.starts_with("cublas") || step.call.starts_with("curand");
    const std::string_view name = of_library ? std::string_view() : host::name_of_cuda_error(step.error);
    return fmt::format("{} returned {}: {}", step.call, name.empty() ? fmt::format("status {}", step.error) : name,
                       step.what);
}

}  // namespace

trace::HostStep plain_step(const host::ProgramStep& step, bool to_pinned, bool from_pinned) {
    trace::HostStep plain{.kind = kind_of(step.kind), .buffer = {}, .bytes = step.bytes, .text = step.what};
    if (step.rows.height > 1) plain.bytes = step.rows.width * step.rows.height;
    if (step.kind == host::ProgramStep::Kind::error) plain.text = failed_call(step);
    if (step.kind == host::ProgramStep::Kind::fault && step.fault == host::FaultKind::unordered)
        plain.text = "no synchronization with earlier work";
    if (step.kind == host::ProgramStep::Kind::launch) plain.text = source_name_of(step.launch.function);
    if (step.kind == host::ProgramStep::Kind::write && step.what.empty())
        plain.text = way_of(step.written, to_pinned, from_pinned);
    return plain;
}

std::string HostStory::file_of(const host::ProgramStep& step) const {
    return name_of_other_source(step.where.file, input_.folders, trace_.origin);
}

std::uint32_t HostStory::line_of(const host::ProgramStep& step) const {
    const trace::Origin& origin = trace_.origin;
    const std::string name = name_of_source(step.where.file, input_.folders);
    const bool kept =
        name == origin.source_name ||
        std::ranges::find(origin.other_sources, name, &trace::SourceText::name) != origin.other_sources.end();
    return kept ? step.where.line : 0;
}

std::string HostStory::where(const host::ProgramStep& step) const {
    const std::uint32_t line = line_of(step);
    if (line == 0) return {};
    const std::string file = file_of(step);
    return file.empty() ? fmt::format("line {}", line) : fmt::format("line {} of {}", line, file);
}

std::string HostStory::name_at(std::uint64_t address) const {
    const auto place = input_.place_at(address);
    if (!place) return {};
    const std::string& name = place->buffer ? trace_.buffers[*place->buffer].name : place->name;
    return name == trace::unnamed_buffer ? std::string() : name;
}

void HostStory::add_step(std::size_t number) {
    const host::ProgramStep& step = input_.run.steps[number];
    const StepPlace& place = input_.places[number];
    const auto is_pinned = [](const std::optional<Place>& memory) {
        return memory && memory->kind == host::MemoryKind::pinned;
    };
    const auto at = input_.place_at(step.address);
    trace::HostStep& shown = trace_.host_steps.emplace_back(
        plain_step(step, is_pinned(at), step.from != 0 && is_pinned(input_.place_at(step.from))));
    shown.launch = place.launch;
    shown.source_line = line_of(step);
    if (shown.source_line != 0) shown.source_file = file_of(step);
    shown.buffer = place.buffer;
    if (place.write) shown.host_write = static_cast<std::uint32_t>(*place.write);
    if (is_reported_elsewhere(input_.run.steps, number)) shown.text.clear();
    if (step.kind == host::ProgramStep::Kind::call) {
        const HostFunctionRuns& runs = *input_.functions;
        shown.text = runs.sentence_of(step.host_function, input_.run.host_calls);
        if (runs.runs()[step.host_function].trace != nullptr) shown.function = runs.runs()[step.host_function].name;
    }
    // The buffer may have come with a later launch.
    if (!shown.buffer && at) shown.buffer = at->buffer;
    if (step.kind == host::ProgramStep::Kind::fault && step.fault == host::FaultKind::leak && shown.buffer)
        shown.text = never_freed(trace_.buffers[*shown.buffer].name);
}

/// "d[0] to [999]"
std::string HostStory::elements_at(std::uint64_t address, std::uint64_t bytes) const {
    const auto place = input_.place_at(address);
    if (!place || !place->buffer) return "the same memory";
    const trace::Buffer& buffer = trace_.buffers[*place->buffer];
    const auto element = [&](std::uint64_t at) { return (at - buffer.address) / trace::bytes_of(buffer.element); };
    const std::uint64_t first = element(address), last = element(address + bytes - 1);
    if (buffer.name.empty() || buffer.name == trace::unnamed_buffer)
        return first == last ? fmt::format("element {} of that memory", grouped(first))
                             : fmt::format("elements {} to {} of that memory", grouped(first), grouped(last));
    return first == last ? fmt::format("{}[{}]", buffer.name, first)
                         : fmt::format("{}[{}] to [{}]", buffer.name, first, last);
}

/// Two operations that a GPU may execute at the same time, or one and an access by the host.
std::string HostStory::unordered_text(std::size_t number) const {
    const host::ProgramStep& fault = input_.run.steps[number];
    const host::UnorderedFacts& facts = fault.unordered;
    const bool before_call = facts.later == host::UnorderedFacts::host_code_before;
    const bool of_host = before_call || facts.later == host::UnorderedFacts::host_code;
    // The runtime numbers steps that were made; a program may send messages without it.
    if (facts.earlier >= number || (!of_host && facts.later >= number)) return "work without synchronization";
    const auto name = [&](const host::ProgramStep& step) {
        const std::string known = name_at(step.address);
        return work_of(step, known.empty() ? "memory" : known);
    };
    const std::string what = elements_at(fault.address, fault.bytes);
    const host::ProgramStep& earlier = input_.run.steps[facts.earlier];
    const std::string line = where(earlier);
    const std::string first = name(earlier) + (line.empty() ? "" : fmt::format(" in {}", line));
    if (before_call)
        return fmt::format(
            "before this call host code writes {}, which {} may still {}: nothing waits for it. Call "
            "cudaStreamSynchronize before",
            what, first, facts.earlier_writes != 0 ? "write" : "read");
    if (of_host)
        return fmt::format(
            "host code {} {}, which {} may still {}: nothing waits for it. Call cudaStreamSynchronize "
            "before",
            access_of(facts.later_writes), what, first, facts.earlier_writes != 0 ? "write" : "read");
    return fmt::format(
        "{} {} {}, and {} {} it in another {}", name(input_.run.steps[facts.later]), access_of(facts.later_writes),
        what, first, access_of(facts.earlier_writes),
        facts.in_one_graph != 0
            ? "branch of the graph, without an edge between the two. Let one node depend on the other"
            : "stream, without synchronization between the two. Record an event after one, and let the other's "
              "stream wait for it");
}

/// ": h was freed in line 9", where that is known.
std::string HostStory::where_freed(std::size_t number) const {
    const std::uint64_t address = input_.run.steps[number].address;
    const auto place = input_.place_at(address);
    const std::uint64_t begin = place ? place->address : address;
    const auto before = std::span(input_.run.steps).first(number);
    const auto freed = std::ranges::find_if(before, [&](const host::ProgramStep& step) {
        return step.kind == host::ProgramStep::Kind::release && step.address == begin;
    });
    if (freed == before.end()) return {};
    const std::string line = where(*freed);
    std::string name = name_at(address);
    if (name.empty()) {  // names come with the first launch
        const auto made = std::ranges::find_if(before, [&](const host::ProgramStep& step) {
            return step.kind == host::ProgramStep::Kind::allocate && step.address == begin;
        });
        if (made == before.end() || where(*made).empty()) return {};
        name = fmt::format("the allocation of {} in {}", counted(made->bytes, "byte"), where(*made));
    }
    return line.empty() ? std::string() : fmt::format(": {} was freed in {}", name, line);
}

/// A heap block's overrun is noticed later: at a free, or at the call of CUDA that follows.
std::string HostStory::when_noticed(std::size_t number) const {
    using Notice = host::HeapNotice;
    const std::span steps = input_.run.steps;
    std::string when;
    switch (static_cast<Notice>(steps[number].bytes)) {
        case Notice::at_free: when = ", noticed when it is freed"; break;
        case Notice::at_end: when = ", noticed at the program's end"; break;
        case Notice::at_crash: when = ", noticed when the program crashes"; break;
        case Notice::at_call: {
            const auto call = std::ranges::find_if(steps.subspan(number), [](const host::ProgramStep& step) {
                return step.kind != host::ProgramStep::Kind::fault;
            });
            const std::string line = call == steps.end() ? std::string() : where(*call);
            if (!line.empty()) when = fmt::format(", noticed before the call in {}", line);
            break;
        }
    }
    return when + ". --sanitize finds the line that writes";
}

/// The finding belongs to no thread.
trace::Finding HostStory::finding_of(std::size_t number, std::uint64_t address) const {
    const host::ProgramStep& step = input_.run.steps[number];
    trace::Finding finding;
    const std::size_t last = std::max<std::size_t>(trace_.launches.size(), 1) - 1;
    finding.launch = std::min(input_.places[number].launch, static_cast<std::uint32_t>(last));
    finding.source_line = line_of(step);
    if (finding.source_line != 0) finding.source_file = file_of(step);
    finding.message = step.what;
    if (const auto place = input_.place_at(address); place && place->buffer)
        finding.variable = trace_.buffers[*place->buffer].name;
    return finding;
}

void HostStory::add_fault(std::size_t number) {
    const host::ProgramStep& step = input_.run.steps[number];
    if (step.kind != host::ProgramStep::Kind::fault) return;  // an error that the program checks is no fault of its own
    trace::Finding finding = finding_of(number, step.address);
    const bool launch_failed =
        step.fault == host::FaultKind::unchecked_error && step.what.starts_with(host::ignored_launch);
    finding.kind = launch_failed ? trace::Finding::Kind::invalid_launch : kind_of(step.fault);
    const bool unsupported = step.what.ends_with(host::not_a_kernel) || step.what.ends_with(host::not_executed);
    if (launch_failed && unsupported && !input_.refused.empty())
        finding.message = input_.refused.size() > 1
                              ? "Lanescope cannot execute the kernel; the notes say why"
                              : "Lanescope cannot execute the kernel: " + input_.refused.front().message();
    if (step.fault == host::FaultKind::unchecked_error) finding.count = std::max<std::uint64_t>(step.bytes, 1);
    // A call that is reported as a fault, or a launch that was not made, is reported as such.
    const bool reported = finding.kind == trace::Finding::Kind::unchecked_error && finding.source_line != 0 &&
                          std::ranges::any_of(trace_.findings, [&](const trace::Finding& other) {
                              return other.kind != finding.kind && other.kind != trace::Finding::Kind::leak &&
                                     !other.block.valid() && other.source_line == finding.source_line &&
                                     other.source_file == finding.source_file;
                          });
    if (reported) return;
    if (step.fault == host::FaultKind::unordered) finding.message = unordered_text(number);
    if (step.fault == host::FaultKind::heap_overrun) finding.message += when_noticed(number);
    if (finding.kind == trace::Finding::Kind::leak && !finding.variable.empty())
        finding.message = never_freed(finding.variable);
    if (step.fault == host::FaultKind::double_free || step.fault == host::FaultKind::use_after_free)
        finding.message += where_freed(number);
    add_or_count(trace_.findings, std::move(finding));
}

/// As compute-sanitizer's initcheck reports what cudaMemcpy copies.
void HostStory::add_unwritten_copy(std::size_t number) {
    if (!input_.places[number].reads_unwritten) return;
    const host::ProgramStep& step = input_.run.steps[number];
    const bool reads = step.kind == host::ProgramStep::Kind::read;
    trace::Finding finding = finding_of(number, reads ? step.address : step.from);
    finding.kind = trace::Finding::Kind::uninitialized_read;
    finding.message =
        fmt::format("the copy from {} reads {}, none of which has been written",
                    finding.variable.empty() ? "the device" : finding.variable, counted(step.bytes, "byte"));
    add_or_count(trace_.findings, std::move(finding));
}

void HostStory::add_steps() {
    constexpr std::size_t most_steps = 100'000;
    const std::size_t steps = input_.run.steps.size();
    assert(input_.places.size() >= steps);
    for (std::size_t i = 0; i < steps; ++i) {
        if (i < most_steps) add_step(i);
        add_fault(i);
        add_unwritten_copy(i);
        const StepPlace& place = input_.places[i];
        for (std::size_t write = 0; write < place.writes; ++write)
            trace_.host_writes[*place.write + write].source_line = line_of(input_.run.steps[i]);
    }
    if (steps > most_steps)
        trace_.notes.push_back(
            fmt::format("The first {} of the host's {} are kept.", most_steps, counted(steps, "step")));
    trace_.host_end = end_of(input_.run.end);
}

void HostStory::add_heap_leaks(std::span<const execute::Heap::Leak> leaks) {
    const bool failed = std::ranges::any_of(input_.run.steps, [](const host::ProgramStep& step) {
        return step.kind == host::ProgramStep::Kind::launch && step.error != host::cuda_error("cudaSuccess");
    });
    if (failed || input_.run.end.how != host::ProgramEnd::How::exited) return;
    for (const execute::Heap::Leak& leak : leaks) {
        trace::Finding& finding = trace_.findings.emplace_back();
        finding.kind = trace::Finding::Kind::leak;
        finding.source_line = leak.first.source_line;
        finding.launch = static_cast<std::uint32_t>(trace_.launches.size()) - 1;
        finding.message =
            leak.pieces == 1
                ? fmt::format("{} on the device's heap, which {} allocated, are never freed",
                              counted(leak.bytes, "byte"), leak.first.thread)
                : fmt::format("{} of {} in all on the device's heap are never freed; {} allocated one of them",
                              counted(leak.pieces, "piece"), counted(leak.bytes, "byte"), leak.first.thread);
    }
}

void HostStory::add_written_files() {
    const std::span written = input_.run.written;
    if (written.empty()) return;
    constexpr std::size_t most_named = 5;
    std::vector<std::string> named;
    for (const host::WrittenFile& file : written.first(std::min(most_named, written.size())))
        named.push_back(fmt::format("{} ({})", file.path.string(), counted(file.bytes, "byte")));
    if (written.size() > most_named) named.push_back(counted(written.size() - most_named, "more file"));
    trace_.notes.push_back(
        fmt::format("The program wrote {} into a copy of its folder, which is deleted.", fmt::join(named, ", ")));
}

void HostStory::add_refused_launches() {
    const auto launches = [](const std::string& call) {  // by <<< >>>, or by a function
        const bool configured = !call.empty() && std::string_view(host::ignored_launch).starts_with(call);
        return configured || call.starts_with("cudaLaunch") || call.starts_with("cuLaunch");
    };
    for (std::size_t i = 0; i < input_.run.steps.size(); ++i) {
        const host::ProgramStep& step = input_.run.steps[i];
        if (step.kind != host::ProgramStep::Kind::error || !launches(step.call)) continue;
        trace::Finding finding = finding_of(i, 0);
        finding.kind = trace::Finding::Kind::invalid_launch;
        const auto same = std::ranges::find_if(trace_.findings, [&](const trace::Finding& other) {
            return other.kind == finding.kind && other.source_line == finding.source_line &&
                   other.source_file == finding.source_file;
        });
        if (same == trace_.findings.end()) trace_.findings.push_back(std::move(finding));
    }
}

}  // namespace lanescope::session
