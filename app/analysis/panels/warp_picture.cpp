#include "analysis/panels/warp_picture.h"

#include "analysis/dataflow/usefulness.h"
#include "analysis/launch_shape.h"

#include <algorithm>

namespace lanescope::analysis {

namespace {

/// The warps with the lanes that work in the pass; exited lanes are not known yet.
WarpPicture at_work(const BlockView& block, const Pass& pass) {
    const trace::Launch& launch = block.launch();
    WarpPicture picture;
    picture.rows.resize((threads_of(launch) + warp_size - 1) / warp_size);
    for (std::uint32_t w = 0; w < picture.rows.size(); ++w) {
        picture.rows[w].warp = WarpId(w);
        picture.rows[w].threads = lanes_of(launch, WarpId(w));
    }
    std::vector<LaneMask> known(picture.rows.size());  // useful lanes whose use is known
    std::vector<LaneMask> wasted(picture.rows.size());
    for (std::size_t index = pass.first; index < pass.past_last; ++index) {
        const StepId step_id = block.passes.steps[index];
        const trace::Step& step = block.trace.step(step_id);
        WarpRow& row = picture.rows[step.warp.index()];
        row.useful |= lanes_with_results(block.trace, block.provenance, step_id);
        row.unknown |= block.provenance.unknown_use(step_id) & step.executed;
        known[step.warp.index()] |=
            lanes_with_results(block.trace, block.provenance, step_id) & ~block.provenance.unknown_use(step_id);
        row.decided |= block.provenance.useful(step_id) & step.executed & ~exiting_lanes(block.trace, step);
        wasted[step.warp.index()] |= lanes_with_wasted_results(block.trace, block.provenance, step_id);
        row.ran |= step.executed;
        row.warp_instructions += step.executed.any() ? 1 : 0;
        row.useful_lanes += (block.provenance.useful(step_id) & step.executed).count();
    }
    for (WarpRow& row : picture.rows) {
        row.decided &= ~wasted[row.warp.index()];
        row.use_known = row.unknown.none();
        row.unknown &= row.useful & ~known[row.warp.index()];
    }
    return picture;
}

/// Lanes of the step's warp that have exited after it.
LaneMask gone_after(const trace::Trace& trace, const Provenance& provenance, StepId id) {
    return provenance.exited(id) | exiting_lanes(trace, trace.step(id));
}

/// Keeps each lane only in the first mask that contains it.
void separate_masks(WarpPicture& picture) {
    for (WarpRow& row : picture.rows) {
        row.decided &= ~row.useful;
        row.ran &= ~(row.useful | row.decided);
        row.exited &= ~(row.useful | row.decided | row.ran);
        row.masked = row.threads & ~(row.useful | row.decided | row.ran | row.exited);
    }
}

}  // namespace

double WarpRow::efficiency_percent() const {
    return warp_instructions == 0 ? 0 : percent_of_lanes(useful_lanes, warp_instructions);
}

double WarpTotals::efficiency_percent() const {
    return warp_instructions == 0 ? 0 : percent_of_lanes(useful_lanes, warp_instructions);
}

WarpTotals WarpPicture::totals() const {
    WarpTotals totals;
    for (const WarpRow& row : rows) {
        totals.useful += row.useful.count();
        totals.threads += row.threads.count();
        totals.warp_instructions += row.warp_instructions;
        totals.useful_lanes += row.useful_lanes;
        totals.use_known = totals.use_known && row.use_known;
    }
    return totals;
}

WarpPicture warp_picture(const BlockView& block, PassId id) {
    const Pass& pass = block.passes.passes[id.index()];
    WarpPicture picture = at_work(block, pass);
    // The warp's own last step before this one says which lanes had exited earlier.
    std::vector<bool> known(picture.rows.size());
    for (std::size_t index = pass.past_last; index-- > 0;) {
        const StepId step_id = block.passes.steps[index];
        const std::size_t warp = block.trace.step(step_id).warp.index();
        if (known[warp]) continue;
        known[warp] = true;
        picture.rows[warp].exited =
            index < pass.first ? gone_after(block.trace, block.provenance, step_id) : block.provenance.exited(step_id);
        if (std::ranges::all_of(known, [](bool done) { return done; })) break;
    }
    separate_masks(picture);
    return picture;
}

std::vector<WarpPicture> warp_pictures(const BlockView& block) {
    std::vector<WarpPicture> pictures;
    std::vector<StepId> last;  // by warp: its last step so far
    for (const Pass& pass : block.passes.passes) {
        WarpPicture& picture = pictures.emplace_back(at_work(block, pass));
        last.resize(picture.rows.size());
        for (std::size_t warp = 0; warp < last.size(); ++warp) {
            if (last[warp].valid()) picture.rows[warp].exited = gone_after(block.trace, block.provenance, last[warp]);
        }
        for (std::size_t index = pass.first; index < pass.past_last; ++index) {
            const StepId step_id = block.passes.steps[index];
            const std::size_t warp = block.trace.step(step_id).warp.index();
            last[warp] = step_id;
            picture.rows[warp].exited = block.provenance.exited(step_id);
        }
        separate_masks(picture);
    }
    return pictures;
}

}  // namespace lanescope::analysis
