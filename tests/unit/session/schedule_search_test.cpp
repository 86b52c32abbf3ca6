// For races of faulty kernels, a schedule is found under which the result is wrong, and the same request under it is
// wrong again. Correct kernels stay right, whichever threads wait.
#include "session/schedule_search.h"

#include "analysis/narration/narration.h"
#include "analysis/source/source_line.h"
#include "session/launch_values.h"
#include "session/unfenced_stores.h"

#include "run_support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

ScheduleSearch searched(const Run& run, std::size_t tries = usual_tries) {
    Progress progress;
    const auto search = search_schedule(run, std::nullopt, tries, progress);
    EXPECT_TRUE(search) << search.error().message();
    return search ? *search : ScheduleSearch();
}

/// The run of the request is right, a schedule is found, and under it the same request has the value that was reported.
void expect_spoiled(const Request& request) {
    SCOPED_TRACE(request.program);
    const auto usual = run_of(request);
    ASSERT_NE(usual, nullptr);
    ASSERT_NE(usual->verdict.ok, false) << "the emulator's own order hides the race";
    const ScheduleSearch search = searched(*usual);
    EXPECT_GT(search.races, 0U);
    ASSERT_TRUE(search.found) << text_of(search);
    Request again = request;
    again.placement.schedule = search.found->schedule;
    const auto run = run_of(again);
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(search.found->by_reference, usual->verdict.ok.has_value());
    if (search.found->by_reference) {
        EXPECT_EQ(run->verdict.ok, false);
        EXPECT_EQ(run->verdict.first_difference, search.found->element);
        EXPECT_EQ(run->verdict.actual_there, search.found->found);
        EXPECT_EQ(run->verdict.expected_there, search.found->expected);
    }
    EXPECT_NE(search.found->found, search.found->expected);
    EXPECT_TRUE(std::ranges::any_of(run->notes, [](const std::string& note) { return note.starts_with("Schedule"); }));
    EXPECT_EQ(text_of(searched(*usual)), text_of(search)) << "the search is the same each time";
}

TEST(ScheduleSearch, SpoilsTheResultOfEveryRacyKernelOfTheCatalog) {
    for (const Program& program : catalog()) {
        if (program.recipe.expected.fault != "race") continue;
        const Request request{.program = program.name};
        const auto usual = run_of(request);
        ASSERT_NE(usual, nullptr);
        if (usual->verdict.ok == false) {
            EXPECT_TRUE(searched(*usual).wrong_already) << program.name;
            EXPECT_EQ(searched(*usual).tried, 0U);
        } else {
            expect_spoiled(request);
        }
    }
}

TEST(ScheduleSearch, SpoilsLargerLaunchesOfThem) {
    expect_spoiled({.program = "faulty/missing-barrier", .n = 128, .block = 64});
    expect_spoiled({.program = "faulty/one-barrier-scan", .n = 64, .block = 64});
    expect_spoiled({.program = "faulty/lockstep-last-warp", .n = 512, .block = 256});
    expect_spoiled({.program = "faulty/compress-in-place", .n = 256, .block = 32});
    expect_spoiled({.program = "faulty/no-fence", .n = 100, .block = 20});
}

TEST(ScheduleSearch, SpoilsThemAsCompiled) {
    for (const char* name : {"faulty/one-barrier-scan", "faulty/compress-in-place", "faulty/no-fence"})
        expect_spoiled({.program = name, .view = trace::View::compiled});
}

/// Racy kernels that are not in the catalog: their files, and what is wrong.
TEST(ScheduleSearch, SpoilsKernelsOfAnyFile) {
    const ScratchFolder folder;
    // A stencil reads what another warp has not loaded yet.
    expect_spoiled({.program = folder.add("stencil.cu", R"(// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: block = 96
// lanescope: n = 96
__global__ void stencil(const int* in, int* out)
{
    __shared__ int tile[96];
    int t = threadIdx.x;
    tile[t] = in[t];
    out[t] = t > 0 ? tile[t - 1] + tile[t] : tile[t];
}
)")});
    // The last block to finish adds up partial sums that may not be visible yet.
    expect_spoiled({.program = folder.add("last.cu", R"(// lanescope: arg in = input(n)
// lanescope: arg parts = zeros(grid)
// lanescope: arg out = zeros(1)
// lanescope: arg done = zeros(1)
// lanescope: block = 32
// lanescope: n = 128
// lanescope: input = ones
// lanescope: oracle = sum
// lanescope: output = out
__global__ void last(const int* in, int* parts, int* out, unsigned* done)
{
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int i = 0; i < blockDim.x; ++i) sum += in[blockIdx.x * blockDim.x + i];
    parts[blockIdx.x] = sum;
    if (atomicAdd(done, 1u) != gridDim.x - 1) return;
    int all = 0;
    for (int b = 0; b < gridDim.x; ++b) all += parts[b];
    out[0] = all;
}
)")});
    // A shift in place within one warp: a lane overwrites what its neighbor still has to read.
    expect_spoiled({.program = folder.add("shift.cu", R"(// lanescope: arg data = input(n)
// lanescope: block = 16
// lanescope: n = 16
// lanescope: input = iota
__global__ void shift(int* data)
{
    int t = threadIdx.x;
    if (t + 1 < blockDim.x) data[t] = data[t + 1];
}
)")});
}

TEST(ScheduleSearch, LeavesSoundKernelsAlone) {
    for (const char* name : {"reduce/two-elements", "scan/chained-blocks", "scan/look-back", "reduce/sequential"}) {
        const auto run = run_of({.program = name});
        ASSERT_NE(run, nullptr);
        const ScheduleSearch search = searched(*run);
        EXPECT_EQ(search.races, 0U) << name;
        EXPECT_EQ(search.tried, search.strong_stores);
        EXPECT_FALSE(search.found);
        EXPECT_THAT(text_of(search), HasSubstr("no race"));
    }
}

TEST(ScheduleSearch, BlamesNoRaceForWhatTheOrderOfAtomicsMayDo) {
    // Any order of the kept elements is right, and the race on s is harmless.
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("ticket.cu", R"(// lanescope: arg out = zeros(n)
// lanescope: arg count = zeros(1)
// lanescope: block = 64
// lanescope: n = 256
__global__ void ticket(int* out, int* count, int n)
{
    __shared__ int s;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s = threadIdx.x;
    int v = s;
    if (i < n && v != 12345) out[atomicAdd(count, 1)] = i;
}
)")});
    ASSERT_NE(run, nullptr);
    const ScheduleSearch search = searched(*run);
    EXPECT_GT(search.races, 0U);
    ASSERT_TRUE(search.found);
    EXPECT_TRUE(search.found->open);
    EXPECT_GT(search.tried, 1U) << "one that proves something is searched for to the end";
    EXPECT_THAT(text_of(search), HasSubstr("That is no proof: the order of atomic or volatile accesses"));
}

TEST(ScheduleSearch, BlamesNoRaceForWhatVolatileAccessesOrTheActiveMaskMayDo) {
    const ScratchFolder folder;
    for (const std::string& file : {folder.add("flag.cu", R"(// lanescope: arg out = zeros(1)
// lanescope: arg flag = zeros(1)
// lanescope: block = 64
// lanescope: grid = 2
// lanescope: n = 1
__global__ void flag(int* out, int* flag)
{
    __shared__ int s;
    s = threadIdx.x;
    int v = s;
    volatile int* there = flag;
    if (blockIdx.x == 0 && threadIdx.x == 0 && v != 12345) *there = 1;
    if (blockIdx.x == 1 && threadIdx.x == 0 && v != 12345) out[0] = *there;
}
)"),
                                    folder.add("active.cu", R"(// lanescope: arg out = zeros(n)
// lanescope: block = 64
// lanescope: n = 64
__global__ void active(unsigned* out)
{
    __shared__ int s;
    s = threadIdx.x;
    int v = s;
    unsigned mask = 0;
    if (v != 12345) mask = __activemask();
    out[threadIdx.x] = mask;
}
)")}) {
        SCOPED_TRACE(file);
        const auto run = run_of({.program = file});
        ASSERT_NE(run, nullptr);
        const ScheduleSearch search = searched(*run);
        EXPECT_GT(search.races, 0U);
        ASSERT_TRUE(search.found);
        EXPECT_TRUE(search.found->open) << text_of(search);
    }
}

/// Each block but the first adds the carry of the block before it, which a flag announces; both are volatile.
std::string carries(const std::string& fence, const std::string& oracle = "inclusive-scan") {
    std::string text = R"(// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: arg carry = zeros(n)
// lanescope: arg ready = zeros(n)
// lanescope: block = 1
// lanescope: grid = n
// lanescope: n = 4
ORACLE__global__ void carries(const int* in, int* out, volatile int* carry, volatile int* ready)
{
    int b = blockIdx.x, before = 0;
    if (b > 0) {
        while (ready[b - 1] == 0) {}
        FENCE
        before = carry[b - 1];
    }
    carry[b] = before + in[b];
    FENCE
    ready[b] = 1;
    out[b] = before + in[b];
}
)";
    text.replace(text.find("ORACLE"), 6,
                 oracle.empty() ? "" : "// lanescope: oracle = " + oracle + "\n// lanescope: output = out\n");
    for (std::size_t at = text.find("FENCE"); at != std::string::npos; at = text.find("FENCE"))
        text.replace(at, 5, fence);
    return text;
}

TEST(ScheduleSearch, FindsTheMissingFenceBetweenVolatileStoresWhichAreInNoRace) {
    const ScratchFolder folder;
    const auto without = run_of({.program = folder.add("without.cu", carries(""))});
    ASSERT_NE(without, nullptr);
    EXPECT_EQ(without->verdict.ok, true);
    const ScheduleSearch search = searched(*without);
    EXPECT_EQ(search.races, 1U) << "the finding names the two stores";
    ASSERT_TRUE(search.found) << text_of(search);
    EXPECT_TRUE(search.found->by_reference);
    EXPECT_EQ(search.found->finding, 0U);
    EXPECT_THAT(search.found->schedule, testing::StartsWith("delay"));

    const auto unknown = run_of({.program = folder.add("unknown.cu", carries("", ""))});
    ASSERT_NE(unknown, nullptr);
    const ScheduleSearch of_stores = searched(*unknown);
    EXPECT_EQ(of_stores.races, 0U);
    ASSERT_TRUE(of_stores.found) << text_of(of_stores);
    EXPECT_TRUE(of_stores.found->open);
    EXPECT_THAT(text_of(of_stores), HasSubstr("The order of volatile and relaxed stores is not checked"));

    const auto with = run_of({.program = folder.add("with.cu", carries("__threadfence();"))});
    ASSERT_NE(with, nullptr);
    const ScheduleSearch sound = searched(*with);
    EXPECT_GT(sound.tried, 1U);
    EXPECT_FALSE(sound.found) << text_of(sound);
}

std::vector<std::string> notes_on_fences(const Run& run) {
    std::vector<std::string> found;
    std::ranges::copy_if(run.notes, std::back_inserter(found),
                         [](const std::string& note) { return note.starts_with("No fence orders"); });
    return found;
}

std::vector<trace::Finding> missing_fences(const Run& run) {
    std::vector<trace::Finding> found;
    std::ranges::copy_if(run.trace().findings, std::back_inserter(found), [](const trace::Finding& finding) {
        return finding.kind == trace::Finding::Kind::missing_fence;
    });
    return found;
}

TEST(UnfencedStores, AreAFindingWithAScheduleUnderWhichTheResultIsWrong) {
    const ScratchFolder folder;
    const Request request{.program = folder.add("without.cu", carries(""))};
    const auto run = run_of(request);
    ASSERT_NE(run, nullptr);
    EXPECT_TRUE(notes_on_fences(*run).empty());
    const std::vector<trace::Finding> findings = missing_fences(*run);
    ASSERT_EQ(findings.size(), 1U);
    const trace::Finding& finding = findings.front();
    EXPECT_THAT(finding.message, HasSubstr("no fence orders the stores to carry["));
    EXPECT_THAT(finding.message, HasSubstr("and to ready["));
    EXPECT_EQ(finding.variable, "ready");
    ASSERT_TRUE(finding.step && finding.other && finding.other->step);
    EXPECT_LT(*finding.other->step, *finding.step);
    const std::size_t begin = finding.message.find("--schedule \"") + 12;
    Request again = request;
    again.placement.schedule = finding.message.substr(begin, finding.message.find('"', begin) - begin);
    const auto late = run_of(again);
    ASSERT_NE(late, nullptr);
    EXPECT_EQ(late->verdict.ok, false) << again.placement.schedule;
    EXPECT_TRUE(missing_fences(*late).empty()) << "it shows already what the finding says";
}

TEST(UnfencedStores, StandAtTheLinesThatTheSourceHasForThem) {
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        const auto run = run_of({.program = "faulty/volatile-without-fence", .view = view});
        ASSERT_NE(run, nullptr);
        const std::vector<trace::Finding> findings = missing_fences(*run);
        ASSERT_EQ(findings.size(), 1U);
        const auto text = [&](std::uint32_t line) {
            return std::string(analysis::trimmed_line(run->trace().origin.source, line));
        };
        EXPECT_EQ(text(findings.front().source_line), "atomicAdd(&my_block_count2, 1);");
        EXPECT_EQ(text(findings.front().other->source_line), "sum_so_far = before + temp[tid];");
        const analysis::BlockView block = run->analysis->view(0, findings.front().block);
        EXPECT_THAT(analysis::describe_fault(block, *findings.front().step),
                    testing::StartsWith("Missing fence: another block may see this store before the one in line 32."));
        EXPECT_THAT(
            analysis::describe_fault(block, *findings.front().other->step),
            testing::StartsWith("First of two stores without a fence: another block may see the second, in line 33"));
    }
}

TEST(UnfencedStores, AreANoteWhereNothingSaysWhichResultIsRight) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("unknown.cu", carries("", ""))});
    ASSERT_NE(run, nullptr);
    EXPECT_TRUE(missing_fences(*run).empty());
    const std::vector<std::string> notes = notes_on_fences(*run);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_THAT(notes.front(), HasSubstr("Without a CPU reference it is not known whether both are right."));
}

TEST(UnfencedStores, AreNoneWithAFenceAndInSoundKernels) {
    const ScratchFolder folder;
    const auto with = run_of({.program = folder.add("with.cu", carries("__threadfence();"))});
    ASSERT_NE(with, nullptr);
    EXPECT_TRUE(unfenced_stores(*with).empty());
    for (const Program& program : catalog()) {
        if (program.recipe.host || !program.recipe.expected.fault.empty()) continue;
        const auto run = run_of({.program = program.name});
        ASSERT_NE(run, nullptr) << program.name;
        EXPECT_TRUE(unfenced_stores(*run).empty()) << program.name;
    }
}

TEST(ScheduleSearch, TriesNoMoreThanItMay) {
    // Both writes are of one address, and the last one that reads it decides nothing.
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("harmless.cu", R"(// lanescope: arg out = zeros(1)
// lanescope: arg spare = zeros(1)
// lanescope: block = 64
// lanescope: n = 1
// lanescope: oracle = sum
// lanescope: output = out
// lanescope: arg in = input(n)
__global__ void harmless(const int* in, int* out, int* spare)
{
    spare[0] = threadIdx.x;
    if (threadIdx.x == 0) out[0] = in[0];
}
)")});
    ASSERT_NE(run, nullptr);
    const ScheduleSearch search = searched(*run, 7);
    EXPECT_GT(search.races, 0U);
    EXPECT_EQ(search.tried, 7U);
    EXPECT_FALSE(search.found);
    EXPECT_THAT(text_of(search), HasSubstr("None of 7 schedules"));
}

TEST(ScheduleSearch, CanBeCancelled) {
    const auto run = run_of({.program = "faulty/missing-barrier"});
    ASSERT_NE(run, nullptr);
    Progress progress;
    progress.cancel();
    const auto search = search_schedule(*run, std::nullopt, usual_tries, progress);
    ASSERT_TRUE(search);
    EXPECT_TRUE(search->cancelled);
    EXPECT_FALSE(search->found);
}

/// Threads wait or stores are delayed at executed lines of every correct kernel; the result must stay right.
TEST(LongScheduleSearch, KeepsSoundKernelsRight) {
    for (const Program& program : catalog()) {
        if (!program.recipe.expected.fault.empty() || program.recipe.host) continue;
        for (const trace::View view : {trace::View::written, trace::View::compiled}) {
            const auto usual = run_of({.program = program.name, .view = view});
            ASSERT_NE(usual, nullptr) << program.name;
            if (usual->verdict.ok != true) continue;
            // One access in several, so that the kernels share the time.
            std::set<std::string> schedules{"shuffled 1", "shuffled 2"};
            std::set<PtxLine> lines;
            const trace::Trace& trace = usual->trace();
            for (const trace::Step& step : trace.steps()) {
                if (step.effect_count == 0 || step.executed.none() || !lines.insert(step.line).second) continue;
                if (lines.size() % 5 != 0) continue;
                for (const char* kind : {"hold", "delay"})
                    schedules.insert(fmt::format("{} {}:{}:{} at {}", kind, step.block.value, step.warp.value,
                                                 step.executed.lowest(), step.line.value));
                schedules.insert(fmt::format("hold {}:{} at {}", step.block.value, step.warp.value, step.line.value));
            }
            for (const std::string& schedule : schedules) {
                Request request{.program = program.name, .view = view};
                request.placement.schedule = schedule;
                const auto run = run_of(request);
                ASSERT_NE(run, nullptr);
                EXPECT_EQ(run->verdict.ok, true) << program.name << " " << session::name_of(view) << " " << schedule;
                EXPECT_TRUE(run->trace().findings.empty())
                    << program.name << " " << session::name_of(view) << " " << schedule;
            }
        }
    }
}

TEST(ScheduleSearch, EndsEarlyWhereTheKernelStopsItselfAnyway) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("trap.cu", R"(
// lanescope: block = 64
// lanescope: grid = 1
// lanescope: n = 64
// lanescope: input = ones
// lanescope: arg out = zeros(4)
__global__ void k(int* out) {
    __shared__ int s;
    if (threadIdx.x == 0) s = 1;
    if (threadIdx.x == 40 && s == 12345) out[1] = 7;
    __syncthreads();
    if (threadIdx.x == 0) __trap();
}
)")});
    ASSERT_NE(run, nullptr);
    const ScheduleSearch search = searched(*run);
    EXPECT_EQ(search.races, 1U);
    EXPECT_TRUE(search.ends_early);
    EXPECT_EQ(search.tried, 8U) << "of " << usual_tries;
    EXPECT_FALSE(search.found);
    EXPECT_THAT(text_of(search), HasSubstr("correct what stops the kernel first"));
}

}  // namespace
}  // namespace lanescope::session
