#include "session/whole_program.h"

#include "analysis/panels/program_lines.h"
#include "base/demangle.h"
#include "base/embedded.h"
#include "base/files.h"
#include "base/fnv1a.h"
#include "base/grouped.h"
#include "compile/cache.h"
#include "compile/nvrtc_ptx.h"
#include "host/build.h"
#include "host/object_file.h"
#include "host/program.h"
#include "host/program_sources.h"
#include "host/sandbox.h"
#include "host/source_lines.h"
#include "host/variable_names.h"
#include "session/compiled_kernel.h"
#include "session/emulator_machine.h"
#include "session/host_function_runs.h"
#include "session/kept_ptx.h"
#include "session/kept_sources.h"
#include "session/kept_steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <future>
#include <optional>
#include <string_view>
#include <utility>

namespace lanescope::session {

namespace {

/// Whether glibc reported a corrupted heap and ended the program: "free(): invalid pointer".
bool ends_with_heap_error(std::string_view printed) {
    while (printed.ends_with('\n')) printed.remove_suffix(1);
    const std::size_t line = printed.rfind('\n');
    const std::string_view last = line == std::string_view::npos ? printed : printed.substr(line + 1);
    return last.starts_with("free(): ") || last.starts_with("malloc(): ") || last.starts_with("realloc(): ") ||
           last.starts_with("munmap_chunk(): ") || last.starts_with("malloc_consolidate(): ") ||
           last.starts_with("corrupted ") || last.starts_with("double free or corruption");
}

/// main for a host function that takes its arguments from Lanescope: each a header of two numbers (1 for a buffer, 0
/// for a value; its bytes), then the bytes, on standard input. Buffers are copied back, because they may be outputs.
constexpr std::string_view driver = R"(#include LANESCOPE_SOURCE

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanescope_driver {

struct Argument {
    char* device = nullptr;
    std::size_t size = 0;     // of the buffer
    std::vector<char> bytes;  // of a value
};

// Large buffers come and go in parts: this process holds none as a whole.
std::vector<char> a_part_of(std::size_t size)
{
    const std::size_t most = std::size_t{256} << 20;
    return std::vector<char>(size < most ? size : most);
}

void read(void* to, std::size_t size)
{
    if (size != 0 && std::fread(to, size, 1, stdin) != 1) std::exit(2);
}

Argument read_argument()
{
    std::uint64_t header[2];
    read(header, sizeof header);
    Argument argument;
    if (header[0] == 0 || header[1] == 0) {
        argument.bytes.resize(header[1]);
        read(argument.bytes.data(), header[1]);
        return argument;
    }
    argument.size = header[1];
    cudaMalloc(&argument.device, argument.size);
    std::vector<char> part = a_part_of(argument.size);
    for (std::size_t at = 0; at < argument.size; at += part.size()) {
        const std::size_t size = part.size() < argument.size - at ? part.size() : argument.size - at;
        read(part.data(), size);
        cudaMemcpy(argument.device + at, part.data(), size, cudaMemcpyHostToDevice);
    }
    return argument;
}

void read_back(const Argument& argument)
{
    std::vector<char> part = a_part_of(argument.size);
    for (std::size_t at = 0; at < argument.size; at += part.size()) {
        const std::size_t size = part.size() < argument.size - at ? part.size() : argument.size - at;
        cudaMemcpy(part.data(), argument.device + at, size, cudaMemcpyDeviceToHost);
    }
}

template <class T>
T value_of(const Argument& argument)
{
    T value{};
    const std::size_t bytes = argument.bytes.size() < sizeof value ? argument.bytes.size() : sizeof value;
    if constexpr (std::is_pointer_v<T>) value = static_cast<T>(static_cast<void*>(argument.device));
    else std::memcpy(&value, argument.bytes.data(), bytes);
    return value;
}

template <class Result, class... Parameters, std::size_t... number>
void call(Result (*function)(Parameters...), std::index_sequence<number...>)
{
    std::vector<Argument> arguments;
    for (std::size_t i = 0; i < sizeof...(Parameters); ++i) arguments.push_back(read_argument());
    function(value_of<Parameters>(arguments[number])...);
    for (Argument& argument : arguments) {
        if (argument.device == nullptr) continue;
        read_back(argument);
        cudaFree(argument.device);
    }
}

template <class Result, class... Parameters>
void call(Result (*function)(Parameters...))
{
    call(function, std::index_sequence_for<Parameters...>());
}

}

int main()
{
    lanescope_driver::call(&LANESCOPE_FUNCTION);
}
)";

/// A folder for sources that Lanescope writes: in the cache by their content, so that what is built from them is found
/// again; else one that is removed with all that is in it.
class Folder {
  public:
    explicit Folder(std::uint64_t content) {
        std::error_code error;
        if (const compile::Cache cache = compile::Cache::of_environment(); cache.folder()) {
            path_ = *cache.folder() / "programs" / fmt::format("source-{:016x}", content);
            if (std::filesystem::create_directories(path_, error) || !error) return;
        }
        std::string path = (std::filesystem::temp_directory_path(error) / "lanescope-program-XXXXXX").string();
        path_.clear();
        own_ = true;
        if (!error && mkdtemp(path.data()) != nullptr) path_ = path;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code error;
        if (own_ && !path_.empty()) std::filesystem::remove_all(path_, error);
    }
    /// Another run may be reading the file: it is whole or not there.
    std::filesystem::path add(const std::filesystem::path& name, std::string_view text) const {
        std::filesystem::path path = path_ / name;
        if (const auto there = read_file(path); there && *there == text) return path;
        static_cast<void>(write_file(path, text));  // its reader reports that it is missing
        return path;
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    bool own_ = false;
};

void append(std::string& to, std::uint64_t number) { to.append(reinterpret_cast<const char*>(&number), sizeof number); }
void append(std::string& to, bool buffer, std::span<const std::byte> bytes) {
    append(to, buffer ? 1U : 0U);
    append(to, bytes.size());
    to.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// The plan's arguments as the driver reads them.
std::string driver_input(const Plan& plan) {
    std::string input;
    std::size_t bytes = 0;
    for (const trace::Argument& argument : plan.arguments)
        bytes += 2 * sizeof(std::uint64_t) +
                 (argument.buffer ? plan.buffers[*argument.buffer].initial.size() : argument.value.size());
    input.reserve(bytes);
    for (const trace::Argument& argument : plan.arguments) {
        if (argument.buffer)
            append(input, true, plan.buffers[*argument.buffer].initial);
        else
            append(input, false, argument.value);
    }
    return input;
}

std::unexpected<Refusal> refuse_build(host::BuildError failure, const Progress& progress) {
    return std::unexpected(Refusal{.problem = std::move(failure.problem),
                                   .field = progress.cancelled() ? "cancelled" : "source",
                                   .diagnostics = std::move(failure.diagnostics),
                                   .by_rule = false,
                                   .no_main = failure.no_main});
}

const host::ProgramStep* first_wrong(const host::ProgramRun& run) {
    using Kind = host::ProgramStep::Kind;
    const auto wrong = std::ranges::find_if(
        run.steps, [](const host::ProgramStep& step) { return step.kind == Kind::error || step.kind == Kind::fault; });
    return wrong == run.steps.end() ? nullptr : &*wrong;
}

/// Why a program launched nothing: its first fault or error, with its line, else how it ended; and what it printed.
Problem why_nothing_ran(const host::ProgramRun& run, const std::string& function) {
    Problem problem{
        .what = fmt::format("{} ended without a launch ({})", function, end_of(run.end)),
        .where = {},
        .remedy = run.end.how == host::ProgramEnd::How::signal
                      ? "Its host code crashed: see the arguments and the files that it needs, and --working-folder."
                      : "Give it the arguments and the standard input that it expects, or run a kernel of "
                        "it alone (--kernel)."};
    if (const host::ProgramStep* const wrong = first_wrong(run); wrong != nullptr) {
        problem.what += fmt::format(": {}", wrong->what);
        problem.where = wrong->where;
        problem.remedy = "Correct the call in this line.";
    }
    const std::size_t last = run.printed.find_last_not_of(" \n");
    if (last != std::string::npos) problem.what += fmt::format("; it printed \"{}\"", run.printed.substr(0, last + 1));
    return problem;
}

/// There is no picture, but a report: the program's output if all its calls succeed, else its host steps as notes and
/// its findings as errors, each at its line.
Refusal without_launch(const host::ProgramRun& run, trace::Trace made, const Plan& plan) {
    Refusal refusal{.problem = why_nothing_ran(run, source_name_of(plan.program.recipe.kernel)),
                    .field = "source",
                    .diagnostics = {}};
    // A program expects an error that it checks before it ends by itself; a launch that cannot be made is a finding all
    // the same.
    const bool well = end_of(run.end) == trace::successful_exit && made.findings.empty();
    if (!well && made.findings.empty()) return refusal;
    refusal.no_launch = NoLaunch{.trace = std::make_shared<const trace::Trace>(std::move(made))};
    if (well) return refusal;
    const trace::Trace& trace = *refusal.no_launch->trace;
    using Severity = compile::Diagnostic::Severity;
    const auto at = [](std::uint32_t line, const std::string& file, Severity severity, std::string text) {
        if (!file.empty()) text = fmt::format("{}, line {}: {}", file, line, text);
        return compile::Diagnostic{severity, file.empty() ? line : 0, 0, std::move(text)};
    };
    for (const trace::Finding& finding : trace.findings)
        refusal.diagnostics.push_back(at(finding.source_line, finding.source_file, Severity::error,
                                         fmt::format("{}: {}", trace::name_of(finding.kind), finding.message)));
    for (const analysis::ProgramLine& line : analysis::program_lines(trace)) {
        const bool step =
            line.kind == analysis::ProgramLine::Kind::step || line.kind == analysis::ProgramLine::Kind::launch;
        if (step) refusal.diagnostics.push_back(at(line.source_line, line.source_file, Severity::note, line.text));
    }
    return refusal;
}

bool is_main(const Plan& plan) { return plan.program.recipe.kernel == "main" && plan.arguments.empty(); }

/// `compiled_source`: the source as the compiler sees it.
EmulatorMachine::Setup setup_of(const Request& request, const Plan& plan, const execute::Limits& record,
                                const std::filesystem::path& compiled_source) {
    const Program& program = plan.program;
    EmulatorMachine::Setup setup;
    setup.origin.program = program.name;
    setup.origin.source = program.source.text;
    setup.origin.source_name = compiled_source.filename();
    setup.origin.view = request.view;
    setup.origin.arch = plan.arch;
    setup.origin.banks = request.banks;
    setup.origin.n = is_main(plan) ? 0 : plan.variables.n;
    setup.origin.input = plan.input;
    setup.origin.oracle = program.recipe.expected.oracle;
    setup.ptx_name = compiled_source.stem().string() + ".ptx";
    setup.source = compiled_source;
    setup.folders = {compiled_source.parent_path()};
    setup.limits = record;
    setup.banks = request.banks;
    setup.record_launch = request.record_launch;
    if (is_main(plan)) return setup;
    for (const trace::Buffer& buffer : plan.buffers) {
        trace::Buffer& named = setup.first_allocations.emplace_back();
        named.name = buffer.name;
        named.element = buffer.element;
        named.output = buffer.output && buffer.name == program.recipe.expected.output;
    }
    return setup;
}

/// The first field in which the plan differs from the program's default launch, and the requested value, in words.
std::optional<std::pair<std::string, std::string>> difference(const Request& request, const Plan& asked,
                                                              const Plan& usual) {
    if (asked.program.source.text != usual.program.source.text) return std::pair("kernel", request.kernel);
    if (!request.compiler_options.empty())
        return std::pair("compiler options", fmt::format("{}", fmt::join(request.compiler_options, " ")));
    if (asked.arch != usual.arch) return std::pair("arch", fmt::format("compute capability {}", asked.arch));
    // Before n, which follows the block where the request has none.
    if (asked.block != usual.block)
        return std::pair("block", fmt::format("{} per block", counted(asked.variables.block, "thread")));
    if (asked.variables.n != usual.variables.n) return std::pair("n", fmt::format("n = {}", asked.variables.n));
    if (asked.grid != usual.grid) return std::pair("grid", counted(asked.variables.grid, "block"));
    if (asked.shared_bytes != usual.shared_bytes)
        return std::pair("shared", fmt::format("{} of shared memory", counted(asked.shared_bytes, "byte")));
    if (asked.input != usual.input) return std::pair("input", fmt::format("the input {}", asked.input));
    const auto same_bytes =
        std::ranges::equal(asked.buffers, usual.buffers, {}, &trace::Buffer::initial, &trace::Buffer::initial);
    if (!same_bytes ||
        !std::ranges::equal(asked.arguments, usual.arguments, {}, &trace::Argument::value, &trace::Argument::value))
        return std::pair("argument", std::string("other arguments"));
    return std::nullopt;
}

/// The built-in program's host code at its default launch, from the steps kept beside its PTX.
std::expected<WholeRun, Refusal> replay(const Request& request, const Plan& plan, const execute::Limits& record,
                                        const Problem& why, Progress& progress) {
    const Program& program = plan.program;
    const auto usual = session::plan({.program = program.name});
    if (!usual) return std::unexpected(usual.error());
    if (const auto differs = difference(request, plan, *usual))
        return refuse(differs->first,
                      fmt::format("{} runs here only at its default launch, not with {}, because its host code cannot "
                                  "run: {}",
                                  program.name, differs->second, why.what),
                      why.remedy);
    const std::string steps_file = kept_steps_path(program);
    const compile::View view = request.view == trace::View::written ? compile::View::written : compile::View::compiled;
    const auto text = embedded_file(steps_file), ptx = embedded_file(kept_path(program, view));
    if (!text || !ptx) return refuse("program", why);
    const auto steps = steps_from_text(*text, plan, steps_file);
    if (!steps) return refuse("program", steps.error());
    auto replayed = replay_steps(request, plan, record, *steps, *ptx, progress);
    if (replayed)
        replayed->notes.push_back(fmt::format(
            "Host code did not run on this machine: {}. Its allocations, copies and launches, recorded beside the "
            "kernel, were replayed.",
            why.what));
    return replayed;
}

/// Whether the file may define a function of both host and device: then calls are looked for.
bool names_host_functions(const std::filesystem::path& file) {
    const auto text = read_file(file);
    return text && text->find("__host__") != std::string::npos;
}
bool names_host_functions(const host::BuildRequest& request, Progress& progress) {
    return std::ranges::any_of(host::files_of(request, progress),
                               [](const std::filesystem::path& file) { return names_host_functions(file); });
}

/// The PTX of the request's __host__ __device__ functions, compiled while the caller goes on.
struct FunctionsPtx {
    host::BuildRequest request;
    std::future<std::string> text;
};
FunctionsPtx functions_ptx_of(const host::BuildRequest& request, Progress& progress) {
    return {.request = request, .text = std::async(std::launch::async, [view = request, &progress]() mutable {
                                    view.keep_device_functions = true;
                                    return host::device_code_of(view, progress);
                                })};
}

/// The run of the function as one thread, or why there is none.
std::expected<const HostFunctionRuns::Run*, Refusal> run_of_function(const std::string& name,
                                                                     const HostFunctionRuns* functions,
                                                                     const host::ProgramRun& run) {
    std::vector<std::string> others;
    for (const host::ProgramStep& step : run.steps) {
        if (step.kind != host::ProgramStep::Kind::call || functions == nullptr) continue;
        const HostFunctionRuns::Run& one = functions->runs()[step.host_function];
        if (one.name != name) {
            others.push_back(one.name);
        } else if (one.trace != nullptr) {
            return &one;
        } else {
            return refuse("function", fmt::format("{} is not run as one thread: {}", name, one.refused));
        }
    }
    return refuse(
        "function", fmt::format("host code calls no __host__ __device__ function {}", name),
        others.empty() ? std::string("Omit --function.") : fmt::format("It calls {}.", fmt::join(others, ", ")));
}

}  // namespace

std::optional<Problem> cannot_run_programs() {
    if (const auto& found = host::toolchain(); !found) return found.error();
    if (host::confinement() == host::Confinement::none) return host::no_confinement();
    return std::nullopt;
}

std::string what_running_means(const Plan& plan) {
    return fmt::format(
        "nvcc will compile {}, and {}() will run on this machine in a sandbox ({}): no network access, writes to a "
        "scratch folder only, limited memory and time.",
        std::filesystem::path(plan.program.source.name).filename().string(), plan.program.recipe.kernel,
        host::name_of(host::confinement()));
}

std::expected<WholeRun, Refusal> run_whole_program(const Request& request, const Plan& plan,
                                                   const execute::Limits& record, Progress& progress,
                                                   const FirstLaunch& first, LiveSteps* steps) {
    const Program& program = plan.program;
    if (const auto problem = cannot_run_programs()) {
        if (!program.source.built_in || is_main(plan)) return refuse("program", *problem);
        return replay(request, plan, record, *problem, progress);
    }
    const std::filesystem::path source = program.source.built_in ? std::filesystem::path(program.source.name)
                                                                 : std::filesystem::absolute(request.program);
    const bool own_text = program.source.built_in || program.source.changed;
    const Folder own(fnv1a(own_text ? program.source.text : std::string(), fnv1a(driver)));
    host::BuildRequest wanted;
    wanted.view = request.view == trace::View::written ? compile::View::written : compile::View::compiled;
    wanted.arch = plan.arch;
    wanted.address_sanitizer = request.sanitize;
    wanted.include = program.source.options.include;
    wanted.defines = program.source.options.defines;
    wanted.options = program.source.options.others;
    host::ProgramStart start;
    start.sanitized = request.sanitize;
    std::filesystem::path compiled_source = source;  // the source as the compiler sees it
    if (own_text) compiled_source = own.add(source.filename(), program.source.text);
    if (!program.source.built_in && own_text) wanted.include.insert(wanted.include.begin(), source.parent_path());
    if (is_main(plan)) {
        wanted.sources = {compiled_source};
        start.name = fmt::format("./{}", source.stem().string());
        start.arguments = request.command_line;
        start.input = request.standard_input;
    } else {
        const std::filesystem::path main = own.add(driver_name, driver);
        wanted.sources = {main};
        wanted.include.insert(wanted.include.begin(), compiled_source.parent_path());
        wanted.defines["LANESCOPE_SOURCE"] = fmt::format("\"{}\"", compiled_source.string());
        wanted.defines["LANESCOPE_FUNCTION"] = program.recipe.kernel;
        start.input = driver_input(plan);
    }
    progress.say(compiling_text(program.source.name, program.source.text));
    FunctionsPtx functions_ptx;
    const bool may_have_calls = is_main(plan) && !program.source.built_in && !request.sanitize;
    if (may_have_calls && names_host_functions(compiled_source)) {
        // In most cases this file is all of the program.
        wanted.sources = {compiled_source.lexically_normal()};
        wanted.host_calls = true;
        functions_ptx = functions_ptx_of(wanted, progress);
    }
    const std::filesystem::path working_folder = working_folder_of(request, source);
    const bool of_working_folder = host::lies_in(source.lexically_normal().string(), {working_folder});
    std::vector<std::string> notes_on_commands;
    if (is_main(plan) && !program.source.built_in) {
        std::error_code error;
        if (!std::filesystem::is_directory(working_folder, error))
            return refuse("working-folder", fmt::format("there is no folder {}", working_folder.string()),
                          "Name the folder that main is to run in.");
        auto all =
            host::sources_of(source, wanted, progress, of_working_folder ? working_folder : std::filesystem::path());
        if (!all) return refuse_build(std::move(all.error()), progress);
        wanted = std::move(all->request);
        notes_on_commands = std::move(all->notes);
    }
    // Names and types of parameters are in the view as written alone; it is compiled beside the other.
    std::future<std::string> as_written;
    if (wanted.view == compile::View::compiled) {
        as_written = std::async(std::launch::async, [view = wanted, &progress]() mutable {
            view.view = compile::View::written;
            return host::device_code_of(view, progress);
        });
    }
    wanted.host_calls = wanted.host_calls || (may_have_calls && names_host_functions(wanted, progress));
    if (wanted.host_calls && (!functions_ptx.text.valid() || functions_ptx.request != wanted))
        functions_ptx = functions_ptx_of(wanted, progress);
    auto built = host::build(wanted, progress);
    if (!built) return refuse_build(std::move(built.error()), progress);
    start.program = built->program;
    if (!program.source.built_in) start.folder = is_main(plan) ? working_folder : source.parent_path();
    start.sources = {compiled_source.parent_path()};
    start.nvrtc_option = wanted.view == compile::View::written ? "-G" : "-lineinfo";
    if (of_working_folder) start.sources.push_back(working_folder);
    if (request.time_limit) start.limits.cpu = std::chrono::seconds(*request.time_limit);

    EmulatorMachine::Setup setup = setup_of(request, plan, record, compiled_source);
    setup.origin.arch = wanted.arch;
    if (wanted.arch != plan.arch)
        built->diagnostics.push_back(
            {compile::Diagnostic::Severity::warning, 0, 0,
             fmt::format("the program needs compute_{}, and is compiled for it", wanted.arch)});
    setup.folders.push_back(own.path());
    if (of_working_folder) setup.program_folder = working_folder;
    setup.recorded = first;
    setup.live = steps;
    if (as_written.valid())
        setup.as_written = [&] {
            std::string ptx = as_written.get();
            if (built->apart == wanted.apart) return ptx;
            host::BuildRequest view = wanted;
            view.view = compile::View::written;
            view.apart = built->apart;
            return host::device_code_of(view, progress);
        };
    std::optional<HostFunctionRuns> host_functions;
    if (functions_ptx.text.valid()) {
        DeviceFunctions device = device_functions(compile::without_folders(functions_ptx.text.get(), setup.folders),
                                                  setup.ptx_name, setup.source);
        start.functions = host::host_functions(start.program, device.names);
        host::keep_own(start.program, start.sources, start.functions);
        if (!start.functions.empty()) {
            host_functions.emplace(HostFunctionRuns::Setup{.origin = setup.origin,
                                                           .ptx_name = setup.ptx_name,
                                                           .folders = setup.folders,
                                                           .limits = setup.limits,
                                                           .banks = setup.banks,
                                                           .device = std::move(device),
                                                           .functions = start.functions},
                                   progress);
            setup.host_functions = &*host_functions;
        }
    }
    progress.say("running the host code");
    EmulatorMachine machine(std::move(setup), progress);
    auto run = host::run_program(start, machine, progress, [&](const host::ProgramStep& step) { machine.see(step); });
    if (!run) return refuse("program", std::move(run.error()));
    progress.say("analyzing the trace");
    const auto note_on_host = [&] {
        return fmt::format("Host code: compiled by nvcc and run in a sandbox ({}){}.", host::name_of(run->confinement),
                           request.working_folder.empty()
                               ? std::string()
                               : fmt::format(", in a copy of the folder {}", working_folder.string()));
    };
    if (!request.host_function.empty()) {
        if (progress.cancelled()) return refuse("cancelled", "the run was stopped");
        auto found = run_of_function(request.host_function, host_functions ? &*host_functions : nullptr, *run);
        if (!found) return std::unexpected(std::move(found.error()));
        return WholeRun{.trace = (*found)->trace,
                        .module = (*found)->module,
                        .diagnostics = std::move(built->diagnostics),
                        .notes = {note_on_host()},
                        .host = {},
                        .seconds = (*found)->seconds};
    }

    EmulatorMachine::Traced traced = machine.finish(*run);
    const bool any = traced.trace != nullptr && !traced.trace->launches.front().recorded.empty();
    if (progress.cancelled() && !any) return refuse("cancelled", "the run was stopped");
    if (traced.trace == nullptr) {
        if (!machine.refused().empty()) return refuse("source", machine.refused().front());
        return std::unexpected(without_launch(*run, machine.without_launch(*run), plan));
    }
    WholeRun whole{.trace = std::move(traced.trace),
                   .module = std::move(traced.module),
                   .diagnostics = std::move(built->diagnostics),
                   .notes = {},
                   .host = {},
                   .seconds = machine.seconds()};
    for (const Problem& refused : machine.refused())
        whole.notes.push_back(sentence(fmt::format("a launch failed: {}", refused.message())));
    whole.notes.push_back(note_on_host());
    std::ranges::move(notes_on_commands, std::back_inserter(whole.notes));
    for (const host::ProgramStep& step : run->steps)
        if (step.kind == host::ProgramStep::Kind::remark && step.what.starts_with(host::not_known))
            whole.notes.push_back(fmt::format(
                "Not known{}: {}.", step.where.line != 0 ? fmt::format(", line {}", step.where.line) : std::string(),
                step.what.substr(host::not_known.size())));
    const bool crashed = run->end.how == host::ProgramEnd::How::signal &&
                         (run->end.code == SIGSEGV || run->end.code == SIGBUS ||
                          (run->end.code == SIGABRT && ends_with_heap_error(run->printed)));
    // The C library may print why it ends the program.
    const auto last = std::ranges::find_if(run->steps.rbegin(), run->steps.rend(), [](const host::ProgramStep& step) {
        return step.kind != host::ProgramStep::Kind::print;
    });
    const bool is_told = last != run->steps.rend() && last->kind == host::ProgramStep::Kind::fault;
    if (crashed && !request.sanitize && !is_told)
        whole.notes.emplace_back(
            "Host code crashed, and where is not known: an overrun of host memory may have corrupted its stack or "
            "heap. "
            "Run it with --sanitize to find out.");
    if (std::ranges::find(run->steps, host::ProgramStep::Kind::call, &host::ProgramStep::kind) != run->steps.end())
        whole.notes.emplace_back(
            "Calls of __host__ __device__ functions are listed where the device code has the function, too. Device "
            "code lacks static functions that no kernel calls and, as compiled, those that are inlined into kernels.");
    whole.host = *std::move(run);
    whole.host.memory = nullptr;  // the trace has what was in it
    return whole;
}

std::expected<WholeRun, Refusal> replay_steps(const Request& request, const Plan& plan, const execute::Limits& record,
                                              const host::ProgramRun& steps, std::string_view ptx, Progress& progress) {
    using Kind = host::ProgramStep::Kind;
    auto made = host::DeviceMemory::create();
    if (!made) return refuse("program", made.error());
    const auto memory = std::make_shared<const host::DeviceMemory>(std::move(*made));
    EmulatorMachine::Setup setup = setup_of(request, plan, record, plan.program.source.name);
    if (request.view == trace::View::compiled) {
        setup.as_written = [&program = plan.program] {
            return std::string(embedded_file(kept_path(program, compile::View::written)).value_or(std::string_view()));
        };
    }
    EmulatorMachine machine(std::move(setup), progress);
    machine.begin(memory);
    if (const auto loaded = machine.load(ptx); !loaded) return refuse("program", loaded.error());
    const auto differs = [&](const host::ProgramStep& step, std::string_view how) {
        return refuse("program",
                      fmt::format("the kept steps of {} cannot be replayed: {} at line {}", plan.program.name, how,
                                  step.where.line),
                      reinstall);
    };
    for (const host::ProgramStep& step : steps.steps) {
        if (progress.cancelled()) return refuse("cancelled", "the run was cancelled");
        switch (step.kind) {
            case Kind::allocate:
                if (!machine.allocate(step.address, step.bytes)) return differs(step, "out of memory");
                break;
            case Kind::write:
                machine.overwrite(step.address, step.bytes);
                std::ranges::copy(step.content, memory->at(step.address, step.bytes).begin());
                break;
            case Kind::release: machine.release(step.address); break;
            case Kind::launch: {
                const auto kernel = machine.function(step.launch.function);
                std::uint64_t bytes = 0;
                if (kernel)
                    for (const host::ParameterFacts& facts : kernel->parameters) bytes = facts.offset + facts.bytes;
                if (!kernel || bytes != step.launch.parameters.size()) return differs(step, "the kernel is missing");
                const host::Machine::Outcome outcome = machine.launch(step.launch, *memory);
                if (progress.cancelled()) return refuse("cancelled", "the run was cancelled");
                if (outcome.error != step.error) return differs(step, "a launch returns a different error");
                break;
            }
            default: break;
        }
        machine.see(step);
    }
    EmulatorMachine::Traced traced = machine.finish(steps);
    if (traced.trace == nullptr) return refuse("program", "the kept steps have no launch");
    return WholeRun{.trace = std::move(traced.trace),
                    .module = std::move(traced.module),
                    .diagnostics = {},
                    .notes = {},
                    .host = steps};
}

}  // namespace lanescope::session
