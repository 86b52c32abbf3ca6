#include "analysis/panels/program_lines.h"
#include "base/demangle.h"
#include "cli/report.h"
#include "model/device_limits.h"
#include "session/launch_values.h"
#include "timing/counters.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::cli {

namespace {

using Json = nlohmann::ordered_json;

/// The name of each counter in JSON.
struct Counter {
    std::string_view name;
    std::uint64_t trace::Counts::*value;
};
constexpr Counter counters[] = {
    {"warp_instructions", &trace::Counts::warp_instructions},
    {"thread_instructions", &trace::Counts::thread_instructions},
    {"active_thread_instructions", &trace::Counts::active_thread_instructions},
    {"shared_load_instructions", &trace::Counts::shared_load_instructions},
    {"shared_load_wavefronts", &trace::Counts::shared_load_wavefronts},
    {"shared_store_instructions", &trace::Counts::shared_store_instructions},
    {"shared_store_wavefronts", &trace::Counts::shared_store_wavefronts},
    {"shared_atomic_instructions", &trace::Counts::shared_atomic_instructions},
    {"shared_atomic_wavefronts", &trace::Counts::shared_atomic_wavefronts},
    {"global_load_instructions", &trace::Counts::global_load_instructions},
    {"global_load_sectors", &trace::Counts::global_load_sectors},
    {"global_store_instructions", &trace::Counts::global_store_instructions},
    {"global_store_sectors", &trace::Counts::global_store_sectors},
    {"global_atomic_instructions", &trace::Counts::global_atomic_instructions},
    {"global_atomic_sectors", &trace::Counts::global_atomic_sectors},
    {"barriers", &trace::Counts::barriers},
    {"branches", &trace::Counts::branches},
    {"divergent_branches", &trace::Counts::divergent_branches},
    {"operator_applications", &trace::Counts::operations},
};
static_assert(sizeof(trace::Counts) == std::size(counters) * sizeof(std::uint64_t),
              "a new counter belongs here as well");

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

template <class Tag>
Json id_or_null(Id<Tag> id) {
    return id.valid() ? Json(id.value) : Json(nullptr);
}

/// The counters that depend only on addresses, by Nsight Compute's names: a GPU with 32 banks counts the same.
/// Instructions are omitted, because a GPU counts those of SASS, predicated-off ones included.
Json hardware_counters_json(const trace::Counts& counts) {
    std::vector<std::pair<std::string, std::string_view>> named;  // a sum of two counters has both names
    for (const timing::Metric& metric : timing::metrics()) {
        if (!metric.field.ends_with("wavefronts") && !metric.field.ends_with("sectors")) continue;
        if (!named.empty() && named.back().second == metric.field) {
            named.back().first += fmt::format(" + {}", metric.name);
        } else {
            named.emplace_back(metric.name, metric.field);
        }
    }
    Json json = Json::object();
    for (const auto& [name, field] : named)
        json[name] = counts.*std::ranges::find(counters, field, &Counter::name)->value;
    return json;
}

Json counts_json(const trace::Counts& counts, std::optional<std::uint64_t> useful, std::optional<std::uint64_t> work,
                 std::optional<std::uint64_t> address_work, std::optional<std::uint64_t> span) {
    Json json = Json::object();
    for (const Counter& counter : counters) json[counter.name] = counts.*counter.value;
    json["useful_lanes"] = or_null(useful);
    json["work"] = or_null(work);
    json["address_work"] = or_null(address_work);
    json["span"] = or_null(span);
    return json;
}

Json launch_json(const trace::Launch& launch) {
    Json json{{"grid", extent_json(launch.grid)},
              {"block", extent_json(launch.block)},
              {"shared_bytes", launch.shared_bytes()}};
    if (const trace::Residency& residency = launch.residency; residency.given())
        json["residency"] = {{"multiprocessors", residency.multiprocessors},
                             {"blocks_on_each", residency.blocks_each},
                             {"order", trace::text_of(residency.order)}};
    return json;
}

/// The number in the text; a string for values that JSON numbers do not have: nan, inf.
Json number_json(const std::string& text) {
    Json number = Json::parse(text, nullptr, false);
    return number.is_number() ? number : Json(text);
}

/// A number for one element, an array for several.
Json values_json(const std::vector<std::string>& texts, std::size_t count) {
    if (count == 1 && texts.size() == 1) return number_json(texts.front());
    Json values = Json::array();
    for (const std::string& text : texts) values.push_back(number_json(text));
    return values;
}

std::vector<std::string> texts_of(const trace::Buffer& buffer) {
    const std::size_t width = trace::bytes_of(buffer.element);
    const std::size_t count = std::min<std::size_t>(buffer.final.size() / width, session::Verdict::most_shown);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
        texts.push_back(trace::text_of(buffer.element, trace::bits_at(buffer.element, buffer.final, i)));
    }
    return texts;
}

Json result_json(const session::Run& run) {
    const session::Verdict& verdict = run.verdict;
    Json result{{"ok", or_null(verdict.ok)}};
    if (verdict.ok) {
        result["expected"] = values_json(verdict.expected, verdict.compared);
        result["actual"] = values_json(verdict.actual, verdict.compared);
        result["output"] = verdict.output;
        result["oracle"] = verdict.oracle;
        result["compared"] = verdict.compared;
        result["first_difference"] = *verdict.ok ? Json(nullptr) : Json(verdict.first_difference);
        return result;
    }
    result["expected"] = nullptr;
    result["actual"] = nullptr;
    const auto& buffers = run.trace().buffers;
    // The output that the description names, else the first.
    auto output = std::ranges::find(buffers, run.program.recipe.expected.output, &trace::Buffer::name);
    if (output == buffers.end()) output = std::ranges::find(buffers, true, &trace::Buffer::output);
    if (output != buffers.end()) {
        result["actual"] = values_json(texts_of(*output), output->bytes / trace::bytes_of(output->element));
        result["output"] = output->name;
    }
    return result;
}

/// The value of the lecture's formula for this launch; null without one.
Json formula_json(const session::Run& run, const std::string& formula) {
    const auto value = session::evaluate(formula, {.n = run.n, .block = run.block, .grid = run.grid});
    return value ? Json{{"formula", formula}, {"value", *value}} : Json(nullptr);
}

Json finding_json(const trace::Finding& finding) {
    Json json{{"kind", trace::name_of(finding.kind)},
              {"launch", finding.launch},
              {"block", id_or_null(finding.block)},
              {"warp", id_or_null(finding.warp)},
              {"lane", id_or_null(finding.lane)},
              {"line", finding.source_line == 0 ? Json(nullptr) : Json(finding.source_line)},
              {"ptx_line", id_or_null(finding.line)},
              {"address", or_null(finding.address)},
              {"variable", finding.variable.empty() ? Json(nullptr) : Json(finding.variable)},
              {"count", finding.count},
              {"message", finding.message},
              {"remedy", trace::remedy_of(finding)}};
    if (!finding.other) return json;
    json["other"] = {{"block", id_or_null(finding.other->block)},
                     {"warp", id_or_null(finding.other->warp)},
                     {"lane", id_or_null(finding.other->lane)},
                     {"line", finding.other->source_line == 0 ? Json(nullptr) : Json(finding.other->source_line)},
                     {"ptx_line", id_or_null(finding.other->line)}};
    return json;
}

Json printed_json(const trace::Printed& printed) {
    return {{"launch", printed.launch},
            {"block", id_or_null(printed.block)},
            {"warp", id_or_null(printed.warp)},
            {"lane", id_or_null(printed.lane)},
            {"text", printed.text}};
}

/// The run of a whole program: what its host code did, what it printed, how it ended.
Json host_json(const trace::Trace& trace) {
    Json host{{"steps", Json::array()}, {"printed", analysis::printed_by(trace)}, {"end", trace.host_end}};
    const std::vector<std::optional<std::uint32_t>> made = analysis::launches_made(trace);
    for (std::size_t i = 0; i < trace.host_steps.size(); ++i) {
        const trace::HostStep& step = trace.host_steps[i];
        const bool launch = step.kind == trace::HostStep::Kind::launch;
        host["steps"].push_back({{"kind", trace::name_of(step.kind)},
                                 {"line", step.source_line == 0 ? Json(nullptr) : Json(step.source_line)},
                                 {"launch", launch ? or_null(made[i]) : Json(nullptr)},
                                 {"buffer", step.buffer ? Json(trace.buffers[*step.buffer].name) : Json(nullptr)},
                                 {"bytes", step.bytes},
                                 {"text", step.text}});
        if (!step.source_file.empty()) host["steps"].back()["file"] = step.source_file;
        if (!step.function.empty()) host["steps"].back()["function"] = step.function;
    }
    return host;
}

}  // namespace

Json launchless_json(const std::string& program, const trace::Trace& trace) {
    Json json{{"program", program}, {"launches", Json::array()}, {"host", host_json(trace)}};
    json["findings"] = Json::array();
    for (const trace::Finding& finding : trace.findings) {
        json["findings"].push_back(finding_json(finding));
        json["findings"].back()["launch"] = nullptr;
    }
    return json;
}

Json report_json(const session::Run& run) {
    const analysis::Analysis& analysis = *run.analysis;
    const trace::Trace& trace = run.trace();
    const trace::Launch& launch = trace.launches.front();
    Json json;
    json["kernel"] = display_name(run);
    json["program"] = run.program.name;
    json["launch"] = launch_json(launch);
    json["launch"]["n"] = run.n;
    json["launches"] = Json::array();
    for (const trace::Launch& each : trace.launches) {
        Json entry{{"kernel", source_name_of(each.kernel)}, {"recorded_blocks", each.recorded.size()}};
        entry.update(launch_json(each));
        json["launches"].push_back(std::move(entry));
    }
    json["input"] = run.input;
    json["view"] = session::name_of(trace.origin.view);
    json["arch"] = trace.origin.arch;
    json["machine"] = trace.origin.machine == trace::Machine::emulator ? "emulator" : trace.origin.device;
    json["banks"] = trace.origin.banks;
    json["recorded_blocks"] = launch.recorded.size();
    for (const trace::HostWrite& write : trace.host_writes) {
        json["host_writes"].push_back({{"after_launch", write.launch},
                                       {"buffer", trace.buffers[write.buffer].name},
                                       {"offset", write.offset},
                                       {"bytes", write.after.size()},
                                       {"line", write.source_line}});
    }
    if (analysis::is_program(trace)) json["host"] = host_json(trace);
    json["result"] = result_json(run);
    if (const std::string partial = analysis::partial_run_text(trace); !partial.empty()) json["partial"] = partial;
    json["findings"] = Json::array();
    for (const trace::Finding& finding : trace.findings) json["findings"].push_back(finding_json(finding));
    json["remarks"] = Json::array();
    for (const trace::Finding& remark : trace.remarks) json["remarks"].push_back(finding_json(remark));
    json["printed"] = Json::array();
    for (const trace::Printed& printed : trace.printed) json["printed"].push_back(printed_json(printed));

    Json passes = Json::array();
    for (const analysis::GridPass& pass : analysis.passes) {
        Json entry{{"launch", pass.launch}, {"label", pass.label}, {"variables", Json::object()}};
        for (const analysis::LoopVariable& variable : pass.variables) {
            entry["variables"][variable.name] = number_json(variable.value);
        }
        entry["shared_conflict_ways"] = pass.ways;
        entry.update(counts_json(pass.counts, pass.useful_lanes, pass.work, pass.address_work, pass.span));
        passes.push_back(std::move(entry));
    }
    if (trace.origin.banks == model::emulated_device().banks)
        json["hardware_counters"] = hardware_counters_json(analysis.totals);
    json["totals"] =
        counts_json(analysis.totals, analysis.useful_lanes, analysis.work, analysis.address_work, analysis.span);
    json["by_formula"] = {{"work", formula_json(run, run.program.lesson.work)},
                          {"span", formula_json(run, run.program.lesson.span)}};
    json["passes"] = std::move(passes);
    json["notes"] = report_notes(run);
    return json;
}

Json extent_json(const trace::Dim3& extent) {
    if (extent.y == 1 && extent.z == 1) return extent.x;
    return Json::array({extent.x, extent.y, extent.z});
}

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'; }

}  // namespace lanescope::cli
