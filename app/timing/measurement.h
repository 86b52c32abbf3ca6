// How long things took on a GPU, as it is kept and shown: samples, their statistics, a recording as a file. No CUDA.
#pragma once

#include "base/result.h"
#include "timing/recording_header.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::timing {

/// Of one thing timed again and again; in microseconds. Percentiles are nearest-rank.
struct Spread {
    double median = 0, least = 0, p10 = 0, p90 = 0;
    std::size_t samples = 0;  ///< 0: a document's one number, without a spread
    friend bool operator==(const Spread&, const Spread&) = default;
};
/// At least one sample.
[[nodiscard]] Spread spread_of(std::vector<double> samples);

/// What one run costs by the emulator's count, all launches and all blocks; names as trace::Counts has them.
struct Counts {
    std::uint64_t instructions = 0;  ///< warp instructions issued
    std::uint64_t wavefronts = 0;    ///< of shared memory
    std::uint64_t sectors = 0;       ///< of 32 bytes, of global memory
    std::uint64_t barriers = 0;      ///< of blocks
    std::uint64_t applications = 0;  ///< of the operator
    friend bool operator==(const Counts&, const Counts&) = default;
};

/// What a document prints beside a time that it rounds.
struct Printed {
    double bandwidth = 0;             ///< GB/s
    double step = 0, cumulative = 0;  ///< speed-ups; 0: none, of the first
    friend bool operator==(const Printed&, const Printed&) = default;
};

/// One algorithm at one size.
struct Point {
    std::string kernel;          ///< catalog name or file
    std::string element;         ///< "int"
    std::uint64_t n = 0;         ///< elements
    std::uint32_t block = 0;     ///< threads
    std::uint64_t grid = 0;      ///< blocks, of the first launch; 0: not told
    std::uint32_t launches = 1;  ///< 0: not told
    std::uint64_t bytes = 0;     ///< that must be read or written: the effective bandwidth's
    Spread time;                 ///< from before the first launch to behind the last
    bool agrees = true;          ///< the result is as it should be, by what it was held against:
    /// "emulator" bit for bit, where n is small enough to emulate; "oracle", the CPU's, bit for bit; "rounding", floats
    /// within what another order of adding can make; empty: nothing was there to compare with.
    std::string check = "emulator";
    bool until_one = false;  ///< launched again on its partial results until one was left; `launches` counts all
    bool apart = false;      ///< the host works between the launches: they are timed one by one, and added
    double overhead = 0;     ///< of a launch of an empty kernel in the same run, median; 0: not told
    std::optional<Counts> counts;
    std::optional<Printed> printed;
    /// Elements for each thread of the first launch; 0: not told.
    [[nodiscard]] double per_thread() const {
        const double threads = static_cast<double>(grid) * block;
        return threads > 0 ? static_cast<double>(n) / threads : 0;
    }
    /// Whether both are of the same algorithm, size and launch.
    [[nodiscard]] bool same_as(const Point& other) const {
        return kernel == other.kernel && element == other.element && n == other.n && block == other.block &&
               grid == other.grid && until_one == other.until_one;
    }
    /// Effective bandwidth in GB/s: bytes over the median, or as printed.
    [[nodiscard]] double bandwidth() const {
        if (printed) return printed->bandwidth;
        return time.median > 0 ? static_cast<double>(bytes) / time.median / 1e3 : 0;
    }
    friend bool operator==(const Point&, const Point&) = default;
};

/// What was asked for and not measured.
struct Omission {
    std::string kernel, element;  ///< empty: it is about the whole run
    std::uint64_t n = 0;
    std::uint32_t block = 0;
    std::string what, remedy;  ///< as in base/result.h
    bool fault = false;        ///< it is the kernel's: found by the emulator, or it faulted or hung on the GPU
    friend bool operator==(const Omission&, const Omission&) = default;
};

/// What was measured together on one device. Numbers of the device are 0 where the driver does not tell them.
struct Recording : RecordingHeader {
    std::string note;     ///< what else is to be known of it, a sentence; mostly empty
    std::string library;  ///< beside which ours were timed: "CUB 3.0.1, nvcc 13.0.88"; empty: none, or not told
    std::uint64_t l2_bytes = 0;
    double peak = 0;           ///< GB/s, as bus width and clock say; 0: not known
    std::string peak_formula;  ///< how: "512/8 x 1.14 GHz x 2"; empty: not known
    unsigned arch = 0;         ///< compute capability: 90
    unsigned processors = 0;   ///< streaming multiprocessors
    unsigned clock_mhz = 0;    ///< of the processors, the highest
    std::uint64_t memory_bytes = 0;
    Spread overhead;  ///< of a launch of an empty kernel, the last time that it was measured
    struct Copy {
        std::uint64_t bytes = 0;  ///< read, and written once more
        Spread time;
        [[nodiscard]] double bandwidth() const {
            return time.median > 0 ? 2.0 * static_cast<double>(bytes) / time.median / 1e3 : 0;
        }
        friend bool operator==(const Copy&, const Copy&) = default;
    };
    std::vector<Copy> copies;  ///< from device memory to device memory: a ceiling
    /// A kernel that reads and does nothing else: the other ceiling.
    struct Sweep {
        std::uint64_t bytes = 0;
        std::string shape;  ///< the best of those tried: "1056 blocks of 512, 16 bytes a load, 4 in flight"
        Spread time;
        [[nodiscard]] double bandwidth() const {
            return time.median > 0 ? static_cast<double>(bytes) / time.median / 1e3 : 0;
        }
        friend bool operator==(const Sweep&, const Sweep&) = default;
    };
    std::vector<Sweep> sweeps;
    std::vector<Point> points;
    std::vector<Omission> omissions;
    friend bool operator==(const Recording&, const Recording&) = default;
};

/// What a recording lacks, and why, in as few sentences as say it: the omissions of one kernel that have one reason.
struct OmissionGroup {
    std::string kernel;
    std::vector<std::uint64_t> n;      ///< growing, each once
    std::vector<std::uint32_t> block;  ///< likewise
    std::string why;                   ///< the first one's, with its remedy
    std::size_t count = 0;
    bool fault = false;
};

/// In the order of the recording. Of one kernel and one remedy are together, whatever sizes their sentences name.
[[nodiscard]] std::vector<OmissionGroup> omission_groups(const Recording& recording);

/// `name` among `names`, "one and another": once, at the end.
void add_name(std::string& names, const std::string& name);

/// JSON, one format: see app/timing/README.md.
[[nodiscard]] std::string to_json(const Recording& recording);
/// Fails with what is wrong with it, and for a newer format.
[[nodiscard]] Result<Recording> from_json(const std::string& text, const std::string& name);

}  // namespace lanescope::timing
