#include "session/recipe.h"

#include "base/grouped.h"
#include "session/compiled_kernel.h"
#include "session/input.h"
#include "session/instance.h"
#include "session/multiprocessors.h"
#include "session/oracle.h"
#include "session/program.h"

#include "base/text.h"
#include "base/whole_number.h"
#include "compile/declarations.h"
#include "compile/lexer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace lanescope::session {

namespace {

using compile::Directive;
using compile::KernelDeclaration;

/// A member of the recipe, or of one of its parts.
template <auto... members>
auto& recipe_member(Recipe& recipe) {
    return (recipe.*....*members);
}

template <auto field>
Result<void> text(Program& program, const Directive& line) {
    field(program.recipe) = line.value;
    return {};
}

template <auto field, bool timed = false>
Result<void> expression(Program& program, const Directive& line) {
    std::string& written = field(program.recipe);
    written = without_names(line.value, program, timed);
    if (const auto value = evaluate(written, trial); !value) return placed(value.error(), program, line);
    return {};
}

template <auto field, bool timed = false>
Result<void> extent(Program& program, const Directive& line) {
    std::string& written = field(program.recipe);
    written = without_names(line.value, program, timed);
    if (const auto value = evaluate_extent(written, trial); !value) return placed(value.error(), program, line);
    return {};
}

Result<void> input(Program& program, const Directive& line) {
    program.recipe.input = line.value;
    // Whether the values fit depends on each buffer's type; numbers of any kind are accepted here.
    if (const auto made = make_input(line.value, trace::Element::f64, 0); !made)
        return placed(made.error(), program, line);
    return {};
}

constexpr std::string_view block_rules =
    "rules are \"power of two\", \"power of four\", \"multiple of K\" and \"A to B\", joined by commas";

Result<void> block_rule(Program& program, const Directive& line) {
    program.recipe.limits.block = line.value;
    const Result<void> checked = check_block(program, 1);
    const bool refused = !checked && checked.error().remedy == block_rules;
    if (refused) return placed(checked.error(), program, line);
    return {};
}

template <std::string PlacementText::*field, bool (*valid)(std::string_view)>
Result<void> placement(Program& program, const Directive& line) {
    if (!valid(line.value))
        return fail(fmt::format("\"{}\" does not say where blocks run", line.value), value_place(program, line));
    program.recipe.placement.*field = line.value;
    return {};
}
bool is_multiprocessors(std::string_view text) { return multiprocessors_named(text).has_value(); }
bool is_resident(std::string_view text) { return resident_blocks_named(text).has_value(); }
bool is_order(std::string_view text) { return trace::read_block_order(text).has_value(); }
bool is_schedule(std::string_view text) { return execute::read_schedule(text).has_value(); }

Result<void> fault(Program& program, const Directive& line) {
    program.recipe.expected.fault = line.value;
    const auto& known = fault_names();
    if (std::ranges::find(known, line.value) != known.end()) return {};
    return fail(fmt::format("\"{}\" is not a fault", line.value), value_place(program, line),
                fmt::format("faults are {}", fmt::join(known, ", ")));
}

Result<void> fault_when(Program& program, const Directive& line) {
    std::string& written = program.recipe.expected.fault_when;
    written = without_names(line.value, program, false);
    if (const auto held = holds(written, trial); !held) return placed(held.error(), program, line);
    return {};
}

template <auto field, auto beaten>
Result<void> template_arguments(Program& program, const Directive& line) {
    std::vector<std::string>& arguments =
        program.recipe.instance_named ? beaten(program.recipe) : field(program.recipe);
    arguments = argument_list(line.value);
    return {};
}

/// `block, 7; block, 11`
Result<void> instances(Program& program, const Directive& line) {
    program.recipe.instances.clear();
    std::string_view rest = line.value;
    for (std::size_t end = 0; end != std::string_view::npos; rest.remove_prefix(end == rest.npos ? 0 : end + 1)) {
        end = rest.find(';');
        program.recipe.instances.push_back(argument_list(rest.substr(0, end)));
        const std::size_t arguments = program.recipe.instances.back().size();
        const KernelDeclaration* kernel = declaration_of(program.source.scan, program.recipe.kernel);
        if (arguments == 0 || arguments > kernel->template_parameters.size())
            return fail(fmt::format("\"{}\" is no list of template arguments of {}", trimmed(rest.substr(0, end)),
                                    kernel->name),
                        value_place(program, line),
                        "Instances are lists with semicolons between: block, 7; block, 11.");
    }
    return {};
}

/// `block-sum` or `block-sum(2 * block)`.
Result<void> oracle(Program& program, const Directive& line) {
    const std::size_t open = line.value.find('(');
    std::string name = line.value.substr(0, open);
    name.erase(name.find_last_not_of(' ') + 1);
    if (const auto found = find_oracle(name); !found) return placed(found.error(), program, line);
    program.recipe.expected.oracle = name;
    program.recipe.expected.slice = "block";
    if (open == std::string::npos) return {};
    if (!line.value.ends_with(')'))
        return fail("the bracket after the CPU reference is not closed", value_place(program, line));
    const std::string slice = line.value.substr(open + 1, line.value.size() - open - 2);
    for (const compile::Token& token : compile::code_of(compile::tokenize(slice), compile::Branch::first))
        if (token.kind == compile::TokenKind::identifier) program.recipe.expected.slice_names.emplace_back(token.text);
    program.recipe.expected.slice = without_names(slice, program);
    if (const auto value = evaluate(program.recipe.expected.slice, trial); !value)
        return placed(value.error(), program, line, open + 1);
    return {};
}

/// `in = input(n)`, the line's value.
Result<void> argument(Program& program, const Directive& line) {
    const std::size_t equals = line.value.find(" = ");
    const std::string name = line.value.substr(0, equals);
    const std::string plan = equals == std::string::npos ? "" : line.value.substr(equals + 3);
    const KernelDeclaration* kernel = declaration_of(program.source.scan, program.recipe.kernel);
    const auto parameter = std::ranges::find(kernel->parameters, name, &compile::Parameter::name);
    if (parameter == kernel->parameters.end()) {
        // With several kernels and no sections, the line may belong to another one.
        const bool elsewhere = std::ranges::any_of(program.source.scan.kernels, [&](const KernelDeclaration& other) {
            return std::ranges::find(other.parameters, name, &compile::Parameter::name) != other.parameters.end();
        });
        if (elsewhere) return {};
        return fail(fmt::format("the kernel {} has no parameter named \"{}\"", kernel->name, name),
                    key_place(program, line));
    }
    Result<ArgumentPlan> read = parse_plan(program, *parameter, plan, value_place(program, line));
    if (!read) return std::unexpected(read.error());
    std::erase_if(program.recipe.arguments, [&](const ArgumentPlan& other) { return other.parameter == name; });
    program.recipe.arguments.push_back(*std::move(read));
    return {};
}

/// `coefficients = 1 2 1`, the line's value.
Result<void> constant(Program& program, const Directive& line) {
    const std::size_t equals = line.value.find(" = ");
    const std::string name = line.value.substr(0, equals);
    const std::string input = equals == std::string::npos ? "" : line.value.substr(equals + 3);
    program.recipe.constants.emplace_back(name, input);
    const auto kernel = compiled_kernel(program);
    if (kernel == nullptr) return {};  // the compiler says why when the kernel is to run
    const auto variable = device_variable(*kernel, name);
    if (!variable)
        return fail(fmt::format("no kernel uses a __constant__ or __device__ variable named \"{}\"", name),
                    key_place(program, line));
    if (!variable->element)
        return fail(fmt::format("\"{}\" is of type {}, which is not a number", name, variable->type),
                    key_place(program, line));
    if (const auto made = make_input(input, variable->element->element, 0); !made)
        return placed(made.error(), program, line);
    return {};
}

/// `in, out, sdata`
Result<void> elements(Program& program, const Directive& line) {
    program.recipe.elements.names.clear();
    for (const compile::Token& token : compile::code_of(compile::tokenize(line.value), compile::Branch::first))
        if (token.kind == compile::TokenKind::identifier) program.recipe.elements.names.emplace_back(token.text);
    return {};
}

struct Key {
    std::string_view name;
    Result<void> (*read)(Program&, const Directive&);
};
constexpr std::array<Key, 28> keys{
    {{"constant", constant},
     {"arg", argument},
     {"template",
      template_arguments<recipe_member<&Recipe::template_arguments>, recipe_member<&Recipe::described_instance>>},
     {"timed template", template_arguments<recipe_member<&Recipe::timed, &TimedLaunch::template_arguments>,
                                           recipe_member<&Recipe::timed_instance>>},
     {"instances", instances},
     {"shared", expression<recipe_member<&Recipe::shared>>},
     {"grid", extent<recipe_member<&Recipe::grid>>},
     {"timed grid", extent<recipe_member<&Recipe::timed, &TimedLaunch::grid>, true>},
     {"timed shared", expression<recipe_member<&Recipe::timed, &TimedLaunch::shared>, true>},
     {"block", extent<recipe_member<&Recipe::block>>},
     {"multiprocessors", placement<&PlacementText::multiprocessors, is_multiprocessors>},
     {"resident", placement<&PlacementText::resident, is_resident>},
     {"start order", placement<&PlacementText::order, is_order>},
     {"schedule", placement<&PlacementText::schedule, is_schedule>},
     {"block rule", block_rule},
     {"block reason", text<recipe_member<&Recipe::limits, &LaunchLimits::block_reason>>},
     {"n limit", expression<recipe_member<&Recipe::limits, &LaunchLimits::n>>},
     {"n reason", text<recipe_member<&Recipe::limits, &LaunchLimits::n_reason>>},
     {"arch", expression<recipe_member<&Recipe::limits, &LaunchLimits::arch>>},
     {"fault", fault},
     {"fault when", fault_when},
     {"fault reason", text<recipe_member<&Recipe::expected, &ExpectedResult::fault_reason>>},
     {"n", expression<recipe_member<&Recipe::n>>},
     {"input", input},
     {"oracle", oracle},
     {"output", text<recipe_member<&Recipe::expected, &ExpectedResult::output>>},
     {"elements", elements},
     {"element reason", text<recipe_member<&Recipe::elements, &ElementChoice::reason>>}}};

}  // namespace

bool is_recipe_key(std::string_view key) { return std::ranges::find(keys, key, &Key::name) != keys.end(); }

Result<void> read_recipe_line(Program& program, const Directive& line) {
    return std::ranges::find(keys, line.key, &Key::name)->read(program, line);
}

std::vector<std::string> recipe_keys() {
    std::vector<std::string> names;
    names.reserve(keys.size());
    for (const Key& key : keys)
        names.push_back(std::string(key.name) + (key.name == "arg" || key.name == "constant" ? " NAME" : ""));
    return names;
}

Place key_place(const Program& program, const Directive& line) {
    return {program.source.description.file, line.line, line.column};
}
Place value_place(const Program& program, const Directive& line) {
    return {program.source.description.file, line.line, line.value_column};
}

std::unexpected<Problem> placed(Problem problem, const Program& program, const Directive& line, std::size_t offset) {
    const unsigned column = problem.where.column != 0 ? problem.where.column - 1 : 0;
    problem.where = value_place(program, line);
    problem.where.column += column + unsigned(offset);
    return std::unexpected(std::move(problem));
}

Result<void> check_recipe(const Program& program) {
    const std::string& output = program.recipe.expected.output;
    if (output.empty()) return {};
    const KernelDeclaration* kernel = declaration_of(program.source.scan, program.recipe.kernel);
    const std::string name = output.substr(0, output.find('.'));
    const auto parameter = std::ranges::find(kernel->parameters, name, &compile::Parameter::name);
    const bool of_structure = output.size() > name.size();  // its member; the result shows whether it exists
    if (parameter != kernel->parameters.end() && (parameter->pointer || of_structure)) return {};
    const auto& lines = program.source.description.lines;
    const auto line = std::ranges::find(lines, std::string_view("output"), &Directive::key);
    return fail(fmt::format("the kernel {} has no pointer named \"{}\"", kernel->name, output),
                line == lines.end() ? Place{program.source.name, 0, 0} : value_place(program, *line));
}

const std::vector<std::string>& fault_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all{"wrong result"};
        for (const trace::Finding::Kind kind : trace::Finding::kinds) all.emplace_back(trace::name_of(kind));
        return all;
    }();
    return names;
}

Result<void> check_block(const Program& program, std::uint64_t block) {
    std::string_view rest = program.recipe.limits.block;
    while (!trimmed(rest).empty()) {
        const std::size_t comma = rest.find(',');
        const std::string_view rule = trimmed(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
        const auto number = [](std::string_view text) { return whole_number<std::uint64_t>(trimmed(text)); };
        bool kept = true;
        if (rule == "power of two") {
            kept = std::has_single_bit(block);
        } else if (rule == "power of four") {
            kept = std::has_single_bit(block) && std::countr_zero(block) % 2 == 0;
        } else if (rule.starts_with("multiple of ") && number(rule.substr(12)).value_or(0) != 0) {
            kept = block % *number(rule.substr(12)) == 0;
        } else if (const std::size_t to = rule.find(" to ");
                   to != std::string_view::npos && number(rule.substr(0, to)) && number(rule.substr(to + 4))) {
            kept = *number(rule.substr(0, to)) <= block && block <= *number(rule.substr(to + 4));
        } else {
            return fail(fmt::format("\"{}\" is not a rule for block sizes", rule), {}, std::string(block_rules));
        }
        if (!kept)
            return fail(fmt::format("{} cannot run in blocks of {}", program.name, counted(block, "thread")), {},
                        fmt::format("block sizes: {}{}{}", with_grouped_numbers(program.recipe.limits.block),
                                    program.recipe.limits.block_reason.empty() ? "" : ". ",
                                    program.recipe.limits.block_reason));
    }
    return {};
}

std::optional<std::string> why_no_fault(const Program& program, const Variables& variables) {
    const ExpectedResult& expected = program.recipe.expected;
    if (expected.fault.empty() || expected.fault_when.empty()) return std::nullopt;
    if (holds(expected.fault_when, variables).value_or(true)) return std::nullopt;
    return fmt::format("the fault ({}) occurs with {}{}{}", expected.fault, with_grouped_numbers(expected.fault_when),
                       expected.fault_reason.empty() ? "" : ". ", expected.fault_reason);
}

std::optional<std::uint32_t> own_block(const Program& program) {
    if (program.source.built_in || !program.recipe.limits.block.empty()) return std::nullopt;
    const auto extent = evaluate_extent(program.recipe.block, {});
    if (!extent || extent->count() <= 1) return std::nullopt;
    return static_cast<std::uint32_t>(extent->count());
}

Result<std::uint64_t> largest_n(const Program& program, const Variables& variables) {
    if (program.recipe.limits.n.empty()) return std::numeric_limits<std::uint64_t>::max();
    return evaluate(program.recipe.limits.n, variables);
}

Result<void> check_n(const Program& program, const Variables& variables) {
    const Result<std::uint64_t> limit = largest_n(program, variables);
    if (!limit) return std::unexpected(limit.error());
    if (variables.n <= *limit) return {};
    return fail(fmt::format("{} cannot process {} in blocks of {}", program.name, counted(variables.n, "element"),
                            counted(variables.block, "thread")),
                {},
                fmt::format("the largest n is {}{}{}", grouped(*limit),
                            program.recipe.limits.n_reason.empty() ? "" : ". ", program.recipe.limits.n_reason));
}

}  // namespace lanescope::session
