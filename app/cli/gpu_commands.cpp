#include "cli/gpu_commands.h"

#include "cli/commands.h"
#include "compile/compile.h"
#include "compile/nvrtc.h"
#include "session/launch_values.h"

#include <fmt/chrono.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace lanescope::cli {

namespace {

constexpr std::uint32_t usual_block = 256;
constexpr std::uint64_t usual_blocks = 4;

/// The elements for that many blocks, less one, where a thread takes several; the maximum for kernels with their own
/// rule, such as a grid-stride loop.
std::uint64_t elements_for_blocks(const session::Program& program, std::uint64_t threads) {
    const auto blocks_of = [&](std::uint64_t n) -> std::uint64_t {
        const auto grid = session::evaluate_extent(program.recipe.grid, {.n = n, .block = threads, .grid = 1});
        return grid ? grid->count() : 0;
    };
    std::uint64_t n = usual_blocks * threads - 1;
    if (program.recipe.host || program.recipe.grid.empty()) return n;
    while (blocks_of(n) < usual_blocks && blocks_of(2 * n + 1) > blocks_of(n)) n = 2 * n + 1;
    return n;
}

}  // namespace

session::Request usual_request(const UsualSizes& sizes, const std::string& program, trace::View view) {
    session::Request request = sizes.launch;
    request.program = program;
    request.view = view;
    const auto found = session::find_requested(request);
    const bool runs_as_it_stands = found && !found->source.built_in && found->recipe.host;  // with its own data
    if (request.input.empty() && !runs_as_it_stands) request.input = usual_input;
    if (!found || !found->source.built_in) return request;
    const bool any_block = !request.block && !request.block_extent;
    if (any_block && session::check_block(*found, usual_block)) request.block = usual_block;
    const auto threads = request.block_extent ? request.block_extent->count() : request.block.value_or(0);
    if (!request.n && threads > 0) {
        const std::uint64_t most =
            session::largest_n(*found, {.block = static_cast<std::uint32_t>(threads)}).value_or(1);
        request.n = std::min(elements_for_blocks(*found, threads), most);
    }
    return request;
}

void add_flags(const UsualSizes& sizes, std::vector<std::string>& arguments) {
    if (sizes.view) arguments.insert(arguments.end(), {"--view", session::name_of(*sizes.view)});
    session::add_launch(arguments, sizes.launch);
}

std::vector<std::string> programs_or_all(const std::vector<std::string>& programs) {
    if (!programs.empty()) return programs;
    std::vector<std::string> all;
    for (const session::Program& program : session::catalog()) all.push_back(program.name);
    return all;
}

namespace {

/// A driver accepts PTX of its own CUDA version and of older ones, so that a newer NVRTC is skipped. Fails if none is
/// left: the PTX that ships with the kernels is from CUDA 13.
Result<void> limit_compiler(const execute::GpuFacts& facts) {
    constexpr int kept = 13000, oldest = 1000 * compile::oldest_cuda.first + 10 * compile::oldest_cuda.second;
    const std::string newest = fmt::format("{}.{}", facts.cuda / 1000, facts.cuda % 1000 / 10);
    setenv("LANESCOPE_NEWEST_CUDA", newest.c_str(), 0);
    const auto& compiler = compile::compiler();
    if (compiler || facts.cuda >= kept) return {};
    const std::string update = "Update the NVIDIA driver: 580 or later takes PTX of CUDA 13";
    return fail(fmt::format("the driver supports CUDA {} and no newer PTX; {}", newest, compiler.error().what), {},
                facts.cuda < oldest
                    ? fmt::format("{}, 550 or later that of CUDA {}, the oldest whose compiler Lanescope can use.",
                                  update, compile::oldest_cuda_text())
                    : fmt::format("{}. Or install an NVRTC of CUDA {} to {}, and name it with LANESCOPE_NVRTC.", update,
                                  compile::oldest_cuda_text(), newest));
}

}  // namespace

Result<std::unique_ptr<execute::Device>> open_gpu() {
    const char* given = std::getenv("LANESCOPE_DRIVER");
    const auto driver = given != nullptr && *given != '\0' ? execute::Driver::load(given) : execute::Driver::load();
    if (!driver) return std::unexpected(driver.error());
    auto device = execute::Device::open(*driver);
    if (!device) return device;
    if (const auto limited = limit_compiler((*device)->facts()); !limited) return std::unexpected(limited.error());
    return device;
}

timing::RecordingHeader header_of(const execute::Device& device) {
    timing::RecordingHeader on{.device = device.facts().name, .driver = device.facts().driver};
    if (const auto& compiler = compile::compiler())
        on.toolkit = fmt::format("NVRTC {}.{}", compiler->major, compiler->minor);
    on.date = fmt::format("{:%F}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
    return on;
}

std::string gpu_use_line(bool begins) { return nlohmann::json{{on_gpu, begins}}.dump(); }

bool follow_gpu_use(const nlohmann::json& line, ChildProcess& worker, unsigned limit_seconds) {
    if (!line.is_object() || !line.contains(on_gpu)) return false;
    worker.limit_silence(std::chrono::seconds(line.value(on_gpu, false) ? limit_seconds : 0));
    return true;
}

void send_line(Environment& environment, const nlohmann::ordered_json& json, std::string_view mark) {
    environment.out << mark << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n'
                    << std::flush;
}

nlohmann::ordered_json problem_line(const Problem& problem) {
    return {{"problem", problem.what}, {"remedy", problem.remedy}};
}

std::optional<Problem> problem_in(const nlohmann::json& line) {
    if (!line.is_object() || !line.contains("problem")) return std::nullopt;
    return Problem{.what = line.value("problem", ""), .where = {}, .remedy = line.value("remedy", "")};
}

Result<std::optional<Ending>> follow_process(const ChildProcess::Command& command, const Progress& progress,
                                             const std::function<void(const std::string&, ChildProcess&)>& read,
                                             std::string& errors) {
    auto child = ChildProcess::start(command);
    if (!child) return std::unexpected(child.error());
    while (true) {
        for (const std::string& line : child->lines()) read(line, *child);
        errors = child->errors();
        if (progress.cancelled()) return std::optional<Ending>();
        if (const auto ending = child->ending()) return ending;
        child->wait(patience);
    }
}

}  // namespace lanescope::cli
