// Declarations of memory: "[.align 4] .b8 name[4096] = {...}" -> Variable (PTX ISA 5.4).
#pragma once

#include "ptx/module.h"
#include "ptx/token_stream.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanescope::ptx {

/// The meaning of a name at module scope.
struct Global {
    bool function = false;
    std::uint32_t index = 0;  ///< in Module::functions or Module::variables
};
using Globals = std::unordered_map<std::string_view, Global>;

struct Declaration {
    Token name;
    Variable variable;
};
/// One variable: the text after its state space, initial value included, up to ',', ')' or ';'.
[[nodiscard]] Declaration parse_variable(TokenStream& tokens, Space space, const Globals& globals);
/// One or more variables, separated by ',', up to and including ';'.
[[nodiscard]] std::vector<Declaration> parse_variables(TokenStream& tokens, Space space, const Globals& globals);

/// The state space that a directive begins, ".shared"; none for other directives.
[[nodiscard]] Space space_directive(std::string_view word);

/// The bits of a constant as an operand or a memory cell of that type: integers modulo its width, sign-extended to 64
/// bits; floats rounded to it. Refuses at `at` a constant that is not a value of the type.
[[nodiscard]] std::uint64_t bits_of(const TokenStream& tokens, const Token& at, const Constant& constant, Type type);

/// A type directive, ".b32", other than .pred; refuses the rest by name.
[[nodiscard]] Type expect_memory_type(TokenStream& tokens);

}  // namespace lanescope::ptx
