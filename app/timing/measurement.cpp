#include "timing/measurement.h"

#include "timing/measurement_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace lanescope::timing {

namespace {

using nlohmann::ordered_json;
constexpr int format = 1;

}  // namespace

Spread spread_of(std::vector<double> samples) {
    assert(!samples.empty());
    std::ranges::sort(samples);
    const auto rank = [&](double share) {
        const auto number = static_cast<std::size_t>(std::ceil(share * static_cast<double>(samples.size())));
        return samples[std::clamp<std::size_t>(number, 1, samples.size()) - 1];
    };
    const std::size_t half = samples.size() / 2;
    const double median = samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
    return {.median = median, .least = samples.front(), .p10 = rank(0.1), .p90 = rank(0.9), .samples = samples.size()};
}

std::string gain_text(double gain) {
    if (std::abs(gain - 1) < 0.005) return "equally fast";
    return gain > 1 ? fmt::format("{:.2f} times as fast", gain) : fmt::format("{:.2f} times as slow", 1 / gain);
}

std::string time_text(double microseconds) {
    return microseconds < 1000 ? fmt::format("{:.2f} µs", microseconds) : fmt::format("{:.3f} ms", microseconds / 1e3);
}

void add_name(std::string& names, const std::string& name) {
    if (name.empty() || names == name || names.ends_with(" and " + name)) return;
    names += (names.empty() ? "" : " and ") + name;
}

std::string to_json(const Recording& recording) {
    ordered_json json{{"format", format}};
    json.update(json::of_header(recording));
    if (recording.overhead.samples > 0) json["launch_overhead"] = json::of(recording.overhead);
    const auto list = [&](const char* name, const auto& items) {
        ordered_json& array = json[name] = ordered_json::array();
        for (const auto& item : items) array.push_back(json::of(item));
    };
    list("copies", recording.copies);
    list("sweeps", recording.sweeps);
    if (!recording.resident_reads.empty()) list("resident_reads", recording.resident_reads);
    list("points", recording.points);
    list("omissions", recording.omissions);
    return json.dump(1) + "\n";
}

Result<Recording> from_json(const std::string& text, const std::string& name) {
    const ordered_json json = ordered_json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("format"))
        return fail("this is not a recording", {name}, "lanescope time --out FILE makes one.");
    try {
        if (const int found = json.at("format"); found > format) {
            return fail(fmt::format("the recording has format {}, newer than {}", found, format), {name},
                        "Update Lanescope.");
        }
        Recording recording = json::header_of(json);
        if (json.contains("launch_overhead")) recording.overhead = json::spread_of(json.at("launch_overhead"));
        for (const ordered_json& copy : json.at("copies")) recording.copies.push_back(json::copy_of(copy));
        for (const ordered_json& point : json.at("points")) {
            recording.points.push_back(json::point_of(point));
            // The first recordings have one overhead for all points.
            double& overhead = recording.points.back().overhead;
            if (overhead == 0 && recording.points.back().time.samples > 0) overhead = recording.overhead.median;
        }
        // The first recordings lack these, too.
        const auto none = ordered_json::array();
        for (const ordered_json& sweep : json.value("sweeps", none)) recording.sweeps.push_back(json::sweep_of(sweep));
        for (const ordered_json& read : json.value("resident_reads", none))
            recording.resident_reads.push_back(json::resident_read_of(read));
        for (const ordered_json& omission : json.value("omissions", none))
            recording.omissions.push_back(json::omission_of(omission));
        return recording;
    } catch (const nlohmann::json::exception& error) {
        return fail(fmt::format("the recording is damaged: {}", error.what()), {name});
    }
}

}  // namespace lanescope::timing
