#include "base/embedded.h"

#include <algorithm>
#include <vector>

// Written by embed_files() of app/setup/embed_files.cmake.
struct RawEmbeddedFile {
    const char* path;
    const char* begin;
    const char* end;
};
extern "C" const RawEmbeddedFile lanescope_embedded_files[];
extern "C" const RawEmbeddedFile lanescope_embedded_files_end[];

namespace lanescope {

std::span<const EmbeddedFile> embedded_files() {
    static const std::vector<EmbeddedFile> files = [] {
        std::vector<EmbeddedFile> result;
        for (const RawEmbeddedFile* raw = lanescope_embedded_files; raw != lanescope_embedded_files_end; ++raw)
            result.push_back({raw->path, std::string_view(raw->begin, raw->end)});
        std::ranges::sort(result, {}, &EmbeddedFile::path);
        return result;
    }();
    return files;
}

std::optional<std::string_view> embedded_file(std::string_view path) {
    const auto files = embedded_files();
    const auto found = std::ranges::lower_bound(files, path, {}, &EmbeddedFile::path);
    if (found == files.end() || found->path != path) return std::nullopt;
    return found->bytes;
}

}  // namespace lanescope
