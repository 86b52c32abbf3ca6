#include "unit/host/host_program.h"

#include "host/variable_names.h"
#include "places.h"

#include <fmt/format.h>

#include <fstream>

namespace lanescope::host {
namespace {

/// "d_in: float" of each marked line, in order.
std::vector<std::string> marked(const std::filesystem::path& source) {
    std::vector<std::string> all;
    std::ifstream in(source);
    for (std::string line; std::getline(in, line);) {
        const std::size_t at = line.find(";  // ");
        if (at == std::string::npos) continue;
        all.push_back(line.substr(at + 6));
    }
    return all;
}

TEST(HostNames, AreThoseOfTheVariablesThatReceiveThePointers) {
    NEEDS_PROGRAMS();
    const std::filesystem::path folder =
        std::filesystem::path(LANESCOPE_SOURCE_DIR) / "tests" / "unit" / "host" / "data";
    Progress progress;
    BuildRequest request;
    request.sources = {folder / "names.cu"};
    const auto built = build(request, progress);
    ASSERT_TRUE(built) << built.error().problem.message();
    if (!VariableNames(built->program, {folder}).available()) GTEST_SKIP() << "libdw is not installed";
    AddingMachine machine;
    const auto run = run_program(
        {.program = built->program, .arguments = {}, .input = {}, .folder = {}, .sources = {folder}, .limits = {}},
        machine, progress);
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_EQ(run->end.code, 0);
    std::string expected, found;
    for (const std::string& mark : marked(folder / "names.cu")) expected += mark + ", ";
    for (const ProgramStep& step : run->steps)
        if (step.kind == ProgramStep::Kind::allocate)
            found += fmt::format("{}:{}{}, ", step.variable, step.type.empty() ? "" : " ", step.type);
    EXPECT_EQ(found, expected);
}

TEST(LiesIn, TakesAFolderWithASlashAtItsEndAndNoNameThatBeginsAlike) {
    EXPECT_TRUE(lies_in("/home/me/program/main.cu", {"/home/me/program/"}));
    EXPECT_TRUE(lies_in("/home/me/program/inner/main.cu", {"/usr", "/home/me/program"}));
    EXPECT_FALSE(lies_in("/home/me/programs/main.cu", {"/home/me/program/"}));
}

}  // namespace
}  // namespace lanescope::host
