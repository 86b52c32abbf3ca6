#include "base/command_line.h"
#include "base/grouped.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "session/schedule_search.h"
#include "trace/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

namespace lanescope::cli {

namespace {

using SearchJson = nlohmann::ordered_json;

SearchJson json_of(const session::Run& run, const session::ScheduleSearch& search) {
    SearchJson json{{"kernel", session::display_name(run)},  {"races", search.races},
                    {"wrong_already", search.wrong_already}, {"tried", search.tried},
                    {"undecided", search.unknown},           {"found", nullptr}};
    if (!search.found) return json;
    const session::Spoiled& found = *search.found;
    SearchJson& entry = json["found"];
    entry = {{"schedule", found.schedule}, {"race", nullptr}};
    if (found.finding) entry["race"] = run.trace().findings[*found.finding].message;
    if (!found.fault.empty()) {
        entry["fault"] = found.fault;
        return json;
    }
    entry["buffer"] = found.buffer;
    entry["element"] = found.element;
    entry["address"] = found.address;
    entry["value"] = found.found;
    entry["expected"] = found.expected;
    entry["by_reference"] = found.by_reference;
    entry["open"] = found.open;
    return json;
}

/// The command that runs the request under the schedule.
std::string replay_command(session::Request request, const std::string& replayed) {
    std::vector<std::string> words{"lanescope", "trace", request.program}, options;
    request.placement.schedule = replayed;
    const session::LaunchValues values = session::values_of(request);
    using enum session::LaunchField;
    for (const session::LaunchField field : {view, multiprocessors, resident, order, schedule}) {
        if (values[field].empty()) continue;
        options.push_back(fmt::format("--{}", session::name_of(field)));
        options.push_back(values[field]);
    }
    if (request.banks != model::usual_banks) {
        options.push_back(fmt::format("--{}", session::name_of(banks)));
        options.push_back(values[banks]);
    }
    if (request.anyway) options.emplace_back("--anyway");
    if (request.sanitize) options.emplace_back("--sanitize");
    session::add_launch(words, request, options);
    return command_text(words);
}

}  // namespace

int schedule(const ScheduleOptions& options, Environment& environment) {
    const std::string command = "lanescope schedule";
    const Outcome outcome = run_or_open(options.request, command, environment);
    if (outcome.run == nullptr) return outcome.code;
    const session::Run& run = *outcome.run;
    const auto search = session::search_schedule(run, std::nullopt, options.tries, environment.progress);
    if (!search) {
        complain(environment, command, search.error());
        return request_wrong;
    }
    if (search->cancelled) {
        environment.err << command << ": cancelled\n";
        return interrupted;
    }
    if (options.json) {
        environment.out << dump(json_of(run, *search));
    } else {
        if (search->found && search->found->finding) {
            const trace::Finding& finding = run.trace().findings[*search->found->finding];
            environment.out << fmt::format("{}: {}\n", trace::name_of(finding.kind), finding.message);
        } else if (search->found && search->races > 0) {
            environment.out << fmt::format("race: one of {}, not known which\n", search->races);
        }
        environment.out << session::text_of(*search) << '\n';
        if (search->found && trace::is_trace_file(options.request.program))
            environment.out << fmt::format(
                "{} tried; a saved trace does not run under another: add --schedule \"{}\" to the command that made "
                "it\n",
                counted(search->tried, "schedule"), search->found->schedule);
        else if (search->found)
            environment.out << fmt::format("{}; to run it{}:\n  {}\n",
                                           search->found->open
                                               ? fmt::format("one of {} that were tried", search->tried)
                                               : fmt::format("schedule {} of those tried", search->tried),
                                           options.request.standard_input.empty() ? "" : ", with its --stdin",
                                           replay_command(options.request, search->found->schedule));
    }
    return (search->found && !search->found->open) || search->wrong_already ? kernel_wrong : fine;
}

}  // namespace lanescope::cli
