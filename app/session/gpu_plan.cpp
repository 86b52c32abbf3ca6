#include "session/gpu_plan.h"

#include "base/demangle.h"
#include "base/number_type.h"
#include "base/text.h"
#include "execute/emulator/emulation.h"
#include "ptx/reached.h"
#include "session/element_types.h"
#include "session/input.h"
#include "session/unmeasured.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace lanescope::session {

namespace {

/// "min(2, ceil(n / (2 * block)))" -> "ceil(n / (2 * block))": the 2 is a choice for small pictures.
std::optional<std::string> grid_without_choice(std::string_view grid) {
    constexpr std::string_view begin = "min(";
    if (!grid.starts_with(begin) || !grid.ends_with(')')) return std::nullopt;
    grid.remove_prefix(begin.size());
    grid.remove_suffix(1);
    const std::size_t comma = grid.find(',');
    const std::size_t digits = grid.find_first_not_of("0123456789");
    if (comma == std::string_view::npos || digits != comma) return std::nullopt;
    return std::string(grid.substr(comma + 1));
}

/// The sizes of a reduction to one value a block, launch by launch.
std::optional<std::string> oracle_of_all(std::string_view oracle) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> known{
        {{"block-sum", "sum"}, {"dealt-sum", "sum"}, {"block-min", "min"}, {"block-max", "max"}}};
    const auto found = std::ranges::find(known, oracle, &std::pair<std::string_view, std::string_view>::first);
    return found == known.end() ? std::nullopt : std::optional(std::string(found->second));
}

class Planner {
  public:
    Planner(const Run& small, const GpuSize& size) : small_(small), program_(small.program), size_(size) {}

    Result<GpuPlan> plan() {
        if (program_.recipe.host) return as_run();
        plan_.n = size_.n;
        plan_.block = small_.block;
        plan_.work.ptx = small_.module().text;
        plan_.work.variables = ptx::variables_in_use(small_.module());
        plan_.oracle = program_.recipe.expected.oracle;
        Result<void> done = add_launch(size_.n, std::nullopt);
        plan_.grid = plan_.work.launches.empty() ? 0 : plan_.work.launches.front().grid.count();
        if (done && goes_on()) done = until_one();
        if (!done) return std::unexpected(done.error());
        plan_.bytes = bytes_to_move();
        return std::move(plan_);
    }

  private:
    Result<GpuPlan> as_run() {
        if (std::ranges::find(small_.notes, execute::host_writes_dropped) != small_.notes.end())
            return fail("the host writes too much between the launches to repeat it", {}, "Choose a smaller n.");
        for (const trace::Launch& launch : small_.trace().launches) {
            const ptx::Function* const kernel = small_.module().find(launch.kernel);
            if (kernel != nullptr && ptx::first_texel_access(small_.module(), *kernel) != nullptr)
                return fail(fmt::format("{} accesses textures or surfaces, whose objects exist in the emulator alone",
                                        source_name_of(launch.kernel)),
                            {}, "Time the program itself on the GPU.");
        }
        plan_.work = execute::gpu_program(small_.trace(), small_.module());
        plan_.n = small_.n;
        plan_.block = small_.block;
        plan_.grid = small_.grid;
        plan_.element = small_.verdict.element;
        plan_.bytes = bytes_moved(small_);
        return std::move(plan_);
    }

    Result<trace::Dim3> grid_for(const Variables& variables, bool first) const {
        const std::uint64_t per_block = size_.per_thread.value_or(0) * variables.block;
        if (first && size_.grid) return trace::Dim3{static_cast<std::uint32_t>(*size_.grid), 1, 1};
        if (first && per_block > 0)
            return trace::Dim3{static_cast<std::uint32_t>((variables.n + per_block - 1) / per_block), 1, 1};
        if (!program_.recipe.timed.grid.empty()) return evaluate_extent(program_.recipe.timed.grid, variables);
        const auto free = grid_without_choice(program_.recipe.grid);
        auto extent = evaluate_extent(free.value_or(program_.recipe.grid_rule()), variables);
        if (!extent || !free) return extent;
        const std::uint64_t at_once = std::max<std::uint64_t>(size_.resident_threads / variables.block, 1);
        return trace::Dim3{static_cast<std::uint32_t>(std::min<std::uint64_t>(extent->x, at_once)), 1, 1};
    }

    /// One launch on n elements: of the input, or of the results of an earlier launch in buffer `from`.
    Result<void> add_launch(std::uint64_t n, std::optional<std::uint32_t> from) {
        Variables variables{.n = n, .block = small_.block, .grid = 0, .multiprocessors = size_.multiprocessors};
        const auto grid = grid_for(variables, !from);
        if (!grid) return std::unexpected(grid.error());
        variables.grid = grid->count();
        if (const auto allowed = check_n(program_, variables); !allowed) return allowed;
        const auto instance = instance_of(program_, variables);
        if (!instance) return std::unexpected(instance.error());
        Variables of_small = variables;
        of_small.n = small_.n;
        of_small.grid = small_.grid;
        if (*instance != instance_of(program_, of_small))
            return fail(
                "for this many elements the kernel needs another template instance, which the emulator has not run");

        const trace::Launch& known = small_.trace().launches.front();
        execute::GpuLaunch launch{.kernel = known.kernel, .grid = *grid, .block = known.block};
        if (small_.request.shared_bytes) {
            launch.dynamic_shared_bytes = *small_.request.shared_bytes;
        } else if (const std::string& shared = program_.recipe.shared_rule(true); !shared.empty()) {
            const auto bytes = evaluate(shared, variables);
            if (!bytes) return std::unexpected(bytes.error());
            launch.dynamic_shared_bytes = *bytes;
        }
        for (std::size_t i = 0; i < small_.arguments.size(); ++i) {
            auto argument = argument_for(i, variables, from);
            if (!argument) return std::unexpected(argument.error());
            launch.arguments.push_back(std::move(*argument));
        }
        plan_.work.launches.push_back(std::move(launch));
        return {};
    }

    Result<execute::GpuArgument> argument_for(std::size_t index, const Variables& variables,
                                              std::optional<std::uint32_t> from) {
        const ArgumentPlan& argument = small_.arguments[index];
        if (!argument.members.empty() || (argument.structure && argument.kind == ArgumentPlan::Kind::input))
            return fail(fmt::format("{} has structures with pointers or an array of structures, which is not "
                                    "timed yet",
                                    argument.parameter),
                        {}, "Pass the pointers as separate parameters.");
        if (argument.kind == ArgumentPlan::Kind::value) {
            auto value = make_argument(argument, small_.input, variables);
            if (!value) return std::unexpected(value.error());
            return execute::GpuArgument{.buffer = {}, .value = std::move(value->bytes)};
        }
        const auto count = evaluate(argument.count, variables);
        if (!count) return std::unexpected(count.error());
        const auto size = evaluate(argument.size, variables);
        if (!size) return std::unexpected(size.error());
        const std::uint64_t unit = std::uint64_t{argument.components} * trace::bytes_of(argument.element);
        const std::uint64_t bytes = std::max(*count, *size) * unit;
        const bool input = argument.kind == ArgumentPlan::Kind::input;
        auto& buffers = plan_.work.buffers;
        if (input && from) {
            // Zeros after the results are padding.
            buffers[*from].bytes = std::max(buffers[*from].bytes, bytes);
            return execute::GpuArgument{.buffer = from, .value = {}};
        }
        const trace::Buffer& known = small_.trace().buffers[*small_.trace().launches.front().arguments[index].buffer];
        execute::GpuBuffer buffer{.name = argument.parameter,
                                  .element = argument.element,
                                  .bytes = bytes,
                                  .period = {},
                                  .filled = 0,
                                  .written = known.output,
                                  .result = known.output};
        const auto number = static_cast<std::uint32_t>(buffers.size());
        if (input) {
            const std::uint64_t elements = *count * argument.components;
            auto made = make_input(argument.fill.empty() ? small_.input : argument.fill, argument.element,
                                   std::min(elements, input_period));
            if (!made) return std::unexpected(made.error());
            buffer.period = std::move(made->bytes);
            buffer.filled = *count * unit;
            plan_.inputs.push_back(number);
        }
        if (argument.parameter == program_.recipe.expected.output) {
            plan_.output = number;
            plan_.element = argument.element;
            const auto slice =
                evaluate(program_.recipe.expected.slice.empty() ? "block" : program_.recipe.expected.slice, variables);
            if (!slice) return std::unexpected(slice.error());
            if (!from) plan_.slice = *slice;
        }
        buffers.push_back(std::move(buffer));
        filled_.push_back(is_filled(known, small_.n));
        return execute::GpuArgument{.buffer = number, .value = {}};
    }

    /// One value a block of the same type: the kernel can run again on its own results.
    [[nodiscard]] bool goes_on() const {
        const bool one_input = plan_.inputs.size() == 1 && plan_.output;
        return size_.until_one && one_input && oracle_of_all(program_.recipe.expected.oracle) && values_left() > 1 &&
               plan_.work.buffers[plan_.inputs.front()].element == plan_.element;
    }

    [[nodiscard]] std::uint64_t values_left() const { return plan_.work.launches.back().grid.count(); }

    Result<void> until_one() {
        for (std::uint64_t before = plan_.n; values_left() > 1;) {
            const std::uint64_t left = values_left();
            if (left >= before) return fail("each launch leaves as many values as it reads");
            before = left;
            plan_.work.buffers[*plan_.output].result = false;
            if (const auto done = add_launch(left, plan_.output); !done) return done;
        }
        plan_.until_one = true;
        plan_.oracle = *oracle_of_all(program_.recipe.expected.oracle);
        return {};
    }

    [[nodiscard]] std::uint64_t bytes_to_move() const {
        std::uint64_t bytes = 0;
        for (const std::uint32_t input : plan_.inputs) bytes += plan_.work.buffers[input].filled;
        for (std::size_t index = 0; index < plan_.work.buffers.size(); ++index) {
            const execute::GpuBuffer& buffer = plan_.work.buffers[index];
            const std::uint64_t all = plan_.n * trace::bytes_of(buffer.element);
            if (buffer.result && buffer.filled == 0 && filled_[index] && buffer.bytes >= all) bytes += all;
        }
        return bytes;
    }

    const Run& small_;
    const Program& program_;
    const GpuSize& size_;
    GpuPlan plan_;
    std::vector<bool> filled_;  // of plan_.work.buffers, by the small run
};

}  // namespace

Result<GpuPlan> plan_for_gpu(const Run& small, const GpuSize& size) { return Planner(small, size).plan(); }

bool grid_is_free(const Program& program) {
    if (!program.recipe.timed.grid.empty())
        return program.recipe.timed.grid.find("multiprocessors") != std::string::npos;
    return grid_without_choice(program.recipe.grid).has_value();
}

execute::Program emulation_of(const GpuPlan& plan, const Run& small) {
    execute::Program program;
    program.origin = small.trace().origin;
    program.origin.n = plan.n;
    for (const execute::GpuBuffer& buffer : plan.work.buffers) {
        trace::Buffer& made = program.buffers.emplace_back();
        made.name = buffer.name;
        made.element = buffer.element;
        made.bytes = buffer.bytes;
        made.output = buffer.result;
        made.initial.resize(buffer.bytes);
        if (buffer.filled == 0) continue;
        std::byte* const initial = made.initial.writable();
        for (std::uint64_t at = 0; at < buffer.filled; at += buffer.period.size()) {
            const std::uint64_t count = std::min<std::uint64_t>(buffer.period.size(), buffer.filled - at);
            std::memcpy(initial + at, buffer.period.data(), count);
        }
    }
    const std::vector<trace::Argument>& known = small.trace().launches.front().arguments;
    for (const execute::GpuLaunch& launch : plan.work.launches) {
        execute::LaunchRequest& request = program.launches.emplace_back();
        request.kernel = launch.kernel;
        request.grid = launch.grid;
        request.block = launch.block;
        request.dynamic_shared_bytes = launch.dynamic_shared_bytes;
        for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
            request.arguments.push_back({.name = known[i].name,
                                         .type = known[i].type,
                                         .buffer = launch.arguments[i].buffer,
                                         .value = launch.arguments[i].value});
        }
    }
    return program;
}

timing::Point untimed_point(const Program& program, const GpuPlan& plan) {
    return {.kernel = program.name,
            .element = std::string(trace::name_of(plan.element)),
            .n = plan.n,
            .block = plan.block,
            .grid = plan.grid,
            .launches = static_cast<std::uint32_t>(plan.work.launches.size()),
            .bytes = plan.bytes,
            .time = {},
            .check = {},
            .until_one = plan.until_one,
            .apart = plan.work.host_between(),
            .counts = {},
            .printed = {}};
}

std::optional<std::string> kernel_of_type(const Program& program, std::string_view type, bool timed) {
    std::vector<std::string> arguments = program.recipe.template_rule(timed);
    bool found = false, other = false;
    const auto size = [](std::string_view of) {
        const auto number = number_type(of);
        return number ? number->bytes : 0;
    };
    for (std::string& argument : arguments) {
        if (std::ranges::find(common_types, trimmed(argument)) == common_types.end()) continue;
        if (!program.recipe.elements.reason.empty() && size(trimmed(argument)) != size(type)) return std::nullopt;
        found = true;
        other = other || trimmed(argument) != type;
        argument = type;
    }
    if (!found && !program.recipe.elements.names.empty() && is_element_type(type)) {
        const auto source = with_elements_of(program, type);
        if (!source) return std::nullopt;
        return *source == program.source.text ? std::string() : fmt::format("{}<{}>", program.recipe.kernel, type);
    }
    if (!found) return std::nullopt;
    return other ? fmt::format("{}<{}>", program.recipe.kernel, fmt::join(arguments, ", ")) : std::string();
}

std::vector<std::string> claimed_kernels(const Program& program) {
    std::vector<std::string> kernels;
    for (const std::string_view type : element_types) {
        const auto kernel = kernel_of_type(program, type, false);
        if (kernel && !kernel->empty()) kernels.push_back(*kernel);
    }
    for (const std::vector<std::string>& instance : program.recipe.instances)
        kernels.push_back(fmt::format("{}<{}>", program.recipe.kernel, fmt::join(instance, ", ")));
    return kernels;
}

}  // namespace lanescope::session
