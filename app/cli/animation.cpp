#include "cli/animation.h"

#include "analysis/panels/notable_steps.h"
#include "base/grouped.h"
#include "render/image/animation.h"

#include <fmt/format.h>

#include <ostream>

namespace lanescope::cli {

namespace {

std::vector<std::size_t> positions_of(const analysis::BlockView& block, FrameUnit unit) {
    const analysis::BlockPasses& passes = block.passes;
    std::vector<std::size_t> positions;
    if (unit == FrameUnit::pass) {
        // As --pass: before the last instruction of the pass, where it is the current one.
        for (const analysis::Pass& pass : passes.passes) positions.push_back(pass.past_last - 1);
        if (!positions.empty()) positions.pop_back();
    } else {
        const analysis::InstructionTable& instructions = block.provenance.instructions();
        for (std::size_t index = 0; index < passes.steps.size(); ++index) {
            const trace::Step& step = block.trace.step(passes.steps[index]);
            if (step.warp == WarpId(0) && analysis::is_event(block.module, instructions.at(step.line), step))
                positions.push_back(index);
        }
    }
    positions.push_back(passes.steps.size());
    return positions;
}

}  // namespace

std::vector<Moment> moments_of_animation(const session::Run& run, const Moment& moment, FrameUnit unit) {
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    std::vector<Moment> moments;
    for (const std::size_t position : positions_of(run.analysis->view(passes), unit)) {
        moments.push_back(moment);
        moments.back().position = position;
        moments.back().named = true;
    }
    return moments;
}

Result<void> animate(const session::Run& run, const std::vector<Moment>& moments, const RenderOptions& options,
                     Environment& environment) {
    if (moments.size() > render::most_frames && options.frame_unit == FrameUnit::step)
        return fail(fmt::format("the animation would have {}; the limit is {}", counted(moments.size(), "frame"),
                                grouped(render::most_frames)),
                    {}, "Omit --per step, or choose a smaller launch.");
    std::size_t drawn = 0;
    const render::Frames frames{
        .count = moments.size(), .draw = [&](std::size_t frame) {
            // Each frame is drawn twice.
            if (environment.err_is_terminal)
                environment.err << environment.clear_line()
                                << fmt::format("{} % of {}", 100 * drawn++ / (2 * moments.size()),
                                               counted(moments.size(), "frame"))
                                << std::flush;
            return panel_picture(run, moments[frame], options.panel, options.width, environment.progress);
        }};
    const auto written =
        render::write_animation(frames,
                                {.theme = options.theme,
                                 .scale = options.scale,
                                 .seconds = options.frame_seconds.value_or(usual_seconds(options.frame_unit))},
                                options.animation, environment.progress);
    environment.err << environment.clear_line() << std::flush;
    return written;
}

}  // namespace lanescope::cli
