// A document (Markdown without its marks) -> its page of a given width, as high as it needs: headings, paragraphs,
// lists, quotations with a bar at their left, code, tables. Text wraps at spaces. A link is underlined, and a click on
// it finds its target.
#pragma once

#include "base/markdown.h"
#include "scene/scene.h"

#include <string>
#include <vector>

namespace lanescope::scene {

using markdown::Block;
using markdown::Span;

struct LessonPage {
    Scene scene;
    std::vector<std::string> links;  ///< targets; TraceRef::Kind::link has the index in `column`
};

/// `width`: points.
[[nodiscard]] LessonPage lesson_page(const Block& document, float width);

}  // namespace lanescope::scene
