#include "timing/counters.h"

#include "base/whole_number.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

namespace lanescope::timing {

namespace {

using json::Json;
using CsvRow = std::vector<std::string>;

/// One line of CSV (RFC 4180): fields separated by commas, with or without quotes; a quote inside is doubled.
CsvRow fields_of(std::string_view line) {
    CsvRow fields{""};
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
            fields.back() += c;
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            fields.emplace_back();
        } else if (c != '\r') {
            fields.back() += c;
        }
    }
    return fields;
}

/// "1,234" -> 1234.
std::optional<std::uint64_t> number_of(std::string text) {
    std::erase(text, ',');
    return whole_number<std::uint64_t>(text);
}

/// Nsight Compute's own reason comes first: a table that is missing or incomplete mostly follows from it.
Problem with_errors(Problem problem, const std::string& errors) {
    if (errors.empty()) return problem;
    problem.what += "; Nsight Compute reported: " + errors;
    // The errors are the cause, so that only their own remedy helps.
    problem.remedy = errors.contains("ERR_NVGPUCTRPERM")
                         ? "The driver restricts counters to administrators (ERR_NVGPUCTRPERM): run ncu as root."
                         : "Remove the cause of the error and run ncu again.";
    return problem;
}

Problem no_table() {
    return {.what = "this is not a table from Nsight Compute",
            .where = {},
            .remedy = "Write it with `ncu --csv --metrics ...`; `lanescope counters --help` names the metrics."};
}

/// The indices of the columns that are read.
struct Columns {
    std::size_t id = 0, kernel = 0, metric = 0, value = 0;

    static std::optional<Columns> of(const CsvRow& heading) {
        Columns columns;
        const auto find = [&](const char* name, std::size_t& place) {
            const auto found = std::ranges::find(heading, name);
            place = static_cast<std::size_t>(found - heading.begin());
            return found != heading.end();
        };
        const bool all = find("ID", columns.id) && find("Kernel Name", columns.kernel) &&
                         find("Metric Name", columns.metric) && find("Metric Value", columns.value);
        return all ? std::optional(columns) : std::nullopt;
    }
    [[nodiscard]] std::size_t last() const { return std::max({id, kernel, metric, value}); }
};

}  // namespace

Counters& Counters::operator+=(const Counters& other) {
    for (const Metric& metric : counter_fields()) this->*metric.place += other.*metric.place;
    for (const OptionalMetric& metric : optional_metrics()) {
        auto& mine = this->*metric.place;
        const auto& its = other.*metric.place;
        mine = mine && its ? std::optional(*mine + *its) : std::nullopt;
    }
    return *this;
}

void Counters::keep_least(const Counters& other) {
    for (const Metric& metric : counter_fields())
        this->*metric.place = std::min(this->*metric.place, other.*metric.place);
    for (const OptionalMetric& metric : optional_metrics()) {
        auto& mine = this->*metric.place;
        const auto& its = other.*metric.place;
        mine = mine && its ? std::optional(std::min(*mine, *its)) : std::nullopt;
    }
}

const std::vector<Metric>& metrics() {
    static const std::vector<Metric> all{
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared_load_wavefronts",
         &Counters::shared_load_wavefronts},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared_store_wavefronts",
         &Counters::shared_store_wavefronts},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "shared_atomic_wavefronts",
         &Counters::shared_atomic_wavefronts},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global_load_sectors", &Counters::global_load_sectors},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global_store_sectors", &Counters::global_store_sectors},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "global_atomic_sectors", &Counters::global_atomic_sectors},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "global_atomic_sectors", &Counters::global_atomic_sectors},
        {"smsp__inst_executed.sum", "warp_instructions", &Counters::warp_instructions},
        {"smsp__thread_inst_executed_pred_on.sum", "thread_instructions", &Counters::thread_instructions},
        {"smsp__thread_inst_executed.sum", "active_thread_instructions", &Counters::active_thread_instructions},
    };
    return all;
}

const std::vector<OptionalMetric>& optional_metrics() {
    static const std::vector<OptionalMetric> all{
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "shared_load_conflicts",
         &Counters::shared_load_conflicts},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "shared_store_conflicts",
         &Counters::shared_store_conflicts},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", "shared_atomic_conflicts",
         &Counters::shared_atomic_conflicts},
    };
    return all;
}

std::vector<Metric> counter_fields() {
    std::vector<Metric> fields;
    for (const Metric& metric : metrics())
        if (std::ranges::find(fields, metric.field, &Metric::field) == fields.end()) fields.push_back(metric);
    return fields;
}

std::string errors_of_ncu(std::string_view text) {
    constexpr std::string_view mark = "==ERROR== ";
    std::vector<std::string> errors;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.starts_with(mark)) continue;
        line.remove_prefix(mark.size());
        while (line.ends_with('\r') || line.ends_with(' ') || line.ends_with('.')) line.remove_suffix(1);
        if (!line.empty() && std::ranges::find(errors, line) == errors.end()) errors.emplace_back(line);
    }
    return fmt::format("{}", fmt::join(errors, "; "));
}

Result<std::vector<CountedLaunch>> read_ncu_csv(std::string_view text) {
    const std::string errors = errors_of_ncu(text);
    std::optional<Columns> columns;
    std::map<std::uint64_t, std::pair<CountedLaunch, std::size_t>> launches;  // by ID, with the number of counters read
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const CsvRow row = fields_of(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!columns) {
            columns = Columns::of(row);
            continue;
        }
        if (row.size() <= columns->last()) continue;
        const auto id = number_of(row[columns->id]);
        const auto may_lack = std::ranges::find(optional_metrics(), row[columns->metric], &OptionalMetric::name);
        if (id && may_lack != optional_metrics().end()) {
            launches[*id].first.counters.*may_lack->place = number_of(row[columns->value]);
            continue;
        }
        const auto metric = std::ranges::find(metrics(), row[columns->metric], &Metric::name);
        if (!id || metric == metrics().end()) continue;
        const auto value = number_of(row[columns->value]);
        if (!value) {
            return std::unexpected(with_errors(
                {.what = fmt::format("the counter {} of launch {} is \"{}\"", metric->name, *id, row[columns->value]),
                 .where = {},
                 .remedy = "Nsight Compute could not count it on this GPU."},
                errors));
        }
        auto& [launch, counted] = launches[*id];
        launch.kernel = row[columns->kernel];
        launch.counters.*metric->place += *value;
        ++counted;
    }
    if (!columns || launches.empty()) return std::unexpected(with_errors(no_table(), errors));
    std::vector<CountedLaunch> result;
    for (auto& [id, launch] : launches) {
        if (launch.second < metrics().size()) {
            return std::unexpected(with_errors({.what = fmt::format("launch {} lacks {} of {} counters", id,
                                                                    metrics().size() - launch.second, metrics().size()),
                                                .where = {},
                                                .remedy = "`lanescope counters --help` names them all."},
                                               errors));
        }
        result.push_back(std::move(launch.first));
    }
    return result;
}

std::string to_json(const CounterRecording& recording) {
    Json written = json::of(static_cast<const RecordingHeader&>(recording));
    written["kernels"] = Json::array();
    for (const CountedKernel& kernel : recording.kernels) {
        Json counted{
            {"kernel", kernel.kernel}, {"view", kernel.view},   {"optimised", kernel.optimized}, {"n", kernel.n},
            {"block", kernel.block},   {"input", kernel.input}, {"launches", Json::array()}};
        for (const Counters& launch : kernel.launches) {
            Json fields;
            for (const Metric& field : counter_fields()) fields[std::string(field.field)] = launch.*field.place;
            for (const OptionalMetric& field : optional_metrics())
                if (const auto& value = launch.*field.place) fields[std::string(field.field)] = *value;
            counted["launches"].push_back(std::move(fields));
        }
        written["kernels"].push_back(std::move(counted));
    }
    return written.dump(1) + '\n';
}

Result<CounterRecording> counters_from_json(const std::string& text) {
    try {
        const Json parsed = Json::parse(text);
        CounterRecording recording{json::recording_header_of(parsed), {}};
        for (const Json& counted : parsed.at("kernels")) {
            CountedKernel& kernel = recording.kernels.emplace_back();
            kernel.kernel = counted.at("kernel");
            kernel.view = counted.at("view");
            kernel.optimized = counted.at("optimised");
            kernel.n = counted.at("n");
            kernel.block = counted.at("block");
            kernel.input = counted.at("input");
            for (const Json& fields : counted.at("launches")) {
                Counters& launch = kernel.launches.emplace_back();
                for (const Metric& field : counter_fields()) launch.*field.place = fields.at(field.field);
                for (const OptionalMetric& field : optional_metrics())
                    if (fields.contains(field.field)) launch.*field.place = fields.at(field.field).get<std::uint64_t>();
            }
        }
        return recording;
    } catch (const nlohmann::json::exception& error) {
        return fail(fmt::format("this is not a recording of counters: {}", error.what()));
    }
}

}  // namespace lanescope::timing
