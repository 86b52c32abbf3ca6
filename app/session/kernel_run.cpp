#include "session/kernel_run.h"

#include "base/grouped.h"
#include "ptx/reached.h"
#include "session/compiled_kernel.h"
#include "session/described_variables.h"
#include "session/launch_guess.h"
#include "session/launched_module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

namespace lanescope::session {

namespace {

/// Initializes `__constant__` and `__device__` variables with the values that lines of the file set, by the names of
/// the source.
std::expected<void, Refusal> set_symbols(const std::map<std::string, std::vector<std::byte>>& symbols,
                                         ptx::Module& module) {
    for (const auto& [name, bytes] : symbols) {
        const auto variable = std::ranges::find_if(module.variables, [&](const ptx::Variable& candidate) {
            return candidate.name == name ||
                   candidate.name.find(fmt::format("{}{}", name.size(), name)) != std::string::npos;  // mangled
        });
        if (variable == module.variables.end()) continue;  // no kernel of the module reads it
        if (bytes.size() > variable->bytes)
            return refuse("source", fmt::format("{} has {}, but its initial contents have {}", name,
                                                counted(variable->bytes, "byte"), bytes.size()));
        if (variable->initial.size() < bytes.size()) variable->initial.resize(bytes.size());
        std::ranges::copy(bytes, variable->initial.begin());
    }
    return {};
}

/// PTX, and what the kernels are called in it.
struct Compiled {
    std::string ptx;
    std::map<std::string, std::string> names;  ///< of the instances
    unsigned arch = least_arch;
    std::vector<compile::Diagnostic> diagnostics;
    bool kept = false;
};

compile::View compiled_view(const Request& request) {
    return request.view == trace::View::written ? compile::View::written : compile::View::compiled;
}

std::expected<Compiled, Refusal> compile_program(const Request& request, const Plan& plan,
                                                 const std::vector<std::string>& instances) {
    const Program& program = plan.program;
    if (!program.source.ptx.empty()) {
        return Compiled{.ptx = program.source.ptx,
                        .names = {{program.recipe.kernel, program.recipe.kernel}},
                        .arch = plan.arch,
                        .diagnostics = {}};
    }
    compile::CompileRequest wanted = compile_request(program.source);
    wanted.view = compiled_view(request);
    wanted.arch = plan.arch;
    wanted.instantiate = instances;
    auto output = compile::compile(wanted);
    if (!output) {
        if (auto guess = refused_instance(program, wanted, output.error().diagnostics))
            return std::unexpected(*std::move(guess));
        return std::unexpected(Refusal{.problem = std::move(output.error().problem),
                                       .field = "source",
                                       .diagnostics = std::move(output.error().diagnostics),
                                       .by_rule = false});
    }
    for (const std::string& instance : instances) {
        if (output->names.contains(instance)) continue;
        return refuse("kernel", fmt::format("the compiler generated no kernel \"{}\"", instance),
                      "Check that it is declared __global__ and not removed by a condition of the preprocessor.");
    }
    return Compiled{.ptx = std::move(output->ptx),
                    .names = std::move(output->names),
                    .arch = output->arch,
                    .diagnostics = std::move(output->diagnostics),
                    .kept = output->kept};
}

/// The view of a PTX file is fixed: compiled with NVRTC's -G, its .target says debug (PTX ISA 11.1.2).
trace::View view_of(const ptx::Module& module) {
    std::string_view text = module.text;
    text.remove_prefix(std::min(text.find(".target"), text.size()));
    const bool debug = text.substr(0, text.find('\n')).find("debug") != std::string_view::npos;
    return debug ? trace::View::written : trace::View::compiled;
}

trace::Origin origin_of(const Request& request, const Plan& plan, const Compiled& compiled, const ptx::Module& module) {
    trace::Origin origin;
    origin.program = plan.program.name;
    origin.source = plan.program.source.text;
    origin.source_name = std::filesystem::path(plan.program.source.name).filename();  // no machine's paths
    origin.ptx = module.text;  // the lines that the trace names are this text's
    const bool from_ptx = !plan.program.source.ptx.empty();
    origin.view = from_ptx ? view_of(module) : request.view;
    origin.arch = from_ptx ? module.target : compiled.arch;
    origin.banks = request.banks;
    origin.n = plan.variables.n;
    origin.input = plan.input;
    origin.oracle = plan.program.recipe.expected.oracle;
    return origin;
}

std::string ptx_name(const Plan& plan) {
    return std::filesystem::path(plan.program.source.name).stem().string() + ".ptx";
}

Result<ptx::Module> module_of(const Compiled& compiled, const std::vector<std::string>& instances, const Plan& plan) {
    std::vector<std::string> entries;
    entries.reserve(instances.size());
    for (const std::string& instance : instances) entries.push_back(compiled.names.at(instance));
    return launched_module(compiled.ptx, ptx_name(plan), entries, plan.program.source.name);
}

/// The block by __block_size__ or __launch_bounds__, where a guessed one differs from them.
std::optional<trace::Dim3> bounded_block(const Plan& plan, const ptx::Function& kernel) {
    const auto& required = kernel.required_block;
    const trace::Dim3 block{required[0], required[1], required[2]};
    if (required[0] != 0) return block == plan.block ? std::nullopt : std::optional(block);
    const std::uint64_t most = kernel.most_threads();
    if (most == 0 || plan.block.count() <= most) return std::nullopt;
    return trace::Dim3{static_cast<std::uint32_t>(most), 1, 1};
}

/// The line of the source that the instruction comes from, or that called what it comes from; 0: not known.
std::uint32_t line_in(const std::string& source, const ptx::Module& module, const ptx::Instruction& instruction) {
    std::uint32_t at = instruction.place;
    if (at == ptx::SourcePlace::none) return 0;
    while (module.places[at].inlined_at != ptx::SourcePlace::none) at = module.places[at].inlined_at;
    const auto file = module.files.find(module.places[at].file);
    const auto name = [](const std::string& path) { return std::filesystem::path(path).filename(); };
    return file != module.files.end() && name(file->second) == name(source) ? module.places[at].line : 0;
}

/// No guess can stand for an object that host code makes.
std::unexpected<Refusal> refuse_texels(const ptx::Module& module, const ptx::Instruction& access, const Plan& plan) {
    const bool fetches = access.action() == ptx::Action::texture_fetch;
    Problem problem{
        .what = fmt::format("{} {} (\"{}\"), and no host code creates its {} object", plan.program.recipe.kernel,
                            fetches ? "fetches from a texture" : "accesses a surface", ptx::mnemonic(access),
                            fetches ? "texture" : "surface"),
        .where = {plan.program.source.name, line_in(plan.program.source.name, module, access), 0},
        .remedy = "Open it with the main() that creates the object."};
    return refuse("kernel", std::move(problem));
}

}  // namespace

std::expected<KernelRun, Refusal> run_kernel(const Request& request, Plan& plan, execute::Limits limits,
                                             Progress& progress) {
    const std::vector<std::string> instances{plan.instance};
    progress.say(compiling_text(plan.program.source.name, plan.program.source.text));
    auto compiled = compile_program(request, plan, instances);
    if (!compiled) return std::unexpected(std::move(compiled.error()));
    if (progress.cancelled()) return refuse("cancelled", "the run was cancelled");
    auto parsed = module_of(*compiled, instances, plan);
    if (!parsed) return refuse("source", parsed.error());
    // The driver compiles no PTX for an older GPU than its target names (PTX ISA 11.1.2).
    if (request.arch && !plan.program.source.ptx.empty() && parsed->target > *request.arch)
        return refuse("arch",
                      fmt::format("{} has .target sm_{}, which compute capability {} does not support",
                                  plan.program.source.name, parsed->target, *request.arch),
                      "Choose a newer one, or none: then it is that of the .target.");
    describe_variables(plan.program, instances, compiled_view(request), *parsed);
    if (const auto set = set_symbols(plan.symbols, *parsed); !set) return std::unexpected(set.error());
    KernelRun run;
    run.kernel = compiled->names.at(plan.instance);
    if (const ptx::Function* const kernel = parsed->find(run.kernel)) {
        if (const ptx::Instruction* const access = ptx::first_texel_access(*parsed, *kernel))
            return refuse_texels(*parsed, *access, plan);
    }
    if (const ptx::Function* const kernel = parsed->find(run.kernel); kernel != nullptr && plan.guessed.block) {
        plan.bounded_block = bounded_block(plan, *kernel);
        if (plan.bounded_block)
            return refuse("block", fmt::format("a block of {} does not fit the bounds that {} declares",
                                               counted(plan.block.count(), "thread"), plan.program.recipe.kernel));
    }
    run.module = std::make_shared<const ptx::Module>(std::move(*parsed));
    run.diagnostics = std::move(compiled->diagnostics);
    if (compiled->kept)
        run.notes.emplace_back("No CUDA compiler is installed: this is the PTX kept beside the kernel.");
    limits.gap = plan.gap;
    run.emulation = std::make_unique<execute::Emulation>(*run.module, origin_of(request, plan, *compiled, *run.module),
                                                         model::BankModel::of(request.banks), limits);
    for (trace::Buffer& buffer : plan.buffers) {
        const auto added = run.emulation->add(std::move(buffer));
        if (!added) return refuse("launch", added.error());
    }
    if (const auto placed = run.emulation->place_variables(); !placed) return refuse("launch", placed.error());
    const execute::LaunchRequest launch{.kernel = run.kernel,
                                        .grid = plan.grid,
                                        .block = plan.block,
                                        .dynamic_shared_bytes = plan.shared_bytes,
                                        .arguments = plan.arguments,
                                        .writes = {}};
    progress.say("executing");
    run.emulation->expect_blocks(plan.grid.count());
    const auto begin = std::chrono::steady_clock::now();
    const auto end = run.emulation->launch(launch, {.blocks = limits.record_blocks, .share = 1}, progress);
    if (!end) return refuse("launch", end.error());
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return run;
}

}  // namespace lanescope::session
