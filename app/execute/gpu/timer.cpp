#include "execute/gpu/timer.h"

#include "execute/gpu/delay.h"
#include "execute/gpu/device.h"
#include "execute/gpu/prepared.h"

#include <algorithm>
#include <numeric>

namespace lanescope::execute {

namespace {

/// The groups of launches that are timed together: all, or each one separately if the host works between them.
struct Piece {
    std::size_t first = 0, past_last = 0;
};
std::vector<Piece> pieces_of(const GpuProgram& program) {
    if (!program.host_between()) return {{0, program.launches.size()}};
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < program.launches.size(); ++i) pieces.push_back({i, i + 1});
    return pieces;
}

class Timer {
  public:
    Timer(const Prepared& prepared, const GpuProgram& program, const Clock& clock)
        : prepared_(prepared), pieces_(pieces_of(program)), clock_(clock) {}

    /// The whole program on one copy of the buffers. Waits only for the host's work.
    [[nodiscard]] Result<void> run(unsigned copy) const {
        for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
            const auto [first, past_last] = pieces_[piece];
            if (const auto done = prepared_.write(first, copy); !done) return done;
            const std::size_t pair = copy * pieces_.size() + piece;
            clock_.start(pair);
            for (std::size_t launch = first; launch < past_last; ++launch)
                if (const auto done = prepared_.launch(launch, copy); !done) return done;
            clock_.stop(pair);
        }
        return {};
    }

    /// The time of the last run on a copy, after the device has finished.
    [[nodiscard]] Result<double> microseconds(unsigned copy) const {
        double sum = 0;
        for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
            const auto time = clock_.microseconds(copy * pieces_.size() + piece);
            if (!time) return time;
            sum += *time;
        }
        return sum;
    }

  private:
    const Prepared& prepared_;
    std::vector<Piece> pieces_;
    const Clock& clock_;
};

}  // namespace

Result<Timed> time_program(const Device& device, const GpuProgram& program, const TimerOptions& options,
                           Progress& progress, Contender* beside) {
    const auto prepared = Prepared::make(device, program);
    if (!prepared) return std::unexpected(prepared.error());
    const auto clock = Clock::make(device, prepared->copies() * pieces_of(program).size());
    if (!clock) return std::unexpected(clock.error());
    // If all copies of a round fit in the L2 cache, other memory is written before the round. Otherwise they evict each
    // other, and writing other memory would only add write-backs to the timed part.
    const std::uint64_t past_cache = device.facts().past_cache_bytes();
    const bool evict = std::min(prepared->copies(), options.samples) * prepared->bytes_of_copy() < past_cache;
    const auto other = DeviceMemory::allocate(device, evict ? past_cache : 1);
    if (!other) return std::unexpected(other.error());
    const auto delay = Delay::make(device);
    if (!delay) return std::unexpected(delay.error());
    const auto clock_beside = Clock::make(device, beside != nullptr ? prepared->copies() : 1);
    if (!clock_beside) return std::unexpected(clock_beside.error());
    if (beside != nullptr) {
        if (const auto done = beside->prepare(prepared->copies()); !done) return std::unexpected(done.error());
    }
    const Timer timer(*prepared, program, *clock);
    Timed timed;
    timed.copies = prepared->copies();

    // The first copies, one for each run, are restored together, so that the timed runs follow one another.
    const auto ours = [&](unsigned runs) -> Result<std::vector<double>> {
        Result<void> done;
        for (unsigned copy = 0; copy < runs && done; ++copy) done = prepared->restore(copy);
        if (evict && done) done = other->fill(0, 0, past_cache);
        // A launch and two events for each piece, and what restores the variables.
        if (done) done = delay->start(runs * (4 * program.launches.size() + 2 * program.variables.size()));
        for (unsigned copy = 0; copy < runs && done; ++copy) {
            done = prepared->restore_variables();
            if (done) done = timer.run(copy);
        }
        if (done) done = device.finish();
        std::vector<double> times;
        for (unsigned copy = 0; copy < runs && done; ++copy) {
            const auto time = timer.microseconds(copy);
            if (!time) return std::unexpected(time.error());
            times.push_back(*time);
        }
        if (!done) return std::unexpected(done.error());
        return times;
    };

    const auto theirs = [&](unsigned runs) -> Result<std::vector<double>> {
        constexpr std::size_t calls_of_run = 8;  // launches of a library's function, and two events
        Result<void> done;
        if (evict) done = other->fill(0, 0, past_cache);
        if (done) done = delay->start(runs * calls_of_run);
        for (unsigned copy = 0; copy < runs && done; ++copy) {
            clock_beside->start(copy);
            done = beside->run(copy);
            clock_beside->stop(copy);
        }
        if (done) done = device.finish();
        std::vector<double> times;
        for (unsigned copy = 0; copy < runs && done; ++copy) {
            const auto time = clock_beside->microseconds(copy);
            if (!time) return std::unexpected(time.error());
            times.push_back(*time);
        }
        if (!done) return std::unexpected(done.error());
        return times;
    };
    bool theirs_first = false;
    const auto round = [&](unsigned runs) -> Result<std::vector<double>> {
        if (beside == nullptr) return ours(runs);
        Result<std::vector<double>> own, other_times;
        if (theirs_first) other_times = theirs(runs);
        own = ours(runs);
        if (!theirs_first) other_times = theirs(runs);
        theirs_first = !theirs_first;
        if (!own || !other_times) return own ? other_times : own;
        timed.beside.insert(timed.beside.end(), other_times->begin(), other_times->end());
        return own;
    };

    unsigned least = options.least_samples;
    for (unsigned i = 0; i < std::max(options.warm_ups, 1U) && !progress.cancelled(); ++i) {
        const auto time = round(1);
        if (!time) return std::unexpected(time.error());
        if (i > 0) continue;
        auto results = prepared->results(0);
        if (!results) return std::unexpected(results.error());
        timed.results = std::move(*results);
        if (time->front() * least <= options.longest) continue;
        // A long run warms up by itself, and three runs suffice for a median.
        if (time->front() > options.longest) least = std::min(least, 3U);
        break;
    }
    timed.beside.clear();
    double spent = 0;
    while (timed.microseconds.size() < options.samples && !progress.cancelled()) {
        const std::size_t left = options.samples - timed.microseconds.size();
        const auto times = round(static_cast<unsigned>(std::min<std::size_t>(timed.copies, left)));
        if (!times) return std::unexpected(times.error());
        timed.microseconds.insert(timed.microseconds.end(), times->begin(), times->end());
        spent = std::accumulate(times->begin(), times->end(), spent);
        if (spent > options.longest && timed.microseconds.size() >= least) break;
    }
    return timed;
}

}  // namespace lanescope::execute
