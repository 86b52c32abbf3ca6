// Operands as written -> operands decoded: names looked up, types checked against the instruction's (PTX ISA 6.4, 9.4).
#pragma once

#include "ptx/declarations.h"
#include "ptx/forms.h"
#include "ptx/operand_syntax.h"
#include "ptx/scopes.h"

namespace lanescope::ptx {

class Operands {
  public:
    Operands(const TokenStream& tokens, const Module& module, const Globals& globals, Function& function,
             const Scopes& scopes)
        : tokens_(tokens), module_(module), globals_(globals), function_(function), scopes_(scopes) {}

    /// Any operand other than labels and a call's operands, whose names are resolved later.
    Operand resolve(const Shape& shape, const OperandSyntax& syntax, const Instruction& instruction);

    RegisterId predicate(const Token& name) const;
    /// A .param variable named in a call, or an address register, or a function.
    Operand call_argument(const Token& name) const;
    Operand call_target(const Token& name) const;
    /// Appends a group of operands to Function::vector_elements.
    Operand group(std::span<const Operand> elements);

  private:
    struct Fit {
        Type type = Type::none;
        bool may_be_wider = false;  ///< of ld, st, cvt: PTX ISA 9.4.1
    };
    Operand scalar(const OperandSyntax& syntax, Fit fit, bool written, bool takes_addresses);
    Operand vector(const OperandSyntax& syntax, Fit fit, bool written, std::size_t expected);
    Operand memory(const OperandSyntax& syntax);
    Operand texel(const OperandSyntax& syntax, Type coordinate, unsigned dimensions);
    Operand name(const OperandSyntax& syntax, Fit fit, bool written, bool takes_addresses);
    Operand variable(Operand::Kind kind, const Symbol& symbol, std::int64_t offset) const;
    RegisterId expect_register(const Token& at, std::string_view name) const;
    void check(const Token& at, RegisterId reg, Fit fit) const;
    [[noreturn]] void undeclared(const Token& at, std::string_view name) const;

    const TokenStream& tokens_;
    const Module& module_;
    const Globals& globals_;
    Function& function_;
    const Scopes& scopes_;
};

/// The special register of that name, "%tid.x".
[[nodiscard]] std::optional<Special> special_named(std::string_view name);

}  // namespace lanescope::ptx
