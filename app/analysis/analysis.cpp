#include "analysis/analysis.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

namespace lanescope::analysis {

/// Results of earlier questions. Entries never move nor disappear, so that references to them stay valid.
struct Analysis::Memo {
    std::mutex mutex;
    std::map<std::pair<std::uint32_t, BlockId>, BlockPasses> passes;
    std::map<std::pair<std::uint32_t, BlockId>, Picture> pictures;
};

const BlockPasses& Analysis::block_passes(std::uint32_t launch, BlockId block) const {
    const std::scoped_lock lock(memo->mutex);
    const auto found = memo->passes.find({launch, block});
    if (found != memo->passes.end()) return found->second;
    return memo->passes.emplace(std::pair{launch, block}, passes_of(*trace, *module, *provenance, launch, block))
        .first->second;
}

const Picture& Analysis::picture(std::uint32_t launch, BlockId block) const {
    const BlockPasses& of = block_passes(launch, block);
    const std::scoped_lock lock(memo->mutex);
    const auto found = memo->pictures.find({launch, block});
    if (found != memo->pictures.end()) return found->second;
    return memo->pictures.emplace(std::pair{launch, block}, picture_of(view(of))).first->second;
}

std::shared_ptr<const Analysis> analyze(std::shared_ptr<const trace::Trace> trace,
                                        std::shared_ptr<const ptx::Module> module, Progress& progress) {
    const auto result = std::make_shared<Analysis>();
    result->memo = std::make_shared<Analysis::Memo>();
    result->trace = std::move(trace);
    result->module = std::move(module);
    const trace::Trace& of = *result->trace;
    progress.report(0);
    result->provenance = std::make_shared<const Provenance>(result->trace, *result->module);
    constexpr float followed = 0.5F, cut = 0.8F;  // progress after the data flow and after the passes, 0 to 1
    for (std::uint32_t launch = 0; launch < of.launches.size(); ++launch) {
        // A cancelled analysis returns its results so far.
        if (progress.cancelled()) return result;
        progress.report(std::lerp(followed, cut, static_cast<float>(launch) / static_cast<float>(of.launches.size())));
        const auto passes = grid_passes(
            of, launch, [&](BlockId block) -> const BlockPasses& { return result->block_passes(launch, block); });
        result->passes.insert(result->passes.end(), passes.begin(), passes.end());
    }
    result->totals = of.totals();
    result->totals.operations = 0;
    for (const GridPass& pass : result->passes) result->totals.operations += pass.counts.operations;
    const bool known = of.all_recorded() && std::ranges::all_of(result->passes, [](const GridPass& pass) {
                           return pass.useful_lanes.has_value();
                       });
    if (known) {
        result->work = result->provenance->work();
        result->span = result->provenance->span();
        result->useful_lanes = result->address_work = 0;
        for (const GridPass& pass : result->passes) {
            *result->useful_lanes += *pass.useful_lanes;
            *result->address_work += pass.address_work.value_or(0);
        }
    }
    progress.report(cut);
    result->lines = line_costs(of, *result->module, *result->provenance);
    progress.report(1);
    return result;
}

}  // namespace lanescope::analysis
