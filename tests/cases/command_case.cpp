#include <sstream>
#include <utility>
#include <vector>

#include "cases/cases.h"
#include "cli/cli.h"
#include "host/sandbox.h"
#include "scratch_folder.h"

#include <fmt/format.h>

namespace lanescope::cases {
namespace {

/// Words as a shell splits them: by spaces, quotes keep a word together.
std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false, begun = false;
    for (const char letter : line) {
        if (letter == '"') {
            quoted = !quoted;
            begun = true;
        } else if (letter == ' ' && !quoted) {
            if (begun) words.push_back(std::exchange(word, {}));
            begun = false;
        } else {
            word += letter;
            begun = true;
        }
    }
    if (begun) words.push_back(word);
    return words;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
    }
}

/// The report without the line that differs from machine to machine.
std::string without_speed(std::string text) {
    const std::size_t first = text.find("  Emulated at ");
    if (first != std::string::npos) text.erase(first, text.find('\n', first) + 1 - first);
    return text;
}

/// Makes the cases' folder the current one while commands run, so that they name files as a user does; and a temporary
/// folder for the files that they write.
class Place {
  public:
    explicit Place(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
        std::filesystem::current_path(folder);
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() { std::filesystem::current_path(before_); }
    ScratchFolder written;

  private:
    std::filesystem::path before_;
};

}  // namespace

std::string command_case(const std::filesystem::path& input) {
    const Place place(input.parent_path());
    std::string text;
    std::istringstream lines(read_file(input));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        std::string command = line;
        replace_all(command, "$TMP", place.written.path().string());
        std::ostringstream out, err;
        Progress progress;
        cli::Environment environment{.out = out, .err = err, .progress = progress, .version = "0.0.0"};
        const int code = cli::run(words_of(command), environment);
        text += "$ lanescope " + line + '\n' + without_speed(out.str());
        if (!err.str().empty()) text += "[stderr]\n" + err.str();
        text += "[exit " + std::to_string(code) + "]\n\n";
    }
    replace_all(text, place.written.path().string(), "$TMP");
    // Which means there are depends on the machine.
    replace_all(text, fmt::format("sandbox ({})", host::name_of(host::confinement())), "sandbox ($MEANS)");
    return text;
}

}  // namespace lanescope::cases
