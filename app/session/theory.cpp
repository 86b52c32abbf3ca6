#include "session/theory.h"

#include "base/fnv1a.h"
#include "base/grouped.h"
#include "session/input.h"
#include "session/launch_values.h"
#include "session/source_file.h"
#include "timing/recording_library.h"
#include "timing/steps.h"
#include "trace/file.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::session {

namespace {

constexpr std::uint64_t largest_size = std::uint64_t{1} << 14;

/// The times of every shipped recording that has timed the program at this size, in blocks of this size.
std::vector<analysis::TimedBytes> times_of(const Run& run) {
    std::vector<analysis::TimedBytes> times;
    const timing::Setting setting{
        .n = run.n, .block = run.block, .element = std::string(trace::name_of(run.verdict.element))};
    for (const timing::LibraryEntry& entry : timing::shipped_recordings().all()) {
        const auto at = timing::point_of(entry.recording, run.program.name, setting);
        if (!at) continue;
        const timing::Point& point = entry.recording.points[*at];
        const std::uint64_t size = trace::bytes_of(run.verdict.element);
        if (point.element != setting.element || !point.agrees || point.time.median <= 0 || point.bytes == 0) continue;
        times.push_back({.device = timing::label(entry.recording),
                         .elements = point.bytes / size,
                         .element_bytes = size,
                         .bytes = point.bytes,
                         .microseconds = point.time.median});
    }
    return times;
}

}  // namespace

std::vector<analysis::ClosedForm> closed_forms(const Run& run) {
    std::vector<analysis::ClosedForm> forms;
    // The formulas assume full blocks: zeros that fill the last one are added, too.
    for (const trace::Buffer& buffer : run.trace().buffers) {
        if (buffer.bytes / trace::bytes_of(buffer.element) > run.n && holds_input(buffer)) return forms;
    }
    // They assume as many blocks as N needs: with fewer, some elements are left out.
    if (const auto usual = evaluate_extent(run.program.recipe.grid, {.n = run.n, .block = run.block, .grid = run.grid});
        !run.program.recipe.grid.empty() && usual && usual->count() != run.grid)
        return forms;
    const auto add = [&](const char* name, const std::string& expression, std::optional<std::uint64_t> measured) {
        if (expression.empty()) return;
        if (const auto value = evaluate(expression, {.n = run.n, .block = run.block, .grid = run.grid}))
            forms.push_back({name, expression, *value, measured});
    };
    add("work", run.program.lesson.work, run.analysis->work);
    add("span", run.program.lesson.span, run.analysis->span);
    return forms;
}

analysis::TheoryPicture theory_of(const Run& run, std::uint32_t launch) {
    analysis::TheoryPicture picture = analysis::theory_picture(*run.analysis, run.n, launch);
    picture.forms = closed_forms(run);
    picture.times = times_of(run);
    return picture;
}

std::string WorkBySize::identity() const {
    LaunchValues values = values_of(request);
    using enum LaunchField;
    for (const LaunchField field : {n, block, grid, record}) values[field].clear();  // `sizes` has them
    std::string text = fmt::format("{:016x} {}", source, values.anyway);
    for (const std::string& value : values.text) text += '\n' + value;
    for (const auto& [name, value] : values.arguments) text += fmt::format("\n{}={}", name, value);
    for (const Size& size : sizes) text += fmt::format("\n{} {}", size.n, size.block);
    return text;
}

WorkBySize work_by_size(const Run& run) {
    WorkBySize found{.request = run.request,
                     .source = fnv1a(run.program.source.text + run.program.source.ptx),
                     .sizes = {},
                     .note = {}};
    const trace::Launch& launch = run.trace().launches.front();
    // A host function without parameters, such as main, takes no N.
    const compile::KernelDeclaration* const called = declaration_of(run.program.source.scan, run.program.recipe.kernel);
    const bool takes_n = called == nullptr || !called->parameters.empty();
    if (run.program.recipe.host && (run.n == 0 || !takes_n)) {
        found.note = "Its host code chooses the sizes: the work at other sizes is not measured.";
    } else if (trace::is_trace_file(run.request.program)) {
        found.note = "A saved trace has one size.";
    } else if (run.n < 2) {
        found.note = "It has no N: the work at other sizes is not measured.";
    } else if (launch.block.y != 1 || launch.block.z != 1 || launch.grid.y != 1 || launch.grid.z != 1) {
        found.note = "Its launch has several dimensions: the work at other sizes is not measured.";
    }
    if (!found.note.empty()) return found;
    found.request.block_extent.reset();
    found.request.grid.reset();
    found.request.grid_extent.reset();
    found.request.record_blocks = most_blocks;
    const bool one = launch.grid.count() == 1;
    const std::uint64_t per_thread = std::max<std::uint64_t>((run.n + run.block - 1) / run.block, 1);
    found.note =
        one ? fmt::format("In one block that grows with N: {} for each thread.", counted(per_thread, "element"))
            : fmt::format("In blocks of {}.", counted(run.block, "thread"));
    found.note += " Sizes that the kernel refuses or has findings at are left out.";
    const std::uint64_t most_threads = model::emulated_device().threads_per_block;
    for (std::uint64_t n = 2; n <= largest_size; n *= 2) {
        const std::uint64_t block = one ? (n + per_thread - 1) / per_thread : run.block;
        if (block > most_threads || (!one && n < block)) continue;
        found.sizes.push_back({.n = n, .block = static_cast<std::uint32_t>(block)});
    }
    return found;
}

void measure_work(const WorkBySize& sizes, Progress& progress,
                  const std::function<void(const analysis::WorkAtSize&)>& found) {
    for (std::size_t i = 0; i < sizes.sizes.size() && !progress.cancelled(); ++i) {
        progress.report(static_cast<float>(i) / static_cast<float>(sizes.sizes.size()));
        progress.say(fmt::format("N = {}", size_text(sizes.sizes[i].n)));
        Request request = sizes.request;
        request.n = sizes.sizes[i].n;
        request.block = sizes.sizes[i].block;
        Progress of_run(&progress);  // the share is that of all runs
        const auto ran = run(request, of_run);
        if (!ran) continue;
        const Run& at = **ran;
        const bool sound = at.trace().findings.empty() && !at.trace().is_cut_short();
        if (sound && at.n == request.n && at.analysis->work && at.analysis->span) {
            const bool of_addresses = *at.analysis->work == 0;
            analysis::WorkAtSize size{.n = at.n,
                                      .block = at.block,
                                      .grid = at.grid,
                                      .work = of_addresses ? at.analysis->address_work.value_or(0) : *at.analysis->work,
                                      .span = *at.analysis->span,
                                      .form = {}};
            for (const analysis::ClosedForm& form : closed_forms(at)) {
                if (form.name == "work") size.form = form.value;
            }
            found(size);
        }
        if (at.trace().step_count() > most_steps_recorded) return;
    }
}

analysis::TheoryPicture theory_with_sizes(const Run& run, std::uint32_t launch, Progress& progress) {
    analysis::TheoryPicture picture = theory_of(run, launch);
    const WorkBySize sizes = work_by_size(run);
    picture.work_note = sizes.note;
    measure_work(sizes, progress, [&](const analysis::WorkAtSize& at) { picture.work_by_size.push_back(at); });
    return picture;
}

}  // namespace lanescope::session
