// A recording as it grows: one JSON object a line, written by `lanescope time --stream` for the process that displays
// it.
//
//   {"recording": {...}}    first: device, driver, date, command; no measurements yet
//   {"overhead": {...}}, {"copy": {...}}, {"sweep": {...}}, {"point": {...}}
//                           a measurement, as in the recording's file
//   {"library": "CUB 3.0.1, nvcc 13.0.88"}
//                           the library that the following points of it were made with
//   {"omission": {...}}     a requested measurement that was not made, and why
//   {"progress": {"done": k, "of": m, "what": "...", "seconds_left": s}}
//   {"problem": {"what": ..., "where": ["file", line, column], "remedy": ...}}
//                           the whole run cannot continue
//   {"end": true}           last: nothing is missing
#pragma once

#include "timing/measurement.h"

#include <string>
#include <string_view>
#include <variant>

namespace lanescope::timing {

struct Started {
    Recording recording;  ///< its header
    friend bool operator==(const Started&, const Started&) = default;
};
struct Overhead {
    Spread time;
    friend bool operator==(const Overhead&, const Overhead&) = default;
};
struct Library {
    std::string name;  ///< with its version, and its compiler's
    friend bool operator==(const Library&, const Library&) = default;
};
struct Advance {
    std::uint64_t done = 0, of = 0;  ///< measurements
    std::string what;                ///< the measurement under way: "reduce/sequential, n = 2²⁰, block 256"
    double seconds_left = -1;        ///< estimate; below 0: unknown
    friend bool operator==(const Advance&, const Advance&) = default;
};
struct Ended {
    friend bool operator==(const Ended&, const Ended&) = default;
};
using Event = std::variant<Started, Overhead, Recording::Copy, Recording::Sweep, Recording::ResidentRead, Library,
                           Point, Omission, Advance, Problem, Ended>;

/// One line without its newline.
[[nodiscard]] std::string to_line(const Event& event);
/// Fails where the line is none of these.
[[nodiscard]] Result<Event> from_line(std::string_view line);

/// Adds the event to the recording. A header starts over; a point or omission replaces the one of the same kernel, size
/// and launch. A point gets the launch overhead that was measured before it. Progress, problems and the end change
/// nothing.
void add(Recording& recording, const Event& event);

}  // namespace lanescope::timing
