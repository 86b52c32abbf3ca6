// A saved trace -> the Run that it came from, without compiler or kernel.
#include "session/saved_trace.h"

#include "base/demangle.h"
#include "execute/emulator/schedule.h"
#include "session/described_variables.h"
#include "session/run.h"
#include "session/verdict.h"
#include "trace/container.h"
#include "trace/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::session {

namespace {

/// A source without its comment lines for Lanescope, which built-in kernels had in traces of earlier versions.
std::string code_of(const std::string& source) {
    std::string text;
    for (std::size_t at = 0; at < source.size();) {
        const std::size_t end = std::min(source.find('\n', at), source.size() - 1) + 1;
        const std::string_view line = std::string_view(source).substr(at, end - at);
        if (!line.starts_with("// lanescope: ")) text += line;
        at = end;
    }
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
}

/// The saved source as a program: a built-in kernel saved for another element type has the same lesson.
Result<Program> read_saved(const trace::Origin& origin, const Program* known) {
    if (known != nullptr) {
        auto read = program_from_source(code_of(origin.source), origin.source_name, known->source.lesson);
        if (read) return read;
    }
    return program_from_source(origin.source, origin.source_name);
}

/// The program from the catalog or the saved source; at least its names.
Program program_of(const trace::Origin& origin, const std::string& kernel) {
    const Program* known = find_program(origin.program);
    if (known != nullptr && code_of(known->source.text) == code_of(origin.source)) return *known;
    // A program that launches several kernels is not named after one of them.
    const bool host = known != nullptr && known->recipe.host;
    Program program;
    if (!origin.source.empty()) {
        if (auto read = read_saved(origin, known)) {
            program = std::move(*read);
            if (!host)
                if (auto chosen = with_kernel(program, kernel)) program = std::move(*chosen);
        }
    }
    program.name = origin.program;
    program.source.text = origin.source;
    program.source.name = origin.source_name;
    if (!host) program.recipe.kernel = kernel;
    if (program.lesson.family.empty()) program.lesson.family = "file";
    return program;
}

/// The requirements of the analysis that a file alone does not ensure: each step is an instruction of its PTX.
Result<void> check_against(const ptx::Module& module, const trace::Trace& trace, const std::string& file) {
    const auto wrong = [&](const std::string& how) { return trace::damaged(file, how); };
    for (const trace::Launch& launch : trace.launches) {
        const ptx::Function* function = module.find(launch.kernel);
        if (function == nullptr || !function->entry) return wrong("its PTX has no kernel " + launch.kernel);
        if (launch.arguments.size() != function->parameters.size())
            return wrong("its arguments do not match its kernel");
    }
    std::vector<bool> executable(module.line_starts.size() + 2);
    for (const ptx::Function& function : module.functions) {
        for (const ptx::Instruction& instruction : function.instructions) executable[instruction.line.index()] = true;
    }
    const bool all = std::ranges::all_of(trace.steps(), [&](const trace::Step& step) {
        return step.line.index() < executable.size() && executable[step.line.index()];
    });
    if (!all) return wrong("its steps do not match its PTX");
    return {};
}

/// The placement as requested, so that a repetition of the launches has the same.
PlacementText placement_of(const trace::Trace& trace) {
    PlacementText placement{.multiprocessors = {}, .resident = {}, .order = {}, .schedule = trace.schedule};
    const trace::Residency& residency = trace.launches.front().residency;
    if (!residency.given()) return placement;
    placement.multiprocessors = fmt::format("{}", residency.multiprocessors);
    placement.resident = fmt::format("{}", residency.blocks_each);
    placement.order = text_of(residency.order);
    return placement;
}

}  // namespace

std::expected<std::shared_ptr<const Run>, Refusal> open_trace(const std::filesystem::path& path) {
    auto loaded = trace::load(path);
    if (!loaded) return refuse("program", loaded.error());
    const std::shared_ptr<const trace::Trace> trace = std::move(*loaded);
    if (trace->launches.empty()) {
        return refuse("program", Problem{.what = "the trace has no launch",
                                         .where = {.file = path.string()},
                                         .remedy = "Record it again with `lanescope trace ... --out`."});
    }
    if (!trace->schedule.empty() && !execute::read_schedule(trace->schedule))
        return refuse("program", trace::damaged(path.string(), "its schedule is invalid").error());
    auto parsed = ptx::parse(trace->origin.ptx, path.string());
    if (!parsed) return refuse("program", parsed.error());
    if (const auto checked = check_against(*parsed, *trace, path.string()); !checked) {
        return refuse("program", checked.error());
    }

    const trace::Launch& launch = trace->launches.front();
    auto result = std::make_shared<Run>();
    result->kernel = source_name_of(launch.kernel);
    result->program = program_of(trace->origin, result->kernel);
    std::vector<std::string> instances;
    for (const ptx::Function* const entry : parsed->entries()) instances.push_back(source_name_of(entry->name));
    const bool written = trace->origin.view == trace::View::written;
    describe_variables(result->program, instances, written ? compile::View::written : compile::View::compiled, *parsed);
    const auto module = std::make_shared<const ptx::Module>(std::move(*parsed));
    result->request.program = path.string();
    result->request.view = trace->origin.view;
    result->request.placement = placement_of(*trace);
    result->n = trace->origin.n;
    result->block = static_cast<std::uint32_t>(launch.block.count());
    result->grid = launch.grid.count();
    result->input = trace->origin.input;
    result->notes = trace->notes;
    Progress progress;
    result->analysis = analysis::analyze(trace, module, progress);
    result->verdict = judge(result->program, result->program.recipe.arguments, *trace, result->notes);
    return result;
}

}  // namespace lanescope::session
