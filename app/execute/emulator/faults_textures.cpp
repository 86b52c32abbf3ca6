// The findings of textures and surfaces: a handle of no object, and an access outside of a surface.
#include "base/grouped.h"
#include "execute/emulator/faults.h"

#include <fmt/format.h>

namespace lanescope::execute {

namespace {

/// "x = 64 (bytes), y = 3"
std::string coordinates_text(const Faults::SurfacePlace& place) {
    constexpr std::array names{"x", "y", "z"};
    std::string text;
    for (unsigned i = 0; i < place.dimensions; ++i)
        text += fmt::format("{}{} = {}{}", i == 0 ? "" : ", ", names[i], place.at[i], i == 0 ? " (bytes)" : "");
    return text;
}

/// "64 bytes x 16 rows"
std::string surface_extent(const Faults::SurfacePlace& place) {
    std::string text = counted(static_cast<std::uint64_t>(place.extent[0]), "byte");
    if (place.dimensions > 1) text += " x " + counted(static_cast<std::uint64_t>(place.extent[1]), "row");
    if (place.dimensions > 2) text += " x " + counted(static_cast<std::uint64_t>(place.extent[2]), "slice");
    return text;
}

}  // namespace

void Faults::bad_handle(const WarpStep& step, unsigned lane, std::uint64_t handle) {
    const bool fetches = step.micro.kind == Kind::texture;
    const auto kind = handle == 0 ? trace::Finding::Kind::null_access : trace::Finding::Kind::out_of_bounds;
    trace::Finding finding = at(kind, step, lane);
    finding.address = handle;
    finding.message = fmt::format("{} {} {:#x}, which is no live {} object: the launch is aborted", thread(step, lane),
                                  fetches ? "fetches from the handle" : "accesses the handle", handle,
                                  fetches ? "texture" : "surface");
    report(std::move(finding));
}

void Faults::outside_surface(const WarpStep& step, unsigned lane, const SurfacePlace& place) {
    const bool writes = step.micro.instruction->action() == ptx::Action::surface_store;
    trace::Finding finding = at(trace::Finding::Kind::out_of_bounds, step, lane);
    finding.message =
        fmt::format("{} {} {} of a surface at {}, outside of its {}: the launch is aborted (cudaBoundaryModeTrap)",
                    thread(step, lane), writes ? "writes" : "reads", counted(place.bytes, "byte"),
                    coordinates_text(place), surface_extent(place));
    report(std::move(finding));
}

}  // namespace lanescope::execute
