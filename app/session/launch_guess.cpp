#include "session/launch_guess.h"

#include "base/grouped.h"
#include "compile/declarations.h"
#include "compile/lexer.h"
#include "session/element_types.h"
#include "session/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

namespace lanescope::session {

namespace {

using compile::KernelDeclaration;
using compile::LaunchHint;
using compile::Parameter;

constexpr std::uint64_t largest_guess = std::uint64_t{1} << 20;  // elements: what a first look can wait for

std::string lower(std::string_view text) {
    std::string result;
    for (const char c : text) result += char(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

template <std::size_t N>
bool contains_any(std::string_view name, const std::array<std::string_view, N>& parts) {
    const std::string text = lower(name);
    return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

bool names_output(std::string_view name) {
    constexpr std::array<std::string_view, 7> parts{"out", "res", "sum", "dst", "dest", "total", "hist"};
    return contains_any(name, parts);
}

const LaunchHint* launch_of(const Program& program) {
    const auto names_kernel = [&](const LaunchHint& hint) {
        return hint.kernel == program.recipe.kernel || program.recipe.kernel.ends_with("::" + hint.kernel);
    };
    const auto found = std::ranges::find_if(program.source.scan.launches, names_kernel);
    return found == program.source.scan.launches.end() ? nullptr : &*found;
}

std::string text_of(const LaunchHint::Extent& extent) {
    std::string text = std::to_string(extent[0]);
    if (extent[1] != 1 || extent[2] != 1) text += fmt::format(", {}", extent[1]);
    if (extent[2] != 1) text += fmt::format(", {}", extent[2]);
    return text;
}

std::uint64_t threads_of(const LaunchHint::Extent& extent) { return extent[0] * extent[1] * extent[2]; }

/// The problem size that the host code launches with, if known.
std::optional<std::uint64_t> size_of_launch(const Program& program, const KernelDeclaration& kernel,
                                            const LaunchHint* hint) {
    const auto whole = [](double value) -> std::optional<std::uint64_t> {
        if (!(value >= 1) || value > 1e15) return std::nullopt;
        return std::uint64_t(value);
    };
    if (hint != nullptr) {
        for (std::size_t i = 0; i < std::min(kernel.parameters.size(), hint->argument_values.size()); ++i) {
            const bool size = !kernel.parameters[i].pointer && names_size(kernel.parameters[i].name);
            if (size && hint->argument_values[i]) return whole(*hint->argument_values[i]);
        }
    }
    for (const auto& [name, value] : program.source.scan.constants) {
        if (lower(name) == "n") return whole(std::stod(value));
    }
    for (const auto& [name, value] : program.source.scan.constants) {
        const bool block = lower(name).find("block") != std::string::npos ||
                           lower(name).find("thread") != std::string::npos ||
                           lower(name).find("tile") != std::string::npos;
        if (names_size(name) && !block) return whole(std::stod(value));
    }
    if (hint != nullptr && hint->grid_extent && hint->block_extent && (*hint->block_extent)[1] == 1)
        return threads_of(*hint->grid_extent) * threads_of(*hint->block_extent);
    return std::nullopt;
}

bool is_flat(const std::string& extent) {
    return extent.find(',') == std::string::npos && extent.find('x') == std::string::npos;
}

/// Does the launch cover n elements along the axis, so that the grid follows n? A division indicates it.
bool covers(const LaunchHint& hint, std::size_t axis, std::uint64_t n) {
    if (hint.grid.find('/') != std::string::npos) return true;
    const std::uint64_t block = (*hint.block_extent)[axis];
    return (*hint.grid_extent)[axis] == (n + block - 1) / block;
}

std::string grid_of_launch(const LaunchHint& hint, std::uint64_t n) {
    if (!hint.grid_extent || !hint.block_extent) return {};
    const LaunchHint::Extent& grid = *hint.grid_extent;
    const LaunchHint::Extent& block = *hint.block_extent;
    const bool flat = block[1] == 1 && block[2] == 1 && grid[1] == 1 && grid[2] == 1;
    if (flat) return covers(hint, 0, n) ? std::string(usual_grid) : text_of(grid);
    std::string text;
    for (std::size_t axis = 0; axis < (grid[2] != 1 || block[2] != 1 ? 3 : 2); ++axis) {
        const bool follows = block[axis] > 1 && covers(hint, axis, n);
        text += axis == 0 ? "" : ", ";
        text += follows ? fmt::format("ceil(n / {})", block[axis]) : std::to_string(grid[axis]);
    }
    return text;
}

void guess_template_arguments(Program& program, const KernelDeclaration& kernel, const LaunchHint* hint) {
    if (kernel.template_parameters.empty() || !program.recipe.template_arguments.empty()) return;
    if (hint != nullptr && !hint->template_arguments.empty()) {
        program.recipe.template_arguments = hint->template_arguments;
    } else {
        for (const std::string& parameter : kernel.template_parameters) {
            if (parameter.find('=') != std::string::npos) break;  // from here on the kernel has defaults
            const bool type = parameter.starts_with("typename") || parameter.starts_with("class");
            program.recipe.template_arguments.emplace_back(type ? "int" : "block");
        }
    }
    std::string list;
    for (const std::string& argument : program.recipe.template_arguments) list += (list.empty() ? "" : ", ") + argument;
    program.notes.push_back(fmt::format("the template {} is instantiated as {}<{}>", kernel.name, kernel.name, list));
}

/// Without a launch, a kernel that reads threadIdx.y works on squares, as large as its shared tile, `tile[32][33]`,
/// where it has one. Empty: it does not read it.
std::string square_block(const Program& program) {
    const std::vector<compile::Token> tokens = compile::tokenize(program.source.text);
    const std::vector<compile::Token> code = compile::code_of(tokens, compile::Branch::first);
    const auto declarations = compile::declarations_of(code, compile::macros_of(tokens));
    const auto own = std::ranges::find_if(declarations, [&](const compile::Declaration& declaration) {
        return declaration.kind == compile::Declaration::Kind::kernel && declaration.has_body() &&
               compile::kernel_of(code, declaration).name == program.recipe.kernel;
    });
    if (own == declarations.end()) return {};
    const auto is = [&](std::size_t at, std::string_view text) {
        return at < own->body_past_last && code[at].is(text);
    };
    /// The numbers between `[` and `]`.
    const auto extent = [&](std::size_t& at) -> std::uint64_t {
        if (!is(at, "[")) return 0;
        std::string text;
        for (++at; at < own->body_past_last && !is(at, "]"); ++at) text += code[at].text;
        ++at;
        return evaluate(with_constants(text, program.source.scan), trial).value_or(0);
    };
    bool asks = false;
    std::uint64_t side = 0;
    for (std::size_t i = own->body_first; i < own->body_past_last; ++i) {
        asks = asks || (is(i, "threadIdx") && is(i + 1, ".") && is(i + 2, "y"));
        if (!is(i, "__shared__") || side != 0) continue;
        while (i < own->body_past_last && !is(i, "[") && !is(i, ";")) ++i;
        const std::uint64_t rows = extent(i), columns = extent(i);
        side = std::min(rows, columns);
    }
    constexpr std::uint64_t usual = 16, most = 32;
    if (!asks) return {};
    if (side < 2 || side > most) side = usual;
    return fmt::format("{}, {}", side, side);
}

/// Is every `extern __shared__` array of the file in the body of another kernel?
bool only_others_size_shared(const Program& program) {
    const std::vector<compile::Token> tokens = compile::tokenize(program.source.text);
    const std::vector<compile::Token> code = compile::code_of(tokens, compile::Branch::first);
    const auto declarations = compile::declarations_of(code, compile::macros_of(tokens));
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
        if (!code[i].is("extern") || !code[i + 1].is("__shared__")) continue;
        const auto around = std::ranges::find_if(declarations, [&](const compile::Declaration& declaration) {
            return declaration.kind == compile::Declaration::Kind::kernel && declaration.body_first <= i &&
                   i < declaration.body_past_last;
        });
        if (around == declarations.end() || compile::kernel_of(code, *around).name == program.recipe.kernel)
            return false;
    }
    return true;
}

void guess_shared(Program& program, const LaunchHint* hint) {
    if (hint != nullptr && !hint->shared.empty() && hint->shared != "0") {
        if (hint->shared_value && hint->block_value && *hint->block_value != 0) {
            const bool follows = hint->shared.find_first_not_of("0123456789") != std::string::npos &&
                                 *hint->shared_value % *hint->block_value == 0 && *hint->shared_value != 0;
            program.recipe.shared = follows ? fmt::format("{} * block", *hint->shared_value / *hint->block_value)
                                            : std::to_string(*hint->shared_value);
        } else if (hint->shared_value) {
            program.recipe.shared = std::to_string(*hint->shared_value);
        }
        if (!program.recipe.shared.empty()) return;
    }
    if (program.source.scan.dynamic_shared.empty() || only_others_size_shared(program)) return;
    const std::optional<ElementType> type = element_type(program, program.source.scan.dynamic_shared);
    const unsigned bytes = type ? type->components * trace::bytes_of(type->element) : 4;
    program.recipe.shared = fmt::format("{} * block", bytes);
    program.notes.push_back(fmt::format("the size of the extern __shared__ array is guessed: one {} a thread, {} bytes",
                                        program.source.scan.dynamic_shared, program.recipe.shared));
}

/// What the host code copies to and from a device variable.
bool listed(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::any_of(names,
                               [&](const std::string& copied) { return copied == name || copied == "&" + name; });
}

/// Is the buffer an input? By the host's copies, by const, by its name, and otherwise all but the last one are.
bool is_input(const Program& program, const KernelDeclaration& kernel, std::size_t index, const LaunchHint* hint) {
    const Parameter& parameter = kernel.parameters[index];
    if (parameter.read_only) return true;
    if (hint != nullptr && index < hint->arguments.size()) {
        const std::string& variable = hint->arguments[index];
        if (listed(program.source.scan.copied_in, variable)) return true;
        if (listed(program.source.scan.copied_out, variable)) return false;
    }
    const auto pointers_and = [&](auto predicate) {
        return std::ranges::any_of(kernel.parameters, [&](const Parameter& p) { return p.pointer && predicate(p); });
    };
    if (pointers_and([](const Parameter& p) { return p.read_only; })) return false;
    const bool alone = std::ranges::count_if(kernel.parameters, &Parameter::pointer) == 1;
    if (alone) return true;
    if (pointers_and([](const Parameter& p) { return names_output(p.name); })) return !names_output(parameter.name);
    // The usual order: inputs first, the output last.
    const auto later = std::ranges::find_if(kernel.parameters.begin() + std::ptrdiff_t(index) + 1,
                                            kernel.parameters.end(), &Parameter::pointer);
    return later != kernel.parameters.end();
}

/// The number of elements that the host allocates for the buffer, in terms of the launch: "n + 6", "grid", "256".
std::optional<std::string> allocated(const Program& program, const KernelDeclaration& kernel, std::size_t index,
                                     const LaunchHint* hint, std::optional<std::uint64_t> n) {
    if (hint == nullptr || index >= hint->arguments.size() || !n) return std::nullopt;
    const auto found = program.source.scan.allocations.find(hint->arguments[index]);
    const std::optional<ElementType> type = element_type(program, kernel.parameters[index].element);
    if (found == program.source.scan.allocations.end() || !type) return std::nullopt;
    const std::uint64_t count = found->second / (std::uint64_t{type->components} * trace::bytes_of(type->element));
    if (count == 0) return std::nullopt;
    if (count == *n) return "n";
    if (*n < (std::uint64_t{1} << 31) && count == *n * *n) return "n * n";
    if (hint->grid_extent && count == threads_of(*hint->grid_extent)) return "grid";
    constexpr std::uint64_t margin = 64, factor = 16;
    if (count > *n && count - *n <= margin && *n > margin) return fmt::format("n + {}", count - *n);
    if (count % *n == 0 && count / *n <= factor) return fmt::format("{} * n", count / *n);
    return std::to_string(count);
}

/// `buffer_size`: an expression.
std::string guess_value(const KernelDeclaration& kernel, std::size_t index, const LaunchHint* hint,
                        const Program& program, std::optional<std::uint64_t> launched_n, std::string_view buffer_size) {
    const std::optional<ElementType> type = element_type(program, kernel.parameters[index].type);
    if (!type) {
        const std::optional<Structure> structure = structure_of(program, kernel.parameters[index].type);
        if (structure) return guessed_members(*structure, fmt::format("input({})", buffer_size));
    }
    const bool floating = type && (type->element == trace::Element::f32 || type->element == trace::Element::f64 ||
                                   type->element == trace::Element::f16 || type->element == trace::Element::bf16);
    if (hint != nullptr && index < hint->argument_values.size() && hint->argument_values[index]) {
        const double value = *hint->argument_values[index];
        if (floating) return fmt::format("{}", value);
        const bool size = launched_n && value == double(*launched_n);
        if (!size && value == std::trunc(value) && std::abs(value) < 9e15) return fmt::format("{:.0f}", value);
    }
    return floating ? "1" : "n";
}

/// Does the code read its block index? Without it, all blocks would do the same work.
bool knows_blocks(std::string_view source) {
    constexpr std::array<std::string_view, 4> words{"blockIdx", "this_grid", "grid_group", "ctaid"};
    return source.empty() || std::ranges::any_of(words, [&](std::string_view word) {
               return source.find(word) != std::string_view::npos;
           });
}

}  // namespace

bool names_size(std::string_view name) {
    constexpr std::array<std::string_view, 9> whole{"n",     "len",    "size",        "count",   "num",
                                                    "width", "length", "numelements", "elements"};
    constexpr std::array<std::string_view, 4> parts{"size", "count", "len", "num"};
    const std::string text = lower(name);
    return std::ranges::find(whole, text) != whole.end() || contains_any(name, parts);
}

void guess_launch(Program& program) {
    const KernelDeclaration* kernel = declaration_of(program.source.scan, program.recipe.kernel);
    if (kernel == nullptr) return;
    const LaunchHint* hint = launch_of(program);
    if (program.recipe.host) {  // its code defines its launches
        if (program.recipe.block.empty()) program.recipe.block = "32";
        if (program.recipe.n.empty()) program.recipe.n = "64";
        if (program.recipe.grid.empty()) program.recipe.grid = usual_grid;
        return;
    }
    guess_template_arguments(program, *kernel, hint);

    GuessedParts& guessed = program.recipe.guessed;
    const bool taken = hint != nullptr && program.recipe.block.empty() && hint->block_extent.has_value();
    if (taken) program.recipe.block = text_of(*hint->block_extent);
    if (program.recipe.block.empty()) {
        guessed.block = true;
        program.recipe.block = square_block(program);
        if (!program.recipe.block.empty())
            program.notes.push_back(
                fmt::format("the block is guessed: {}, because the kernel reads threadIdx.y", program.recipe.block));
    }
    if (program.recipe.block.empty()) program.recipe.block = "32";
    const std::optional<std::uint64_t> launched = size_of_launch(program, *kernel, hint);
    const bool told = !program.recipe.n.empty();
    if (!told && launched) {
        program.recipe.n = std::to_string(std::min(*launched, largest_guess));
        if (*launched > largest_guess)
            program.notes.push_back(fmt::format("the file's launch has {} elements; n defaults to {}",
                                                grouped(*launched), size_text(largest_guess)));
    }
    guessed.grid = program.recipe.grid.empty() && !taken;
    // Several blocks would do the same work, and race.
    if (!taken && !told && program.recipe.grid.empty() && !knows_blocks(program.source.text)) {
        program.recipe.grid = "1";
        program.notes.emplace_back("the grid is one block, because the kernel does not read blockIdx");
        if (program.recipe.n.empty() && is_flat(program.recipe.block)) program.recipe.n = program.recipe.block;
    }
    guessed.n = !told && !launched;
    if (program.recipe.n.empty()) program.recipe.n = is_flat(program.recipe.block) ? "64" : "32";
    if (program.recipe.grid.empty() && taken && launched) program.recipe.grid = grid_of_launch(*hint, *launched);
    if (program.recipe.grid.empty()) {
        program.recipe.grid = usual_grid;
        if (const Result<trace::Dim3> block = evaluate_extent(program.recipe.block, trial); block && block->y > 1)
            program.recipe.grid = fmt::format("ceil(n / {}), ceil(n / {})", block->x, block->y);
    }
    if (program.recipe.shared.empty()) {
        guess_shared(program, hint);
        const bool stated = hint != nullptr && !hint->shared.empty() && !program.recipe.shared.empty();
        guessed.shared = !stated && !program.source.scan.dynamic_shared.empty();
    }
    if (taken)
        program.notes.push_back(fmt::format("block {} and grid {} come from the launch in line {}",
                                            program.recipe.block, program.recipe.grid, hint->line));
    guessed.input = program.recipe.input.empty();
    if (guessed.input) program.recipe.input = "random 1";
}

void guess_arguments(Program& program) {
    const KernelDeclaration* kernel = declaration_of(program.source.scan, program.recipe.kernel);
    if (kernel == nullptr) return;
    const LaunchHint* hint = launch_of(program);
    const std::optional<std::uint64_t> launched = size_of_launch(program, *kernel, hint);
    const std::string usual = is_flat(program.recipe.block) ? "n" : "n * n";
    std::vector<ArgumentPlan> complete;
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
        const Parameter& parameter = kernel->parameters[i];
        const auto given = std::ranges::find(program.recipe.arguments, parameter.name, &ArgumentPlan::parameter);
        if (given != program.recipe.arguments.end()) {
            complete.push_back(*given);
            continue;
        }
        const bool input = parameter.pointer && is_input(program, *kernel, i, hint);
        const std::optional<std::string> own =
            parameter.pointer ? allocated(program, *kernel, i, hint, launched) : std::nullopt;
        const bool passed = !parameter.pointer && hint != nullptr && i < hint->argument_values.size() &&
                            hint->argument_values[i].has_value();
        const std::string size = own.value_or(usual);
        const std::string text = !parameter.pointer ? guess_value(*kernel, i, hint, program, launched, size)
                                 : input            ? fmt::format("input({})", size)
                                                    : fmt::format("zeros({})", size);
        Result<ArgumentPlan> plan = parse_plan(program, parameter, text, {program.source.name, kernel->line, 0});
        if (!plan) {
            complete.push_back({.parameter = parameter.name, .guessed = true, .where = plan.error().where});
            program.notes.push_back(
                fmt::format("the parameter {} of type {} cannot be guessed", parameter.name, parameter.type));
            continue;
        }
        plan->guessed = true;
        plan->from_host = own || passed;
        plan->where = {};
        complete.push_back(*std::move(plan));
    }
    program.recipe.arguments = std::move(complete);
    if (program.recipe.output.empty()) {
        const auto written =
            std::ranges::find(program.recipe.arguments, ArgumentPlan::Kind::zeros, &ArgumentPlan::kind);
        if (written != program.recipe.arguments.end()) program.recipe.output = written->parameter;
    }
}

}  // namespace lanescope::session
