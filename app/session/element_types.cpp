#include "session/element_types.h"

#include "session/compiled_types.h"
#include "session/gpu_plan.h"

#include "base/number_type.h"
#include "base/text.h"
#include "compile/lexer.h"
#include "trace/element.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace lanescope::session {

namespace {

using compile::Token;

bool is_type(const Token& token) { return is_element_type(token.text); }

bool stands_between(const Token& token) {
    constexpr std::array<std::string_view, 5> between{"*", "const", "volatile", "__restrict__", "&"};
    return std::ranges::find(between, token.text) != between.end();
}

/// The type in the declaration of a name, where `code[at]` is the name.
const Token* type_before(const std::vector<Token>& code, std::size_t at) {
    while (at > 0 && stands_between(code[at - 1])) --at;
    if (at == 0 || !is_type(code[at - 1])) return nullptr;
    if (at > 1 && code[at - 2].is("unsigned")) return nullptr;
    return &code[at - 1];
}

}  // namespace

std::optional<ElementType> element_type(const Program& program, std::string_view type) {
    std::string name(trimmed(type));
    if (const compile::KernelDeclaration* kernel = declaration_of(program.source.scan, program.recipe.kernel)) {
        for (std::size_t i = 0;
             i < std::min(kernel->template_parameters.size(), program.recipe.template_arguments.size()); ++i) {
            if (declared_name(kernel->template_parameters[i]) == name) name = program.recipe.template_arguments[i];
        }
    }
    std::optional<NumberType> numbers = number_type(name);
    if (!numbers) numbers = compiled_type(program, name).number;
    if (!numbers) return std::nullopt;
    return ElementType{trace::element_of(*numbers), numbers->components};
}

std::string why_no_other_type(const Program& program) {
    const std::string& reason = program.recipe.elements.reason;
    return reason.empty() ? "The kernel is written for one element type." : reason;
}

bool is_element_type(std::string_view type) { return std::ranges::find(element_types, type) != element_types.end(); }

bool is_type_parameter(std::string_view parameter) {
    return parameter.starts_with("typename") || parameter.starts_with("class");
}

bool takes_types(const compile::KernelDeclaration& kernel) {
    return std::ranges::any_of(kernel.template_parameters, is_type_parameter);
}

Result<std::string> with_elements_of(const Program& program, std::string_view type) {
    const std::vector<Token> code = compile::code_of(compile::tokenize(program.source.text), compile::Branch::first);
    std::vector<const Token*> places;
    const std::vector<std::string>& elements = program.recipe.elements.names;
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
        return fail(fmt::format("no int, float or double with the name {} is declared", fmt::join(undeclared, ", ")),
                    {program.source.name, 0, 0}, "`elements` lists the names declared with the element type.");
    }
    // A kernel that lists its elements takes the size of no other int or float.
    std::vector<std::string_view> declared;
    declared.reserve(places.size());
    for (const Token* place : places) declared.push_back(place->text);
    for (std::size_t i = 0; i + 3 < code.size(); ++i) {
        if (code[i].is("sizeof") && code[i + 1].is("(") && code[i + 3].is(")") &&
            std::ranges::find(declared, code[i + 2].text) != declared.end())
            places.push_back(&code[i + 2]);
    }
    std::ranges::sort(places, {}, [](const Token* place) { return place->offset; });
    std::string result;
    std::size_t copied = 0;
    for (const Token* place : places) {
        result.append(program.source.text, copied, place->offset - copied).append(type);
        copied = place->end();
    }
    return result.append(program.source.text, copied);
}

void replace_size_of(std::string& expression, std::string_view one, std::string_view other) {
    if (one.empty() || other.empty() || one == other) return;
    const std::string from = fmt::format("sizeof({})", one), to = fmt::format("sizeof({})", other);
    for (std::size_t at = expression.find(from); at != std::string::npos; at = expression.find(from, at + to.size()))
        expression.replace(at, from.size(), to);
}

}  // namespace lanescope::session
