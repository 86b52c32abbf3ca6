#include "session/structure.h"

#include "session/catalog_parts.h"
#include "session/input.h"

#include "compile/declarations.h"
#include "compile/lexer.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::session {

namespace {

using compile::Token;
using compile::TokenKind;
using compile::TokenRange;
using Tokens = std::vector<Token>;

constexpr unsigned deepest = 8;  // structures within structures
constexpr std::uint64_t most_bytes =
    4096;  // of all parameters together (CUDA C++ Programming Guide, "Kernel parameters")

/// CUDA's vectors of two and four lie at a multiple of their size, 16 at most ("Built-in Vector Types").
std::uint64_t alignment_of(const ElementType& type) {
    constexpr std::uint64_t widest = 16;
    const std::uint64_t bytes = trace::bytes_of(type.element);
    const bool whole = type.components == 2 || type.components == 4;
    return whole ? std::min(widest, bytes * type.components) : bytes;
}

std::uint64_t rounded(std::uint64_t offset, std::uint64_t alignment) {
    return (offset + alignment - 1) / alignment * alignment;
}

/// The braces behind `struct NAME`, or before the NAME of a `typedef struct`; inside of them.
std::optional<TokenRange> body_of(const Tokens& code, std::string_view name) {
    for (std::size_t i = 0; i + 2 < code.size(); ++i) {
        if (!code[i].is("struct") && !code[i].is("class")) continue;
        const std::size_t named = code[i + 1].kind == TokenKind::identifier ? i + 1 : i;
        if (named + 1 >= code.size() || !code[named + 1].is("{")) continue;
        const std::size_t past = compile::past_bracket(code, named + 1, code.size());
        const bool aliased = i > 0 && code[i - 1].is("typedef") && past < code.size() && code[past].is(name);
        if ((named != i && code[named].is(name)) || aliased) return TokenRange{named + 2, past - 1};
    }
    return std::nullopt;
}

class Layout {
  public:
    Layout(const Program& program, const Tokens& code) : program_(program), code_(code) {}

    [[nodiscard]] std::optional<Structure> of(std::string_view name, unsigned depth) const {
        const std::optional<TokenRange> body = body_of(code_, name);
        if (!body || depth > deepest) return std::nullopt;
        Structure structure{.type = std::string(name)};
        std::size_t begin = body->first;
        for (std::size_t i = body->first; i < body->past_last; ++i) {
            if (!code_[i].is(";")) continue;
            if (!add(structure, {begin, i}, depth)) return std::nullopt;
            begin = i + 1;
        }
        if (begin != body->past_last || structure.members.empty()) return std::nullopt;
        structure.bytes = rounded(structure.bytes, structure.alignment);
        return structure;
    }

  private:
    /// One declaration: a type, then names with commas between, each maybe an array or with a value for those who build one.
    bool add(Structure& structure, TokenRange declaration, unsigned depth) const {
        const std::vector<TokenRange> parts = compile::split_commas(code_, declaration, true);
        if (parts.empty() || parts.front().empty()) return false;
        std::size_t name = parts.front().first;
        while (name + 1 < parts.front().past_last && code_[name + 1].kind == TokenKind::identifier) ++name;
        if (name == parts.front().first) return false;
        std::size_t first_of_type = parts.front().first;
        if (code_[first_of_type].is("struct") || code_[first_of_type].is("const")) ++first_of_type;
        if (first_of_type == name) return false;
        const std::string type = compile::spelling(code_, {first_of_type, name});
        for (const TokenRange& part : parts) {
            const std::size_t at = &part == &parts.front() ? name : part.first;
            if (part.empty() || !add_one(structure, type, {at, part.past_last}, depth)) return false;
        }
        return true;
    }

    bool add_one(Structure& structure, const std::string& type, TokenRange declarator, unsigned depth) const {
        const Token& name = code_[declarator.first];
        if (name.kind != TokenKind::identifier) return false;
        std::uint64_t count = 1;
        for (std::size_t i = declarator.first + 1; i < declarator.past_last && !code_[i].is("=");) {
            const std::size_t past = code_[i].is("[") ? compile::past_bracket(code_, i, declarator.past_last) : i;
            if (past == i) return false;  // a bit field, a pointer to a function
            const std::string extent = compile::as_written(code_, {i + 1, past - 1});
            const Result<std::uint64_t> length = evaluate(with_constants(extent, program_.scan), trial);
            if (!length || *length == 0 || *length > most_bytes) return false;
            count *= *length;
            i = past;
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string own = count == 1 ? std::string(name.text) : fmt::format("{}[{}]", name.text, i);
            if (!place(structure, type, own, depth) || structure.bytes > most_bytes) return false;
        }
        return true;
    }

    bool place(Structure& structure, const std::string& type, const std::string& name, unsigned depth) const {
        if (const std::optional<ElementType> element = element_type(program_, type)) {
            const std::uint64_t alignment = alignment_of(*element);
            const std::uint64_t offset = rounded(structure.bytes, alignment);
            const std::uint64_t bytes = trace::bytes_of(element->element);
            for (unsigned i = 0; i < element->components; ++i) {
                const std::string own = element->components == 1 ? name : fmt::format("{}.{}", name, "xyzw"[i]);
                structure.members.push_back({.name = own, .element = element->element, .offset = offset + i * bytes});
            }
            structure.bytes = offset + bytes * element->components;
            structure.alignment = std::max(structure.alignment, alignment);
            return true;
        }
        const std::optional<Structure> inner = of(type, depth + 1);
        if (!inner) return false;
        const std::uint64_t offset = rounded(structure.bytes, inner->alignment);
        for (const Structure::Member& member : inner->members) {
            structure.members.push_back({.name = fmt::format("{}.{}", name, member.name),
                                         .element = member.element,
                                         .offset = offset + member.offset});
        }
        structure.bytes = offset + inner->bytes;
        structure.alignment = std::max(structure.alignment, inner->alignment);
        return true;
    }

    const Program& program_;
    const Tokens& code_;
};

}  // namespace

std::optional<Structure> structure_of(const Program& program, std::string_view type) {
    for (const std::string_view word : {"const ", "struct "}) {
        if (type.starts_with(word)) type.remove_prefix(word.size());
    }
    const Tokens code = compile::code_of(compile::tokenize(program.source), compile::Branch::first);
    return Layout(program, code).of(type, 0);
}

Result<std::vector<std::string>> member_values(const Structure& structure, std::string_view text) {
    const Tokens code = compile::code_of(compile::tokenize(text), compile::Branch::first);
    if (code.size() < 2 || !code.front().is("{") || !code.back().is("}")) {
        return fail(fmt::format("'{}' is no value of the structure {}", text, structure.type), {},
                    fmt::format("its members are given in braces: {}", guessed_members(structure)));
    }
    std::vector<std::string> values;
    for (const TokenRange& part : compile::split_commas(code, {1, code.size() - 1}, false)) {
        if (!part.empty()) values.push_back(compile::as_written(code, part));
    }
    if (values.size() > structure.members.size()) {
        return fail(fmt::format("the structure {} has {} members, and {} values are given", structure.type,
                                structure.members.size(), values.size()),
                    {}, fmt::format("its members are given in braces: {}", guessed_members(structure)));
    }
    values.resize(structure.members.size(), "0");
    return values;
}

std::string guessed_members(const Structure& structure) {
    constexpr unsigned bytes_of_n = 4;
    std::string text;
    for (const Structure::Member& member : structure.members) {
        const bool holds_n = trace::bytes_of(member.element) >= bytes_of_n;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", is_float(member.element) ? "1" : holds_n ? "n" : "0");
    }
    return "{" + text + "}";
}

}  // namespace lanescope::session
