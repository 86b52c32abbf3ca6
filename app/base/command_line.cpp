#include "base/command_line.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace lanescope {

namespace {

bool is_plain(char letter) {
    constexpr std::string_view others = "_-+=.,:/@%^";
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || others.find(letter) != std::string_view::npos ||
           static_cast<unsigned char>(letter) >= 0x80;
}

}  // namespace

std::optional<std::vector<std::string>> command_words(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool begun = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        if (letter == '\\' && quote != '\'' && i + 1 < text.size()) {
            word += text[++i];
            begun = true;
        } else if (quote != 0) {
            if (letter == quote)
                quote = 0;
            else
                word += letter;
        } else if (letter == '\'' || letter == '"') {
            quote = letter;
            begun = true;
        } else if (std::isspace(static_cast<unsigned char>(letter)) != 0) {
            if (begun) words.push_back(std::exchange(word, {}));
            begun = false;
        } else {
            word += letter;
            begun = true;
        }
    }
    if (quote != 0) return std::nullopt;
    if (begun) words.push_back(word);
    return words;
}

std::string command_text(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty()) text += ' ';
        if (!word.empty() && std::ranges::all_of(word, is_plain)) {
            text += word;
            continue;
        }
        text += '"';
        for (const char letter : word) {
            if (letter == '"' || letter == '\\') text += '\\';
            text += letter;
        }
        text += '"';
    }
    return text;
}

}  // namespace lanescope
