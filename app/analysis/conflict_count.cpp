#include "analysis/conflict_count.h"

#include "analysis/access.h"
#include "model/model.h"

namespace lanescope::analysis {
namespace {

/// Wavefronts that follow another of the same group of lanes.
std::uint64_t conflicts_of(const trace::Trace& trace, const trace::Effect& effect, const model::BankModel& banks) {
    const std::vector<model::Wavefront> wavefronts = model::shared_schedule(
        access_of(effect, nullptr), bytes_per_lane(effect), addresses_of(trace, effect), effect.lanes, banks);
    std::uint64_t conflicts = 0;
    for (std::size_t i = 1; i < wavefronts.size(); ++i)
        if (wavefronts[i].group == wavefronts[i - 1].group) ++conflicts;
    return conflicts;
}

}  // namespace

std::vector<std::optional<SharedConflicts>> shared_conflicts(const trace::Trace& trace) {
    std::vector<std::optional<SharedConflicts>> launches;
    for (const trace::Launch& launch : trace.launches) {
        const bool whole = launch.recorded.size() == launch.grid.count();
        launches.push_back(whole ? std::optional(SharedConflicts()) : std::nullopt);
    }
    const model::BankModel banks = banks_of(trace);
    for (std::uint32_t i = 0; i < trace.step_count(); ++i) {
        const trace::Step& step = trace.step(StepId(i));
        std::optional<SharedConflicts>& launch = launches[step.launch];
        if (!launch) continue;
        for (const trace::Effect& effect : trace.effects(step)) {
            if (effect.space != trace::Space::shared) continue;
            if (effect.kind == trace::EffectKind::load) launch->loads += conflicts_of(trace, effect, banks);
            if (effect.kind == trace::EffectKind::store) launch->stores += conflicts_of(trace, effect, banks);
        }
    }
    return launches;
}

}  // namespace lanescope::analysis
