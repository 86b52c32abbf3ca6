#include "unit/host/host_program.h"

#include "places.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

namespace lanescope::host {

namespace {

constexpr std::uint64_t variables_at = device_base + (std::uint64_t{200} << 30U);
constexpr int cuda_success = 0;

}  // namespace

DeviceFacts AddingMachine::device() {
    DeviceFacts facts = facts_of(limits);
    std::strcpy(facts.name, "Adding machine");
    facts.multiprocessors = 132;
    facts.global_bytes = std::uint64_t{1} << 37U;
    return facts;
}

Result<void> AddingMachine::load(std::string_view text) {
    ptx = text;
    return {};
}

std::optional<Machine::Function> AddingMachine::function(std::string_view name) {
    if (name.find("add_one") == std::string_view::npos && name.find("narrow") == std::string_view::npos)
        return std::nullopt;
    Function function;
    function.facts.found = 1;
    function.facts.max_threads = name.find("narrow") == std::string_view::npos ? 0 : 128;
    function.parameters = {{.offset = 0, .bytes = 8}, {.offset = 8, .bytes = 4}};
    return function;
}

std::optional<VariableFacts> AddingMachine::variable(std::string_view name, const DeviceMemory&) {
    if (name != "offsets") return std::nullopt;
    return VariableFacts{.address = variables_at, .bytes = 16};
}

bool AddingMachine::allocate(std::uint64_t, std::uint64_t) { return true; }

Machine::Outcome AddingMachine::launch(const KernelLaunch& launch, const DeviceMemory& memory) {
    std::uint64_t address = 0;
    std::int32_t n = 0;
    std::memcpy(&address, launch.parameters.data(), sizeof address);
    std::memcpy(&n, launch.parameters.data() + sizeof address, sizeof n);
    const auto bytes = memory.at(address, std::uint64_t(n) * sizeof n);
    for (std::size_t i = 0; i < bytes.size(); i += sizeof n) {
        std::int32_t value = 0;
        std::memcpy(&value, bytes.data() + i, sizeof value);
        ++value;
        std::memcpy(bytes.data() + i, &value, sizeof value);
    }
    return {.error = cuda_success, .nanoseconds = 2500};
}

std::filesystem::path data_folder() {
    return std::filesystem::path(LANESCOPE_SOURCE_DIR) / "tests" / "unit" / "host" / "data";
}

std::filesystem::path modes_program(bool sanitized) {
    Progress progress;
    BuildRequest request;
    request.address_sanitizer = sanitized;
    request.sources = {data_folder() / "modes.cu"};
    const auto built = build(request, progress);
    if (!built) {
        ADD_FAILURE() << built.error().problem.message();
        return {};
    }
    return built->program;
}

ProgramRun run_mode(const std::vector<std::string>& arguments, const std::string& input, const SandboxLimits& limits,
                    const model::DeviceLimits& device) {
    AddingMachine machine;
    machine.limits = device;
    Progress progress;
    const ProgramStart start{.program = modes_program(),
                             .arguments = arguments,
                             .input = input,
                             .folder = data_folder(),
                             .sources = {data_folder()},
                             .limits = limits};
    auto run = run_program(start, machine, progress);
    if (!run) {
        ADD_FAILURE() << run.error().message();
        return {};
    }
    return std::move(*run);
}

std::string without_blanks(const std::string& ptx) {
    std::string kept;
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
        line.resize(std::min(line.find("//"), line.size()));
        std::erase_if(line, [](char c) { return c == ' ' || c == '\t'; });
        kept += line + '\n';
    }
    return kept;
}

unsigned marked_line(const std::string& name) {
    std::ifstream in(data_folder() / "modes.cu");
    unsigned number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.ends_with("// LINE " + name)) return number;
    }
    ADD_FAILURE() << "no line is marked " << name;
    return 0;
}

std::vector<ProgramStep> faults_of(const ProgramRun& run) {
    std::vector<ProgramStep> faults;
    std::ranges::copy_if(run.steps, std::back_inserter(faults),
                         [](const ProgramStep& step) { return step.kind == ProgramStep::Kind::fault; });
    return faults;
}

}  // namespace lanescope::host
