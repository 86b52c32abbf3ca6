// A function's body: declarations, labels, places, instructions (PTX ISA 4.3). Control flow and layout come afterwards.
#pragma once

#include "ptx/declarations.h"
#include "ptx/operands.h"
#include "ptx/places.h"
#include "ptx/scopes.h"
#include "ptx/token_stream.h"

#include <unordered_map>
#include <vector>

namespace lanescope::ptx {

/// State shared by the functions of a module: how much of its limits they have used, and where the last one ended.
struct Usage {
    std::size_t registers = 0, instructions = 0, labels = 0, variables = 0, branch_edges = 0;
    std::uint32_t last_instruction_line = 0;
};

class FunctionParser {
  public:
    FunctionParser(TokenStream& tokens, Module& module, const Globals& globals, Places& places, Usage& usage,
                   std::uint32_t function);

    /// Parses the text after the '{' through its '}'.
    void parse();
    /// Offsets in the text where an instruction or label shares its line with an earlier instruction.
    [[nodiscard]] const std::vector<std::size_t>& shared_lines() const { return shared_lines_; }

  private:
    void statement();
    void directive();
    void registers();
    void variables(Space space);
    void label(const Token& name);
    void branch_targets(const Token& label);
    void instruction(const Token& first);
    std::optional<Guard> guard();
    void operands(Instruction& instruction, const Token& mnemonic, std::span<const Form* const> forms);
    void call_operands(Instruction& instruction);
    void check_call(const Token& at, const Instruction& instruction) const;
    std::vector<Operand> parenthesised_arguments();
    void use_carry(const Instruction& instruction);
    void resolve_labels();
    Operand resolve_label(const Token& name, Scopes::Id scope);
    void spend(std::size_t& used, std::size_t more, std::size_t most, const Token& at, std::string_view what) const;
    [[nodiscard]] std::size_t offset_of(const Token& token) const;

    struct PendingBranch {
        std::uint32_t instruction = 0;
        Token name;
        Scopes::Id scope = 0;
    };
    struct TargetTable {
        std::vector<Token> names;
        Scopes::Id scope = 0;
        std::uint32_t label = 0;  ///< the table's own, in Function::labels
        std::optional<Operand> resolved;
    };

    TokenStream& tokens_;
    Module& module_;
    const Globals& globals_;
    Places& places_;
    Usage& usage_;
    Function& function_;
    Scopes scopes_;
    Operands operands_;
    std::vector<PendingBranch> branches_;
    std::unordered_map<std::string_view, TargetTable> target_tables_;
    std::vector<std::size_t> shared_lines_;
    std::uint32_t place_ = SourcePlace::none;
};

}  // namespace lanescope::ptx
