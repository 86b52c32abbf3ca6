#include "timing/timeline.h"

#include "base/embedded.h"
#include "base/files.h"
#include "model/device_limits.h"
#include "timing/measurement_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

namespace lanescope::timing {

namespace {

using json::Json;

constexpr std::string_view timelines_inside = "assets/recordings/timelines/";

/// The most at once: +1 for a begin, -1 for an end. At the same moment, ends count first.
std::uint64_t most_at_once(std::vector<std::pair<std::uint64_t, int>> changes) {
    std::ranges::sort(changes);
    std::int64_t now = 0, most = 0;
    for (const auto& [at, change] : changes) most = std::max(most, now += change);
    return static_cast<std::uint64_t>(most);
}

/// A number for each block, in multiples of `unit`.
template <class Get>
Json column(const TimelineLaunch& launch, std::uint64_t unit, const Get& get) {
    Json numbers = Json::array();
    for (const TimelineBlock& block : launch.blocks) numbers.push_back(get(block) / unit);
    return numbers;
}

/// A common divisor of all times, so that they are stored as small numbers without loss.
std::uint64_t unit_of(const Timeline& timeline) {
    const std::uint64_t step = std::max<std::uint64_t>(timeline.step, 1);
    for (const TimelineLaunch& launch : timeline.launches) {
        for (const TimelineBlock& block : launch.blocks) {
            for (const std::uint64_t time : {block.begin, block.end, block.first_poll, block.last_poll})
                if (time % step != 0) return 1;
        }
    }
    return step;
}

/// A number for each warp, block by block.
template <class Get>
Json warp_column(const TimelineLaunch& launch, const Get& get) {
    Json numbers = Json::array();
    for (const TimelineBlock& block : launch.blocks)
        for (const TimelineWarp& warp : block.warps) numbers.push_back(get(warp));
    return numbers;
}

/// A number for each kept wait, warp by warp. The second argument is when the warp began to work before it.
template <class Get>
Json wait_column(const TimelineLaunch& launch, const Get& get) {
    Json numbers = Json::array();
    for (const TimelineBlock& block : launch.blocks) {
        for (const TimelineWarp& warp : block.warps) {
            std::uint64_t from = warp.begin;
            for (const TimelineWait& wait : warp.waits) {
                numbers.push_back(get(wait, from));
                from = wait.went_on;
            }
        }
    }
    return numbers;
}

/// The number of warps of each block, their values, and all waits as lengths, which are small numbers.
Json warps_of(const TimelineLaunch& launch) {
    return {{"of_block", column(launch, 1, [](const TimelineBlock& b) { return b.warps.size(); })},
            {"begin", warp_column(launch, [](const TimelineWarp& w) { return w.begin; })},
            {"end", warp_column(launch, [](const TimelineWarp& w) { return w.end; })},
            {"waits", warp_column(launch, [](const TimelineWarp& w) { return w.waits_in_all; })},
            {"kept", warp_column(launch, [](const TimelineWarp& w) { return w.waits.size(); })},
            {"worked", wait_column(launch, [](const TimelineWait& w, std::uint64_t from) { return w.arrived - from; })},
            {"waited",
             wait_column(launch, [](const TimelineWait& w, std::uint64_t /*from*/) { return w.went_on - w.arrived; })},
            {"mbarrier",
             wait_column(launch, [](const TimelineWait& w, std::uint64_t /*from*/) { return w.mbarrier ? 1 : 0; })}};
}

/// Reads what warps_of() wrote into the blocks.
void take_warps(const Json& json, std::vector<TimelineBlock>& blocks) {
    std::size_t warp = 0, wait = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto count = json.at("of_block").at(i).get<std::size_t>();
        for (const std::size_t past = warp + count; warp < past; ++warp) {
            const auto number = [&](const char* key) { return json.at(key).at(warp).get<std::uint64_t>(); };
            TimelineWarp& of = blocks[i].warps.emplace_back(
                TimelineWarp{.begin = number("begin"), .end = number("end"), .waits_in_all = number("waits")});
            std::uint64_t from = of.begin;
            for (const std::size_t last = wait + number("kept"); wait < last; ++wait) {
                const auto length = [&](const char* key) { return json.at(key).at(wait).get<std::uint64_t>(); };
                const std::uint64_t arrived = from + length("worked");
                from = arrived + length("waited");
                of.waits.push_back({.arrived = arrived, .went_on = from, .mbarrier = length("mbarrier") != 0});
            }
        }
    }
}

bool has_warps(const TimelineBlock& block) { return !block.warps.empty(); }

Json of(const Timeline& timeline) {
    const std::uint64_t unit = unit_of(timeline);
    Json written{{"kernel", timeline.kernel},
                 {"view", timeline.view},
                 {"n", timeline.n},
                 {"block", timeline.block},
                 {"input", timeline.input},
                 {"multiprocessors", timeline.multiprocessors},
                 {"timer_step_ns", timeline.step},
                 {"runs", timeline.runs},
                 {"plain", json::of(timeline.plain)},
                 {"stamped", json::of(timeline.stamped)},
                 {"polling_loops", timeline.polling_loops},
                 {"polls_not_timed", timeline.polls_not_timed},
                 {"incomplete", timeline.incomplete},
                 {"unit_ns", unit},
                 {"launches", Json::array()}};
    if (timeline.waits > 0) {
        written["most_waits"] = timeline.waits;
        written["waits_not_timed"] = timeline.waits_not_timed;
    }
    for (const TimelineLaunch& launch : timeline.launches) {
        Json one{{"kernel", launch.kernel},
                 {"grid", launch.grid},
                 {"block", launch.block},
                 {"begin", column(launch, unit, [](const TimelineBlock& b) { return b.begin; })},
                 {"length", column(launch, unit, [](const TimelineBlock& b) { return b.end - b.begin; })},
                 {"cycles", column(launch, 1, [](const TimelineBlock& b) { return b.cycles; })},
                 {"multiprocessor", column(launch, 1, [](const TimelineBlock& b) { return b.multiprocessor; })}};
        const auto polled = [](const TimelineBlock& block) { return block.polled_cycles > 0; };
        if (std::ranges::any_of(launch.blocks, polled)) {
            one["polled_cycles"] = column(launch, 1, [](const TimelineBlock& b) { return b.polled_cycles; });
            one["first_poll"] = column(launch, unit, [](const TimelineBlock& b) { return b.first_poll; });
            one["last_poll"] = column(launch, unit, [](const TimelineBlock& b) { return b.last_poll; });
        }
        if (std::ranges::any_of(launch.blocks, has_warps)) one["warps"] = warps_of(launch);
        written["launches"].push_back(std::move(one));
    }
    return written;
}

TimelineLaunch launch_of(const Json& json, std::uint64_t unit) {
    TimelineLaunch launch{
        .kernel = json.at("kernel"), .grid = json.at("grid"), .block = json.at("block"), .blocks = {}};
    const Json& begins = json.at("begin");
    const bool polled = json.contains("polled_cycles");
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const auto number = [&](const char* key) { return json.at(key).at(i).get<std::uint64_t>(); };
        TimelineBlock block{.begin = number("begin") * unit,
                            .cycles = number("cycles"),
                            .multiprocessor = json.at("multiprocessor").at(i).get<std::uint32_t>()};
        block.end = block.begin + number("length") * unit;
        if (polled) {
            block.polled_cycles = number("polled_cycles");
            block.first_poll = number("first_poll") * unit;
            block.last_poll = number("last_poll") * unit;
        }
        launch.blocks.push_back(std::move(block));
    }
    if (json.contains("warps")) take_warps(json.at("warps"), launch.blocks);
    return launch;
}

Timeline timeline_of(const Json& json) {
    Timeline timeline{.kernel = json.at("kernel"),
                      .view = json.at("view"),
                      .n = json.at("n"),
                      .block = json.at("block"),
                      .input = json.at("input"),
                      .multiprocessors = json.at("multiprocessors"),
                      .step = json.at("timer_step_ns"),
                      .runs = json.at("runs"),
                      .plain = json::spread_of(json.at("plain")),
                      .stamped = json::spread_of(json.at("stamped")),
                      .polling_loops = json.at("polling_loops"),
                      .polls_not_timed = json.at("polls_not_timed"),
                      .waits = json.value("most_waits", 0U),
                      .waits_not_timed = json.value("waits_not_timed", std::string()),
                      .incomplete = json.at("incomplete"),
                      .launches = {}};
    for (const Json& launch : json.at("launches"))
        timeline.launches.push_back(launch_of(launch, json.at("unit_ns").get<std::uint64_t>()));
    return timeline;
}

/// Ignores a text that is not a recording.
void add_from(const std::string& text, TimelineRecordings& found) {
    if (auto recording = timelines_from_json(text))
        found.push_back(std::make_shared<const TimelineRecording>(*std::move(recording)));
}

}  // namespace

std::uint64_t TimelineWarp::waited() const {
    std::uint64_t cycles = 0;
    for (const TimelineWait& wait : waits) cycles += wait.went_on - wait.arrived;
    return cycles;
}

std::uint64_t Timeline::end() const {
    std::uint64_t last = 0;
    for (const TimelineLaunch& launch : launches)
        for (const TimelineBlock& each : launch.blocks) last = std::max(last, each.end);
    return last;
}

TimelinePlaces places_of(const Timeline& timeline) {
    TimelinePlaces found;
    struct Began {
        std::uint64_t begin;
        std::size_t launch, block;
    };
    std::vector<Began> order;
    for (std::size_t launch = 0; launch < timeline.launches.size(); ++launch) {
        const std::vector<TimelineBlock>& blocks = timeline.launches[launch].blocks;
        found.blocks.emplace_back(blocks.size());
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            order.push_back({blocks[block].begin, launch, block});
            found.multiprocessors.push_back(blocks[block].multiprocessor);
        }
    }
    std::ranges::sort(found.multiprocessors);
    found.multiprocessors.erase(std::ranges::unique(found.multiprocessors).begin(), found.multiprocessors.end());
    std::ranges::stable_sort(order, {}, &Began::begin);
    std::map<std::uint32_t, std::vector<std::uint64_t>> free_from;  // by place, of each multiprocessor
    for (const Began& began : order) {
        const TimelineBlock& block = timeline.launches[began.launch].blocks[began.block];
        std::vector<std::uint64_t>& places = free_from[block.multiprocessor];
        auto place = std::ranges::find_if(places, [&](std::uint64_t from) { return from <= block.begin; });
        if (place == places.end()) place = places.insert(places.end(), 0);
        *place = std::max(block.end, block.begin + 1);
        const auto row = std::ranges::lower_bound(found.multiprocessors, block.multiprocessor);
        found.blocks[began.launch][began.block] = {
            .row = static_cast<std::uint32_t>(row - found.multiprocessors.begin()),
            .place = static_cast<std::uint32_t>(place - places.begin())};
        found.most = std::max(found.most, static_cast<std::uint32_t>(places.size()));
    }
    return found;
}

TimelineFacts facts_of(const TimelineLaunch& launch) {
    TimelineFacts facts{.begin = launch.blocks.front().begin};
    std::map<std::uint32_t, std::vector<std::pair<std::uint64_t, int>>> by_multiprocessor;
    std::vector<std::pair<std::uint64_t, int>> all;
    std::vector<std::uint64_t> lengths;
    double cycles = 0, polled = 0, of_warps = 0, waited = 0;
    for (const TimelineBlock& block : launch.blocks) {
        for (const TimelineWarp& warp : block.warps) {
            of_warps += static_cast<double>(warp.end - std::min(warp.begin, warp.end));
            waited += static_cast<double>(warp.waited());
        }
        facts.begin = std::min(facts.begin, block.begin);
        facts.end = std::max(facts.end, block.end);
        for (auto* changes : {&by_multiprocessor[block.multiprocessor], &all}) {
            changes->emplace_back(block.begin, 1);
            changes->emplace_back(block.end, -1);
        }
        lengths.push_back(block.end - block.begin);
        cycles += static_cast<double>(block.cycles);
        polled += static_cast<double>(block.polled_cycles);
        facts.polled_blocks += block.polled_cycles > 0 ? 1 : 0;
    }
    facts.multiprocessors = static_cast<std::uint32_t>(by_multiprocessor.size());
    facts.least = launch.blocks.size();
    for (const auto& [multiprocessor, changes] : by_multiprocessor) {
        facts.least = std::min<std::uint64_t>(facts.least, changes.size() / 2);
        facts.most = std::max<std::uint64_t>(facts.most, changes.size() / 2);
        facts.resident = std::max(facts.resident, most_at_once(changes));
    }
    facts.resident_in_all = std::max<std::uint64_t>(most_at_once(std::move(all)), 1);
    facts.waves = static_cast<double>(launch.blocks.size()) / static_cast<double>(facts.resident_in_all);
    std::ranges::nth_element(lengths, lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2));
    facts.block_time = static_cast<double>(lengths[lengths.size() / 2]);
    facts.polled_share = cycles > 0 ? polled / cycles : 0;
    if (of_warps > 0) facts.waited_share = waited / of_warps;
    return facts;
}

std::optional<std::pair<double, double>> moment_of(const TimelineBlock& block, std::size_t warp, std::uint64_t waits,
                                                   bool waiting) {
    const TimelineWarp& of = block.warps[warp];
    if (waits > of.waits.size() || (waits == of.waits.size() && (waiting || of.waits_in_all > waits)))
        return std::nullopt;
    const std::uint64_t went_on = waits == 0 ? of.begin : of.waits[waits - 1].went_on;
    const std::uint64_t arrived = waits == of.waits.size() ? of.end : of.waits[waits].arrived;
    const std::uint64_t from = waiting ? arrived : went_on, to = waiting ? of.waits[waits].went_on : arrived;
    const double per_cycle =
        block.cycles == 0 ? 0 : static_cast<double>(block.end - block.begin) / static_cast<double>(block.cycles);
    const auto time = [&](std::uint64_t cycle) {
        return static_cast<double>(block.begin) + static_cast<double>(cycle) * per_cycle;
    };
    return std::pair(time(from), time(to));
}

std::uint64_t warps_cut_short(const Timeline& timeline) {
    std::uint64_t cut = 0;
    for (const TimelineLaunch& launch : timeline.launches) {
        for (const TimelineBlock& block : launch.blocks)
            cut += static_cast<std::uint64_t>(std::ranges::count_if(
                block.warps, [](const TimelineWarp& warp) { return warp.waits_in_all > warp.waits.size(); }));
    }
    return cut;
}

std::string to_line(const Timeline& timeline) {
    return of(timeline).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Timeline> timeline_from_line(const std::string& line) {
    try {
        return timeline_of(Json::parse(line));
    } catch (const nlohmann::json::exception& error) {
        return fail(fmt::format("this is not a timeline: {}", error.what()));
    }
}

std::string to_json(const TimelineRecording& recording) {
    std::string text = json::of(static_cast<const RecordingHeader&>(recording)).dump(1);
    text.resize(text.rfind('\n'));
    text += ",\n \"timelines\": [";
    // One line for each timeline: compact, and a diff still shows each kernel separately.
    for (std::size_t i = 0; i < recording.timelines.size(); ++i)
        text += (i == 0 ? "\n" : ",\n") + to_line(recording.timelines[i]);
    return text + "\n ]\n}\n";
}

Result<TimelineRecording> timelines_from_json(const std::string& text) {
    try {
        const Json parsed = Json::parse(text);
        TimelineRecording recording{json::recording_header_of(parsed), {}};
        for (const Json& one : parsed.at("timelines")) recording.timelines.push_back(timeline_of(one));
        return recording;
    } catch (const nlohmann::json::exception& error) {
        return fail(fmt::format("this is not a recording of timelines: {}", error.what()));
    }
}

const TimelineRecordings& shipped_timelines() {
    static const TimelineRecordings shipped = [] {
        TimelineRecordings found;
        for (const EmbeddedFile& file : embedded_files())
            if (file.path.starts_with(timelines_inside)) add_from(std::string(file.bytes), found);
        std::ranges::stable_partition(found,
                                      [](const auto& recording) { return model::is_emulated_gpu(recording->device); });
        return found;
    }();
    return shipped;
}

TimelineRecordings all_timelines() {
    TimelineRecordings found;
    if (const std::filesystem::path folder = configuration_folder(); !folder.empty()) {
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator(folder / "recordings" / "timelines", error))
            if (const auto text = read_file(entry.path())) add_from(*text, found);
    }
    found.insert(found.end(), shipped_timelines().begin(), shipped_timelines().end());
    return found;
}

}  // namespace lanescope::timing
