#include "ptx/dwarf_section.h"

#include "ptx/token_stream.h"

#include <algorithm>
#include <string>

namespace lanescope::ptx::dwarf {
namespace {

unsigned width_of(std::string_view directive) {
    if (directive == ".b8") return 1;
    if (directive == ".b16") return 2;
    if (directive == ".b32") return 4;
    return directive == ".b64" ? 8 : 0;
}

/// One line: "name:", or ".b8 1, 2", ".b64 $L__tmp0", ".b32 .debug_loc+105".
void read_line(TokenStream& tokens, Section& section) {
    const Token word = tokens.expect_word("data");
    const unsigned width = width_of(word.text);
    if (width == 0) {
        tokens.expect(':', "after the label");
        section.labels.try_emplace(word.text, section.bytes.size());
        return;
    }
    do {
        std::uint64_t value = 0;
        if (tokens.peek().kind == Token::Kind::word) {
            section.references.push_back({section.bytes.size(), tokens.take().text});
            if (tokens.accept('+')) value = tokens.expect_constant("an offset").bits;
        } else {
            value = tokens.expect_constant("a number").bits;
        }
        for (unsigned i = 0; i < width; ++i) section.bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    } while (tokens.accept(','));
}

/// The name that an ULEB number packs, its last character lowest: 0x257231 is "%r1". Empty if the number does not end.
std::string register_name(Cursor& cursor, std::size_t end) {
    constexpr std::size_t longest = 64;
    std::string name;
    std::uint64_t byte = 0x80;
    unsigned bits = 0, have = 0;
    while (byte >= 0x80 && cursor.at() < end && name.size() < longest) {
        byte = cursor.fixed(1);
        bits |= static_cast<unsigned>(byte & 0x7fU) << have;
        have += 7;
        if (have >= 8) {
            name += static_cast<char>(bits & 0xffU);
            bits >>= 8U;
            have -= 8;
        }
    }
    if (byte >= 0x80) return {};
    if (bits != 0) name += static_cast<char>(bits);
    while (name.ends_with('\0')) name.pop_back();
    std::ranges::reverse(name);
    return name;
}

}  // namespace

Section read_section(std::string_view body) {
    Section section;
    try {
        TokenStream tokens(body, {});
        while (tokens.peek().kind != Token::Kind::end) read_line(tokens, section);
    } catch (const Refusal&) {
        // The part before the damage is kept: readers check every bound.
    }
    return section;
}

Section read_section(const std::vector<SectionText>& sections, std::string_view name) {
    const auto found = std::ranges::find(sections, name, &SectionText::name);
    return found == sections.end() ? Section{} : read_section(found->body);
}

std::size_t Cursor::skip(std::size_t bytes) {
    const std::size_t begin = at_;
    if (failed_ || bytes > section_->bytes.size() - at_) {
        failed_ = true;
        return section_->bytes.size();
    }
    at_ += bytes;
    return begin;
}

std::uint64_t Cursor::fixed(unsigned bytes) {
    const std::size_t begin = skip(bytes);
    if (failed_) return 0;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{section_->bytes[begin + i]} << (8 * i);
    return value;
}

std::uint64_t Cursor::uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const std::uint64_t byte = fixed(1);
        if (shift < 64) value |= (byte & 0x7fU) << shift;
        if (byte < 0x80) return value;
    }
}

std::string_view Cursor::string(std::size_t longest) {
    const std::size_t begin = at_;
    while (fixed(1) != 0)
        if (at_ - begin > longest) failed_ = true;
    if (failed_) return {};
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes of text
    return {reinterpret_cast<const char*>(section_->bytes.data()) + begin, at_ - 1 - begin};
}

Cursor::Address Cursor::address(unsigned bytes) {
    Address address;
    const auto found = std::ranges::lower_bound(section_->references, at_, {}, &Section::Reference::at);
    if (found != section_->references.end() && found->at == at_) address.symbol = found->symbol;
    address.value = fixed(bytes);
    return address;
}

std::optional<Location> read_location(const Section& section, std::size_t begin, std::size_t bytes) {
    constexpr std::uint64_t op_addr = 0x03, op_plus_uconst = 0x23, op_regx = 0x90;
    Cursor cursor(section, begin);
    const std::size_t end = begin + bytes;
    Location location;
    switch (cursor.fixed(1)) {
        case op_regx: location.reg = register_name(cursor, end); break;
        case op_addr: location.symbol = cursor.address(8).symbol; break;
        default: return std::nullopt;
    }
    while (!cursor.failed() && cursor.at() < end) {
        if (cursor.fixed(1) != op_plus_uconst || !location.reg.empty()) return std::nullopt;
        location.offset += cursor.uleb();
    }
    if (cursor.failed() || (location.reg.empty() && location.symbol.empty())) return std::nullopt;
    return location;
}

}  // namespace lanescope::ptx::dwarf
