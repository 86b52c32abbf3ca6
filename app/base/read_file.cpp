#include "base/read_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace lanescope {

Result<std::string> read_file(const std::filesystem::path& path) {
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    std::string bytes;
    if (stream) bytes.assign(std::istreambuf_iterator<char>(stream), {});
    std::error_code error;
    if (!stream || std::filesystem::is_directory(path, error)) {
        const int reason = errno != 0 ? errno : EISDIR;
        return fail(std::string("the file cannot be read: ") + std::strerror(reason), {path.string()});
    }
    return bytes;
}

}  // namespace lanescope
