#include "cli/counters_report.h"

#include "base/grouped.h"
#include "cli/report.h"
#include "cli/table.h"
#include "session/hardware_counts.h"
#include "session/launch_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace lanescope::cli {

namespace {

using timing::Counters;

nlohmann::ordered_json json_of(const Counters& counters) {
    nlohmann::ordered_json json;
    for (const timing::Metric& field : timing::counter_fields()) json[std::string(field.field)] = counters.*field.place;
    for (const timing::OptionalMetric& field : timing::optional_metrics()) {
        const auto& value = counters.*field.place;
        json[std::string(field.field)] = value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
    }
    return json;
}

/// "70" where both are equal, "70 / 72" otherwise, the GPU's first; "-" if unknown.
std::string both_of(const std::optional<std::uint64_t>& there, const std::optional<std::uint64_t>& here) {
    const auto text = [](const std::optional<std::uint64_t>& value) { return value ? grouped(*value) : "-"; };
    return here == there ? text(there) : fmt::format("{} / {}", text(there), text(here));
}

/// Mean active lanes per warp instruction: "23.4".
std::string lanes(std::uint64_t threads, std::uint64_t instructions) {
    if (instructions == 0) return "";
    return fmt::format("{:.1f}", static_cast<double>(threads) / static_cast<double>(instructions));
}

const char* build_of(const CountersTrial& trial) {
    if (trial.view == trace::View::written) return "written";
    return trial.optimized ? "compiled" : "compiled, -O0";
}

session::CountedBuild build_of_one(const ComparedCounters& compared) {
    const CountersTrial& trial = compared.emulated.trial;
    return {.kernel = trial.program,
            .view = trial.view,
            .optimized = trial.optimized,
            .hardware = compared.hardware(),
            .emulator = compared.emulator()};
}

}  // namespace

void EmulatedCounts::take(const session::Run& run) {
    n = run.n;
    block = run.block;
    input = run.input;
    launches = session::emulated_counters(run);
}

nlohmann::ordered_json to_json(const EmulatedCounts& counts) {
    nlohmann::ordered_json json{{"program", counts.trial.program},
                                {"view", session::name_of(counts.trial.view)},
                                {"optimised", counts.trial.optimized},
                                {"n", counts.n},
                                {"block", counts.block},
                                {"input", counts.input},
                                {"why", counts.why},
                                {"failed", counts.failed},
                                {"launches", nlohmann::ordered_json::array()}};
    for (const Counters& launch : counts.launches) json["launches"].push_back(json_of(launch));
    return json;
}

std::optional<EmulatedCounts> emulated_counts_of(const nlohmann::json& json) {
    if (!json.is_object() || !json.contains("launches") || !json.contains("program")) return std::nullopt;
    EmulatedCounts counts;
    counts.trial.program = json.value("program", "");
    counts.trial.view =
        json.value("view", "") == session::name_of(trace::View::written) ? trace::View::written : trace::View::compiled;
    counts.trial.optimized = json.value("optimised", true);
    counts.n = json.value("n", std::uint64_t{0});
    counts.block = json.value("block", std::uint32_t{0});
    counts.input = json.value("input", "");
    counts.why = json.value("why", "");
    counts.failed = json.value("failed", false);
    for (const nlohmann::json& fields : json["launches"]) {
        Counters& launch = counts.launches.emplace_back();
        for (const timing::Metric& field : timing::counter_fields())
            launch.*field.place = fields.value(std::string(field.field), std::uint64_t{0});
        for (const timing::OptionalMetric& field : timing::optional_metrics()) {
            const auto found = fields.find(std::string(field.field));
            if (found != fields.end() && found->is_number_unsigned()) launch.*field.place = found->get<std::uint64_t>();
        }
    }
    return counts;
}

Counters ComparedCounters::emulator() const { return session::sum(emulated.launches); }
Counters ComparedCounters::hardware() const { return session::sum(counted); }
bool ComparedCounters::equal() const { return session::are_equal(hardware(), emulator()); }

session::DifferenceCause cause_of(const ComparedCounters& one, const std::vector<ComparedCounters>& all) {
    const CountersTrial& trial = one.emulated.trial;
    const auto at_O0 = std::ranges::find_if(all, [&](const ComparedCounters& other) {
        const CountersTrial& its = other.emulated.trial;
        return its.program == trial.program && its.view == trial.view && !its.optimized && !other.counted.empty();
    });
    if (at_O0 == all.end()) return session::cause_of_difference(build_of_one(one), nullptr);
    const session::CountedBuild unoptimized = build_of_one(*at_O0);
    return session::cause_of_difference(build_of_one(one), &unoptimized);
}

std::string explanation(const ComparedCounters& one, const std::vector<ComparedCounters>& all) {
    if (one.counted.empty() || one.equal()) return {};
    std::string differences = session::differences_text(build_of_one(one)) + ".";
    const session::DifferenceCause cause = cause_of(one, all);
    const std::string sentence = session::text_of(cause);
    if (sentence.empty()) return differences;
    if (!one.sass || one.sass->supports_cause) return differences + " " + sentence;
    if (cause == session::DifferenceCause::compiler)
        return differences + " At -O0 all are equal, but this SASS does not show why.";
    return differences + " The SASS shows no known cause.";
}

std::string counters_text(const timing::RecordingHeader& on, const std::vector<ComparedCounters>& all,
                          const std::string& sass) {
    Table table({{{"", "kernel"}, false},
                 {{"", "build"}, false},
                 {{"shared", "loads"}},
                 {{"", "stores"}},
                 {{"", "atomics"}},
                 {{"conflicts", "loads"}},
                 {{"", "stores"}},
                 {{"sectors", "loads"}},
                 {{"", "stores"}},
                 {{"", "atomics"}},
                 {{"instructions", "GPU"}},
                 {{"", "PTX"}},
                 {{"active lanes", "GPU"}},
                 {{"", "PTX"}},
                 {{"", "verdict"}, false}});
    std::size_t equal = 0, counted = 0, with_conflicts = 0;
    std::string explanations;
    for (const ComparedCounters& one : all) {
        const CountersTrial& trial = one.emulated.trial;
        const std::string why = one.counted.empty() ? one.emulated.why : explanation(one, all);
        if (!why.empty()) explanations += fmt::format("  {}, {}: {}\n", trial.program, build_of(trial), why);
        if (one.sass)
            for (const std::string& citation : one.sass->citations) explanations += fmt::format("    {}\n", citation);
        if (one.counted.empty()) continue;
        const Counters here = one.emulator(), there = one.hardware();
        const auto both = [&](auto Counters::*place) { return both_of(there.*place, here.*place); };
        ++counted;
        if (there.shared_load_conflicts) ++with_conflicts;
        if (one.equal()) ++equal;
        table.add({trial.program, build_of(trial), both(&Counters::shared_load_wavefronts),
                   both(&Counters::shared_store_wavefronts), both(&Counters::shared_atomic_wavefronts),
                   both(&Counters::shared_load_conflicts), both(&Counters::shared_store_conflicts),
                   both(&Counters::global_load_sectors), both(&Counters::global_store_sectors),
                   both(&Counters::global_atomic_sectors), grouped(there.warp_instructions),
                   grouped(here.warp_instructions), lanes(there.thread_instructions, there.warp_instructions),
                   lanes(here.thread_instructions, here.warp_instructions), one.equal() ? "equal" : "differs"});
    }
    std::string text =
        fmt::format("{}\n{}\n{}", on.text(), on.command.empty() ? "" : fmt::format("counted by `{}`\n", on.command),
                    table.text("  "));
    if (!explanations.empty()) text += '\n' + explanations;
    if (!sass.empty()) text += fmt::format("\n  {}\n", sass);
    return text + fmt::format(
                      "\n  shared: wavefronts of shared memory; two numbers: the GPU's / the emulator's\n"
                      "  conflicts: wavefronts beyond those needed without conflicts; -: unknown{}\n"
                      "  instructions: SASS on the GPU, PTX in the emulator\n"
                      "  active lanes: per instruction, without predicated-off lanes\n\n"
                      "{} of {} have equal {}\n",
                      with_conflicts == 0 && counted > 0 ? ": this recording has none of the GPU's" : "", equal,
                      counted,
                      with_conflicts == counted ? "wavefronts, conflicts and sectors" : "wavefronts and sectors");
}

std::string counters_json(const timing::RecordingHeader& on, const std::vector<ComparedCounters>& all,
                          const std::string& sass) {
    nlohmann::ordered_json json = timing::json::of(on);
    if (!sass.empty()) json["sass"] = sass;
    nlohmann::ordered_json& list = json["kernels"] = nlohmann::ordered_json::array();
    for (const ComparedCounters& one : all) {
        nlohmann::ordered_json row{{"kernel", one.emulated.trial.program},
                                   {"build", build_of(one.emulated.trial)},
                                   {"n", one.emulated.n},
                                   {"block", one.emulated.block}};
        if (one.counted.empty()) {
            row[one.emulated.failed ? "failed" : "skipped"] = one.emulated.why;
        } else {
            row["equal"] = one.equal();
            row["gpu"] = json_of(one.hardware());
            row["emulator"] = json_of(one.emulator());
            if (const std::string why = explanation(one, all); !why.empty()) row["why"] = why;
            if (one.sass) row["sass"] = one.sass->citations;
        }
        list.push_back(std::move(row));
    }
    return dump(json);
}

timing::CounterRecording recording_of(const timing::RecordingHeader& on, const std::vector<ComparedCounters>& all) {
    timing::CounterRecording recording{on, {}};
    for (const ComparedCounters& one : all) {
        if (one.counted.empty()) continue;
        recording.kernels.push_back({.kernel = one.emulated.trial.program,
                                     .view = session::name_of(one.emulated.trial.view),
                                     .optimized = one.emulated.trial.optimized,
                                     .n = one.emulated.n,
                                     .block = one.emulated.block,
                                     .input = one.emulated.input,
                                     .launches = one.counted});
    }
    return recording;
}

}  // namespace lanescope::cli
