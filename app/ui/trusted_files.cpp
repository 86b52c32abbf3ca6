#include "ui/trusted_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace lanescope::ui {

std::string real_path(const std::string& file) {
    std::error_code error;
    return file.empty() ? file : std::filesystem::weakly_canonical(file, error).string();
}

void TrustedFiles::permit(const std::string& file) {
    if (std::string path = real_path(file); !path.empty()) permitted_.push_back(std::move(path));
}

bool TrustedFiles::trusts(const std::string& file, const std::vector<std::string>& folders) const {
    const std::string path = real_path(file);
    if (path.empty() || std::ranges::find(permitted_, path) != permitted_.end()) return true;
    return std::ranges::any_of(folders, [&](const std::string& folder) {
        const std::filesystem::path inside = std::filesystem::path(path).lexically_relative(folder);
        return !inside.empty() && *inside.begin() != "..";
    });
}

}  // namespace lanescope::ui
