#include "base/markdown.h"

#include "base/whole_number.h"

#if __has_include(<md4c.h>)
#include <md4c.h>
#endif

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <optional>
#include <utility>

namespace lanescope::markdown {

#if __has_include(<md4c.h>)

namespace {

using BlockKind = Block::Kind;

void append_utf8(std::string& text, unsigned code) {
    const auto tail = [&](unsigned by) { text += static_cast<char>(0x80U | ((code >> by) & 0x3FU)); };
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xC0U | (code >> 6));
        tail(0);
    } else if (code < 0x10000) {
        text += static_cast<char>(0xE0U | (code >> 12));
        tail(6), tail(0);
    } else {
        text += static_cast<char>(0xF0U | (code >> 18));
        tail(12), tail(6), tail(0);
    }
}

/// "&lt;" -> "<", "&#215;" -> "×"; an unknown entity stays unchanged.
std::string character_of(std::string_view entity) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> named{
        {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&nbsp;", "\u00A0"}}};
    for (const auto& [name, character] : named)
        if (entity == name) return std::string(character);
    std::string text(entity);
    if (!entity.starts_with("&#") || entity.size() < 4) return text;
    const bool hexadecimal = entity[2] == 'x' || entity[2] == 'X';
    const std::string_view digits = entity.substr(hexadecimal ? 3 : 2, entity.size() - (hexadecimal ? 4 : 3));
    const unsigned code = whole_number<unsigned>(digits, hexadecimal ? 16 : 10).value_or(0);
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code == 0 || code > 0x10FFFF || surrogate) return text;
    text.clear();
    append_utf8(text, code);
    return text;
}

std::string text_of(const MD_ATTRIBUTE& attribute) { return {attribute.text, attribute.size}; }

/// md4c's calls, in the order of the text, combined into a tree.
class Builder {
  public:
    explicit Builder(std::string_view source) : source_(source), open_(1) {}

    Block finish() {
        assert(open_.size() == 1);
        return std::move(open_.front());
    }

    void enter(MD_BLOCKTYPE type, void* detail) {
        const auto kind = kind_of(type);
        if (!kind) return;
        Block block{.kind = *kind};
        if (type == MD_BLOCK_H) block.level = static_cast<MD_BLOCK_H_DETAIL*>(detail)->level;
        if (type == MD_BLOCK_OL) block.number = static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start;
        if (type == MD_BLOCK_LI && open_.back().number != 0) block.number = open_.back().number++;
        open_.push_back(std::move(block));
    }

    void leave(MD_BLOCKTYPE type) {
        if (!kind_of(type)) return;
        Block block = std::move(open_.back());
        open_.pop_back();
        if (block.kind == BlockKind::list) block.number = 0;
        open_.back().children.push_back(std::move(block));
    }

    void span(MD_SPANTYPE type, void* detail, bool begins) {
        switch (type) {
            case MD_SPAN_EM: style_.emphasis = begins; break;
            case MD_SPAN_STRONG: style_.strong = begins; break;
            case MD_SPAN_CODE: style_.code = begins; break;
            case MD_SPAN_A: style_.link = begins ? text_of(static_cast<MD_SPAN_A_DETAIL*>(detail)->href) : ""; break;
            default: break;
        }
    }

    void text(MD_TEXTTYPE type, std::string_view text) {
        note_line(text);
        std::string own;
        switch (type) {
            case MD_TEXT_NULLCHAR: own = "\uFFFD"; break;
            case MD_TEXT_BR:
            case MD_TEXT_SOFTBR: own = " "; break;
            case MD_TEXT_ENTITY: own = character_of(text); break;
            default: own = text; break;
        }
        std::vector<Span>& spans = open_.back().spans;
        Span wanted = style_;
        if (!spans.empty()) {
            wanted.text = spans.back().text;
            if (wanted == spans.back()) {
                spans.back().text += own;
                return;
            }
        }
        wanted.text = std::move(own);
        spans.push_back(std::move(wanted));
    }

  private:
    static std::optional<BlockKind> kind_of(MD_BLOCKTYPE type) {
        switch (type) {
            case MD_BLOCK_H: return BlockKind::heading;
            case MD_BLOCK_P:
            case MD_BLOCK_HTML: return BlockKind::paragraph;
            case MD_BLOCK_UL:
            case MD_BLOCK_OL: return BlockKind::list;
            case MD_BLOCK_LI: return BlockKind::item;
            case MD_BLOCK_QUOTE: return BlockKind::quotation;
            case MD_BLOCK_CODE: return BlockKind::code;
            case MD_BLOCK_HR: return BlockKind::rule;
            case MD_BLOCK_TABLE: return BlockKind::table;
            case MD_BLOCK_TR: return BlockKind::row;
            case MD_BLOCK_TH:
            case MD_BLOCK_TD: return BlockKind::cell;
            default: return std::nullopt;  // the document itself, and a table's head and body
        }
    }

    /// md4c passes parts of the source itself, except for line breaks and expanded entities.
    void note_line(std::string_view piece) {
        if (std::less<>{}(piece.data(), source_.data()) ||
            !std::less<>{}(piece.data(), source_.data() + source_.size()))
            return;
        const auto at = static_cast<std::size_t>(piece.data() - source_.data());
        if (at < counted_to_) return;
        line_ += static_cast<unsigned>(std::ranges::count(source_.substr(counted_to_, at - counted_to_), '\n'));
        counted_to_ = at;
        Block& block = open_.back();
        if (block.first_line == 0) block.first_line = line_;
        block.last_line = line_;
    }

    std::string_view source_;
    std::size_t counted_to_ = 0;  ///< bytes of the source in which lines are counted
    unsigned line_ = 1;           ///< the line of that byte
    std::vector<Block> open_;     ///< the current block last, the blocks that contain it before, the document first
    Span style_;                  ///< of the following text
};

}  // namespace

Block parsed(std::string_view text) {
    Builder builder(text);
    const MD_PARSER parser{.abi_version = 0,
                           .flags = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_COLLAPSEWHITESPACE,
                           .enter_block =
                               [](MD_BLOCKTYPE type, void* detail, void* self) {
                                   static_cast<Builder*>(self)->enter(type, detail);
                                   return 0;
                               },
                           .leave_block =
                               [](MD_BLOCKTYPE type, void*, void* self) {
                                   static_cast<Builder*>(self)->leave(type);
                                   return 0;
                               },
                           .enter_span =
                               [](MD_SPANTYPE type, void* detail, void* self) {
                                   static_cast<Builder*>(self)->span(type, detail, true);
                                   return 0;
                               },
                           .leave_span =
                               [](MD_SPANTYPE type, void* detail, void* self) {
                                   static_cast<Builder*>(self)->span(type, detail, false);
                                   return 0;
                               },
                           .text =
                               [](MD_TEXTTYPE type, const MD_CHAR* piece, MD_SIZE size, void* self) {
                                   static_cast<Builder*>(self)->text(type, {piece, size});
                                   return 0;
                               },
                           .debug_log = nullptr,
                           .syntax = nullptr};
    md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &builder);
    return builder.finish();
}

#else

// Only the tests of the GPU are built without md4c; they show no lesson.
Block parsed(std::string_view text) {
    return {.children = {{.kind = Block::Kind::paragraph, .spans = {{.text = std::string(text)}}}}};
}

#endif

}  // namespace lanescope::markdown
