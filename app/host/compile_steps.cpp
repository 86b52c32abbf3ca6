#include "host/compile_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace lanescope::host {

namespace fs = std::filesystem;

namespace {

/// Quoted, so that a shell reads it as one word.
std::string in_quotes(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// "NAME=value", which nvcc sets for its commands.
bool sets_variable(std::string_view line) {
    const std::size_t name = line.find('=');
    return name != std::string_view::npos && name > 0 && std::ranges::all_of(line.substr(0, name), [](char c) {
               return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
           });
}

bool preprocesses(std::string_view command) { return command.starts_with("g++ ") && command.contains(" -E -x c++ "); }

}  // namespace

std::optional<CompileSteps> compile_steps(std::string_view plan, const fs::path& folder) {
    constexpr std::string_view mark = "#$ ", front = "cudafe++ ", back = "\"$CICC_PATH/cicc\" ",
                               id_option = "--module_id_file_name \"";
    std::string variables = "set -e\n";
    std::vector<std::string> commands;
    for (std::size_t at = 0; at < plan.size();) {
        const std::size_t end = std::min(plan.find('\n', at), plan.size());
        std::string_view line = plan.substr(at, end - at);
        at = end + 1;
        if (line.empty()) continue;
        if (!line.starts_with(mark)) return std::nullopt;  // a warning of nvcc's own, or an error
        line.remove_prefix(mark.size());
        if (const std::size_t name = line.find('='); sets_variable(line))
            variables += fmt::format("export {}={}\n", line.substr(0, name), in_quotes(line.substr(name + 1)));
        else
            commands.emplace_back(line);
    }
    // g++ -E, cudafe++, g++ -E, cicc, fatbinary, perhaps rm, g++ -c
    if (commands.size() < 6 || !preprocesses(commands[0]) || !commands[1].starts_with(front) ||
        !preprocesses(commands[2]) || !commands[3].starts_with(back) || !commands[4].starts_with("fatbinary ") ||
        !commands.back().starts_with("g++ ") || !commands.back().contains(" -c -x c++ "))
        return std::nullopt;
    for (std::size_t i = 5; i + 1 < commands.size(); ++i)
        if (!commands[i].starts_with("rm ")) return std::nullopt;

    std::string& device = commands[3];
    const std::size_t option = device.find(id_option), begin = option + id_option.size();
    const std::size_t end = option == std::string::npos ? option : device.find('"', begin);
    if (end == std::string::npos || device.contains("--gen_module_id_file") ||
        !commands[1].contains("--gen_module_id_file"))
        return std::nullopt;
    CompileSteps steps;
    steps.id = device.substr(begin, end - begin);
    steps.other = folder / "device.module_id";
    steps.host_rule = folder / "host.rule";
    steps.device_rule = folder / "device.rule";
    if (!commands[1].contains(steps.id.string())) return std::nullopt;
    device.replace(option, end + 1 - option,
                   "--gen_module_id_file --module_id_file_name " + in_quotes(steps.other.string()));
    const auto with_rule = [](const std::string& command, const fs::path& rule) {
        return fmt::format("{} -MD -MT object -MF {}\n", command, in_quotes(rule.string()));
    };
    steps.host = variables + with_rule(commands[0], steps.host_rule) + commands[1] + '\n';
    steps.device = variables + with_rule(commands[2], steps.device_rule) + device + '\n';
    for (std::size_t i = 4; i + 1 < commands.size(); ++i) steps.device += commands[i] + '\n';
    steps.finish = variables + commands.back() + '\n';
    return steps;
}

}  // namespace lanescope::host
