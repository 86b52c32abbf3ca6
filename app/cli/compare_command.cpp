// `lanescope compare`: two runs beside each other, as text, JSON and picture.
#include "analysis/panels/program_lines.h"
#include "base/grouped.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "cli/table.h"
#include "render/image/image.h"
#include "scene/comparison_scene.h"
#include "session/compared_runs.h"
#include "session/verdict.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <span>

namespace lanescope::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Everything that a report of the two needs.
struct Compared {
    std::shared_ptr<const session::Run> one, other;
    std::pair<std::string, std::string> names;
    analysis::Comparison comparison;
    timing::ComparedTimes times;
    std::string caveat;
};

// --- Text ----------------------------------------------------------------------------------------------------------

/// "1,939 → 1,207", the arrows of a column below each other, and the change, row by row.
struct CountCells {
    std::vector<std::string> values, changes;
};
CountCells cells_of(std::span<const std::pair<std::string, std::string>> values, std::vector<std::string> changes) {
    std::size_t before = 0, after = 0;
    for (const auto& [one, other] : values) {
        before = std::max(before, columns_of(one));
        after = std::max(after, columns_of(other));
    }
    CountCells cells{.values = {}, .changes = std::move(changes)};
    for (const auto& [one, other] : values) {
        cells.values.push_back(std::string(before - columns_of(one), ' ') + one + " → " +
                               std::string(after - columns_of(other), ' ') + other);
    }
    return cells;
}

/// Shares without their sign: the heading has it.
std::string cell_text(const analysis::CountColumn& column, double value) {
    std::string text = analysis::exact_text(column, value);
    return text.ends_with(" %") ? text.substr(0, text.size() - 2) : text;
}

CountCells cells_of(const analysis::Comparison& comparison, const analysis::CountColumn& column) {
    std::vector<std::pair<std::string, std::string>> values;
    std::vector<std::string> changes;
    const auto add = [&](double before, double after) {
        values.emplace_back(cell_text(column, before), cell_text(column, after));
        changes.push_back(analysis::delta_text(column, before, after));
    };
    for (const analysis::ComparedPass& pass : comparison.passes)
        add(analysis::value_of(column, pass.one), analysis::value_of(column, pass.other));
    add(column.value(comparison.one_total, 0), column.value(comparison.other_total, 0));
    return cells_of(values, std::move(changes));
}

CountCells cells_of(const timing::ComparedTimes& times) {
    std::vector<std::pair<std::string, std::string>> values;
    const auto text = [](const std::optional<double>& time) { return time ? fmt::format("{:.2f}", *time) : "–"; };
    for (const timing::PassTimes& pass : times.passes) values.emplace_back(text(pass.one), text(pass.other));
    values.emplace_back(text(times.one.estimated()), text(times.other.estimated()));
    return cells_of(values, {});
}

std::string pass_table(const Compared& both) {
    const analysis::Comparison& comparison = both.comparison;
    std::vector<Column> columns{{{"pass of A"}, false}, {{"pass of B"}, false}};
    std::vector<CountCells> counts;
    for (const analysis::CountColumn& column : comparison.columns) {
        const bool percent = column.unit == analysis::CountColumn::Unit::percent;
        columns.push_back({{std::string(column.heading) + (percent ? ", %" : "")}});
        columns.push_back({{"change"}});
        counts.push_back(cells_of(comparison, column));
    }
    if (!both.times.passes.empty()) {
        columns.push_back({{"estimated µs"}});
        counts.push_back(cells_of(both.times));
    }
    const auto several = [](const session::Run& run) { return run.trace().launches.size() > 1; };
    Table table(std::move(columns));
    for (std::size_t at = 0; at <= comparison.passes.size(); ++at) {
        std::vector<std::string> row{"total", ""};
        if (at < comparison.passes.size()) {
            const analysis::ComparedPass& pass = comparison.passes[at];
            row = {label_of(pass.one, several(*both.one)), label_of(pass.other, several(*both.other))};
        } else {
            table.add_rule();
        }
        for (const CountCells& cells : counts) {
            row.push_back(cells.values[at]);
            if (!cells.changes.empty()) row.push_back(cells.changes[at]);
        }
        table.add(std::move(row));
    }
    return table.text("  ");
}

std::string share_table(const timing::ComparedTimes& times) {
    if (!times.one.parts && !times.other.parts) return {};
    Table table({{{"share of the estimated time"}, false}, {{"A, µs"}}, {{""}}, {{"B, µs"}}, {{""}}});
    const auto add = [&](std::vector<std::string>& row, const timing::LaunchTime& time, std::size_t term) {
        row.push_back(time.parts ? fmt::format("{:.2f}", (*time.parts)[term]) : "–");
        row.push_back(time.parts ? fmt::format("{:.0f} %", 100 * (*time.parts)[term] / *time.estimated()) : "");
    };
    for (std::size_t term = 0; term < timing::cost_terms.size(); ++term) {
        const auto is_zero = [&](const timing::LaunchTime& time) { return !time.parts || (*time.parts)[term] == 0; };
        if (is_zero(times.one) && is_zero(times.other)) continue;
        std::vector<std::string> row{std::string(timing::cost_terms[term])};
        add(row, times.one, term);
        add(row, times.other, term);
        table.add(std::move(row));
    }
    return table.text("  ") + "  " + times.method + '\n';
}

std::string result_of(const session::Run& run) {
    if (session::first_fault(run.trace()) != nullptr)
        return counted(run.trace().findings.size(), "finding") + "; `lanescope trace` lists them";
    if (run.trace().cancelled) return "cancelled";
    if (!analysis::ended_well(run.trace())) return "the program ended: " + run.trace().host_end;
    if (!run.verdict.ok) return "not checked: there is no CPU reference";
    return *run.verdict.ok ? "correct" : "WRONG; `lanescope trace` shows it";
}

std::string text_of(const Compared& both) {
    std::string text = fmt::format("A: {}B: {}\n", heading_text(*both.one), heading_text(*both.other));
    text += fmt::format("  B against A: {}\n", analysis::change_sentence(both.comparison));
    for (const std::string& sentence : {both.caveat, both.times.measured_sentence(), both.times.estimated_sentence()})
        if (!sentence.empty()) text += "  " + sentence + '\n';
    text += '\n' + pass_table(both);
    text += fmt::format("  {}\n", analysis::alignment_sentence(both.comparison));
    if (!both.times.passes.empty())
        text += "  The times of the passes leave out launches and blocks, which the total includes.\n";
    if (const std::string shares = share_table(both.times); !shares.empty()) text += '\n' + shares;
    text += fmt::format("\n  Result of A: {}.\n  Result of B: {}.\n", result_of(*both.one), result_of(*both.other));
    for (const std::string& note : both.one->notes) text += "  Note on A: " + note + '\n';
    for (const std::string& note : both.other->notes) text += "  Note on B: " + note + '\n';
    return text;
}

// --- JSON ----------------------------------------------------------------------------------------------------------

/// With as many digits as a reader needs: the same on every machine.
double shortened(double value) { return std::round(value * 1e4) / 1e4; }

/// Counts are whole numbers.
Json value_json(const analysis::CountColumn& column, double value) {
    if (!std::isfinite(value)) return nullptr;
    if (column.unit == analysis::CountColumn::Unit::percent) return shortened(value);
    return static_cast<std::int64_t>(value);
}

Json or_null(const std::optional<double>& value) { return value ? Json(shortened(*value)) : Json(nullptr); }

std::string key_of(const analysis::CountColumn& column) {
    std::string key(column.heading);
    std::ranges::replace(key, ' ', '_');
    return key;
}

Json counts_json(const analysis::Comparison& comparison, const auto& value_of_one, const auto& value_of_other) {
    Json json = Json::object();
    for (const analysis::CountColumn& column : comparison.columns) {
        const double before = value_of_one(column), after = value_of_other(column);
        json[key_of(column)] = {{"a", value_json(column, before)},
                                {"b", value_json(column, after)},
                                {"change", value_json(column, after - before)}};
    }
    return json;
}

Json pass_json(const std::optional<analysis::MeasuredPass>& pass) {
    if (!pass) return nullptr;
    return {{"launch", pass->launch}, {"pass", pass->pass.id.value}, {"label", pass->pass.label}};
}

Json time_json(const timing::LaunchTime& time) {
    Json json;
    json["measured_us"] = time.measured ? Json(shortened(time.measured->time.median)) : Json(nullptr);
    if (time.measured) {
        json["measured_launches"] = time.measured->launches;
        json["measured_until_one_value"] = time.measured->until_one;
    }
    json["estimated_us"] = or_null(time.estimated());
    if (!time.why.empty()) json["no_estimate"] = time.why;
    if (time.parts) {
        for (std::size_t term = 0; term < timing::cost_terms.size(); ++term)
            json["estimated_parts_us"][std::string(timing::cost_terms[term])] = shortened((*time.parts)[term]);
    }
    return json;
}

Json json_of(const Compared& both, const CompareOptions& options) {
    const analysis::Comparison& comparison = both.comparison;
    Json json;
    const auto add_run = [&](const char* key, const session::Run& run, const std::string& name) {
        json[key] = {{"name", name},
                     {"kernel", display_name(run)},
                     {"n", run.n},
                     {"block", run.block},
                     {"grid", run.grid},
                     {"input", run.input},
                     {"view", session::name_of(run.trace().origin.view)},
                     {"banks", run.trace().origin.banks},
                     {"result", {{"ok", run.verdict.ok ? Json(*run.verdict.ok) : Json(nullptr)}}},
                     {"findings", run.trace().findings.size()},
                     {"notes", run.notes}};
    };
    add_run("a", *both.one, both.names.first);
    add_run("b", *both.other, both.names.second);
    json["changed"] = analysis::change_sentence(comparison);
    if (!both.caveat.empty()) json["caveat"] = both.caveat;
    json["alignment"] = comparison.alignment == analysis::Alignment::by_variable ? "loop variable" : "order";
    json["passes"] = Json::array();
    for (std::size_t at = 0; at < comparison.passes.size(); ++at) {
        const analysis::ComparedPass& pass = comparison.passes[at];
        Json row{{"a", pass_json(pass.one)}, {"b", pass_json(pass.other)}};
        row["counts"] = counts_json(
            comparison, [&](const auto& column) { return analysis::value_of(column, pass.one); },
            [&](const auto& column) { return analysis::value_of(column, pass.other); });
        if (!both.times.passes.empty())
            row["estimated_us"] = {{"a", or_null(both.times.passes[at].one)},
                                   {"b", or_null(both.times.passes[at].other)}};
        json["passes"].push_back(std::move(row));
    }
    json["totals"] = counts_json(
        comparison, [&](const auto& column) { return column.value(comparison.one_total, 0); },
        [&](const auto& column) { return column.value(comparison.other_total, 0); });
    json["time"] = {{"of", "the code as compiled"},
                    {"recording", both.times.recording},
                    {"a", time_json(both.times.one)},
                    {"b", time_json(both.times.other)},
                    {"method", both.times.method},
                    {"median_error", both.times.model ? Json(shortened(both.times.median_error)) : Json(nullptr)}};
    json["files"] = Json::array();
    for (const std::filesystem::path& file : options.files) json["files"].push_back(file.string());
    return json;
}

}  // namespace

int compare(const CompareOptions& options, Environment& environment) {
    const std::string command = "lanescope compare";
    Compared both;
    for (auto [request, run] : {std::pair(&options.one, &both.one), std::pair(&options.other, &both.other)}) {
        const Outcome outcome = run_or_open(*request, command, environment);
        if (outcome.run == nullptr) return outcome.code == fine ? request_wrong : outcome.code;
        *run = outcome.run;
    }
    both.names = session::names_of(*both.one, *both.other);
    both.caveat = session::caveat_of(*both.one, *both.other);
    both.comparison = session::comparison_of(*both.one, *both.other);
    const timing::RecordingLibrary library = timing::all_recordings();
    both.times = session::times_of(*both.one, *both.other, both.comparison, library.all(), environment.progress);
    if (environment.progress.cancelled()) return interrupted;
    const scene::ComparisonSubject subject{.comparison = both.comparison,
                                           .one = both.names.first,
                                           .other = both.names.second,
                                           .times = &both.times,
                                           .caveat = both.caveat};
    for (const std::filesystem::path& file : options.files) {
        const scene::Scene scene = scene::comparison_scene(subject, {.width = options.width});
        if (const auto written = render::write_image(scene, options.theme, file, options.scale); !written) {
            complain(environment, command, written.error());
            return request_wrong;
        }
    }
    environment.out << (options.json ? dump(json_of(both, options)) : text_of(both));
    return std::max(code_of(*both.one), code_of(*both.other));
}

}  // namespace lanescope::cli
