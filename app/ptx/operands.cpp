#include "ptx/operands.h"

#include "base/grouped.h"

#include <fmt/format.h>
#include <unordered_map>

namespace lanescope::ptx {
namespace {

/// PTX ISA 9.4: same size, and not a float for an integer or the reverse; .b fits both.
bool agrees(Type reg, Type wanted, bool may_be_wider) {
    if (wanted == Type::none) return true;
    if ((reg == Type::pred) != (wanted == Type::pred)) return false;
    const unsigned have = bytes_of(reg), want = bytes_of(wanted);
    if (may_be_wider ? have < want : have != want) return false;
    const auto is_integer = [](Type type) {
        return (type >= Type::u8 && type <= Type::u64) || (type >= Type::s8 && type <= Type::s64);
    };
    if (may_be_wider) return true;
    return !(is_float(reg) && is_integer(wanted)) && !(is_integer(reg) && is_float(wanted));
}

}  // namespace

std::optional<Special> special_named(std::string_view name) {
    static const auto names = [] {
        std::unordered_map<std::string_view, Special> map;
        for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(Special::count); ++i)
            map.emplace(name_of(static_cast<Special>(i)), static_cast<Special>(i));
        return map;
    }();
    const auto found = names.find(name);
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

void Operands::undeclared(const Token& at, std::string_view name) const {
    Token shown = at;
    shown.text = name;
    if (name.starts_with('%') && name.find('.') != std::string_view::npos)
        tokens_.refuse(at, fmt::format("the special register {} is not supported", quoted(shown)));
    tokens_.refuse(at, fmt::format("{} is not declared", quoted(shown)));
}

void Operands::check(const Token& at, RegisterId reg, Fit fit) const {
    const Register& known = function_.registers[reg.index()];
    if (agrees(known.type, fit.type, fit.may_be_wider)) return;
    tokens_.refuse(at, fmt::format("\"{}\" is a .{} register where .{} is expected", known.name, name_of(known.type),
                                   name_of(fit.type)));
}

RegisterId Operands::expect_register(const Token& at, std::string_view name) const {
    const std::optional<Symbol> symbol = scopes_.find(name);
    if (symbol && symbol->kind == Symbol::Kind::reg) return RegisterId(symbol->index);
    Token shown = at;
    shown.text = name;
    if (symbol || globals_.contains(name) || special_named(name))
        tokens_.refuse(at, fmt::format("{} is not a register", quoted(shown)));
    undeclared(at, name);
}

RegisterId Operands::predicate(const Token& name) const {
    const RegisterId reg = expect_register(name, name.text);
    check(name, reg, {Type::pred});
    return reg;
}

Operand Operands::group(std::span<const Operand> elements) {
    Operand operand;
    operand.kind = Operand::Kind::vector;
    operand.first = static_cast<std::uint32_t>(function_.vector_elements.size());
    operand.elements = static_cast<std::uint32_t>(elements.size());
    function_.vector_elements.insert(function_.vector_elements.end(), elements.begin(), elements.end());
    return operand;
}

Operand Operands::variable(Operand::Kind kind, const Symbol& symbol, std::int64_t offset) const {
    Operand operand;
    operand.kind = kind;
    operand.variable = symbol.index;
    operand.offset = offset;
    operand.owner = symbol.kind == Symbol::Kind::variable    ? Operand::Owner::function
                    : symbol.kind == Symbol::Kind::parameter ? Operand::Owner::parameter
                                                             : Operand::Owner::result;
    return operand;
}

Operand Operands::name(const OperandSyntax& syntax, Fit fit, bool written, bool takes_addresses) {
    const std::optional<Symbol> symbol = scopes_.find(syntax.name);
    Operand operand;
    if (symbol && symbol->kind == Symbol::Kind::reg) {
        if (syntax.has_offset) tokens_.refuse(syntax.at, "an offset belongs to an address in [ ]");
        operand.kind = Operand::Kind::reg;
        operand.reg = RegisterId(symbol->index);
        check(syntax.at, operand.reg, fit);
        if (syntax.negated && fit.type != Type::pred)
            tokens_.refuse(syntax.at, "only a predicate can be negated by \"!\"");
        operand.negated = syntax.negated;
        return operand;
    }
    if (written) {
        expect_register(syntax.at, syntax.name);  // says why it is not one
    }
    if (const std::optional<Special> special = special_named(syntax.name); special && !symbol) {
        if (!takes_addresses) tokens_.refuse(syntax.at, fmt::format("\"{}\" can only be read by mov", syntax.name));
        if (bytes_of(type_of(*special)) != bytes_of(fit.type))
            tokens_.refuse(syntax.at, fmt::format("\"{}\" has {} bits", syntax.name, 8 * bytes_of(type_of(*special))));
        operand.kind = Operand::Kind::special;
        operand.special = *special;
        return operand;
    }
    const auto global = globals_.find(syntax.name);
    if (!symbol && global == globals_.end()) undeclared(syntax.at, syntax.name);
    if (!takes_addresses || syntax.negated)
        tokens_.refuse(syntax.at, fmt::format("\"{}\" is not a register", syntax.name),
                       "Take an address with mov or cvta, or write it in [ ].");
    if (bytes_of(fit.type) < 4 || is_float(fit.type))
        tokens_.refuse(syntax.at, fmt::format("an address is not a value of type .{}", name_of(fit.type)));
    if (symbol) return variable(Operand::Kind::address, *symbol, syntax.offset);
    operand.offset = syntax.offset;
    if (global->second.function) {
        operand.kind = Operand::Kind::function;
        operand.function = global->second.index;
    } else {
        operand.kind = Operand::Kind::address;
        operand.owner = Operand::Owner::module;
        operand.variable = global->second.index;
    }
    return operand;
}

Operand Operands::scalar(const OperandSyntax& syntax, Fit fit, bool written, bool takes_addresses) {
    Operand operand;
    switch (syntax.kind) {
        case OperandSyntax::Kind::name: operand = name(syntax, fit, written, takes_addresses); break;
        case OperandSyntax::Kind::sink:
            if (!written || syntax.negated || syntax.has_offset)
                tokens_.refuse(syntax.at, "\"_\" is only allowed as an unused result");
            operand.kind = Operand::Kind::sink;
            break;
        case OperandSyntax::Kind::constant:
            if (written) tokens_.refuse(syntax.at, "a constant cannot be a destination");
            operand.kind = Operand::Kind::immediate;
            operand.immediate = bits_of(tokens_, syntax.at, syntax.constant, fit.type);
            break;
        case OperandSyntax::Kind::vector: tokens_.refuse(syntax.at, "unexpected vector in braces");
        case OperandSyntax::Kind::memory: tokens_.refuse(syntax.at, "unexpected address in brackets");
    }
    operand.type = fit.type;
    return operand;
}

Operand Operands::vector(const OperandSyntax& syntax, Fit fit, bool written, std::size_t expected) {
    if (syntax.elements.size() != expected)
        tokens_.refuse(syntax.at,
                       fmt::format("{} where {} are expected", counted(syntax.elements.size(), "element"), expected));
    std::vector<Operand> elements;
    for (const OperandSyntax& element : syntax.elements) {
        if (element.has_pair()) tokens_.refuse(element.paired, "unexpected \"|\" in a vector");
        elements.push_back(scalar(element, fit, written, false));
    }
    Operand operand = group(elements);
    operand.type = fit.type;
    return operand;
}

Operand Operands::memory(const OperandSyntax& syntax) {
    if (syntax.kind != OperandSyntax::Kind::memory) tokens_.refuse(syntax.at, "expected an address in brackets");
    if (!syntax.elements.empty()) tokens_.refuse(syntax.at, "coordinates belong to a texture or a surface");
    Operand operand;
    operand.kind = Operand::Kind::memory;
    operand.offset = syntax.offset;
    if (syntax.name.empty()) return operand;
    const std::optional<Symbol> symbol = scopes_.find(syntax.name);
    if (symbol && symbol->kind == Symbol::Kind::reg) {
        operand.reg = RegisterId(symbol->index);
        const Type type = function_.registers[symbol->index].type;
        if (bytes_of(type) != 8 && bytes_of(type) != 4)
            tokens_.refuse(syntax.at, fmt::format("\"{}\" is a .{} register, which cannot hold an address", syntax.name,
                                                  name_of(type)));
        return operand;
    }
    if (symbol) return variable(Operand::Kind::memory, *symbol, syntax.offset);
    const auto global = globals_.find(syntax.name);
    if (global == globals_.end()) undeclared(syntax.at, syntax.name);
    if (global->second.function)
        tokens_.refuse(syntax.at, fmt::format("\"{}\" is a function, not memory", syntax.name));
    operand.owner = Operand::Owner::module;
    operand.variable = global->second.index;
    return operand;
}

/// The fourth coordinate of a 3-D texture has no meaning (PTX ISA 9.7.10.3).
Operand Operands::texel(const OperandSyntax& syntax, Type coordinate, unsigned dimensions) {
    if (syntax.kind != OperandSyntax::Kind::memory || syntax.elements.empty())
        tokens_.refuse(syntax.at, "expected a handle and coordinates in brackets");
    OperandSyntax coordinates = syntax;
    coordinates.kind = OperandSyntax::Kind::vector;
    Operand operand = vector(coordinates, {coordinate}, false, dimensions == 3 ? 4 : dimensions);
    operand.kind = Operand::Kind::memory;
    operand.reg = expect_register(syntax.at, syntax.name);
    check(syntax.at, operand.reg, {Type::b64});
    return operand;
}

Operand Operands::resolve(const Shape& shape, const OperandSyntax& syntax, const Instruction& instruction) {
    const Modifiers& modifiers = instruction.modifiers;
    const bool written = shape.written();
    const bool mov = instruction.opcode == Opcode::mov;
    // PTX ISA 9.4.1: ld, st and cvt take registers wider than their types.
    const Fit fit{shape.type(modifiers), shape.kind == Shape::Kind::loaded || shape.kind == Shape::Kind::stored ||
                                             instruction.opcode == Opcode::cvt};
    if (syntax.has_pair() && shape.kind != Shape::Kind::destination_pair && shape.kind != Shape::Kind::predicates)
        tokens_.refuse(syntax.paired, "unexpected \"|\" and second result");

    switch (shape.kind) {
        case Shape::Kind::memory: return memory(syntax);
        case Shape::Kind::texel: return texel(syntax, fit.type, modifiers.dimensions);
        case Shape::Kind::constant:
            if (syntax.kind != OperandSyntax::Kind::constant) tokens_.refuse(syntax.at, "expected a constant");
            return scalar(syntax, {Type::u32}, false, false);
        case Shape::Kind::loaded:
        case Shape::Kind::stored:
            if (modifiers.vector > 1) {
                if (syntax.kind != OperandSyntax::Kind::vector)
                    tokens_.refuse(syntax.at, "expected a vector in braces");
                return vector(syntax, fit, written, modifiers.vector);
            }
            // A surface's single value is in braces, too (PTX ISA 9.7.11.1).
            if (modifiers.dimensions > 0 && syntax.kind == OperandSyntax::Kind::vector)
                return vector(syntax, fit, written, 1);
            return scalar(syntax, fit, written, false);
        case Shape::Kind::destination_pair:
        case Shape::Kind::predicates: {
            Operand operand = scalar(syntax, fit, true, false);
            if (syntax.has_pair() && syntax.paired.text != "_") operand.paired = predicate(syntax.paired);
            return operand;
        }
        case Shape::Kind::destination:
        case Shape::Kind::source:
            if (mov && syntax.kind == OperandSyntax::Kind::vector) {
                // PTX ISA 9.7.9.4: mov packs and unpacks, {low, ..., high}.
                const std::size_t parts = syntax.elements.size();
                const unsigned bytes = bytes_of(modifiers.type);
                const bool bits = modifiers.type >= Type::b16 && modifiers.type <= Type::b128;
                if (!bits || (parts != 2 && parts != 4) || bytes < parts)
                    tokens_.refuse(syntax.at,
                                   fmt::format("mov.{} does not take {} parts", name_of(modifiers.type), parts));
                const unsigned part = bytes / static_cast<unsigned>(parts);
                const Type type = part == 1 ? Type::b8 : part == 2 ? Type::b16 : part == 4 ? Type::b32 : Type::b64;
                return vector(syntax, {type, part == 1}, written, parts);
            }
            return scalar(syntax, fit, written, mov || instruction.opcode == Opcode::cvta);
        case Shape::Kind::label:
        case Shape::Kind::labels:
        case Shape::Kind::call: break;
    }
    return {};
}

Operand Operands::call_argument(const Token& token) const {
    const std::optional<Symbol> symbol = scopes_.find(token.text);
    if (!symbol) undeclared(token, token.text);
    if (symbol->kind == Symbol::Kind::reg ||
        (symbol->kind == Symbol::Kind::variable && function_.variables[symbol->index].space != Space::param))
        tokens_.refuse(token, fmt::format("{} is passed to a function but is not a .param variable", quoted(token)),
                       "Values are passed in .param variables (PTX ISA 7.1).");
    return variable(Operand::Kind::address, *symbol, 0);
}

Operand Operands::call_target(const Token& token) const {
    Operand operand;
    if (const auto global = globals_.find(token.text); global != globals_.end() && global->second.function) {
        operand.kind = Operand::Kind::function;
        operand.function = global->second.index;
        if (module_.functions[operand.function].entry)
            tokens_.refuse(token, fmt::format("{} is a kernel and cannot be called", quoted(token)));
        return operand;
    }
    operand.kind = Operand::Kind::reg;
    operand.reg = expect_register(token, token.text);
    check(token, operand.reg, {Type::b64});
    return operand;
}

}  // namespace lanescope::ptx
