#include "host/build.h"

#include "host/objects.h"

#include <utility>

namespace lanescope::host {

std::expected<Built, compile::CompileFailure> build(const BuildRequest& request, Progress& progress) {
    auto built = build_program(request, progress);
    if (!built) return std::unexpected(std::move(built.error().error));
    return *std::move(built);
}

}  // namespace lanescope::host
