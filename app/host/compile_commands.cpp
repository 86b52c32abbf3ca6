#include "host/compile_commands.h"

#include "base/command_line.h"
#include "base/files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace lanescope::host {

namespace fs = std::filesystem;

namespace {

/// What device code computes, and what it may be written in. Architecture, debugging and linking are Lanescope's own.
bool changes_meaning(std::string_view option) {
    constexpr std::array<std::string_view, 14> known{

        "--use_fast_math",
        "--fmad=",
        "--ftz=",
        "--prec-div=",
        "--prec-sqrt=",
        "--extended-lambda",
        "--expt-extended-lambda",
        "--expt-relaxed-constexpr",
        "-use_fast_math",
        "-fmad=",
        "-ftz=",
        "-prec-div=",
        "-prec-sqrt=",
        "-extended-lambda"};
    return std::ranges::any_of(
        known, [&](std::string_view name) { return name.ends_with('=') ? option.starts_with(name) : option == name; });
}

/// None of a command whose quotes do not end.
std::vector<std::string> words_of_command(std::string_view text) {
    return command_words(text).value_or(std::vector<std::string>());
}

/// Reads the words of one command.
class WordReader {
  public:
    WordReader(CompileCommand& command, fs::path folder) : command_(command), folder_(std::move(folder)) {}

    void read(const std::vector<std::string>& words, bool from_file = false) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string_view word = words[i];
            const auto argument = [&](std::string_view option) -> std::optional<std::string> {
                if (!word.starts_with(option)) return std::nullopt;
                std::string_view rest = word.substr(option.size());
                if (option.starts_with("--") && rest.starts_with('=')) rest.remove_prefix(1);
                if (!rest.empty()) return std::string(rest);
                if (++i < words.size()) return words[i];
                return std::nullopt;
            };
            if (word.starts_with("-std=") || word.starts_with("--std=")) {
                command_.standard = word.substr(word.starts_with("--") ? 1 : 0);
            } else if (word == "-rdc=true" || word == "--relocatable-device-code=true" || word == "-dc" ||
                       word == "--device-c") {
                command_.options.emplace_back("-rdc=true");
            } else if (changes_meaning(word)) {
                command_.options.emplace_back(word);
            } else if (const auto include = argument("-isystem")) {
                command_.include.push_back(absolute(*include));
            } else if (const auto quoted = argument("-iquote")) {
                command_.include.push_back(absolute(*quoted));
            } else if (const auto path = argument("-I")) {
                command_.include.push_back(absolute(*path));
            } else if (const auto define = argument("-D")) {
                const std::size_t equals = define->find('=');
                command_.defines[define->substr(0, equals)] =
                    equals == std::string::npos ? "" : define->substr(equals + 1);
            } else if (const auto options = argument("--options-file"); options && !from_file) {
                read(words_of_command(read_file(absolute(*options)).value_or("")), true);  // CMake's, of nvcc
            }
        }
    }

  private:
    [[nodiscard]] fs::path absolute(const std::string& path) const { return (folder_ / path).lexically_normal(); }

    CompileCommand& command_;
    fs::path folder_;
};

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
        WordReader(command, folder).read(words);
        commands.push_back(std::move(command));
    }
    return commands;
}

}  // namespace lanescope::host
