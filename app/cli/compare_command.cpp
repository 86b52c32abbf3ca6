// `lanescope compare`: compares runs with the first one, as text, JSON and picture.
#include "analysis/panels/program_lines.h"
#include "base/grouped.h"
#include "cli/commands.h"
#include "cli/panel_picture.h"
#include "cli/report.h"
#include "cli/table.h"
#include "render/image/image.h"
#include "scene/comparison_scene.h"
#include "scene/multiples_scene.h"
#include "session/compared_runs.h"
#include "session/verdict.h"
#include "trace/record_extent.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <span>

namespace lanescope::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Everything that a report of one run beside the first, A, needs.
struct Compared {
    std::shared_ptr<const session::Run> one, other;
    std::pair<std::string, std::string> names;
    char letter = 'B';  ///< of the other
    analysis::Comparison comparison;
    timing::ComparedTimes times;
    std::string caveat;
};

// --- Text ----------------------------------------------------------------------------------------------------------

/// "1,939 → 1,207" and the change for each row, with the arrows of a column aligned.
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
        cells.values.push_back(fmt::format("{}{} → {}{}", std::string(before - columns_of(one), ' '), one,
                                           std::string(after - columns_of(other), ' '), other));
    }
    return cells;
}

/// Shares have no percent sign, because the heading has it.
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
    values.reserve(times.passes.size());
    for (const timing::PassTimes& pass : times.passes) values.emplace_back(text(pass.one), text(pass.other));
    values.emplace_back(text(times.one.estimated()), text(times.other.estimated()));
    return cells_of(values, {});
}

std::string pass_table(const Compared& both) {
    const analysis::Comparison& comparison = both.comparison;
    std::vector<Column> columns{{{"pass of A"}, false}, {{fmt::format("pass of {}", both.letter)}, false}};
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

std::string share_table(const timing::ComparedTimes& times, char letter) {
    if (!times.one.parts && !times.other.parts) return {};
    Table table(
        {{{"share of the estimated time"}, false}, {{"A, µs"}}, {{""}}, {{fmt::format("{}, µs", letter)}}, {{""}}});
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

/// The changes, why they may not be comparable, and the times of both.
std::string sentences_of(const Compared& both) {
    std::string text = fmt::format("  {} against A: {}\n", both.letter, analysis::change_sentence(both.comparison));
    for (const std::string& sentence :
         {both.caveat, both.times.measured_sentence(), both.times.estimated_sentence(both.letter)})
        if (!sentence.empty()) text += "  " + sentence + '\n';
    return text;
}

std::string tables_of(const Compared& both) {
    std::string text = '\n' + pass_table(both);
    text += fmt::format("  {}\n", analysis::alignment_sentence(both.comparison));
    if (!both.times.passes.empty())
        text += "  The times of the passes leave out launches and blocks, which the total includes.\n";
    if (const std::string shares = share_table(both.times, both.letter); !shares.empty()) text += '\n' + shares;
    return text;
}

/// The totals of all, each with its change from A.
std::string total_table(std::span<const Compared> others) {
    std::vector<Column> columns{{{"total"}, false}, {{"A"}}};
    for (const Compared& each : others) {
        columns.push_back({{std::string(1, each.letter)}});
        columns.push_back({{"change"}});
    }
    Table table(std::move(columns));
    std::vector<const analysis::Pass*> totals{&others.front().comparison.one_total};
    for (const Compared& each : others) totals.push_back(&each.comparison.other_total);
    for (const analysis::CountColumn& column : analysis::compared_columns(totals)) {
        const double first = column.value(others.front().comparison.one_total, 0);
        std::vector<std::string> row{std::string(column.heading), analysis::exact_text(column, first)};
        bool known = std::isfinite(first);
        for (const Compared& each : others) {
            const double value = column.value(each.comparison.other_total, 0);
            known = known || std::isfinite(value);
            row.push_back(analysis::exact_text(column, value));
            row.push_back(analysis::delta_text(column, first, value));
        }
        if (known) table.add(std::move(row));
    }
    return table.text("  ");
}

std::string text_of(std::span<const Compared> others) {
    std::string text = fmt::format("A: {}", heading_text(*others.front().one));
    for (const Compared& each : others) text += fmt::format("{}: {}", each.letter, heading_text(*each.other));
    text += '\n';
    if (others.size() > 1) text += total_table(others) + '\n';
    for (const Compared& each : others) text += sentences_of(each);
    for (const Compared& each : others) text += tables_of(each);
    text += fmt::format("\n  Result of A: {}.\n", result_of(*others.front().one));
    for (const Compared& each : others)
        text += fmt::format("  Result of {}: {}.\n", each.letter, result_of(*each.other));
    for (const std::string& note : others.front().one->notes) text += "  Note on A: " + note + '\n';
    for (const Compared& each : others)
        for (const std::string& note : each.other->notes) text += fmt::format("  Note on {}: {}\n", each.letter, note);
    return text;
}

// --- JSON ----------------------------------------------------------------------------------------------------------

/// Rounded to four decimals, so that the text is the same on every machine.
double shortened(double value) { return std::round(value * 1e4) / 1e4; }

/// Counts become integers.
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

/// "b": of the run that is compared with A.
std::string key_of(const Compared& both) { return {static_cast<char>(both.letter - 'A' + 'a')}; }

Json counts_json(const Compared& both, const auto& value_of_one, const auto& value_of_other) {
    Json json = Json::object();
    for (const analysis::CountColumn& column : both.comparison.columns) {
        const double before = value_of_one(column), after = value_of_other(column);
        json[key_of(column)] = {{"a", value_json(column, before)},
                                {key_of(both), value_json(column, after)},
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

Json run_json(const session::Run& run, const std::string& name) {
    const trace::Launch& launch = run.trace().launches.front();
    return {{"name", name},
            {"kernel", display_name(run)},
            {"n", run.n},
            {"block", extent_json(launch.block)},
            {"grid", extent_json(launch.grid)},
            {"input", run.input},
            {"view", session::name_of(run.trace().origin.view)},
            {"banks", run.trace().origin.banks},
            {"result", {{"ok", run.verdict.ok ? Json(*run.verdict.ok) : Json(nullptr)}}},
            {"findings", run.trace().findings.size()},
            {"notes", run.notes}};
}

/// The comparison of one run with A, into the object.
void add_comparison(Json& json, const Compared& both) {
    const analysis::Comparison& comparison = both.comparison;
    const std::string key = key_of(both);
    json["changed"] = analysis::change_sentence(comparison);
    if (!both.caveat.empty()) json["caveat"] = both.caveat;
    json["alignment"] = comparison.alignment == analysis::Alignment::by_variable ? "loop variable" : "order";
    json["passes"] = Json::array();
    for (std::size_t at = 0; at < comparison.passes.size(); ++at) {
        const analysis::ComparedPass& pass = comparison.passes[at];
        Json row{{"a", pass_json(pass.one)}, {key, pass_json(pass.other)}};
        row["counts"] = counts_json(
            both, [&](const auto& column) { return analysis::value_of(column, pass.one); },
            [&](const auto& column) { return analysis::value_of(column, pass.other); });
        if (!both.times.passes.empty())
            row["estimated_us"] = {{"a", or_null(both.times.passes[at].one)},
                                   {key, or_null(both.times.passes[at].other)}};
        json["passes"].push_back(std::move(row));
    }
    json["totals"] = counts_json(
        both, [&](const auto& column) { return column.value(comparison.one_total, 0); },
        [&](const auto& column) { return column.value(comparison.other_total, 0); });
    json["time"] = {{"of", "the code as compiled"},
                    {"recording", both.times.recording},
                    {"a", time_json(both.times.one)},
                    {key, time_json(both.times.other)},
                    {"method", both.times.method},
                    {"median_error", both.times.model ? Json(shortened(both.times.median_error)) : Json(nullptr)}};
}

/// With two programs, the object has the differences; with more, it has a list with one object for each program that is
/// compared with A.
Json json_of(std::span<const Compared> others, std::span<const std::string> names, const CompareOptions& options) {
    Json json;
    json["a"] = run_json(*others.front().one, names.front());
    for (std::size_t at = 0; at < others.size(); ++at)
        json[key_of(others[at])] = run_json(*others[at].other, names[at + 1]);
    if (others.size() == 1) {
        add_comparison(json, others.front());
    } else {
        json["against_a"] = Json::array();
        for (const Compared& each : others) {
            Json against{{"of", key_of(each)}};
            add_comparison(against, each);
            json["against_a"].push_back(std::move(against));
        }
    }
    json["files"] = Json::array();
    for (const std::filesystem::path& file : options.files) json["files"].push_back(file.string());
    return json;
}

// --- Picture -------------------------------------------------------------------------------------------------------

/// The end of the first recorded block of the first launch; nullopt if no block was recorded.
std::optional<Moment> end_of(const session::Run& run) {
    const trace::Launch& launch = run.trace().launches.front();
    if (launch.recorded.empty()) return std::nullopt;
    Moment moment{.block = launch.recorded.front(), .selected = {}};
    moment.position = run.analysis->block_passes(moment.launch, moment.block).steps.size();
    return moment;
}

scene::Scene comparison_picture(std::span<const Compared> others, std::span<const std::string> names, float width,
                                Progress& progress) {
    if (others.size() == 1) {
        const Compared& both = others.front();
        return scene::comparison_scene({.comparison = both.comparison,
                                        .one = both.names.first,
                                        .other = both.names.second,
                                        .times = &both.times,
                                        .caveat = both.caveat},
                                       {.width = width});
    }
    std::vector<const session::Run*> runs{others.front().one.get()};
    for (const Compared& each : others) runs.push_back(each.other.get());
    std::vector<std::optional<scene::Scene>> pictures;
    for (const session::Run* const run : runs) {
        std::optional<scene::Scene>& picture = pictures.emplace_back();
        if (const auto moment = end_of(*run))
            picture = panel_picture(*run, *moment, "passes", scene::multiple_width(width, runs.size()), progress);
    }
    std::vector<scene::Multiple> multiples;
    for (std::size_t at = 0; at < runs.size(); ++at) {
        scene::Multiple& made = multiples.emplace_back();
        made.name = names[at];
        if (pictures[at]) made.picture = &*pictures[at];
        if (!pictures[at]) made.instead = session::sentence(trace::nothing_recorded(runs[at]->trace(), 0).what);
        if (at == 0) continue;
        made.comparison = &others[at - 1].comparison;
        made.times = &others[at - 1].times;
        made.caveat = others[at - 1].caveat;
    }
    return scene::multiples_scene(multiples, {.width = width, .hovered = {}});
}

}  // namespace

int compare(const CompareOptions& options, Environment& environment) {
    const std::string command = "lanescope compare";
    std::vector<std::shared_ptr<const session::Run>> runs;
    for (const session::Request& request : options.launches) {
        const Outcome outcome = run_or_open(request, command, environment);
        if (outcome.run == nullptr) return outcome.code == fine ? request_wrong : outcome.code;
        runs.push_back(outcome.run);
    }
    const std::vector<std::string> names = session::names_of(runs);
    const timing::RecordingLibrary library = timing::all_recordings();
    std::vector<Compared> others;
    for (std::size_t at = 1; at < runs.size(); ++at) {
        Compared& both = others.emplace_back();
        both.one = runs.front();
        both.other = runs[at];
        both.letter = static_cast<char>('A' + at);
        both.names = session::names_of(*both.one, *both.other);
        both.caveat = session::caveat_of(*both.one, *both.other, both.letter);
        both.comparison = session::comparison_of(*both.one, *both.other);
        both.times = session::times_of(*both.one, *both.other, both.comparison, library.all(), environment.progress);
        if (environment.progress.cancelled()) return interrupted;
    }
    for (const std::filesystem::path& file : options.files) {
        const scene::Scene scene = comparison_picture(others, names, options.width, environment.progress);
        if (const auto written = render::write_image(scene, options.theme, file, options.scale); !written) {
            complain(environment, command, written.error());
            return request_wrong;
        }
    }
    environment.out << (options.json ? dump(json_of(others, names, options)) : text_of(others));
    int code = fine;
    for (const auto& run : runs) code = std::max(code, code_of(*run));
    return code;
}

}  // namespace lanescope::cli
