#include "session/hardware_counts.h"

#include "analysis/costs.h"
#include "analysis/dataflow/instruction_table.h"
#include "base/embedded.h"
#include "base/grouped.h"
#include "model/device_limits.h"
#include "session/hardware_timeline.h"
#include "session/launch_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lanescope::session {

namespace {

using timing::Counters;

struct Comparable {
    std::uint64_t Counters::*place;
    const char* words;
};
constexpr std::array comparable{
    Comparable{&Counters::shared_load_wavefronts, "wavefronts of shared loads"},
    Comparable{&Counters::shared_store_wavefronts, "wavefronts of shared stores"},
    Comparable{&Counters::shared_atomic_wavefronts, "wavefronts of shared atomics"},
    Comparable{&Counters::global_load_sectors, "sectors of global loads"},
    Comparable{&Counters::global_store_sectors, "sectors of global stores"},
    Comparable{&Counters::global_atomic_sectors, "sectors of global atomics"},
};

struct OptionalComparable {
    std::optional<std::uint64_t> Counters::*place;
    const char* words;
};
/// Compared where both have them. Conflicts of atomics are not: how the hardware counts them has not been measured.
constexpr std::array comparable_conflicts{
    OptionalComparable{&Counters::shared_load_conflicts, "conflicts of shared loads"},
    OptionalComparable{&Counters::shared_store_conflicts, "conflicts of shared stores"},
};

Counters counters_of(const trace::Counts& counts) {
    return {.shared_load_wavefronts = counts.shared_load_wavefronts,
            .shared_store_wavefronts = counts.shared_store_wavefronts,
            .shared_atomic_wavefronts = counts.shared_atomic_wavefronts,
            .global_load_sectors = counts.global_load_sectors,
            .global_store_sectors = counts.global_store_sectors,
            .global_atomic_sectors = counts.global_atomic_sectors,
            .warp_instructions = counts.warp_instructions,
            .thread_instructions = counts.thread_instructions,
            .active_thread_instructions = counts.active_thread_instructions};
}

}  // namespace

std::vector<Counters> emulated_counters(const Run& run) {
    const trace::Trace& trace = run.trace();
    std::vector<Counters> launches;
    const analysis::InstructionTable instructions(run.module(), trace.registers);
    const std::vector<std::optional<analysis::SharedConflicts>> conflicts =
        analysis::shared_conflicts(trace, instructions);
    const std::vector<std::optional<std::uint64_t>> generic = analysis::generic_atomic_wavefronts(trace, instructions);
    for (std::size_t i = 0; i < trace.counts.size(); ++i) {
        trace::Counts launch;
        for (const trace::Counts& epoch : trace.counts[i]) launch += epoch;
        Counters& counters = launches.emplace_back(counters_of(launch));
        if (i >= conflicts.size() || !conflicts[i]) continue;  // not all of its blocks are recorded
        counters.shared_atomic_wavefronts += *generic[i];
        counters.shared_load_conflicts = conflicts[i]->loads;
        counters.shared_store_conflicts = conflicts[i]->stores;
    }
    return launches;
}

Counters sum(const std::vector<Counters>& launches) {
    if (launches.empty()) return {};
    Counters total = launches.front();
    for (std::size_t i = 1; i < launches.size(); ++i) total += launches[i];
    return total;
}

std::vector<CountedAlike> counted_alike(const Counters& hardware, const Counters& emulator) {
    std::vector<CountedAlike> all;
    all.reserve(comparable.size() + comparable_conflicts.size());
    for (const Comparable& one : comparable) all.push_back({one.words, hardware.*one.place, emulator.*one.place});
    for (const OptionalComparable& one : comparable_conflicts)
        if (hardware.*one.place && emulator.*one.place)
            all.push_back({one.words, *(hardware.*one.place), *(emulator.*one.place)});
    return all;
}

bool are_equal(const Counters& hardware, const Counters& emulator) {
    return std::ranges::all_of(counted_alike(hardware, emulator),
                               [](const CountedAlike& one) { return one.hardware == one.emulator; });
}

std::string differences_text(const CountedBuild& build) {
    std::vector<std::string> parts;
    for (const CountedAlike& one : counted_alike(build.hardware, build.emulator))
        if (one.hardware != one.emulator)
            parts.push_back(
                fmt::format("{} {}, the emulator {}", grouped(one.hardware), one.words, grouped(one.emulator)));
    return fmt::format("{}", fmt::join(parts, "; "));
}

DifferenceCause cause_of_difference(const CountedBuild& build, const CountedBuild* unoptimized) {
    using enum DifferenceCause;
    const Counters &here = build.emulator, &there = build.hardware;
    if (are_equal(there, here)) return none;
    const auto differs = [&](std::uint64_t Counters::*place) { return here.*place != there.*place; };
    const bool compiled = build.view == trace::View::compiled;
    if (build.optimized && compiled && unoptimized != nullptr &&
        are_equal(unoptimized->hardware, unoptimized->emulator))
        return compiler;
    if (differs(&Counters::global_load_sectors) || differs(&Counters::global_atomic_sectors)) return waiting;
    if (differs(&Counters::shared_atomic_wavefronts) && here.shared_atomic_wavefronts == 0) return generic_atomics;
    // A round is a load and a swap, so that both are more, or both fewer.
    const auto is_more = [&](std::uint64_t Counters::*place) { return here.*place < there.*place; };
    if (differs(&Counters::shared_atomic_wavefronts) && differs(&Counters::shared_load_wavefronts) &&
        is_more(&Counters::shared_atomic_wavefronts) == is_more(&Counters::shared_load_wavefronts))
        return swap_loops;
    if (!compiled && here.shared_load_wavefronts < there.shared_load_wavefronts) return generic_accesses;
    const bool more = here.shared_load_wavefronts < there.shared_load_wavefronts ||
                      here.shared_store_wavefronts < there.shared_store_wavefronts;
    if (more && here.shared_load_wavefronts <= there.shared_load_wavefronts) return arbitration;
    const bool conflicts_alone =
        std::ranges::all_of(comparable, [&](const Comparable& one) { return here.*one.place == there.*one.place; });
    return conflicts_alone ? widths : none;
}

std::string text_of(DifferenceCause cause) {
    using enum DifferenceCause;
    switch (cause) {
        case none: return {};
        case compiler:
            return "The driver's compiler merged, moved or removed accesses of the PTX: at -O0 all are equal.";
        case waiting: return "A thread that waits for another iterates an undetermined number of times.";
        case generic_atomics: return "A generic atomic counts as shared, even where its address is global.";
        case generic_accesses:  // measured (app/model/README.md): by instruction they equal the emulator's
            return "As written, loads and stores are generic; where many warps do both between two barriers, they "
                   "stall each other in the pipeline. Counted by instruction they equal the emulator's, and so they "
                   "do with a barrier between reading and writing.";
        case swap_loops:
            return "Some atomics are a loop of load and compare-and-swap: a lane loops again where another warp has "
                   "changed the word in between, and a 64-bit minimum or maximum that changes nothing is left without "
                   "a swap. The emulator counts one swap a lane.";
        case arbitration: return "Arbitration between warps adds a wavefront now and then.";
        case widths:
            return "The wavefronts are equal, but SASS accesses are wider or narrower than the PTX's, and need more or "
                   "fewer wavefronts without a conflict.";
    }
    return {};
}

namespace {

/// An access that the hardware's counters leave out, where they have none of its kind: other atomics would be there.
std::string uncounted_text(const CountedBuild& build) {
    const Counters &here = build.emulator, &there = build.hardware;
    if (there.shared_atomic_wavefronts != 0 || here.shared_atomic_wavefronts == 0) return {};
    return here.shared_store_wavefronts > there.shared_store_wavefronts
               ? "The emulator counts operations on mbarriers as shared atomics and cp.async as shared stores; the GPU "
                 "executes both in other units, and its counters have neither."
               : "The emulator counts operations on mbarriers as shared atomics; the GPU executes them in another "
                 "unit, and its counters do not have them.";
}

}  // namespace

std::string why_they_differ(const CountedBuild& build, const CountedBuild* unoptimized) {
    const std::string differences = differences_text(build);
    if (differences.empty()) return {};
    std::string text = differences + ".";
    if (const std::string cause = text_of(cause_of_difference(build, unoptimized)); !cause.empty()) text += " " + cause;
    const std::string uncounted = uncounted_text(build);
    return uncounted.empty() ? text : text + " " + uncounted;
}

const std::vector<timing::CounterRecording>& shipped_counters() {
    static const std::vector<timing::CounterRecording> all = [] {
        std::vector<timing::CounterRecording> found;
        for (const EmbeddedFile& file : embedded_files()) {
            if (!file.path.starts_with("assets/recordings/counters/")) continue;
            auto recording = timing::counters_from_json(std::string(file.bytes));
            if (recording) found.push_back(*std::move(recording));
        }
        // The emulated device's come first. A later one may count what an earlier one lacks; it does not replace what
        // that one has.
        std::ranges::stable_sort(found, {}, [](const timing::CounterRecording& recording) {
            return std::pair(!model::is_emulated_gpu(recording.device), recording.date);
        });
        return found;
    }();
    return all;
}

std::optional<HardwareCounts> hardware_counts(const Run& run) {
    const std::string view = name_of(run.trace().origin.view);
    const Counters emulator = counters_of(run.trace().totals());
    for (const timing::CounterRecording& recording : shipped_counters()) {
        HardwareCounts found{.device = recording.device,
                             .origin = fmt::format("{}, by `{}`", recording.software(), recording.command)};
        for (const timing::CountedKernel& kernel : recording.kernels) {
            if (kernel.kernel != run.trace().origin.program || kernel.view != view) continue;
            found.n = kernel.n;
            found.block = kernel.block;
            found.input = kernel.input;
            const CountedBuild build{.kernel = kernel.kernel,
                                     .view = run.trace().origin.view,
                                     .optimized = kernel.optimized,
                                     .hardware = sum(kernel.launches),
                                     .emulator = emulator};
            found.builds.push_back(build);
        }
        if (found.builds.empty()) continue;
        std::ranges::stable_sort(found.builds, {}, &CountedBuild::optimized);
        found.same_launch = found.n == run.n && found.block == run.block && found.input == data_text(run) &&
                            run.trace().origin.banks == model::emulated_device().banks;
        if (run.request.grid || run.request.grid_extent) found.same_launch = false;
        if (!found.same_launch) {
            found.instead = how_run_differs(run, RecordedLaunch{view, found.n, found.block, found.input});
            if (found.instead.empty()) found.instead = "a grid or memory banks of its own";
        }
        const bool has_conflicts = std::ranges::any_of(found.builds, [](const CountedBuild& build) {
            return build.hardware.shared_load_conflicts || build.hardware.shared_store_conflicts;
        });
        const bool has_atomics = emulator.global_atomic_sectors != 0;
        if (has_conflicts || has_atomics) {  // which takes a walk over the steps
            const Counters whole = sum(emulated_counters(run));
            for (CountedBuild& build : found.builds) build.emulator = whole;
        }
        const CountedBuild* const unoptimized = found.builds.front().optimized ? nullptr : &found.builds.front();
        for (const CountedBuild& build : found.builds)
            found.why.push_back(found.same_launch ? why_they_differ(build, unoptimized) : std::string());
        return found;
    }
    return std::nullopt;
}

}  // namespace lanescope::session
