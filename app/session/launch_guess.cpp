#include "session/launch_guess.h"

#include "base/grouped.h"
#include "base/text.h"
#include "compile/compile.h"
#include "ptx/pointer_uses.h"
#include "ptx/reached.h"
#include "ptx/thread_bounds.h"
#include "session/compiled_kernel.h"
#include "session/described_variables.h"
#include "session/element_types.h"
#include "session/input.h"
#include "session/structure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace lanescope::session {

namespace {

using compile::KernelDeclaration;
using compile::NamedLaunch;
using compile::Parameter;

template <std::size_t N>
bool contains_any(std::string_view name, const std::array<std::string_view, N>& parts) {
    const std::string text = in_small_letters(name);
    return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

bool names_output(std::string_view name) {
    constexpr std::array<std::string_view, 7> parts{"out", "res", "sum", "dst", "dest", "total", "hist"};
    return contains_any(name, parts);
}

const NamedLaunch* launch_of(const Program& program) {
    const auto names_kernel = [&](const NamedLaunch& launch) {
        return launch.kernel == program.recipe.kernel || program.recipe.kernel.ends_with("::" + launch.kernel);
    };
    const auto found = std::ranges::find_if(program.source.scan.launches, names_kernel);
    return found == program.source.scan.launches.end() ? nullptr : &*found;
}

unsigned dimensions_of(const std::string& extent) {
    return 1 + unsigned(std::ranges::count_if(extent, [](char c) { return c == ',' || c == 'x'; }));
}

bool is_flat(const std::string& extent) { return dimensions_of(extent) == 1; }

/// The shorter side of the first shared array of two dimensions, `tile[32][33]`, that the kernel or what it calls
/// declares; 0: there is none.
std::uint64_t side_of_tile(const Program& program, const CompiledKernel& kernel) {
    ptx::Module module = kernel.module;  // static shared arrays are described in another view
    describe_variables(program, {kernel.instance}, compile::View::written, module);
    const auto reached = ptx::reached_from(kernel.module, kernel.function());
    const auto is_own = [&](const ptx::SourceArray& array) {
        if (array.function == ptx::SourceArray::everywhere)
            return ptx::uses_variable(kernel.module, kernel.function(), array.variable);
        return std::ranges::find(reached, &kernel.module.functions[array.function]) != reached.end();
    };
    const auto tile = std::ranges::find_if(module.arrays, [&](const ptx::SourceArray& array) {
        return array.space == ptx::Space::shared && array.extents.size() >= 2 && is_own(array);
    });
    return tile == module.arrays.end() ? 0 : std::min(tile->extents[0], tile->extents[1]);
}

/// The files of a module that are headers of the toolkit, which the compiler names without its include folders.
std::vector<std::uint32_t> toolkit_files(const ptx::Module& module) {
    std::vector<std::uint32_t> found;
    if (!compile::compiler()) return found;
    for (const auto& [number, name] : module.files) {
        const std::filesystem::path file = name;
        if (file.is_relative() && std::ranges::any_of(compile::compiler()->include, [&](const auto& folder) {
                std::error_code error;
                return std::filesystem::is_regular_file(folder / file, error);
            }))
            found.push_back(number);
    }
    return found;
}

/// A kernel that reads threadIdx.z works on cuboids; one that reads threadIdx.y on squares, as large as its shared tile
/// where it has one. Empty: it reads neither.
std::string block_by_indices(const Program& program, const CompiledKernel& kernel) {
    // The rank of cooperative groups reads all three indices, whatever the shape of the block.
    const std::vector<std::uint32_t> toolkit = toolkit_files(kernel.module);
    const auto is_own = [&](const ptx::Instruction& instruction) {
        return instruction.place >= kernel.module.places.size() ||
               std::ranges::find(toolkit, kernel.module.places[instruction.place].file) == toolkit.end();
    };
    const auto reads = [&](ptx::Special index) { return ptx::reads(kernel.module, kernel.function(), index, is_own); };
    if (reads(ptx::Special::tid_z)) return "8, 4, 4";
    if (!reads(ptx::Special::tid_y)) return {};
    std::uint64_t side = side_of_tile(program, kernel);
    constexpr std::uint64_t usual = 16, most = 32;
    if (side < 2 || side > most) side = usual;
    return fmt::format("{}, {}", side, side);
}

void guess_shared(Program& program, const DynamicShared& array) {
    constexpr unsigned of_unknown_type = 4;
    const unsigned bytes = array.element_bytes != 0 ? array.element_bytes : of_unknown_type;
    program.recipe.shared = fmt::format("{} * block", bytes);
    program.recipe.guessed.reasons.emplace_back(
        &GuessedParts::shared,
        fmt::format("the size of the extern __shared__ array is guessed: one {} per thread, {} {}",
                    array.type.empty() ? "word" : array.type, program.recipe.shared, noun(2, "byte")));
}

/// Whether the buffer is an input: by const, by the kernel's accesses through it where they are known, by its name;
/// otherwise all but the last one are.
bool is_input(const KernelDeclaration& kernel, std::size_t index, const std::optional<ptx::PointerUse>& use) {
    const Parameter& parameter = kernel.parameters[index];
    if (parameter.read_only) return true;
    if (use && use->loads != (use->stores || use->updates)) return use->loads;
    if (use && use->loads && use->stores && !use->updates && !names_output(parameter.name)) return true;  // y += a * x
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

/// `buffer_size`: an expression.
std::string guess_value(const Program& program, const Parameter& parameter, std::string_view buffer_size) {
    const std::optional<ElementType> type = element_type(program, parameter.type);
    if (type) return is_float(type->element) ? "1" : "n";
    const std::optional<Structure> structure = structure_of(program, parameter.type);
    return structure ? guessed_members(*structure, fmt::format("input({})", buffer_size)) : "n";
}

/// Whether the kernel reads its block index; without it, all blocks would do the same work.
bool knows_blocks(const CompiledKernel& kernel) {
    using ptx::Special;
    constexpr std::array<Special, 3> indices{Special::ctaid_x, Special::ctaid_y, Special::ctaid_z};
    return std::ranges::any_of(indices,
                               [&](Special index) { return ptx::reads(kernel.module, kernel.function(), index); });
}

}  // namespace

std::string grid_for(const trace::Dim3& block) {
    if (block.z > 1) return fmt::format("ceil(n / {}), ceil(n / {}), ceil(n / {})", block.x, block.y, block.z);
    return block.y == 1 ? std::string(usual_grid) : fmt::format("ceil(n / {}), ceil(n / {})", block.x, block.y);
}

bool names_size(std::string_view name) {
    constexpr std::array<std::string_view, 9> whole{"n",     "len",    "size",        "count",   "num",
                                                    "width", "length", "numelements", "elements"};
    constexpr std::array<std::string_view, 4> parts{"size", "count", "len", "num"};
    const std::string text = in_small_letters(name);
    return std::ranges::find(whole, text) != whole.end() || contains_any(name, parts);
}

void guess_template_arguments(Program& program) {
    const KernelDeclaration* const declared = declaration_of(program.source.scan, program.recipe.kernel);
    if (declared == nullptr || program.recipe.host) return;
    const KernelDeclaration& kernel = *declared;
    if (kernel.template_parameters.empty() || !program.recipe.template_arguments.empty()) return;
    const NamedLaunch* const launch = launch_of(program);
    const bool stated = launch != nullptr && !launch->template_arguments.empty();
    if (stated) {
        program.recipe.template_arguments = launch->template_arguments;
    } else {
        for (const std::string& parameter : kernel.template_parameters) {
            if (parameter.find('=') != std::string::npos) break;  // from here on the kernel has defaults
            const bool is_switch = parameter.starts_with("bool ");
            program.recipe.template_arguments.emplace_back(is_type_parameter(parameter) ? "int"
                                                           : is_switch                  ? "true"
                                                                                        : "block");
        }
    }
    program.notes.push_back(fmt::format("the template {} is instantiated as {}<{}>, {}", kernel.name, kernel.name,
                                        fmt::join(program.recipe.template_arguments, ", "),
                                        stated ? fmt::format("as in line {}", launch->line) : "which is guessed"));
}

bool has_guessed_instance(const Program& program) {
    const Recipe& recipe = program.recipe;
    const NamedLaunch* const launch = launch_of(program);
    return !recipe.template_arguments.empty() && !recipe.instance_named && recipe.described_instance.empty() &&
           (launch == nullptr || launch->template_arguments.empty()) &&
           std::ranges::find(program.source.description.lines, "template", &compile::Directive::key) ==
               program.source.description.lines.end();
}

std::optional<Refusal> refused_instance(const Program& program, compile::CompileRequest failed,
                                        const std::vector<compile::Diagnostic>& why) {
    const KernelDeclaration* const kernel = declaration_of(program.source.scan, program.recipe.kernel);
    if (kernel == nullptr || !has_guessed_instance(program)) return std::nullopt;
    const std::string instance = fmt::format("{}", fmt::join(std::exchange(failed.instantiate, {}), ", "));
    if (!compile::compile(failed)) return std::nullopt;
    const auto error = std::ranges::find(why, compile::Diagnostic::Severity::error, &compile::Diagnostic::severity);
    Refusal refusal{.problem = {.what = fmt::format("{} is a guess of the template's arguments, and the compiler "
                                                    "refuses it",
                                                    instance),
                                .where = {},
                                .remedy = fmt::format("Name the arguments: --kernel \"{}<...>\", for {}.", kernel->name,
                                                      fmt::join(kernel->template_parameters, ", "))},
                    .field = "kernel",
                    .diagnostics = {},
                    .of_guess = true};
    if (!program.main_refused.empty()) refusal.problem.remedy += " " + sentence(program.main_refused);
    if (error != why.end() && error->line != 0)
        refusal.problem.what += fmt::format(" (line {}: {})", error->line, error->text);
    return refusal;
}

std::optional<Refusal> uncompiled_guess(const Program& program, const Variables& variables) {
    if (!has_guessed_instance(program) || compiled_kernel(program) != nullptr) return std::nullopt;
    const Result<std::string> instance = instance_of(program, variables);
    if (!instance) return std::nullopt;
    compile::CompileRequest wanted = compile_request(program.source);
    wanted.instantiate = {*instance};
    const auto output = compile::compile(wanted);
    return output ? std::nullopt : refused_instance(program, std::move(wanted), output.error().diagnostics);
}

void guess_launch(Program& program) {
    const KernelDeclaration* kernel = declaration_of(program.source.scan, program.recipe.kernel);
    if (kernel == nullptr) return;
    Recipe& recipe = program.recipe;
    if (recipe.host) {  // its code defines its launches
        if (recipe.block.empty()) recipe.block = "32";
        if (recipe.n.empty()) recipe.n = "64";
        if (recipe.grid.empty()) recipe.grid = usual_grid;
        return;
    }
    GuessedParts& guessed = recipe.guessed;
    guessed = {.block = recipe.block.empty(),
               .n = recipe.n.empty(),
               .grid = recipe.grid.empty(),
               .shared = false,
               .input = recipe.input.empty(),
               .reasons = {}};
    // A kernel of the catalog states everything; to list it, no compiler is asked.
    const bool stated = !guessed.block && !guessed.n && !guessed.grid && !guessed.input;
    const auto compiled = stated && is_of_the_catalog(program.source) ? nullptr : compiled_kernel(program);
    if (guessed.block && compiled != nullptr) {
        recipe.block = block_by_indices(program, *compiled);
        if (!recipe.block.empty())
            guessed.reasons.emplace_back(&GuessedParts::block,
                                         fmt::format("the block is guessed: {}, because the kernel reads threadIdx.{}",
                                                     recipe.block, dimensions_of(recipe.block) == 3 ? "z" : "y"));
    }
    if (recipe.block.empty()) recipe.block = "32";
    // Several blocks would do the same work, and race.
    if (guessed.n && guessed.grid && compiled != nullptr && !knows_blocks(*compiled)) {
        recipe.grid = "1";
        guessed.reasons.emplace_back(&GuessedParts::grid,
                                     "the grid is one block, because the kernel does not read blockIdx");
        if (is_flat(recipe.block)) recipe.n = recipe.block;
    }
    if (recipe.n.empty()) {
        const unsigned dimensions = dimensions_of(recipe.block);
        recipe.n = dimensions == 1 ? "64" : dimensions == 2 ? "32" : "16";
    }
    if (recipe.grid.empty()) {
        const Result<trace::Dim3> block = evaluate_extent(recipe.block, trial);
        recipe.grid = block ? grid_for(*block) : std::string(usual_grid);
    }
    if (recipe.shared.empty() && compiled != nullptr) {
        if (const auto array = dynamic_shared_of(*compiled)) {
            guessed.shared = true;
            guess_shared(program, *array);
        }
    }
    if (guessed.input) recipe.input = "random 1";
}

void guess_arguments(Program& program) {
    const KernelDeclaration* kernel = declaration_of(program.source.scan, program.recipe.kernel);
    if (kernel == nullptr) return;
    const unsigned dimensions = dimensions_of(program.recipe.block);
    const std::string size = dimensions == 1 ? "n" : dimensions == 2 ? "n * n" : "n * n * n";
    // The compiler is asked for the first pointer that nothing states.
    std::optional<std::vector<ptx::PointerUse>> uses;
    const auto use_of = [&](std::size_t parameter) -> std::optional<ptx::PointerUse> {
        if (!uses) {
            const auto compiled = compiled_kernel(program);
            if (compiled != nullptr) uses = ptx::pointer_uses(compiled->module, compiled->function());
            if (!uses) uses.emplace();
        }
        return parameter < uses->size() ? std::optional((*uses)[parameter]) : std::nullopt;
    };
    std::optional<std::vector<bool>> bounds;
    const auto bounds_threads = [&](std::size_t parameter) {
        if (!bounds) {
            const auto compiled = compiled_kernel(program);
            bounds = compiled != nullptr ? ptx::bounds_of_threads(compiled->function()) : std::vector<bool>();
        }
        return parameter < bounds->size() && (*bounds)[parameter];
    };
    std::vector<ArgumentPlan> complete;
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
        const Parameter& parameter = kernel->parameters[i];
        const auto given = std::ranges::find(program.recipe.arguments, parameter.name, &ArgumentPlan::parameter);
        if (given != program.recipe.arguments.end()) {
            complete.push_back(*given);
            continue;
        }
        const std::string text = !parameter.pointer                ? guess_value(program, parameter, size)
                                 : is_input(*kernel, i, use_of(i)) ? fmt::format("input({})", size)
                                                                   : fmt::format("zeros({})", size);
        Result<ArgumentPlan> plan = parse_plan(program, parameter, text, {program.source.name, kernel->line, 0});
        if (!plan) {
            complete.push_back({.parameter = parameter.name, .guessed = true, .where = plan.error().where});
            program.notes.push_back(
                fmt::format("the parameter {} of type {} cannot be guessed", parameter.name, parameter.type));
            continue;
        }
        plan->guessed = true;
        plan->bounds_threads = !parameter.pointer && bounds_threads(i);
        plan->where = {};
        complete.push_back(*std::move(plan));
    }
    program.recipe.arguments = std::move(complete);
    if (program.recipe.expected.output.empty()) {
        const auto written =
            std::ranges::find(program.recipe.arguments, ArgumentPlan::Kind::zeros, &ArgumentPlan::kind);
        if (written != program.recipe.arguments.end()) program.recipe.expected.output = written->parameter;
    }
}

}  // namespace lanescope::session
