#include "analysis/warp_picture.h"

#include "analysis/launch_shape.h"
#include "analysis/usefulness.h"

#include <algorithm>

namespace lanescope::analysis {

double WarpRow::efficiency() const {
    if (warp_instructions == 0) return 0;
    return static_cast<double>(useful_lanes) / (warp_size * static_cast<double>(warp_instructions));
}

WarpPicture warp_picture(const trace::Trace& trace, const Provenance& provenance, const BlockPasses& passes,
                         PassId id) {
    const trace::Launch& launch = trace.launches[passes.launch];
    const Pass& pass = passes.passes[id.index()];
    WarpPicture picture;
    picture.rows.resize((threads_of(launch) + warp_size - 1) / warp_size);
    for (std::uint32_t w = 0; w < picture.rows.size(); ++w) {
        picture.rows[w].warp = WarpId(w);
        picture.rows[w].threads = lanes_of(launch, WarpId(w));
    }
    for (std::size_t index = pass.first; index < pass.past_last; ++index) {
        const StepId step_id = passes.steps[index];
        const trace::Step& step = trace.step(step_id);
        WarpRow& row = picture.rows[step.warp.index()];
        row.useful |= lanes_with_results(trace, provenance, step_id);
        row.ran |= step.executed;
        row.warp_instructions += step.executed.any() ? 1 : 0;
        row.useful_lanes += (provenance.useful(step_id) & step.executed).count();
    }
    // Who had left before is known from the warp's own last step up to here.
    std::vector<bool> known(picture.rows.size());
    for (std::size_t index = pass.past_last; index-- > 0;) {
        const trace::Step& step = trace.step(passes.steps[index]);
        if (known[step.warp.index()]) continue;
        known[step.warp.index()] = true;
        LaneMask gone = provenance.exited(passes.steps[index]);
        if (index < pass.first) {
            for (const trace::Effect& effect : trace.effects(step)) {
                if (effect.kind == trace::EffectKind::exit) gone |= effect.lanes;
            }
        }
        picture.rows[step.warp.index()].exited = gone;
        if (std::ranges::all_of(known, [](bool warp) { return warp; })) break;
    }
    for (WarpRow& row : picture.rows) {
        row.ran &= ~row.useful;
        row.exited &= ~(row.useful | row.ran);
        row.masked = row.threads & ~(row.useful | row.ran | row.exited);
    }
    return picture;
}

}  // namespace lanescope::analysis
