#include "cli/options.h"

#include "base/command_line.h"
#include "session/launch_values.h"

#include "cli/gpu_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

template <class T>
T parsed(const std::vector<std::string>& arguments) {
    const auto options = parse(arguments);
    EXPECT_TRUE(options) << options.error().problem.message();
    if (!options || !std::holds_alternative<T>(*options)) {
        ADD_FAILURE() << "another command was parsed";
        return {};
    }
    return std::get<T>(*options);
}

std::string refused(const std::vector<std::string>& arguments) {
    const auto options = parse(arguments);
    if (options) return "";
    return options.error().command + ": " + options.error().problem.message();
}

TEST(Options, WithoutArgumentsTheWindowOpens) {
    const auto window = parsed<session::WindowOptions>({});
    EXPECT_EQ(window.launch, session::LaunchValues{});
    EXPECT_TRUE(window.remember);
}

TEST(Options, AFileOrAKernelOpensInTheWindowWithItsLaunch) {
    const auto window =
        parsed<session::WindowOptions>({"my.cu", "--block", "64", "--view", "compiled", "--theme", "light"});
    EXPECT_EQ(window.launch[session::LaunchField::program], "my.cu");
    EXPECT_EQ(session::request_of(window.launch).block, 64U);
    EXPECT_EQ(session::request_of(window.launch).view, trace::View::compiled);
    EXPECT_EQ(window.light, true);
}

TEST(Options, AScreenshotOfTheWindowHasASizeAndAPlace) {
    const auto window = parsed<session::WindowOptions>(
        {"--screenshot", "w.png", "--size", "1920x1080", "--pass", "2", "--select", "3,4", "--fresh"});
    EXPECT_EQ(window.screenshot, "w.png");
    EXPECT_EQ(window.width, 1920);
    EXPECT_EQ(window.height, 1080);
    EXPECT_EQ(window.pass, 2U);
    EXPECT_EQ(window.select, std::pair(3U, 4U));
    EXPECT_FALSE(window.remember);
}

TEST(Options, TwoValuesOfAFlagAreOneForEachComparedLaunch) {
    const auto banks = parsed<CompareOptions>({"compare", "k.cu", "--banks", "16,32", "--block", "128"});
    ASSERT_EQ(banks.launches.size(), 2U);
    EXPECT_EQ(banks.launches[0].program, "k.cu");
    EXPECT_EQ(banks.launches[1].program, "k.cu");
    EXPECT_EQ(banks.launches[0].banks, 16U);
    EXPECT_EQ(banks.launches[1].banks, 32U);
    EXPECT_EQ(banks.launches[0].block, 128U);
    EXPECT_EQ(banks.launches[1].block, 128U);
    const auto views = parsed<CompareOptions>({"compare", "k.cu", "--view", "written,compiled", "-o", "x.svg"});
    EXPECT_EQ(views.launches[0].view, trace::View::written);
    EXPECT_EQ(views.launches[1].view, trace::View::compiled);
    EXPECT_EQ(views.files, std::vector<std::filesystem::path>{"x.svg"});
}

TEST(Options, AComparedLaunchMayHaveFlagsOfItsOwn) {
    const auto own = parsed<CompareOptions>(
        {"compare", "k.cu --kernel a --block 64", "k.cu --kernel 'scan<float, 4>'", "--block", "32", "--n", "2^10"});
    EXPECT_EQ(own.launches[0].program, "k.cu");
    EXPECT_EQ(own.launches[0].kernel, "a");
    EXPECT_EQ(own.launches[0].block, 64U) << "its own flag wins";
    EXPECT_EQ(own.launches[1].kernel, "scan<float, 4>");
    EXPECT_EQ(own.launches[1].block, 32U);
    EXPECT_EQ(own.launches[1].n, 1024U);
    EXPECT_THAT(refused({"compare", "k.cu --block 0", "k.cu"}), HasSubstr("--block cannot be \"0\""));
    EXPECT_THAT(refused({"compare", "k.cu --blocks 8", "k.cu"}), HasSubstr("there is no flag --blocks"));
    EXPECT_THAT(refused({"compare", "k.cu"}), HasSubstr("both launches are the same"));
    EXPECT_THAT(refused({"compare", "k.cu", "--block", "1,2,3,4,5"}), HasSubstr("--block cannot be \"1,2,3,4,5\""));
}

TEST(Options, UpToFourLaunchesAreCompared) {
    const auto blocks = parsed<CompareOptions>({"compare", "k.cu", "--block", "32,64,128", "--n", "2^10"});
    ASSERT_EQ(blocks.launches.size(), 3U);
    for (std::size_t at = 0; at < 3; ++at) {
        EXPECT_EQ(blocks.launches[at].program, "k.cu");
        EXPECT_EQ(blocks.launches[at].block, 32U << at);
        EXPECT_EQ(blocks.launches[at].n, 1024U);
    }
    const auto kernels = parsed<CompareOptions>({"compare", "a.cu", "b.cu", "c.cu --block 8", "d.cu"});
    ASSERT_EQ(kernels.launches.size(), 4U);
    EXPECT_EQ(kernels.launches[2].program, "c.cu");
    EXPECT_EQ(kernels.launches[2].block, 8U);
    EXPECT_THAT(refused({"compare", "a.cu", "b.cu", "c.cu", "--block", "32,64"}),
                HasSubstr("--block has 2 values for 3 launches"));
    EXPECT_THAT(refused({"compare", "k.cu", "--block", "32,64,128", "--n", "8,16"}),
                HasSubstr("--n has 2 values for 3 launches"));
    EXPECT_THAT(refused({"compare", "a.cu", "b.cu", "a.cu"}), HasSubstr("two of the launches are the same"));
    EXPECT_THAT(refused({"compare", "k.cu", "--block", "32,"}), HasSubstr("--block cannot be"));
}

TEST(Options, ATraceTakesEveryFlagOfALaunch) {
    const auto trace = parsed<TraceOptions>(
        {"trace",  "k.cu",     "--kernel", "scan",    "--block", "16x16", "--grid",     "4",     "--n",
         "2^10",   "--shared", "512",      "--input", "1 2 3",   "--arg", "in=iota",    "--arg", "len=n",
         "--view", "compiled", "--arch",   "sm_90",   "--json",  "--out", "x.lanescope"});
    EXPECT_EQ(trace.request.program, "k.cu");
    EXPECT_EQ(trace.request.kernel, "scan");
    EXPECT_EQ(trace.request.block_extent, (trace::Dim3{16, 16, 1}));
    EXPECT_EQ(trace.request.grid, 4U);
    EXPECT_EQ(trace.request.n, 1024U);
    EXPECT_EQ(trace.request.shared_bytes, 512U);
    EXPECT_EQ(trace.request.input, "1 2 3");
    EXPECT_EQ(trace.request.arguments.at("in"), "iota");
    EXPECT_EQ(trace.request.arguments.at("len"), "n");
    EXPECT_EQ(trace.request.view, trace::View::compiled);
    EXPECT_EQ(trace.request.arch, 90U);
    EXPECT_TRUE(trace.json);
    EXPECT_EQ(trace.out, "x.lanescope");
}

TEST(Options, NegativeValuesOfAnInputAreNotTakenForFlags) {
    EXPECT_EQ(parsed<TraceOptions>({"trace", "k", "--input", "-1 2 -3"}).request.input, "-1 2 -3");
    EXPECT_EQ(parsed<TraceOptions>({"trace", "k", "--input=-1 2 -3"}).request.input, "-1 2 -3");
}

TEST(Options, ARenderingNamesItsFilesAndItsMoment) {
    const auto render = parsed<RenderOptions>({"render", "run.lanescope", "--panel", "passes", "--pass", "2", "-o",
                                               "a.svg", "-o", "b.png", "--theme", "light", "--scale", "3"});
    EXPECT_EQ(render.pass, 2U);
    EXPECT_THAT(render.files, testing::ElementsAre("a.svg", "b.png"));
    EXPECT_EQ(render.theme, scene::Theme::light);
    EXPECT_EQ(render.scale, 3.0F);
}

TEST(Options, AnAnimationNeedsNoPictureBesideIt) {
    const auto render = parsed<RenderOptions>({"render", "k", "--animate", "a.gif", "--per", "step"});
    EXPECT_EQ(render.animation, "a.gif");
    EXPECT_EQ(render.frame_unit, FrameUnit::step);
    EXPECT_TRUE(render.files.empty());
    EXPECT_THAT(refused({"render", "k", "--animate", "a.png"}), HasSubstr(".gif or .mp4"));
    EXPECT_THAT(refused({"render", "k", "--animate", ""}), HasSubstr("--animate needs the name of a file"));
    EXPECT_THAT(refused({"render", "k", "--animate", "a.gif", "--pass", "2"}), HasSubstr("--pass has no effect"));
    EXPECT_THAT(refused({"render", "k", "--animate", "a.gif", "--step", "2"}), HasSubstr("--step has no effect"));
    EXPECT_EQ(parsed<RenderOptions>({"render", "k", "--animate", "a.gif", "--pass", "2", "-o", "a.svg"}).pass, 2U)
        << "the picture's";
    EXPECT_THAT(refused({"sass", "k", "--schedule", "shuffled 1"}), HasSubstr("--schedule has no effect"));
    EXPECT_THAT(refused({"sass", "k", "--order", "descending"}), HasSubstr("--order has no effect"));
    EXPECT_THAT(refused({"render", "k", "-o", "a.svg", "--frame-seconds", "2"}),
                HasSubstr("--frame-seconds has no effect without --animate"));
}

TEST(Options, AValueThatCannotBeIsRefusedWithItsFlagAndWhatIsAllowed) {
    EXPECT_THAT(refused({"trace", "k", "--block", "abc"}),
                AllOf(HasSubstr("lanescope trace: "), HasSubstr("--block cannot be \"abc\""), HasSubstr("16x16")));
    EXPECT_THAT(refused({"trace", "k", "--block", "0"}), HasSubstr("whole numbers from 1"));
    EXPECT_THAT(refused({"trace", "k", "--n", "-5"}), HasSubstr("from 1 to 2²⁴"));
    EXPECT_THAT(refused({"trace", "k", "--n", "99999999999999999999"}),
                HasSubstr("--n cannot be \"99999999999999999999\""));
    EXPECT_THAT(refused({"trace", "k", "--view", "source"}), AllOf(HasSubstr("written"), HasSubstr("compiled")));
    EXPECT_THAT(refused({"trace", "k", "--arch", "60"}), HasSubstr("75, 80, 86, 87, 88, 89, 90, 100,"));
    EXPECT_THAT(refused({"trace", "k", "--shared", "999999"}), HasSubstr("232,448"));
    EXPECT_THAT(refused({"trace", "k", "--arg", "in"}), HasSubstr("--arg \"out=zeros(grid)\""));
    EXPECT_THAT(refused({"render", "k", "-o", "x.png", "--scale", "nan"}), HasSubstr("from 0.5 to 8"));
    EXPECT_THAT(refused({"render", "k", "-o", "x.png", "--panel", "tiles"}), HasSubstr("`passes`"));
    EXPECT_THAT(refused({"trace", "k", "--banks", "17"}), HasSubstr("Expected 32, or 16"));
    EXPECT_THAT(refused({"--size", "big"}), HasSubstr("--size cannot be \"big\""));
}

TEST(Options, AMisspeltFlagFindsTheOneMeant) {
    EXPECT_EQ(refused({"trace", "k", "--blok", "2"}),
              "lanescope trace: there is no flag --blok. Did you mean \"--block\"?");
    EXPECT_THAT(refused({"check", "--frobnicate"}), HasSubstr("lanescope check --help"));
}

TEST(Options, WhatIsMissingIsNamed) {
    EXPECT_THAT(refused({"trace"}), HasSubstr("no kernel, .cu or .ptx file, or saved trace is specified"));
    EXPECT_THAT(refused({"render", "k"}), HasSubstr("-o passes.svg"));
    EXPECT_THAT(refused({"trace", "k", "--n"}), HasSubstr("--n needs a value"));
}

TEST(Options, OneArgumentTooManyIsSaidToBeOne) {
    EXPECT_THAT(refused({"trace", "a.cu", "b.cu"}), HasSubstr("unexpected argument \"b.cu\""));
}

TEST(Options, AWordThatIsNoCommandIsSaidToBeNone) {
    EXPECT_THAT(refused({"run", "a.cu"}), HasSubstr("there is no command \"run\""));
    EXPECT_THAT(refused({"trce", "a.cu"}), HasSubstr("Did you mean \"trace\"?"));
    EXPECT_THAT(refused({"reduce/sequential", "a.cu"}), HasSubstr("unexpected argument \"a.cu\""));
}

TEST(Options, PassAndStepExcludeEachOther) {
    EXPECT_THAT(refused({"render", "k", "-o", "x.svg", "--pass", "1", "--step", "2"}), HasSubstr("exclude each other"));
}

TEST(Options, TimingTakesTheLaunchAndRepeatsItsCommand) {
    const auto time = parsed<TimeOptions>({"time", "a.cu", "--arch", "80", "--shared", "512", "--arg",
                                           "out=zeros(2 * n)", "--std", "c++20", "--out", "some/where/a.json"});
    EXPECT_EQ(time.launch.arch, 80U);
    EXPECT_EQ(time.launch.shared_bytes, 512U);
    EXPECT_EQ(time.launch.arguments.at("out"), "zeros(2 * n)");
    EXPECT_THAT(time.launch.compiler_options, testing::ElementsAre("-std=c++20"));
    // A recording is resumed by its command: the words come back as they were, those with spaces, too.
    auto words = command_words(time.command).value();
    words.erase(words.begin());
    const auto again = parsed<TimeOptions>(words);
    EXPECT_EQ(again.launch.arguments, time.launch.arguments);
    // A worker's arguments are read as they were typed.
    std::vector<std::string> worker{"time", "--worker", "a.cu"};
    for (const std::string& flag : session::launch_flags(time.launch)) worker.push_back(flag);
    const auto passed = parsed<TimeOptions>(worker);
    EXPECT_EQ(passed.launch.arch, 80U);
    EXPECT_EQ(passed.launch.shared_bytes, 512U);
    EXPECT_EQ(passed.launch.arguments, time.launch.arguments);
    EXPECT_EQ(passed.launch.compiler_options, time.launch.compiler_options);
}

TEST(Options, CommandsThatRunMainOnAGpuGiveItItsWordsAndItsStandardInput) {
    const auto launch_of = [](const std::vector<std::string>& words) -> session::Request {
        if (words.front() == "timeline") return parsed<TimelineOptions>(words).launch;
        if (words.front() == "verify") return parsed<VerifyOptions>(words).sizes.launch;
        return parsed<CountersOptions>(words).sizes.launch;
    };
    for (const std::string command : {"timeline", "verify", "counters"}) {
        const session::Request launch = launch_of({command, "a.cu", "--stdin-text", "1 2\n3", "--working-folder", "/",
                                                   "--time-limit", "9", "--", "--n", "two words"});
        EXPECT_THAT(launch.command_line, testing::ElementsAre("--n", "two words")) << command;
        EXPECT_EQ(launch.standard_input, "1 2\n3") << command;
        EXPECT_FALSE(launch.n) << command;
        // A worker's arguments are read as they were typed.
        std::vector<std::string> worker{command, "--worker", "a.cu"};
        for (const std::string& flag : session::launch_flags(launch)) worker.push_back(flag);
        for (const std::string& word : session::words_for_main(launch)) worker.push_back(word);
        EXPECT_THAT(launch_of(worker).command_line, testing::ElementsAre("--n", "two words")) << command;
        EXPECT_EQ(launch_of(worker).standard_input, launch.standard_input) << command;
        EXPECT_EQ(launch_of(worker).working_folder, "/") << command;
        EXPECT_EQ(launch_of(worker).time_limit, 9U) << command;
    }
    EXPECT_THAT(refused({"trace", "a.cu", "--stdin-text", "1", "--stdin", "/dev/null"}), HasSubstr("exclude"));
}

TEST(Options, VerifyingTakesSizesAndAFolder) {
    const auto verify = parsed<VerifyOptions>(
        {"verify", "scan/padded", "--view", "compiled", "--n", "2^10", "--save", "some/where/recorded"});
    EXPECT_EQ(verify.programs, std::vector<std::string>{"scan/padded"});
    EXPECT_EQ(verify.sizes.view, trace::View::compiled);
    EXPECT_EQ(verify.sizes.launch.n, 1024U);
    EXPECT_EQ(verify.command, "lanescope verify scan/padded --view compiled --n 2^10 --save recorded")
        << "no machine's paths";
    EXPECT_EQ(trials_of(verify).size(), 1U);
    EXPECT_EQ(trials_of(parsed<VerifyOptions>({"verify", "scan/padded"})).size(), 2U) << "both views";
    EXPECT_THAT(refused({"verify", "--all", "scan/padded"}), HasSubstr("exclude each other"));
}

TEST(Options, AWholeLaunchIsPassedToAnotherProcessAsItWasRequested) {
    const auto asked = parsed<VerifyOptions>(
        {"verify",   "own.cu", "--kernel", "scan<float>", "--n",   "100",     "--block", "16x4",  "--grid", "3",
         "--shared", "512",    "--input",  "1 2 3",       "--arg", "in=iota", "--arg",   "k=0.5", "--view", "written"});
    std::vector<std::string> flags{"verify", "own.cu"};
    add_flags(asked.sizes, flags);
    const auto options = parsed<VerifyOptions>(flags);
    const session::Request& launch = options.sizes.launch;
    EXPECT_EQ(launch.kernel, "scan<float>");
    EXPECT_EQ(launch.n, 100U);
    EXPECT_EQ(launch.block_extent, (trace::Dim3{16, 4, 1}));
    EXPECT_EQ(launch.grid, 3U);
    EXPECT_EQ(launch.shared_bytes, 512U);
    EXPECT_EQ(launch.input, "1 2 3");
    EXPECT_EQ(launch.arguments, asked.sizes.launch.arguments);
    EXPECT_EQ(launch.arguments.size(), 2U);
    EXPECT_EQ(options.sizes.view, trace::View::written);
}

TEST(Options, CountersAreOfOneBuildOrOfAll) {
    EXPECT_FALSE(parsed<CountersOptions>({"counters"}).jit);
    EXPECT_EQ(parsed<CountersOptions>({"counters", "--jit", "O0"}).jit, false);
    EXPECT_EQ(parsed<CountersOptions>({"counters", "reduce/sequential", "--import", "t.csv"}).import, "t.csv");
    EXPECT_THAT(refused({"counters", "--jit", "O2"}), HasSubstr("Expected `O0` or `O3`"));
}

TEST(Options, EveryCommandHasHelpWithExamplesAndExitStatus) {
    for (const std::string& command : command_names()) {
        const std::string help = parsed<TextOptions>({command, "--help"}).text;
        EXPECT_THAT(help, HasSubstr("USAGE\n  lanescope " + command));
        EXPECT_THAT(help, HasSubstr("EXIT STATUS"));
    }
    const std::string help = parsed<TextOptions>({"--help"}).text;
    for (const std::string& command : command_names()) EXPECT_THAT(help, HasSubstr("\n  " + command + " "));
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 84U) << line;
}

TEST(Options, NoArgumentsWhateverBreakTheParser) {
    const std::vector<std::string> words{"trace", "render", "--n",   "",     "-",     "--", "=",
                                         "--n=",  "-o",     "--arg", "\xFF", "check", "x",  "-h"};
    for (const std::string& a : words) {
        for (const std::string& b : words) {
            for (const std::string& c : words) (void)parse({a, b, c});
        }
    }
}

}  // namespace
}  // namespace lanescope::cli
