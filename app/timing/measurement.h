// How long things took on a GPU, as it is kept and shown: samples, their statistics, a recording as a file. No CUDA.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::timing {

/// Of one thing timed again and again; in microseconds. Percentiles are nearest-rank.
struct Spread {
    double median = 0, least = 0, p10 = 0, p90 = 0;
    std::size_t samples = 0;
    friend bool operator==(const Spread&, const Spread&) = default;
};
/// At least one sample.
[[nodiscard]] Spread spread_of(std::vector<double> samples);

/// One algorithm at one size.
struct Point {
    std::string kernel;       ///< catalog name or file
    std::string element;      ///< "s32"
    std::uint64_t n = 0;      ///< elements
    std::uint32_t block = 0;  ///< threads
    std::uint64_t grid = 0;   ///< blocks, of the first launch
    std::uint32_t launches = 1;
    std::uint64_t bytes = 0;  ///< that must be read or written: the effective bandwidth's
    Spread time;              ///< from before the first launch to behind the last
    bool agrees = true;       ///< the result is, bit for bit, the emulator's
    /// Effective bandwidth in GB/s: bytes over the median.
    [[nodiscard]] double bandwidth() const {
        return time.median > 0 ? static_cast<double>(bytes) / time.median / 1e3 : 0;
    }
    friend bool operator==(const Point&, const Point&) = default;
};

/// What was measured together on one device.
struct Recording {
    std::string device;   ///< "NVIDIA H200"
    std::string driver;   ///< "580.95.05"
    std::string toolkit;  ///< "NVRTC 13.0"
    std::string date;     ///< "2026-11-21"
    std::string command;  ///< that made it
    std::uint64_t l2_bytes = 0;
    double peak = 0;  ///< GB/s, as bus width and clock say; 0: not known
    Spread overhead;  ///< of a launch of an empty kernel
    struct Copy {
        std::uint64_t bytes = 0;  ///< read, and written once more
        Spread time;
        [[nodiscard]] double bandwidth() const {
            return time.median > 0 ? 2.0 * static_cast<double>(bytes) / time.median / 1e3 : 0;
        }
        friend bool operator==(const Copy&, const Copy&) = default;
    };
    std::vector<Copy> copies;  ///< from device memory to device memory: a ceiling
    std::vector<Point> points;
    friend bool operator==(const Recording&, const Recording&) = default;
};

/// JSON, one format: see README, "Recordings".
[[nodiscard]] std::string to_json(const Recording& recording);
/// Fails with what is wrong with it, and for a newer format.
[[nodiscard]] Result<Recording> from_json(const std::string& text, const std::string& name);

}  // namespace lanescope::timing
