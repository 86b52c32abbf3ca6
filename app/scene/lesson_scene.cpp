#include "scene/lesson_scene.h"

#include "scene/layers.h"
#include "scene/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace lanescope::scene {

namespace {

using Kind = Block::Kind;

// All in points.
constexpr float page_line_height = 1.45F, page_title_size = 20, heading_size = 12.5F, body_size = 13.5F,
                code_share = 0.95F, between_blocks = 8, between_items = 4, above_heading = 10, list_indent = 14,
                quotation_indent = 14, bar_width = 3, bullet_radius = 2, code_padding = 6, column_gap = 16,
                narrowest = 40;

/// The style of a block's text.
struct WordStyle {
    float size = body_size;
    Role role = Role::text;
    Font font = Font::words;
};

/// A piece of a line: in one style, and of one link or none.
struct Piece {
    std::string text;
    Font font = Font::words;
    float size = body_size, width = 0;
    std::uint32_t link = 0;  ///< index + 1; 0: none
    bool space = false;      ///< separated by a space, except at the beginning of a line
};

class Page {
  public:
    explicit Page(float width) : width_(width) {
        page_.scene.title = "Lesson";
        page_.scene.width = width;
    }

    LessonPage finish(const Block& document) {
        y_ = panel_padding / 2;
        blocks(document.children, panel_padding, std::max(width_ - panel_padding, panel_padding + narrowest));
        layer_.flush(page_.scene);
        page_.scene.height = y_ + panel_padding;
        return std::move(page_);
    }

  private:
    void blocks(const std::vector<Block>& all, float left, float right) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i > 0) y_ += all[i].kind == Kind::heading ? above_heading : between_blocks;
            block(all[i], left, right);
        }
    }

    void block(const Block& block, float left, float right) {
        switch (block.kind) {
            case Kind::heading: {
                const bool title = block.level == 1;
                words(block.spans, left, right,
                      title ? WordStyle{page_title_size, Role::text, Font::words_bold}
                            : WordStyle{heading_size, Role::soft, Font::words_medium});
                y_ -= title ? 0 : between_blocks / 2;
                break;
            }
            case Kind::list:
                for (std::size_t i = 0; i < block.children.size(); ++i) {
                    if (i > 0) y_ += between_items;
                    item(block.children[i], left, right);
                }
                break;
            case Kind::quotation: {
                const float top = y_;
                within(block, left + quotation_indent, right);
                layer_.rects.push_back(rect({left, top, bar_width, y_ - top}, 0, {Role::line, 1.0F}));
                break;
            }
            case Kind::code: code(block, left, right); break;
            case Kind::rule: layer_.curves.push_back(line(left, y_, right, y_, {Role::line, 1.0F})); break;
            case Kind::table: table(block, left, right); break;
            default: within(block, left, right); break;
        }
    }

    /// The block's own text, then its children.
    void within(const Block& block, float left, float right) {
        if (!block.spans.empty()) words(block.spans, left, right, {});
        if (!block.spans.empty() && !block.children.empty()) y_ += between_items;
        blocks(block.children, left, right);
    }

    void item(const Block& item, float left, float right) {
        const float middle = y_ + body_size * page_line_height / 2;
        if (item.number == 0) {
            layer_.circles.push_back(
                {.x = left + bullet_radius + 1, .y = middle, .radius = bullet_radius, .fill = {Role::soft, 1.0F}});
        } else {
            layer_.put(left, middle, Anchor::start, {Font::words, body_size, {Role::soft, 1.0F}},
                       fmt::format("{}.", item.number));
        }
        within(item, left + list_indent * (item.number < 10 ? 1.0F : 1.6F), right);
    }

    void code(const Block& block, float left, float right) {
        const float size = body_size * code_share, step = size * page_line_height, top = y_;
        std::string_view text = block.spans.empty() ? std::string_view() : block.spans.front().text;
        y_ += code_padding;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            layer_.put(left + code_padding, y_ + step / 2, Anchor::start, {Font::code, size},
                       fitted(Font::code, size, text.substr(0, end), right - left - code_padding));
            text.remove_prefix(std::min(end + 1, text.size()));
            y_ += step;
        }
        y_ += code_padding;
        layer_.rects.push_back(rect({left, top, right - left, y_ - top}, 4, {Role::raised, 1.0F}));
    }

    /// Columns as wide as their widest cell, or proportionally narrower where there is no room.
    void table(const Block& table, float left, float right) {
        std::vector<float> widths;
        for (const Block& row : table.children) {
            widths.resize(std::max(widths.size(), row.children.size()));
            for (std::size_t i = 0; i < row.children.size(); ++i) {
                float own = 0;
                for (const Piece& piece : pieces(row.children[i].spans, {}, false))
                    own += piece.width + (piece.space ? space_width(piece) : 0);
                widths[i] = std::max(widths[i], own);
            }
        }
        float sum = 0;
        for (const float one : widths) sum += one;
        const float room = right - left - column_gap * static_cast<float>(std::max<std::size_t>(widths.size(), 1) - 1);
        const float share = sum > room && sum > 0 ? std::max(room, narrowest) / sum : 1.0F;
        for (std::size_t r = 0; r < table.children.size(); ++r) {
            const float top = y_;
            float x = left, bottom = y_;
            for (std::size_t i = 0; i < table.children[r].children.size(); ++i) {
                const float own = std::max(widths[i] * share, 1.0F);
                y_ = top;
                // A little wider than measured, so that rounding cannot wrap a word.
                words(table.children[r].children[i].spans, x, x + own + 0.5F,
                      r == 0 ? WordStyle{body_size, Role::soft, Font::words_medium} : WordStyle{});
                bottom = std::max(bottom, y_);
                x += own + column_gap;
            }
            y_ = bottom + between_items;
            if (r == 0) layer_.curves.push_back(line(left, y_, right, y_, {Role::line, 1.0F}));
            if (r == 0) y_ += between_items;
        }
    }

    [[nodiscard]] static float space_width(const Piece& piece) { return text_width(piece.font, piece.size, " "); }

    /// The words of the spans; `links`: with the targets of links.
    std::vector<Piece> pieces(const std::vector<Span>& spans, const WordStyle& setting, bool links) {
        std::vector<Piece> all;
        bool space = false;
        for (const Span& span : spans) {
            Piece form{.font = setting.font, .size = setting.size};
            if (span.strong) form.font = Font::words_bold;
            if (span.emphasis) form.font = Font::words_medium;
            if (span.code) form.font = span.strong ? Font::code_bold : Font::code, form.size *= code_share;
            if (!span.link.empty() && links) form.link = link_number(span.link);
            std::string_view rest = span.text;
            while (!rest.empty()) {
                const std::size_t begin = rest.find_first_not_of(' ');
                space = space || begin != 0;
                if (begin == std::string_view::npos) break;
                rest.remove_prefix(begin);
                const std::size_t end = std::min(rest.find(' '), rest.size());
                form.text = rest.substr(0, end);
                form.width = text_width(form.font, form.size, form.text);
                form.space = space;
                all.push_back(form);
                space = false;
                rest.remove_prefix(end);
            }
        }
        return all;
    }

    std::uint32_t link_number(const std::string& target) {
        page_.links.push_back(target);
        return static_cast<std::uint32_t>(page_.links.size());
    }

    /// Sets the spans in lines between `left` and `right`, from y_ on.
    void words(const std::vector<Span>& spans, float left, float right, const WordStyle& setting) {
        const std::vector<Piece> all = pieces(spans, setting, true);
        const float step = setting.size * page_line_height;
        float x = left;
        for (std::size_t i = 0; i < all.size();) {
            // Words without a space between them stay on one line.
            std::size_t past = i + 1;
            float width = all[i].width;
            while (past < all.size() && !all[past].space) width += all[past++].width;
            const float gap = x > left && all[i].space ? space_width(all[i]) : 0;
            if (x > left && x + gap + width > right) {
                x = left;
                y_ += step;
            } else {
                underline_gap(all, i, x, gap, step);
                x += gap;
            }
            for (; i < past; ++i) {
                place(all[i], x, setting, step);
                x += all[i].width;
            }
        }
        if (!all.empty()) y_ += step;
    }

    [[nodiscard]] float baseline(const WordStyle& setting, float step) const {
        return y_ + step / 2 + cap_height(setting.font, setting.size) / 2;
    }

    void place(const Piece& piece, float x, const WordStyle& setting, float step) {
        const float base = baseline(setting, step);
        Text text{.x = x, .y = base, .size = piece.size, .font = piece.font, .fill = {setting.role, 1.0F}};
        text.text = piece.text;
        if (piece.link != 0) {
            text.fill = {Role::useful, 1.0F};
            text.ref = {.kind = TraceRef::Kind::link, .column = piece.link - 1};
            underline(x, x + piece.width, base);
        }
        layer_.texts.push_back(std::move(text));
    }

    /// The space between two words of a link is part of the link.
    void underline_gap(const std::vector<Piece>& all, std::size_t i, float x, float gap, float step) {
        if (i == 0 || all[i].link == 0 || all[i - 1].link != all[i].link || gap == 0) return;
        underline(x, x + gap, baseline({}, step));
        Rect hidden = rect({x, y_, gap, step}, 0, {});
        hidden.ref = {.kind = TraceRef::Kind::link, .column = all[i].link - 1};
        layer_.rects.push_back(hidden);
    }

    void underline(float left, float right, float base) {
        layer_.curves.push_back(line(left, base + 2.5F, right, base + 2.5F, {Role::useful, 0.6F}));
    }

    float width_;
    float y_ = 0;  ///< top of the next block
    Layer layer_;
    LessonPage page_;
};

}  // namespace

LessonPage lesson_page(const Block& document, float width) { return Page(width).finish(document); }

}  // namespace lanescope::scene
