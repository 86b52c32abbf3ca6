// The syntax of an operand, before its instruction and its names are known (PTX ISA 6.4).
#pragma once

#include "ptx/token_stream.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanescope::ptx {

struct OperandSyntax {
    enum class Kind : std::uint8_t {
        name,  ///< name, name+4, %a|%b, !%p
        constant,
        vector,  ///< {a, b}
        memory,  ///< [name+4], [4], [name, {a, b}] with `elements`
        sink,    ///< _, _|%p
    };
    Kind kind = Kind::name;
    Token at;
    bool negated = false;
    std::string_view name;  ///< of a name or memory; empty: none
    Token paired;           ///< the %b of %a|%b, or the end
    Constant constant;
    std::int64_t offset = 0;
    bool has_offset = false;
    std::vector<OperandSyntax> elements;

    [[nodiscard]] bool has_pair() const { return paired.kind == Token::Kind::word; }
};

[[nodiscard]] OperandSyntax parse_operand(TokenStream& tokens);
/// The text up to and including the ';': operands separated by ','.
[[nodiscard]] std::vector<OperandSyntax> parse_operands(TokenStream& tokens);

}  // namespace lanescope::ptx
