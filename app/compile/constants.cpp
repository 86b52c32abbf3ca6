#include "compile/constants.h"

#include "base/number_type.h"

#include <cstddef>

namespace lanescope::compile {

namespace {

void add_enumerators(const std::vector<Token>& code, const Declaration& declaration, Constants& constants) {
    if (!declaration.has_body() || !code[declaration.first].is("enum")) return;
    std::optional<Number> next = Number{};
    for (const TokenRange& part :
         split_commas(code, {declaration.body_first + 1, declaration.body_past_last - 1}, false)) {
        if (part.empty()) continue;
        if (part.past_last - part.first > 2 && code[part.first + 1].is("="))
            next = evaluate_constant(code, {part.first + 2, part.past_last}, constants);
        if (!next || next->floating || next->whole == INT64_MAX) return;
        constants.numbers.insert_or_assign(std::string(code[part.first].text), *next);
        ++next->whole;
    }
}

/// `int ceil_div(int a, int b) { return (a + b - 1) / b; }`
void add_function(const std::vector<Token>& code, const Declaration& declaration, Constants& constants) {
    const bool function = declaration.kind == Declaration::Kind::host || declaration.kind == Declaration::Kind::device;
    const std::size_t end = declaration.body_past_last;
    if (!function || end < declaration.body_first + 5) return;  // { return x ; }
    if (!code[declaration.body_first + 1].is("return") || !code[end - 2].is(";")) return;
    const KernelDeclaration signature = kernel_of(code, declaration);
    if (declaration.member || signature.name.empty()) return;  // operators have no name here
    ConstantFunction result;
    for (const Parameter& parameter : signature.parameters) result.parameters.push_back(parameter.name);
    result.body.assign(code.begin() + std::ptrdiff_t(declaration.body_first + 2),
                       code.begin() + std::ptrdiff_t(end - 2));
    constants.functions.insert_or_assign(signature.name.substr(declaration.scope.size()), std::move(result));
}

}  // namespace

void add_locals(const std::vector<Token>& code, TokenRange range, Constants& constants) {
    for (std::size_t i = range.first + 1; i + 1 < range.past_last; ++i) {
        if (!code[i].is("=") || code[i - 1].kind != TokenKind::identifier) continue;
        const bool member = i >= range.first + 2 && (code[i - 2].is(".") || code[i - 2].is("->"));
        std::size_t end = i + 1;
        while (end < range.past_last && !code[end].is(";") && !code[end].is(",") && !code[end].is(")") &&
               !code[end].is("=")) {
            const bool bracket = code[end].is("(") || code[end].is("[") || code[end].is("{");
            end = bracket ? past_bracket(code, end, range.past_last) : end + 1;
        }
        if (member) continue;
        if (const std::optional<Number> value = evaluate_constant(code, {i + 1, end}, constants)) {
            // An int keeps no fraction; what else the type may do to the value a hint need not know.
            const bool floats = i >= range.first + 2 && is_floating_point(code[i - 2].text);
            const std::optional<Number> kept = floats ? value : truncated(*value);
            if (kept) constants.numbers.insert_or_assign(std::string(code[i - 1].text), *kept);
        }
    }
}

Constants constants_of(const std::vector<Token>& code, const std::vector<Declaration>& declarations,
                       const Macros& macros) {
    Constants constants;
    for (const auto& [name, macro] : macros) {
        if (macro.function) constants.functions.emplace(name, ConstantFunction{macro.parameters, macro.body});
    }
    for (const Declaration& declaration : declarations) add_function(code, declaration, constants);
    // A macro may use macros defined after it: once more for each level, as far as people go.
    for (int level = 0; level < 4; ++level) {
        for (const auto& [name, macro] : macros) {
            if (macro.function || macro.body.empty() || constants.numbers.contains(name)) continue;
            if (const std::optional<Number> value = evaluate_constant(macro.body, {0, macro.body.size()}, constants))
                constants.numbers.insert_or_assign(name, *value);
        }
    }
    for (const Declaration& declaration : declarations) {
        if (declaration.kind == Declaration::Kind::type) add_enumerators(code, declaration, constants);
        if (declaration.kind == Declaration::Kind::other)
            add_locals(code, {declaration.first, declaration.past_last}, constants);
    }
    return constants;
}

}  // namespace lanescope::compile
