#include "timing/measurement_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace lanescope::timing::json {

namespace {

/// Rounded to three decimals: nanoseconds for microseconds, MB/s for GB/s.
double rounded(double number) { return std::round(number * 1e3) / 1e3; }

}  // namespace

Json of_header(const Recording& recording) {
    Json json = of(static_cast<const RecordingHeader&>(recording));
    json.update({{"note", recording.note},
                 {"library", recording.library},
                 {"l2_bytes", recording.l2_bytes},
                 {"peak_gb_s", rounded(recording.peak)},
                 {"peak_formula", recording.peak_formula},
                 {"arch", recording.arch},
                 {"processors", recording.processors},
                 {"clock_mhz", recording.clock_mhz},
                 {"memory_bytes", recording.memory_bytes}});
    return json;
}

Recording header_of(const Json& json) {
    Recording recording{recording_header_of(json)};
    recording.l2_bytes = json.at("l2_bytes");
    recording.peak = json.at("peak_gb_s");
    // The first recordings lack these.
    recording.note = json.value("note", "");
    recording.library = json.value("library", "");
    recording.peak_formula = json.value("peak_formula", "");
    recording.arch = json.value("arch", 0U);
    recording.processors = json.value("processors", 0U);
    recording.clock_mhz = json.value("clock_mhz", 0U);
    recording.memory_bytes = json.value("memory_bytes", std::uint64_t{0});
    return recording;
}

Json of(const Spread& spread) {
    if (spread.samples == 0) return {{"median_us", rounded(spread.median)}, {"samples", 0}};
    return {{"median_us", rounded(spread.median)},
            {"least_us", rounded(spread.least)},
            {"p10_us", rounded(spread.p10)},
            {"p90_us", rounded(spread.p90)},
            {"samples", spread.samples}};
}

/// A document's single number is read as its own minimum and percentiles.
Spread spread_of(const Json& json) {
    const double median = json.at("median_us");
    return {.median = median,
            .least = json.value("least_us", median),
            .p10 = json.value("p10_us", median),
            .p90 = json.value("p90_us", median),
            .samples = json.at("samples")};
}

namespace {

Json of(const CostCounts& counts) {
    return {{"instructions", counts.instructions}, {"wavefronts", counts.wavefronts},
            {"sectors", counts.sectors},           {"barriers", counts.barriers},
            {"applications", counts.operations},   {"atomics_at_one_word", counts.atomics_at_one_word}};
}

CostCounts counts_of(const Json& json) {
    return {.instructions = json.at("instructions"),
            .wavefronts = json.at("wavefronts"),
            .sectors = json.at("sectors"),
            .barriers = json.at("barriers"),
            .operations = json.at("applications"),
            .atomics_at_one_word = json.value("atomics_at_one_word", std::uint64_t{0})};
}

Json of(const Printed& printed) {
    return {{"gb_s", printed.bandwidth}, {"step", printed.step}, {"cumulative", printed.cumulative}};
}

Printed printed_of(const Json& json) {
    return {.bandwidth = json.at("gb_s"), .step = json.at("step"), .cumulative = json.at("cumulative")};
}

}  // namespace

Json of(const Recording::Copy& copy) {
    return {{"bytes", copy.bytes}, {"time", of(copy.time)}, {"gb_s", rounded(copy.bandwidth())}};
}

Recording::Copy copy_of(const Json& json) { return {.bytes = json.at("bytes"), .time = spread_of(json.at("time"))}; }

Json of(const Recording::Sweep& sweep) {
    return {
        {"bytes", sweep.bytes}, {"shape", sweep.shape}, {"time", of(sweep.time)}, {"gb_s", rounded(sweep.bandwidth())}};
}

Recording::Sweep sweep_of(const Json& json) {
    return {.bytes = json.at("bytes"), .shape = json.at("shape"), .time = spread_of(json.at("time"))};
}

Json of(const Recording::ResidentRead& read) {
    return {{"warps", read.warps}, {"in_flight", read.in_flight}, {"load_bytes", read.load_bytes},
            {"bytes", read.bytes}, {"time", of(read.time)},       {"gb_s", rounded(read.bandwidth())}};
}

Recording::ResidentRead resident_read_of(const Json& json) {
    return {.warps = json.at("warps"),
            .in_flight = json.at("in_flight"),
            .load_bytes = json.at("load_bytes"),
            .bytes = json.at("bytes"),
            .time = spread_of(json.at("time"))};
}

Json of(const Point& point) {
    Json json{{"kernel", point.kernel},
              {"element", point.element},
              {"n", point.n},
              {"block", point.block},
              {"grid", point.grid},
              {"launches", point.launches},
              {"until_one", point.until_one},
              {"apart", point.apart},
              {"bytes", point.bytes},
              {"time", of(point.time)},
              {"gb_s", rounded(point.bandwidth())},
              {"agrees", point.agrees},
              {"check", point.check}};
    if (point.overhead > 0) json["launch_overhead_us"] = rounded(point.overhead);
    if (point.counts) json["counts"] = of(*point.counts);
    if (point.printed) json["printed"] = of(*point.printed);
    if (point.beside) json["beside"] = {{"name", point.beside->name}, {"time", of(point.beside->time)}};
    return json;
}

Point point_of(const Json& json) {
    Point point{.kernel = json.at("kernel"),
                .element = json.at("element"),
                .n = json.at("n"),
                .block = json.at("block"),
                .grid = json.at("grid"),
                .launches = json.at("launches"),
                .bytes = json.at("bytes"),
                .time = spread_of(json.at("time")),
                .agrees = json.at("agrees"),
                .check = json.value("check", "emulator"),
                .until_one = json.value("until_one", false),
                .apart = json.value("apart", false),
                .overhead = json.value("launch_overhead_us", 0.0)};
    if (json.contains("counts")) point.counts = counts_of(json.at("counts"));
    if (json.contains("printed")) point.printed = printed_of(json.at("printed"));
    if (json.contains("beside")) {
        const Json& beside = json.at("beside");
        point.beside = Beside{.name = beside.at("name"), .time = spread_of(beside.at("time"))};
    }
    return point;
}

Json of(const Omission& omission) {
    return {{"kernel", omission.kernel}, {"element", omission.element}, {"n", omission.n},
            {"block", omission.block},   {"what", omission.what},       {"remedy", omission.remedy},
            {"fault", omission.fault}};
}

Omission omission_of(const Json& json) {
    return {.kernel = json.at("kernel"),
            .element = json.at("element"),
            .n = json.at("n"),
            .block = json.at("block"),
            .what = json.at("what"),
            .remedy = json.at("remedy"),
            .fault = json.value("fault", false)};
}

}  // namespace lanescope::timing::json
