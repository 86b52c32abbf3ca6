#include "ui/completion.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <vector>

namespace lanescope::ui {
namespace {

constexpr int at_word = 8, in_row = 6, at_all = 1;
constexpr int impossible = std::numeric_limits<int>::min() / 2;

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

bool is_letter_of_word(char letter) {
    return (lower(letter) >= 'a' && lower(letter) <= 'z') || (letter >= '0' && letter <= '9') ||
           (static_cast<unsigned char>(letter) & 0x80U) != 0;
}

/// Does each word of the query begin a word of the name?
bool has_words(std::string_view query, std::string_view name) {
    const std::string words = lowered(query), text = lowered(name);
    std::size_t end = 0;
    for (std::size_t begin = words.find_first_not_of(' '); begin < words.size();
         begin = words.find_first_not_of(' ', end)) {
        end = std::min(words.find(' ', begin), words.size());
        const std::string_view word = std::string_view(words).substr(begin, end - begin);
        std::size_t at = text.find(word);
        while (at != std::string::npos && at > 0 && is_letter_of_word(text[at - 1])) at = text.find(word, at + 1);
        if (at == std::string::npos) return false;
    }
    return true;
}

constexpr std::size_t most_entries = 500;  // of a folder

bool can_be_opened(const std::filesystem::path& file) {
    constexpr std::array endings = {".cu", ".cuh", ".ptx", ".lanescope", ".json", ".md"};
    return std::ranges::find(endings, file.extension().string()) != endings.end();
}

}  // namespace

std::string lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), lower);
    return result;
}

std::optional<int> fit(std::string_view query, std::string_view name) {
    constexpr std::size_t longest = 256;  // bounds the table of query times name
    name = name.substr(0, longest);
    query = query.substr(0, longest);
    // best[i]: of the letters so far, the last one at name[i].
    std::vector<int> best(name.size(), 0), next(name.size());
    bool first = true;
    for (const char letter : query) {
        if (letter == ' ') continue;
        int before = impossible;  // the best of the letters so far anywhere left of i
        for (std::size_t i = 0; i < name.size(); ++i) {
            next[i] = impossible;
            if (lower(name[i]) == lower(letter)) {
                const bool starts = i == 0 || !is_letter_of_word(name[i - 1]);
                int so_far = first ? 0 : before;
                if (!first && i > 0) so_far = std::max(so_far, best[i - 1] + in_row);
                if (so_far > impossible / 2) next[i] = so_far + at_all + (starts ? at_word : 0);
            }
            before = std::max(before, best[i]);
        }
        std::swap(best, next);
        first = false;
    }
    if (first) return 0;
    const auto top = std::ranges::max_element(best);
    if (top == best.end() || *top < impossible / 2) return std::nullopt;
    constexpr int weight = 16;      // a whole word outweighs any difference in length
    constexpr int whole = 1 << 14;  // outweighs letters at the beginnings of several words
    return *top * weight - static_cast<int>(name.size() / 8) + (has_words(query, name) ? whole : 0);
}

bool is_path(std::string_view text) {
    return text.starts_with('/') || text.starts_with("~/") || text.starts_with("./") || text.starts_with("../");
}

std::string spelled_out(std::string_view path) {
    const char* home = std::getenv("HOME");
    if (!path.starts_with("~/") || home == nullptr) return std::string(path);
    return home + std::string(path.substr(1));
}

std::vector<std::string> paths_like(std::string_view typed) {
    const std::size_t slash = typed.rfind('/');
    if (slash == std::string_view::npos) return {};
    const std::string_view folder = typed.substr(0, slash + 1), begun = typed.substr(slash + 1);
    std::error_code error;
    std::vector<std::string> folders, files;
    for (std::filesystem::directory_iterator each(spelled_out(folder), error), end; !error && each != end;
         each.increment(error)) {
        const std::string name = each->path().filename().string();
        if (!name.starts_with(begun) || (name.starts_with('.') && !begun.starts_with('.'))) continue;
        std::error_code unreadable;
        const bool is_folder = each->is_directory(unreadable);
        if (!is_folder && !can_be_opened(each->path())) continue;
        std::vector<std::string>& list = is_folder ? folders : files;
        if (list.size() < most_entries) list.push_back(std::string(folder) + name + (is_folder ? "/" : ""));
    }
    std::ranges::sort(folders);
    std::ranges::sort(files);
    folders.insert(folders.end(), files.begin(), files.end());
    return folders;
}

}  // namespace lanescope::ui
