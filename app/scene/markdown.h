// Markdown (CommonMark with GitHub's tables) -> a document. HTML is not markup here: it stays text.
#pragma once

#include "scene/lesson_scene.h"

#include <string_view>

namespace lanescope::scene {

[[nodiscard]] Block parsed_markdown(std::string_view text);

}  // namespace lanescope::scene
