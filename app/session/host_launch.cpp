// Launches that host code makes: their sizes and what they pass.
#include "session/host_interpreter.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::session {

namespace {

constexpr std::size_t most_launches = 1000;
constexpr std::uint64_t nowhere = 0xbad0'0000'0000;  // where a pointer leads that was never set

}  // namespace

/// A pointer that no kernel can follow is a fault, and is passed all the same: what the kernel does with it is seen there.
void HostInterpreter::pass_pointer(const std::string& kernel, const std::string& spelled, const HostValue& value,
                                   HostArgument& argument) {
    using Kind = trace::Finding::Kind;
    if (value.wild) {
        fault(Kind::null_access,
              fmt::format("{} is passed {}, which was never set: no cudaMalloc gave it memory", kernel, spelled),
              spelled);
        argument.address = nowhere;
        return;
    }
    argument.null = !value.memory;
    if (!value.memory) return;
    HostMemory& memory = memories_[*value.memory];
    if (memory.freed_line != 0)
        fault(Kind::use_after_free,
              fmt::format("{} is passed {}, which was freed in line {}", kernel, memory.name, memory.freed_line),
              memory.name);
    if (!memory.device) {
        fault(
            Kind::out_of_bounds,
            fmt::format("{} is passed {}, which is the host's memory: a kernel does not reach it", kernel, memory.name),
            memory.name);
        argument.address = address_of(value);
        return;
    }
    memory.unsynchronised = memory.managed && !waits_unseen_;
    argument.buffer = memory.buffer;
    if (value.offset != 0) argument.address = address_of(value);
    HostBuffer& buffer = run_.buffers[*memory.buffer];
    if (!buffer.element) buffer.element = value.cell.element;
}

/// `<T, 128>`, its angles around the range.
void HostInterpreter::name_instance(Range list, HostLaunch& launch) {
    for (const Range& part : compile::split_commas(*code_, list, true)) {
        std::size_t inner = part.first;
        const auto type = type_at(inner, part.past_last);
        const HostValue value = type && inner == part.past_last ? HostValue{} : evaluate(part);
        const bool bound = type && template_types_.contains((*code_)[part.first].text) && type->cell.element;
        if (bound && inner == part.past_last && type->kind == HostType::Kind::number) {
            launch.template_arguments.emplace_back(trace::name_of(*type->cell.element));
            continue;
        }
        launch.template_arguments.push_back(value.kind == HostValue::Kind::whole ? std::to_string(value.whole)
                                                                                 : compile::spelling(*code_, part));
    }
}

trace::Dim3 HostInterpreter::launch_extent(Range part) {
    const HostValue value = converted(evaluate(part), HostType{HostType::Kind::extent, {}});
    if (value.kind != HostValue::Kind::extent) refuse("the size of this launch is not known");
    return value.extent;
}

void HostInterpreter::pass(const std::string& spelled, const HostValue& value, HostLaunch& launch) {
    HostArgument& argument = launch.arguments.emplace_back();
    if (value.kind == HostValue::Kind::pointer || value.wild) {
        pass_pointer(launch.kernel, spelled, value, argument);
    } else if (value.is_number()) {
        argument.floating = value.kind == HostValue::Kind::real;
        argument.whole = value.whole;
        argument.real = value.real;
    } else if (value.kind == HostValue::Kind::structure) {
        argument.structure = read(HostValue::to(value.memory, value.offset, value.cell), value.cell.bytes());
    } else {
        refuse(fmt::format("what is passed as {} is not known", spelled));
    }
}

void HostInterpreter::add(HostLaunch launch) {
    if (run_.launches.size() >= most_launches)
        refuse(fmt::format("there are more than {} launches", most_launches), true);
    launch.writes = std::move(writes_);
    launch.allows_large_shared = large_shared_.contains(launch.kernel) || large_shared_.contains("");
    writes_.clear();
    run_.launches.push_back(std::move(launch));
    stale_ = true;
}

/// `cudaLaunchKernel((void*)kernel<T>, grid, block, arguments, shared, stream)`, and cudaLaunchCooperativeKernel: the arguments are
/// an array of pointers to each.
void HostInterpreter::launch_call(const std::vector<Range>& arguments) {
    HostLaunch launch;
    launch.line = line_here();
    std::size_t last = arguments[0].past_last, angle = arguments[0].first;
    while (angle < last && !is(angle, "<")) ++angle;
    if (angle < last) {
        name_instance({angle + 1, last - 1}, launch);
        last = angle;
    }
    launch.kernel = (*code_)[last - 1].text;
    const auto kernel = kernels_.find(launch.kernel);
    if (kernel == kernels_.end()) refuse(fmt::format("the file has no kernel {}", launch.kernel));
    launch.grid = launch_extent(arguments[1]);
    launch.block = launch_extent(arguments[2]);
    if (arguments.size() > 4)
        launch.shared_bytes = std::uint64_t(std::max<std::int64_t>(whole_of(evaluate(arguments[4])), 0));
    HostValue list = evaluate(arguments[3]);
    for (const compile::Parameter& parameter : kernel->second.parameters) {
        if (!list.memory) refuse("the arguments of this launch are not known");
        const HostMemory& memory = memories_[*list.memory];
        if (list.offset + 8 > std::int64_t(memory.bytes.size()))
            refuse("this launch has fewer arguments than its kernel");
        const HostCell cell = type_of_parameter(parameter.type).type.own();
        HostCell pointer = cell;
        ++pointer.pointers;
        const HostValue own = load(*list.memory, list.offset, pointer);
        if (!own.memory || cell.bytes() == 0) refuse(fmt::format("what is passed as {} is not known", parameter.name));
        pass(parameter.name, load(*own.memory, own.offset, cell), launch);
        list.offset += 8;
    }
    add(std::move(launch));
}

/// `kernel<T, 128><<<grid, block, shared, stream>>>(a, b);`
void HostInterpreter::launch(std::size_t at, std::size_t open, std::size_t end) {
    HostLaunch launch;
    launch.line = (*code_)[open].line;
    std::size_t last = open;
    if (is(open - 1, ">")) {
        std::size_t angle = at;
        while (angle < open && !is(angle, "<")) ++angle;
        name_instance({angle + 1, open - 1}, launch);
        last = angle;
    }
    for (std::size_t i = at; i < last; ++i) launch.kernel += (*code_)[i].text;
    std::size_t close = open + 1;
    while (close < end && !(is(close, ">") && is(close + 1, ">") && is(close + 2, ">"))) {
        const bool bracket = is(close, "(") || is(close, "[") || is(close, "{");
        close = bracket ? compile::past_bracket(*code_, close, end) : close + 1;
    }
    const std::vector<Range> parts = by_commas({open + 1, close});
    if (parts.size() < 2 || !is(close + 3, "(")) refuse("this launch is not understood");
    at_ = open;
    launch.grid = launch_extent(parts[0]);
    launch.block = launch_extent(parts[1]);
    if (parts.size() > 2) {
        const HostValue shared = evaluate(parts[2]);
        at_ = open;
        if (!shared.is_number() || shared.number() < 0) refuse("the shared memory of this launch is not known");
        launch.shared_bytes = std::uint64_t(whole_of(shared));
    }
    const std::size_t past = compile::past_bracket(*code_, close + 3, end);
    for (const Range& part : by_commas({close + 4, past - 1})) {
        if (part.empty()) continue;
        const HostValue value = evaluate(part);
        at_ = part.first;
        pass(compile::spelling(*code_, part), value, launch);
    }
    add(std::move(launch));
}

}  // namespace lanescope::session
