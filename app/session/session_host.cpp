#include "session/session_host.h"

#include "execute/emulator/launch_check.h"
#include "model/device_limits.h"
#include "session/element_types.h"
#include "session/input.h"
#include "session/main_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace lanescope::session {

namespace {

/// The launch's template arguments with those that it leaves to the compiler, told by what it passes: `template
/// <typename T> k(T* p)`, `k<<<...>>>(d)`. Only its own where the others cannot be told.
std::vector<std::string> deduced(const compile::KernelDeclaration& kernel, const HostLaunch& launch,
                                 const std::vector<HostBuffer>& buffers) {
    std::vector<std::string> types = launch.template_arguments;
    for (std::size_t at = types.size(); at < kernel.template_parameters.size(); ++at) {
        const std::string& parameter = kernel.template_parameters[at];
        if (parameter.find('=') != std::string::npos) break;  // from here on the kernel has defaults
        const std::string name = parameter.substr(parameter.rfind(' ') + 1);
        std::string type;
        for (const bool pointers : {true, false}) {  // what a pointer points to is surer than what a number is
            for (std::size_t i = 0; i < std::min(kernel.parameters.size(), launch.arguments.size()); ++i) {
                const HostArgument& given = launch.arguments[i];
                const compile::Parameter& own = kernel.parameters[i];
                const std::string bare = own.type.starts_with("const ") ? own.type.substr(6) : own.type;
                if (!type.empty() || own.pointer != pointers || (pointers ? own.element : bare) != name) continue;
                if (!pointers) type = given.floating ? "float" : "int";
                if (pointers && given.buffer && buffers[*given.buffer].element)
                    type = trace::name_of(*buffers[*given.buffer].element);
            }
        }
        if (type.empty()) return launch.template_arguments;
        types.push_back(std::move(type));
    }
    return types;
}

std::string instance_of(const HostLaunch& launch) {
    if (launch.template_arguments.empty()) return launch.kernel;
    return fmt::format("{}<{}>", launch.kernel, fmt::join(launch.template_arguments, ", "));
}

HostCall call_of(const Plan& plan) {
    HostCall call{.function = plan.program.recipe.kernel, .arguments = {}};
    for (const trace::Argument& argument : plan.arguments) {
        if (argument.buffer) {
            const trace::Buffer& buffer = plan.buffers[*argument.buffer];
            call.arguments.emplace_back(
                HostBuffer{.name = buffer.name, .element = buffer.element, .initial = buffer.initial});
            continue;
        }
        const auto type = element_type(plan.program, argument.type);
        const trace::Element element = type ? type->element : trace::Element::s32;
        const std::uint64_t bits = element_at(argument.value, element, 0);
        HostArgument number{.floating = is_float(element)};
        if (number.floating) {
            number.real = decode(element, bits);
        } else {
            const unsigned shift = 64 - trace::bytes_of(element) * 8;
            number.whole = std::int64_t(bits << shift) >> shift;
        }
        call.arguments.emplace_back(number);
    }
    return call;
}

/// The bytes of a number as a kernel's parameter takes it.
Result<std::vector<std::byte>> bytes_of(const HostArgument& number, const Program& program,
                                        const compile::Parameter& parameter) {
    const std::string bare = parameter.type.starts_with("const ") ? parameter.type.substr(6) : parameter.type;
    const auto type = element_type(program, bare);
    if (!type || type->components != 1)
        return fail(fmt::format("the parameter {} of type {} is not one that host code can be followed to",
                                parameter.name, parameter.type));
    const double real = number.floating ? number.real : double(number.whole);
    const std::uint64_t bits = is_float(type->element)
                                   ? encode_float(type->element, real)
                                   : encode_whole(type->element, number.floating ? std::int64_t(real) : number.whole);
    std::vector<std::byte> bytes;
    append_element(bytes, type->element, bits);
    return bytes;
}

/// The kernel that a launch names, and what the module calls it.
struct Launched {
    const compile::KernelDeclaration* kernel = nullptr;
    const std::string* name = nullptr;
};

Result<Launched> launched_by(const Plan& plan, const HostLaunch& launch,
                             const std::map<std::string, std::string>& names) {
    const Place where{plan.program.source.name, launch.line, 0};
    const compile::KernelDeclaration* kernel = declaration_of(plan.program.source.scan, launch.kernel);
    const auto name = names.find(instance_of(launch));
    if (kernel == nullptr || name == names.end())
        return fail(fmt::format("the file has no kernel {}", instance_of(launch)), where);
    if (kernel->parameters.size() != launch.arguments.size())
        return fail(fmt::format("{} takes {} arguments, and this launch has {}", kernel->name,
                                kernel->parameters.size(), launch.arguments.size()),
                    where);
    return Launched{kernel, &name->second};
}

/// Why the runtime answers this launch with an error; nothing where it makes it.
std::optional<Problem> why_not(const Launched& launched, const HostLaunch& launch, const ptx::Module& module) {
    const std::string& kernel = launched.kernel->name;
    const auto because = [](std::string what, std::string remedy) {
        return Problem{.what = std::move(what), .where = {}, .remedy = std::move(remedy)};
    };
    const model::DeviceLimits& device = model::emulated_device();
    const std::uint64_t threads = launch.block.count();
    if (threads == 0 || launch.grid.count() == 0)
        return because(
            fmt::format("{} is launched with no {}, and cannot be", kernel, threads == 0 ? "threads" : "blocks"),
            "Every dimension is at least 1: the runtime answers cudaErrorInvalidConfiguration, and the kernel does not "
            "run.");
    if (threads > device.threads_per_block || launch.block.z > device.block[2])
        return because(fmt::format("{} is launched with {} threads a block ({} x {} x {}), and cannot be", kernel,
                                   threads, launch.block.x, launch.block.y, launch.block.z),
                       fmt::format("A block has at most {} threads, and {} in z: the runtime answers "
                                   "cudaErrorInvalidConfiguration, and the kernel does not run.",
                                   device.threads_per_block, device.block[2]));
    if (launch.shared_bytes > device.shared_bytes_per_block)
        return because(
            fmt::format("{} is launched with {} bytes of shared memory, and cannot be", kernel, launch.shared_bytes),
            fmt::format(
                "A block has at most {} bytes: the runtime answers cudaErrorInvalidValue, and the kernel does not run.",
                device.shared_bytes_per_block));
    const ptx::Function* const function = module.find(*launched.name);
    if (function == nullptr) return std::nullopt;
    const std::uint64_t fixed = function->shared_bytes;
    if (launch.shared_bytes > 0 && fixed + launch.shared_bytes > device.static_shared_bytes &&
        !launch.allows_large_shared)
        return because(
            fmt::format("{} is launched with {} bytes of dynamic shared memory{}, and more than {} it "
                        "must be allowed first",
                        kernel, launch.shared_bytes, fixed == 0 ? "" : fmt::format(" besides its own {}", fixed),
                        device.static_shared_bytes),
            fmt::format("Call cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, {}) "
                        "before: without it the runtime answers cudaErrorInvalidValue, and the kernel does "
                        "not run.",
                        kernel, launch.shared_bytes));
    const auto fits = execute::check_size(module, *function,
                                          {.kernel = *launched.name,
                                           .grid = launch.grid,
                                           .block = launch.block,
                                           .dynamic_shared_bytes = launch.shared_bytes,
                                           .arguments = {},
                                           .writes = {}});
    if (fits) return std::nullopt;
    return because(fmt::format("{} cannot be launched so: {}", kernel, fits.error().what),
                   fmt::format("{}{}The runtime answers with an error, and the kernel does not run.",
                               fits.error().remedy, fits.error().remedy.empty() ? "" : " "));
}

void add_fault(const Problem& problem, const HostLaunch& launch, std::size_t before, std::vector<HostFault>& faults) {
    std::string message = fmt::format("{}. {}", problem.what, problem.remedy);
    message.pop_back();  // findings end without a full stop
    const auto known = std::ranges::find_if(
        faults, [&](const HostFault& other) { return other.line == launch.line && other.message == message; });
    if (known != faults.end()) {
        ++known->count;
        return;
    }
    faults.push_back({.kind = trace::Finding::Kind::invalid_launch,
                      .line = launch.line,
                      .launches = before,
                      .message = std::move(message),
                      .variable = {}});
}

Result<execute::LaunchRequest> request_of(const Plan& plan, const HostLaunch& launch,
                                          const std::map<std::string, std::string>& names) {
    const auto launched = launched_by(plan, launch, names);
    if (!launched) return std::unexpected(launched.error());
    Program instance = plan.program;  // whose types are seen through the template arguments
    instance.recipe.kernel = launched->kernel->name;
    instance.recipe.template_arguments = launch.template_arguments;

    execute::LaunchRequest request{.kernel = *launched->name,
                                   .grid = launch.grid,
                                   .block = launch.block,
                                   .dynamic_shared_bytes = launch.shared_bytes,
                                   .arguments = {},
                                   .writes = launch.writes};
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const compile::Parameter& parameter = launched->kernel->parameters[i];
        trace::Argument& argument = request.arguments.emplace_back();
        argument.name = parameter.name;
        argument.type = parameter.type;
        if (launch.arguments[i].buffer) {
            argument.buffer = launch.arguments[i].buffer;
            if (launch.arguments[i].address)
                append_element(argument.value, trace::Element::u64, *launch.arguments[i].address);
        } else if (!launch.arguments[i].structure.empty()) {
            argument.value = launch.arguments[i].structure;
        } else if (launch.arguments[i].address) {  // of no buffer
            append_element(argument.value, trace::Element::u64, *launch.arguments[i].address);
        } else if (launch.arguments[i].null || parameter.pointer) {
            argument.value.resize(8);
        } else {
            auto bytes = bytes_of(launch.arguments[i], instance, parameter);
            if (!bytes) {
                bytes.error().where = {plan.program.source.name, launch.line, 0};
                return std::unexpected(std::move(bytes.error()));
            }
            argument.value = std::move(*bytes);
        }
    }
    return request;
}

}  // namespace

std::vector<std::string> instances_of(const HostRun& host) {
    std::vector<std::string> instances;
    for (const HostLaunch& launch : host.launches) {
        const std::string instance = instance_of(launch);
        if (std::ranges::find(instances, instance) == instances.end()) instances.push_back(instance);
    }
    return instances;
}

std::expected<LeftOut, Refusal> leave_out(const Plan& plan, HostRun& host,
                                          const std::map<std::string, std::string>& names, const ptx::Module& module) {
    LeftOut out;
    std::vector<HostLaunch> kept;
    std::vector<std::size_t> kept_before{0};  // by how many were made
    std::vector<HostFault> faults;
    for (HostLaunch& launch : host.launches) {
        const auto launched = launched_by(plan, launch, names);
        if (!launched) return refuse("source", launched.error());
        std::optional<Problem> problem = why_not(*launched, launch, module);
        std::ranges::move(launch.writes, std::back_inserter(out.writes));
        if (!problem) {
            launch.writes = std::exchange(out.writes, {});
            kept.push_back(std::move(launch));
        } else {
            add_fault(*problem, launch, kept.size(), faults);
            problem->where = {plan.program.source.name, launch.line, 0};
            if (!out.why) out.why = std::move(problem);
        }
        kept_before.push_back(kept.size());
    }
    for (HostFault& fault : host.faults) fault.launches = kept_before[std::min(fault.launches, kept_before.size() - 1)];
    std::ranges::move(faults, std::back_inserter(host.faults));
    std::ranges::stable_sort(host.faults, {}, &HostFault::launches);
    host.launches = std::move(kept);
    return out;
}

std::expected<void, Refusal> add_launches(const Plan& plan, const HostRun& host,
                                          const std::map<std::string, std::string>& names, execute::Program& program) {
    const auto is_parameter = [&](const std::string& name) {
        return std::ranges::find(plan.buffers, name, &trace::Buffer::name) != plan.buffers.end();
    };
    const auto& read_back = plan.program.source.scan.copied_out;
    const bool any_read_back = std::ranges::any_of(host.buffers, [&](const HostBuffer& buffer) {
        return buffer.read_back || std::ranges::find(read_back, buffer.name) != read_back.end();
    });
    for (const HostBuffer& source : host.buffers) {
        trace::Buffer& buffer = program.buffers.emplace_back();
        buffer.name = source.name;
        buffer.element = source.element.value_or(trace::Element::s32);
        buffer.bytes = source.initial.size();
        buffer.initial = source.initial;
        buffer.output = plan.buffers.empty() ? !any_read_back || source.read_back ||
                                                   std::ranges::find(read_back, source.name) != read_back.end()
                                             : is_parameter(source.name) && source.name == plan.program.recipe.output;
    }
    for (const HostLaunch& launch : host.launches) {
        auto request = request_of(plan, launch, names);
        if (!request) return refuse("source", std::move(request.error()));
        program.launches.push_back(std::move(*request));
    }
    return {};
}

namespace {

/// Names and template arguments as the compiler needs them.
void deduce(const Plan& plan, HostRun& host) {
    for (HostLaunch& launch : host.launches) {
        const compile::KernelDeclaration* kernel = declaration_of(plan.program.source.scan, launch.kernel);
        if (kernel != nullptr) launch.kernel = kernel->name;  // in full: within its namespace the last part names it
        if (kernel != nullptr) launch.template_arguments = deduced(*kernel, launch, host.buffers);
    }
}

}  // namespace

std::expected<HostRun, Refusal> follow_host(const Plan& plan, const CompileInstances& compile, Progress& progress) {
    const bool is_main = plan.program.recipe.kernel == "main" && plan.arguments.empty();
    if (is_main) {
        const auto known = follow_main(plan.program.source.text, plan.program.source.name);
        if (known && !known->looks) {
            HostRun run = *known->run;
            deduce(plan, run);
            return run;
        }
    }
    const DeviceContents contents = [&](const HostRun& so_far) -> Result<std::vector<std::vector<std::byte>>> {
        HostRun known = so_far;
        deduce(plan, known);
        auto compiled = compile(instances_of(known));
        if (!compiled) return std::unexpected(compiled.error().problem);
        if (const auto set = set_symbols(so_far.symbols, compiled->module); !set)
            return std::unexpected(set.error().problem);
        const auto left_out = leave_out(plan, known, compiled->names, compiled->module);
        if (!left_out) return std::unexpected(left_out.error().problem);
        execute::Program program;
        if (const auto added = add_launches(plan, known, compiled->names, program); !added)
            return std::unexpected(added.error().problem);
        std::vector<std::vector<std::byte>> found;
        if (program.launches.empty()) {
            for (const HostBuffer& buffer : known.buffers) found.push_back(buffer.initial);
        } else {
            const auto trace = execute::emulate(compiled->module, program, {.record_blocks = 0}, progress);
            if (!trace) return std::unexpected(trace.error());
            for (std::size_t i = 0; i < known.buffers.size(); ++i) found.push_back((*trace)->buffers[i].final);
        }
        for (const execute::HostWrite& write : left_out->writes)
            std::ranges::copy(write.bytes, found[write.buffer].begin() + std::ptrdiff_t(write.offset));
        return found;
    };
    auto host = run_host_code(plan.program.source.text, plan.program.source.name, call_of(plan), contents);
    if (!host) return refuse("source", host.error());
    deduce(plan, *host);
    if (host->launches.empty())
        return refuse("source", fmt::format("{} launches no kernel", plan.program.recipe.kernel),
                      "choose one of the file's kernels with --kernel");
    return std::move(*host);
}

void add_faults(const HostRun& host, trace::Trace& trace) {
    for (const HostFault& fault : host.faults) {
        trace::Finding finding;  // of no thread
        finding.kind = fault.kind;
        finding.launch =
            static_cast<std::uint32_t>(std::min(fault.launches, std::max<std::size_t>(trace.launches.size(), 1) - 1));
        finding.source_line = fault.line;
        finding.message = fault.message;
        finding.variable = fault.variable;
        finding.count = fault.count;
        trace.findings.push_back(std::move(finding));
    }
}

std::expected<void, Refusal> set_symbols(const std::map<std::string, std::vector<std::byte>>& symbols,
                                         ptx::Module& module) {
    for (const auto& [name, bytes] : symbols) {
        const auto variable = std::ranges::find_if(module.variables, [&](const ptx::Variable& candidate) {
            return candidate.name == name ||
                   candidate.name.find(fmt::format("{}{}", name.size(), name)) != std::string::npos;  // mangled
        });
        if (variable == module.variables.end()) continue;  // no kernel of the module reads it
        if (bytes.size() > variable->bytes)
            return refuse("source", fmt::format("{} has {} bytes, and {} are to be put into it", name, variable->bytes,
                                                bytes.size()));
        if (variable->initial.size() < bytes.size()) variable->initial.resize(bytes.size());
        std::ranges::copy(bytes, variable->initial.begin());
    }
    return {};
}

}  // namespace lanescope::session
