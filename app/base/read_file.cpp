#include "base/read_file.h"

#include <cerrno>
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

}  // namespace lanescope
