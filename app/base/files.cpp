#include "base/files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace lanescope {

Result<std::string> read_file(const std::filesystem::path& path) {
    const auto refused = [&](int reason) {
        return fail(std::string("the file cannot be read: ") + std::strerror(reason), {path.string()});
    };
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return refused(EISDIR);  // reading one throws
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    std::string bytes;
    if (stream) bytes.assign(std::istreambuf_iterator<char>(stream), {});
    if (!stream) return refused(errno != 0 ? errno : EIO);
    return bytes;
}

std::filesystem::path configuration_folder() {
    if (const char* folder = std::getenv("XDG_CONFIG_HOME"); folder != nullptr && *folder == '/') {
        return std::filesystem::path(folder) / "lanescope";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        return std::filesystem::path(home) / ".config" / "lanescope";
    }
    return {};
}

}  // namespace lanescope
