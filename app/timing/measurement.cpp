#include "timing/measurement.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace lanescope::timing {

namespace {

using Json = nlohmann::ordered_json;
constexpr int format = 1;

double rounded(double microseconds) { return std::round(microseconds * 1e3) / 1e3; }

Json json_of(const Spread& spread) {
    return {{"median_us", rounded(spread.median)},
            {"least_us", rounded(spread.least)},
            {"p10_us", rounded(spread.p10)},
            {"p90_us", rounded(spread.p90)},
            {"samples", spread.samples}};
}

Spread spread_from(const Json& json) {
    return {.median = json.at("median_us"),
            .least = json.at("least_us"),
            .p10 = json.at("p10_us"),
            .p90 = json.at("p90_us"),
            .samples = json.at("samples")};
}

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

std::string to_json(const Recording& recording) {
    Json json{{"format", format},
              {"device", recording.device},
              {"driver", recording.driver},
              {"toolkit", recording.toolkit},
              {"date", recording.date},
              {"command", recording.command},
              {"l2_bytes", recording.l2_bytes},
              {"peak_gb_s", rounded(recording.peak)},
              {"launch_overhead", json_of(recording.overhead)},
              {"copies", Json::array()},
              {"points", Json::array()}};
    for (const Recording::Copy& copy : recording.copies)
        json["copies"].push_back(
            {{"bytes", copy.bytes}, {"time", json_of(copy.time)}, {"gb_s", rounded(copy.bandwidth())}});
    for (const Point& point : recording.points) {
        json["points"].push_back({{"kernel", point.kernel},
                                  {"element", point.element},
                                  {"n", point.n},
                                  {"block", point.block},
                                  {"grid", point.grid},
                                  {"launches", point.launches},
                                  {"bytes", point.bytes},
                                  {"time", json_of(point.time)},
                                  {"gb_s", rounded(point.bandwidth())},
                                  {"agrees", point.agrees}});
    }
    return json.dump(1) + "\n";
}

Result<Recording> from_json(const std::string& text, const std::string& name) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("format"))
        return fail("this is no recording", {name}, "lanescope time --out FILE makes one.");
    try {
        if (const int found = json.at("format"); found > format) {
            return fail(fmt::format("the recording has format {}, newer than {}", found, format), {name},
                        "Update Lanescope.");
        }
        Recording recording;
        recording.device = json.at("device");
        recording.driver = json.at("driver");
        recording.toolkit = json.at("toolkit");
        recording.date = json.at("date");
        recording.command = json.at("command");
        recording.l2_bytes = json.at("l2_bytes");
        recording.peak = json.at("peak_gb_s");
        recording.overhead = spread_from(json.at("launch_overhead"));
        for (const Json& copy : json.at("copies"))
            recording.copies.push_back({.bytes = copy.at("bytes"), .time = spread_from(copy.at("time"))});
        for (const Json& point : json.at("points")) {
            recording.points.push_back({.kernel = point.at("kernel"),
                                        .element = point.at("element"),
                                        .n = point.at("n"),
                                        .block = point.at("block"),
                                        .grid = point.at("grid"),
                                        .launches = point.at("launches"),
                                        .bytes = point.at("bytes"),
                                        .time = spread_from(point.at("time")),
                                        .agrees = point.at("agrees")});
        }
        return recording;
    } catch (const nlohmann::json::exception& error) {
        return fail(fmt::format("the recording is damaged: {}", error.what()), {name});
    }
}

}  // namespace lanescope::timing
