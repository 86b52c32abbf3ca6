#include "session/launch_plan.h"

#include "base/grouped.h"
#include "base/near_names.h"
#include "compile/lexer.h"
#include "execute/emulator/emulation_notes.h"
#include "model/device_limits.h"
#include "ptx/thread_bounds.h"
#include "session/compiled_kernel.h"
#include "session/input.h"
#include "session/launch_guess.h"
#include "session/launch_size.h"
#include "session/structure.h"
#include "trace/residency.h"

#include "execute/simt/addresses.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace lanescope::session {

namespace {

using Checked = std::expected<void, Refusal>;

/// Moves the column into the message: it counts in the typed text, not in a file.
std::unexpected<Refusal> refuse_typed(std::string field, Problem problem) {
    if (problem.where.file.empty() && problem.where.column != 0) {
        problem.what += fmt::format(" (at character {})", problem.where.column);
        problem.where = {};
    }
    return refuse(std::move(field), std::move(problem));
}

// --- The launch ------------------------------------------------------------------------------------------------

constexpr std::uint64_t default_elements = 16;
constexpr std::uint32_t default_threads = 16;  // what fits on a blackboard

/// A host function without parameters, such as main, sets all sizes itself.
Checked leave_sizes_to_host(const Request& request, const compile::KernelDeclaration& function, const Plan& plan) {
    if (!plan.program.recipe.host || !function.parameters.empty()) return {};
    const bool block = request.block || request.block_extent, grid = request.grid || request.grid_extent;
    for (const auto& [asked, field] :
         {std::pair(request.n.has_value(), "n"), std::pair(block, "block"), std::pair(grid, "grid"),
          std::pair(request.shared_bytes.has_value(), "shared"), std::pair(!request.input.empty(), "input")}) {
        if (!asked) continue;
        const auto& kernels = plan.program.source.scan.kernels;  // none where all stand in other files
        return refuse(field, fmt::format("{} runs with its own sizes and data", function.name),
                      "Change them in the file" +
                          (kernels.empty()
                               ? std::string(".")
                               : fmt::format(", or choose one kernel of it with --kernel: {}.", kernels.front().name)));
    }
    return {};
}

/// Only main reads a command line and standard input.
Checked give_words_to_main(const Request& request, const compile::KernelDeclaration& function, const Plan& plan) {
    if (request.command_line.empty() && request.standard_input.empty()) return {};
    if (plan.program.recipe.host && function.parameters.empty()) return {};
    return refuse(
        request.command_line.empty() ? "stdin" : "command line",
        fmt::format("{} reads no command line and no standard input, because it runs without main", function.name),
        "Omit them, or let main run: without --kernel and without launch flags.");
}

/// How many blocks a kernel's own n fills, for another block size to fill as many; nothing where it is no whole number,
/// or where a user's file does not state both in its comments: the n of a launch is that of the file's data.
std::optional<std::uint64_t> usual_blocks(const Program& program, std::uint64_t n) {
    const auto block = evaluate_extent(program.recipe.block, {});
    const auto says = [&](std::string_view key) {
        const auto& lines = program.source.description.lines;
        return std::ranges::find(lines, key, &compile::Directive::key) != lines.end();
    };
    const bool described = program.source.built_in || (says("n") && says("block"));
    if (!described || !block || block->count() == 0 || n % block->count() != 0) return std::nullopt;
    return n / block->count();
}

Checked choose_input_and_n(const Request& request, const Guess& guess, Plan& plan) {
    plan.input = !request.input.empty()               ? request.input
                 : !plan.program.recipe.input.empty() ? plan.program.recipe.input
                                                      : "iota";
    // An unreadable input is refused here; whether its values fit the element type is known when the argument is made.
    if (const auto readable = make_input(plan.input, trace::Element::f64, 0); !readable) {
        return refuse_typed("input", readable.error());
    }
    std::uint64_t& n = plan.variables.n;
    plan.guessed.n = plan.program.recipe.guessed.n && !request.n && !natural_size(request.input);
    if (request.n) {
        n = *request.n;
    } else if (const auto natural = natural_size(request.input); natural && *natural > 0) {
        n = *natural;
        plan.notes.push_back(fmt::format("n is {}, the number of input values.", size_text(n)));
    } else if (guess.n && plan.guessed.n) {
        n = *guess.n;
    } else if (!plan.program.recipe.n.empty()) {
        const auto value = evaluate(plan.program.recipe.n, plan.variables);
        if (!value) return refuse("n", value.error());
        n = *value;
        const std::uint64_t block = request.block_extent ? request.block_extent->count() : request.block.value_or(0);
        const auto blocks = usual_blocks(plan.program, n);
        if (blocks && block >= 1 && block <= model::emulated_device().threads_per_block) n = *blocks * block;
    } else {
        n = default_elements;
    }
    if (n >= 1 && n <= request.most_n) return {};
    return refuse("n", fmt::format("n = {} is out of range", grouped(n)),
                  fmt::format("It is the number of elements, 1 to {}.", size_text(request.most_n)));
}

/// A launch that the kernel's own rule refuses can be run anyway; then the notes have the rule.
Checked keep_rule(const Request& request, Plan& plan, const char* field, const Result<void>& allowed) {
    if (allowed) return {};
    if (request.anyway) {
        plan.notes.push_back(sentence(fmt::format("run anyway: {}", allowed.error().what)));
        plan.notes.push_back(sentence(allowed.error().remedy));
        return {};
    }
    auto refused = refuse(field, allowed.error());
    refused.error().by_rule = true;
    return refused;
}

Checked choose_block(const Request& request, const Guess& guess, Plan& plan) {
    plan.guessed.block = plan.program.recipe.guessed.block && !request.block && !request.block_extent;
    if (guess.block && plan.guessed.block) {
        plan.block = *guess.block;
    } else if (request.block_extent) {
        plan.block = *request.block_extent;
    } else if (request.block) {
        plan.block = {*request.block, 1, 1};
    } else if (!plan.program.recipe.block.empty()) {
        const auto extent = evaluate_extent(plan.program.recipe.block, plan.variables);
        if (!extent) return refuse("block", extent.error());
        plan.block = *extent;
    } else {
        plan.block = {default_threads, 1, 1};
    }
    const model::DeviceLimits& device = model::emulated_device();
    if (const auto excess = model::block_excess(plan.block.sides(), device.threads_per_block, device.block))
        return refuse("block", excess->what, excess->remedy());
    plan.variables.block = plan.block.count();
    return keep_rule(request, plan, "block", check_block(plan.program, plan.block.count()));
}

Checked check_elements(const Request& request, Plan& plan) {
    return keep_rule(request, plan, "n", check_n(plan.program, plan.variables));
}

Checked check_blocks(const std::string& grid, std::uint64_t blocks) {
    if (const auto excess = model::emulated_grid_excess(grid, blocks, most_blocks))
        return refuse("grid", excess->what, excess->remedy());
    return {};
}
Checked check_blocks(std::uint64_t blocks) { return check_blocks(grouped(blocks), blocks); }

Checked set_grid(Plan& plan, const trace::Dim3& grid) {
    plan.grid = grid;
    if (plan.grid.count() == 0) return check_blocks(0);
    if (const auto excess = model::grid_excess(plan.grid.sides(), model::emulated_device().grid))
        return refuse("grid", excess->what, excess->remedy());
    if (auto checked = check_blocks(model::text_of(plan.grid.sides()), plan.grid.count()); !checked) return checked;
    plan.variables.grid = plan.grid.count();
    return {};
}

Checked choose_grid(const Request& request, const Guess& guess, Plan& plan) {
    plan.guessed.grid = plan.program.recipe.guessed.grid && !request.grid && !request.grid_extent;
    if (request.grid_extent) {
        plan.grid = *request.grid_extent;
    } else if (request.grid) {
        if (auto checked = check_blocks(*request.grid); !checked) return checked;
        plan.grid = {static_cast<std::uint32_t>(*request.grid), 1, 1};
    } else {
        const bool timed = request.multiprocessors && !plan.program.recipe.timed.grid.empty();
        // One block stays one: the kernel does not distinguish blocks.
        const bool follows = guess.block && plan.guessed.block && plan.guessed.grid && plan.program.recipe.grid != "1";
        // A guessed block that is wider than high is for a square tile, whose rows it takes in turn.
        trace::Dim3 tile = plan.block;
        if (tile.y > 1) tile.y = std::max(tile.x, tile.y);
        const std::string expression = timed     ? plan.program.recipe.timed.grid
                                       : follows ? grid_for(tile)
                                                 : plan.program.recipe.grid_rule();
        const auto extent = evaluate_extent(expression, plan.variables);
        if (!extent) return refuse("grid", extent.error());
        plan.grid = *extent;
    }
    return set_grid(plan, plan.grid);
}

/// Which blocks the launches of host code have, only its run tells: what is missing then is a note.
Checked check_order(const Request& request, const Plan& plan) {
    const auto order = trace::read_block_order(request.placement.order);
    if (!order || plan.program.recipe.host) return {};
    const std::uint64_t blocks = plan.grid.count();
    const std::vector<std::uint32_t> missing = execute::missing_blocks(*order, blocks);
    if (missing.empty()) return {};
    return refuse("order",
                  fmt::format("the launch has no block {}, which the start order names", grouped(missing.front())),
                  blocks == 1 ? std::string("It has one block, 0.")
                              : fmt::format("Its blocks are 0 to {}.", grouped(blocks - 1)));
}

Checked choose_shared(const Request& request, const Guess& guess, Plan& plan) {
    plan.guessed.shared = plan.program.recipe.guessed.shared && !request.shared_bytes;
    if (guess.shared_bytes && plan.guessed.shared) {
        plan.shared_bytes = *guess.shared_bytes;
    } else if (request.shared_bytes) {
        plan.shared_bytes = *request.shared_bytes;
    } else if (const std::string& shared = plan.program.recipe.shared_rule(request.multiprocessors.has_value());
               !shared.empty()) {
        const auto bytes = evaluate(shared, plan.variables);
        if (!bytes) return refuse("shared", bytes.error());
        plan.shared_bytes = *bytes;
    }
    // The size of the kernel's static arrays is known only when it is compiled.
    const std::uint64_t most = model::emulated_device().shared_bytes_per_block;
    if (const auto excess = model::shared_memory_excess(0, plan.shared_bytes, most))
        return refuse("shared", excess->what, excess->remedy());
    return {};
}

/// Below compute capability 8.0 the headers make ordinary loads and stores of asynchronous copies, which would hide
/// that one is not waited for.
bool copies_asynchronously(const Program& program) {
    const std::vector<compile::Token> tokens = compile::tokenize(program.source.text);
    return std::ranges::any_of(tokens, [](const compile::Token& token) {
        return token.is("__pipeline_memcpy_async") || token.is("memcpy_async");
    });
}

Checked choose_arch(const Request& request, Plan& plan) {
    constexpr unsigned with_asynchronous_copies = 80;
    plan.arch = copies_asynchronously(plan.program) ? with_asynchronous_copies : least_arch;
    if (!plan.program.recipe.limits.arch.empty()) {
        const auto needed = evaluate(plan.program.recipe.limits.arch, plan.variables);
        if (!needed) return refuse("arch", needed.error());
        plan.arch = static_cast<unsigned>(std::min<std::uint64_t>(*needed, ~0U));
    }
    if (request.arch) plan.arch = *request.arch;
    if (is_arch(plan.arch)) {
        if (plan.arch > most_verified_arch)
            plan.notes.push_back(fmt::format(
                "Wavefronts and sectors are counted by the rules of compute capability {}.{}; they were not "
                "compared with a device of {}.{}.",
                most_verified_arch / 10, most_verified_arch % 10, plan.arch / 10, plan.arch % 10));
        return {};
    }
    return refuse("arch", fmt::format("compute capability {} is not supported", plan.arch),
                  fmt::format("It is one of {}, as in --arch 75.", fmt::join(arches(), ", ")));
}

// --- The arguments ---------------------------------------------------------------------------------------------

/// The text of a plan as another guess has it.
std::string guessed_again(const ArgumentPlan& plan, const Guess& guess) {
    const bool whole = !is_float(plan.element);
    const auto replaces = [&](const std::string& value, const std::string& name) {
        return guess.scalar && value == "n" && (guess.sizes_too || !(plan.bounds_threads || names_size(name)));
    };
    if (plan.kind == ArgumentPlan::Kind::value && plan.structure) {
        const auto values = member_values(*plan.structure, plan.plan);
        if (!values) return plan.plan;
        std::string text;
        std::size_t next = 0;
        for (std::size_t i = 0; i < values->size(); ++i) {
            const Structure::Member& member = plan.structure->members[i];
            const bool scalar = !member.pointer && replaces((*values)[i], member.name);
            const std::string own = member.pointer ? guessed_again(plan.members[next++], guess)
                                    : scalar       ? std::to_string(*guess.scalar)
                                                   : (*values)[i];
            text += (text.empty() ? "" : ", ") + own;
        }
        return "{" + text + "}";
    }
    if (plan.kind == ArgumentPlan::Kind::value) {
        if (const auto own = guess.scalars.find(plan.parameter); own != guess.scalars.end() && whole)
            return std::to_string(own->second);
        const bool scalar = whole && replaces(plan.plan, plan.parameter);
        return scalar ? std::to_string(*guess.scalar) : plan.plan;
    }
    const auto elements = guess.elements.find(plan.parameter);
    const std::string size = elements == guess.elements.end() ? plan.size : std::to_string(elements->second);
    if (plan.kind == ArgumentPlan::Kind::zeros) return fmt::format("zeros({})", size);
    const bool filled = !guess.fill.empty() && whole && plan.fill.empty();
    const bool other = !guess.filled_alone.empty() && guess.filled_alone != plan.parameter;
    return fmt::format("input({}){}", size, filled ? " as " + (other ? "ones" : guess.fill) : "");
}

/// A guessed plan, guessed again; a stated one as it is.
ArgumentPlan better_plan(const Program& program, const compile::Parameter& parameter, const ArgumentPlan& plan,
                         const Guess& guess) {
    if (!plan.guessed || plan.plan.empty()) return plan;
    const std::string text = guessed_again(plan, guess);
    if (text == plan.plan) return plan;
    auto better = parse_plan(program, parameter, text, Place{}, &plan);
    if (!better) return plan;
    better->guessed = true;
    return *std::move(better);
}

Checked choose_plans(const Request& request, const Guess& guess, const compile::KernelDeclaration& kernel, Plan& plan) {
    std::vector<std::string> names;
    names.reserve(kernel.parameters.size());
    for (const auto& parameter : kernel.parameters) names.push_back(parameter.name);
    for (const auto& [name, text] : request.arguments) {
        if (std::ranges::find(names, name) != names.end()) continue;
        const std::string known = names.empty() ? "It has none." : fmt::format("It has {}.", fmt::join(names, ", "));
        const std::string hint = did_you_mean(name, names);
        return refuse("argument", fmt::format("{} has no parameter \"{}\"", plan.program.recipe.kernel, name),
                      hint.empty() ? known : hint);
    }
    for (const auto& parameter : kernel.parameters) {
        const auto written = std::ranges::find(plan.program.recipe.arguments, parameter.name, &ArgumentPlan::parameter);
        const ArgumentPlan* before = written == plan.program.recipe.arguments.end() ? nullptr : &*written;
        if (const auto asked = request.arguments.find(parameter.name); asked != request.arguments.end()) {
            auto parsed = parse_plan(plan.program, parameter, asked->second, Place{}, before);
            if (!parsed) {
                Problem problem = parsed.error();
                problem.what = fmt::format("{}={}: {}", parameter.name, asked->second, problem.what);
                return refuse_typed("argument", std::move(problem));
            }
            plan.plans.push_back(std::move(*parsed));
        } else if (before != nullptr) {
            plan.plans.push_back(better_plan(plan.program, parameter, *before, guess));
        } else {
            return refuse(
                "argument",
                fmt::format("{} has no argument for its parameter \"{}\"", plan.program.recipe.kernel, parameter.name),
                fmt::format("Set it with --arg \"{}=...\", or in the file with // lanescope: arg {} = ...",
                            parameter.name, parameter.name));
        }
    }
    return {};
}

/// A guessed grid covers the sizes that the request gives: `rows` of `if (y < rows)`, in the direction of y.
Checked cover_given_sizes(const Request& request, Plan& plan) {
    const bool one_block = plan.program.recipe.grid == "1";  // the kernel does not distinguish blocks
    if (!plan.guessed.grid || one_block || plan.program.recipe.host || request.arguments.empty()) return {};
    const auto value_of = [&](const ArgumentPlan& argument) -> std::optional<std::uint64_t> {
        if (argument.kind != ArgumentPlan::Kind::value || argument.structure || is_float(argument.element))
            return std::nullopt;
        const auto value = evaluate(argument.plan, plan.variables);
        return value ? std::optional(*value) : std::nullopt;
    };
    const auto is_given = [&](const ArgumentPlan& argument) {
        return request.arguments.contains(argument.parameter) && value_of(argument);
    };
    if (std::ranges::none_of(plan.plans, is_given)) return {};
    const auto compiled = compiled_kernel(plan.program);
    if (compiled == nullptr) return {};
    std::array<std::optional<std::uint64_t>, 3> extents;
    std::array<bool, 3> given{};
    std::vector<std::string> covered;
    for (const ptx::ThreadBound& bound : ptx::thread_bounds(compiled->function())) {
        if (bound.axes.count() != 1) continue;  // an index of a whole array bounds neither direction
        const std::size_t axis = bound.axes[0] ? 0 : bound.axes[1] ? 1 : 2;
        std::optional<std::uint64_t> extent;
        for (const std::size_t parameter : bound.parameters) {
            if (parameter >= plan.plans.size()) continue;
            const ArgumentPlan& argument = plan.plans[parameter];
            const auto value = value_of(argument);
            if (!value) continue;
            extent = !extent ? *value : bound.multiplies ? *extent * *value : std::max(*extent, *value);
            if (!is_given(argument)) continue;
            given[axis] = true;
            const std::string text = fmt::format("{} = {}", argument.parameter, grouped(*value));
            if (std::ranges::find(covered, text) == covered.end()) covered.push_back(text);
        }
        if (extent) extents[axis] = std::max(extents[axis].value_or(0), *extent);
    }
    if (covered.empty()) return {};
    std::array<std::uint32_t, 3> sides = plan.grid.sides();
    for (std::size_t axis = 0; axis < sides.size(); ++axis) {
        if (!given[axis]) continue;
        const std::uint64_t block = plan.block.sides()[axis];
        const std::uint64_t blocks = *extents[axis] / block + (*extents[axis] % block != 0 ? 1 : 0);
        if (auto checked = check_blocks(std::max<std::uint64_t>(blocks, 1)); !checked) return checked;
        const std::uint32_t least = request.n ? sides[axis] : 1;  // it covers a stated n, too
        sides[axis] = std::max(least, static_cast<std::uint32_t>(blocks));
    }
    if (sides == plan.grid.sides()) return {};
    plan.notes.push_back(fmt::format("The grid is guessed to cover {}.", fmt::join(covered, ", ")));
    return set_grid(plan, {sides[0], sides[1], sides[2]});
}

/// Chooses a gap between guessed buffers so wide that an index past the end of one does not reach another.
void choose_gap(Plan& plan) {
    const bool guessed = std::ranges::any_of(plan.plans, &ArgumentPlan::guessed);
    if (guessed && !plan.program.recipe.host) plan.gap = execute::gap_beyond_indices;
}

/// Notes the reason for each part of the launch that neither the request nor a second guess has replaced.
void explain_guesses(const Guess& guess, Plan& plan) {
    for (const auto& [part, reason] : plan.program.recipe.guessed.reasons) {
        const bool replaced =
            (part == &GuessedParts::block && guess.block) || (part == &GuessedParts::shared && guess.shared_bytes);
        if (plan.guessed.*part && !replaced) plan.notes.push_back(sentence(reason));
    }
}

/// Notes what is guessed of the launch and the arguments, so that the user can correct it.
void report_guesses(const Request& request, Plan& plan) {
    std::vector<std::string> guesses;
    const auto note = [&](std::string_view what) {
        if (!guesses.empty()) plan.notes.push_back(fmt::format("{}: {}.", what, fmt::join(guesses, ", ")));
        guesses.clear();
    };
    const bool alone = !plan.program.source.built_in && !plan.program.recipe.host;
    if (alone && plan.guessed.block) guesses.push_back(fmt::format("block = {}", extent_text(plan.block)));
    if (alone && plan.guessed.grid) guesses.push_back(fmt::format("grid = {}", extent_text(plan.grid)));
    if (alone && plan.guessed.n) guesses.push_back(fmt::format("n = {}", size_text(plan.variables.n)));
    note("The launch is guessed");
    for (const ArgumentPlan& argument : plan.plans) {
        const bool asked = request.arguments.contains(argument.parameter);
        if (argument.guessed && !asked) guesses.push_back(fmt::format("{} = {}", argument.parameter, argument.plan));
    }
    note("Guessed from the parameters");
    std::vector<std::string> alike;
    for (const ArgumentPlan& argument : plan.plans) {
        const bool asked = request.arguments.contains(argument.parameter);
        if (argument.guessed && !asked && argument.plan == "n") alike.push_back(argument.parameter);
    }
    if (alike.size() > 1)
        plan.notes.push_back(fmt::format("{} have one guessed value, n = {}; --arg {}=VALUE sets one of them.",
                                         fmt::join(alike, ", "), size_text(plan.variables.n), alike.back()));
}

/// Checks the sizes before the buffers are made, because an expression may request any size.
Checked check_buffer_sizes(const Plan& plan) {
    std::uint64_t bytes = 0;
    for (const ArgumentPlan* argument : buffers_of(plan.plans)) {
        for (const std::string* expression : {&argument->count, &argument->size}) {
            if (expression->empty()) continue;
            const auto elements = evaluate(*expression, plan.variables);
            if (!elements) return refuse("argument", elements.error());
            const std::uint64_t element_bytes = bytes_of_element(*argument);
            if (*elements > most_buffer_bytes() / element_bytes || bytes > most_buffer_bytes()) {
                return refuse(
                    "argument",
                    fmt::format("the buffer \"{}\" would have {}", argument->parameter, counted(*elements, "element")),
                    fmt::format("All buffers together have at most {}.", counted(most_buffer_bytes(), "byte")));
            }
            bytes += *elements * element_bytes;
        }
    }
    return {};
}

/// A kernel alone lacks the values that main copies into __constant__ arrays.
void note_constants_of_main(Plan& plan) {
    const Program& program = plan.program;
    const bool sets = program.source.text.find("cudaMemcpyToSymbol") != std::string::npos;
    if (program.recipe.host || !sets || !program.recipe.constants.empty()) return;
    plan.notes.emplace_back(
        "The __constant__ and __device__ variables that host code would initialize are zero, because main() does not "
        "run.");
}

Checked make_constants(Plan& plan) {
    note_constants_of_main(plan);
    if (plan.program.recipe.constants.empty()) return {};
    const auto kernel = compiled_kernel(plan.program);
    for (const auto& [name, text] : plan.program.recipe.constants) {
        const auto variable = kernel == nullptr ? std::nullopt : device_variable(*kernel, name);
        if (!variable || !variable->element) continue;  // the run reports what the compiler refuses
        const auto natural = natural_size(text);
        auto made = make_input(text, variable->element->element, natural.value_or(plan.variables.n));
        if (!made) return refuse("source", made.error());
        plan.symbols.insert_or_assign(name, std::move(made->bytes));
    }
    return {};
}

std::uint32_t add_buffer(Plan& plan, const std::string& name, ArgumentValue& value, bool output) {
    for (std::string& note : value.notes) plan.notes.push_back(sentence(std::move(note)));
    trace::Buffer& buffer = plan.buffers.emplace_back();
    buffer.name = name;
    buffer.element = value.element;
    buffer.bytes = value.bytes.size();
    buffer.output = output;
    buffer.initial = value.bytes;
    // The emulator places them one after the other, in their order.
    const std::size_t index = plan.buffers.size() - 1;
    const trace::Buffer* before = index > 0 ? &plan.buffers[index - 1] : nullptr;
    buffer.address = execute::next_global_address(before != nullptr ? before->address + before->bytes : 0, plan.gap);
    return static_cast<std::uint32_t>(index);
}

/// Buffers for a structure's pointers, their addresses put where the pointers lie.
void place_members(Plan& plan, const ArgumentPlan& structure, ArgumentValue& value) {
    std::size_t next = 0;
    for (const Structure::Member& member : structure.structure->members) {
        if (!member.pointer || next >= value.members.size()) continue;
        const std::string& name = structure.members[next].parameter;
        ArgumentValue& own = value.members[next++];
        if (!own.buffer) continue;
        const std::uint64_t address = plan.buffers[add_buffer(plan, name, own, true)].address;
        std::memcpy(value.bytes.data() + member.offset, &address, sizeof address);
    }
}

Checked make_arguments(const compile::KernelDeclaration& kernel, Plan& plan) {
    for (std::size_t i = 0; i < plan.plans.size(); ++i) {
        const compile::Parameter& parameter = kernel.parameters[i];
        if (parameter.type == "cudaTextureObject_t" || parameter.type == "cudaSurfaceObject_t") {
            return refuse("argument",
                          Problem{.what = fmt::format("the parameter {} is a {}, and no host code creates the "
                                                      "object",
                                                      parameter.name, parameter.type),
                                  .where = plan.plans[i].where,
                                  .remedy = "Open the kernel with a main() that creates it."});
        }
        if (parameter.pointer && parameter.element.ends_with('*') && plan.plans[i].plan.empty()) {
            return refuse("argument", Problem{.what = fmt::format(
                                                  "the parameter {} is a pointer to pointers ({}), and no host code "
                                                  "says what they point to",
                                                  parameter.name, parameter.type),
                                              .where = plan.plans[i].where,
                                              .remedy = "Open the kernel with a main() that allocates the arrays."});
        }
        auto value = make_argument(plan.plans[i], plan.input, plan.variables);
        if (!value) {
            const bool from_input = plan.plans[i].kind == ArgumentPlan::Kind::input && plan.plans[i].fill.empty();
            return refuse_typed(from_input ? "input" : "argument", value.error());
        }
        trace::Argument& argument = plan.arguments.emplace_back();
        argument.name = parameter.name;
        argument.type = parameter.type;
        if (value->buffer) {
            argument.buffer = add_buffer(plan, parameter.name, *value, !parameter.read_only);
            continue;
        }
        if (plan.plans[i].structure) place_members(plan, plan.plans[i], *value);
        argument.value = std::move(value->bytes);
    }
    return {};
}

/// An unknown parameter is mostly one that main would have set.
void explain_missing_main(const Plan& plan, Refusal& refusal) {
    if (refusal.field != "argument") return;
    if (const std::string& why = plan.program.main_refused; !why.empty()) refusal.problem.remedy += " " + sentence(why);
}

}  // namespace

std::vector<const ArgumentPlan*> buffers_of(const std::vector<ArgumentPlan>& plans) {
    std::vector<const ArgumentPlan*> buffers;
    for (const ArgumentPlan& plan : plans) {
        if (plan.kind != ArgumentPlan::Kind::value) buffers.push_back(&plan);
        for (const ArgumentPlan& member : plan.members)
            if (member.kind != ArgumentPlan::Kind::value) buffers.push_back(&member);
    }
    return buffers;
}

std::uint64_t bytes_of_element(const ArgumentPlan& plan) {
    return std::uint64_t{trace::bytes_of(plan.element)} * plan.components;
}

std::expected<Plan, Refusal> plan(const Request& request, const Guess& guess) {
    auto program = find_requested(request);
    if (!program) return std::unexpected(std::move(program.error()));

    Plan plan;
    plan.program = std::move(*program);
    if (request.multiprocessors) {
        plan.variables.multiprocessors = *request.multiprocessors;
        plan.program.recipe.template_arguments = plan.program.recipe.template_rule(true);
    }
    for (const std::string& note : plan.program.notes) plan.notes.push_back(sentence(note));
    const compile::KernelDeclaration* kernel = declaration_of(plan.program.source.scan, plan.program.recipe.kernel);
    if (kernel == nullptr) {
        return refuse("kernel",
                      fmt::format("{} has no kernel \"{}\"", plan.program.source.name, plan.program.recipe.kernel));
    }
    Checked checked = choose_arch(request, plan);
    if (checked) checked = leave_sizes_to_host(request, *kernel, plan);
    if (checked) checked = give_words_to_main(request, *kernel, plan);
    if (checked) checked = choose_input_and_n(request, guess, plan);
    if (checked) checked = choose_block(request, guess, plan);
    if (checked) checked = check_elements(request, plan);
    if (checked) checked = choose_grid(request, guess, plan);
    if (checked) checked = choose_shared(request, guess, plan);
    if (checked) checked = choose_plans(request, guess, *kernel, plan);
    if (checked) explain_guesses(guess, plan);
    if (checked) checked = cover_given_sizes(request, plan);
    if (checked) checked = check_order(request, plan);
    if (checked) report_guesses(request, plan);
    if (checked) choose_gap(plan);
    if (checked) checked = check_buffer_sizes(plan);
    if (checked) checked = make_arguments(*kernel, plan);
    if (checked) checked = make_constants(plan);
    if (!checked) {
        // A kernel that does not compile has no parameters to guess.
        if (checked.error().field == "argument")
            if (auto refused = uncompiled_guess(plan.program, plan.variables))
                return std::unexpected(*std::move(refused));
        explain_missing_main(plan, checked.error());
        return std::unexpected(std::move(checked.error()));
    }

    if (plan.program.source.ptx.empty() && !plan.program.recipe.host) {
        auto instance = instance_of(plan.program, plan.variables);
        if (!instance) return refuse("block", instance.error());
        plan.instance = std::move(*instance);
    } else {
        plan.instance = plan.program.recipe.kernel;
    }
    return plan;
}

}  // namespace lanescope::session
