#include "cli/time_jobs.h"

#include "base/grouped.h"
#include "base/whole_number.h"
#include "cli/table.h"
#include "session/gpu_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace lanescope::cli {

namespace {

std::vector<std::string> programs_of(const TimeOptions& options) {
    return options.programs.empty() ? session::sound_programs() : options.programs;
}

/// The kernel's element type: that of its output, otherwise of its first buffer.
std::string_view type_of(const session::Program& program) {
    const auto output =
        std::ranges::find(program.recipe.arguments, program.recipe.expected.output, &session::ArgumentPlan::parameter);
    if (output != program.recipe.arguments.end()) return trace::name_of(output->element);
    const auto buffer = std::ranges::find_if(program.recipe.arguments, [](const session::ArgumentPlan& argument) {
        return argument.kind != session::ArgumentPlan::Kind::value;
    });
    return buffer == program.recipe.arguments.end() ? std::string_view() : trace::name_of(buffer->element);
}

/// Sizes beyond the kernel's limit become that limit, once.
bool keep_to_limit(const session::Program& program, std::vector<TimeJob>& jobs) {
    std::vector<TimeJob> kept;
    bool changed = false;
    for (TimeJob job : jobs) {
        const auto most = session::largest_n(program, {.n = job.n, .block = job.block, .grid = 1});
        if (most && job.n > *most) {
            job.n = *most;
            changed = true;
        }
        if (std::ranges::find(kept, job) == kept.end()) kept.push_back(job);
    }
    jobs = std::move(kept);
    return changed;
}

std::vector<TimeJob> jobs_of(const TimeOptions& options, bool free_grid) {
    std::vector<TimeJob> jobs;
    for (const std::uint64_t n : options.n) {
        for (const std::uint32_t block : options.blocks) {
            const bool chosen = free_grid && !(options.grids.empty() && options.per_thread.empty());
            if (!chosen) jobs.push_back({.n = n, .block = block});
            if (!free_grid) continue;
            for (const std::uint64_t grid : options.grids) jobs.push_back({.n = n, .block = block, .grid = grid});
            for (const std::uint64_t elements : options.per_thread)
                jobs.push_back({.n = n, .block = block, .grid = 0, .per_thread = elements});
        }
    }
    return jobs;
}

}  // namespace

std::string text_of(const TimeJob& job) {
    return fmt::format("{}:{}:{}:{}", job.n, job.block, job.grid, job.per_thread);
}

Result<TimeJob> read_job(std::string_view text) {
    const auto malformed = [&] { return fail(fmt::format("--jobs cannot be \"{}\"", text)); };
    std::array<std::uint64_t, 4> numbers{};
    std::string_view rest = text;
    for (std::uint64_t& number : numbers) {
        const auto taken = take_number<std::uint64_t>(rest);
        if (!taken) return malformed();
        number = *taken;
        if (rest.empty()) break;
        if (!rest.starts_with(':')) return malformed();
        rest.remove_prefix(1);
    }
    if (!rest.empty()) return malformed();
    return TimeJob{
        .n = numbers[0], .block = static_cast<std::uint32_t>(numbers[1]), .grid = numbers[2], .per_thread = numbers[3]};
}

Result<std::vector<TimeGroup>> groups_of(const TimeOptions& options) {
    std::vector<TimeGroup> groups;
    for (const std::string& name : programs_of(options)) {
        session::Request request = options.launch;
        request.program = name;
        request.kernel = options.kernel;
        const auto program = session::find_requested(request);
        if (!program) return std::unexpected(program.error().problem);
        TimeGroup group{.program = name,
                        .name = program->name,
                        .kernel = options.kernel,
                        .jobs = jobs_of(options, session::grid_is_free(*program)),
                        .why = {}};
        if (!options.anyway && keep_to_limit(*program, group.jobs))
            group.why = program->recipe.limits.n_reason.empty() ? "The kernel takes at most this many elements."
                                                                : program->recipe.limits.n_reason;
        bool any = false;
        for (const std::string& type : options.types) {
            const auto kernel = session::kernel_of_type(*program, type);
            TimeGroup of_type = group;
            of_type.type = type;
            if (!kernel && type_of(*program) != type) {
                // A user's own kernel has its own type.
                if (!program->source.built_in) continue;
                of_type.jobs.clear();
                of_type.why = session::why_no_other_type(*program);
            } else {
                if (kernel && !kernel->empty()) of_type.kernel = *kernel;
                any = true;
            }
            groups.push_back(std::move(of_type));
        }
        // A kernel requested by name is measured with any type.
        if (options.types.empty() || (!any && !options.programs.empty())) groups.push_back(std::move(group));
    }
    return groups;
}

std::string describe(const TimeGroup& group, const TimeJob& job) {
    std::string text = group.name;
    if (!group.type.empty()) text += fmt::format(" of {}", group.type);
    text += fmt::format(", n = {}, block {}", size_text(job.n), grouped(job.block));
    if (job.grid != 0) text += fmt::format(", {}", counted(job.grid, "block"));
    if (job.per_thread != 0) text += fmt::format(", {} per thread", counted(job.per_thread, "element"));
    return text;
}

bool is_measured(const timing::Recording& recording, const TimeGroup& group, const TimeJob& job) {
    const std::uint64_t per_block = job.per_thread * job.block;
    const std::uint64_t grid = per_block > 0 ? (job.n + per_block - 1) / per_block : job.grid;
    const auto of_type = [&](const std::string& element) { return group.type.empty() || element == group.type; };
    const auto same = [&](const auto& item) {
        return item.kernel == group.name && of_type(item.element) && item.n == job.n && item.block == job.block;
    };
    return std::ranges::any_of(recording.points,
                               [&](const timing::Point& p) { return same(p) && (grid == 0 || p.grid == grid); }) ||
           std::ranges::any_of(recording.omissions, same);
}

}  // namespace lanescope::cli
