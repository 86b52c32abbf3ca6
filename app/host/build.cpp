#include "host/build.h"

#include "base/files.h"
#include "host/object_file.h"
#include "host/objects.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lanescope::host {

std::expected<Built, BuildError> build(const BuildRequest& request, Progress& progress) {
    auto built = build_program(request, progress);
    if (!built) return std::unexpected(std::move(built.error().error));
    return *std::move(built);
}

std::string device_code_of(const BuildRequest& request, Progress& progress) {
    std::string ptx;
    for (const std::filesystem::path& source : request.sources) {
        if (!has_device_code(source)) continue;
        const auto compiled = compile_device_code(request, source, links_device_code(request), progress);
        if (!compiled) return {};
        const std::string unit = ptx_units_in(read_file(compiled->file).value_or(""));
        if (unit.empty()) return {};
        ptx += unit;
    }
    return ptx;
}

std::vector<std::filesystem::path> files_of(const BuildRequest& request, Progress& progress) {
    std::vector<std::filesystem::path> files = request.sources;
    for (const std::filesystem::path& source : request.sources) {
        const bool relocatable = links_device_code(request) && has_device_code(source);
        if (const auto object = compile_object(request, source, relocatable, progress))
            std::ranges::copy(files_read_for(*object), std::back_inserter(files));
    }
    return files;
}

}  // namespace lanescope::host
