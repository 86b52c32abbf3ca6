// The origin of measurements: the header of every recording, of times, counters and traces.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace lanescope::timing {

struct RecordingHeader {
    std::string device;   ///< "NVIDIA H200"
    std::string driver;   ///< "580.95.05"
    std::string toolkit;  ///< "NVRTC 13.0"
    std::string date;     ///< "2026-11-21"; of a recording that was continued, each day: "2026-11-21 and 2026-11-22"
    std::string command;  ///< command line that made it, as typed; empty: the numbers are a document's

    /// "driver 580.95.05, NVRTC 13.0, 2026-11-21", as far as it is known.
    [[nodiscard]] std::string software() const;
    /// "NVIDIA H200, driver 580.95.05, NVRTC 13.0, 2026-11-21".
    [[nodiscard]] std::string text() const;
    /// Were both made with the same device and the same software?
    [[nodiscard]] bool of_one_machine(const RecordingHeader& other) const {
        return device == other.device && driver == other.driver && toolkit == other.toolkit;
    }
    friend bool operator==(const RecordingHeader&, const RecordingHeader&) = default;
};

namespace json {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json of(const RecordingHeader& header);
/// Throws the exceptions of nlohmann::json where one of its fields is missing or not text. The command may be missing.
[[nodiscard]] RecordingHeader recording_header_of(const Json& json);
/// The same; nothing where the JSON has no header.
[[nodiscard]] std::optional<RecordingHeader> header_in(const Json& json);

}  // namespace json

}  // namespace lanescope::timing
