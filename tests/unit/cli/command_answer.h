// A command of the program, as a test runs it: its exit status and what it printed.
#pragma once

#include "cli/cli.h"
#include "places.h"

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace lanescope::cli {

struct CommandAnswer {
    int code = 0;
    std::string out, err;
};

inline CommandAnswer answer_of(const std::vector<std::string>& arguments) {
    std::ostringstream out, err;
    Progress progress;
    Environment environment{
        .out = out, .err = err, .progress = progress, .version = "0.0.0", .program = LANESCOPE_BINARY};
    const int code = cli::run(arguments, environment);
    return {.code = code, .out = out.str(), .err = err.str()};
}

/// `lanescope counters` on a machine without Nsight Compute.
inline CommandAnswer counters_without_profiler(std::vector<std::string> arguments) {
    setenv("PATH", "/nowhere", 1);
    arguments.insert(arguments.begin(), "counters");
    return answer_of(arguments);
}

}  // namespace lanescope::cli
