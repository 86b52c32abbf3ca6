// Counters recorded elsewhere, beside the emulator's counts of the same launches.
#include "base/grouped.h"
#include "cli/counters_report.h"
#include "cli/gpu_commands.h"
#include "session/launch_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::cli {

namespace {

using timing::CountedKernel;

/// Fails if the requested size differs from the recorded one.
Result<void> is_the_launch(const session::Request& asked, const CountedKernel& kernel) {
    const auto block = asked.block_extent ? std::optional(asked.block_extent->count())
                       : asked.block      ? std::optional<std::uint64_t>(*asked.block)
                                          : std::nullopt;
    const bool other = (asked.n && *asked.n != kernel.n) || (block && *block != kernel.block) ||
                       (!asked.input.empty() && asked.input != kernel.input);
    if (!other) return {};
    return fail(fmt::format("{} was counted with n = {}, blocks of {} and the input {} only", kernel.kernel,
                            size_text(kernel.n), grouped(kernel.block), kernel.input),
                {}, "Omit --n, --block and --input, or count on a machine with a GPU and Nsight Compute.");
}

}  // namespace

Result<std::vector<ComparedCounters>> compared_with(const timing::CounterRecording& recording,
                                                    const CountersOptions& options, Progress& progress) {
    std::vector<ComparedCounters> all;
    for (const CountersTrial& trial : counters_trials(options)) {
        const auto kernel = std::ranges::find_if(recording.kernels, [&](const CountedKernel& one) {
            return one.kernel == trial.program && one.view == session::name_of(trial.view) &&
                   one.optimized == trial.optimized;
        });
        if (kernel == recording.kernels.end() && options.programs.empty()) continue;
        ComparedCounters& compared = all.emplace_back();
        compared.emulated.trial = trial;
        if (kernel == recording.kernels.end()) {
            compared.emulated.why = "the recording does not contain it";
            continue;
        }
        if (const auto same = is_the_launch(options.sizes.launch, *kernel); !same) return std::unexpected(same.error());
        session::Request request = usual_request(options.sizes, trial.program, trial.view);
        request.n = kernel->n;
        request.block = kernel->block;
        request.block_extent.reset();
        request.input = kernel->input;
        const auto run = session::run(request, progress);
        if (!run) {
            if (progress.cancelled()) return all;
            compared.emulated.why = run.error().problem.message();
            continue;
        }
        compared.emulated.take(**run);
        if (compared.emulated.launches.size() == kernel->launches.size())
            compared.counted = kernel->launches;
        else
            compared.emulated.why = "the recording has a different number of launches";
    }
    if (std::ranges::all_of(all, [](const ComparedCounters& one) { return one.counted.empty(); }))
        return fail(fmt::format("the counters recorded on {} ({}) lack this kernel", recording.device, recording.date),
                    {}, "`lanescope list` lists the built-in kernels.");
    return all;
}

}  // namespace lanescope::cli
