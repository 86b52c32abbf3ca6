// Shipped PTX must equal the compiler's current output, unless the compiler's version differs. Shipped steps of host
// code must replay as the host code runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/embedded.h"
#include "base/fnv1a.h"
#include "host/toolchain.h"
#include "ptx/module.h"
#include "run_support.h"
#include "session/described_variables.h"
#include "session/kept_ptx.h"
#include "session/kept_steps.h"
#include "session/whole_program.h"
#include "trace/file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

constexpr compile::View views[] = {compile::View::written, compile::View::compiled};

std::vector<const Program*> host_programs() {
    std::vector<const Program*> programs;
    for (const Program& program : catalog())
        if (program.recipe.host) programs.push_back(&program);
    return programs;
}

/// The PTX without parts that depend on the machine's folders or the compiling process: internal names contain a hash
/// of the file's path, and with NVRTC the process id.
std::string code_of(std::string_view ptx) {
    static const std::regex unique(
        "[0-9]*(_INTERNAL_|_GLOBAL__N__)[0-9a-f]{8}_[0-9]+_(\\w+?_cu_[0-9a-f]{8})(_[0-9]+)?");
    static const std::regex of_the_path("_cu_[0-9a-f]{8}");
    constexpr std::string_view text = ".global .align 1 .b8 $str$";  // an assertion of a header names the header's path
    std::string code;
    std::istringstream lines(std::string(ptx.substr(0, std::min(ptx.find("\n.file"), ptx.find(".section")))));
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with(text)) code += line + '\n';
    return std::regex_replace(std::regex_replace(code, unique, "$1$2"), of_the_path, "_cu");
}

struct Asked {
    Request request;
    Plan plan;
};
Asked default_launch(const Program& program, compile::View view) {
    Request request{.program = program.name};
    request.view = view == compile::View::written ? trace::View::written : trace::View::compiled;
    return {.request = request, .plan = *plan(request)};
}

std::string_view version_of(std::string_view ptx) {
    const std::size_t at = ptx.find("release ");
    return ptx.substr(at, ptx.find('\n', at) - at);
}

TEST(KeptPtx, IsFresh) {
    if (!compile::compiler()) GTEST_SKIP() << compile::compiler().error().message();
    for (const Program& program : catalog()) {
        if (program.recipe.host) continue;
        for (const compile::View view : {compile::View::written, compile::View::compiled, compile::View::types}) {
            if (view == compile::View::types && !embedded_file(kept_path(program, view))) continue;
            const auto request = kept_request(program, view);
            ASSERT_TRUE(request) << program.name << request.error().message();
            const auto fresh = compile::compile(*request);
            ASSERT_TRUE(fresh) << program.name << fresh.error().problem.message();
            const auto kept = embedded_file(kept_path(program, view));
            ASSERT_TRUE(kept) << kept_path(program, view) << " is missing: run `ninja keep_ptx`";
            if (version_of(*kept) != version_of(fresh->ptx))
                GTEST_SKIP() << "kept by " << version_of(*kept) << ", here is " << version_of(fresh->ptx);
            const bool unique = kept->contains("_INTERNAL_");  // such names stand in the debug information, too
            EXPECT_TRUE(unique ? code_of(*kept) == code_of(fresh->ptx) : *kept == fresh->ptx)
                << kept_path(program, view) << " is stale: run `ninja keep_ptx`";
        }
    }
}

TEST(KeptPtx, IsCompiledAnewWithTheOptionsThatARequestHas) {
    if (!compile::compiler()) GTEST_SKIP() << compile::compiler().error().message();
    Progress progress;
    const auto same = run({.program = "reduce/sequential", .compiler_options = {"-DUNUSED=1"}}, progress);
    ASSERT_TRUE(same) << same.error().problem.message();
    EXPECT_EQ((*same)->verdict.ok, true);
    EXPECT_FALSE(run({.program = "reduce/sequential", .compiler_options = {"-Dint=no type"}}, progress));
    EXPECT_FALSE(run({.program = "reduce/sequential", .compiler_options = {"--no-such-option"}}, progress));
}

// Types that the PTX of both views omits are in a separate file.
TEST(KeptPtx, SaysAllTypesOfVariables) {
    for (const Program& program : catalog()) {
        if (program.recipe.host) continue;
        const auto module_in = [&](compile::View view) {
            return ptx::parse(std::string(embedded_file(kept_path(program, view)).value_or(std::string_view())));
        };
        const auto written = module_in(compile::View::written), types = module_in(compile::View::types);
        ASSERT_TRUE(written) << program.name;
        for (const compile::View view : {compile::View::written, compile::View::compiled}) {
            auto module = module_in(view);
            ASSERT_TRUE(module) << program.name;
            describe_variables(*module, *written);
            if (types) describe_variables(*module, *types);
            EXPECT_FALSE(has_undescribed(*module, program.source.text)) << kept_path(program, view);
        }
    }
}

TEST(KeptSteps, AreFresh) {
    NEEDS_HOST_CODE();
    for (const Program* program : host_programs()) {
        for (const compile::View view : views) {
            const auto fresh = kept_program(*program, view);
            ASSERT_TRUE(fresh) << program->name << fresh.error().message();
            const auto ptx = embedded_file(kept_path(*program, view)), steps = embedded_file(kept_steps_path(*program));
            ASSERT_TRUE(ptx && steps) << program->name << ": run `ninja keep_ptx`";
            EXPECT_TRUE(*steps == fresh->steps) << kept_steps_path(*program) << " is stale: run `ninja keep_ptx`";
            if (!version_of(*embedded_file("kernels/reduce/sequential.written.ptx"))
                     .contains(host::toolchain()->version))
                continue;  // nvcc's PTX in a program does not state nvcc's version
            ASSERT_THAT(*ptx, HasSubstr("\n.file"));
            EXPECT_TRUE(code_of(*ptx) == code_of(fresh->ptx)) << kept_path(*program, view) << " is stale";
        }
    }
}

TEST(KeptSteps, ReplayToTheTraceOfARealRun) {
    NEEDS_HOST_CODE();
    for (const Program* program : host_programs()) {
        for (const compile::View view : views) {
            const auto [request, plan] = default_launch(*program, view);
            Progress progress;
            const auto real = run_whole_program(request, plan, {}, progress);
            ASSERT_TRUE(real) << program->name << real.error().problem.message();
            const auto text = steps_text(plan, *real->module, real->host);
            ASSERT_TRUE(text) << program->name << text.error().message();
            const auto steps = steps_from_text(*text, plan, "x.steps");
            ASSERT_TRUE(steps) << program->name << steps.error().message();
            const auto replayed = replay_steps(request, plan, {}, *steps, real->module->text, progress);
            ASSERT_TRUE(replayed) << program->name << replayed.error().problem.message();
            EXPECT_TRUE(trace::to_bytes(*real->trace) == trace::to_bytes(*replayed->trace)) << program->name;
        }
    }
}

TEST(KeptSteps, GiveTheResultThatTheOracleExpects) {
    for (const Program* program : host_programs()) {
        for (const compile::View view : views) {
            const auto [request, plan] = default_launch(*program, view);
            const auto steps = steps_from_text(*embedded_file(kept_steps_path(*program)), plan, "x.steps");
            ASSERT_TRUE(steps) << program->name << steps.error().message();
            Progress progress;
            const auto run =
                replay_steps(request, plan, {}, *steps, *embedded_file(kept_path(*program, view)), progress);
            ASSERT_TRUE(run) << program->name << run.error().problem.message();
            const std::string& fault = program->recipe.expected.fault;
            const auto launches = std::ranges::count_if(
                steps->steps, [](const auto& step) { return step.kind == host::ProgramStep::Kind::launch; });
            EXPECT_EQ(run->trace->launches.size(), launches) << program->name;
            EXPECT_GE(launches, 1) << program->name;
            EXPECT_EQ(run->trace->findings.empty(), fault.empty() || fault == "wrong result") << program->name;
            EXPECT_EQ(run->trace->origin.source_name, std::filesystem::path(program->source.name).filename());
        }
    }
}

TEST(KeptSteps, ADamagedFileIsRefused) {
    const Program& program = *find_program("scan/three-launches");
    const Plan plan = default_launch(program, compile::View::compiled).plan;
    const std::string good(*embedded_file(kept_steps_path(program)));
    ASSERT_TRUE(steps_from_text(good, plan, "x.steps"));
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = bad[at] == '1' ? '2' : '1';
        const auto read = steps_from_text(bad, plan, "x.steps");
        ASSERT_FALSE(read) << at;
        EXPECT_EQ(read.error().where.file, "x.steps");
    }
    for (const std::size_t bytes : {std::size_t{0}, good.size() / 2, good.size() - 1})
        EXPECT_FALSE(steps_from_text(good.substr(0, bytes), plan, "x.steps")) << bytes;
}

/// The text with its checksum made right again.
std::string sealed(std::string text) {
    text.resize(text.rfind("checksum "));
    return text + fmt::format("checksum {:016x}\n", fnv1a(text));
}

TEST(KeptSteps, StepsThatCannotBeAreRefusedWithTheirLine) {
    const Program& program = *find_program("scan/three-launches");
    const Plan plan = default_launch(program, compile::View::compiled).plan;
    const std::string good(*embedded_file(kept_steps_path(program)));
    struct Change {
        std::string from, to;
    };
    for (const auto& [from, to] :
         {Change{"write a0+0", "write a0+4"}, Change{"write a0+0", "write a9+0"}, Change{"free a2 ", "free a7 "},
          Change{"4,1,1 4,1,1", "4,1,1 4,0,1"}, Change{"4,1,1 4,1,1", "4,1 4,1,1"}, Change{"0=a0+0", "0=a0+"},
          Change{"0=a0+0", "0=a8+0"}, Change{"end 0", "ends 0"}, Change{"\nend 0", ""}}) {
        std::string bad = good;
        const std::size_t at = bad.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        bad.replace(at, from.size(), to);
        const auto read = steps_from_text(sealed(bad), plan, "x.steps");
        ASSERT_FALSE(read) << from << " -> " << to;
        EXPECT_THAT(read.error().what, HasSubstr("damaged"));
    }
}

TEST(KeptSteps, OfAnotherLaunchAreRefused) {
    const Program& program = *find_program("scan/sums-on-the-host");
    const auto other = plan({.program = program.name, .n = 32});
    ASSERT_TRUE(other);
    const auto read = steps_from_text(*embedded_file(kept_steps_path(program)), *other, "x.steps");
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().what, HasSubstr("another source or launch"));
}

/// For a separate process, which has not searched for nvcc yet.
void expect_what_runs_without_nvcc() {
    setenv("LANESCOPE_NVCC", "none", 1);
    for (const Program* program : host_programs()) {
        for (const trace::View view : {trace::View::written, trace::View::compiled}) {
            Request request{.program = program->name};
            request.view = view;
            const auto run = run_of(request);
            ASSERT_NE(run, nullptr) << program->name;
            EXPECT_EQ(run->verdict.ok, program->recipe.expected.fault.empty()) << program->name;
            EXPECT_THAT(run->notes, testing::Contains(testing::StartsWith("Host code did not run on this machine:")));
        }
    }
    const std::string name = "scan/sums-on-the-host";
    const auto expect_refusal = [](const Request& request, const std::string& field) {
        const Refusal refusal = refusal_of(request);
        EXPECT_EQ(refusal.field, field) << refusal.problem.message();
        EXPECT_THAT(refusal.problem.what, HasSubstr("only at its default launch"));
        EXPECT_THAT(refusal.problem.remedy, HasSubstr("LANESCOPE_NVCC"));
    };
    expect_refusal({.program = name, .n = 32}, "n");
    expect_refusal({.program = name, .block = 8}, "block");
    expect_refusal({.program = name, .input = "ones"}, "input");
    expect_refusal({.program = name, .kernel = "scan<float>"}, "kernel");
    expect_refusal({.program = name, .arguments = {{"out", "ones"}}}, "argument");
    expect_refusal({.program = name, .arch = 80}, "arch");
}

TEST(KeptStepsDeathTest, RunWhereThereIsNoNvccAndNoOtherLaunchDoes) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto child = [] {
        expect_what_runs_without_nvcc();
        std::exit(testing::Test::HasFailure() ? 1 : 0);
    };
    EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace lanescope::session
