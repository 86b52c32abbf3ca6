// A kernel over ints as the same kernel over floats, and the other way round: by the names that its `elements` line lists.

#include "session/catalog_parts.h"
#include "session/gpu_plan.h"

#include "compile/lexer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace lanescope::session {

namespace {

using compile::Token;

constexpr std::array<std::string_view, 2> types{"int", "float"};  // both of four bytes, so that no size changes

bool is_type(const Token& token) { return std::ranges::find(types, token.text) != types.end(); }

bool stands_between(const Token& token) {
    constexpr std::array<std::string_view, 5> between{"*", "const", "volatile", "__restrict__", "&"};
    return std::ranges::find(between, token.text) != between.end();
}

/// The type that a name is declared with, where `code[at]` is the name in its declaration.
const Token* type_before(const std::vector<Token>& code, std::size_t at) {
    while (at > 0 && stands_between(code[at - 1])) --at;
    if (at == 0 || !is_type(code[at - 1])) return nullptr;
    if (at > 1 && code[at - 2].is("unsigned")) return nullptr;
    return &code[at - 1];
}

}  // namespace

std::vector<std::string> elements_of(const Program& program) {
    std::vector<std::string> names;
    for (const compile::Directive& directive : program.scan.directives) {
        if (directive.key != "elements") continue;
        for (const Token& token : compile::code_of(compile::tokenize(directive.value), compile::Branch::first))
            if (token.kind == compile::TokenKind::identifier) names.emplace_back(token.text);
    }
    return names;
}

std::string why_no_other_type(const Program& program) {
    const auto& lines = program.scan.directives;
    const auto line = std::ranges::find(lines, std::string_view("element reason"), &compile::Directive::key);
    return line == lines.end() ? "It is written for one type of elements." : line->value;
}

bool is_element_type(std::string_view type) { return std::ranges::find(types, type) != types.end(); }

bool takes_types(const compile::KernelDeclaration& kernel) {
    return std::ranges::any_of(kernel.template_parameters, [](const std::string& parameter) {
        return parameter.starts_with("typename") || parameter.starts_with("class");
    });
}

Result<std::string> with_elements_of(const Program& program, std::string_view type) {
    const std::vector<Token> code = compile::code_of(compile::tokenize(program.source), compile::Branch::first);
    std::vector<const Token*> places;
    const std::vector<std::string> elements = elements_of(program);
    std::vector<std::string> undeclared = elements;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (std::ranges::find(elements, code[i].text) == elements.end()) continue;
        const Token* const before = type_before(code, i);
        if (before == nullptr) continue;
        std::erase(undeclared, code[i].text);
        places.push_back(before);
        // `float* partial = new float[blocks];`
        const bool made = i + 3 < code.size() && code[i + 1].is("=") && code[i + 2].is("new") && is_type(code[i + 3]);
        if (made) places.push_back(&code[i + 3]);
    }
    if (!undeclared.empty()) {
        return fail(fmt::format("no int or float is declared by the name of {}", fmt::join(undeclared, ", ")),
                    {program.source_name, 0, 0}, "The line `elements` lists what the element type is the type of.");
    }
    std::string result;
    std::size_t copied = 0;
    for (const Token* place : places) {
        result.append(program.source, copied, place->offset - copied).append(type);
        copied = place->end();
    }
    return result.append(program.source, copied);
}

}  // namespace lanescope::session
