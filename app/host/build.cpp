#include "host/build.h"

#include "host/object_file.h"
#include "host/objects.h"

#include <utility>

namespace lanescope::host {

std::expected<Built, compile::CompileFailure> build(const BuildRequest& request, Progress& progress) {
    auto built = build_program(request, progress);
    if (!built) return std::unexpected(std::move(built.error().error));
    return *std::move(built);
}

std::string device_code_of(const BuildRequest& request, Progress& progress) {
    std::string ptx;
    for (const std::filesystem::path& source : request.sources) {
        if (!has_device_code(source)) continue;
        const auto object = compile_object(request, source, links_device_code(request), progress);
        if (!object) return {};
        ptx += read_device_code(object->file);
    }
    return ptx;
}

}  // namespace lanescope::host
