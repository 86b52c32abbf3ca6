#include "session/instance.h"

#include "session/program.h"

#include "base/text.h"
#include "compile/declarations.h"
#include "compile/lexer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lanescope::session {

namespace {

const std::vector<std::string>* parameters_of(const Program& program) {
    const compile::KernelDeclaration* kernel = declaration_of(program.source.scan, program.recipe.kernel);
    return kernel == nullptr || kernel->template_parameters.empty() ? nullptr : &kernel->template_parameters;
}

/// The argument of the parameter with that name, or its default; empty: none.
std::string argument_named(std::string_view name, const std::vector<std::string>& parameters,
                           const std::vector<std::string>& arguments) {
    const auto named = std::ranges::find(parameters, name, declared_name);
    if (named == parameters.end()) return {};
    const auto at = static_cast<std::size_t>(named - parameters.begin());
    if (at < arguments.size()) return arguments[at];
    const std::size_t equals = named->find('=');
    return equals == std::string::npos ? std::string() : std::string(trimmed(named->substr(equals + 1)));
}

/// Whether the CPU reference depends on that template parameter.
bool is_in_slice(const Program& program, std::size_t parameter) {
    const std::vector<std::string>* parameters = parameters_of(program);
    if (parameters == nullptr || parameter >= parameters->size()) return false;
    const std::string_view name = declared_name((*parameters)[parameter]);
    return std::ranges::find(program.recipe.expected.slice_names, name) != program.recipe.expected.slice_names.end();
}

}  // namespace

std::string_view declared_name(std::string_view template_parameter) {
    const std::string_view declaration = trimmed(template_parameter.substr(0, template_parameter.find('=')));
    const std::size_t space = declaration.rfind(' ');
    return space == std::string_view::npos ? declaration : declaration.substr(space + 1);
}

std::string without_names(std::string_view expression, const Program& program, bool timed) {
    const std::vector<std::string>* parameters = parameters_of(program);
    if (parameters == nullptr) return with_constants(expression, program.source);
    const std::vector<std::string>& arguments = program.recipe.template_rule(timed);
    std::string result;
    std::size_t copied = 0;
    const std::vector<compile::Token> code = compile::code_of(compile::tokenize(expression), compile::Branch::first);
    for (const compile::Token& token : code) {
        if (token.kind != compile::TokenKind::identifier || is_size_name(token.text)) continue;
        const std::string argument = argument_named(token.text, *parameters, arguments);
        if (argument.empty()) continue;
        result += expression.substr(copied, token.offset - copied);
        result += "(" + argument + ")";
        copied = token.end();
    }
    result += expression.substr(copied);
    return with_constants(result, program.source);
}

std::string parameter_without_argument(const compile::KernelDeclaration& kernel,
                                       const std::vector<std::string>& arguments) {
    const std::vector<std::string>& parameters = kernel.template_parameters;
    for (std::size_t i = arguments.size(); i < parameters.size(); ++i)
        if (!parameters[i].contains("=") && !parameters[i].contains("...")) return parameters[i];
    return {};
}

std::vector<std::string> argument_list(std::string_view list) {
    std::vector<std::string> arguments;
    const std::vector<compile::Token> code = compile::code_of(compile::tokenize(list), compile::Branch::first);
    for (const compile::TokenRange& part : compile::split_commas(code, {0, code.size()}, true))
        arguments.push_back(compile::as_written(code, part));
    return arguments;
}

bool is_described_instance(const Program& program, const Variables& variables) {
    const Recipe& recipe = program.recipe;
    if (!recipe.instance_named || recipe.described_instance.empty()) return true;
    const auto is = [&](const std::vector<std::string>& described) {
        if (recipe.template_arguments.size() != described.size()) return false;
        for (std::size_t i = 0; i < described.size(); ++i) {
            if (is_in_slice(program, i)) continue;
            // An argument that is no number is a type: the CPU references take any.
            const auto one = evaluate(recipe.template_arguments[i], variables),
                       other = evaluate(described[i], variables);
            if (one && other && *one != *other) return false;
        }
        return true;
    };
    return is(recipe.described_instance) || is(recipe.timed_instance);
}

std::string described_instances(const Program& program) {
    std::vector<std::string> arguments = program.recipe.described_instance;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (is_in_slice(program, i)) arguments[i] = declared_name((*parameters_of(program))[i]);
    return fmt::format("{}<{}>", program.recipe.kernel, fmt::join(arguments, ", "));
}

Result<std::string> instance_of(const Program& program, const Variables& variables) {
    if (program.recipe.template_arguments.empty()) return program.recipe.kernel;
    std::string list;
    for (const std::string& argument : program.recipe.template_arguments) {
        const bool computes = argument.find_first_of("+-*/%(") != std::string::npos;
        const std::string resolved = computes ? with_constants(argument, program.source) : argument;
        const Result<std::uint64_t> value = evaluate(resolved, variables);
        // A text that is not an expression of the launch is a type, or a constant for the compiler.
        list += (list.empty() ? "" : ", ") + (value ? std::to_string(*value) : argument);
    }
    return program.recipe.kernel + "<" + list + ">";
}

}  // namespace lanescope::session
