#include "compile/umbrella.h"

#include "compile/lexer.h"

#include <fmt/format.h>

#include <array>
#include <set>

namespace lanescope::compile {

namespace {

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/// "BlockRadixSort" -> "block_radix_sort".
std::string file_of(std::string_view name) {
    std::string file;
    for (const char c : name) {
        if (is_upper(c) && !file.empty()) file += '_';
        file += is_upper(c) ? char(c - 'A' + 'a') : c;
    }
    return file;
}

}  // namespace

std::string umbrella_for(std::string_view device_text) {
    if (device_text.find(umbrella_name) == std::string_view::npos) return {};
    std::set<std::string> files;
    for (const Token& token : tokenize(device_text)) {
        for (const std::string_view folder : std::array<std::string_view, 2>{"Block", "Warp"}) {
            const bool named = token.kind == TokenKind::identifier && token.text.starts_with(folder) &&
                               token.text.size() > folder.size() && is_upper(token.text[folder.size()]);
            if (named) files.insert(fmt::format("cub/{}/{}.cuh", file_of(folder), file_of(token.text)));
        }
    }
    std::string text = "#pragma once\n";
    for (const std::string& file : files)
        text += fmt::format("#if __has_include(<{0}>)\n#include <{0}>\n#endif\n", file);
    return text;
}

}  // namespace lanescope::compile
