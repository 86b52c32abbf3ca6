#include "ui/workspace.h"
#include "analysis/panels/element_history.h"
#include "analysis/panels/notable_steps.h"
#include "session/launch_size.h"
#include "session/run.h"
#include "ui/launch_form.h"
#include "ui/navigation.h"
#include "ui/sentences.h"
#include "ui/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace lanescope::ui {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<const session::Run> run(const session::Request& request) {
    Progress progress;
    auto answer = session::run(request, progress);
    if (!answer) throw std::runtime_error(answer.error().problem.message());
    return *answer;
}
std::shared_ptr<const session::Run> run(const std::string& program, std::uint32_t block, std::uint64_t n) {
    session::Request request;
    request.program = program;
    request.block = block;
    request.n = n;
    return run(request);
}

TEST(Launches, ThatAreNotRecordedHaveAReasonAndTheSourceInTheirPlace) {
    Workspace workspace{Settings{}};
    workspace.answer(run("reduce/sequential", 8, 8));
    ASSERT_NE(workspace.shown(), nullptr);
    session::Request request;
    request.program = "reduce/interleaved-modulo";
    request.record_blocks = 0;
    workspace.answer(run(request));
    EXPECT_EQ(workspace.shown(), nullptr) << "nothing of the previous kernel";
    ASSERT_TRUE(workspace.refusal());
    EXPECT_THAT(workspace.refusal()->what, HasSubstr("has run, but no block is recorded step by step"));
    EXPECT_THAT(why_empty(workspace, "The tree"), HasSubstr("has run, but no block is recorded step by step"));
    EXPECT_THAT(workspace.unrun_source(), HasSubstr("__global__"));
}

TEST(Launches, AreOneTimelineForwardAndBack) {
    Workspace workspace{Settings{}};
    workspace.answer(run("reduce/until-one-is-left", 8, 64));
    ASSERT_NE(workspace.shown(), nullptr);
    ASSERT_GT(workspace.shown()->trace().launches.size(), 1U);
    workspace.finish();
    const std::size_t end = workspace.position();
    workspace.forward(Unit::instruction);
    EXPECT_EQ(workspace.shown()->launch, 1U);
    EXPECT_EQ(workspace.position(), 0U);
    workspace.back(Unit::instruction);
    EXPECT_EQ(workspace.shown()->launch, 0U);
    EXPECT_EQ(workspace.position(), end) << "where it was";
}

TEST(Launches, PlayToTheEndOfTheLastAndThenFromTheFirst) {
    Workspace workspace{Settings{}};
    workspace.answer(run("reduce/until-one-is-left", 8, 64));
    const std::size_t launches = workspace.shown()->trace().launches.size();
    workspace.settings.speed = fastest;
    workspace.play(true);
    for (int second = 0; second < 1000 && workspace.playing(); ++second) workspace.advance(1);
    EXPECT_EQ(workspace.shown()->launch, launches - 1);
    EXPECT_EQ(workspace.position(), workspace.at().end());
    workspace.play(true);
    EXPECT_EQ(workspace.shown()->launch, 0U);
    EXPECT_EQ(workspace.position(), 0U);
}

TEST(ParseCount, TakesNumbersPowersAndSuffixes) {
    EXPECT_EQ(session::parse_count("16"), 16U);
    EXPECT_EQ(session::parse_count("2^20"), 1048576U);
    EXPECT_EQ(session::parse_count("4k"), 4096U);
    EXPECT_EQ(session::parse_count("1M"), 1048576U);
}

TEST(ParseCount, RefusesEverythingElse) {
    for (const char* text : {"", "0", "-1", "+5", "1.5", "1e3", "2^", "^2", "2^41", "3^40", "16x", " 16", "0x10",
                             "99999999999999999999", "18446744073709551615M"}) {
        EXPECT_FALSE(session::parse_count(text).has_value()) << text;
    }
}

TEST(LaunchForm, AsksOnlyWhenAFieldChanges) {
    LaunchForm form;
    EXPECT_TRUE(form.set(Field::block, "32"));
    EXPECT_FALSE(form.set(Field::block, " 32 "));
    EXPECT_EQ(form.request().block, 32U);
}

TEST(LaunchForm, KeepsRefusedTextAndTheRequestBefore) {
    LaunchForm form;
    ASSERT_TRUE(form.set(Field::n, "64"));
    EXPECT_FALSE(form.set(Field::n, "lots"));
    EXPECT_TRUE(form.problem(Field::n).has_value());
    EXPECT_EQ(form.shown(Field::n), "lots");
    EXPECT_EQ(form.request().n, 64U);
    EXPECT_FALSE(form.set(Field::n, "64"));
    EXPECT_FALSE(form.problem(Field::n).has_value()) << "the refused text was withdrawn";
}

TEST(LaunchForm, KeepsTheMultiprocessorsButNotAnOrderThatNamesBlocks) {
    LaunchForm form;
    ASSERT_TRUE(form.set_program("scan/look-back"));
    ASSERT_TRUE(form.set(Field::multiprocessors, "G80"));
    ASSERT_TRUE(form.set(Field::order, "stall 1"));
    EXPECT_FALSE(form.set(Field::order, "stall")) << "no block is named";
    EXPECT_TRUE(form.problem(Field::order).has_value());
    EXPECT_EQ(form.request().placement.order, "stall 1");
    ASSERT_TRUE(form.set_program("reduce/sequential"));
    EXPECT_EQ(form.request().placement.multiprocessors, "G80");
    EXPECT_EQ(form.request().placement.order, "");
}

TEST(LaunchForm, PutsARefusalAtItsField) {
    LaunchForm form;
    ASSERT_TRUE(form.set(Field::block, "48"));
    EXPECT_FALSE(form.refused({{"48 is no power of two", {}, ""}, "block", {}}));
    EXPECT_EQ(form.problem(Field::block)->what, "48 is no power of two");
    EXPECT_FALSE(form.refused({{"strange", {}, ""}, "no such field", {}}));
    EXPECT_EQ(form.problem(Field::program)->what, "strange");
}

TEST(LaunchForm, GivesUpWhatTheNextKernelCannotTake) {
    LaunchForm form;
    ASSERT_TRUE(form.set_program("reduce/interleaved-modulo"));
    ASSERT_TRUE(form.set(Field::block, "48"));
    ASSERT_TRUE(form.set_program("reduce/sequential"));
    EXPECT_EQ(form.request().block, 48U) << "typed for one kernel, tried with the next";
    EXPECT_TRUE(form.refused({{"48 is no power of two", {}, ""}, "block", {}})) << "ask again";
    EXPECT_FALSE(form.request().block.has_value());
    EXPECT_FALSE(form.problem(Field::block).has_value());
}

TEST(LaunchForm, AFileOfTheUsersStartsFromItsOwnDefaults) {
    LaunchForm form;
    ASSERT_TRUE(form.set(Field::block, "32"));
    ASSERT_TRUE(form.set_program("/home/someone/mine.cu"));
    EXPECT_FALSE(form.request().block.has_value());
}

TEST(LaunchForm, UndoAndRedoWalkTheRequests) {
    LaunchForm form;
    EXPECT_FALSE(form.undo());
    ASSERT_TRUE(form.set(Field::n, "8"));
    ASSERT_TRUE(form.set(Field::block, "4"));
    ASSERT_TRUE(form.undo());
    EXPECT_FALSE(form.request().block.has_value());
    EXPECT_EQ(form.request().n, 8U);
    ASSERT_TRUE(form.redo());
    EXPECT_EQ(form.request().block, 4U);
    EXPECT_FALSE(form.redo());
}

class NavigationTest : public ::testing::Test {
  protected:
    static void SetUpTestSuite() { run_ = run("reduce/interleaved-modulo", 64, 64); }
    static void TearDownTestSuite() { run_.reset(); }
    NavigationTest()
        : map(run_->analysis->trace, run_->module()),
          passes(run_->analysis->block_passes(0, BlockId{0})),
          navigation(run_->analysis->view(0, BlockId{0}), map, WarpId{0}) {}

    static std::shared_ptr<const session::Run> run_;
    analysis::SourceMap map;
    const analysis::BlockPasses& passes;
    Navigation navigation;
};
std::shared_ptr<const session::Run> NavigationTest::run_;

TEST_F(NavigationTest, AStepIsTheFollowedWarpsNextInstruction) {
    ASSERT_TRUE(navigation.forward(Unit::instruction));
    while (navigation.position() < navigation.end()) {
        EXPECT_EQ(run_->trace().step(passes.steps[navigation.position()]).warp, WarpId{0});
        ASSERT_TRUE(navigation.forward(Unit::instruction));
    }
    EXPECT_FALSE(navigation.forward(Unit::instruction)) << "there is no instruction past the end";
}

TEST_F(NavigationTest, AnEventIsAnAccessABranchASynchronizationOrTheFirstStepOfAPass) {
    const analysis::BlockView block = run_->analysis->view(0, BlockId{0});
    std::size_t previous = 0;
    while (navigation.forward(Unit::event) && navigation.position() < navigation.end()) {
        const std::size_t here = navigation.position();
        const auto is_stop = [&](std::size_t index) {
            return block.step_at(index).warp == WarpId{0} &&
                   analysis::is_event(block.module, block.instruction_at(index), block.step_at(index));
        };
        std::size_t first = passes.passes[passes.pass_of(here).index()].first;
        while (block.step_at(first).warp != WarpId{0}) ++first;
        EXPECT_TRUE(is_stop(here) || here == first) << here;
        for (std::size_t index = previous + 1; index < here; ++index) EXPECT_FALSE(is_stop(index)) << index;
        previous = here;
    }
    EXPECT_EQ(navigation.position(), navigation.end());
}

TEST_F(NavigationTest, TheEventsOfAPassAreNumberedFromOne) {
    navigation.seek_pass(2);
    const auto first = navigation.ordinal(Unit::event);
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->number, 1U);
    for (std::size_t number = 2; number <= first->of; ++number) {
        ASSERT_TRUE(navigation.forward(Unit::event));
        EXPECT_EQ(navigation.ordinal(Unit::event), (Navigation::Ordinal{number, first->of}));
    }
    ASSERT_TRUE(navigation.forward(Unit::event));
    EXPECT_EQ(passes.pass_of(navigation.position()).index(), 3U);
    const auto instructions = navigation.ordinal(Unit::instruction);
    ASSERT_TRUE(instructions.has_value());
    EXPECT_LT(first->of * 2, instructions->of) << "far fewer events than instructions";
    navigation.seek(navigation.end());
    EXPECT_EQ(navigation.ordinal(Unit::event), std::nullopt);
}

TEST_F(NavigationTest, APassBeginsWhereItsFirstInstructionIsNext) {
    for (std::size_t pass = 1; pass < passes.passes.size(); ++pass) {
        ASSERT_TRUE(navigation.forward(Unit::pass));
        EXPECT_EQ(passes.pass_of(navigation.position()).index(), pass);
    }
    ASSERT_TRUE(navigation.forward(Unit::pass));
    EXPECT_EQ(navigation.position(), navigation.end());
}

TEST_F(NavigationTest, ForwardThenBackIsWhereOneWasEvenBetweenStops) {
    for (const Unit unit : {Unit::instruction, Unit::event, Unit::line, Unit::pass}) {
        for (std::size_t from = 0; from < navigation.end(); ++from) {
            navigation.seek(from);
            ASSERT_TRUE(navigation.forward(unit));
            ASSERT_TRUE(navigation.back(unit));
            ASSERT_EQ(navigation.position(), from);
        }
    }
}

TEST_F(NavigationTest, BackThenForwardIsWhereOneWas) {
    for (const Unit unit : {Unit::instruction, Unit::event, Unit::line, Unit::pass}) {
        navigation.seek(navigation.end() / 2 + 1);
        const std::size_t from = navigation.position();
        ASSERT_TRUE(navigation.back(unit));
        ASSERT_TRUE(navigation.back(unit));
        ASSERT_TRUE(navigation.forward(unit));
        ASSERT_TRUE(navigation.forward(unit));
        EXPECT_EQ(navigation.position(), from);
    }
}

TEST_F(NavigationTest, FollowingAnotherWarpDoesNotMove) {
    navigation.seek_pass(2);
    const std::size_t before = navigation.position();
    navigation.follow(WarpId{1});
    EXPECT_EQ(navigation.position(), before);
    ASSERT_TRUE(navigation.forward(Unit::instruction));
    EXPECT_EQ(run_->trace().step(passes.steps[navigation.position()]).warp, WarpId{1});
}

TEST_F(NavigationTest, APlaceOutlivesAnotherLaunch) {
    navigation.seek_pass(3);
    const Place place = navigation.place();
    const auto larger = run("reduce/interleaved-modulo", 256, 256);
    const analysis::SourceMap other_map(larger->analysis->trace, larger->module());
    const analysis::BlockPasses& other_passes = larger->analysis->block_passes(0, BlockId{0});
    Navigation other(larger->analysis->view(0, BlockId{0}), other_map, WarpId{0});
    other.seek(place);
    EXPECT_EQ(other.place().label, place.label);
    EXPECT_EQ(other.position(), other_passes.passes[other.place().pass].first);
    navigation.seek(navigation.end());
    other.seek(navigation.place());
    EXPECT_EQ(other.position(), other.end());
}

TEST_F(NavigationTest, ALineOfCudaAndItsPtxFindEachOther) {
    bool any = false;
    for (std::uint32_t line = 1; line <= map.cuda().size(); ++line) {
        for (const PtxLine ptx : map.ptx_lines(line)) {
            any = true;
            EXPECT_EQ(map.cuda_line(ptx), line);
        }
    }
    EXPECT_TRUE(any);
    EXPECT_EQ(map.cuda_line(PtxLine{}), 0U);
    EXPECT_TRUE(map.ptx_lines(1000000).empty());
}

TEST(ModelTest, TheLabelOfTheTransportSaysWhatIsCounted) {
    Workspace workspace{Settings{}};
    EXPECT_EQ(workspace.step_label(), "");
    workspace.answer(run("reduce/interleaved-modulo", 16, 16));
    EXPECT_THAT(workspace.step_label(), HasSubstr("event 1 of "));
    workspace.forward(Unit::event);
    EXPECT_THAT(workspace.step_label(), HasSubstr("event 2 of "));
    workspace.back(Unit::instruction);
    EXPECT_THAT(workspace.step_label(), HasSubstr("instruction ")) << "between two events";
    workspace.home();
    workspace.settings.source_view = SourceView::ptx;
    EXPECT_EQ(workspace.step_unit(), Unit::instruction);
    EXPECT_THAT(workspace.step_label(), HasSubstr("instruction 1 of "));
    workspace.finish();
    EXPECT_EQ(workspace.step_label(), "end");
}

TEST(ModelTest, APositionOfAnotherWarpSaysSo) {
    Workspace workspace{Settings{}};
    workspace.answer(run("reduce/interleaved-modulo", 64, 64));
    const Shown& shown = *workspace.shown();
    const auto of_warp_1 =
        std::ranges::find(shown.passes->steps, WarpId{1}, [&](StepId step) { return shown.trace().step(step).warp; });
    workspace.seek_exactly(static_cast<std::size_t>(of_warp_1 - shown.passes->steps.begin()));
    EXPECT_EQ(workspace.step_label(), "step of warp 1");
}

TEST(ModelTest, SpeaksOfTheStepAndOfThePass) {
    Workspace workspace{Settings{}};
    workspace.answer(run("reduce/interleaved-modulo", 16, 16));
    ASSERT_NE(workspace.shown(), nullptr);
    EXPECT_FALSE(workspace.narration().empty());
    const std::string of_the_step = workspace.narration();
    workspace.forward(Unit::pass);
    EXPECT_NE(workspace.narration(), of_the_step);
}

TEST(ModelTest, KeepsTheSelectionOverARunOfTheSameProgram) {
    Workspace workspace{Settings{}};
    workspace.answer(run("reduce/interleaved-modulo", 16, 16));
    workspace.select(1, 4);
    ASSERT_TRUE(workspace.selection().has_value());
    workspace.answer(run("reduce/interleaved-modulo", 32, 32));
    ASSERT_TRUE(workspace.selection().has_value());
    EXPECT_EQ(workspace.selection()->column, 4U);
    workspace.answer(run("reduce/sequential", 32, 32));
    EXPECT_FALSE(workspace.selection().has_value());
}

TEST(ModelTest, KeepsTheRunBeforeWhenTheNextIsRefused) {
    Workspace workspace{Settings{}};
    workspace.answer(run("reduce/interleaved-modulo", 16, 16));
    const Shown* before = workspace.shown();
    workspace.answer(std::unexpected(session::Refusal{{"no", {}, ""}, "n", {}}));
    EXPECT_EQ(workspace.shown(), before);
    EXPECT_TRUE(workspace.form().problem(Field::n).has_value());
}

TEST(ModelTest, GivesTheFileToReadUntilItHasRun) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "lanescope-endless.cu";
    const std::string text = "__global__ void k(volatile int* p) { while (*p == 0) {} }\n";
    std::ofstream(file) << text;
    Workspace workspace{Settings{}};
    LaunchValues values;
    values[Field::program] = file.string();
    workspace.begin(values);
    EXPECT_EQ(workspace.unrun_source(), text);
    workspace.cancel();
    EXPECT_EQ(workspace.unrun_source(), text) << "after Cancel its source stays, to be read";
    workspace.answer(run("reduce/interleaved-modulo", 16, 16));
    EXPECT_EQ(workspace.unrun_source(), "");
    workspace.begin(values);
    EXPECT_EQ(workspace.unrun_source(), "") << "the last run is shown";
    workspace.cancel();
    std::filesystem::remove(file);
}

TEST(ModelTest, PlaysAtItsSpeedWhateverTheFrames) {
    const auto played = [](int frames, double seconds) {
        Workspace workspace{Settings{}};
        workspace.answer(run("reduce/interleaved-modulo", 16, 16));
        workspace.play(true);
        for (int frame = 0; frame < frames; ++frame) workspace.advance(seconds / frames);
        return workspace.position();
    };
    EXPECT_EQ(played(200, 2.001), played(20, 2.001));
}

TEST(Sentences, ACellShowsItsValueAddressBankAndWriter) {
    Workspace workspace{Settings{}};
    workspace.answer(run("reduce/interleaved-modulo", 16, 16));
    std::string all;
    for (const auto& [name, value] : cell_facts(*workspace.shown(), 1, 2)) all += name + "=" + value + "\n";
    EXPECT_THAT(all, HasSubstr("sdata[2]="));
    EXPECT_THAT(all, HasSubstr("hex=0x"));
    EXPECT_THAT(all, testing::Not(HasSubstr("as float="))) << "an int's bits as a float are noise";
    EXPECT_THAT(all, HasSubstr("address=0x8 in shared memory"));
    EXPECT_THAT(all, HasSubstr("bank=2"));
    EXPECT_THAT(all, HasSubstr("written by=thread 2 (warp 0, lane 2)"));
}

TEST(Sentences, ACellThatSeveralThreadsWriteInOnePassNamesThem) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "lanescope-tally.cu";
    std::ofstream(file) << "__global__ void tally(const int* in, int* out) {\n"
                           "    __shared__ int c[16], m;\n"
                           "    if (threadIdx.x < 16) c[threadIdx.x] = 0;\n"
                           "    if (threadIdx.x == 0) m = 0;\n"
                           "    __syncthreads();\n"
                           "    atomicAdd(&c[threadIdx.x % 16], 2);\n"
                           "    atomicMax(&m, in[threadIdx.x]);\n"
                           "    __syncthreads();\n"
                           "    if (threadIdx.x < 16) out[threadIdx.x] = c[threadIdx.x] + m;\n"
                           "}\n";
    session::Request request;
    request.program = file.string();
    request.block = 64;
    request.n = 64;
    Workspace workspace{Settings{}};
    workspace.answer(run(request));
    std::filesystem::remove(file);
    ASSERT_NE(workspace.shown(), nullptr);
    const Shown& shown = *workspace.shown();
    const auto group_of = [&](std::string_view name) {
        return *std::ranges::find(shown.picture->groups, name, &analysis::ColumnGroup::name);
    };
    const auto row = std::ranges::find(shown.picture->rows, "pass 1", &analysis::PictureRow::label);
    ASSERT_NE(row, shown.picture->rows.end());
    EXPECT_THAT(
        cell_facts(shown, static_cast<std::uint32_t>(row - shown.picture->rows.begin()),
                   group_of("c").first_column + 1),
        testing::Contains(testing::Pair("written by", "threads 33, 49, 1, 17; last thread 17 (warp 0, lane 17)")));
    EXPECT_EQ(row->sublabel, "m: of 64 elements") << "c counts threads, whatever they have read";
    const analysis::ElementHistory history = analysis::history_of(
        shown.analysis(),
        {.name = "m", .space = trace::Space::shared, .address = group_of("m").address, .block = BlockId{0}});
    ASSERT_GT(history.accesses.size(), 64U);
    EXPECT_EQ(history.accesses[1].kind, analysis::ElementAccess::Kind::atomic);
    EXPECT_EQ(history.accesses[1].source_line, 7U) << "the line that calls atomicMax";
}

TEST(Sentences, ACellOfAnArrayOfVectorsIsCalledByItsComponent) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "lanescope-vectors.cu";
    std::ofstream(file) << "__global__ void scale(const float4* in, float4* out) {\n"
                           "    __shared__ float4 v[32];\n"
                           "    v[threadIdx.x] = in[threadIdx.x];\n"
                           "    __syncthreads();\n"
                           "    v[threadIdx.x].x += v[threadIdx.x ^ 1].y;\n"
                           "    __syncthreads();\n"
                           "    out[threadIdx.x] = v[threadIdx.x];\n"
                           "}\n";
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        session::Request request;
        request.program = file.string();
        request.view = view;
        request.block = 32;
        Workspace workspace{Settings{}};
        workspace.answer(run(request));
        EXPECT_THAT(cell_facts(*workspace.shown(), 1, 4 * 31).front().first, "v[31].x");
        EXPECT_THAT(cell_facts(*workspace.shown(), 0, 4 * 31 + 3).front().first, "v[31].w");
    }
    std::filesystem::remove(file);
}

TEST(Sentences, PassesThatWriteNoneOfTheCellsShownAreNamed) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "lanescope-tiles.cu";
    std::ofstream(file) << "__global__ void sums(const int* in, int* out, int n) {\n"
                           "    __shared__ int tile[32];\n"
                           "    int sum = 0;\n"
                           "    for (int first = 0; first < 96; first += 32) {\n"
                           "        tile[threadIdx.x] = in[first + threadIdx.x];\n"
                           "        __syncthreads();\n"
                           "        sum += tile[threadIdx.x ^ 1] * tile[threadIdx.x];\n"
                           "        __syncthreads();\n"
                           "    }\n"
                           "    out[threadIdx.x] = sum;\n"
                           "}\n";
    session::Request request;
    request.program = file.string();
    request.n = 96;
    request.block = 32;
    request.grid = 1;
    Workspace tiles{Settings{}};
    tiles.answer(run(request));
    EXPECT_EQ(passes_without_row(*tiles.shown()), "Passes 1 and 3 write none of these cells.");
    const auto& rows = tiles.shown()->picture->rows;
    ASSERT_GE(rows.size(), 3);
    ASSERT_TRUE(rows[0].between && rows[1].between && !rows[2].between);
    EXPECT_EQ(between_sentence(*rows[0].between),
              "pass 1, first = 0: reads tile, keeps the results in registers. It writes none of these cells.");
    EXPECT_EQ(passes_without_row(*tiles.shown(), true), "") << "the picture names them";
    std::filesystem::remove(file);
    Workspace tree{Settings{}};
    tree.answer(run("reduce/sequential", 16, 16));
    EXPECT_EQ(passes_without_row(*tree.shown()), "");
}

/// The narration before each step of the kernel, of eight threads with an element each.
std::vector<std::string> narrations_of(const std::string& name, const std::string& source) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / name;
    std::ofstream(file) << source;
    session::Request request;
    request.program = file.string();
    request.n = 8;
    request.block = 8;
    request.grid = 1;
    Workspace workspace{Settings{}};
    workspace.answer(run(request));
    std::filesystem::remove(file);
    std::vector<std::string> said;
    for (std::size_t position = 0; position < workspace.at().end(); ++position) {
        workspace.seek_exactly(position);
        said.push_back(workspace.narration());
    }
    return said;
}

TEST(Sentences, AConstantIsReadFromConstantMemory) {
    const std::vector<std::string> said =
        narrations_of("lanescope-weights.cu",
                      "__constant__ int weights[4] = {3, 1, 4, 1};\n"
                      "__global__ void weigh(const int* in, int* out) {\n"
                      "    out[threadIdx.x] = in[threadIdx.x] * weights[threadIdx.x % 4];\n"
                      "}\n");
    using testing::AllOf, testing::Contains, testing::HasSubstr;
    EXPECT_THAT(said, Contains(AllOf(HasSubstr(" reads "), HasSubstr("weights["), HasSubstr("from constant memory"))));
    EXPECT_THAT(said, Contains(AllOf(HasSubstr(" reads "), HasSubstr("in["), HasSubstr("from global memory"))));
}

TEST(Sentences, TwoConditionsBeginAsAConstantThatIsNoResult) {
    const std::vector<std::string> said = narrations_of("lanescope-both.cu",
                                                        "__global__ void both(const int* in, int* out) {\n"
                                                        "    int t = threadIdx.x;\n"
                                                        "    if (t > 2 && in[t] > -100) out[t] = 1;\n"
                                                        "}\n");
    using testing::Contains, testing::HasSubstr, testing::Not;
    EXPECT_THAT(said, Contains(HasSubstr("All 8 lanes set a predicate to false.")));
    EXPECT_THAT(said, Not(Contains(HasSubstr("condition holds for none of the 8 lanes"))));
    // Five lanes have the second condition's value, three the constant: together they are that of all.
    EXPECT_THAT(said, Contains(HasSubstr("t > 2 && in[t] > -100 holds for lanes 3 to 7: they enter the branch")));
}

TEST(Sentences, CountsInTheSingularAndInGroups) {
    EXPECT_EQ(counted(1, "lane"), "1 lane");
    EXPECT_EQ(counted(0, "lane"), "0 lanes");
    EXPECT_EQ(counted(1234567, "lane"), "1,234,567 lanes");
}

class SettingsTest : public ::testing::Test {
  protected:
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::filesystem::path folder = std::filesystem::temp_directory_path() / "lanescope-settings-test";
    std::filesystem::path file = folder / "deeper" / "settings.json";
};

TEST_F(SettingsTest, AreReadAsTheyWereWritten) {
    Settings settings;
    settings.theme = scene::Theme::light;
    settings.scale = 1.5F;
    settings.speed = 4;
    settings.width = 1234;
    settings.source_view = SourceView::both;
    settings.all_counts = true;
    settings.recent = {"/a.cu", "/b.cu"};
    ASSERT_TRUE(save_settings(settings, file).has_value());
    EXPECT_EQ(load_settings(file), settings);
}

TEST_F(SettingsTest, DamagedOnesGiveTheDefaultsForWhatTheyDoNotSay) {
    std::filesystem::create_directories(file.parent_path());
    EXPECT_EQ(load_settings(file), Settings{}) << "no file";
    std::ofstream(file)
        << "{ \"theme\": \"light\", \"scale\": \"big\", \"speed\": 1e9, \"width\": -5, \"recent\": [1, \"/a.cu\"] }";
    const Settings read = load_settings(file);
    EXPECT_EQ(read.theme, scene::Theme::light);
    EXPECT_EQ(read.scale, Settings{}.scale);
    EXPECT_EQ(read.speed, fastest);
    EXPECT_GE(read.width, 320);
    EXPECT_THAT(read.recent, ElementsAre("/a.cu"));
    std::ofstream(file) << "not json at all";
    EXPECT_EQ(load_settings(file), Settings{});
}

TEST_F(SettingsTest, AFolderThatCannotBeWrittenIsAProblemInWords) {
    const Result<void> saved = save_settings(Settings{}, "/proc/nowhere/settings.json");
    ASSERT_FALSE(saved.has_value());
    EXPECT_FALSE(saved.error().what.empty());
}

TEST(SettingsRecent, TheNewestFileIsFirstAndListedOnce) {
    Settings settings;
    for (const char* path : {"/a", "/b", "/a"}) settings.add_recent(path);
    EXPECT_THAT(settings.recent, ElementsAre("/a", "/b"));
}

}  // namespace
}  // namespace lanescope::ui
