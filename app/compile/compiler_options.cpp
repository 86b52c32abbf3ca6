#include "compile/compiler_options.h"

#include "base/command_line.h"
#include "base/files.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <ranges>
#include <utility>

namespace lanescope::compile {

namespace {

template <std::size_t count>
bool is_one_of(std::string_view option, const std::array<std::string_view, count>& known) {
    return std::ranges::any_of(
        known, [&](std::string_view name) { return name.ends_with('=') ? option.starts_with(name) : option == name; });
}

/// Whether the option affects arithmetic in device code.
bool is_arithmetic(std::string_view option) {
    constexpr std::array<std::string_view, 10> known{
        "--use_fast_math", "--fmad=", "--ftz=", "--prec-div=", "--prec-sqrt=",
        "-use_fast_math",  "-fmad=",  "-ftz=",  "-prec-div=",  "-prec-sqrt="};
    return is_one_of(option, known);
}

/// Options for the language of device code.
bool is_language(std::string_view option) {
    constexpr std::array<std::string_view, 5> known{"--extended-lambda", "--expt-extended-lambda",
                                                    "--expt-relaxed-constexpr", "-extended-lambda",
                                                    "-expt-relaxed-constexpr"};
    return is_one_of(option, known);
}

bool links_device_code(std::string_view option) {
    constexpr std::array<std::string_view, 4> known{"-rdc=true", "--relocatable-device-code=true", "-dc", "--device-c"};
    return is_one_of(option, known);
}

/// "-std=gnu++17", as CMake writes it for host sources, becomes "-std=c++17": nvcc does not know the GNU dialects.
std::string plain_standard(std::string_view option) {
    std::string standard(option.substr(option.starts_with("--") ? 1 : 0));
    if (const std::size_t gnu = standard.find("=gnu"); gnu != std::string::npos) standard.replace(gnu + 1, 3, "c");
    return standard;
}

/// The words of "-Xcompiler=-fPIC,-DX".
std::vector<std::string> words_between_commas(std::string_view text) {
    std::vector<std::string> words;
    for (const auto word : std::views::split(text, ',')) words.emplace_back(word.begin(), word.end());
    return words;
}

class WordReader {
  public:
    WordReader(ReadOptions& read, std::filesystem::path folder) : read_(read), folder_(std::move(folder)) {}

    void read(const std::vector<std::string>& words, bool from_file = false) {
        CompilerOptions& options = read_.options;
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string_view word = words[i];
            // "-Ifolder" or "-I folder".
            const auto argument = [&](std::string_view option) -> std::optional<std::string> {
                if (!word.starts_with(option)) return std::nullopt;
                std::string_view rest = word.substr(option.size());
                const bool word_option = option.starts_with("--") || option == "-include" || option == "-Xcompiler";
                if (word_option && rest.starts_with('=')) rest.remove_prefix(1);
                if (!rest.empty()) return std::string(rest);
                if (i + 1 < words.size()) return words[++i];
                return std::nullopt;
            };
            if (links_device_code(word)) {
                options.others.emplace_back("-rdc=true");
            } else if (states_standard(word)) {
                options.others.push_back(plain_standard(word));
            } else if (is_arithmetic(word) || is_language(word)) {
                options.others.emplace_back(word);
            } else if (const auto include = argument("-isystem")) {
                options.include.push_back(absolute(*include));
            } else if (const auto quoted = argument("-iquote")) {
                options.include.push_back(absolute(*quoted));
            } else if (const auto path = argument("-I")) {
                options.include.push_back(absolute(*path));
            } else if (const auto define = argument("-D"); define && !define->starts_with('=')) {
                const std::size_t equals = define->find('=');
                options.defines[define->substr(0, equals)] =
                    equals == std::string::npos ? "1" : define->substr(equals + 1);
                std::erase(options.others, "-U" + define->substr(0, equals));
            } else if (const auto undefined = argument("-U")) {
                options.defines.erase(*undefined);
                options.others.push_back("-U" + *undefined);
            } else if (const auto header = first_of(argument, {"--pre-include", "-include"})) {
                options.others.push_back("--pre-include=" + absolute(*header).string());
            } else if (word == "-fopenmp") {
                options.others.emplace_back(openmp_option);
            } else if (const auto host = first_of(argument, {"--compiler-options", "-Xcompiler"})) {
                read(words_between_commas(*host), from_file);
            } else if (const auto file = argument("--options-file"); file && !from_file) {
                read(command_words(read_file(absolute(*file)).value_or("")).value_or(std::vector<std::string>()), true);
            } else {
                read_.passed_over.emplace_back(word);
            }
        }
    }

  private:
    template <class Argument>
    static std::optional<std::string> first_of(const Argument& argument, std::array<std::string_view, 2> names) {
        auto found = argument(names[0]);
        return found ? found : argument(names[1]);
    }

    [[nodiscard]] std::filesystem::path absolute(const std::string& path) const {
        return (folder_ / path).lexically_normal();
    }

    ReadOptions& read_;
    std::filesystem::path folder_;
};

}  // namespace

bool states_standard(std::string_view option) { return option.starts_with("-std=") || option.starts_with("--std="); }
bool is_known_to_nvrtc(std::string_view option) {
    return states_standard(option) || is_arithmetic(option) || option.starts_with("-U") ||
           option.starts_with("--pre-include=");
}

ReadOptions read_compiler_options(const std::vector<std::string>& words, const std::filesystem::path& folder) {
    ReadOptions read;
    WordReader(read, folder).read(words);
    return read;
}

std::vector<std::string> meaningful(const std::vector<std::string>& passed_over) {
    // Prefixes: "-c" also matches "-ccbin", "-l" also matches "-lineinfo".
    constexpr std::array<std::string_view, 37> harmless{
        "-c",    "-o",    "-g",     "-G",        "-O",     "-W",     "-w",     "-M",        "-l",     "-L",
        "-x",    "-v",    "-t",     "-arch",     "-p",     "-m",     "-diag-", "-forward-", "-Xcuda", "-Xptx",
        "-fPI",  "-fpi",  "-fdiag", "-fstack-p", "-fvis",  "--gen",  "--gpu-", "--threads", "--comp", "--out",
        "--deb", "--dev", "--opt",  "--dis",     "--Werr", "--forw", "--diag"};
    std::vector<std::string> found;
    std::ranges::copy_if(passed_over, std::back_inserter(found), [&](const std::string& word) {
        return word.starts_with('-') &&
               std::ranges::none_of(harmless, [&](std::string_view beginning) { return word.starts_with(beginning); });
    });
    return found;
}

}  // namespace lanescope::compile
