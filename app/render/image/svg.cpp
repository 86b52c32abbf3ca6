#include "base/text.h"
#include "render/image/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <type_traits>

namespace lanescope::render {
namespace {

using scene::Paint;

/// At most two decimals and no trailing zeros: short, and the same text on every machine.
std::string number(float value) {
    const auto hundredths = std::lround(static_cast<double>(value) * 100.0);
    const auto whole = std::labs(hundredths) / 100, rest = std::labs(hundredths) % 100;
    std::string text = hundredths < 0 ? "-" : "";
    if (whole != 0 || rest == 0) text += std::to_string(whole);
    if (rest != 0) text += rest % 10 == 0 ? fmt::format(".{}", rest / 10) : fmt::format(".{:02}", rest);
    return text;
}

void append_utf8(std::string& out, char32_t code) {
    const auto byte = [&](char32_t bits) { out += static_cast<char>(static_cast<unsigned char>(bits)); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xC0U | (code >> 6U)), byte(0x80U | (code & 0x3FU));
    } else if (code < 0x10000) {
        byte(0xE0U | (code >> 12U)), byte(0x80U | ((code >> 6U) & 0x3FU)), byte(0x80U | (code & 0x3FU));
    } else {
        byte(0xF0U | (code >> 18U)), byte(0x80U | ((code >> 12U) & 0x3FU));
        byte(0x80U | ((code >> 6U) & 0x3FU)), byte(0x80U | (code & 0x3FU));
    }
}

/// Characters that XML 1.0 (2.2 and 2.4) does not allow become U+FFFD.
std::string escaped(std::string_view utf8) {
    std::string out;
    out.reserve(utf8.size());
    for (std::size_t at = 0; at < utf8.size();) {
        const char32_t code = next_code_point(utf8, at);
        const bool forbidden = (code < 0x20 && code != '\t' && code != '\n' && code != '\r') || (code & ~1U) == 0xFFFE;
        if (code == '&')
            out += "&amp;";
        else if (code == '<')
            out += "&lt;";
        else if (code == '>')
            out += "&gt;";
        else if (code == '"')
            out += "&quot;";
        else
            append_utf8(out, forbidden ? replacement_character : code);
    }
    return out;
}

/// Code fonts draw one sign for two characters in a row, such as that of "less than or equal" for `<=`, and text fonts
/// an arrow for `->`. The reader must see the characters themselves.
bool are_joined(char one, char next) {
    constexpr std::string_view signs = "<>=!-+*/&|:~^%?#", joining = "<>=";
    const bool both = signs.contains(one) && signs.contains(next);
    return both && (joining.contains(one) || joining.contains(next));
}

/// Escaped; of two characters that would be joined, the second is in an element of its own, so that it is shaped alone.
/// Browsers shape across elements, but respect the style of `unjoined`.
std::string apart(std::string_view utf8) {
    std::string out;
    std::size_t done = 0;
    bool alone = false;  // the last character
    for (std::size_t i = 1; i < utf8.size(); ++i) {
        const bool joined = !alone && are_joined(utf8[i - 1], utf8[i]);
        if (joined) out += escaped(utf8.substr(done, i - done)) + "<tspan>" + escaped(utf8.substr(i, 1)) + "</tspan>";
        if (joined) done = i + 1;
        alone = joined;
    }
    return out + escaped(utf8.substr(std::min(done, utf8.size())));
}

constexpr std::string_view unjoined = R"( style="font-variant-ligatures:none")";

std::string_view font_attributes(scene::Font font) {
    switch (font) {
        case scene::Font::words: return R"(font-family="Inter, sans-serif")";
        case scene::Font::words_medium: return R"(font-family="Inter, sans-serif" font-weight="500")";
        case scene::Font::words_bold: return R"(font-family="Inter, sans-serif" font-weight="600")";
        case scene::Font::code: return R"(font-family="JetBrains Mono, monospace")";
        case scene::Font::code_bold: return R"(font-family="JetBrains Mono, monospace" font-weight="700")";
    }
    return "";
}

class Writer {
  public:
    Writer(const scene::Scene& scene, scene::Theme theme) : scene_(scene), theme_(theme) {}

    std::string write() {
        const std::string width = number(scene_.width), height = number(scene_.height);
        put("<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{0}\" height=\"{1}\" "
            "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-labelledby=\"title desc\" xml:space=\"preserve\">\n",
            width, height);
        put("<title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n", escaped(scene_.title),
            escaped(scene_.description));
        definitions();
        if (scene_.background.visible())
            put("<rect width=\"{}\" height=\"{}\"{}/>\n", width, height, paint("fill", scene_.background));
        for (const scene::Shape& shape : scene_.shapes) std::visit(*this, shape);
        out_ += "</svg>\n";
        return std::move(out_);
    }

    void operator()(const scene::Rect& r) {
        // An opaque stroke covers what is under it, so it can share the element of the fill.
        const bool together = r.stroke.visible() && r.stroke.alpha >= 1 && !r.hatch.visible();
        if (together) return stroked(r, r.fill);
        if (r.fill.visible()) box(r, 0, paint("fill", r.fill));
        if (r.hatch.visible()) box(r, 0, fmt::format(" fill=\"url(#{})\"", hatch_id(r.hatch)));
        if (r.stroke.visible()) stroked(r, {});
    }

    void operator()(const scene::Circle& c) {
        if (!c.fill.visible() && !c.stroke.visible()) return;
        const float radius = c.stroke.visible() ? c.radius - c.stroke_width / 2 : c.radius;
        put("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}{}/>\n", number(c.x), number(c.y), number(radius),
            paint("fill", c.fill), stroke(c.stroke, c.stroke_width, false));
    }

    void operator()(const scene::Curve& c) {
        if (!c.stroke.visible()) return;
        put("<path d=\"M{},{}C{},{} {},{} {},{}\" fill=\"none\"{}/>\n", number(c.x0), number(c.y0), number(c.x1),
            number(c.y1), number(c.x2), number(c.y2), number(c.x3), number(c.y3),
            stroke(c.stroke, c.stroke_width, c.dashed));
    }

    void operator()(const scene::Text& t) {
        if (!t.fill.visible() || t.text.empty()) return;
        const std::string_view anchor = t.anchor == scene::Anchor::start    ? ""
                                        : t.anchor == scene::Anchor::middle ? " text-anchor=\"middle\""
                                                                            : " text-anchor=\"end\"";
        const std::string text = apart(t.text);
        put("<text x=\"{}\" y=\"{}\" font-size=\"{}\" {}{}{}{}>{}</text>\n", number(t.x), number(t.y), number(t.size),
            font_attributes(t.font), anchor, paint("fill", t.fill), text.contains("<tspan>") ? unjoined : "", text);
    }

    void operator()(const scene::ClipBegin&) { put("<g clip-path=\"url(#clip{})\">\n", ++clips_); }
    void operator()(const scene::ClipEnd&) { out_ += "</g>\n"; }

  private:
    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    }

    [[nodiscard]] std::string paint(std::string_view attribute, Paint paint) const {
        if (!paint.visible()) return fmt::format(" {}=\"none\"", attribute);
        const scene::Color c = color_of(theme_, paint);
        std::string text = fmt::format(" {}=\"#{:02X}{:02X}{:02X}\"", attribute, c.r, c.g, c.b);
        if (c.a < 1) text += fmt::format(" {}-opacity=\"{}\"", attribute, number(c.a));
        return text;
    }

    [[nodiscard]] std::string stroke(Paint stroke, float width, bool dashed) const {
        if (!stroke.visible()) return {};
        std::string text = paint("stroke", stroke) + fmt::format(" stroke-width=\"{}\"", number(width));
        if (dashed) text += fmt::format(" stroke-dasharray=\"{} {}\"", number(scene::dash_on), number(scene::dash_off));
        return text;
    }

    void stroked(const scene::Rect& r, Paint fill) {
        box(r, r.stroke_width / 2, paint("fill", fill) + stroke(r.stroke, r.stroke_width, r.dashed));
    }

    void box(const scene::Rect& r, float inset, std::string_view attributes) {
        put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(r.x + inset), number(r.y + inset),
            number(r.width - 2 * inset), number(r.height - 2 * inset));
        if (const float radius = r.radius - inset; radius > 0) put(" rx=\"{}\"", number(radius));
        put("{}/>\n", attributes);
    }

    [[nodiscard]] static std::string hatch_id(Paint hatch) {
        return fmt::format("hatch{}-{}", static_cast<int>(hatch.role), std::lround(hatch.alpha * 100));
    }

    void definitions() {
        std::vector<Paint> hatches;
        unsigned clips = 0;
        out_ += "<defs>\n";
        for (const scene::Shape& shape : scene_.shapes) {
            if (const auto* r = std::get_if<scene::Rect>(&shape); r && r->hatch.visible()) {
                const auto same = [&](Paint seen) { return hatch_id(seen) == hatch_id(r->hatch); };
                if (std::ranges::none_of(hatches, same)) hatches.push_back(r->hatch);
            } else if (const auto* c = std::get_if<scene::ClipBegin>(&shape)) {
                put("<clipPath id=\"clip{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
                    ++clips, number(c->x), number(c->y), number(c->width), number(c->height));
            }
        }
        for (const Paint hatch : hatches) {
            // Three lines where x + y is a multiple of the period; the outer two complete the tile's corners.
            const std::string p = number(scene::hatch_period), reach = number(scene::hatch_period + 1);
            put("<pattern id=\"{0}\" patternUnits=\"userSpaceOnUse\" width=\"{1}\" height=\"{1}\">"
                "<path d=\"M-1,1L1,-1M-1,{2}L{2},-1M{3},{2}L{2},{3}\" fill=\"none\"{4}/></pattern>\n",
                hatch_id(hatch), p, reach, number(scene::hatch_period - 1), stroke(hatch, scene::hatch_width, false));
        }
        out_ += "</defs>\n";
    }

    const scene::Scene& scene_;
    scene::Theme theme_;
    std::string out_;
    unsigned clips_ = 0;
};

}  // namespace

std::string to_svg(const scene::Scene& scene, scene::Theme theme) { return Writer(scene, theme).write(); }

}  // namespace lanescope::render
