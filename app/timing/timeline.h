// When and on which multiprocessor the blocks of a kernel's launches ran on a GPU, as kept and shown. No CUDA.
//
// Times are readings of %globaltimer, one clock for the whole device, in nanoseconds after the first stamp of all
// launches; the clock's step on the device is kept, too. Cycles are those of the block's own multiprocessor.
#pragma once

#include "base/result.h"
#include "timing/measurement.h"
#include "timing/recording_header.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::timing {

/// At a block barrier or at an mbarrier, in cycles after the first warp of the block began.
struct TimelineWait {
    std::uint64_t arrived = 0, went_on = 0;
    bool mbarrier = false;
    friend bool operator==(const TimelineWait&, const TimelineWait&) = default;
};

/// In cycles after the first warp of its block began.
struct TimelineWarp {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t waits_in_all = 0;   ///< at least as many as are kept
    std::vector<TimelineWait> waits;  ///< the first waits, in order
    friend bool operator==(const TimelineWarp&, const TimelineWarp&) = default;

    /// Cycles in the kept waits.
    [[nodiscard]] std::uint64_t waited() const;
};

struct TimelineBlock {
    std::uint64_t begin = 0, end = 0;  ///< of its first warp; of its last one
    std::uint64_t cycles = 0;
    std::uint32_t multiprocessor = 0;             ///< %smid
    std::uint64_t polled_cycles = 0;              ///< in iterations of a polling loop that found nothing new, of the
                                                  ///< thread with the most; 0: none
    std::uint64_t first_poll = 0, last_poll = 0;  ///< when the first and the last such iteration ended
    std::vector<TimelineWarp> warps;              ///< where waits were recorded; otherwise empty
    friend bool operator==(const TimelineBlock&, const TimelineBlock&) = default;
};

struct TimelineLaunch {
    std::string kernel;
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::vector<TimelineBlock> blocks;  ///< by linear index
    friend bool operator==(const TimelineLaunch&, const TimelineLaunch&) = default;

    [[nodiscard]] std::uint64_t threads() const { return std::uint64_t{block[0]} * block[1] * block[2]; }
};

/// One run of a program.
struct Timeline {
    std::string kernel;  ///< name in the catalog, or file
    std::string view;    ///< "written", "compiled"
    std::uint64_t n = 0;
    std::uint32_t block = 0;
    std::string input;
    std::uint32_t multiprocessors = 0;  ///< of the device
    std::uint64_t step = 0;             ///< of %globaltimer, nanoseconds: times are multiples of it
    unsigned runs = 0;                  ///< number of runs; this is the one of median length
    Spread plain, stamped;              ///< the program's time without stamps, and with them
    unsigned polling_loops = 0;         ///< loops whose iterations were timed
    std::string polls_not_timed;        ///< a sentence: why other loops were not; empty: there are none
    unsigned waits = 0;                 ///< the most waits kept of each warp; 0: waits were not recorded
    std::string waits_not_timed;        ///< the same for waits
    std::uint64_t incomplete = 0;       ///< blocks with a warp whose end was not stamped
    std::vector<TimelineLaunch> launches;
    friend bool operator==(const Timeline&, const Timeline&) = default;

    [[nodiscard]] std::uint64_t end() const;  ///< when the last block ended
};

struct TimelineRecording : RecordingHeader {
    std::vector<Timeline> timelines;
    friend bool operator==(const TimelineRecording&, const TimelineRecording&) = default;
};

/// Facts about all blocks of a launch.
struct TimelineFacts {
    std::uint64_t begin = 0, end = 0;   ///< of the launch
    std::uint32_t multiprocessors = 0;  ///< those that ran a block of the launch
    std::uint64_t least = 0, most = 0;  ///< the fewest and the most blocks that one of these ran
    std::uint64_t resident = 0;         ///< the most blocks at once on one multiprocessor
    std::uint64_t resident_in_all = 0;  ///< the most at once on the device
    double waves = 0;                   ///< blocks / resident_in_all
    double block_time = 0;              ///< median time of a block, nanoseconds
    std::uint64_t polled_blocks = 0;    ///< with failed polls
    /// Cycles of failed polls / cycles of all blocks.
    double polled_share = 0;
    /// Cycles of kept waits at barriers / cycles of all warps with such waits; nothing where none were recorded.
    std::optional<double> waited_share;
};
/// At least one block.
[[nodiscard]] TimelineFacts facts_of(const TimelineLaunch& launch);

/// When a warp executed the code after `waits` of its waits, or was in the next wait: from and to, in nanoseconds of
/// the device's clock, computed from its cycles. Nothing where that was not kept.
[[nodiscard]] std::optional<std::pair<double, double>> moment_of(const TimelineBlock& block, std::size_t warp,
                                                                 std::uint64_t waits, bool waiting);

/// The number of warps that waited more often than their recording has room for.
[[nodiscard]] std::uint64_t warps_cut_short(const Timeline& timeline);

/// The multiprocessors that ran blocks, and the place on its multiprocessor that each block took: the first one that
/// was free when it began.
struct TimelinePlaces {
    struct Place {
        std::uint32_t row = 0;    ///< index in `multiprocessors`
        std::uint32_t place = 0;  ///< from 0
        friend bool operator==(const Place&, const Place&) = default;
    };
    std::vector<std::uint32_t> multiprocessors;  ///< ascending
    std::vector<std::vector<Place>> blocks;      ///< by launch and block
    std::uint32_t most = 1;                      ///< places of one multiprocessor
};
[[nodiscard]] TimelinePlaces places_of(const Timeline& timeline);

/// One timeline as a line, for the process that runs the GPU to pass to the one that reports.
[[nodiscard]] std::string to_line(const Timeline& timeline);
[[nodiscard]] Result<Timeline> timeline_from_line(const std::string& line);

[[nodiscard]] std::string to_json(const TimelineRecording& recording);
[[nodiscard]] Result<TimelineRecording> timelines_from_json(const std::string& text);

/// Shared, because they are large.
using TimelineRecordings = std::vector<std::shared_ptr<const TimelineRecording>>;
/// The timelines that ship with the program, read once; those of the emulated device come first.
[[nodiscard]] const TimelineRecordings& shipped_timelines();
/// The user's own timelines, which are read again on each call, then those that ship.
[[nodiscard]] TimelineRecordings all_timelines();

}  // namespace lanescope::timing
