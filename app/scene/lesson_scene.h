// A document, which is the content of Markdown without its marks -> its page of a given width and the height that it
// needs: headings, paragraphs, lists, quotations with a bar at their left, code, tables. Text wraps at spaces. A link
// is underlined, and a click on it finds its target.
#pragma once

#include "scene/scene.h"

#include <string>
#include <vector>

namespace lanescope::scene {

/// A run of text in one style.
struct Span {
    std::string text;  ///< UTF-8; a line break of the source is a space
    bool strong = false, emphasis = false, code = false;
    std::string link;  ///< its target; empty: no link
    friend bool operator==(const Span&, const Span&) = default;
};

struct Block {
    enum class Kind : unsigned char {
        document,  ///< the root
        heading,   ///< `level`
        paragraph,
        list,  ///< of items
        item,  ///< `number` in an ordered list
        quotation,
        code,  ///< one span, its lines ended by \n
        rule,
        table,  ///< of rows, the first one its head
        row,    ///< of cells
        cell,
    };
    Kind kind = Kind::document;
    unsigned level = 0;           ///< headings: 1 to 6
    unsigned number = 0;          ///< items: 1, 2, ...; 0: a bullet
    std::vector<Span> spans;      ///< of headings, paragraphs, tight items, code and cells
    std::vector<Block> children;  ///< of the others
    friend bool operator==(const Block&, const Block&) = default;
};

struct LessonPage {
    Scene scene;
    std::vector<std::string> links;  ///< targets; TraceRef::Kind::link has the index in `column`
};

/// `width`: points.
[[nodiscard]] LessonPage lesson_page(const Block& document, float width);

}  // namespace lanescope::scene
