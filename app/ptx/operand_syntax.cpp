#include "ptx/operand_syntax.h"

#include "base/grouped.h"
#include "ptx/declarations.h"

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

constexpr std::size_t most_operands = 8, most_elements = 16;

std::int64_t parse_offset(TokenStream& tokens) {
    tokens.accept('+');
    const Token at = tokens.peek();
    return static_cast<std::int64_t>(bits_of(tokens, at, tokens.expect_constant("an offset"), Type::s64));
}

bool at_offset(const TokenStream& tokens) { return tokens.peek().is('+') || tokens.peek().is('-'); }

OperandSyntax parse_scalar(TokenStream& tokens) {
    OperandSyntax operand;
    operand.at = tokens.peek();
    if (tokens.at_constant()) {
        operand.kind = OperandSyntax::Kind::constant;
        operand.constant = tokens.expect_constant("a constant");
        return operand;
    }
    operand.negated = tokens.accept('!');
    const Token name = tokens.expect_name("an operand");
    if (name.text == "WARP_SZ") {  // PTX ISA 4.5.6
        operand.kind = OperandSyntax::Kind::constant;
        operand.constant.bits = warp_size;
        return operand;
    }
    operand.kind = name.text == "_" ? OperandSyntax::Kind::sink : OperandSyntax::Kind::name;
    operand.name = name.text;
    if (tokens.accept('|')) {
        operand.paired = tokens.expect_name("a predicate after \"|\"");
    } else if (at_offset(tokens)) {
        operand.has_offset = true;
        operand.offset = parse_offset(tokens);
    }
    return operand;
}

}  // namespace

OperandSyntax parse_operand(TokenStream& tokens) {
    const Token at = tokens.peek();
    if (tokens.accept('{')) {
        OperandSyntax vector;
        vector.kind = OperandSyntax::Kind::vector;
        vector.at = at;
        do {
            if (vector.elements.size() == most_elements)
                tokens.refuse(at, fmt::format("a vector of more than {}", counted(most_elements, "element")));
            vector.elements.push_back(parse_scalar(tokens));
        } while (tokens.accept(','));
        tokens.expect('}', "after the vector's elements");
        return vector;
    }
    if (tokens.accept('[')) {
        OperandSyntax memory;
        memory.kind = OperandSyntax::Kind::memory;
        memory.at = at;
        if (tokens.at_constant()) {
            memory.offset = parse_offset(tokens);
        } else {
            memory.name = tokens.expect_name("an address").text;
            if (at_offset(tokens)) {
                memory.offset = parse_offset(tokens);
            } else if (tokens.accept(',')) {
                if (!tokens.peek().is('{'))
                    tokens.refuse(tokens.peek(), "expected the coordinates of a texel in braces");
                memory.elements = parse_operand(tokens).elements;
            }
        }
        tokens.expect(']', "after the address");
        return memory;
    }
    return parse_scalar(tokens);
}

std::vector<OperandSyntax> parse_operands(TokenStream& tokens) {
    std::vector<OperandSyntax> operands;
    if (tokens.accept(';')) return operands;
    do {
        if (operands.size() == most_operands)
            tokens.refuse(tokens.peek(), fmt::format("an instruction of more than {} operands", most_operands));
        operands.push_back(parse_operand(tokens));
    } while (tokens.accept(','));
    tokens.expect(';', "after the operands");
    return operands;
}

}  // namespace lanescope::ptx
