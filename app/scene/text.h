// Font metrics from the embedded fonts (Inter, JetBrains Mono), decided here for all renderers.
#pragma once

#include "scene/scene.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::scene {

[[nodiscard]] float text_width(Font font, float size, std::string_view utf8);  ///< points; 0 for an empty string
/// The x where the line begins, by its anchor.
[[nodiscard]] float left_of(const Text& text);
[[nodiscard]] float ascent(Font font, float size);
[[nodiscard]] float descent(Font font, float size);  ///< positive
[[nodiscard]] float cap_height(Font font, float size);
/// The text cut with an ellipsis so that it is at most `width` wide.
[[nodiscard]] std::string fitted(Font font, float size, std::string_view utf8, float width);
/// The same with the ellipsis in the middle, for texts that begin alike.
[[nodiscard]] std::string fitted_in_middle(Font font, float size, std::string_view utf8, float width);
/// The text in lines of at most `width`, broken at spaces; a longer word gets a line of its own.
[[nodiscard]] std::vector<std::string> wrapped(Font font, float size, std::string_view text, float width);
/// The font file's bytes, for renderers that rasterize. CJK: the fallback face, empty where the machine has none.
[[nodiscard]] std::string_view font_bytes(Font font);
[[nodiscard]] std::string_view fallback_font_bytes();

}  // namespace lanescope::scene
