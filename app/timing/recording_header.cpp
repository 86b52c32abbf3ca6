#include "timing/recording_header.h"

#include <nlohmann/json.hpp>

namespace lanescope::timing {

std::string RecordingHeader::software() const {
    std::string text;
    const auto add = [&](const std::string& part, const char* before = "") {
        if (!part.empty()) text += (text.empty() ? "" : ", ") + (before + part);
    };
    add(driver, "driver ");
    add(toolkit);
    add(date);
    return text;
}

std::string RecordingHeader::text() const {
    const std::string rest = software();
    return rest.empty() ? device : device + ", " + rest;
}

namespace json {

Json of(const RecordingHeader& header) {
    return {{"device", header.device},
            {"driver", header.driver},
            {"toolkit", header.toolkit},
            {"date", header.date},
            {"command", header.command}};
}

RecordingHeader recording_header_of(const Json& json) {
    return {.device = json.at("device"),
            .driver = json.at("driver"),
            .toolkit = json.at("toolkit"),
            .date = json.at("date"),
            .command = json.value("command", "")};
}

std::optional<RecordingHeader> header_in(const Json& json) {
    try {
        return recording_header_of(json);
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

}  // namespace json

}  // namespace lanescope::timing
