// Markdown (CommonMark with GitHub's tables) -> a document. HTML is not markup here: it stays text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::markdown {

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
    unsigned level = 0;                      ///< headings: 1 to 6
    unsigned number = 0;                     ///< items: 1, 2, ...; 0: a bullet
    std::vector<Span> spans;                 ///< of headings, paragraphs, tight items, code and cells
    std::vector<Block> children;             ///< of the others
    unsigned first_line = 0, last_line = 0;  ///< of the spans, in the text from 1; 0: no spans
    friend bool operator==(const Block&, const Block&) = default;
};

[[nodiscard]] Block parsed(std::string_view text);

}  // namespace lanescope::markdown
