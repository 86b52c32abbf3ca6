// A step of a lecture -> a page to print: its words above, its picture below as large as fits, and at the foot the
// lecture's title and the number of the step. Pages have the proportions of A4; a page whose words need more room is
// higher, and is printed smaller.
#pragma once

#include "scene/scene.h"

#include <cstddef>
#include <string>

namespace lanescope::scene {

inline constexpr float page_width = 760;  ///< of a handout, points

struct Handout {
    std::string title;  ///< of the lecture
    std::size_t number = 0, count = 0;
    std::string words;               ///< Markdown
    const Scene* picture = nullptr;  ///< null: there is none
};
[[nodiscard]] Scene handout_page(const Handout& handout);

/// The width that a picture gets on such a page, points.
[[nodiscard]] float handout_picture_width();

}  // namespace lanescope::scene
