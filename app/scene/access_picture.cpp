#include "scene/access_picture.h"

#include "scene/layers.h"
#include "scene/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::scene {

float enlargement(const AccessOptions& options, float width, float height) {
    constexpr float most = 1.8F;
    if (options.height <= 0) return 1;
    return std::clamp(std::min(options.width / width, options.height / height), 1.0F, most);
}

std::string name_of_lanes(LaneMask lanes) {
    return lanes.count() > 1 ? fmt::format("{}×", lanes.count()) : std::to_string(lanes.lowest());
}

LookOfCell look_of(const TurnOfCell& cell, const AccessOptions& options, bool outlined) {
    const bool all = !options.turn.has_value();
    const Role role = cell.shared ? Role::cost : Role::useful;
    const bool filled = cell.served && (!all || !cell.shared);
    const float tint = cell.waits || all ? 0.16F : 0.05F;
    const Role ink = !filled ? Role::text : cell.shared ? Role::on_cost : Role::on_useful;
    return {.filled = filled,
            .fill = {role, filled     ? 1
                           : outlined ? tint
                                      : 2.5F * tint},
            .stroke = {role, cell.waits || cell.served ? 1 : 0.4F},
            .ink = {ink, cell.served || cell.waits ? 1.0F : 0.45F}};
}

Scene no_access_scene(trace::Space space, const AccessOptions& options, NoAccess where) {
    const bool shared = space == trace::Space::shared;
    const std::string_view memory = shared ? "shared memory" : "global memory";
    Scene scene;
    scene.title = shared ? "Banks" : "Sectors";
    switch (where) {
        case NoAccess::in_launch:
            scene.description =
                shared ? "This kernel does not use shared memory." : "The recorded blocks do not access global memory.";
            break;
        case NoAccess::in_pass: scene.description = fmt::format("No access to {} in this pass.", memory); break;
        case NoAccess::so_far: scene.description = fmt::format("No access to {} so far.", memory); break;
    }
    scene.width = options.width;
    scene.height = options.height > 0 ? options.height : 120 * options.scale;
    const float size = std::max(smallest_text, 13 * options.scale);
    scene.shapes.emplace_back(text_at(options.width / 2, scene.height / 2, Anchor::middle,
                                      {Font::words, size, {Role::soft, 1}},
                                      fitted(Font::words, size, scene.description, options.width - 16)));
    return scene;
}

}  // namespace lanescope::scene
