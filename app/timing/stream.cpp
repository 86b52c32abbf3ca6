#include "timing/stream.h"

#include "timing/measurement_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace lanescope::timing {

namespace {

using json::Json;

struct Writer {
    Json operator()(const Started& event) const { return {{"recording", json::of_header(event.recording)}}; }
    Json operator()(const Overhead& event) const { return {{"overhead", json::of(event.time)}}; }
    Json operator()(const Recording::Copy& event) const { return {{"copy", json::of(event)}}; }
    Json operator()(const Recording::Sweep& event) const { return {{"sweep", json::of(event)}}; }
    Json operator()(const Recording::ResidentRead& event) const { return {{"resident_read", json::of(event)}}; }
    Json operator()(const Library& event) const { return {{"library", event.name}}; }
    Json operator()(const Point& event) const { return {{"point", json::of(event)}}; }
    Json operator()(const Omission& event) const { return {{"omission", json::of(event)}}; }
    Json operator()(const Advance& event) const {
        Json advance{{"done", event.done}, {"of", event.of}, {"what", event.what}};
        if (event.seconds_left >= 0) advance["seconds_left"] = event.seconds_left;
        return {{"progress", advance}};
    }
    Json operator()(const Problem& event) const {
        const Json where = Json::array({event.where.file, event.where.line, event.where.column});
        return {{"problem", {{"what", event.what}, {"where", where}, {"remedy", event.remedy}}}};
    }
    Json operator()(const Ended&) const { return {{"end", true}}; }
};

Advance advance_of(const Json& json) {
    return {.done = json.at("done"),
            .of = json.at("of"),
            .what = json.at("what"),
            .seconds_left = json.value("seconds_left", -1.0)};
}

Problem problem_of(const Json& json) {
    const Json& where = json.at("where");
    return {.what = json.at("what"), .where = {where.at(0), where.at(1), where.at(2)}, .remedy = json.at("remedy")};
}

}  // namespace

std::string to_line(const Event& event) {
    // Bytes that are not UTF-8, for example in a file's name, must not stop a measurement.
    return std::visit(Writer(), event).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Event> from_line(std::string_view line) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object() || json.size() != 1) return fail("this is not a line of a recording");
    const std::string name = json.begin().key();
    const Json value = json.begin().value();
    try {
        if (name == "recording") return Started{json::header_of(value)};
        if (name == "overhead") return Overhead{json::spread_of(value)};
        if (name == "copy") return json::copy_of(value);
        if (name == "sweep") return json::sweep_of(value);
        if (name == "resident_read") return json::resident_read_of(value);
        if (name == "library") return Library{value};
        if (name == "point") return json::point_of(value);
        if (name == "omission") return json::omission_of(value);
        if (name == "progress") return advance_of(value);
        if (name == "problem") return problem_of(value);
        if (name == "end") return Ended{};
    } catch (const nlohmann::json::exception& error) {
        return fail(fmt::format("the line is damaged: {}", error.what()));
    }
    return fail(fmt::format("\"{}\" is unknown in a recording", name), {}, "Update Lanescope.");
}

namespace {

struct Adder {
    Recording& recording;

    void operator()(const Started& event) const { recording = event.recording; }
    void operator()(const Overhead& event) const { recording.overhead = event.time; }
    void operator()(const Recording::Copy& event) const {
        put(recording.copies, event, [&](const Recording::Copy& other) { return other.bytes == event.bytes; });
    }
    void operator()(const Recording::Sweep& event) const {
        put(recording.sweeps, event, [&](const Recording::Sweep& other) { return other.bytes == event.bytes; });
    }
    void operator()(const Recording::ResidentRead& event) const {
        put(recording.resident_reads, event,
            [&](const Recording::ResidentRead& other) { return other.same_as(event); });
    }
    void operator()(const Library& event) const { add_name(recording.library, event.name); }
    void operator()(const Point& event) const {
        Point point = event;
        if (point.overhead == 0 && point.time.samples > 0) point.overhead = recording.overhead.median;
        put(recording.points, point, [&](const Point& other) { return other.same_as(event); });
    }
    void operator()(const Omission& event) const {
        put(recording.omissions, event, [&](const Omission& other) {
            return other.kernel == event.kernel && other.element == event.element && other.n == event.n &&
                   other.block == event.block;
        });
    }
    void operator()(const Advance&) const {}
    void operator()(const Problem&) const {}
    void operator()(const Ended&) const {}

    template <class Item, class Same>
    static void put(std::vector<Item>& items, const Item& item, Same same) {
        const auto found = std::ranges::find_if(items, same);
        if (found == items.end())
            items.push_back(item);
        else
            *found = item;
    }
};

}  // namespace

void add(Recording& recording, const Event& event) { std::visit(Adder{recording}, event); }

}  // namespace lanescope::timing
