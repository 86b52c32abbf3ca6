// Whole programs, opened as a person opens them: each ends, prints, launches and is at fault as its expected.json says.
#include "session/run.h"
#include "session/whole_program.h"

#include "base/demangle.h"
#include "base/files.h"
#include "places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {
namespace {

namespace fs = std::filesystem;
using Kind = trace::Finding::Kind;

const fs::path programs = fs::path(LANESCOPE_SOURCE_DIR) / "tests/programs";

nlohmann::json expected_of(const fs::path& folder) {
    return nlohmann::json::parse(read_file(folder / "expected.json").value_or("{}"));
}

/// The names of the programs that run in every test run, or of all others.
std::vector<std::string> names(bool quick) {
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(programs))
        if (entry.is_directory() && expected_of(entry.path()).value("quick", false) == quick)
            found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
}

struct Launch {
    std::string kernel;
    std::vector<std::uint32_t> grid, block;
    friend bool operator==(const Launch&, const Launch&) = default;
    friend void PrintTo(const Launch& launch, std::ostream* out) {
        *out << launch.kernel << testing::PrintToString(launch.grid) << testing::PrintToString(launch.block);
    }
};

Launch launch_of(const nlohmann::json& json) {
    return {.kernel = json.at("kernel"), .grid = json.at("grid"), .block = json.at("block")};
}

/// "step" for "life::step<16>".
std::string bare_name(const std::string& linked) {
    std::string name = source_name_of(linked);
    name.resize(std::min(name.find('<'), name.size()));
    return name.substr(name.rfind(':') + 1);
}

std::vector<Launch> launches_of(const trace::Trace& trace) {
    std::vector<Launch> launches;
    launches.reserve(trace.launches.size());
    for (const trace::Launch& launch : trace.launches)
        launches.push_back({.kernel = bare_name(launch.kernel),
                            .grid = {launch.grid.x, launch.grid.y, launch.grid.z},
                            .block = {launch.block.x, launch.block.y, launch.block.z}});
    return launches;
}

/// A finding by the name of the host's fault; a kernel's by its own.
std::string fault_of(const trace::Finding& finding) {
    static const std::map<Kind, std::string> of_host{{Kind::wrong_direction, "wrong_direction"},
                                                     {Kind::host_access, "host_access"},
                                                     {Kind::double_free, "double_free"},
                                                     {Kind::invalid_free, "invalid_free"},
                                                     {Kind::leak, "leak"},
                                                     {Kind::unchecked_error, "unchecked_error"},
                                                     {Kind::missing_synchronization, "unsynchronized"}};
    if (finding.kind == Kind::out_of_bounds && finding.line == PtxLine()) return "copy_past_end";
    const auto known = of_host.find(finding.kind);
    return known != of_host.end() ? known->second : std::string(name_of(finding.kind)) + ": " + finding.message;
}

std::string printed_by(const trace::Trace& trace) {
    std::string printed;
    for (const trace::HostStep& step : trace.host_steps)
        if (step.kind == trace::HostStep::Kind::print) printed += step.text;
    return printed;
}

/// Launches of Thrust's and CUB's own kernels depend on the device.
void check_launches(const nlohmann::json& expected, std::vector<Launch> launches) {
    const nlohmann::json& wanted = expected.at("launches");
    if (wanted.is_object()) {
        EXPECT_EQ(launches.size(), wanted.at("count"));
        ASSERT_FALSE(launches.empty());
        EXPECT_EQ(launches.front(), launch_of(wanted.at("first")));
        return;
    }
    std::vector<Launch> own;
    for (const nlohmann::json& launch : wanted) own.push_back(launch_of(launch));
    if (expected.value("library launches", false)) {
        const std::size_t all = launches.size();
        std::erase_if(launches, [&](const Launch& launch) {
            return std::ranges::find(own, launch.kernel, &Launch::kernel) == own.end();
        });
        EXPECT_GT(all, launches.size());
    }
    EXPECT_EQ(launches, own);
}

void check(const std::string& name, trace::View view) {
    if (const auto problem = cannot_run_programs()) GTEST_SKIP() << problem->message();
    const nlohmann::json expected = expected_of(programs / name);
    Request request;
    request.program = (programs / name / expected.at("sources").at(0)).string();
    request.command_line = expected.at("arguments").get<std::vector<std::string>>();
    request.standard_input = expected.value("input", "");
    request.view = view;
    const auto faults = expected.value("faults", std::vector<std::string>{});
    const std::string printed = expected.at("printed");
    const std::string end = "exit status " + std::to_string(expected.at("status").get<int>());

    Progress progress;
    const auto run = session::run(request, progress);
    if (!run && expected.at("launches").empty() && !expected.value("library launches", false)) {
        // A program without a launch has no trace: its end is reported.
        const std::string message = run.error().problem.message();
        EXPECT_THAT(message, testing::HasSubstr(end));
        EXPECT_THAT(message, testing::HasSubstr(printed.substr(0, printed.find('\n'))));
        return;
    }
    ASSERT_TRUE(run) << run.error().problem.message();
    const trace::Trace& trace = (*run)->trace();
    EXPECT_EQ(trace.host_end, end);
    EXPECT_EQ(printed_by(trace), printed);
    check_launches(expected, launches_of(trace));
    std::vector<std::string> found;
    found.reserve(trace.findings.size());
    for (const trace::Finding& finding : trace.findings) found.push_back(fault_of(finding));
    EXPECT_THAT(found, testing::UnorderedElementsAreArray(faults));
}

std::string name_of_test(const testing::TestParamInfo<std::string>& name) { return name.param; }

class Programs : public testing::TestWithParam<std::string> {};
TEST_P(Programs, RunAsOnAGpuAsWritten) { check(GetParam(), trace::View::written); }
TEST_P(Programs, RunAsOnAGpuAsCompiled) { check(GetParam(), trace::View::compiled); }

INSTANTIATE_TEST_SUITE_P(Quick, Programs, testing::ValuesIn(names(true)), name_of_test);
INSTANTIATE_TEST_SUITE_P(Long, Programs, testing::ValuesIn(names(false)), name_of_test);

}  // namespace
}  // namespace lanescope::session
