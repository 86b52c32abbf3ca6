// The emulator's counts of every kernel are compared with an NVIDIA H200's recorded counters, without a GPU.
#include "base/files.h"
#include "places.h"
#include "run_support.h"
#include "session/hardware_counts.h"
#include "session/run.h"
#include "timing/counters.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <fstream>

namespace lanescope::session {
namespace {

using timing::Counters;

/// What an H200 has counted, kernel by kernel.
std::vector<timing::CountedKernel> counted_kernels() {
    std::vector<timing::CountedKernel> kernels;
    for (const timing::CounterRecording& recording : shipped_counters())
        if (recording.device == "NVIDIA H200") std::ranges::copy(recording.kernels, std::back_inserter(kernels));
    return kernels;
}

/// The quantities that both count; instructions are not among them, because the GPU executes SASS.
struct Counted {
    std::uint64_t Counters::*there;
    std::uint64_t trace::Counts::*here;
    const char* name;
};
constexpr std::array counted{
    Counted{&Counters::shared_load_wavefronts, &trace::Counts::shared_load_wavefronts, "shared load wavefronts"},
    Counted{&Counters::shared_store_wavefronts, &trace::Counts::shared_store_wavefronts, "shared store wavefronts"},
    Counted{&Counters::shared_atomic_wavefronts, &trace::Counts::shared_atomic_wavefronts, "shared atomic wavefronts"},
    Counted{&Counters::global_load_sectors, &trace::Counts::global_load_sectors, "global load sectors"},
    Counted{&Counters::global_store_sectors, &trace::Counts::global_store_sectors, "global store sectors"},
    Counted{&Counters::global_atomic_sectors, &trace::Counts::global_atomic_sectors, "global atomic sectors"},
};

/// Known differences between the hardware's counts and the emulator's, with their causes.
bool is_explained(const timing::CountedKernel& kernel, const Counted& what) {
    // They wait for other blocks or warps, and iterate an undetermined number of times.
    constexpr std::array polling{"reduce/flagged-sums",   "reduce/grid-sync", "scan/carry-as-first-value",
                                 "scan/chained-blocks",   "scan/ring",        "scan/ring-copy",
                                 "scan/specialized-warps"};
    if (std::ranges::find(polling, kernel.kernel) != polling.end()) return true;
    // cp.async counts as no shared store.
    if (kernel.kernel == "reduce/copy-ahead" && what.there == &Counters::shared_store_wavefronts) return true;
    // Lanes meet before the immediate post-dominator.
    if (kernel.kernel == "apply/arg-max" && kernel.view == "compiled") return true;
    if (kernel.kernel == "apply/sparse-product-over-blocks" && what.there == &Counters::global_load_sectors)
        return true;
    // At -O0 ATOMS.ADD adds lane after lane, where the emulator counts ATOMS.POPC.INC.
    if ((kernel.kernel == "apply/histogram" || kernel.kernel == "apply/radix-pass") &&
        what.there == &Counters::shared_atomic_wavefronts)
        return true;
    // As written, atomics have generic addresses, and the counter takes each for one of shared memory.
    if (kernel.view == "written" && what.there == &Counters::shared_atomic_wavefronts) return true;
    // As written, generic loads and stores of many warps interfere between two barriers: 7 more wavefronts in a block
    // of 256, none in a block of 128, none with a barrier between reading and writing, and none when counted by
    // instruction.
    return kernel.kernel == "scan/double-buffered" && kernel.view == "written" &&
           what.there == &Counters::shared_load_wavefronts;
}

/// Warps that come at once to where shared memory is written cost a wavefront more now and then.
std::uint64_t arbitration(const Counted& what) { return what.there == &Counters::shared_store_wavefronts ? 2 : 0; }

TEST(RecordedCounters, AreWhatTheEmulatorCountsWhereTheDriversCompilerKeepsTheAccesses) {
    const std::vector<timing::CountedKernel> kernels = counted_kernels();
    EXPECT_GT(kernels.size(), 200U);
    for (const timing::CountedKernel& kernel : kernels) {
        const bool compiled = kernel.view == "compiled";
        if (compiled && kernel.optimized) continue;  // the compiler may merge accesses, or leave them out
        SCOPED_TRACE(fmt::format("{} as {}", kernel.kernel, kernel.view));
        if (const Program* program = find_program(kernel.kernel); program != nullptr && !runs_at_any_launch(*program))
            continue;
        Progress progress;
        const auto answer = run({.program = kernel.kernel,
                                 .n = kernel.n,
                                 .block = kernel.block,
                                 .input = kernel.input,
                                 .view = compiled ? trace::View::compiled : trace::View::written,
                                 .record_blocks = 0},
                                progress);
        ASSERT_TRUE(answer) << answer.error().problem.message();
        const auto& launches = (*answer)->trace().counts;
        ASSERT_EQ(launches.size(), kernel.launches.size());
        for (std::size_t launch = 0; launch < launches.size(); ++launch) {
            trace::Counts counts;
            for (const trace::Counts& epoch : launches[launch]) counts += epoch;
            for (const Counted& what : counted) {
                if (is_explained(kernel, what)) continue;
                const std::uint64_t here = counts.*what.here, there = kernel.launches[launch].*what.there;
                EXPECT_GE(there, here) << what.name << " of launch " << launch + 1;
                EXPECT_LE(there, here + arbitration(what)) << what.name << " of launch " << launch + 1;
            }
        }
    }
}

/// Each operation, as written with generic addresses and as compiled at -O0, on shared memory, on global memory and on
/// both in one warp.
TEST(SweepRecordedAtomics, AreWhatTheEmulatorCounts) {
    const auto text =
        read_file(std::filesystem::path(LANESCOPE_SOURCE_DIR) / "tests/unit/session/data/atomics-h200.json");
    ASSERT_TRUE(text);
    const auto recording = timing::counters_from_json(*text);
    ASSERT_TRUE(recording) << recording.error().message();
    const nlohmann::json sources = nlohmann::json::parse(*text).at("sources");
    const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "atomics.cu";
    for (const timing::CountedKernel& kernel : recording->kernels) {
        SCOPED_TRACE(fmt::format("{} as {}", kernel.kernel, kernel.view));
        std::ofstream source(file);
        for (const nlohmann::json& line : sources.at(kernel.kernel)) source << line.get<std::string>() << '\n';
        source.close();
        Progress progress;
        const auto answer = run({.program = file,
                                 .n = kernel.n,
                                 .block = kernel.block,
                                 .input = kernel.input,
                                 .view = kernel.view == "compiled" ? trace::View::compiled : trace::View::written,
                                 .record_blocks = 32},
                                progress);
        ASSERT_TRUE(answer) << answer.error().problem.message();
        ASSERT_TRUE((*answer)->trace().all_recorded());
        for (const CountedAlike& one : counted_alike(sum(kernel.launches), sum(emulated_counters(**answer))))
            EXPECT_EQ(one.emulator, one.hardware) << one.words;
    }
}

/// The counter of shared atomics has generic ones on global memory, too.
TEST(RecordedCounters, HaveAWavefrontForEachGenericAtomicOnGlobalMemory) {
    std::size_t compared = 0;
    for (const timing::CounterRecording& recorded : shipped_counters()) {
        for (const timing::CountedKernel& kernel : recorded.kernels) {
            if (kernel.view != "written") continue;
            const Program* const program = find_program(kernel.kernel);
            if (program == nullptr || !runs_at_any_launch(*program)) continue;
            const Counters there = sum(kernel.launches);
            if (there.global_atomic_sectors == 0) continue;
            SCOPED_TRACE(kernel.kernel);
            Progress progress;
            const auto answer =
                run({.program = kernel.kernel, .n = kernel.n, .block = kernel.block, .input = kernel.input}, progress);
            ASSERT_TRUE(answer) << answer.error().problem.message();
            const Counters here = sum(emulated_counters(**answer));
            const std::uint64_t of_shared_memory = (*answer)->trace().totals().shared_atomic_wavefronts;
            const bool same_polls = here.global_atomic_sectors == there.global_atomic_sectors;
            const bool has_mbarriers = of_shared_memory > there.shared_atomic_wavefronts;  // which it does not count
            if (!(*answer)->trace().all_recorded() || !same_polls || has_mbarriers) continue;
            EXPECT_EQ(here.shared_atomic_wavefronts, there.shared_atomic_wavefronts);
            EXPECT_GT(here.shared_atomic_wavefronts, of_shared_memory);
            ++compared;
        }
    }
    EXPECT_GE(compared, 15U);
}

}  // namespace
}  // namespace lanescope::session
