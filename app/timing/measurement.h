// Times measured on a GPU, as they are kept and shown: samples, their statistics, a recording as a file. No CUDA.
#pragma once

#include "base/result.h"
#include "timing/recording_header.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::timing {

/// The times of repeated runs, microseconds. Percentiles are nearest-rank.
struct Spread {
    double median = 0, least = 0, p10 = 0, p90 = 0;
    std::size_t samples = 0;  ///< 0: a single number from a document, without a spread
    friend bool operator==(const Spread&, const Spread&) = default;
};
/// At least one sample.
[[nodiscard]] Spread spread_of(std::vector<double> samples);

/// "38.50 µs", "1.240 ms".
[[nodiscard]] std::string time_text(double microseconds);

/// "1.19 times as fast" for a gain of 1.19, "1.30 times as slow" for 1/1.30; "equally fast" where it rounds to 1.00.
[[nodiscard]] std::string gain_text(double gain);

/// The cost of one run by the emulator's count, all launches and all blocks; names as trace::Counts has them.
struct CostCounts {
    std::uint64_t instructions = 0;  ///< warp instructions issued
    std::uint64_t wavefronts = 0;    ///< of shared memory
    std::uint64_t sectors = 0;       ///< of 32 bytes, of global memory
    std::uint64_t barriers = 0;      ///< of blocks
    std::uint64_t operations = 0;    ///< lanes that combined two values which both depend on input data
    /// Warp instructions with an atomic operation on the most accessed word of global memory, which are serialized;
    /// summed over the launches.
    std::uint64_t atomics_at_one_word = 0;
    friend bool operator==(const CostCounts&, const CostCounts&) = default;
};

/// The rounded values that a document prints beside a time.
struct Printed {
    double bandwidth = 0;             ///< GB/s
    double step = 0, cumulative = 0;  ///< speed-ups; 0: none is printed, or it is the first step
    friend bool operator==(const Printed&, const Printed&) = default;
};

/// A library's function for the same task, timed in the same rounds.
struct Beside {
    std::string name;  ///< "cub::DeviceScan"
    Spread time;
    friend bool operator==(const Beside&, const Beside&) = default;
};

/// One algorithm at one size.
struct Point {
    std::string kernel;          ///< catalog name or file
    std::string element;         ///< "int"
    std::uint64_t n = 0;         ///< elements
    std::uint32_t block = 0;     ///< threads
    std::uint64_t grid = 0;      ///< blocks, of the first launch; 0: unknown
    std::uint32_t launches = 1;  ///< 0: unknown
    std::uint64_t bytes = 0;     ///< that must be read or written, for the effective bandwidth
    Spread time;                 ///< from before the first launch to after the last
    bool agrees = true;          ///< the result is correct, by `check`:
    /// "emulator" bit for bit, where n is small enough to emulate; "oracle", the CPU's, bit for bit; "rounding", floats
    /// within the rounding error of another order of additions; empty: it was not compared.
    std::string check = "emulator";
    bool until_one = false;  ///< launched again on its partial results until one was left; `launches` counts all
    bool apart = false;      ///< the host works between the launches, so these are timed separately and added
    double overhead = 0;     ///< of a launch of an empty kernel in the same run, median; 0: unknown
    std::optional<CostCounts> counts;
    std::optional<Printed> printed;
    std::optional<Beside> beside;
    /// Elements for each thread of the first launch; 0: unknown.
    [[nodiscard]] double per_thread() const {
        const double threads = static_cast<double>(grid) * block;
        return threads > 0 ? static_cast<double>(n) / threads : 0;
    }
    /// Are both points of the same algorithm, size and launch?
    [[nodiscard]] bool same_as(const Point& other) const {
        return kernel == other.kernel && element == other.element && n == other.n && block == other.block &&
               grid == other.grid && until_one == other.until_one;
    }
    /// Effective bandwidth in GB/s: bytes over the median, or as printed.
    [[nodiscard]] double bandwidth() const {
        if (printed) return printed->bandwidth;
        return time.median > 0 ? static_cast<double>(bytes) / time.median / 1e3 : 0;
    }
    /// Its median time / that of the library's function in the same rounds. Only with `beside`.
    [[nodiscard]] double over_library() const { return time.median / beside->time.median; }
    friend bool operator==(const Point&, const Point&) = default;
};

/// A requested measurement that was not made.
struct Omission {
    std::string kernel, element;  ///< empty: the omission is of the whole run
    std::uint64_t n = 0;
    std::uint32_t block = 0;
    std::string what, remedy;  ///< as in base/result.h
    bool fault = false;        ///< the emulator has a finding, or the kernel faulted or hung on the GPU
    friend bool operator==(const Omission&, const Omission&) = default;
};

/// Measurements made together on one device. Properties of the device are 0 where the driver does not report them.
struct Recording : RecordingHeader {
    std::string note;     ///< a remark, one sentence; mostly empty
    std::string library;  ///< timed in the same rounds: "CUB 3.0.1, nvcc 13.0.88"; empty: none, or unknown
    std::uint64_t l2_bytes = 0;
    double peak = 0;           ///< GB/s, from bus width and clock; 0: unknown
    std::string peak_formula;  ///< "512/8 x 1.14 GHz x 2"; empty: unknown
    unsigned arch = 0;         ///< compute capability: 90
    unsigned processors = 0;   ///< streaming multiprocessors
    unsigned clock_mhz = 0;    ///< highest clock of the multiprocessors
    std::uint64_t memory_bytes = 0;
    Spread overhead;  ///< of launching an empty kernel, as last measured
    struct Copy {
        std::uint64_t bytes = 0;  ///< bytes read; as many are written
        Spread time;
        [[nodiscard]] double bandwidth() const {
            return time.median > 0 ? 2.0 * static_cast<double>(bytes) / time.median / 1e3 : 0;
        }
        friend bool operator==(const Copy&, const Copy&) = default;
    };
    std::vector<Copy> copies;  ///< from device memory to device memory: a ceiling
    /// A kernel that only reads: the other ceiling.
    struct Sweep {
        std::uint64_t bytes = 0;
        std::string shape;  ///< the fastest one tried: "1056 blocks of 512, 16 bytes a load, 4 in flight"
        Spread time;
        [[nodiscard]] double bandwidth() const {
            return time.median > 0 ? static_cast<double>(bytes) / time.median / 1e3 : 0;
        }
        friend bool operator==(const Sweep&, const Sweep&) = default;
    };
    std::vector<Sweep> sweeps;
    /// A kernel that only reads, with few warps: the bytes that they have in flight limit its bandwidth.
    struct ResidentRead {
        unsigned warps = 0;       ///< resident on each multiprocessor
        unsigned in_flight = 0;   ///< loads that a thread issues before it uses the first
        unsigned load_bytes = 0;  ///< of one load
        std::uint64_t bytes = 0;  ///< bytes read in total
        Spread time;
        [[nodiscard]] double bandwidth() const {
            return time.median > 0 ? static_cast<double>(bytes) / time.median / 1e3 : 0;
        }
        [[nodiscard]] bool same_as(const ResidentRead& other) const {
            return warps == other.warps && in_flight == other.in_flight && load_bytes == other.load_bytes;
        }
        friend bool operator==(const ResidentRead&, const ResidentRead&) = default;
    };
    std::vector<ResidentRead> resident_reads;
    std::vector<Point> points;
    std::vector<Omission> omissions;
    friend bool operator==(const Recording&, const Recording&) = default;
};

/// Omissions of one kernel for one reason, so that a recording's omissions take few sentences.
struct OmissionGroup {
    std::string kernel;
    std::vector<std::uint64_t> n;      ///< ascending, each once
    std::vector<std::uint32_t> block;  ///< the same
    std::string why;                   ///< the reason of the first one, with its remedy
    std::size_t count = 0;
    bool fault = false;
};

/// In the order of the recording. Omissions of one kernel with the same remedy are one group, whatever sizes they name.
[[nodiscard]] std::vector<OmissionGroup> omission_groups(const Recording& recording);

/// Appends `name` to `names`, "one and another", unless it is there already.
void add_name(std::string& names, const std::string& name);

/// JSON, one format: see app/timing/README.md.
[[nodiscard]] std::string to_json(const Recording& recording);
/// Fails with the problem; a newer format is one.
[[nodiscard]] Result<Recording> from_json(const std::string& text, const std::string& name);

}  // namespace lanescope::timing
