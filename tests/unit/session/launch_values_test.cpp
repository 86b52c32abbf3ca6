// A launch as it is typed: sizes, fields, requests and flags.
#include "session/launch_values.h"

#include "compile/compiler_options.h"
#include "model/device_limits.h"
#include "session/catalog.h"
#include "session/launch_size.h"

#include <gmock/gmock.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

LaunchValues with(LaunchField field, std::string text) {
    LaunchValues values;
    values[field] = std::move(text);
    return values;
}

std::string remedy(LaunchField field, std::string_view text) {
    const auto problem = problem_of(field, text);
    return problem ? problem->remedy : std::string();
}

TEST(CommandLine, IsAFieldOfTheLaunch) {
    EXPECT_TRUE(problem_of(LaunchField::command_line, "\"no end"));
    LaunchValues values = with(LaunchField::command_line, "10 \"two words\"");
    values[LaunchField::standard_input] = "1 2\n";
    const Request request = request_of(values);
    EXPECT_EQ(request.command_line, (std::vector<std::string>{"10", "two words"}));
    EXPECT_EQ(request.standard_input, "1 2\n");
    EXPECT_EQ(values_of(request), values);
}

TEST(HostCode, HasAFolderAndALimitOfTime) {
    LaunchValues values = with(LaunchField::working_folder, "/home/me/data");
    values[LaunchField::time_limit] = "3600";
    const Request request = request_of(values);
    EXPECT_EQ(working_folder_of(request, "/home/me/code/main.cu"), "/home/me/data");
    EXPECT_EQ(request.time_limit, 3600U);
    EXPECT_EQ(values_of(request), values);
    EXPECT_THAT(launch_flags(request),
                testing::ElementsAre("--working-folder", "/home/me/data", "--time-limit", "3600"));
    EXPECT_EQ(working_folder_of({}, "/home/me/code/main.cu"), "/home/me/code");
    EXPECT_EQ(working_folder_of({.working_folder = ".."}, "/home/me/code/main.cu"), "/home/me/");
    EXPECT_EQ(remedy(LaunchField::time_limit, "0"), "Expected a whole number from 1 to 604,800, such as 1024 or 2^10.");
}

TEST(CompilerOptions, AreAFieldOfTheLaunch) {
    const LaunchValues values = with(LaunchField::compiler, "-I ../common \"-Ia folder\" -D N=4 -DFAST -std=c++20");
    const Request request = request_of(values);
    const auto [options, passed_over] = compile::read_compiler_options(request.compiler_options, "/home/me/code");
    EXPECT_EQ(passed_over, std::vector<std::string>());
    EXPECT_EQ(options.include, (std::vector<std::filesystem::path>{"/home/me/common", "/home/me/code/a folder"}));
    EXPECT_EQ(options.defines, (std::map<std::string, std::string>{{"N", "4"}, {"FAST", "1"}}));
    EXPECT_EQ(options.others, std::vector<std::string>{"-std=c++20"});
    EXPECT_EQ(request_of(values_of(request)).compiler_options, request.compiler_options);
}

TEST(CompilerOptions, ThatChooseAnOutputAreRefusedByName) {
    const auto problem = problem_of(LaunchField::compiler, "-DN=4 -o /tmp/program");
    ASSERT_TRUE(problem);
    EXPECT_THAT(problem->what, HasSubstr("-o"));
    EXPECT_THAT(problem->remedy, HasSubstr("-I FOLDER"));
    EXPECT_TRUE(problem_of(LaunchField::compiler, "-D =3"));
    EXPECT_TRUE(problem_of(LaunchField::compiler, "-I"));
}

TEST(LaunchSize, ExtentsHaveOneToThreeCounts) {
    EXPECT_EQ(parse_extent("256"), (trace::Dim3{256, 1, 1}));
    EXPECT_EQ(parse_extent("2^4x16"), (trace::Dim3{16, 16, 1}));
    EXPECT_EQ(parse_extent("2x3x4"), (trace::Dim3{2, 3, 4}));
    EXPECT_EQ(parse_extent("16, 16, 4"), (trace::Dim3{16, 16, 4}));
    EXPECT_EQ(parse_extent("1k,1"), (trace::Dim3{1024, 1, 1}));
    for (const char* text : {"", "x", "4x", "x4", "1x2x3x4", "0", "4x0", "4294967296", "16;16"}) {
        EXPECT_FALSE(parse_extent(text)) << text;
    }
}

TEST(LaunchSize, IsReadAlikeInALessonsRecipeOnTheCommandLineAndInTheWindow) {
    for (const char* text : {"256", "2^8", "16x16", "16, 16, 4", "1k"}) {
        const auto recipe = evaluate_extent(text, {});
        ASSERT_TRUE(recipe) << text;
        EXPECT_EQ(parse_extent(text), *recipe) << text;
        EXPECT_FALSE(problem_of(LaunchField::block, text)) << text;
    }
    EXPECT_EQ(evaluate("2^20", {}).value_or(0), parse_number("2^20"));
}

TEST(LaunchValues, BecomeARequest) {
    LaunchValues values = with(LaunchField::block, "16x16");
    values[LaunchField::program] = "k.cu";
    values[LaunchField::kernel] = "scan";
    values[LaunchField::type] = "float";
    values[LaunchField::grid] = "4";
    values[LaunchField::n] = "2^10";
    values[LaunchField::shared] = "0";
    values[LaunchField::view] = "compiled";
    values[LaunchField::banks] = "16";
    values[LaunchField::arch] = "sm_90";
    values[LaunchField::record] = "0";
    const Request request = request_of(values);
    EXPECT_EQ(request.program, "k.cu");
    EXPECT_EQ(request.kernel, "scan<float>");
    EXPECT_EQ(request.block_extent, (trace::Dim3{16, 16, 1}));
    EXPECT_FALSE(request.block);
    EXPECT_EQ(request.grid, 4U);
    EXPECT_FALSE(request.grid_extent);
    EXPECT_EQ(request.n, 1024U);
    EXPECT_EQ(request.shared_bytes, 0U);
    EXPECT_EQ(request.view, trace::View::compiled);
    EXPECT_EQ(request.banks, 16U);
    EXPECT_EQ(request.arch, 90U);
    EXPECT_EQ(request.record_blocks, 0U);
}

TEST(LaunchValues, OfARequestDescribeIt) {
    const Request request{.program = "k.cu",
                          .kernel = "scan<float>",
                          .n = 100,
                          .block_extent = trace::Dim3{16, 4, 1},
                          .shared_bytes = 512,
                          .input = "1 2",
                          .view = trace::View::compiled,
                          .banks = 16};
    const Request again = request_of(values_of(request));
    EXPECT_EQ(again.kernel, request.kernel);
    EXPECT_EQ(again.n, request.n);
    EXPECT_EQ(again.block_extent, request.block_extent);
    EXPECT_EQ(again.shared_bytes, request.shared_bytes);
    EXPECT_EQ(again.view, request.view);
    EXPECT_EQ(again.banks, request.banks);
    EXPECT_EQ(values_of(Request{}), LaunchValues{});
    EXPECT_THAT(launch_flags(request), testing::ElementsAre("--kernel", "scan<float>", "--n", "100", "--block", "16x4",
                                                            "--shared", "512", "--input", "1 2"));
}

TEST(LaunchValues, PassOnWhatMainGetsAndReads) {
    const Request request{.program = "k.cu", .command_line = {"--size", "two words"}, .standard_input = "1 2\n3"};
    EXPECT_THAT(launch_flags(request), testing::ElementsAre("--stdin-text", "1 2\n3"));
    EXPECT_THAT(words_for_main(request), testing::ElementsAre("--", "--size", "two words"));
    EXPECT_THAT(words_for_main(Request{}), testing::IsEmpty());
}

TEST(LaunchValues, ThatCannotBeAreRefusedWithWhatIsAllowed) {
    EXPECT_THAT(remedy(LaunchField::block, "abc"), HasSubstr("16x16"));
    EXPECT_THAT(remedy(LaunchField::n, "0"), HasSubstr("from 1 to 2²⁴"));
    EXPECT_THAT(remedy(LaunchField::view, "source"), HasSubstr("`compiled`"));
    EXPECT_THAT(remedy(LaunchField::banks, "17"), HasSubstr("32, or 16"));
    EXPECT_THAT(remedy(LaunchField::arch, "native"), HasSubstr("75, 80"));
    EXPECT_THAT(problem_of(LaunchField::n, "lots")->what, HasSubstr("\"lots\""));
    EXPECT_FALSE(problem_of(LaunchField::input, "anything"));
}

TEST(LaunchValues, FollowTheDevicesLimits) {
    model::DeviceLimits limits = model::limits_of(90);
    limits.shared_bytes_per_block = 100;
    const model::EmulateDevice device(limits);
    EXPECT_THAT(remedy(LaunchField::shared, "101"), HasSubstr("from 0 to 100"));
}

TEST(LaunchValues, AnArgumentIsANameAndAPlan) {
    const auto argument = read_argument("in=input(n) as random 3");
    ASSERT_TRUE(argument);
    EXPECT_EQ(argument->first, "in");
    EXPECT_EQ(argument->second, "input(n) as random 3");
    EXPECT_FALSE(read_argument("=3"));
    EXPECT_FALSE(read_argument("in="));
}

}  // namespace
}  // namespace lanescope::session
