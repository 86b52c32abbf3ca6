// A Markdown text -> the targets of its links, for tests that follow them.
#pragma once

#include "base/markdown.h"
#include "scene/scene.h"

#include <string>
#include <vector>

namespace lanescope::ui {

/// Adds those of the block and of all blocks inside it, in their order.
inline void add_links(const markdown::Block& block, std::vector<std::string>& links) {
    for (const markdown::Span& span : block.spans)
        if (!span.link.empty()) links.push_back(span.link);
    for (const markdown::Block& child : block.children) add_links(child, links);
}

}  // namespace lanescope::ui
