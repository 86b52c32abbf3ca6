// Random damage to a text, reproducible by its seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::ptx {

/// Where the tokens of a text begin and end, by blanks and punctuation.
inline std::vector<std::pair<std::size_t, std::size_t>> tokens_of(const std::string& text) {
    std::vector<std::pair<std::size_t, std::size_t>> tokens;
    const std::string breaks = " \t\n,;:[](){}";
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = text.find_first_of(breaks, at);
        end = std::max(at + 1, std::min(end, text.size()));
        tokens.emplace_back(at, end);
        at = end;
    }
    return tokens;
}

/// Makes one to four changes: bits, bytes, tokens removed, duplicated or swapped, numbers, lines, an early end.
class Mutator {
  public:
    explicit Mutator(unsigned seed) : random_(seed) {}

    std::string mutate(std::string text) {
        for (unsigned i = 0, times = 1 + below(4); i < times && !text.empty(); ++i) once(text);
        return text;
    }

  private:
    unsigned below(std::size_t bound) { return static_cast<unsigned>(random_() % bound); }

    void once(std::string& text) {
        const auto tokens = tokens_of(text);
        const auto [begin, end] = tokens[below(tokens.size())];
        const auto [other_begin, other_end] = tokens[below(tokens.size())];
        const std::string other = text.substr(other_begin, other_end - other_begin);
        switch (below(8)) {
            case 0: text[below(text.size())] ^= static_cast<char>(1U << below(8)); break;
            case 1: text[below(text.size())] = static_cast<char>(random_()); break;
            case 2: text.erase(begin, end - begin); break;
            case 3: text.insert(begin, text.substr(begin, end - begin)); break;
            case 4: text.replace(begin, end - begin, other); break;
            case 5: text.resize(below(text.size())); break;
            case 6: text.insert(begin, std::to_string(random_() * std::uint64_t{4294967291U})); break;
            default: {  // a line again
                const std::size_t line = text.rfind('\n', begin) + 1;
                text.insert(line, text.substr(line, text.find('\n', begin) - line + 1));
            }
        }
    }

    std::mt19937 random_;
};

}  // namespace lanescope::ptx
