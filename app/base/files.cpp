#include "base/files.h"

#include <fmt/format.h>

#include <unistd.h>

#include <atomic>
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

namespace {

/// Fails with the system's reason.
std::expected<void, std::string> write_into(const std::filesystem::path& path, std::string_view bytes) {
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) return std::unexpected(std::strerror(errno != 0 ? errno : EIO));
    return {};
}

}  // namespace

std::expected<void, std::string> write_file(const std::filesystem::path& wanted, std::string_view bytes) {
    static std::atomic<unsigned> serial{0};  // two threads must not write the same file
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(wanted, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
        !std::filesystem::is_directory(status))
        return write_into(wanted, bytes);
    const std::filesystem::path path =
        std::filesystem::is_symlink(wanted, error) ? std::filesystem::weakly_canonical(wanted, error) : wanted;
    const std::filesystem::path beside = fmt::format("{}.{}-{}.part", path.string(), getpid(), serial++);
    const auto refused = [&](std::string reason) {
        std::error_code ignored;
        std::filesystem::remove(beside, ignored);
        return std::unexpected(std::move(reason));
    };
    if (auto written = write_into(beside, bytes); !written) return refused(std::move(written.error()));
    std::filesystem::rename(beside, path, error);
    if (error) return refused(error.message());
    return {};
}

std::expected<void, std::string> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    return write_file(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
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
