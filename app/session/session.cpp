#include "session/session.h"

#include "execute/emulator/emulator.h"
#include "session/session_plan.h"
#include "session/session_verdict.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::session {

namespace {

using RunResult = std::expected<std::shared_ptr<const Run>, Refusal>;

std::unexpected<Refusal> stopped() { return refuse("cancelled", "the run was stopped"); }

/// PTX, and what the kernel is called in it.
struct Compiled {
    std::string ptx;
    std::string kernel;
    unsigned arch = least_arch;
    std::vector<compile::Diagnostic> diagnostics;
    bool kept = false;
};

std::expected<Compiled, Refusal> compile_program(const Request& request, const Plan& plan) {
    const Program& program = plan.program;
    if (!program.ptx.empty()) {
        return Compiled{.ptx = program.ptx, .kernel = program.kernel, .arch = plan.arch, .diagnostics = {}};
    }
    compile::CompileRequest wanted{.source = program.source, .name = program.source_name};
    wanted.view = request.view == trace::View::written ? compile::View::written : compile::View::compiled;
    wanted.arch = plan.arch;
    wanted.instantiate = {plan.instance};
    if (!program.built_in) wanted.include = {std::filesystem::path(request.program).parent_path()};
    auto output = compile::compile(wanted);
    if (!output) {
        return std::unexpected(Refusal{.problem = std::move(output.error().problem),
                                       .field = "source",
                                       .diagnostics = std::move(output.error().diagnostics),
                                       .by_rule = false});
    }
    const auto name = output->names.find(plan.instance);
    if (name == output->names.end()) {
        return refuse("kernel", fmt::format("the compiler made no kernel \"{}\"", plan.instance),
                      "Check that it is declared __global__ and not removed by a condition of the preprocessor.");
    }
    return Compiled{.ptx = std::move(output->ptx),
                    .kernel = name->second,
                    .arch = output->arch,
                    .diagnostics = std::move(output->diagnostics),
                    .kept = output->kept};
}

/// A PTX file is what it is: with NVRTC's -G its target says debug (PTX ISA 11.1.2), and every access is there.
trace::View view_of(const ptx::Module& module) {
    std::string_view text = module.text;
    text.remove_prefix(std::min(text.find(".target"), text.size()));
    const bool debug = text.substr(0, text.find('\n')).find("debug") != std::string_view::npos;
    return debug ? trace::View::written : trace::View::compiled;
}

execute::Program to_execute(const Request& request, Plan& plan, const Compiled& compiled, const ptx::Module& module) {
    execute::Program program;
    trace::Origin& origin = program.origin;
    origin.program = plan.program.name;
    origin.source = plan.program.source;
    origin.source_name = std::filesystem::path(plan.program.source_name).filename();  // no machine's paths
    origin.ptx = module.text;  // the lines that the trace names are this text's
    const bool from_ptx = !plan.program.ptx.empty();
    origin.view = from_ptx ? view_of(module) : request.view;
    origin.arch = from_ptx ? module.target : compiled.arch;
    origin.n = plan.variables.n;
    origin.input = plan.input;
    origin.oracle = plan.program.oracle;
    program.buffers = std::move(plan.buffers);
    program.launches.push_back({.kernel = compiled.kernel,
                                .grid = plan.grid,
                                .block = plan.block,
                                .dynamic_shared_bytes = plan.shared_bytes,
                                .arguments = std::move(plan.arguments)});
    return program;
}

}  // namespace

RunResult run(const Request& request, Progress& progress) {
    auto planned = plan(request);
    if (!planned) return std::unexpected(std::move(planned.error()));
    Plan& plan = *planned;
    if (progress.cancelled()) return stopped();

    auto compiled = compile_program(request, plan);
    if (!compiled) return std::unexpected(std::move(compiled.error()));
    if (progress.cancelled()) return stopped();

    auto parsed = ptx::parse(compiled->ptx, std::filesystem::path(plan.program.source_name).stem().string() + ".ptx");
    if (!parsed) return refuse("source", parsed.error());
    const auto module = std::make_shared<const ptx::Module>(std::move(*parsed));

    auto result = std::make_shared<Run>();
    result->request = request;
    result->kernel = source_name_of(plan.program.kernel);
    result->n = plan.variables.n;
    result->block = static_cast<std::uint32_t>(plan.variables.block);
    result->grid = plan.variables.grid;
    result->input = plan.input;
    result->notes = std::move(plan.notes);
    result->diagnostics = std::move(compiled->diagnostics);
    if (compiled->kept) {
        result->notes.emplace_back("No CUDA compiler is installed: this is the PTX kept beside the kernel.");
    }

    const execute::Limits limits{.record_blocks = request.record_blocks, .check_all_blocks = request.check_all_blocks};
    auto trace = execute::emulate(*module, to_execute(request, plan, *compiled, *module), limits, progress);
    if (!trace) return refuse("launch", trace.error());
    if (progress.cancelled()) return stopped();

    result->notes.insert(result->notes.end(), (*trace)->notes.begin(), (*trace)->notes.end());
    result->analysis = analysis::analyse(std::move(*trace), module, progress);
    if (progress.cancelled()) return stopped();
    result->arguments = std::move(plan.plans);
    result->program = std::move(plan.program);
    result->verdict = judge(result->program, result->arguments, result->trace(), result->notes);
    return result;
}

}  // namespace lanescope::session
