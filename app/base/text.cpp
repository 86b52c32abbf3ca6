#include "base/text.h"

#include <iconv.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace lanescope {
namespace {

unsigned byte_of(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

/// The length of the UTF-8 sequence that begins at `at`; 0: there is none.
std::size_t sequence_at(std::string_view bytes, std::size_t at) {
    const unsigned lead = byte_of(bytes, at);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || at + length > bytes.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte_of(bytes, at + i) & 0xC0U) != 0x80U) return 0;
    }
    // Overlong forms, surrogates and values beyond the last code point show in the second byte.
    const unsigned second = byte_of(bytes, at + 1);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool beyond = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
    return overlong || beyond ? 0 : length;
}

/// In EUC-CN both bytes of a character are above 0xA0, so single Latin letters among ASCII are not taken for Chinese.
bool in_pairs(std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        if (byte_of(bytes, at) < 0x80) continue;
        if (byte_of(bytes, at) <= 0xA0 || ++at == bytes.size() || byte_of(bytes, at) <= 0xA0) return false;
    }
    return true;
}

std::optional<std::string> from_gbk(std::string& bytes) {
    void* const converter = iconv_open("UTF-8", "GBK");
    if (converter == reinterpret_cast<iconv_t>(-1)) return {};  // the C library knows no such encoding
    std::string text(bytes.size() * 2, '\0');                   // two bytes become three at most
    char* in = bytes.data();
    char* out = text.data();
    std::size_t in_left = bytes.size(), out_left = text.size();
    const bool whole = iconv(converter, &in, &in_left, &out, &out_left) != static_cast<std::size_t>(-1);
    iconv_close(converter);
    if (!whole) return {};
    text.resize(text.size() - out_left);
    return text;
}

std::string from_latin1(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const unsigned byte = byte_of(bytes, at);
        if (byte < 0x80) {
            text += bytes[at];
        } else if (byte < 0xA0) {
            text += "\uFFFD";
        } else {
            text += static_cast<char>(0xC0U | (byte >> 6U));
            text += static_cast<char>(0x80U | (byte & 0x3FU));
        }
    }
    return text;
}

}  // namespace

std::string listed(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

bool is_utf8(std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t length = sequence_at(bytes, at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

std::string in_small_letters(std::string_view text) {
    std::string small(text);
    for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return small;
}

std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
    if (word.empty()) return std::string_view::npos;
    const auto in_name = [&](std::size_t at) { return at < text.size() && is_identifier_character(text[at]); };
    std::size_t at = text.find(word, from);
    while (at != std::string_view::npos && ((at > 0 && in_name(at - 1)) || in_name(at + word.size())))
        at = text.find(word, at + 1);
    return at;
}

std::string to_utf8(std::string bytes) {
    if (is_utf8(bytes)) return bytes;
    if (in_pairs(bytes)) {
        if (auto text = from_gbk(bytes)) return *std::move(text);
    }
    return from_latin1(bytes);
}

}  // namespace lanescope
