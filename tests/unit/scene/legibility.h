// Flaws that no picture may have: text that is cut off, too small, or overlaps something else.
#pragma once

#include "scene/scene.h"

#include <string>
#include <vector>

namespace lanescope::scene {

/// The flaws of a scene without a lens, a sentence each; empty if all text is legible.
[[nodiscard]] std::vector<std::string> illegible(const Scene& scene);

/// All shapes of a kind, in order.
template <class T>
[[nodiscard]] std::vector<T> all(const Scene& scene) {
    std::vector<T> found;
    for (const Shape& shape : scene.shapes)
        if (const auto* drawn = std::get_if<T>(&shape)) found.push_back(*drawn);
    return found;
}

[[nodiscard]] std::vector<std::string> texts_of(const Scene& scene);

}  // namespace lanescope::scene
