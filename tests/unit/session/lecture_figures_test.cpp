// The figures in a lecture's words, counted in the run of the step; and that no lecture that ships states a number that
// is neither such a figure nor listed here with what it is: of another run, which is made here, or of none.
#include "session/lecture_figures.h"

#include "base/grouped.h"
#include "run_support.h"
#include "session/recorded_figures.h"
#include "timing/recording_library.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

using Launch = std::vector<std::pair<LaunchField, std::string>>;
using F = LaunchField;

std::shared_ptr<const Run> run_of_fields(const Launch& launch) {
    LaunchValues values;
    for (const auto& [field, text] : launch) values[field] = text;
    Progress progress;
    const auto run = session::run(request_of(values), progress);
    EXPECT_TRUE(run) << run.error().problem.message();
    return run ? *run : nullptr;
}

std::string filled_in(std::string_view text, const Run& run, std::string_view place) {
    return replace_figures(text, [&](std::string_view figure) {
        const auto value = figure_text(figure, run, *read_place(place));
        return value ? *value : value.error().message();
    });
}

TEST(LectureFigures, AreCountedInTheRun) {
    const auto run = run_of_fields({{F::program, "reduce/sequential"}, {F::block, "16"}, {F::n, "16"}});
    ASSERT_TRUE(run);
    const auto text = [&](std::string_view words) { return filled_in(words, *run, "end of pass \"s = 4\""); };
    EXPECT_EQ(text("{elements} {threads} {blocks} {warps} {launches} {passes} {findings}"), "16 16 1 1 1 4 0");
    EXPECT_EQ(text("{work} {span} {work of run} {span of run}"), "15 4 15 4");
    EXPECT_EQ(text("{work of pass} {work of pass \"s = 8\"} {span of pass 1}"), "4 8 1");
    EXPECT_EQ(text("{adding threads of pass}; {adding thread count of pass}; {adding threads of pass \"s = 2\"}"),
              "0 to 3; 4; 0 and 1");
    EXPECT_EQ(text("{adding warps of pass}; {useful lanes of pass}; {useful lanes a warp of pass}"), "0; 4; 4");
    EXPECT_EQ(text("{steps on 4} {steps on N} {cost on 16}"), "5 4 64");
    EXPECT_EQ(text("{barriers} {barriers of run}"), fmt::format("{0} {0}", run->analysis->totals.barriers));
    EXPECT_EQ(text("{sectors loaded} {sectors stored}"), "2 1");
    EXPECT_EQ(text("{result} {expected}"), run->verdict.actual.front() + " " + run->verdict.expected.front());
    // The picture's cells are those of the place, a buffer's elements those of the end.
    const auto cell = [&](std::string_view place) { return filled_in("{sdata[0]}", *run, place); };
    EXPECT_NE(cell("end of pass \"load\""), cell("end"));
    EXPECT_EQ(cell("end"), run->verdict.actual.front());
}

TEST(LectureFigures, NameWhatIsNoFigure) {
    const auto run = run_of_fields({{F::program, "reduce/sequential"}});
    ASSERT_TRUE(run);
    for (const char* figure : {"speed", "work of everyone", "steps on none", "work of pass \"s = 3\"", "sdata[99]",
                               "sdata[2..1]", "instructions of pass 99"}) {
        const auto text = figure_text(figure, *run, *read_place("end"));
        ASSERT_FALSE(text) << figure << " is " << *text;
        EXPECT_FALSE(text.error().what.empty());
    }
    LectureStep step;
    step.caption = "It has {speed}.";
    const auto words = words_with_figures(step, *run);
    ASSERT_FALSE(words);
    EXPECT_THAT(words.error().message(), HasSubstr("{speed}"));
}

TEST(LectureFigures, LeaveCodeAndOtherBracesAlone) {
    const std::string words = "`{work}`, ``a`{work}``, if (t) { work; }, {Work}, {unclosed\n\n```\n{work}\n```\n";
    EXPECT_EQ(replace_figures(words, [](std::string_view) { return std::string("wrong"); }), words);
    EXPECT_EQ(replace_figures("a {work\nof run}.", [](std::string_view figure) { return std::string(figure); }),
              "a work of run.");
    EXPECT_EQ(replace_figures("it is\n{work}. It", [](std::string_view) { return std::string("1"); }), "it is 1. It")
        << "it is no list";
}

TEST(LectureFigures, AreAnEllipsisUntilTheStepHasRun) {
    LectureStep step;
    step.caption = "It has {work}.";
    EXPECT_TRUE(has_figures(step));
    EXPECT_EQ(words_without_figures(step).caption, "It has {work}.") << "a step that runs nothing never has a figure";
    step.launch = LaunchValues{};
    EXPECT_EQ(words_without_figures(step).caption, "It has ….");
}

// --- the numbers of the lectures that ship ---

/// A typed number of a step: the text around it, and the run and place that yield it.
struct OfAnotherRun {
    std::string lecture, heading, words;
    Launch launch;
    std::string place = "end";
};

const Launch global_tree{{F::program, "reduce/global-memory"}, {F::block, "256"}, {F::n, "256"}};
const Launch shared_tree{{F::program, "reduce/sequential"}, {F::block, "256"}, {F::n, "256"}};
Launch sized(const std::string& program, const std::string& block, const std::string& n) {
    return {{F::program, program}, {F::block, block}, {F::n, n}};
}

const std::vector<OfAnotherRun>& of_other_runs() {
    const std::string basic = "basic-reduction-kernel", moderngpu = "moderngpu-reduce",
                      scans = "multi-block-reduce-and-scan", optimizing = "optimizing-reduction",
                      both = "reduction-and-scan", limit = "to-the-limit", today = "today";
    static const std::vector<OfAnotherRun> all{
        {basic, "A Naive Thread Index to Data Mapping", "*Warps* shows {warps} warps",
         sized("reduce/two-elements", "256", "512")},
        {moderngpu, "Top-Down View", "blocks of {threads} threads with 4 values each",
         sized("reduce/launch-shapes", "2", "100"), "launch 0"},
        {moderngpu, "Top-Down View", "100 elements by 2 * 4 is {blocks} results",
         sized("reduce/launch-shapes", "2", "100"), "launch 0"},
        {moderngpu, "Top-Down View", ", by 4 * 2 is {blocks}, and one launch",
         sized("reduce/launch-shapes", "2", "100"), "launch 1"},
        {moderngpu, "Top-Down View", "then blocks of {threads} with 2", sized("reduce/launch-shapes", "2", "100"),
         "launch 1"},
        {scans, "Shared memory", "reads {sectors loaded} and writes {sectors stored}", shared_tree},
        {scans, "Cost of HSH Scan", "{work} of both for one thread", sized("scan/serial", "1024", "1024")},
        {scans, "Cost of HSH Scan", "instead of {span}, the span in", sized("scan/serial", "1024", "1024")},
        {scans, "Distribution Phase", "{work}: set Block and N to 1024",
         sized("scan/reduction-distribution", "1024", "1024")},
        {scans, "Distribution Phase", "with *More*, is {span}", sized("scan/reduction-distribution", "1024", "1024")},
        {scans, "Distribution Phase", "beside the {work} of Hillis-Steele-Horn",
         sized("scan/double-buffered", "1024", "1024")},
        {scans, "Distribution Phase", "instead of {span}", sized("scan/double-buffered", "1024", "1024")},
        {optimizing, "Reduction #4: Still way off", "takes {instructions} for the same",
         sized("reduce/unrolled-last-warp", "128", "256")},
        {optimizing, "Unrolling the last warp", "has {findings} findings", {{F::program, "faulty/lockstep-last-warp"}}},
        {optimizing,
         "Reduction #7: Multiple Adds / Thread",
         "the loop reads {sectors loaded of run} sectors",
         {{F::program, "reduce/grid-stride"}, {F::block, "128"}, {F::n, "4096"}, {F::grid, "2"}}},
        {optimizing,
         "Reduction #7: Multiple Adds / Thread",
         "it is {sectors loaded of run}",
         {{F::program, "reduce/contiguous-chunks"}, {F::block, "128"}, {F::n, "4096"}, {F::grid, "2"}}},
        {both, "Local reduction: where should data be held?",
         "the same tree reads {sectors loaded} and writes {sectors stored}", shared_tree},
        {both,
         "Global reduction: version 1, the host adds",
         "does {work of run} of the 15 additions",
         {{F::program, "reduce/sums-on-the-host"}}},
        {both,
         "Global scan: any number of elements",
         "launches of {blocks},",
         {{F::program, "scan/recursive"}},
         "launch 0"},
        {both,
         "Global scan: any number of elements",
         " {blocks} and 1 blocks",
         {{F::program, "scan/recursive"}},
         "launch 1"},
        {both,
         "Global scan: any number of elements",
         "and launches of {blocks}",
         {{F::program, "scan/recursive"}},
         "launch 3"},
        {both, "Global scan: any number of elements", "and {blocks} add", {{F::program, "scan/recursive"}}, "launch 4"},
        {limit, "Kernel 3: neighboring threads, neighboring words", "instead of {load wavefronts}",
         sized("reduce/strided-index", "256", "256")},
        {limit, "Kernel 5: the last warp unrolled", "barriers instead of {barriers}",
         sized("reduce/first-add-during-load", "128", "256")},
        {limit,
         "Kernel 7, and how not to",
         "sectors a block instead of {sectors loaded}",
         {{F::program, "reduce/grid-stride"}, {F::block, "128"}, {F::n, "4096"}, {F::grid, "2"}}},
        {today, "CUB's block scan, opened", "would need {work}", sized("scan/serial", "32", "32")},
        {today, "CUB's block scan, opened", "steps replace {work}", sized("scan/serial", "32", "32")},
        {today, "Bytes moved: reduce, then scan", "it loads and stores {sectors moved of run} sectors",
         sized("scan/reduce-then-scan", "256", "65536")},
        {today, "Bytes moved: reduce, then scan", "instead of {sectors moved of run}.",
         sized("scan/three-launches", "256", "65536")},
        {today, "Bytes moved: look back",
         "counts {sectors loaded of run} and {sectors stored of run}, and {atomic sectors of run} for atomics",
         sized("scan/look-back", "256", "65536")},
        {today,
         "Floats: in any order",
         "In descending order of blocks it is {result}",
         {{F::program, "reduce/any-order"}, {F::order, "descending"}}},
        {today,
         "Floats: in any order",
         "thirteen ones under *Input*: {result}",
         {{F::program, "reduce/any-order"}, {F::input, "1 1 16777216 1 1 1 1 1 1 1 1 1 1 1 1 1"}}},
    };
    return all;
}

/// Text with numbers that come from no run: hardware limits, arithmetic in the lecture's text, a document's numbers,
/// sizes in questions, settings of a launch, any two of several, and names.
struct OfNoRun {
    std::string lecture, heading;
    std::vector<std::string> words;
};
const std::vector<OfNoRun>& of_no_run() {
    static const std::vector<OfNoRun> all{
        {"basic-reduction-kernel", "Parallel Sum Reduction", {"Why 2,048?", "A block has at most 1,024 threads"}},
        {"basic-reduction-kernel", "A Parallel Sum Reduction Example", {"partialSum[8]"}},
        {"basic-reduction-kernel", "A Naive Thread Index to Data Mapping", {"with 256 threads", "Block 256"}},
        {"basic-reduction-kernel", "Barrier Synchronization", {"the two threads that access one word"}},
        {"basic-reduction-kernel", "Control divergence", {"of 32 lanes"}},
        {"moderngpu-reduce",
         "Top-Down View",
         {"blocks of 128 threads with 8 values each, the ones after it blocks of 512 with 4.",
          "4,194,304 elements take", "4,194,304 / 1,024 = 4,096 results, 4,096 / 2,048 = 2"}},
        {"moderngpu-reduce", "Partial counts", {"for a group of four lanes", "past the end (0)"}},
        {"moderngpu-reduce",
         "Warp shuffles",
         {"has the offsets 1, 2, 4, 8, 16. The kernel on the screen has 16, 8, 4, 2, 1.", "all 32 lanes"}},
        {"moderngpu-reduce", "One instruction for the tree", {"32-bit"}},
        {"moderngpu-reduce", "Combined Together", {"for nt = 128?", "nt / warp_size = 4"}},
        {"multi-block-reduce-and-scan", "Solution", {"blocks of 1,024"}},
        {"multi-block-reduce-and-scan", "A size 16 array with a block size of 4", {"66 on each element"}},
        {"multi-block-reduce-and-scan", "The sequential block scan as printed", {"is still 0 when it is read"}},
        {"multi-block-reduce-and-scan", "Cost of HSH Scan", {"- (N - 1) is 9,217 for N = 1024"}},
        {"multi-block-reduce-and-scan", "Reduction Phase with reduced divergence", {"8 words apart"}},
        {"multi-block-reduce-and-scan", "Multi-Block Parallel Reduction", {"which element two blocks both use"}},
        {"multi-block-reduce-and-scan", "Distribution Phase", {"for N = 1024"}},
        {"optimizing-reduction", "Reduction Operations", {"10 11 12 13 →"}},
        {"optimizing-reduction", "Different Degree-Trees possible", {"has degree 8."}},
        {"optimizing-reduction",
         "Deadlock",
         {"Here two multiprocessors take one block each", "*More* to 2: four blocks fit"}},
        {"optimizing-reduction", "Reduction Steps", {"every step (0)"}},
        {"optimizing-reduction",
         "Bandwidth calculation",
         {"sectors of 8 elements", "N = 4194304. Is it 4,227,394?",
          "4,194,304 + 32,768, then 32,768 + 256, then 256 + 2, then 2 + 1: 4,260,357."}},
        {"optimizing-reduction", "Divergent Branching: Warp Control Flow", {"of 32."}},
        {"optimizing-reduction",
         "Divergent Branching: Warp Control Flow, a later step",
         {"no multiple of 2s is", "not before 2s reaches 64", "In s = 32: the", "In s = 16 it"}},
        {"optimizing-reduction", "Reduction #2: Interleaved Addr./non-divergent branching", {"larger than 4:"}},
        {"optimizing-reduction",
         "Reduction #2: Problem",
         {"128 threads, 16 banks", "it is 2 in the first and the sixth step"}},
        {"optimizing-reduction",
         "Reduction #3: Code Changes",
         {"what keeps two threads from", "is 0 or 1 and is compared with 0"}},
        {"optimizing-reduction",
         "Reduction #4: Read two elements and do the first step",
         {"no multiple of 2 * blockDim.x"}},
        {"optimizing-reduction", "sdata[tid] += sdata[tid + 16]", {"To threads 0 to 15"}},
        {"optimizing-reduction", "Unrolling Using Templates", {"With blockSize 32 or less", "in 32 lanes"}},
        {"optimizing-reduction",
         "What if block size is not known at compile time?",
         {"the ten launches of the lecture", "over 512, 256, 128, ..., 1 chooses", "The one for 256 is"}},
        {"optimizing-reduction",
         "Work and depth",
         {"with p = 4?", "4 + (15 - 4) / 4 = 6.75, so at most 6 whole steps.",
          "8 additions in two steps, then 4, 2 and 1."}},
        {"optimizing-reduction", "What is Brent's theorem useful for?", {"on 64 processors"}},
        {"optimizing-reduction", "Brent's theorem example application", {"with 1 it takes"}},
        {"optimizing-reduction", "Brent's theorem contd.", {"102 processors take", "= 10 processors take"}},
        {"optimizing-reduction", "Parallel Reduction Complexity", {"N = 2¹⁰"}},
        {"optimizing-reduction",
         "Algorithm Cascading",
         {"256 blocks of 128 threads have 1,024 a thread",
          "256 × 128 × 1,024 = 2²⁵. With the 2²² of the tables they have 128."}},
        {"optimizing-reduction", "Reduction #7: Multiple Adds / Thread", {"With 4,096 elements in two blocks of 128"}},
        {"optimizing-reduction", "Unrolling the last warp", {"nothing orders two lanes"}},
        {"optimizing-reduction", "Reduction #5: Unrolling the last 6 iterations", {"six rounds earlier"}},
        {"optimizing-reduction", "Performance: kernels 1 to 7", {"8.054 / 0.268. Is it 30.04?", "30.05:"}},
        {"reduction-and-scan", "Other operators: the identity", {"it is still a 0"}},
        {"reduction-and-scan", "Local reduction: warp divergence", {"of 32 lanes"}},
        {"reduction-and-scan", "Local reduction: where should data be held?", {"sectors of 32 bytes"}},
        {"reduction-and-scan", "Local reduction: the code", {"a block of 12 threads", "d is 6, 3 and 1"}},
        {"reduction-and-scan",
         "Global reduction: version 1, the host adds",
         {"from 2²² elements in blocks of 256 threads", "2²² elements, blocks of 256 threads", "2¹⁴ = 16,384",
          "leaves 64, and then 1."}},
        {"reduction-and-scan", "Lab 4: distance", {"Lab 2.2"}},
        {"reduction-and-scan", "Scan operation", {"from the input 6 4 16 10 16 14 2 8", "begins with 0"}},
        {"reduction-and-scan", "Quiz: prefix sum on the CPU", {"for i from 1 on"}},
        {"reduction-and-scan",
         "Local scan: version 1",
         {"Is it 2^(n-1)?", "the 2^n - 1 before it: 1, 3, 7 of them after the passes d = 1, 2 and 4."}},
        {"reduction-and-scan", "Local scan: version 1, the code", {"d stays 1"}},
        {"reduction-and-scan", "Local scan: version 2, upwards", {"becomes 0", "those that add 0"}},
        {"reduction-and-scan",
         "Global scan: any number of elements",
         {"for 2²⁰ elements in blocks of 1,024 threads", "1,024 blocks leave 1,024 sums", "From 2²⁰ + 1 elements on"}},
        {"reduction-and-scan", "Global scan: version 2, without the ticket", {"blocks 2 and 1 wait"}},
        {"reduction-and-scan", "Local reduction, note 2: __syncthreads", {"two threads access one word"}},
        {"reduction-and-scan", "Lab 4: root mean square", {"no two threads share a place"}},
        {"reduction-and-scan", "Scan operation in Quicksort: all levels", {"in the same three launches"}},
        {"reduction-and-scan", "Scan operation: recurrences", {"two steps of the recurrence"}},
        {"reduction-and-scan", "Global scan: the sum as first value", {"the place of the 0"}},
        {"to-the-limit", "The task", {"loads 4 bytes", "to read 2²² integers", "16,777,216 bytes /", "= 3.5 µs."}},
        {"to-the-limit", "Launches cost, too", {"At 2²² integers", "three times the 3.5 µs of the first step"}},
        {"to-the-limit", "The limit", {"With 2³⁰ integers in blocks of 256", "with 2³⁰ integers"}},
        {"moderngpu-reduce", "Benchmark", {"reads 2³⁰ integers", "blocks of 256"}},
        {"to-the-limit",
         "Kernel 2 loses bank accesses",
         {"32 lanes read words 8 apart", "the 32 banks", "4 banks with 8 words each", "instead of 1."}},
        {"to-the-limit", "Kernel 3: neighboring threads, neighboring words", {"32 words in 32 banks"}},
        {"to-the-limit", "One instruction", {"5 shuffles became"}},
        {"to-the-limit", "Kernel 3 loses half of its threads at once", {"threads 64 to 127 never do"}},
        {"today", "Volta: lanes are not in lockstep", {"the accesses of two lanes"}},
        {"today",
         "Groups have names",
         {"A tile of eight lanes", "four sums of eight elements", "do the 32 lanes execute", "4 times 7, 28."}},
        {"today", "CUB's block reduction, opened", {"at distance 1"}},
        {"today",
         "Bytes moved: reduce, then scan",
         {"it moves 3 N elements instead of 4 N", "at 65,536 elements in blocks of 256"}},
        {"today",
         "Bytes moved: look back",
         {"blocks 2 and 3 wait", "for 65,536 integers", "8,192 to load and 8,192 to store. In blocks of 256"}},
        {"today", "Sort: one bit", {"32 splits"}},
        {"today", "Runs", {"5 5 5 2 2 7 ... becomes 5 3, 2 2, 7 5, ..."}},
        {"today", "Segments", {"14, its own value"}},
        {"today", "Count: a histogram", {"A block has two such instructions", "the 32 lanes", "32: one address"}},
        {"today", "Pairs: mean and variance", {"6 and 16 make 11, and 25 + 25"}},
        {"today", "Bytes moved: scan, then propagate", {"the next two steps cut"}},
        {"today",
         "Floats: in any order",
         {"16,777,216 and fifteen ones; where the sum is above 2²⁴, floats are 2 apart", "Type 1 1 16777216 and",
          "2²⁴ + 2 is a float, 2²⁴ + 3 lies in the middle of two and becomes the even one, 2²⁴ + 4",
          "The exact sum is 16,777,231"}},
    };
    return all;
}

/// The words of a step that are the lecture's own: no quotation, no table, no code, no target of a link; a figure is
/// an ellipsis.
std::string own_words(const LectureStep& step) {
    const LectureWords words = words_without_figures(step);
    std::string all = words.caption + "\n\n" + words.notes;
    for (const LectureStep::Question& question : words.questions)
        all += "\n\n" + question.ask + "\n\n" + question.answer;
    std::string text;
    std::istringstream lines(all);
    bool code = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) code = !code;
        if (code || line.starts_with("```") || line.starts_with('>') || line.starts_with('|')) continue;
        text += line + (line.empty() ? "\n" : " ");
    }
    text = std::regex_replace(text, std::regex("`[^`]*`"), "code");
    return std::regex_replace(text, std::regex(R"(\]\([^)]*\))"), "]");
}

/// Numbers that name a thing, stand in a formula or are a document's time: "warp 0", "Reduction #5", "N - 1".
std::string without_names(const std::string& text) {
    static const std::regex names(
        R"(\bG80: [0-9.]+ ms, [0-9.]+ GB/s\.|\bG80\b|\bH200\b|#\d+|\bN ?- ?1\b|\blog2\b)"
        R"(|\b([Bb]lock|[Ll]aunch|[Ww]arp|[Ll]ane|[Ee]lement|[Tt]hread|[Ss]tep|[Pp]ass|[Kk]ernel)"
        R"(|[Vv]ersion|CUDA|capability) \d+(\.\d)?\b)");
    return std::regex_replace(text, names, "");
}

/// "four warps", "eight idle lanes": a word for a number of what is counted.
const std::regex& counted_in_words() {
    static const std::regex words(
        R"(\b([Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ss]even|[Ee]ight|[Nn]ine|[Tt]en|[Ee]leven|[Tt]welve|[Ss]ixteen)"
        R"(|[Tt]hirty(-two)?|[Ss]ixty-four)( [a-z]+)? (warps|lanes|threads|blocks|steps|passes|additions|operations)"
        R"(|shuffles|launches|sectors|wavefronts|barriers|instructions|multiprocessors|rounds|sums)\b)");
    return words;
}

TEST(LectureFigures, OfOtherRunsAreWhatThoseRunsGive) {
    for (const OfAnotherRun& each : of_other_runs()) {
        SCOPED_TRACE(each.lecture + ": " + each.heading);
        const auto lecture = open_lecture(each.lecture);
        ASSERT_TRUE(lecture);
        const auto step = std::ranges::find(lecture->steps, each.heading, &LectureStep::heading);
        ASSERT_NE(step, lecture->steps.end());
        const Program* const program = find_program(each.launch.front().second);
        ASSERT_NE(program, nullptr);
        if (!runs_at_any_launch(*program)) continue;
        const auto run = run_of_fields(each.launch);
        ASSERT_TRUE(run);
        EXPECT_THAT(own_words(*step), HasSubstr(filled_in(each.words, *run, each.place)));
    }
}

TEST(LectureFigures, NoOtherNumberIsTyped) {
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> listed;
    for (const OfNoRun& each : of_no_run()) listed[{each.lecture, each.heading}] = each.words;
    // Figures of another run are checked above; here each figure stands for any number.
    std::map<std::pair<std::string, std::string>, std::vector<std::regex>> checked;
    for (const OfAnotherRun& each : of_other_runs()) {
        std::string pattern = std::regex_replace(each.words, std::regex(R"([*.+?()\[\]\\^$|])"), R"(\$&)");
        pattern = std::regex_replace(pattern, std::regex(R"(\{[^{}]*\})"), "[0-9,]*[0-9]");
        checked[{each.lecture, each.heading}].emplace_back(pattern);
    }
    std::set<std::pair<std::string, std::string>> seen;
    for (const Lecture& lecture : shipped_lectures()) {
        for (const LectureStep& step : lecture.steps) {
            if (!step.launch) continue;
            SCOPED_TRACE(fmt::format("{}, line {}: {}", lecture.name, step.line, step.heading));
            const std::pair key(lecture.name, step.heading);
            seen.insert(key);
            std::string text = own_words(step);
            for (const std::string& words : listed[key]) {
                const std::size_t at = text.find(words);
                EXPECT_NE(at, std::string::npos) << "the step no longer says \"" << words << '"';
                if (at != std::string::npos) text.replace(at, words.size(), "-");
            }
            for (const std::regex& words : checked[key]) text = std::regex_replace(text, words, "-");
            std::istringstream sentences(without_names(text));
            for (std::string sentence; std::getline(sentences, sentence);) {
                EXPECT_FALSE(std::regex_search(sentence, std::regex("[0-9]")))
                    << "a number is typed where {a figure} could be counted: " << sentence;
                EXPECT_FALSE(std::regex_search(sentence, counted_in_words()))
                    << "a number is written out where {a figure} could be counted: " << sentence;
            }
        }
    }
    for (const auto& [key, words] : listed) EXPECT_TRUE(seen.contains(key)) << key.first << ": " << key.second;
}

TEST(LectureFigures, OfRecordingsAreThoseOfTheLargestOne) {
    const timing::RecordingLibrary& library = timing::shipped_recordings();
    const timing::Recording& recording = library[library.largest().value()].recording;
    const auto text = [](std::string_view figure) {
        const auto value = recorded_figure(figure, "reduce/sequential");
        return !value ? "no figure" : *value ? **value : value->error().what;
    };
    const auto point = std::ranges::find_if(recording.points, [](const timing::Point& each) {
        return each.kernel == "reduce/sequential" && each.n == 1U << 22U && each.block == 128 && each.element == "int";
    });
    ASSERT_NE(point, recording.points.end());
    EXPECT_EQ(text("recorded time at 2^22 in 128"), fmt::format("{:.1f}", point->time.median));
    EXPECT_EQ(text("recorded time at 4194304 in 128 of reduce/sequential"), text("recorded time at 2^22 in 128"));
    EXPECT_NE(text("recorded time at 2^22 in 128 of reduce/grid-stride"), text("recorded time at 2^22 in 128"));
    EXPECT_EQ(text("recorded bandwidth at 2^22 in 128"),
              rounded(static_cast<double>(point->bytes) / point->time.median / 1e3));
    EXPECT_EQ(text("peak bandwidth"), rounded(recording.peak));
    EXPECT_EQ(text("launch time"), fmt::format("{:.2f}", recording.overhead.median));
    EXPECT_EQ(text("recorded device"), recording.device);
    EXPECT_THAT(text("recorded time at 2^22 in 77"), HasSubstr("was not recorded at 2²² in blocks of 77"));
    EXPECT_EQ(text("recorded time at noon"), "no figure");
    EXPECT_EQ(text("work"), "no figure");
}

}  // namespace
}  // namespace lanescope::session
