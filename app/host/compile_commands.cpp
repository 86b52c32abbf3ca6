#include "host/compile_commands.h"

#include "base/command_line.h"
#include "base/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace lanescope::host {

namespace fs = std::filesystem;

namespace {

/// The words of a shell command; empty where a quote is not closed.
std::vector<std::string> words_of_command(std::string_view text) {
    return command_words(text).value_or(std::vector<std::string>());
}

std::string text_of(const nlohmann::json& entry, const char* name) {
    const auto found = entry.find(name);
    return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::optional<fs::path> find_compile_commands(const fs::path& folder) {
    std::error_code error;
    fs::path at = fs::absolute(folder, error);
    while (true) {
        for (const fs::path& file : {at / "compile_commands.json", at / "build" / "compile_commands.json"})
            if (fs::is_regular_file(file, error)) return file;
        if (!at.has_relative_path()) return std::nullopt;
        at = at.parent_path();
    }
}

std::vector<CompileCommand> read_compile_commands(const fs::path& file) {
    std::vector<CompileCommand> commands;
    const auto text = read_file(file);
    if (!text) return commands;
    const auto all = nlohmann::json::parse(*text, nullptr, false);
    if (!all.is_array()) return commands;
    for (const nlohmann::json& entry : all) {
        if (!entry.is_object()) continue;
        const fs::path folder = file.parent_path() / text_of(entry, "directory");
        CompileCommand command;
        command.file = (folder / text_of(entry, "file")).lexically_normal();
        std::vector<std::string> words = words_of_command(text_of(entry, "command"));
        if (const auto arguments = entry.find("arguments"); arguments != entry.end() && arguments->is_array())
            for (const nlohmann::json& word : *arguments)
                if (word.is_string()) words.push_back(word.get<std::string>());
        compile::ReadOptions read = compile::read_compiler_options(words, folder);
        command.options = std::move(read.options);
        command.not_taken = compile::meaningful(read.passed_over);
        // nvcc refuses a standard that it does not know.
        std::erase_if(command.options.others, [&](const std::string& option) {
            constexpr std::array<std::string_view, 5> known{"03", "11", "14", "17", "20"};
            if (!compile::states_standard(option)) return false;
            const bool is_known =
                std::ranges::any_of(known, [&](auto year) { return option == fmt::format("-std=c++{}", year); });
            if (!is_known && command.file.extension() != ".c") command.not_taken.push_back(option);
            return !is_known;
        });
        commands.push_back(std::move(command));
    }
    return commands;
}

}  // namespace lanescope::host
