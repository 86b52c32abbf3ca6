#include "session/structure.h"

#include "session/element_types.h"
#include "session/input.h"

#include "compile/declarations.h"
#include "compile/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

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

bool any_of_words(const Token& token, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, token.text) != words.end();
}

/// A structure's braces and its alignment.
struct Body {
    TokenRange range;  ///< inside the braces
    std::uint64_t alignment = 1;
};

/// The braces after `struct NAME`, or before the NAME of a `typedef struct`.
std::optional<Body> body_of(const Tokens& code, std::string_view name) {
    for (std::size_t i = 0; i + 2 < code.size(); ++i) {
        if (!code[i].is("struct") && !code[i].is("class")) continue;
        std::size_t open = i + 1;
        std::uint64_t alignment = 1;
        bool named = false;
        while (open < code.size() && code[open].kind == TokenKind::identifier) {
            if (open + 1 < code.size() && code[open + 1].is("(") &&
                any_of_words(code[open], {"__align__", "alignas"})) {
                const std::size_t past = compile::past_bracket(code, open + 1, code.size());
                const auto value = evaluate(compile::as_written(code, {open + 2, past - 1}), trial);
                alignment = value && *value > 0 && *value <= 128 ? std::uint64_t(*value) : 1;
                open = past;
                continue;
            }
            named = code[open].is(name);
            ++open;
        }
        if (open >= code.size() || !code[open].is("{")) continue;
        const std::size_t past = compile::past_bracket(code, open, code.size());
        const bool aliased = i > 0 && code[i - 1].is("typedef") && past < code.size() && code[past].is(name);
        if (named || aliased) return Body{{open + 1, past - 1}, alignment};
    }
    return std::nullopt;
}

/// The states of cuRAND's generators as its headers declare them (curand_kernel.h, curand_philox4x32_x.h): the only
/// types of headers in a course's arrays. Empty for other names.
std::string declared_by_library(std::string_view name) {
    constexpr std::string_view normal =
        "int boxmuller_flag; int boxmuller_flag_double; float boxmuller_extra; double boxmuller_extra_double;";
    constexpr std::array<std::array<std::string_view, 2>, 4> states{
        {{"curandState", "unsigned int d, v[5];"},
         {"curandStateXORWOW", "unsigned int d, v[5];"},
         {"curandStateMRG32k3a", "unsigned int s1[3]; unsigned int s2[3];"},
         {"curandStatePhilox4_32_10", "uint4 ctr; uint4 output; uint2 key; unsigned int STATE;"}}};
    const std::string_view bare = name.ends_with("_t") ? name.substr(0, name.size() - 2) : name;
    const auto found = std::ranges::find(states, bare, [](const auto& state) { return state[0]; });
    return found == states.end() ? "" : fmt::format("struct {} {{ {} {} }};", name, (*found)[1], normal);
}

/// float4 and the like as a structure of x, y, z, w.
Structure vector_structure(std::string_view type, const ElementType& element) {
    Structure structure{.type = std::string(type), .members = {}};
    const std::uint64_t bytes = trace::bytes_of(element.element);
    for (unsigned i = 0; i < element.components; ++i)
        structure.members.push_back(
            {.name = std::string(1, "xyzw"[i % 4]), .element = element.element, .offset = i * bytes});
    structure.bytes = bytes * element.components;
    structure.alignment = alignment_of(element);
    return structure;
}

/// The information that a structure's layout needs.
struct StructureNames {
    std::function<std::optional<ElementType>(const std::string& type)> element;  ///< numbers; nothing for other types
    std::function<std::optional<std::int64_t>(const std::string& extent)>
        extent;  ///< of an array: a constant expression
};

class Layout {
  public:
    Layout(const Tokens& code, const StructureNames& names)
        : code_(code), names_(names), declarations_(compile::declarations_of(code, {})) {}

    [[nodiscard]] std::optional<Structure> of(std::string_view name, unsigned depth) const {
        const std::optional<Body> body = body_of(code_, name);
        if (depth > deepest) return std::nullopt;
        if (!body) {
            const std::string library = declared_by_library(name);
            if (library.empty()) return std::nullopt;
            const Tokens code = compile::code_of(compile::tokenize(library), compile::Branch::first);
            return Layout(code, names_).of(name, depth);
        }
        Structure structure{.type = std::string(name), .members = {}};
        structure.alignment = body->alignment;
        std::size_t behind = body->range.first;  // the inner type that is skipped ends here
        for (const compile::Declaration& declaration : declarations_) {
            if (!declaration.member || declaration.first < std::max(behind, body->range.first) ||
                declaration.past_last > body->range.past_last)
                continue;
            if (declaration.kind == compile::Declaration::Kind::type) {
                behind = declaration.past_last;
                const bool only_named =
                    declaration.body_past_last >= declaration.past_last || code_[declaration.body_past_last].is(";");
                if (!only_named) return std::nullopt;  // struct { int x; } inner;
                continue;
            }
            const TokenRange range{declaration.first, declaration.past_last};
            if (declaration.kind != compile::Declaration::Kind::other) {
                if (!takes_no_place(range)) return std::nullopt;
                continue;
            }
            if (any_of_words(code_[range.first], {"static", "using", "typedef", "friend", "template", "static_assert"}))
                continue;
            if (!add(structure, {range.first, range.past_last - (code_[range.past_last - 1].is(";") ? 1 : 0)}, depth))
                return std::nullopt;
        }
        if (structure.members.empty()) return std::nullopt;
        structure.bytes = rounded(structure.bytes, structure.alignment);
        return structure;
    }

  private:
    /// Does the declaration add no bytes? A function adds none, unless it is virtual; a pointer to one, which looks
    /// alike, does.
    [[nodiscard]] bool takes_no_place(TokenRange range) const {
        for (std::size_t i = range.first; i < range.past_last && !code_[i].is("{"); ++i) {
            if (code_[i].is("virtual")) return false;
            if (code_[i].is("(") && i + 3 < range.past_last && code_[i + 1].is("*") && code_[i + 3].is(")"))
                return false;
        }
        return true;
    }

    /// One declaration: a type, then declarators with commas between.
    bool add(Structure& structure, TokenRange declaration, unsigned depth) const {
        std::size_t first = declaration.first;
        while (first < declaration.past_last && any_of_words(code_[first], {"const", "struct", "volatile", "mutable"}))
            ++first;
        const std::vector<TokenRange> parts = compile::split_commas(code_, {first, declaration.past_last}, true);
        if (parts.empty() || parts.front().empty()) return false;
        // The type ends at the first star, or before the last name in a row.
        std::size_t name = first;
        while (name < parts.front().past_last && code_[name].kind == TokenKind::identifier) ++name;
        const bool starred = name < parts.front().past_last && code_[name].is("*");
        std::size_t past_type = starred ? name : name - 1;
        while (past_type > first && code_[past_type - 1].is("const")) --past_type;
        if (name == first || past_type <= first) return false;
        const std::string type = compile::spelling(code_, {first, past_type});
        for (const TokenRange& part : parts) {
            const std::size_t at = &part == &parts.front() ? past_type : part.first;
            if (part.empty() || !add_one(structure, type, {at, part.past_last}, depth)) return false;
        }
        return true;
    }

    bool add_one(Structure& structure, const std::string& type, TokenRange declarator, unsigned depth) const {
        unsigned stars = 0;
        std::size_t i = declarator.first;
        for (; i < declarator.past_last && (code_[i].is("*") || any_of_words(code_[i], {"const", "__restrict__"})); ++i)
            stars += code_[i].is("*") ? 1 : 0;
        if (i >= declarator.past_last || code_[i].kind != TokenKind::identifier) return false;
        const std::string name(code_[i++].text);
        std::optional<std::uint64_t> count;  // of an array
        while (i < declarator.past_last && !code_[i].is("=") && !code_[i].is("{")) {
            const std::size_t past = code_[i].is("[") ? compile::past_bracket(code_, i, declarator.past_last) : i;
            if (past == i) return false;  // a bit field
            const auto length = names_.extent(compile::as_written(code_, {i + 1, past - 1}));
            if (!length || *length <= 0 || std::uint64_t(*length) > most_bytes) return false;
            count = count.value_or(1) * std::uint64_t(*length);
            if (*count > most_bytes) return false;
            i = past;
        }
        if (stars > 0) return place_pointers(structure, name, type, stars, count);
        return place(structure, name, type, count, depth);
    }

    /// The offset of `count` elements after what is there; nothing where the structure gets too large.
    static std::optional<std::uint64_t> append(Structure& structure, std::uint64_t bytes, std::uint64_t alignment,
                                               std::uint64_t count) {
        const std::uint64_t offset = rounded(structure.bytes, alignment);
        if (count * bytes > most_bytes || offset + count * bytes > most_bytes) return std::nullopt;
        structure.bytes = offset + count * bytes;
        structure.alignment = std::max(structure.alignment, alignment);
        return offset;
    }

    static std::string element_name(const std::string& name, bool array, std::uint64_t index) {
        return array ? fmt::format("{}[{}]", name, index) : name;
    }

    bool place_pointers(Structure& structure, const std::string& name, const std::string& type, unsigned stars,
                        std::optional<std::uint64_t> count) const {
        constexpr std::uint64_t bytes = 8;
        const std::optional<ElementType> element = names_.element(type);
        const auto offset = append(structure, bytes, bytes, count.value_or(1));
        if (!offset) return false;
        for (std::uint64_t k = 0; k < count.value_or(1); ++k)
            structure.members.push_back({.name = element_name(name, count.has_value(), k),
                                         .element = element ? element->element : trace::Element::u8,
                                         .offset = *offset + k * bytes,
                                         .pointer = true,
                                         .components = stars == 1 && element ? element->components : 0});
        return true;
    }

    bool place(Structure& structure, const std::string& name, const std::string& type,
               std::optional<std::uint64_t> count, unsigned depth) const {
        const std::optional<ElementType> element = names_.element(type);
        const bool number = element && element->components == 1;
        const std::optional<Structure> inner = number    ? std::nullopt
                                               : element ? std::optional(vector_structure(type, *element))
                                                         : of(type, depth + 1);
        if (!number && !inner) return false;
        const std::uint64_t bytes = number ? trace::bytes_of(element->element) : inner->bytes;
        const auto offset = append(structure, bytes, number ? bytes : inner->alignment, count.value_or(1));
        if (!offset) return false;
        for (std::uint64_t k = 0; k < count.value_or(1); ++k) {
            const std::string own = element_name(name, count.has_value(), k);
            const std::uint64_t at = *offset + k * bytes;
            if (number) structure.members.push_back({.name = own, .element = element->element, .offset = at});
            for (Structure::Member member : number ? std::vector<Structure::Member>() : inner->members) {
                member.name = fmt::format("{}.{}", own, member.name);
                member.offset += at;
                structure.members.push_back(std::move(member));
            }
        }
        return true;
    }

    const Tokens& code_;
    const StructureNames& names_;
    std::vector<compile::Declaration> declarations_;
};

}  // namespace

std::optional<Structure> structure_of(const Program& program, std::string_view type) {
    const Tokens code = compile::code_of(compile::tokenize(program.source.text), compile::Branch::first);
    const StructureNames names{.element = [&](const std::string& name) { return element_type(program, name); },
                               .extent = [&](const std::string& extent) -> std::optional<std::int64_t> {
                                   const Result<std::uint64_t> length =
                                       evaluate(with_constants(extent, program.source), trial);
                                   return length ? std::optional(std::int64_t(*length)) : std::nullopt;
                               }};
    for (const std::string_view word : {"const ", "struct "}) {
        if (type.starts_with(word)) type.remove_prefix(word.size());
    }
    return Layout(code, names).of(type, 0);
}

ElementType elements_of_buffer(const Structure& structure) {
    const trace::Element first = structure.members.front().element;
    const bool alike = std::ranges::all_of(structure.members, [&](const Structure::Member& member) {
        return !member.pointer && trace::bytes_of(member.element) == trace::bytes_of(first);
    });
    const trace::Element element = alike ? first : structure.bytes % 4 == 0 ? trace::Element::u32 : trace::Element::u8;
    return {element, unsigned(structure.bytes / trace::bytes_of(element))};
}

Result<std::vector<std::string>> member_values(const Structure& structure, std::string_view text) {
    const Tokens code = compile::code_of(compile::tokenize(text), compile::Branch::first);
    if (code.size() < 2 || !code.front().is("{") || !code.back().is("}")) {
        return fail(fmt::format("'{}' is not a value of the structure {}", text, structure.type), {},
                    fmt::format("its members are given in braces: {}", guessed_members(structure, "input(n)")));
    }
    std::vector<std::string> values;
    for (const TokenRange& part : compile::split_commas(code, {1, code.size() - 1}, false)) {
        if (!part.empty()) values.push_back(compile::as_written(code, part));
    }
    if (values.size() > structure.members.size()) {
        return fail(fmt::format("the structure {} has {} members, and {} values are given", structure.type,
                                structure.members.size(), values.size()),
                    {}, fmt::format("its members are given in braces: {}", guessed_members(structure, "input(n)")));
    }
    values.resize(structure.members.size(), "0");
    return values;
}

std::string guessed_members(const Structure& structure, std::string_view pointers) {
    constexpr unsigned bytes_of_n = 4;
    std::string text;
    for (const Structure::Member& member : structure.members) {
        const bool holds_n = !member.pointer && trace::bytes_of(member.element) >= bytes_of_n;
        text += fmt::format("{}{}", text.empty() ? "" : ", ",
                            member.pointer             ? (member.components > 0 ? pointers : "0")
                            : is_float(member.element) ? "1"
                            : holds_n                  ? "n"
                                                       : "0");
    }
    return "{" + text + "}";
}

}  // namespace lanescope::session
