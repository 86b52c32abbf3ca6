#include "session/compiler_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace lanescope::session {

namespace {

constexpr std::array<std::string_view, 7> flags = {
    "--use_fast_math",          "-use_fast_math",          "--extended-lambda", "-extended-lambda",
    "--expt-relaxed-constexpr", "-expt-relaxed-constexpr", "-rdc=true"};

bool is_flag(std::string_view word) {
    return std::ranges::find(flags, word) != flags.end() || word.starts_with("-std=") || word.starts_with("--std=");
}

}  // namespace

Result<CompilerOptions> read_compiler_options(const std::vector<std::string>& words,
                                              const std::filesystem::path& folder) {
    CompilerOptions options;
    for (auto word = words.begin(); word != words.end(); ++word) {
        // "-Ifolder" or "-I folder".
        const auto value_of = [&](std::string_view option) -> std::optional<std::string> {
            if (!word->starts_with(option)) return std::nullopt;
            if (word->size() > option.size()) return word->substr(option.size());
            return std::next(word) == words.end() ? std::string() : *++word;
        };
        if (const auto path = value_of("-I")) {
            if (path->empty()) return fail("-I names no folder", {}, "Write -I and a folder.");
            options.include.push_back(folder / *path);
        } else if (const auto macro = value_of("-D")) {
            const std::size_t equals = std::min(macro->find('='), macro->size());
            if (equals == 0) return fail("-D names no macro", {}, "Write -D NAME or -D NAME=VALUE.");
            options.defines[macro->substr(0, equals)] = equals == macro->size() ? "1" : macro->substr(equals + 1);
        } else if (is_flag(*word)) {
            options.others.push_back(*word);
        } else {
            return fail(fmt::format("“{}” is not among the compiler options that can be set", *word), {},
                        "Expected -I FOLDER, -D NAME=VALUE, -std=c++20, --use_fast_math, --extended-lambda, "
                        "--expt-relaxed-constexpr or -rdc=true.");
        }
    }
    return options;
}

}  // namespace lanescope::session
