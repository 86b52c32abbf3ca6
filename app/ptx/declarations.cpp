#include "ptx/declarations.h"

#include "base/grouped.h"
#include "ptx/forms.h"
#include "ptx/limits.h"

#include <fmt/format.h>
#include <bit>
#include <optional>

namespace lanescope::ptx {
namespace {

struct Attributes {
    Type type = Type::none;
    std::uint64_t align = 0;     ///< 0: the type's own
    std::uint64_t elements = 1;  ///< .v2, .v4
};

std::uint64_t expect_alignment(TokenStream& tokens) {
    const Token at = tokens.peek();
    const std::uint64_t align = tokens.expect_count("an alignment", limits::alignment);
    if (!std::has_single_bit(align)) tokens.refuse(at, fmt::format("the alignment {} is not a power of two", align));
    return align;
}

/// ".align 4 .b8" in any order, with additions of the backend.
Attributes parse_attributes(TokenStream& tokens) {
    Attributes attributes;
    for (;;) {
        const Token token = tokens.peek();
        if (token.is(".align")) {
            tokens.take();
            attributes.align = expect_alignment(tokens);
        } else if (token.is(".v2") || token.is(".v4")) {
            tokens.take();
            attributes.elements = token.text == ".v2" ? 2 : 4;
        } else if (token.is(".attribute")) {
            tokens.take();
            tokens.expect('(', "after .attribute");
            const Token name = tokens.expect_word("an attribute");
            if (name.text != ".managed")
                tokens.refuse(name, fmt::format("the attribute {} is not supported", quoted(name)));
            tokens.expect(')', "after the attribute");
        } else if (token.is(".ptr")) {
            // The target of a pointer parameter (PTX ISA 5.1.6.3): a hint for the optimizer.
            tokens.take();
            if (space_directive(tokens.peek().text) != Space::none) tokens.take();
            if (tokens.accept(".align")) expect_alignment(tokens);
        } else if (token.kind == Token::Kind::word && token.text.starts_with('.')) {
            if (attributes.type != Type::none) tokens.unexpected("the variable's name");
            attributes.type = expect_memory_type(tokens);
        } else {
            if (attributes.type == Type::none) tokens.unexpected("a type such as .b32");
            return attributes;
        }
    }
}

/// "[4][8]": 4 * 8 elements; 0 for "[]".
std::uint64_t parse_extents(TokenStream& tokens, std::uint64_t element_bytes) {
    std::uint64_t elements = 1;
    bool open = false;
    while (tokens.accept('[')) {
        if (tokens.accept(']')) {
            if (open || elements != 1) tokens.unexpected("an extent: only the first may be omitted");
            open = true;
            continue;
        }
        const Token at = tokens.peek();
        const std::uint64_t extent = tokens.expect_count("an extent", limits::variable_bytes);
        if (extent == 0) tokens.refuse(at, "an array of no elements");
        if (extent > limits::variable_bytes / element_bytes / elements)
            tokens.refuse(at, fmt::format("the variable is larger than {}", counted(limits::variable_bytes, "byte")));
        elements *= extent;
        tokens.expect(']', "after the extent");
    }
    return open ? 0 : elements;
}

class Initializer {
  public:
    Initializer(TokenStream& tokens, Variable& variable, const Globals& globals)
        : tokens_(tokens), variable_(variable), globals_(globals) {}

    void parse() {
        std::uint32_t depth = 0;
        do {
            while (tokens_.accept('{')) ++depth;
            if (!tokens_.peek().is('}')) parse_element();
            while (depth > 0 && tokens_.accept('}')) --depth;
        } while (depth > 0 && tokens_.accept(','));
        if (depth > 0) tokens_.expect('}', "at the end of the initial values");
        for (const Relocation& relocation : variable_.relocations)
            if (relocation.bytes != 4 && relocation.bytes != 8)
                tokens_.refuse(tokens_.peek(), "an address in initial values needs all of its 4 or 8 bytes");
    }

  private:
    void parse_element() {
        const Token at = tokens_.peek();
        if (!tokens_.at_constant()) {
            parse_address(bytes_of(variable_.type));
            return;
        }
        const Constant constant = tokens_.expect_constant("an initial value");
        if (tokens_.accept('(')) {
            parse_address_byte(at, constant);
            tokens_.expect(')', "after the address");
            return;
        }
        append(at, bits_of(tokens_, at, constant, variable_.type), bytes_of(variable_.type));
    }

    /// name, name+4, generic(name)+4
    void parse_address(std::uint32_t bytes) {
        Relocation relocation{.offset = variable_.initial.size(), .bytes = bytes};
        relocation.generic = tokens_.accept("generic");
        if (relocation.generic) tokens_.expect('(', "after generic");
        const Token name = tokens_.expect_name("a constant or a name");
        if (relocation.generic) tokens_.expect(')', "after the name");
        const auto found = globals_.find(name.text);
        if (found == globals_.end()) tokens_.refuse(name, fmt::format("{} is not declared", quoted(name)));
        relocation.of_function = found->second.function;
        relocation.index = found->second.index;
        if (tokens_.peek().is('+') || tokens_.peek().is('-')) {
            tokens_.accept('+');
            const Token at = tokens_.peek();
            relocation.addend =
                static_cast<std::int64_t>(bits_of(tokens_, at, tokens_.expect_constant("an offset"), Type::s64));
        }
        append(name, 0, bytes);
        variable_.relocations.push_back(relocation);
    }

    /// 0xFF(name): the byte of the address that the mask shows (PTX ISA 5.4.4). A whole address is such bytes in a row,
    /// lowest first.
    void parse_address_byte(const Token& at, const Constant& mask) {
        const auto byte = static_cast<unsigned>(std::countr_zero(mask.bits)) / 8;
        if (variable_.type != Type::b8 && variable_.type != Type::u8)
            tokens_.refuse(at, "a byte of an address needs a variable of .b8 or .u8");
        if (mask.floating || byte > 7 || mask.bits != std::uint64_t{0xff} << (8 * byte))
            tokens_.refuse(at, "the mask of an address selects one whole byte, such as 0xFF00");
        parse_address(1);
        if (byte == 0) return;
        const Relocation next = variable_.relocations.back();
        variable_.relocations.pop_back();
        if (variable_.relocations.empty() || variable_.relocations.back().bytes != byte ||
            variable_.relocations.back().offset + byte != next.offset ||
            variable_.relocations.back().index != next.index)
            tokens_.refuse(at, "the bytes of an address do not follow each other");
        ++variable_.relocations.back().bytes;
    }

    void append(const Token& at, std::uint64_t bits, unsigned bytes) {
        if (variable_.initial.size() + bytes > variable_.bytes)
            tokens_.refuse(at, fmt::format("\"{}\" has more initial values than elements", variable_.name));
        for (unsigned i = 0; i < bytes; ++i)
            variable_.initial.push_back(static_cast<std::byte>(i < 8 ? bits >> (8 * i) : 0));
    }

    TokenStream& tokens_;
    Variable& variable_;
    const Globals& globals_;
};

Declaration parse_declarator(TokenStream& tokens, Space space, const Attributes& attributes, const Globals& globals) {
    const Token name = tokens.expect_name("the variable's name");
    Declaration declaration{.name = name, .variable = {}};
    Variable& variable = declaration.variable;
    variable.name = name.text;
    variable.space = space;
    variable.type = attributes.type;
    variable.line = PtxLine(name.line);
    const std::uint64_t element_bytes = bytes_of(attributes.type) * attributes.elements;
    variable.align = attributes.align != 0 ? attributes.align : element_bytes;
    variable.bytes = element_bytes * parse_extents(tokens, element_bytes);
    if (const Token at = tokens.peek(); tokens.accept('=')) {
        if (space != Space::global && space != Space::constant)
            tokens.refuse(at, "only .global and .const variables have initial values");
        Initializer(tokens, variable, globals).parse();
    }
    return declaration;
}

}  // namespace

Space space_directive(std::string_view word) {
    if (word == ".shared" || word == ".shared::cta") return Space::shared;
    if (word == ".global") return Space::global;
    if (word == ".const") return Space::constant;
    if (word == ".local") return Space::local;
    if (word == ".param") return Space::param;
    return Space::none;
}

Type expect_memory_type(TokenStream& tokens) {
    const Token token = tokens.expect_word("a type such as .b32");
    const std::optional<Type> type = token.text.starts_with('.') ? type_named(token.text.substr(1)) : std::nullopt;
    if (!type)
        tokens.refuse(token,
                      fmt::format("the type {} is not supported{}", quoted(token), because_of_family(token.text)));
    if (*type == Type::pred) tokens.refuse(token, "a predicate lives in a register, not in memory");
    return *type;
}

Declaration parse_variable(TokenStream& tokens, Space space, const Globals& globals) {
    const Attributes attributes = parse_attributes(tokens);
    return parse_declarator(tokens, space, attributes, globals);
}

std::vector<Declaration> parse_variables(TokenStream& tokens, Space space, const Globals& globals) {
    const Attributes attributes = parse_attributes(tokens);
    std::vector<Declaration> variables;
    do {
        variables.push_back(parse_declarator(tokens, space, attributes, globals));
    } while (tokens.accept(','));
    tokens.expect(';', "after the declaration");
    return variables;
}

std::uint64_t bits_of(const TokenStream& tokens, const Token& at, const Constant& constant, Type type) {
    const auto single = [&] {
        return constant.single ? static_cast<std::uint32_t>(constant.bits)
                               : std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(constant.bits)));
    };
    if (constant.floating) {
        if (type == Type::f32 ||
            (constant.single && bytes_of(type) == 4 && type != Type::f16x2 && type != Type::bf16x2))
            return single();
        if (type == Type::f64 && constant.single)
            return std::bit_cast<std::uint64_t>(
                static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(constant.bits))));
        if (type == Type::f64 || (!constant.single && bytes_of(type) == 8)) return constant.bits;
        tokens.refuse(at, fmt::format("{} is not a value of type .{}", quoted(at), name_of(type)));
    }
    if (type == Type::f32 || type == Type::f64)
        tokens.refuse(at, fmt::format("{} is an integer where .{} is expected", quoted(at), name_of(type)),
                      "Write 0f3F800000 or 1.0.");
    if (type == Type::pred) return constant.bits & 1U;
    const unsigned width = 8 * bytes_of(type);
    if (width == 0 || width >= 64) return constant.bits;
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    const std::uint64_t low = constant.bits & ((sign << 1U) - 1U);
    return (low ^ sign) - sign;
}

}  // namespace lanescope::ptx
