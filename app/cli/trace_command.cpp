#include "cli/commands.h"
#include "cli/report.h"
#include "trace/file.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace lanescope::cli {

int trace(const TraceOptions& options, Environment& environment) {
    const std::string command = "lanescope trace";
    const Outcome outcome = run_or_open(options.request, command, environment, options.json);
    if (outcome.run == nullptr) return outcome.code;
    const session::Run& run = *outcome.run;
    if (options.json) {
        nlohmann::ordered_json json = report_json(run);
        if (options.theory) json["theory"] = theory_json(run, environment.progress);
        environment.out << dump(json);
        for (const std::string& note : run.notes) environment.err << note << '\n';
    } else {
        environment.out << report_text(run, environment.out_is_terminal) << speed_text(run);
        if (options.theory) environment.out << theory_text(run, environment.progress);
    }
    for (const compile::Diagnostic& warning : run.diagnostics) {
        environment.err << diagnostic_text(run.program.source.name, warning);
    }
    if (!options.out.empty()) {
        if (const auto saved = trace::save(run.trace(), options.out); !saved) {
            complain(environment, command, saved.error());
            return request_wrong;
        }
        environment.err << "The trace is in " << options.out.string() << ".\n";
    }
    return code_of(run);
}

}  // namespace lanescope::cli
