#include "session/hardware_counts.h"

#include "base/embedded.h"
#include "session/request_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

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

std::vector<Counters> emulated_counters(const trace::Trace& trace) {
    std::vector<Counters> launches;
    for (const std::vector<trace::Counts>& epochs : trace.counts) {
        trace::Counts launch;
        for (const trace::Counts& epoch : epochs) launch += epoch;
        launches.push_back(counters_of(launch));
    }
    return launches;
}

Counters sum(const std::vector<Counters>& launches) {
    Counters total;
    for (const Counters& launch : launches) total += launch;
    return total;
}

std::vector<CountedAlike> counted_alike(const Counters& hardware, const Counters& emulator) {
    std::vector<CountedAlike> all;
    all.reserve(comparable.size());
    for (const Comparable& one : comparable) all.push_back({one.words, hardware.*one.place, emulator.*one.place});
    return all;
}

bool are_equal(const Counters& hardware, const Counters& emulator) {
    return std::ranges::all_of(comparable,
                               [&](const Comparable& one) { return hardware.*one.place == emulator.*one.place; });
}

std::string why_they_differ(const CountedBuild& build, const CountedBuild* unoptimised) {
    const Counters &here = build.emulator, &there = build.hardware;
    if (are_equal(there, here)) return {};
    std::vector<std::string> parts;
    for (const CountedAlike& one : counted_alike(there, here))
        if (one.hardware != one.emulator)
            parts.push_back(fmt::format("{} {}, the emulator {}", one.hardware, one.words, one.emulator));
    const std::string told = fmt::format("{}", fmt::join(parts, "; "));
    const auto differs = [&](std::uint64_t Counters::*place) { return here.*place != there.*place; };
    const bool compiled = build.view == trace::View::compiled;
    if (build.optimised && compiled && unoptimised != nullptr &&
        are_equal(unoptimised->hardware, unoptimised->emulator))
        return told + ". The driver's compiler merged, moved or left out accesses of the PTX: at -O0 all are equal.";
    if (differs(&Counters::global_load_sectors) || differs(&Counters::global_atomic_sectors))
        return told + ". A thread that waits for another goes round as often as it happens to.";
    if (differs(&Counters::shared_atomic_wavefronts) && here.shared_atomic_wavefronts == 0)
        return told + ". A generic atomic counts among those of shared memory, also where its address is global.";
    // Measured (README.md, "How conflicts are counted"): by instruction there are as many as emulated.
    if (!compiled && here.shared_load_wavefronts < there.shared_load_wavefronts)
        return told +
               ". As written, loads and stores are generic; where many warps do both between two barriers, they get in "
               "each other's way in the pipeline. Counted by instruction they are as many as emulated, and with a "
               "barrier between reading and writing, too.";
    const bool more = here.shared_load_wavefronts < there.shared_load_wavefronts ||
                      here.shared_store_wavefronts < there.shared_store_wavefronts;
    if (more && here.shared_load_wavefronts <= there.shared_load_wavefronts)
        return told + ". Arbitration between warps adds a wavefront now and then.";
    return told + ".";
}

const std::vector<timing::CounterRecording>& shipped_counters() {
    static const std::vector<timing::CounterRecording> all = [] {
        std::vector<timing::CounterRecording> found;
        for (const EmbeddedFile& file : embedded_files()) {
            if (!file.path.starts_with("assets/recordings/counters/")) continue;
            auto recording = timing::counters_from_json(std::string(file.bytes));
            if (recording) found.push_back(*std::move(recording));
        }
        return found;
    }();
    return all;
}

std::optional<HardwareCounts> hardware_counts(const Run& run) {
    const std::string view = name_of(run.trace().origin.view);
    const Counters emulator = counters_of(run.trace().totals());
    for (const timing::CounterRecording& recording : shipped_counters()) {
        HardwareCounts found{.device = recording.device,
                             .told = fmt::format("driver {}, {}, {}, by `{}`", recording.driver, recording.toolkit,
                                                 recording.date, recording.command)};
        for (const timing::CountedKernel& kernel : recording.kernels) {
            if (kernel.kernel != run.trace().origin.program || kernel.view != view) continue;
            found.n = kernel.n;
            found.block = kernel.block;
            found.input = kernel.input;
            const CountedBuild build{.kernel = kernel.kernel,
                                     .view = run.trace().origin.view,
                                     .optimised = kernel.optimised,
                                     .hardware = sum(kernel.launches),
                                     .emulator = emulator};
            found.builds.push_back(build);
        }
        if (found.builds.empty()) continue;
        std::ranges::stable_sort(found.builds, {}, &CountedBuild::optimised);
        found.same_launch =
            found.n == run.n && found.block == run.block && found.input == run.input && run.trace().origin.banks == 32;
        const CountedBuild* const unoptimised = found.builds.front().optimised ? nullptr : &found.builds.front();
        for (const CountedBuild& build : found.builds)
            found.why.push_back(found.same_launch ? why_they_differ(build, unoptimised) : std::string());
        return found;
    }
    return std::nullopt;
}

}  // namespace lanescope::session
