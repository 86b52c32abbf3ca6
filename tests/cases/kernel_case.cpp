#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

#include "cases/cases.h"
#include "cli/cli.h"

namespace lanescope::cases {
namespace {

/// The kernels of a file, in the order of the text.
std::vector<std::string> kernels_of(const std::string& source) {
    const std::string declares = "__global__ void ";
    std::vector<std::string> names;
    for (std::size_t at = 0; (at = source.find(declares, at)) != std::string::npos;) {
        at += declares.size();
        names.push_back(source.substr(at, source.find('(', at) - at));
    }
    return names;
}

enum class Shown { findings, notes };

/// The sentences of the report on the result and on errors, or its notes.
std::string part_of(const std::string& report, Shown what) {
    std::string text = report.substr(std::min(report.find("  Result:"), report.size()));
    std::istringstream lines(text);
    text.clear();
    for (std::string line; std::getline(lines, line);) {
        const bool left_out = (what == Shown::findings && line.starts_with("  Note:")) ||
                              line.starts_with("  Emulated at ");  // differs from run to run
        if (!left_out && !line.starts_with("  Result: not checked")) text += line + '\n';
    }
    return text;
}

std::string all_kernels(const std::filesystem::path& input, Shown what) {
    std::string text;
    for (const std::string& kernel : kernels_of(read_file(input))) {
        for (const std::string view : {"written", "compiled"}) {
            std::ostringstream out, err;
            Progress progress;
            cli::Environment environment{.out = out, .err = err, .progress = progress, .version = "0.0.0"};
            const int code = cli::run({"trace", input.string(), "--kernel", kernel, "--view", view}, environment);
            text += fmt::format("{}, as {}\n{}", kernel, view, part_of(out.str(), what));
            if (code > 1) text += err.str();
            if (what == Shown::notes) text += "[exit " + std::to_string(code) + "]\n";
            text += '\n';
        }
    }
    return text;
}

}  // namespace

std::string kernel_case(const std::filesystem::path& input) { return all_kernels(input, Shown::findings); }

std::string guess_case(const std::filesystem::path& input) { return all_kernels(input, Shown::notes); }

}  // namespace lanescope::cases
