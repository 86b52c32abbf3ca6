#include "session/whole_program.h"

#include "host/build.h"
#include "host/program.h"
#include "session/emulator_machine.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

namespace lanescope::session {

namespace {

/// main for a host function that takes its arguments from Lanescope: each a header of two numbers (1 for a buffer, 0 for
/// a value; its bytes), then the bytes, on standard input. Its results are read back, for they are outputs.
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
    void* device = nullptr;
    std::vector<char> bytes;
};

Argument read_argument()
{
    std::uint64_t header[2];
    if (std::fread(header, sizeof header, 1, stdin) != 1) std::exit(2);
    Argument argument;
    argument.bytes.resize(header[1]);
    if (header[1] != 0 && std::fread(argument.bytes.data(), header[1], 1, stdin) != 1) std::exit(2);
    if (header[0] != 0 && header[1] != 0) {
        cudaMalloc(&argument.device, header[1]);
        cudaMemcpy(argument.device, argument.bytes.data(), header[1], cudaMemcpyHostToDevice);
    }
    return argument;
}

template <class T>
T value_of(const Argument& argument)
{
    T value{};
    if constexpr (std::is_pointer_v<T>) value = static_cast<T>(argument.device);
    else std::memcpy(&value, argument.bytes.data(), argument.bytes.size() < sizeof value ? argument.bytes.size() : sizeof value);
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
        cudaMemcpy(argument.bytes.data(), argument.device, argument.bytes.size(), cudaMemcpyDeviceToHost);
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

/// A folder that is removed with all that is in it.
class Folder {
  public:
    Folder() {
        std::error_code error;
        std::string path = (std::filesystem::temp_directory_path(error) / "lanescope-program-XXXXXX").string();
        if (!error && mkdtemp(path.data()) != nullptr) path_ = path;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code error;
        if (!path_.empty()) std::filesystem::remove_all(path_, error);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

void append(std::string& to, std::uint64_t number) { to.append(reinterpret_cast<const char*>(&number), sizeof number); }
void append(std::string& to, bool buffer, const std::vector<std::byte>& bytes) {
    append(to, buffer ? 1U : 0U);
    append(to, bytes.size());
    to.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// The plan's arguments as the driver reads them.
std::string driver_input(const Plan& plan) {
    std::string input;
    for (const trace::Argument& argument : plan.arguments) {
        if (argument.buffer)
            append(input, true, plan.buffers[*argument.buffer].initial);
        else
            append(input, false, argument.value);
    }
    return input;
}

bool is_main(const Plan& plan) { return plan.program.recipe.kernel == "main" && plan.arguments.empty(); }

}  // namespace

std::optional<Problem> cannot_run_programs() {
    if (const auto& found = host::toolchain(); !found) return found.error();
    if (host::confinement() == host::Confinement::none)
        return Problem{.what = "this system has no means to confine a program, so host code is not run",
                       .where = {},
                       .remedy = "Install bubblewrap, or use a kernel with Landlock (5.13 or later)."};
    return std::nullopt;
}

std::string what_running_means(const Plan& plan) {
    return fmt::format(
        "{} of {} will be compiled by nvcc and run on this computer, confined by {}: without network, "
        "writing only to a scratch folder, with limits of memory and time.",
        plan.program.recipe.kernel, std::filesystem::path(plan.program.source.name).filename().string(),
        host::name_of(host::confinement()));
}

std::expected<WholeRun, Refusal> run_whole_program(const Request& request, const Plan& plan,
                                                   const execute::Limits& record, Progress& progress) {
    const Program& program = plan.program;
    if (const auto problem = cannot_run_programs()) return refuse("program", *problem);
    const std::filesystem::path source = program.source.built_in ? std::filesystem::path(program.source.name)
                                                                 : std::filesystem::absolute(request.program);
    const Folder own;
    host::BuildRequest wanted;
    wanted.view = request.view == trace::View::written ? compile::View::written : compile::View::compiled;
    wanted.arch = plan.arch;
    host::ProgramStart start;
    EmulatorMachine::Setup setup;
    std::filesystem::path told = source;  // the source as the compiler sees it
    if (program.source.built_in) {
        told = own.path() / source.filename();
        std::ofstream(told) << program.source.text;
    }
    if (is_main(plan)) {
        wanted.sources = {told};
        start.arguments = request.command_line;
        start.input = request.standard_input;
    } else {
        const std::filesystem::path main = own.path() / "lanescope_main.cu";
        std::ofstream(main) << driver;
        wanted.sources = {main};
        wanted.include = {told.parent_path()};
        wanted.defines = {{"LANESCOPE_SOURCE", fmt::format("\"{}\"", told.string())},
                          {"LANESCOPE_FUNCTION", program.recipe.kernel}};
        start.input = driver_input(plan);
        for (const trace::Buffer& buffer : plan.buffers) {
            trace::Buffer& named = setup.first_allocations.emplace_back();
            named.name = buffer.name;
            named.element = buffer.element;
            named.output = buffer.output && buffer.name == program.recipe.output;
        }
    }
    progress.say("compiling");
    auto built = host::build(wanted, progress);
    if (!built)
        return std::unexpected(Refusal{.problem = std::move(built.error().problem),
                                       .field = progress.cancelled() ? "cancelled" : "source",
                                       .diagnostics = std::move(built.error().diagnostics),
                                       .by_rule = false});
    start.program = built->program;
    start.folder = told.parent_path();
    start.sources = {told.parent_path()};

    setup.origin.program = program.name;
    setup.origin.source = program.source.text;
    setup.origin.source_name = source.filename();
    setup.origin.view = request.view;
    setup.origin.arch = plan.arch;
    setup.origin.banks = request.banks;
    setup.origin.n = is_main(plan) ? 0 : plan.variables.n;
    setup.origin.input = plan.input;
    setup.origin.oracle = program.recipe.oracle;
    setup.ptx_name = source.stem().string() + ".ptx";
    setup.source = told;
    setup.limits = record;
    setup.banks = request.banks;
    progress.say("running the host code");
    EmulatorMachine machine(std::move(setup), progress);
    auto run = host::run_program(start, machine, progress, [&](const host::HostStep& step) { machine.see(step); });
    if (!run) return refuse("program", std::move(run.error()));
    progress.say("analyzing the trace");
    if (progress.cancelled()) return refuse("cancelled", "the run was stopped");

    EmulatorMachine::Traced traced = machine.finish(*run);
    if (traced.trace == nullptr) {
        if (!machine.refused().empty()) return refuse("source", machine.refused().front());
        const std::string said = run->printed.empty() ? std::string() : fmt::format("; it printed: {}", run->printed);
        return refuse("source", fmt::format("{} ended without a launch{}", program.recipe.kernel, said),
                      "Give it the words that it expects on its command line, or choose one kernel with --kernel.");
    }
    WholeRun whole{.trace = std::move(traced.trace),
                   .module = std::move(traced.module),
                   .diagnostics = std::move(built->diagnostics),
                   .notes = {}};
    for (const Problem& refused : machine.refused())
        whole.notes.push_back(sentence(fmt::format("a launch was not made: {}", refused.message())));
    whole.notes.push_back(
        fmt::format("The host code was run as compiled by nvcc, confined by {}.", host::name_of(run->confinement)));
    return whole;
}

}  // namespace lanescope::session
