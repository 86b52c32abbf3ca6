#include "cli/panel_picture.h"

#include "analysis/panels/access_near.h"
#include "analysis/panels/program_lines.h"
#include "base/command_line.h"
#include "scene/banks_scene.h"
#include "scene/counts_scene.h"
#include "scene/grid_scene.h"
#include "scene/map_scene.h"
#include "scene/memory_scene.h"
#include "scene/passes_scene.h"
#include "scene/program_scene.h"
#include "scene/sectors_scene.h"
#include "scene/theory_scene.h"
#include "scene/timeline_scene.h"
#include "scene/warp_timeline_scene.h"
#include "scene/warps_scene.h"
#include "session/hardware_timeline.h"
#include "session/theory.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace lanescope::cli {

namespace {

scene::Scene no_access_scene(const session::Run& run, const Moment& moment, trace::Space space,
                             const scene::AccessOptions& options) {
    const bool any = analysis::launch_accesses(run.trace(), moment.launch, space);
    return scene::no_access_scene(space, options, any ? scene::NoAccess::so_far : scene::NoAccess::in_launch);
}

scene::Scene banks_of(const session::Run& run, const Moment& moment, float width, Progress& /*progress*/) {
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    const scene::AccessOptions drawn{.width = width, .height = 0, .turn = {}};
    const auto access =
        analysis::access_near(run.analysis->view(passes), moment.position, WarpId(0), trace::Space::shared);
    if (!access) return no_access_scene(run, moment, trace::Space::shared, drawn);
    const auto picture = analysis::named_bank_picture(run.analysis->view(passes), *access);
    return picture ? scene::banks_scene(*picture, drawn) : scene::no_access_scene(trace::Space::shared, drawn);
}

scene::Scene sectors_of(const session::Run& run, const Moment& moment, float width, Progress& /*progress*/) {
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    const analysis::BlockView block = run.analysis->view(passes);
    const scene::AccessOptions drawn{.width = width, .height = 0, .turn = {}};
    const auto access = analysis::access_near(block, moment.position, WarpId(0), trace::Space::global);
    if (!access) return no_access_scene(run, moment, trace::Space::global, drawn);
    return scene::sectors_scene(*analysis::sector_picture(block, *access), drawn);
}

scene::Scene map_of(const session::Run& run, const Moment& moment, float width, Progress& /*progress*/) {
    const analysis::AccessMap map = analysis::access_map(*run.analysis, moment.launch);
    return scene::map_scene(map, analysis::map_view_within(map, scene::map_rows_within(0)),
                            {.width = width, .shown = {}, .next = {}});
}

scene::Scene warps_of(const session::Run& run, const Moment& moment, float width, Progress& /*progress*/) {
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    const analysis::WarpPicture picture =
        analysis::warp_picture(run.analysis->view(passes), passes.pass_of(moment.position));
    return scene::warps_scene(picture, {.width = width, .height = 0, .next = {}});
}

scene::Scene warp_passes_of(const session::Run& run, const Moment& moment, float width, Progress& /*progress*/) {
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    scene::WarpPassesOptions drawn{.width = width, .height = 0, .pass = {}, .warp = {}, .lane = {}};
    if (moment.named) drawn.pass = passes.pass_of(moment.position).index();
    return scene::warp_passes_scene(analysis::warp_pictures(run.analysis->view(passes)), passes, drawn);
}

scene::Scene warp_block_of(const session::Run& run, const Moment& moment, float width, Progress& /*progress*/) {
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    const analysis::WarpPicture picture =
        analysis::warp_picture(run.analysis->view(passes), passes.pass_of(moment.position));
    return scene::block_shape_scene(picture, run.trace().launches[moment.launch].block,
                                    {.width = width, .height = 0, .next = {}});
}

scene::Scene memory_of(const session::Run& run, const Moment& moment, float width, Progress& /*progress*/) {
    analysis::MemoryTable table(run.analysis, moment.launch, moment.block);
    table.seek(analysis::memory_moment(run.analysis->view(table.block().passes), moment.position));
    return scene::memory_scene(table, {.width = width, .height = 0});
}

scene::Scene counts_of(const session::Run& run, const Moment& moment, float width, Progress& /*progress*/) {
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    analysis::PassUnderWay under_way(run.analysis->view(passes));
    const analysis::ExcessCounts excess(run.analysis->view(passes));
    analysis::CountsPicture picture =
        analysis::counts_picture(run.analysis->view(passes), under_way, excess, moment.position);
    picture.forms = session::closed_forms(run);
    return scene::counts_scene(picture, {.width = width});
}

scene::Scene theory_of(const session::Run& run, const Moment& moment, float width, Progress& progress) {
    return scene::theory_scene(session::theory_with_sizes(run, moment.launch, progress),
                               {.width = width, .measuring = {}});
}

scene::Scene program_of(const session::Run& run, const Moment& moment, float width, Progress& /*progress*/) {
    const std::vector<analysis::ProgramLine> lines = analysis::program_lines(run.trace());
    const std::vector<scene::ProgramRow> rows = scene::program_rows(lines, width);
    return scene::program_scene(lines, rows, {.width = width, .launch = moment.launch});
}

scene::Scene grid_of(const session::Run& run, const Moment& moment, float width, Progress& /*progress*/) {
    const analysis::GridPicture picture = analysis::grid_picture(run.trace());
    scene::GridOptions drawn{.width = width, .shown = std::pair(moment.launch, moment.block), .tick = {}};
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    if (moment.named && moment.position < passes.steps.size())
        drawn.tick = picture.ticks[passes.steps[moment.position].index()];
    return scene::grid_scene(run.trace(), picture, drawn);
}

/// The recording of this launch, else of another launch of the program.
scene::Scene timeline_of(const session::Run& run, const Moment& moment, float width, Progress& /*progress*/) {
    const std::vector<session::HardwareTimeline> found = session::hardware_timelines(run, timing::all_timelines());
    if (found.empty())
        return scene::no_timeline_scene(width, 0, std::string(scene::no_timeline),
                                        "lanescope " + command_text(session::timeline_arguments(run)));
    return scene::timeline_scene(
        *found.front().timeline,
        {.width = width,
         .shown = std::pair(moment.launch, moment.block),
         .same_launch = found.front().same_launch,
         .instead = found.front().same_launch ? std::string() : session::how_run_differs(run, *found.front().timeline),
         .origin = found.front().origin});
}

/// When the warps of the block worked and waited on a GPU, from the first recording that has them.
scene::Scene warp_timeline_of(const session::Run& run, const Moment& moment, float width, Progress& /*progress*/) {
    for (const session::HardwareTimeline& found : session::hardware_timelines(run, timing::all_timelines())) {
        const std::vector<timing::TimelineLaunch>& launches = found.timeline->launches;
        if (moment.launch >= launches.size() || moment.block.value >= launches[moment.launch].blocks.size()) continue;
        if (launches[moment.launch].blocks[moment.block.value].warps.empty()) continue;
        scene::WarpTimelineOptions options{
            .width = width, .places = {}, .followed = {}, .origin = found.origin, .instead = {}};
        const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
        if (!found.same_launch) options.instead = session::how_run_differs(run, *found.timeline);
        if (found.same_launch) options.places = analysis::warp_places(run.analysis->view(passes), moment.position);
        return scene::warp_timeline_scene(*found.timeline, moment.launch, moment.block, options);
    }
    return scene::no_timeline_scene(width, 0, std::string(scene::no_timeline),
                                    "lanescope " + command_text(session::timeline_arguments(run)));
}

scene::Scene passes_of(const session::Run& run, const Moment& moment, float width, Progress& /*progress*/) {
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    const analysis::Picture& picture = run.analysis->picture(moment.launch, moment.block);
    std::optional<analysis::ValueId> selected;
    if (moment.selected) selected = picture.rows[moment.selected->first].cells[moment.selected->second].value;
    const analysis::BlockView view = run.analysis->view(passes);
    scene::PassesOptions options{.width = width,
                                 .position = moment.position,
                                 .selected = selected,
                                 .faults = analysis::fault_marks(view, picture)};
    if (moment.joint) options.joint = analysis::joint_values_of(view, picture);
    return scene::passes_scene(passes, picture, *run.analysis->provenance, options);
}

/// The first one is the default.
constexpr std::array<DrawnPanel, 14> panels{{{"passes", "Passes", passes_of},
                                             {"grid", "Grid", grid_of},
                                             {"timeline", {}, timeline_of},
                                             {"warp-timeline", {}, warp_timeline_of},
                                             {"banks", "Banks", banks_of},
                                             {"sectors", "Sectors", sectors_of},
                                             {"map", "Map", map_of},
                                             {"warps", "Warps", warps_of},
                                             {"warp-passes", {}, warp_passes_of},
                                             {"warp-block", {}, warp_block_of},
                                             {"memory", "Memory", memory_of},
                                             {"counts", "Counts", counts_of},
                                             {"theory", "Theory", theory_of},
                                             {"program", "Program", program_of}}};

}  // namespace

std::span<const DrawnPanel> drawn_panels() { return panels; }

scene::Scene panel_picture(const session::Run& run, const Moment& moment, std::string_view panel, float width,
                           Progress& progress) {
    const auto found = std::ranges::find(panels, panel, &DrawnPanel::name);
    return (found == panels.end() ? panels.front() : *found).draw(run, moment, width, progress);
}

}  // namespace lanescope::cli
