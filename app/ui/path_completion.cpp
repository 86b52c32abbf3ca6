#include "ui/path_completion.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

namespace lanescope::ui {
namespace {

constexpr std::size_t most = 500;  // of a folder; nobody reads further before typing on

bool can_be_opened(const std::filesystem::path& file) {
    constexpr std::array endings = {".cu", ".cuh", ".ptx", ".lanescope", ".json"};
    return std::ranges::find(endings, file.extension().string()) != endings.end();
}

}  // namespace

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
        if (list.size() < most) list.push_back(std::string(folder) + name + (is_folder ? "/" : ""));
    }
    std::ranges::sort(folders);
    std::ranges::sort(files);
    folders.insert(folders.end(), files.begin(), files.end());
    return folders;
}

}  // namespace lanescope::ui
