#include "ptx/function_parser.h"

#include "base/grouped.h"
#include "ptx/limits.h"

#include <fmt/format.h>
#include <algorithm>

namespace lanescope::ptx {

FunctionParser::FunctionParser(TokenStream& tokens, Module& module, const Globals& globals, Places& places,
                               Usage& usage, std::uint32_t function)
    : tokens_(tokens),
      module_(module),
      globals_(globals),
      places_(places),
      usage_(usage),
      function_(module.functions[function]),
      operands_(tokens, module, globals, function_, scopes_) {
    for (std::uint32_t i = 0; i < function_.parameters.size(); ++i)
        scopes_.declare(function_.parameters[i].name, {Symbol::Kind::parameter, i});
    for (std::uint32_t i = 0; i < function_.results.size(); ++i)
        scopes_.declare(function_.results[i].name, {Symbol::Kind::result, i});
}

void FunctionParser::spend(std::size_t& used, std::size_t more, std::size_t most, const Token& at,
                           std::string_view what) const {
    if (more > most - used) tokens_.refuse(at, fmt::format("the module has more than {} {}", grouped(most), what));
    used += more;
}

std::size_t FunctionParser::offset_of(const Token& token) const {
    return static_cast<std::size_t>(token.text.data() - module_.text.data());
}

void FunctionParser::parse() {
    scopes_.open();  // the body's names may hide the parameters'
    for (;;) {
        const Token token = tokens_.peek();
        if (token.is('}')) {
            tokens_.take();
            scopes_.close();
            if (scopes_.depth() == 0) break;
        } else if (token.is('{')) {
            if (scopes_.depth() == limits::scopes_deep || scopes_.count() == limits::scopes)
                tokens_.refuse(token, "{ } are nested too deeply");
            tokens_.take();
            scopes_.open();
        } else if (token.kind == Token::Kind::end) {
            tokens_.refuse(token, fmt::format("the text ends inside \"{}\"", function_.name), "Is the file complete?");
        } else if (!tokens_.accept(';')) {
            statement();
        }
    }
    resolve_labels();
}

void FunctionParser::statement() {
    const Token first = tokens_.peek();
    if (first.is('@')) {
        instruction(first);
        return;
    }
    if (first.kind != Token::Kind::word) tokens_.unexpected("an instruction");
    if (first.text.starts_with('.')) {
        directive();
        return;
    }
    tokens_.take();
    if (tokens_.peek().is(':')) {
        tokens_.take();
        label(first);
    } else {
        instruction(first);
    }
}

void FunctionParser::directive() {
    const Token word = tokens_.take();
    if (word.text == ".loc") {
        place_ = places_.parse(tokens_);
    } else if (word.text == ".reg") {
        registers();
    } else if (const Space space = space_directive(word.text); space != Space::none) {
        variables(space);
    } else if (word.text == ".pragma") {
        tokens_.skip_statement();
    } else {
        tokens_.refuse(word, fmt::format("the directive {} is not supported inside a function", quoted(word)));
    }
}

void FunctionParser::registers() {
    const Token type_token = tokens_.expect_word("a register type");
    const std::optional<Type> type =
        type_token.text.starts_with('.') ? type_named(type_token.text.substr(1)) : std::nullopt;
    if (!type) tokens_.refuse(type_token, fmt::format("registers of type {} are not supported", quoted(type_token)));
    do {
        const Token name = tokens_.expect_name("a register's name");
        const auto first = static_cast<std::uint32_t>(function_.registers.size());
        bool fresh = false;
        if (tokens_.accept('<')) {
            const Token at = tokens_.peek();
            const auto count =
                static_cast<std::uint32_t>(tokens_.expect_count("a number of registers", limits::registers));
            tokens_.expect('>', "after the number of registers");
            spend(usage_.registers, count, limits::registers, at, "registers");
            for (std::uint32_t i = 0; i < count; ++i)
                function_.registers.push_back({fmt::format("{}{}", name.text, i), *type});
            fresh = scopes_.declare_family(name.text, first, count);
        } else {
            spend(usage_.registers, 1, limits::registers, name, "registers");
            function_.registers.push_back({std::string(name.text), *type});
            fresh = scopes_.declare(name.text, {Symbol::Kind::reg, first});
        }
        if (!fresh) tokens_.refuse(name, fmt::format("{} is declared twice", quoted(name)));
    } while (tokens_.accept(','));
    tokens_.expect(';', "after the registers");
}

void FunctionParser::variables(Space space) {
    const Token at = tokens_.peek();
    if (space == Space::global || space == Space::constant)
        tokens_.refuse(at, fmt::format(".{} variables are declared outside of functions", name_of(space)));
    for (Declaration& declaration : parse_variables(tokens_, space, globals_)) {
        const Token& name = declaration.name;
        if (declaration.variable.dynamic()) tokens_.refuse(name, fmt::format("{} has no size", quoted(name)));
        spend(usage_.variables, 1, limits::variables, name, "variables");
        const auto index = static_cast<std::uint32_t>(function_.variables.size());
        if (!scopes_.declare(name.text, {Symbol::Kind::variable, index}))
            tokens_.refuse(name, fmt::format("{} is declared twice", quoted(name)));
        function_.variables.push_back(std::move(declaration.variable));
    }
}

void FunctionParser::label(const Token& name) {
    if (tokens_.peek().is(".branchtargets")) {
        branch_targets(name);
        return;
    }
    if (tokens_.peek().is(".callprototype") || tokens_.peek().is(".calltargets")) {
        tokens_.skip_statement();  // the functions an indirect call may reach: the call itself has its arguments
        return;
    }
    if (name.line == usage_.last_instruction_line) shared_lines_.push_back(offset_of(name));
    spend(usage_.labels, 1, limits::labels, name, "labels");
    if (!scopes_.declare_label(name.text, static_cast<std::uint32_t>(function_.labels.size())))
        tokens_.refuse(name, fmt::format("the label {} is defined twice", quoted(name)));
    function_.labels.push_back({.name = std::string(name.text),
                                .instruction = static_cast<std::uint32_t>(function_.instructions.size()),
                                .line = PtxLine(name.line)});
}

void FunctionParser::branch_targets(const Token& label) {
    tokens_.take();
    spend(usage_.labels, 1, limits::labels, label, "labels");
    TargetTable table{.names = {},
                      .scope = scopes_.current(),
                      .label = static_cast<std::uint32_t>(function_.labels.size()),
                      .resolved = {}};
    function_.labels.push_back({.name = std::string(label.text),
                                .instruction = static_cast<std::uint32_t>(function_.instructions.size()),
                                .line = PtxLine(label.line)});
    do {
        table.names.push_back(tokens_.expect_name("a label"));
    } while (tokens_.accept(','));
    tokens_.expect(';', "after the branch targets");
    if (!target_tables_.try_emplace(label.text, std::move(table)).second)
        tokens_.refuse(label, fmt::format("the branch targets {} are defined twice", quoted(label)));
}

std::optional<Guard> FunctionParser::guard() {
    if (!tokens_.accept('@')) return std::nullopt;
    const bool negated = tokens_.accept('!');
    return Guard{operands_.predicate(tokens_.expect_name("a predicate")), negated};
}

void FunctionParser::instruction(const Token& first) {
    Instruction instruction;
    instruction.line = PtxLine(first.line);
    instruction.column = first.column;
    instruction.place = place_;
    instruction.guard = guard();
    const Token mnemonic = first.is('@') ? tokens_.expect_name("an instruction") : first;

    const std::expected<Decoded, Undecoded> decoded = decode(mnemonic.text);
    if (!decoded) tokens_.refuse(mnemonic, decoded.error().what, decoded.error().remedy);
    spend(usage_.instructions, 1, limits::instructions, mnemonic, "instructions");
    instruction.opcode = decoded->opcode;
    instruction.modifiers = decoded->modifiers;
    operands(instruction, mnemonic, decoded->forms);
    use_carry(instruction);

    if (first.line == usage_.last_instruction_line) shared_lines_.push_back(offset_of(first));
    usage_.last_instruction_line = first.line;
    function_.instructions.push_back(instruction);
}

void FunctionParser::operands(Instruction& instruction, const Token& mnemonic, std::span<const Form* const> forms) {
    if (instruction.opcode == Opcode::call) {
        call_operands(instruction);
        check_call(mnemonic, instruction);
        return;
    }
    const std::vector<OperandSyntax> written = parse_operands(tokens_);
    const auto takes = [&](const Form* form) {
        return form->fewest() <= written.size() && written.size() <= form->most();
    };
    const auto found = std::ranges::find_if(forms, takes);
    if (found == forms.end()) {
        const Form& form = *forms.front();
        tokens_.refuse(mnemonic, fmt::format("{} takes {}{}, not {}", quoted(mnemonic),
                                             form.fewest() == form.most() ? "" : fmt::format("{} to ", form.fewest()),
                                             counted(form.most(), "operand"), written.size()));
    }
    for (std::size_t i = 0; i < written.size(); ++i) {
        const Shape& shape = (*found)->shapes[i];
        Operand& operand = instruction.operands[i];
        if (shape.kind == Shape::Kind::label || shape.kind == Shape::Kind::labels) {
            if (written[i].kind != OperandSyntax::Kind::name || written[i].negated || written[i].has_offset ||
                written[i].has_pair())
                tokens_.refuse(written[i].at, "expected a label");
            branches_.push_back(
                {static_cast<std::uint32_t>(function_.instructions.size()), written[i].at, scopes_.current()});
            operand.kind = shape.kind == Shape::Kind::label ? Operand::Kind::label : Operand::Kind::vector;
        } else {
            operand = operands_.resolve(shape, written[i], instruction);
        }
        if (shape.written()) ++instruction.destination_count;
    }
    instruction.operand_count = static_cast<std::uint8_t>(written.size());
}

std::vector<Operand> FunctionParser::parenthesised_arguments() {
    tokens_.expect('(', "before the arguments");
    std::vector<Operand> arguments;
    if (tokens_.accept(')')) return arguments;
    do {
        const Token name = tokens_.expect_name("a .param variable");
        if (arguments.size() == limits::call_arguments)
            tokens_.refuse(name, fmt::format("a call of more than {}", counted(limits::call_arguments, "argument")));
        arguments.push_back(operands_.call_argument(name));
    } while (tokens_.accept(','));
    tokens_.expect(')', "after the arguments");
    return arguments;
}

/// call{.uni} {(results),} function {, (arguments)} {, prototype};   PTX ISA 9.7.12.5
void FunctionParser::call_operands(Instruction& instruction) {
    std::vector<Operand> results, arguments;
    if (tokens_.peek().is('(')) {
        results = parenthesised_arguments();
        tokens_.expect(',', "after the results");
    }
    instruction.operands[1] = operands_.call_target(tokens_.expect_name("a function"));
    if (tokens_.accept(',')) {
        if (tokens_.peek().is('(')) arguments = parenthesised_arguments();
        if (tokens_.accept(',') || (arguments.empty() && !tokens_.peek().is(';'))) tokens_.expect_name("a prototype");
    }
    tokens_.expect(';', "after the call");
    instruction.operands[0] = operands_.group(results);
    instruction.operands[2] = operands_.group(arguments);
    instruction.operand_count = 3;
    instruction.destination_count = 1;
}

void FunctionParser::check_call(const Token& at, const Instruction& instruction) const {
    const Operand& target = instruction.operands[1];
    if (target.kind != Operand::Kind::function) return;
    const Function& callee = module_.functions[target.function];
    const auto check = [&](const Operand& passed, const std::vector<Variable>& declared, std::string_view what) {
        if (passed.elements != declared.size())
            tokens_.refuse(at, fmt::format("\"{}\" has {}, the call {}", callee.name, counted(declared.size(), what),
                                           passed.elements));
        for (std::uint32_t i = 0; i < passed.elements; ++i) {
            const Variable* variable = variable_of(module_, function_, function_.vector_elements[passed.first + i]);
            if (variable->bytes != declared[i].bytes)
                tokens_.refuse(at, fmt::format("{} {} of \"{}\" has {}, \"{}\" has {}", what, i + 1, callee.name,
                                               counted(declared[i].bytes, "byte"), variable->name, variable->bytes));
        }
    };
    check(instruction.operands[0], callee.results, "result");
    check(instruction.operands[2], callee.parameters, "argument");
}

void FunctionParser::use_carry(const Instruction& instruction) {
    if (function_.carry.valid() || !(instruction.modifiers.carry_in || instruction.modifiers.carry_out)) return;
    function_.carry = RegisterId(static_cast<std::uint32_t>(function_.registers.size()));
    function_.registers.push_back({"%cc", Type::pred});
}

Operand FunctionParser::resolve_label(const Token& name, Scopes::Id scope) {
    const std::optional<std::uint32_t> label = scopes_.find_label(scope, name.text);
    if (!label) tokens_.refuse(name, fmt::format("the label {} is not defined", quoted(name)));
    Operand operand;
    operand.kind = Operand::Kind::label;
    operand.first = *label;
    operand.target = function_.labels[*label].instruction;
    return operand;
}

void FunctionParser::resolve_labels() {
    for (const PendingBranch& branch : branches_) {
        Instruction& instruction = function_.instructions[branch.instruction];
        if (instruction.opcode == Opcode::bra) {
            instruction.operands[0] = resolve_label(branch.name, branch.scope);
            instruction.target = instruction.operands[0].target;
            continue;
        }
        const auto table = target_tables_.find(branch.name.text);
        if (table == target_tables_.end())
            tokens_.refuse(branch.name, fmt::format("the branch targets {} are not defined", quoted(branch.name)));
        spend(usage_.branch_edges, table->second.names.size(), limits::branch_edges, branch.name, "branch targets");
        if (!table->second.resolved) {
            std::vector<Operand> labels;
            for (const Token& name : table->second.names) labels.push_back(resolve_label(name, table->second.scope));
            table->second.resolved = operands_.group(labels);
            table->second.resolved->target = table->second.label;
        }
        instruction.operands[1] = *table->second.resolved;
    }
}

}  // namespace lanescope::ptx
